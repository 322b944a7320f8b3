// Package static holds the site's sources: plain modules, style sheets, texts, fonts and
// pictures. A path of the site names a file here without its leading slash.
package static

import (
	"embed"
	"io/fs"
)

// Files are all files of this folder but this one: the names that do not end in "go".
//
//go:embed *[^o] *[^g]o
var Files embed.FS

// Names returns the names of all files.
func Names() (names []string) {
	err := fs.WalkDir(Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic(err) // cannot happen: the files are in memory
	}
	return names
}

// Read returns a file that every test would miss.
func Read(name string) []byte {
	content, err := Files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return content
}
