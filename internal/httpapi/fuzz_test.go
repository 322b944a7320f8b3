package httpapi_test

import (
	"io"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/httpapi/apitest"
)

// FuzzRequests: the service accepts exactly the requests that infra/openapi.yaml describes.
func FuzzRequests(f *testing.F) {
	apitest.Fuzz(f, serve(f))
}

// serve serves the API on a store in memory, and returns the URL.
func serve(t testing.TB) string {
	service := event.NewService(new(storetest.Memory))
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewServer(httpapi.New(service, log, httpapi.Endpoints()...))
	t.Cleanup(server.Close)
	return server.URL
}

// TestMembersAreDescribed: each operation reads exactly the members that infra/openapi.yaml describes. A member that is
// read has a type, so that the service refuses a list. The names to try are the names of an event's contents, and all
// short texts in the package's code.
func TestMembersAreDescribed(t *testing.T) {
	names := slices.Collect(maps.Keys(event.NewCreateEventInput()))
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, literal := range regexp.MustCompile(`"([a-z][A-Za-z]+)"`).FindAllSubmatch(content, -1) {
			names = append(names, string(literal[1]))
		}
	}
	apitest.ReadMembers(t, serve(t), names)
}
