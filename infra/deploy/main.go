// Command deploy prints the files of the site and how each is served, for upload.py.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"turnout/internal/site/bundle"
)

type file struct {
	Name         string `json:"name"`
	ContentType  string `json:"contentType"`
	CacheControl string `json:"cacheControl"`
	Content      []byte `json:"content"` // in base64
}

func main() {
	served, err := bundle.Files()
	var files []file
	for _, f := range served {
		files = append(files, file{f.Path[1:], f.ContentType, f.CacheControl, f.Content})
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "deploy:", err)
		os.Exit(1)
	}
}
