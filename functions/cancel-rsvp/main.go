// Command cancel-rsvp is the Lambda function behind DELETE /api/events/{eventToken}/rsvps/{rsvpToken}.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.CancelRSVP) }
