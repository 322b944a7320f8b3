package main

import (
	"bytes"
	"compress/gzip"
	"math/bits"
	"net/http"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzhttp"

	"turnout/internal/site"
)

// codings are the codings of the site's files. Brotli makes the files of a first visit a tenth smaller than gzip does.
// Below its best quality it would save little.
var codings = []site.Coding{{Name: "br", Encode: withBrotli}, {Name: "gzip", Encode: withGzip}}

// withBrotli takes some 60 ms for the largest file. The encoder's memory grows with its window, by default to 35 MB, so
// the window is as large as the content.
func withBrotli(content []byte) []byte {
	var encoded bytes.Buffer
	w := brotli.NewWriterOptions(&encoded, brotli.WriterOptions{
		Quality: brotli.BestCompression, LGWin: bits.Len(uint(len(content))),
	})
	_, _ = w.Write(content) // into memory: cannot fail
	_ = w.Close()
	return encoded.Bytes()
}

func withGzip(content []byte) []byte {
	var encoded bytes.Buffer
	w, _ := gzip.NewWriterLevel(&encoded, gzip.BestCompression) // the level is valid
	_, _ = w.Write(content)                                     // into memory: cannot fail
	_ = w.Close()
	return encoded.Bytes()
}

// compressed compresses event pages, each time anew, with gzip alone. In the same time, Brotli makes a page no smaller.
// gzhttp would prefer zstd, at its fastest level, which makes a page a tenth larger.
func compressed(pages http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestCompression))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(pages)
}
