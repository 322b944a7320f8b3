package boot

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/event"
	"turnout/internal/httpapi"
)

// complete returns all variables, for a DynamoDB at that endpoint.
func complete(endpoint string) *environment.Variables {
	set := map[string]string{
		"TABLE_NAME": "a-table", "AWS_REGION": "local", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_DYNAMODB": endpoint, "ORIGIN_SECRETS": "former,secret",
	}
	return environment.New(func(name string) string { return set[name] })
}

func health(s *dynamo.Store, log *slog.Logger) http.Handler {
	return httpapi.New(event.NewService(s), log, httpapi.Health)
}

// TestHandler: the handler uses the table of the environment, and requires one of the origin
// secrets.
func TestHandler(t *testing.T) {
	dynamodb := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !bytes.Contains(body, []byte(`"TableName":"a-table"`)) {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = w.Write([]byte("{}"))
	}))
	defer dynamodb.Close()
	h, err := handler(complete(dynamodb.URL), slog.New(slog.DiscardHandler), health)
	if err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]int{"secret": 200, "former": 200, "former,secret": 403, "": 403} {
		r := httptest.NewRequest(http.MethodGet, "/api/health", nil)
		r.Header.Set("X-Origin-Secret", secret)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("with %q: %d, want %d", secret, w.Code, want)
		}
	}
}

// TestConnectsWhileItStarts: the first request finds a connection to DynamoDB.
func TestConnectsWhileItStarts(t *testing.T) {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	connected := make(chan error, 1)
	go func() {
		connection, err := listener.Accept()
		if err == nil {
			err = connection.Close()
		}
		connected <- err
	}()
	_, err = handler(complete("https://"+listener.Addr().String()), slog.New(slog.DiscardHandler), health)
	ends := listener.SetDeadline(time.Now().Add(time.Minute)) // where nobody connects
	if err := errors.Join(err, ends, <-connected); err != nil {
		t.Error(err)
	}
}
