package site

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"sync"

	"turnout/internal/site/static"
)

// The paths of the bundles, which are those of the sources that import all others.
const (
	Script   = "/app.js"
	Home     = "/pages/home.js"     // the code of home, which the script loads
	Organize = "/pages/organize.js" // the code of organizers' pages, likewise
	Style    = "/app.css"
)

// Early is the script in the head of each page, without comments and indentation.
var Early = func() string {
	var lines []string
	for line := range strings.Lines(string(static.Read("early.js"))) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "//") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}()

//go:embed bundle/bundle.go
var bundler []byte

// Names maps the paths by which sources refer to the bundles, the texts and the fonts
// to the paths under [Assets] at which these are served.
var Names = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	scripts, styles := newDigest(), newDigest()
	scripts.add("bundle.go", bundler)
	styles.add("bundle.go", bundler)
	err := fs.WalkDir(static.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content := static.Read(name)
		switch path.Ext(name) {
		case ".js":
			scripts.add(name, content)
		case ".css":
			styles.add(name, content)
		case ".woff2": // named in the stylesheets
			styles.add(name, content)
			fallthrough
		case ".json":
			hash := newDigest()
			hash.add(name, content)
			names["/"+name] = hash.name(name)
		}
		return nil
	})
	if err != nil {
		panic(err) // cannot happen: the files are in memory
	}
	names[Script], names[Home], names[Organize] = scripts.name(Script), scripts.name(Home), scripts.name(Organize)
	names[Style] = styles.name(Style)
	return names
})

// Worker is the path of the service worker. It cannot have a hash: browsers look here for a newer one.
const Worker = "/worker.js"

// A digest is a hash of the names and contents of files.
type digest struct{ sum []byte }

func newDigest() *digest { return &digest{} }

func (d *digest) add(name string, content []byte) {
	part := sha256.Sum256(content)
	whole := sha256.New()
	whole.Write(d.sum)
	whole.Write([]byte(name))
	whole.Write(part[:])
	d.sum = whole.Sum(nil)
}

// name returns the path below Assets of a source with this name:
// /assets/de-0123456789abcdef.json for /locales/de.json.
func (d *digest) name(source string) string {
	extension := path.Ext(source)
	return Assets + strings.TrimSuffix(path.Base(source), extension) + "-" + hex.EncodeToString(d.sum[:8]) + extension
}
