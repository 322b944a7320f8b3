package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// minCompressed is the size in bytes from which compression pays: a smaller body
// needs one packet, compressed or not.
const minCompressed = 1400

// compress compresses a body of text with gzip, if the client accepts that and
// the body becomes smaller, or if the client accepts nothing else. What CloudFront
// may cache it compresses itself, with brotli for clients that accept it.
func compress(response events.APIGatewayV2HTTPResponse, request map[string]string) events.APIGatewayV2HTTPResponse {
	if strings.HasPrefix(response.Headers["Cache-Control"], "public") {
		return response
	}
	gzipped, plain := acceptable(request["accept-encoding"])
	if response.Body == "" || response.IsBase64Encoded || response.Headers["Content-Encoding"] != "" || plain && len(response.Body) < minCompressed {
		return response
	}
	response.Headers["Vary"] = strings.TrimPrefix(response.Headers["Vary"]+", Accept-Encoding", ", ")
	if !gzipped {
		return response
	}
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, _ = w.Write([]byte(response.Body)) // into memory: cannot fail
	_ = w.Close()
	if body := base64.StdEncoding.EncodeToString(compressed.Bytes()); len(body) < len(response.Body) || !plain {
		response.Body = body
		response.IsBase64Encoded = true
		response.Headers["Content-Encoding"] = "gzip"
	}
	return response
}

// acceptable reports whether a body may be gzipped and whether it may be plain
// (RFC 9110, section 12.5.3). Without the header, and where it prefers that,
// bodies are plain.
func acceptable(header string) (gzipped, plain bool) {
	weights := map[string]float64{}
	for element := range strings.SplitSeq(header, ",") {
		coding, parameters, _ := strings.Cut(element, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		weights[strings.TrimPrefix(coding, "x-")] = weight(parameters)
	}
	others, othersListed := weights["*"]
	forGzip, listed := weights["gzip"]
	if !listed {
		forGzip = others
	}
	forPlain, listed := weights["identity"]
	return forGzip > 0 && forGzip >= forPlain, forPlain > 0 || !listed && (others > 0 || !othersListed)
}

// weight returns the parameter q, from 0 to 1: 1 if it is missing, and 0, which means
// not acceptable, if it is invalid.
func weight(parameters string) float64 {
	if strings.TrimSpace(parameters) == "" {
		return 1
	}
	name, value, _ := strings.Cut(parameters, "=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || q > 1 {
		return 0
	}
	return q
}
