// Command cancel-rsvp cancels an RSVP.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.CancelRSVP) }
