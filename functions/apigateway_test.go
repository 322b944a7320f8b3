package functions_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"turnout/internal/site"
)

// siteOrigin is the URL that visitors use.
const siteOrigin = "https://turnout.example.org"

// apiGateway emulates CloudFront and the HTTP API of template.yaml. It selects the function by the route, and
// translates requests and responses to payload format 2.0.
type apiGateway struct {
	lambda  *lambda
	secret  string // the origin secret that CloudFront sends
	routes  []route
	folders map[string]string // the folders of the functions, by logical ID
}

func newAPIGateway(t *testing.T, functions *lambda, secret string) apiGateway {
	g := apiGateway{functions, secret, routes(t), map[string]string{}}
	mains, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, main := range mains {
		folder := filepath.Dir(main)
		g.folders[logicalID(folder)] = folder
	}
	return g
}

func (g apiGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	function, routeKey := g.route(r)
	if g.secret != "" {
		r.Header.Set("X-Origin-Secret", g.secret)
	}
	site.SetVisitor(r.Header, siteOrigin)
	payload, err := g.lambda.invoke(function, payloadV2(r, routeKey, body))
	var answer events.APIGatewayV2HTTPResponse
	if err == nil {
		err = json.Unmarshal(payload, &answer)
	}
	if err != nil {
		g.lambda.t.Errorf("%s: %v", routeKey, err)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"message":"Internal Server Error"}`)
		return
	}
	for name, value := range answer.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(answer.StatusCode)
	content := []byte(answer.Body)
	if answer.IsBase64Encoded {
		content, _ = base64.StdEncoding.DecodeString(answer.Body)
	}
	_, _ = w.Write(content)
}

// route selects the best route. A route without a greedy segment comes first, and so does a route for this method
// alone. route tries the path as sent and the decoded path: AWS does not document which of the two API Gateway uses, so
// the functions must handle both.
func (g apiGateway) route(r *http.Request) (function, routeKey string) {
	for _, greedy := range []bool{false, true} {
		for _, method := range []string{r.Method, "ANY"} {
			for _, path := range []string{r.URL.EscapedPath(), r.URL.Path} {
				for _, route := range g.routes {
					isGreedy := strings.HasSuffix(route.path, "+}")
					if isGreedy == greedy && route.method == method && matches(route.path, path) {
						return g.folders[route.function], route.method + " " + route.path
					}
				}
			}
		}
	}
	return "", ""
}

// matches reports whether a route matches a path. A name in braces matches one segment, a name with a plus one or more
// segments.
func matches(pattern, path string) bool {
	pattern = regexp.MustCompile(`{\w+}`).ReplaceAllString(pattern, "[^/]*")
	pattern = regexp.MustCompile(`{\w+\+}`).ReplaceAllString(pattern, ".*")
	return regexp.MustCompile("(?s)^" + pattern + "$").MatchString(path)
}

// payloadV2 returns the event for a request. Header names are in lower case, and commas join repeated values. The path
// is decoded, the query is not.
func payloadV2(r *http.Request, routeKey string, body []byte) events.APIGatewayV2HTTPRequest {
	event := events.APIGatewayV2HTTPRequest{
		Version:        "2.0",
		RouteKey:       routeKey,
		RawPath:        r.URL.Path,
		RawQueryString: r.URL.RawQuery,
		Headers:        map[string]string{"host": r.Host, "x-forwarded-proto": "https"},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey:   routeKey,
			Stage:      "$default",
			DomainName: "a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: r.URL.Path, Protocol: r.Proto, SourceIP: "127.0.0.1", UserAgent: r.UserAgent(),
			},
		},
	}
	for name, values := range r.Header {
		event.Headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	event.Body = string(body)
	if !utf8.Valid(body) || !strings.Contains(r.Header.Get("Content-Type"), "json") && len(body) > 0 {
		event.Body, event.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	return event
}
