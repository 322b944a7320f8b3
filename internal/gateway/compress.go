package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// largest is how long a body surely fits into the 6 MB that a function may
// answer: as a string in the JSON of its answer, it may double.
const largest = 3_000_000

// compress compresses a body that may not fit, the list of a large event's guests,
// unless the client has said that it takes no gzip (RFC 9110, section 12.5.3).
func compress(response events.APIGatewayV2HTTPResponse, request map[string]string) events.APIGatewayV2HTTPResponse {
	accepted, sent := request["accept-encoding"]
	if len(response.Body) <= largest || sent && !strings.Contains(accepted, "gzip") {
		return response
	}
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, _ = w.Write([]byte(response.Body)) // into memory: cannot fail
	_ = w.Close()
	response.Body = base64.StdEncoding.EncodeToString(compressed.Bytes())
	response.IsBase64Encoded = true
	response.Headers["Content-Encoding"] = "gzip"
	return response
}
