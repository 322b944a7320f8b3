// Command create-event is the Lambda function behind POST /api/events.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.CreateEvent) }
