package httpapi_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"unicode"

	"go.yaml.in/yaml/v4"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/httpapi/apitest"
)

// TestContract runs the suite in this process, on a store in memory.
func TestContract(t *testing.T) {
	var log bytes.Buffer
	service := event.NewService(new(storetest.Memory))
	server := httptest.NewServer(httpapi.New(service, slog.New(slog.NewJSONHandler(&log, nil)), httpapi.Endpoints()...))
	secrets := apitest.Run(t, server.URL)
	server.Close()
	if found := secrets.In(log.String()); len(found) > 0 {
		t.Errorf("the log holds %q", found)
	}
}

// TestDescriptionSuitsGenerators refuses constructs in the description that generators of clients get wrong. One
// generator writes a control character of a pattern into its source. One matches a pattern only at the first character.
// One compares a boolean that has one value with a text. One makes a URL of a URN with the format uri.
func TestDescriptionSuitsGenerators(t *testing.T) {
	content, err := os.ReadFile("../../infra/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var description any
	if err := yaml.Unmarshal(content, &description); err != nil {
		t.Fatal(err)
	}
	var visit func(place string, value any)
	visit = func(place string, value any) {
		schema, _ := value.(map[string]any)
		pattern, _ := schema["pattern"].(string)
		switch {
		case strings.ContainsFunc(pattern, unicode.IsControl):
			t.Errorf("%s: the pattern %q has control characters", place, pattern)
		case pattern != "" && !strings.HasPrefix(pattern, "^"):
			t.Errorf("%s: the pattern %q does not begin at the first character", place, pattern)
		case schema["type"] == "boolean" && (schema["const"] != nil || schema["enum"] != nil):
			t.Errorf("%s: a boolean has one value", place)
		case schema["format"] == "uri":
			t.Errorf("%s: generators parse the format uri as a URL; RFC 9457 has uri-reference", place)
		}
		for name, member := range schema {
			visit(place+"/"+name, member)
		}
		list, _ := value.([]any)
		for i, element := range list {
			visit(fmt.Sprint(place, "/", i), element)
		}
	}
	visit("", description)
}
