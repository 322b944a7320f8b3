// Command health reports whether the service can answer.
package main

import (
	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.ServeEndpoint(httpapi.Health) }
