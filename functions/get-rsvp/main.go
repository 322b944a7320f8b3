// Command get-rsvp is the Lambda function behind GET /api/events/{eventToken}/rsvps/{rsvpToken}.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.GetRSVP) }
