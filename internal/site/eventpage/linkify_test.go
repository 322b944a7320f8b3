package eventpage

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"
)

// vectors are texts with their links. Package bundle runs the script with the same ones.
var vectors struct {
	Links map[string]string
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
