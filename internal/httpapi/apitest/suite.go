// Package apitest is the contract of the HTTP interface as one black-box suite. It needs only a base URL and
// infra/openapi.yaml, so it runs against every implementation of the interface: turnout on either store, and the Lambda
// functions behind their gateway.
//
// The suite creates its own events and can share a store with others. In every test, it checks every response against
// the description.
package apitest

import (
	"flag"
	"net/http"
	"strings"
	"testing"
)

// Run tests the service at baseURL, a URL without the prefix /api. It returns the secrets of all requests and
// responses. No log may contain a secret.
func Run(t *testing.T, baseURL string) *Secrets {
	t.Helper()
	description, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	if version := description.Info.Version; version != "0.1.0" { // promise P33 fixes this version
		t.Errorf("the description has version %s", version)
	}
	secrets := &Secrets{}
	checker := newChecker(description, secrets, &http.Transport{DisableCompression: true})
	c := newClient(t, baseURL, checker)

	for _, clause := range contract {
		c.test(clause.name, clause.check)
	}
	if whole() {
		c.test("every status in the description is one that the service answers", func(c client) {
			for _, status := range checker.unseen() {
				c.Errorf("no call was answered with %s", status)
			}
		})
	}
	return secrets
}

// whole reports whether the flags of go test select the whole suite.
func whole() bool {
	run, skip := flag.Lookup("test.run").Value.String(), flag.Lookup("test.skip").Value.String()
	return !strings.Contains(run, "/") && skip == ""
}

var contract = []struct {
	name  string
	check func(client)
}{
	{"an event from its creation to its cancellation", lifecycle},
	{"the service is healthy", health},

	{"creating an event returns its tokens and its URL", createEvent},
	{"optional fields are absent, or answered as they were set", optionalFields},
	{"an RSVP counts and lists its guest", createRSVP},

	{"every event-bound operation refuses as specified", refusals},
	{"of several refusals the first in order is reported", orderOfRefusals},
	{"all field errors of a body are reported at once and in order", allFieldErrors},
	{"text of any length is answered exactly as it was sent", exactText},

	{"a body has at most 65,536 bytes", bodySizes},
	{"a body is JSON by its Content-Type, or has none, and no Content-Encoding", bodyHeaders},

	{"an event that is created again with its key is the same", repeatedEvent},
	{"an RSVP that is created again with its key is the same", repeatedRSVP},
	{"an event that is cancelled again with its key stays so", repeatedCancel},
	{"an idempotency key is a random UUID, sent once", badKeys},

	{"tokens are UUIDs of 36 characters in either case", tokenForms},
	{"an organizer token is sent exactly once", organizerTokens},

	{"a path that does not exist is not found", unknownPaths},
	{"a token that is not a UUID belongs to no event", hostileTokens},
	{"paths are matched after decoding", decodedPaths},
	{"a wrong method is refused, and Allow names the right ones", methods},
}
