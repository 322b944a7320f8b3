// Command server is the least that a server on one machine can be: a POST is one
// commit to the file that it is given, anything else a constant answer. It prints
// its address.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"go.etcd.io/bbolt"
)

func main() {
	db, err := bbolt.Open(os.Args[1], 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodPost {
			_, _ = io.WriteString(w, `{"status":"ok"}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		err := db.Update(func(tx *bbolt.Tx) error {
			bucket, err := tx.CreateBucketIfNotExists([]byte("guests"))
			if err != nil {
				return err
			}
			n, _ := bucket.NextSequence()
			return bucket.Put(binary.BigEndian.AppendUint64(nil, n), body)
		})
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"status":"ok"}`)
	})))
}
