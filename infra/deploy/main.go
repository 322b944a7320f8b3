// Command deploy prints the files of the site and how each is served, for upload.py.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"turnout/internal/site"
)

type file struct {
	Name         string `json:"name"`
	ContentType  string `json:"contentType"`
	CacheControl string `json:"cacheControl"`
}

func main() {
	var files []file
	err := fs.WalkDir(site.Site, "static", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimPrefix(path, "static/")
		served, ok := site.FileAt(name)
		if !ok {
			return fmt.Errorf("internal/site/headers.go does not say how %s is served", name)
		}
		files = append(files, file{name, served.ContentType, served.CacheControl})
		return nil
	})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "deploy:", err)
		os.Exit(1)
	}
}
