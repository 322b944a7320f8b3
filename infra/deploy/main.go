// Command deploy prints the files of the site and how each is served, for upload.py: the contents are in base64.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"turnout/internal/site/bundle"
)

func main() {
	files, err := bundle.Files()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "deploy:", err)
		os.Exit(1)
	}
}
