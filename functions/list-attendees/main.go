// Command list-attendees lists the attendees of an event.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.ListAttendees) }
