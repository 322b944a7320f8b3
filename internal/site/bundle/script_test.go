package bundle

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
	"turnout/internal/site/eventpage"
	"turnout/internal/site/locale"
	"turnout/internal/site/src"
)

// TestEveryLanguageHasTextsForFailures: the page has texts in every language for the case that texts or script do not
// load.
func TestEveryLanguageHasTextsForFailures(t *testing.T) {
	for _, tag := range locale.Languages() {
		if n := strings.Count(eventpage.Page(site.Config{}), fmt.Sprintf("<p lang=%q", locale.Of(tag).Lang())); n != 2 {
			t.Errorf("the page has %d texts in %s", n, tag)
		}
	}
}

// TestTextsHaveOneBound: the API description, the service, the form and the promises agree on the limits of each text,
// in code points.
func TestTextsHaveOneBound(t *testing.T) {
	promises, err := os.ReadFile("../../docs/promises.md")
	if err != nil {
		t.Fatal(err)
	}
	limits, bounds := string(src.Read("lib/text.ts")), map[string]int{}
	for _, match := range regexp.MustCompile(`(\w+): (\d+)[, ]`).FindAllStringSubmatch(limits, -1) {
		bounds[match[1]], _ = strconv.Atoi(match[2])
	}
	service := event.NewService(&storetest.Memory{})
	server := httptest.NewServer(httpapi.New(service, slog.New(slog.DiscardHandler), httpapi.Endpoints()...))
	defer server.Close()
	send := func(call apitest.Call) apitest.Answer {
		answer := apitest.Send(t, server.URL+"/api", call)
		if answer.Status >= 500 {
			t.Fatalf("%s: %d %s", answer.Call, answer.Status, answer.Body)
		}
		return answer
	}
	inForm, texts := map[string]string{"cancellationReason": "reason"}, []string{}
	for schema, calls := range map[string]func(apitest.Content, apitest.Object) apitest.Call{
		"CreateEventInput": func(_ apitest.Content, text apitest.Object) apitest.Call {
			return apitest.CreateEvent(apitest.EventBody(text))
		},
		"CancelEventInput": func(e apitest.Content, text apitest.Object) apitest.Call {
			text["cancelled"] = true
			return apitest.CancelEvent(e.EventToken, e.OrganizerToken, text)
		},
		"CreateRSVPInput": func(e apitest.Content, text apitest.Object) apitest.Call {
			return apitest.CreateRSVP(e.EventToken, text)
		},
	} {
		for name, bound := range apitest.TextsOf(schema) {
			least, most := bound.Least, bound.Most
			for n, want := range map[int]bool{least - 1: false, least: true, most: true, most + 1: false} {
				if n < 0 {
					continue // no text is shorter than an empty text
				}
				e := send(apitest.CreateEvent(apitest.EventBody(nil))).Content
				answer := send(calls(e, apitest.Object{name: strings.Repeat("🎉", n)}))
				if answer.Status < 300 != want {
					t.Errorf("%s of %d code points: %d, but in openapi.yaml, promises.md and lib/text it has %d to %d",
						name, n, answer.Status, least, most)
				}
			}
			number := regexp.MustCompile(`(\d)(\d{3})$`).ReplaceAllString(strconv.Itoa(most), "$1,$2")
			if !regexp.MustCompile("`" + name + "`[^`]{0,20}(1 to|at most)\\s" + number + "\\b").Match(promises) {
				t.Errorf("promises.md has another bound of %s than openapi.yaml, %s", name, number)
			}
			if schema == "CreateEventInput" {
				texts = append(texts, name)
			}
			key := cmp.Or(inForm[name], name)
			if bounds[key] != most {
				t.Errorf("lib/text has another bound of %s than openapi.yaml, %d: %d", key, most, bounds[key])
			}
		}
	}
	texts = append(texts, "language") // language has a limit, and a required form
	if most := apitest.BoundsOf("Language").Most; bounds["language"] != most {
		t.Errorf("lib/text has another bound of language than openapi.yaml, %d: %d", most, bounds["language"])
	}
	slices.Sort(texts)
	listed := regexp.MustCompile(`texts = \['(.*)'\]`).FindStringSubmatch(limits)
	if listed == nil {
		t.Fatal("lib/text has no list of texts")
	}
	if inForm := slices.Sorted(strings.SplitSeq(listed[1], "', '")); !slices.Equal(inForm, texts) {
		t.Errorf("lib/text has the texts %s of an event, openapi.yaml %s", inForm, texts)
	}
}
