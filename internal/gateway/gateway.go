// Package gateway lets an http.Handler serve as a Lambda function behind an API
// Gateway HTTP API (payload format 2.0).
package gateway

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"turnout/internal/environment"
	"turnout/internal/middleware"
)

// Start serves the handler that build returns, and never returns itself. It writes the log to standard output
// as JSON, and Lambda passes the lines on to CloudWatch.
func Start(build func(*environment.Variables, *slog.Logger) (http.Handler, error)) {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	handler, err := build(environment.New(os.Getenv), log)
	if err != nil {
		log.Error("cannot start", "error", err.Error())
		os.Exit(1)
	}
	lambda.Start(Adapt(handler))
}

// A Handler handles one of API Gateway's events. Lambda calls it.
type Handler func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// Adapt returns the Lambda handler for h. The Lambda handler never returns an error, because the client would get a 500
// without a problem document.
func Adapt(h http.Handler) Handler {
	adapter := httpadapter.NewV2(h)
	return func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if invocation, ok := lambdacontext.FromContext(ctx); ok {
			ctx = middleware.WithRequestID(ctx, invocation.AwsRequestID)
		}
		ctx = middleware.WithLimit(ctx, func(body []byte) bool { return fits(body, e.Headers) })
		response, err := adapter.ProxyWithContext(ctx, normalize(e))
		return compress(response, e.Headers), err
	}
}

// normalize makes an event parseable for the adapter, which would print an invalid URL with its tokens. It
// escapes the path again, because API Gateway has decoded it. It turns an invalid request into a request of
// the same caller for an unknown path.
func normalize(e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	if e.RawPath == "" {
		e.RawPath = e.RequestContext.HTTP.Path
	}
	e.RawPath = (&url.URL{Path: e.RawPath}).EscapedPath()
	e.RequestContext.DomainName = "" // handlers do not use this host
	_, err := http.NewRequest(e.RequestContext.HTTP.Method, "https:///"+e.RawPath+"?"+e.RawQueryString, nil)
	if e.IsBase64Encoded && err == nil {
		var body []byte
		body, err = base64.StdEncoding.DecodeString(e.Body)
		e.Body, e.IsBase64Encoded = string(body), false
	}
	if err != nil {
		return events.APIGatewayV2HTTPRequest{RawPath: "/", Headers: e.Headers}
	}
	return e
}
