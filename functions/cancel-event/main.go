// Command cancel-event is the Lambda function behind PATCH /api/events/{eventToken}.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.CancelEvent) }
