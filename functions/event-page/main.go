package main

import (
	_ "time/tzdata" // dates are shown in their zone, and Lambda has none

	"turnout/internal/boot"
	"turnout/internal/site/eventpage"
)

func main() { boot.Serve(eventpage.NewHandler) }
