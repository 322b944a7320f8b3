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

	"turnout/internal/httpapi"
)

// Start runs the function that build returns the handler of, and never returns.
// ORIGIN_SECRETS in its environment says who may call it, see FrontDoor.
// Its log goes to standard output as JSON, which Lambda passes on to CloudWatch.
func Start(build func(*slog.Logger) (http.Handler, error)) {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	handler, err := build(log)
	if err != nil {
		log.Error("cannot start", "error", err.Error())
		os.Exit(1)
	}
	lambda.Start(Serve(FrontDoor(os.Getenv("ORIGIN_SECRETS"), log, handler)))
}

// Serve returns the Lambda handler for h. It never returns an error: the client
// would hear no more of it than a bare 500.
func Serve(h http.Handler) func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	adapter := httpadapter.NewV2(h)
	return func(ctx context.Context, request events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if invocation, ok := lambdacontext.FromContext(ctx); ok {
			ctx = httpapi.WithRequestID(ctx, invocation.AwsRequestID)
		}
		response, err := adapter.ProxyWithContext(ctx, repair(request))
		return shrink(response, request.Headers), err
	}
}

// repair makes a request that the adapter can read: it parses the URL, where
// API Gateway has decoded the path, and prints one that it cannot parse, tokens
// and all. What is beyond repair becomes a request for a path that is not there.
func repair(request events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	if request.RawPath == "" {
		request.RawPath = request.RequestContext.HTTP.Path
	}
	request.RawPath = (&url.URL{Path: request.RawPath}).EscapedPath()
	request.RequestContext.DomainName = "" // nothing asks for the host
	if request.IsBase64Encoded {
		body, err := base64.StdEncoding.DecodeString(request.Body)
		if err != nil {
			return nowhere(request)
		}
		request.Body, request.IsBase64Encoded = string(body), false
	}
	_, err := http.NewRequest(request.RequestContext.HTTP.Method, "https:///"+request.RawPath+"?"+request.RawQueryString, nil)
	if err != nil {
		return nowhere(request)
	}
	return request
}

// nowhere is a request for a path that is not there, from the same caller.
func nowhere(request events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{RawPath: "/", Headers: request.Headers}
}
