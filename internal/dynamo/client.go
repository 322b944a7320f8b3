package dynamo

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// newClient configures the SDK's client without the SDK's config module, which would
// add 2 MB to each function and a quarter to its start time.
func newClient(c Config, connections *http.Client) *dynamodb.Client {
	credentials := aws.Credentials{
		AccessKeyID:     c.AccessKeyID,
		SecretAccessKey: c.SecretAccessKey,
		SessionToken:    c.SessionToken,
	}
	options := dynamodb.Options{
		Region: c.Region,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return credentials, nil
		}),
		HTTPClient: connections,
		Retryer:    aws.NopRetryer{}, // Store.retry repeats calls, so the SDK must not
	}
	if c.Endpoint != "" {
		options.BaseEndpoint = &c.Endpoint
	}
	if c.Middleware != nil {
		options.APIOptions = append(options.APIOptions, c.Middleware)
	}
	return dynamodb.New(options)
}

// newConnections returns the HTTP client. It does not follow redirects: DynamoDB sends none.
func newConnections(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     cmp.Or[http.RoundTripper](transport, newTransport()),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// newTransport returns a transport whose limits leave time for another attempt: a response
// takes milliseconds.
func newTransport() *http.Transport {
	transport := awshttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = time.Second }).
		GetTransport()
	transport.TLSHandshakeTimeout = time.Second
	transport.MaxIdleConnsPerHost = 100
	return transport
}

// Connect opens the connection for the first call, and gives up after a second; the first call
// reports errors. A TLS handshake is more work than a request, and a function has more
// processor time while it starts.
//
// DynamoDB treats an unsigned GET as a health check, free of charge. Without TLS Connect does
// nothing.
func (s *Store) Connect(ctx context.Context) {
	options := s.client.Options()
	endpoint, err := options.EndpointResolverV2.ResolveEndpoint(ctx,
		dynamodb.EndpointParameters{Region: &options.Region, Endpoint: options.BaseEndpoint})
	if err != nil || endpoint.URI.Scheme != "https" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint.URI.String(), nil)
	if err != nil {
		return
	}
	response, err := options.HTTPClient.Do(request)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, response.Body) // an unread body would close the connection
	_ = response.Body.Close()
}
