// Command server is the baseline of the local server. It stores the body of a POST in the given file, under a random
// key. One commit has all bodies of a millisecond. It responds to every request with the given JSON. It prints its
// address and, like the local server, a log line for each request.
package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"
)

func main() {
	file, answer := os.Args[1], os.Args[2]
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		log.Fatal(err)
	}
	db.MaxBatchDelay = time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	handler := slog.NewTextHandler(os.Stdout, nil)
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := respond(db, answer, w, r)
		line := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
		line.AddAttrs(slog.String("requestId", uuid.NewString()))
		line.AddAttrs(slog.String("endpoint", "get-event"), slog.Int("status", status))
		_ = handler.Handle(r.Context(), line)
	})))
}

// respond responds to a request, and returns the status.
func respond(db *bbolt.DB, answer string, w http.ResponseWriter, r *http.Request) (status int) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost {
		_, _ = io.WriteString(w, answer)
		return http.StatusOK
	}
	body, _ := io.ReadAll(r.Body)
	key := uuid.New()
	err := db.Batch(func(tx *bbolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte("guests"))
		if err != nil {
			return err
		}
		return bucket.Put(key[:], body)
	})
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return http.StatusServiceUnavailable
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
	return http.StatusCreated
}
