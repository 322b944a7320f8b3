package main

import (
	_ "time/tzdata" // time zones are validated here, and Lambda has none

	"turnout/internal/boot"
	"turnout/internal/httpapi"
)

func main() { boot.Lambda(httpapi.CreateEvent) }
