package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// minCompressed is the size in bytes from which a body is compressed. A smaller body fits into one packet anyway.
const minCompressed = 1400

// compress compresses a text body with gzip, if the client accepts gzip and the body becomes smaller.
// CloudFront compresses cacheable responses itself, also with brotli.
func compress(response events.APIGatewayV2HTTPResponse, request map[string]string) events.APIGatewayV2HTTPResponse {
	cached := strings.HasPrefix(response.Headers["Cache-Control"], "public")
	if len(response.Body) < minCompressed || response.IsBase64Encoded || cached {
		return response
	}
	response.Headers["Vary"] = strings.TrimPrefix(response.Headers["Vary"]+", Accept-Encoding", ", ")
	if !acceptsGzip(request["accept-encoding"]) {
		return response
	}
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, _ = w.Write([]byte(response.Body)) // into memory: cannot fail
	_ = w.Close()
	if body := base64.StdEncoding.EncodeToString(compressed.Bytes()); len(body) < len(response.Body) {
		response.Body = body
		response.IsBase64Encoded = true
		response.Headers["Content-Encoding"] = "gzip"
		delete(response.Headers, "Content-Length")
	}
	return response
}

// acceptsGzip reports whether Accept-Encoding names gzip, with a weight above 0.
func acceptsGzip(header string) bool {
	for element := range strings.SplitSeq(strings.ToLower(header), ",") {
		coding, weight, weighted := strings.Cut(strings.ReplaceAll(element, " ", ""), ";q=")
		if coding == "gzip" {
			q, err := strconv.ParseFloat(weight, 64)
			return !weighted || err == nil && q > 0
		}
	}
	return false
}
