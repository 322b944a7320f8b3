// Command create-rsvp is the Lambda function behind POST /api/events/{eventToken}/rsvps.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.CreateRSVP) }
