package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/go-json-experiment/json/jsontext"
)

// A checker is a transport. In every test, a call fails if its response does not conform to the description.
type checker struct {
	description *description
	secrets     *Secrets
	next        http.RoundTripper

	mu        sync.Mutex
	seen      map[string]bool            // the operations and statuses so far
	instances map[string]bool            // the instances of all problems so far
	problems  map[string]problemTemplate // problems by status, type and Accept-Encoding
}

func newChecker(d *description, s *Secrets, next http.RoundTripper) *checker {
	return &checker{
		description: d, secrets: s, next: next,
		seen: map[string]bool{}, instances: map[string]bool{}, problems: map[string]problemTemplate{},
	}
}

// An exchange is a request and its response, both read completely.
type exchange struct {
	request  *http.Request
	sent     []byte
	response *http.Response
	body     []byte
}

func (c *checker) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		var err error
		sent, err = io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(sent)), nil }
		r.Body, _ = r.GetBody()
	}
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))

	x := exchange{r, sent, response, body}
	c.secrets.remember(x)
	if err := c.check(x); err != nil {
		return nil, fmt.Errorf("%w\nanswer: %s %v\n%s", err, response.Status, response.Header, body)
	}
	return response, nil
}

func (c *checker) check(x exchange) error {
	route, params := c.description.route(x.request.Method, x.request.URL.Path)
	documented := route.Operation.Responses.Status(x.response.StatusCode)
	switch {
	case x.response.StatusCode >= http.StatusInternalServerError:
		return errors.New("the service failed")
	case documented == nil:
		return errors.New("the status is not documented")
	}
	if err := checkHeader(x, documented.Value, route.PathItem); err != nil {
		return err
	}
	if err := checkBody(x, documented.Value); err != nil {
		return err
	}
	err := openapi3filter.ValidateResponse(context.Background(), (&openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: x.request, PathParams: params, Route: route, Options: validationOptions,
		},
		Status:  x.response.StatusCode,
		Header:  x.response.Header,
		Options: validationOptions,
	}).SetBodyBytes(x.body))
	if err != nil {
		return err
	}
	if x.response.StatusCode < http.StatusMultipleChoices {
		if err := checkRequest(x.request, x.sent, route, params); err != nil {
			return fmt.Errorf("the service accepted what the description does not: %w", err)
		}
	}
	return c.record(x, route)
}

// checkHeader makes the checks that the library lacks. No header is undocumented or sent twice, and Allow has the
// methods of the path.
func checkHeader(x exchange, documented *openapi3.Response, item *openapi3.PathItem) error {
	ofHTTP := []string{"Connection", "Content-Length", "Content-Type", "Date"}
	for name, values := range x.response.Header {
		if documented.Headers[name] == nil && !slices.Contains(ofHTTP, name) {
			return fmt.Errorf("the header %s is not documented", name)
		}
		if len(values) > 1 {
			return fmt.Errorf("the header %s is sent more than once", name)
		}
	}
	if documented.Headers["Allow"] != nil && x.response.Header.Get("Allow") != allow(item) {
		return fmt.Errorf("the header Allow must be %q", allow(item))
	}
	return nil
}

// checkBody asserts that the media type is literally the documented one, that only a documented response has a body,
// and that a problem repeats the status.
func checkBody(x exchange, documented *openapi3.Response) error {
	media, present := x.response.Header["Content-Type"]
	if len(documented.Content) == 0 {
		if present || len(x.body) > 0 {
			return errors.New("the answer must have no body")
		}
		return nil
	}
	if !present || documented.Content[media[0]] == nil {
		return fmt.Errorf("the media type %q is not documented", media)
	}
	if x.request.Method == http.MethodHead {
		return nil
	}
	// Unlike encoding/json, refuse invalid UTF-8 and repeated names.
	if !jsontext.Value(x.body).IsValid() {
		return errors.New("the body is not valid JSON")
	}
	return nil
}

// checkRequest returns why the description does not allow a request. No schema can express that the service reads a
// missing Content-Type, and every +json type, as application/json.
func checkRequest(r *http.Request, sent []byte, route *routers.Route, params map[string]string) error {
	r = r.Clone(context.Background())
	r.Header.Set("Content-Type", "application/json")
	r.Body = io.NopCloser(bytes.NewReader(sent))
	return openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route, Options: validationOptions,
	})
}

// A problemTemplate holds the members that are the same in all problems of a type.
type problemTemplate struct{ Title, Detail string }

// record notes the operation and the status. It asserts that no two problems have the same instance, and that problems
// of one type differ only in field errors.
func (c *checker) record(x exchange, route *routers.Route) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[fmt.Sprint(route.Operation.OperationID, " ", x.response.StatusCode)] = true

	var problem struct {
		Type, Instance string
		problemTemplate
	}
	if x.response.StatusCode < http.StatusBadRequest || x.request.Method == http.MethodHead {
		return nil
	}
	if err := json.Unmarshal(x.body, &problem); err != nil {
		return err
	}
	if c.instances[problem.Instance] {
		return fmt.Errorf("another problem has the instance %s, too", problem.Instance)
	}
	c.instances[problem.Instance] = true
	kind := fmt.Sprint(x.response.StatusCode, problem.Type, x.response.Header["Accept-Encoding"])
	if was, known := c.problems[kind]; known && was != problem.problemTemplate {
		return fmt.Errorf("another problem of this type was %q", was)
	}
	c.problems[kind] = problem.problemTemplate
	return nil
}

// unseen lists the documented operations and statuses without any response so far, except 5xx, and 406 for a list that
// Lambda does not pass on.
func (c *checker) unseen() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var unseen []string
	for _, item := range c.description.Paths.Map() {
		for _, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				if key := operation.OperationID + " " + status; status < "500" && status != "406" && !c.seen[key] {
					unseen = append(unseen, key)
				}
			}
		}
	}
	slices.Sort(unseen)
	return unseen
}
