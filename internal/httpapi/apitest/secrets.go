package apitest

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Secrets holds the strings of a run that no log may contain: every token, key and query, and every text by an
// organizer or a guest.
type Secrets struct {
	mu    sync.Mutex
	texts map[string]bool
}

// In returns the secrets that log contains, in any case, plain or quoted as in Go or in JSON. It skips secrets that are
// too short to be distinguished from other text.
func (s *Secrets) In(log string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log = strings.ToLower(log)
	var found []string
	for text := range s.texts {
		asJSON, _ := json.Marshal(text) // a string can always be encoded
		for _, form := range []string{text, strings.Trim(string(asJSON), `"`), strings.Trim(strconv.Quote(text), `"`)} {
			if strings.Contains(log, strings.ToLower(form)) {
				found = append(found, text)
				break
			}
		}
	}
	slices.Sort(found)
	return found
}

func (s *Secrets) add(texts ...string) {
	const shortest = 8
	for _, text := range texts {
		if len(strings.TrimSpace(text)) >= shortest {
			s.texts[text] = true
		}
	}
}

// remember picks the secrets out of an exchange.
func (s *Secrets) remember(x exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil {
		s.texts = map[string]bool{}
	}

	s.add(x.request.Header["Idempotency-Key"]...) // tokens are derived from the key
	s.add(x.request.URL.RawQuery)
	query, _ := url.ParseQuery(x.request.URL.RawQuery) // the part of the query that can be parsed
	for _, values := range query {
		s.add(values...)
	}
	for segment := range strings.SplitSeq(x.request.URL.Path, "/") {
		if len(segment) >= len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
			s.add(segment)
		}
	}
	s.add(stringsIn(x.sent, "title", "description", "location", "host", "cancellationReason", "movedTo", "name")...)
	s.add(stringsIn(x.body, "eventToken", "organizerToken", "rsvpToken")...)
}

// stringsIn returns the strings in a JSON object that have one of these names.
func stringsIn(body []byte, names ...string) (texts []string) {
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		return nil
	}
	for _, name := range names {
		if text, ok := object[name].(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
