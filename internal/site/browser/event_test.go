package browser

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

// created is an event with its organizer token.
type created struct {
	EventToken     string `json:"eventToken"`
	OrganizerToken string `json:"organizerToken"`
	Title          string `json:"title"`
}

func (c created) public() string  { return "/e/" + c.EventToken }
func (c created) private() string { return c.public() + "#organizer=" + c.OrganizerToken }

// api talks to the service without a browser, to arrange and to look.
func api[T any](t *testing.T, method, path string, body any) T {
	t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, base+"/api/events"+path, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, answer, err)
	}
	var result T
	if len(answer) > 0 {
		if err := json.Unmarshal(answer, &result); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
	}
	return result
}

type fields map[string]any

func supper() fields {
	return fields{
		"title": "Rooftop supper", "dateTime": "2099-12-12T19:30:00+01:00", "timezone": "Europe/Berlin",
		"location":    "Weserstraße 12, top floor, Berlin",
		"description": "Bring something warm to share – soup, bread, a story.\n\nThe door opens at seven. Directions: https://example.org/roof (no lift!).",
	}
}

// announce creates an event, with guests who are coming.
func announce(t *testing.T, event fields, guests ...string) created {
	t.Helper()
	if missing != "" {
		t.Skip(missing)
	}
	result := api[created](t, http.MethodPost, "", event)
	for _, name := range guests {
		api[fields](t, http.MethodPost, "/"+result.EventToken+"/rsvps", fields{"name": name})
	}
	return result
}

func cancel(t *testing.T, event created, reason string) {
	t.Helper()
	body := fields{"cancelled": true}
	if reason != "" {
		body["cancellationReason"] = reason
	}
	api[fields](t, http.MethodPatch, "/"+event.EventToken+"?organizerToken="+event.OrganizerToken, body)
}

// attendees are the names that the service has.
func attendees(t *testing.T, event created) []string {
	t.Helper()
	answer := api[struct{ Attendees []struct{ Name string } }](t, http.MethodGet, "/"+event.EventToken+"/attendees?organizerToken="+event.OrganizerToken, nil)
	names := []string{}
	for _, attendee := range answer.Attendees {
		names = append(names, attendee.Name)
	}
	return names
}
