// Command deploy prints the files of the site for upload.py, each with its headers and its content in base64. The
// site's page links to the URL in the variable ABOUT_URL.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"turnout/internal/environment"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

func main() {
	env := environment.New(os.Getenv)
	config := site.Config{About: env.Link("ABOUT_URL")}
	files, err := bundle.Files(config)
	if err = errors.Join(env.Err(), err); err == nil {
		err = json.NewEncoder(os.Stdout).Encode(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "deploy:", err)
		os.Exit(1)
	}
}
