// Command server is the baseline of the local server. It stores the body of a POST in
// the given file, under a random key and in one commit with all others of the same
// millisecond, and answers every request with the given JSON. It prints its address.
package main

import (
	"fmt"
	"io"
	"log"
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
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if r.Method != http.MethodPost {
			_, _ = io.WriteString(w, answer)
			return
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
			return
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, answer)
	})))
}
