// Command get-event is the Lambda function behind GET /api/events/{eventToken}.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.GetEvent) }
