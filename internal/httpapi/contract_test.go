package httpapi_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"testing"

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
