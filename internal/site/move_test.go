package site

import (
	_ "embed"
	"encoding/json"
	"testing"

	"turnout/internal/event"
)

//go:embed testdata/moves.json
var moves []byte

// TestMoves: the reasons that say that an event has moved, as this and earlier versions write them or a
// person does, the titles that are equal, and the change that is named. Package bundle runs the script
// with the same data.
func TestMoves(t *testing.T) {
	var vectors struct {
		Reasons map[string][2]string
		Titles  [][3]any
		Changes [][3]json.RawMessage
	}
	if err := json.Unmarshal(moves, &vectors); err != nil || len(vectors.Reasons) == 0 || len(vectors.Titles) == 0 || len(vectors.Changes) == 0 {
		t.Fatal(vectors, err)
	}
	own, _ := event.ParseToken("00000000-0000-4000-8000-000000000000")
	for reason, want := range vectors.Reasons {
		to, why, ok := movedTo(reason, "https://t.example/e/", own)
		if got := [2]string{to.String(), why}; ok && got != want || ok != (want[0] != "") {
			t.Errorf("%q leads to %q, want %q", reason, got, want)
		}
	}
	for _, titles := range vectors.Titles {
		m := Move{From: event.Event{Title: titles[0].(string)}, To: event.Event{Title: titles[1].(string)}}
		if m.SameTitle() != titles[2] {
			t.Errorf("%q", titles)
		}
	}
	for _, change := range vectors.Changes {
		var m Move
		var want Change
		for i, part := range []any{&m.From, &m.To, &want} {
			if err := json.Unmarshal(change[i], part); err != nil {
				t.Fatal(err)
			}
		}
		if got := m.Change(); got != want {
			t.Errorf("%s is %s", change, got)
		}
	}
}
