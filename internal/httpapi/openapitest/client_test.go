// Package openapitest tests infra/openapi.yaml with tools for OpenAPI: a generated
// client, and Schemathesis (the script schemathesis).
package openapitest

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
)

// TestGeneratedClient: a client that openapi-python-client generates calls every
// operation.
func TestGeneratedClient(t *testing.T) {
	tools, err := filepath.Abs("../../../.local/venv-openapi/bin")
	if err != nil {
		t.Fatal(err)
	}
	generator := filepath.Join(tools, "openapi-python-client")
	if _, err := os.Stat(generator); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("openapi-python-client is missing (make openapi-tools)")
	}
	folder := t.TempDir()
	run := func(program string, arguments ...string) {
		t.Helper()
		command := exec.Command(program, arguments...)
		command.Env = append(os.Environ(), "PYTHONPATH="+folder)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", filepath.Base(program), err, out)
		}
	}
	run(generator, "generate", "--path", "../../../infra/openapi.yaml", "--meta", "none", "--output-path", filepath.Join(folder, "turnout"))

	service := event.NewService(new(storetest.Memory))
	server := httptest.NewServer(httpapi.New(service, slog.New(slog.DiscardHandler), httpapi.Endpoints()...))
	defer server.Close()
	run(filepath.Join(tools, "python"), "client.py", server.URL+"/api")
}
