// Command event-card draws the picture of an event for previews.
package main

import (
	_ "time/tzdata" // dates are shown in their zone, and Lambda has none

	"turnout/internal/boot"
	"turnout/internal/site/card"
)

func main() { boot.ServePages(card.NewHandler) }
