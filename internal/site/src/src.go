// Package src holds the site's sources: modules, style sheets, texts, fonts and
// pictures. A path of the site names a file here without its leading slash.
package src

import (
	"embed"
	"io/fs"
	"path"
	"slices"
)

// Files are all files of this folder except this file: all names that do not end in "go".
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
		panic(err) // cannot happen, because the files are in memory
	}
	return names
}

// Modules are the extensions of modules: TypeScript, with JSX or without, and JavaScript.
var Modules = []string{".ts", ".tsx", ".js"}

// IsModule reports whether a file is a module, or declares types for modules.
func IsModule(name string) bool { return slices.Contains(Modules, path.Ext(name)) }

// Read returns the content of a file. It panics if the file is missing, because then every test fails.
func Read(name string) []byte {
	content, err := Files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return content
}
