// Command list-attendees is the Lambda function behind GET /api/events/{eventToken}/attendees.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.ListAttendees) }
