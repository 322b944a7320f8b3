package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"turnout/internal/middleware"
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
	if middleware.Coding(request["accept-encoding"], "gzip") == "" {
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

// Lambda passes on at most 6 MB and 100 bytes of a response. mostBody leaves room for its status and headers.
const mostBody = 6_291_556 - 1_000

// fits reports whether Lambda passes on a response with this body, which is a string in JSON there.
func fits(body []byte, request map[string]string) bool {
	text := string(body)
	if fitsAsIs(text) {
		return true
	}
	r := compress(events.APIGatewayV2HTTPResponse{Body: text, Headers: make(map[string]string)}, request)
	return r.IsBase64Encoded && len(r.Body) <= mostBody
}

func fitsAsIs(text string) bool {
	const mostEscaped = len("\\u0000")
	if len(text)*mostEscaped <= mostBody {
		return true
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // as Lambda's encoder
	_ = encoder.Encode(text)     // a string can be encoded
	return b.Len() <= mostBody
}
