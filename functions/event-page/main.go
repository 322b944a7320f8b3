// Command event-page serves the page of an event, its QR code and its entry for calendars.
package main

import (
	_ "time/tzdata" // dates are shown in their zone, and Lambda has none

	"turnout/internal/boot"
	"turnout/internal/site/eventpage"
)

func main() { boot.ServePages(eventpage.NewHandler) }
