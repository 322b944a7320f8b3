package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"turnout/internal/httpapi/apitest"
)

// These events were imported into the server of the tests. An import may have texts and dates that the API refuses.
var (
	importedLong  = importedAs("10000000-0000-4000-8000-000000000001")
	importedBlank = importedAs("10000000-0000-4000-8000-000000000002")
	importedExact = importedAs("10000000-0000-4000-8000-000000000003")
)

func importedAs(token string) created {
	return created{apitest.Content{EventToken: token, OrganizerToken: strings.Replace(token, "1", "2", 1)}}
}

// importEvents runs turnout import in the server's folder, before the server runs.
func importEvents(binary, folder string) error {
	long := func(text string, n int) string { return text + strings.Repeat(" x", n/2) }
	file := filepath.Join(folder, "export")
	lines := []fields{
		{"format": "turnout", "version": 1},
		importedLine(importedLong, fields{
			"title": long("Rooftop supper", 201), "location": long("Roof", 501), "host": long("Mara", 101),
			"description": long("Bring a dish.", 2001), "timezone": long("Nowhere", 101),
		}),
		importedLine(importedBlank, fields{"title": " "}),
		importedLine(importedExact, fields{
			"title": "Rooftop supper", "dateTime": "2099-12-12t19:30:00." + strings.Repeat("1", 100) + "+01:00",
		}),
		{"end": fields{"events": 3, "rsvps": 0, "withdrawn": 0, "erased": 0}},
	}
	var content []byte
	for _, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		content = append(append(content, text...), '\n')
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return err
	}
	command := exec.Command(binary, "import", file)
	command.Env = append(os.Environ(), "DATA_DIR="+folder)
	out, err := command.CombinedOutput()
	if err != nil {
		err = errors.New("cannot import events: " + string(out))
	}
	return errors.Join(err, os.Remove(file))
}

// importedLine returns an event's line in an export.
func importedLine(e created, otherwise fields) fields {
	token, err := hex.DecodeString(strings.ReplaceAll(e.OrganizerToken, "-", ""))
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(token)
	line := fields{
		"token": e.EventToken, "organizerHash": hex.EncodeToString(hash[:]), "cancelled": false,
		"dateTime": "2099-12-12T19:30:00+01:00", "timezone": "Europe/Berlin",
		"createdAt": "2026-01-01T00:00:00Z", "expiresAt": "2100-01-01T00:00:00Z",
	}
	for name, value := range otherwise {
		line[name] = value
	}
	return fields{"event": line}
}

// A device keeps a guest's yes to an imported event, whatever texts and date the event has. It sends the yes after a
// reload.
func TestYesToAnImportedEvent(t *testing.T) {
	for _, event := range []created{importedLong, importedBlank, importedExact} {
		v := newVisitor(t, manner{}, event.public())
		end := submitUnanswered(v, unreached, "Anna")
		v.Reload()
		v.Sees("No confirmation yet for Anna.")
		end()
		comeBack(v)
		v.Sees("You’re in, Anna")
		hasNames(t, event, "Anna")
		v.Reload()
		v.Sees("You’re in, Anna")
		v.Open("/")
		v.Sees("Anna is coming", "12 December 2099")
		v.Open(event.public())
		v.Click("Can’t make it after all: Anna")
		v.Open("/")
		v.AllSent()
		hasNames(t, event)
	}
}

// The list of a device has an imported event, and its organizer cancels the event.
func TestOrganizerOfAnImportedEvent(t *testing.T) {
	v := newVisitor(t, manner{}, importedLong.private())
	v.Until("the event on the list", `location.hash === '#organize'`)
	v.Open("/")
	v.Sees("You’re organizing")
	v.Disturb(http.MethodGet, unreached)
	v.Open("/")
	v.Sees("Rooftop supper", "You’re organizing", "As of ")
}
