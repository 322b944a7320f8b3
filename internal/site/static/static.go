// Package static holds the site's sources: plain modules, style sheets, texts, fonts and
// pictures. A path of the site names a file here without its leading slash.
package static

import "embed"

// Files are all files of this folder but this one: the names that do not end in "go".
//
//go:embed *[^o] *[^g]o
var Files embed.FS

// Read returns a file that every test would miss.
func Read(name string) []byte {
	content, err := Files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return content
}
