// Command get-rsvp reads an RSVP.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.GetRSVP) }
