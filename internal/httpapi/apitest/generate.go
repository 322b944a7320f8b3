package apitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
)

// Fuzz makes requests from the description: bodies, with members, types and bounds at random, and header parameters. A
// request gets a 400 exactly if the description does not allow it. A plain run of go test makes 600 requests,
// the same each time.
func Fuzz(f *testing.F, baseURL string) {
	f.Helper()
	description, err := loadDescription()
	if err != nil {
		f.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{})
	for range 600 {
		choices := make([]byte, 64)
		_, _ = random.Read(choices)
		f.Add(choices)
	}
	checker := newChecker(description, &Secrets{}, &http.Transport{DisableCompression: true})
	f.Fuzz(func(t *testing.T, choices []byte) {
		c := newClient(t, baseURL, checker)
		g := generator{choices}
		k := g.call(c.newEvent())
		sent, err := json.Marshal(k.Body)
		if err != nil {
			t.Fatal(err)
		}
		k.Body = Raw(sent)
		r, err := c.service.request(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		route, params := description.route(r.Method, r.URL.Path)
		refused := checkRequest(r, sent, route, params)
		a := c.send(k)
		if (a.Status == http.StatusBadRequest) != (refused != nil) && !a.refusesInWords() {
			a.fatalf("sent: %v %s\nthe description refuses this request: %v", k.Header, sent, refused)
		}
	})
}

// refusesInWords reports whether a 400 is only about members of which the description says something in words alone.
func (a answer) refusesInWords() bool {
	a.t.Helper()
	errors, _ := a.object()["fieldErrors"].([]any)
	return len(errors) > 0 && !slices.ContainsFunc(errors, func(e any) bool {
		return !slices.Contains([]string{"cancelled", "endDateTime"}, fmt.Sprint(e.(Object)["field"]))
	})
}

// A generator makes requests and values. Its choices decide between possibilities. Without choices, it makes a plain
// request that succeeds.
type generator struct{ choices []byte }

// pick returns a choice from 0 to n-1.
func (g *generator) pick(n int) (choice int) {
	for most := 1; most < n && len(g.choices) > 0; most <<= 8 {
		choice = choice<<8 | int(g.choices[0])
		g.choices = g.choices[1:]
	}
	return choice % n
}

// rarely is true for one choice of n.
func (g *generator) rarely(n int) bool { return g.pick(n) == n-1 }

// call makes a call that has a body, to an event.
func (g *generator) call(e eventFixture) Call {
	calls := []Call{CreateEvent(nil), CreateRSVP(e.Token, nil), CancelEvent(e.Token, e.Organizer, nil)}
	k := calls[g.pick(len(calls))]
	route, _ := e.c.description.route(k.Method, e.c.description.prefix()+k.Path)
	k.Body = g.value(route.Operation.RequestBody.Value.Content["application/json"].Schema)
	for _, parameter := range route.Operation.Parameters {
		if parameter.Value.In == openapi3.ParameterInHeader && g.rarely(4) {
			k.Header = Headers(parameter.Value.Name, fmt.Sprint(g.conforming(parameter.Value.Schema)))
		}
	}
	return k
}

// value makes a value that mostly conforms to a schema.
func (g *generator) value(schema *openapi3.SchemaRef) any {
	if g.rarely(12) {
		values := []any{nil, true, 0, -1.5, "", []any{}, []any{"x"}, Object{}, Object{"x": nil}}
		return values[g.pick(len(values))]
	}
	return g.conforming(schema)
}

// conforming makes a value of the type that a schema has. Texts and members may break their bounds.
func (g *generator) conforming(schema *openapi3.SchemaRef) any {
	s := merged(schema.Value)
	if len(s.AnyOf) > 0 {
		return g.conforming(s.AnyOf[g.pick(4)*len(s.AnyOf)/4])
	}
	switch types := s.Type.Slice(); types[g.pick(len(types))] {
	case openapi3.TypeNull:
		return nil
	case openapi3.TypeBoolean:
		return !g.rarely(4)
	case openapi3.TypeObject:
		return g.object(s)
	case openapi3.TypeString:
		return g.text(s)
	}
	panic(fmt.Sprintf("the description has a request with the type %v", s.Type))
}

// merged returns a schema with the constraints of all its parts.
func merged(s *openapi3.Schema) *openapi3.Schema {
	all := *s
	for _, part := range s.AllOf {
		p := merged(part.Value)
		all.Type, all.MinLength = p.Type, max(all.MinLength, p.MinLength)
		if p.MaxLength != nil {
			all.MaxLength = p.MaxLength
		}
		all.Format, all.Pattern = all.Format+p.Format, all.Pattern+p.Pattern
	}
	return &all
}

func (g *generator) object(s *openapi3.Schema) Object {
	o := Object{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		often := 2
		if slices.Contains(s.Required, name) {
			often = 16
		}
		if !g.rarely(often) {
			o[name] = g.value(s.Properties[name])
		}
	}
	if g.rarely(8) {
		o["an unknown member"] = "x"
	}
	return o
}

func (g *generator) text(s *openapi3.Schema) string {
	var text []rune
	switch {
	case s.Format == "iana-timezone": // which names there are stands in no schema
		zones := []string{"Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", strings.Repeat("x", 65), ""}
		return zones[g.pick(len(zones))]
	case s.Pattern != "":
		text = g.matching(s.Pattern)
	case s.Format == "uuid":
		text = []rune(uuid.NewString())
	default:
		text = g.matching(`^[\s\S]*[\s\S]`)
	}
	if s.MaxLength != nil && g.rarely(3) {
		length := []int{int(*s.MaxLength), int(*s.MaxLength) + 1}[g.pick(2)]
		padding := []rune{'a', '\U0001F600', ' '}[g.pick(3)]
		for len(text) < length {
			text = append(text, padding)
		}
	}
	if len(text) > 0 && g.rarely(8) { // a near miss
		at := g.pick(len(text))
		instead := []rune{'0', '9', 'z', ' ', '-', '\u3164', '\u00e9', '\n'}[g.pick(8)]
		text = slices.Replace(text, at, at+1, []rune{instead, instead}[:g.pick(3)]...)
		if g.rarely(4) {
			text = []rune{instead}
		}
	}
	return string(text)
}

// matching makes a text that matches a pattern, which is read as the library reads it.
func (g *generator) matching(pattern string) []rune {
	parsed, err := syntax.Parse(codePoint.ReplaceAllString(pattern, `\x{$1}`), syntax.Perl)
	if err != nil {
		panic(err)
	}
	return g.expand(parsed)
}

var codePoint = regexp.MustCompile(`\\u([0-9A-F]{4})`)

func (g *generator) expand(r *syntax.Regexp) (text []rune) {
	switch r.Op {
	case syntax.OpLiteral:
		for _, letter := range r.Rune {
			if r.Flags&syntax.FoldCase != 0 && g.rarely(2) {
				letter = unicode.SimpleFold(letter)
			}
			text = append(text, letter)
		}
	case syntax.OpCharClass:
		return []rune{g.runeOf(r.Rune)}
	case syntax.OpConcat, syntax.OpCapture:
		for _, part := range r.Sub {
			text = append(text, g.expand(part)...)
		}
	case syntax.OpAlternate:
		return g.expand(r.Sub[g.pick(len(r.Sub))])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := 0, 3 // for OpStar
		switch r.Op {
		case syntax.OpPlus:
			least = 1
		case syntax.OpQuest:
			most = 1
		case syntax.OpRepeat:
			least, most = r.Min, max(r.Max, r.Min)
		}
		for range least + g.pick(most-least+1) {
			text = append(text, g.expand(r.Sub[0])...)
		}
	}
	return text
}

// runeOf makes a character of a class, which is a list of ranges. The description's patterns are exact up to U+FFFF.
func (g *generator) runeOf(ranges []rune) rune {
	if ranges[0] == 0 && ranges[1] == unicode.MaxRune && g.rarely(4) {
		return '\U0001F600'
	}
	at := 2 * g.pick(len(ranges)/2)
	r := ranges[at] + rune(g.pick(int(min(ranges[at+1], '\uffff')-ranges[at])+1))
	if 0xd800 <= r && r <= 0xdfff { // a surrogate
		r -= 0x800
	}
	return r
}

// ReadMembers tests that each operation with a body reads exactly the members that the description has for it. names
// are further members that the service may read.
func ReadMembers(t *testing.T, baseURL string, names []string) {
	t.Helper()
	description, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, baseURL, newChecker(description, &Secrets{}, http.DefaultTransport))
	create, rsvp, cancel := bodyOperations(c.newEvent())
	for _, o := range []bodyOperation{create, rsvp, cancel} {
		route, _ := description.route(o.call.Method, description.prefix()+o.call.Path)
		described := route.Operation.RequestBody.Value.Content["application/json"].Schema.Value.Properties
		all := slices.AppendSeq(slices.Clone(names), maps.Keys(described))
		slices.Sort(all)
		for _, name := range slices.Compact(all) {
			var body Object
			if err := json.Unmarshal([]byte(o.good), &body); err != nil {
				t.Fatal(err)
			}
			body[name] = []any{}
			o.call.Body = body
			_, has := described[name]
			if reads := c.send(o.call).Status == http.StatusBadRequest; reads != has {
				t.Errorf("%s: the service reads %s: %t, the description has it: %t", o.name, name, reads, has)
			}
		}
	}
}
