package apitest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// A description is infra/openapi.yaml.
type description struct{ *openapi3.T }

var loadDescription = sync.OnceValues(func() (*description, error) {
	_, here, _, _ := runtime.Caller(0)
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join(filepath.Dir(here), "../../../infra/openapi.yaml"))
	if err != nil {
		return nil, err
	}
	return &description{doc}, doc.Validate(context.Background())
})

// Bounds are the least and the greatest number of code points of a text.
type Bounds struct{ Least, Most int }

// TextsOf returns the bounds of each text in a request's schema. A member with a format, such as a date, is not a text.
func TextsOf(schema string) map[string]Bounds {
	texts := map[string]Bounds{}
	for name, property := range schemaOf(schema).Value.Properties {
		if b, isText := boundsOf(property); isText && b.Most > 0 {
			texts[name] = b
		}
	}
	return texts
}

// BoundsOf returns the bounds of a schema.
func BoundsOf(schema string) Bounds {
	b, _ := boundsOf(schemaOf(schema))
	return b
}

// Members returns the names of a schema's members that are required, and of its other members.
func Members(schema string) (required, optional []string) {
	s := schemaOf(schema).Value
	for name := range s.Properties {
		if !slices.Contains(s.Required, name) {
			optional = append(optional, name)
		}
	}
	return s.Required, optional
}

func schemaOf(name string) *openapi3.SchemaRef {
	d, err := loadDescription()
	if err != nil {
		panic(err)
	}
	return d.Components.Schemas[name]
}

// boundsOf reads the bounds in a schema and its parts.
func boundsOf(ref *openapi3.SchemaRef) (b Bounds, isText bool) {
	s := ref.Value
	isText = s.Format == "visible-text" || s.Format+s.Pattern == ""
	b.Least = int(s.MinLength)
	if s.MaxLength != nil {
		b.Most = int(*s.MaxLength)
	}
	for _, part := range slices.Concat(s.AllOf, s.AnyOf) {
		inner, ok := boundsOf(part)
		isText = isText && ok
		b = Bounds{max(b.Least, inner.Least), max(b.Most, inner.Most)}
	}
	return b, isText
}

// prefix returns the beginning of all paths.
func (d *description) prefix() string { return d.Servers[0].URL }

// route returns the description of an operation. A method that the decoded path does not list gets the description of
// all other methods.
func (d *description) route(method, path string) (route *routers.Route, params map[string]string) {
	for template, item := range d.Paths.Map() {
		params, ok := match(d.prefix()+template, path)
		if !ok {
			continue
		}
		if operation := item.GetOperation(method); operation != nil {
			route := routers.Route{Spec: d.T, Path: template, PathItem: item, Method: method, Operation: operation}
			return &route, params
		}
		return d.elsewhere(http.StatusMethodNotAllowed, "MethodNotAllowed", item), nil
	}
	return d.elsewhere(http.StatusNotFound, "UnknownPath", &openapi3.PathItem{}), nil
}

func (d *description) elsewhere(status int, response string, item *openapi3.PathItem) *routers.Route {
	return &routers.Route{Spec: d.T, PathItem: item, Operation: &openapi3.Operation{
		Responses: openapi3.NewResponses(openapi3.WithStatus(status, d.Components.Responses[response])),
	}}
}

// match returns the parameters of a path that matches the template. A parameter is one segment other than "", "." and
// "..".
func match(template, path string) (params map[string]string, ok bool) {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return nil, false
	}
	params = map[string]string{}
	for i, segment := range want {
		name, isParam := strings.CutPrefix(segment, "{")
		if !isParam && got[i] != segment || isParam && slices.Contains([]string{"", ".", ".."}, got[i]) {
			return nil, false
		}
		if isParam {
			params[strings.TrimSuffix(name, "}")] = got[i]
		}
	}
	return params, true
}

// allow returns the header Allow for a path.
func allow(item *openapi3.PathItem) string {
	methods := make([]string, 0, 2)
	for method := range item.Operations() {
		methods = append(methods, method)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// validationOptions make the library strict. By default it accepts undocumented statuses, and checks few formats.
var validationOptions = &openapi3filter.Options{
	IncludeResponseStatus: true,
	SchemaValidationOptions: []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
			"uuid": openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562),
			"uri": openapi3.NewCallbackValidator(func(s string) error {
				if u, err := url.Parse(s); err != nil || !u.IsAbs() {
					return fmt.Errorf("%q is not a URI", s)
				}
				return nil
			}),
			"uri-reference": openapi3.NewCallbackValidator(func(s string) error {
				_, err := url.Parse(s)
				return err
			}),
		}),
	},
}
