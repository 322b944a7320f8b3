package apitest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestChecker: the checker accepts right answers, and finds what is wrong in others.
func TestChecker(t *testing.T) {
	const (
		event    = "0b5e7c1a-94d3-4f6e-8a27-6c1d2e3f4a5b"
		secret   = "c2a9e4d8-61f7-4b03-b5d2-0e8f7a6c5b4d"
		instance = "urn:uuid:5c0b7d9e-2f14-4e8a-b3c6-9a1d0e7f6b52"

		public = `{"eventToken":"` + event + `","title":"Party","dateTime":"2027-05-01T19:00:00+02:00","timezone":"UTC",` +
			`"attendeeCount":0,"cancelled":false,"cancellationReason":null}`
		created = `{"eventToken":"` + event + `","organizerToken":"` + secret + `","title":"Party","dateTime":"2027-05-01T19:00:00+02:00","timezone":"UTC"}`
		body    = `{"title":"Party","dateTime":"2027-05-01T19:00:00+02:00","timezone":"UTC"}`
		missing = `{"type":"urn:turnout:problem:event-not-found","title":"Event not found","status":404,"detail":"No.","instance":"` + instance + `"}`
		nowhere = `{"type":"about:blank","title":"Not Found","status":404,"detail":"No.","instance":"` + instance + `"}`
		refused = `{"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"No.","instance":"` + instance + `"}`
		invalid = `{"type":"urn:turnout:problem:validation-failed","title":"Validation failed","status":400,"detail":"No.","instance":"` + instance + `",` +
			`"fieldErrors":[{"field":"title","message":"is required"}]}`
	)
	get := GetEvent(event)
	create := CreateEvent(Raw(body))
	cancel := CancelEvent(event, secret, Raw(`{"cancelled":true}`))
	put := Call{Method: "PUT", Path: "/events/" + event}
	unknown := Call{Method: "GET", Path: "/nothing"}

	type header = map[string]string
	type reply struct {
		status int
		header header // besides Cache-Control: no-store
		body   string
	}
	jsonType, problemType := header{"Content-Type": "application/json"}, header{"Content-Type": "application/problem+json"}
	and := func(h header, name, value string) header {
		sum := header{name: value}
		for n, v := range h {
			if n != name {
				sum[n] = v
			}
		}
		return sum
	}
	at := and(jsonType, "Location", "/api/events/"+event)
	allow := and(problemType, "Allow", "GET, PATCH")
	edit := strings.Replace

	for _, row := range []struct {
		name      string
		call      Call
		reply     reply
		complaint string // empty where the answer is right
	}{
		{"an event", get, reply{200, jsonType, public}, ""},
		{"a new event", create, reply{201, at, created}, ""},
		{"a cancelled event", cancel, reply{204, nil, ""}, ""},
		{"no event", get, reply{404, problemType, missing}, ""},
		{"a bad body", create, reply{400, problemType, invalid}, ""},
		{"no such path", unknown, reply{404, problemType, nowhere}, ""},
		{"no such method", put, reply{405, allow, refused}, ""},

		{"may be cached", get, reply{200, and(jsonType, "Cache-Control", "max-age=60"), public}, "Cache-Control"},
		{"no Cache-Control", get, reply{200, and(jsonType, "Cache-Control", ""), public}, "Cache-Control is missing"},
		{"another header", get, reply{200, and(jsonType, "X-Powered-By", "Go"), public}, "X-Powered-By is not documented"},
		{"no Location", create, reply{201, jsonType, created}, "Location is missing"},
		{"a Location elsewhere", create, reply{201, and(at, "Location", "/events/1"), created}, "Location"},
		{"no Allow", put, reply{405, problemType, refused}, "Allow is missing"},
		{"another Allow", put, reply{405, and(allow, "Allow", "PATCH, GET"), refused}, "Allow must be"},

		{"another success", get, reply{202, jsonType, public}, "status is not documented"},
		{"a redirect", unknown, reply{301, and(problemType, "Location", "/"), nowhere}, "status is not documented"},
		{"a refusal of another operation", get, reply{409, problemType, missing}, "status is not documented"},
		{"a failure", get, reply{500, problemType, edit(missing, "404", "500", 1)}, "the service failed"},
		{"a failure in time", get, reply{503, and(problemType, "Retry-After", "1"), missing}, "the service failed"},

		{"plain text", unknown, reply{404, header{"Content-Type": "text/plain; charset=utf-8"}, "404 page not found\n"}, "text/plain"},
		{"a problem as JSON", get, reply{404, jsonType, missing}, "media type"},
		{"an event as a problem", get, reply{200, problemType, public}, "media type"},
		{"a media type with a parameter", get, reply{200, header{"Content-Type": "application/json; charset=utf-8"}, public}, "media type"},
		{"no media type", cancel, reply{204, jsonType, ""}, "no body"},

		{"half a body", get, reply{200, jsonType, public[:40]}, "not valid JSON"},
		{"a member twice", get, reply{200, jsonType, edit(public, "{", `{"cancelled":true,`, 1)}, "not valid JSON"},
		{"a secret", get, reply{200, jsonType, edit(public, "{", `{"organizerToken":"`+secret+`",`, 1)}, "organizerToken"},
		{"a member missing", get, reply{200, jsonType, edit(public, `,"cancellationReason":null`, "", 1)}, "cancellationReason"},
		{"a count below zero", get, reply{200, jsonType, edit(public, ":0,", ":-1,", 1)}, "attendeeCount"},
		{"a count in a string", get, reply{200, jsonType, edit(public, ":0,", `:"0",`, 1)}, "attendeeCount"},
		{"null for absent", get, reply{200, jsonType, edit(public, "{", `{"location":null,`, 1)}, "location"},
		{"a text too long", get, reply{200, jsonType, edit(public, "Party", strings.Repeat("x", 201), 1)}, "title"},
		{"a token in upper case", get, reply{200, jsonType, edit(public, event, strings.ToUpper(event), 1)}, "eventToken"},
		{"a token that is no random UUID", get, reply{200, jsonType, edit(public, "-4f6e-", "-1f6e-", 1)}, "eventToken"},
		{"a date-time without seconds", get, reply{200, jsonType, edit(public, "19:00:00", "19:00", 1)}, "dateTime"},

		{"a problem of another type", get, reply{404, problemType, edit(missing, "event-not-found", "event-lost", 1)}, "type"},
		{"a problem of another status", get, reply{404, problemType, edit(missing, ":404", ":400", 1)}, "status"},
		{"a problem without details", get, reply{404, problemType, edit(missing, `"detail":"No.",`, "", 1)}, "detail"},
		{"a problem with a path for an instance", get, reply{404, problemType, edit(missing, instance, "/api/events/"+event, 1)}, "instance"},
		{"a problem with another member", get, reply{404, problemType, edit(missing, "{", `{"stack":"",`, 1)}, "stack"},
		{"another title for a status", unknown, reply{404, problemType, edit(nowhere, "Not Found", "Gone", 1)}, "title"},
		{"a bad body without field errors", create, reply{400, problemType, invalid[:strings.Index(invalid, `,"fieldErrors"`)] + "}"}, "fieldErrors"},
		{"an unknown path like an unknown event", unknown, reply{404, problemType, missing}, "type"},

		{"a body taken that is ruled out", CreateEvent(Raw(`{"title":""}`)), reply{201, at, created}, "accepted"},
		{"a query taken that is ruled out", CancelEvent(event, "mine", Raw(`{"cancelled":true}`)), reply{204, nil, ""}, "accepted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := clientOf(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Cache-Control", "no-store")
				for name, value := range row.reply.header {
					w.Header().Set(name, value)
				}
				if w.Header().Get("Cache-Control") == "" {
					w.Header().Del("Cache-Control")
				}
				w.WriteHeader(row.reply.status)
				fmt.Fprint(w, row.reply.body)
			})
			_, err := c.try(row.call)
			switch {
			case row.complaint == "" && err != nil:
				t.Errorf("refused: %v", err)
			case row.complaint != "" && (err == nil || !strings.Contains(err.Error(), row.complaint)):
				t.Errorf("want an error about %q, got: %v", row.complaint, err)
			}
		})
	}

	t.Run("an instance twice", func(t *testing.T) {
		c := clientOf(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, missing)
		})
		if _, err := c.try(get); err != nil {
			t.Error(err)
		}
		if _, err := c.try(get); err == nil || !strings.Contains(err.Error(), "another problem") {
			t.Errorf("got: %v", err)
		}
	})
}

// clientOf returns a client of a service made for one test.
func clientOf(t *testing.T, service http.HandlerFunc) client {
	t.Helper()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	description, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	return newClient(t, server.URL, newChecker(description, &Secrets{}, server.Client().Transport))
}

func TestDescriptionVersion(t *testing.T) {
	d, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	if d.Info.Version != "0.1.0" { // promise P33
		t.Errorf("the description has version %s", d.Info.Version)
	}
}

// TestRawPaths: hostile paths are sent byte for byte.
func TestRawPaths(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RequestURI }))
	defer server.Close()
	c := newClient(t, server.URL, http.DefaultTransport)
	c.service.URL = server.URL
	for _, path := range []string{
		"//a//b/", "/./a/../b/..", "/%2e%2E/a", "/a%2Fb%2fc", "/%61%00%FF%25%3F%23", "/a;b&c=d+e'*",
	} {
		if c.send(Call{Method: "GET", Path: path, Query: "a=%zz;b&&c=?"}); got != path+"?a=%zz;b&&c=?" {
			t.Errorf("%s arrives as %s", path, got)
		}
	}
}

func TestSecrets(t *testing.T) {
	const (
		event  = "0b5e7c1a-94d3-4f6e-8a27-6c1d2e3f4a5b"
		issued = "7d1f0c52-3b8e-4a96-9e04-5f2a1b6c8d7e"
		key    = "8e03978e-40d5-43dd-bc93-6894a57f9324"
		name   = "Ada \"the\" <Countess> 🎉"
	)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"rsvpToken":%q}`, issued)
	}))
	defer server.Close()
	description, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	var secrets Secrets
	c := newClient(t, server.URL, newChecker(description, &secrets, server.Client().Transport))
	k := CreateRSVP(event, Object{"name": name})
	k.Query = "organizerToken=mine"
	k.Header = http.Header{"Idempotency-Key": {key}}
	_, _ = c.try(k) // the answer is wrong, and is recorded all the same

	for _, row := range []struct {
		log  string
		want []string
	}{
		{"", nil},
		{`{"requestId":"5c0b7d9e-2f14-4e8a-b3c6-9a1d0e7f6b52","endpoint":"create-rsvp","status":201}`, nil},
		{"path=/api/events/" + event, []string{event}},
		{"path=/api/events/" + strings.ToUpper(event), []string{event}},
		{"key " + key, []string{key}},
		{"new " + issued + " of " + event, []string{event, issued}},
		{"GET /?organizerToken=mine", []string{"organizerToken=mine"}},
		{`name=` + name, []string{name}},
		{`{"name":"Ada \"the\" \u003cCountess\u003e 🎉"}`, []string{name}},
		{`name="Ada \"the\" <Countess> 🎉"`, []string{name}},
	} {
		if got := secrets.In(row.log); !slices.Equal(got, row.want) {
			t.Errorf("in %s: got %q, want %q", row.log, got, row.want)
		}
	}
}
