package eventpage

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"turnout/internal/event"
	"turnout/internal/site"
)

// vectors are texts with their links, and reasons with the event that they move to. Package
// bundle runs the script with the same ones.
var vectors struct {
	Links map[string]string
	Moved map[string][2]string
}

//go:embed testdata/links.json
var encoded []byte

func init() {
	if err := json.Unmarshal(encoded, &vectors); err != nil {
		panic(err)
	}
}

// TestLinks: the addresses in a text, with what they must not hold.
func TestLinks(t *testing.T) {
	for text, want := range vectors.Links {
		var got strings.Builder
		for _, part := range linkify(text) {
			if part.Link {
				part.Text = "|" + part.Text + "|"
			}
			got.WriteString(part.Text)
		}
		if got.String() != want {
			t.Errorf("%q has the links %q, want %q", text, &got, want)
		}
	}
}

// TestMovedEvents: only the address of another event, of this site, says that an event moved.
func TestMovedEvents(t *testing.T) {
	own, _ := event.ParseToken("00000000-0000-4000-8000-000000000000")
	for reason, want := range vectors.Moved {
		path, rest := movedTo(reason, "https://t.example", own)
		if got := [2]string{strings.TrimPrefix(path, site.EventPages), rest}; got != want {
			t.Errorf("%q leads to %q, want %q", reason, got, want)
		}
	}
}
