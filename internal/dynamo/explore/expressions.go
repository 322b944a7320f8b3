package explore

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type item = map[string]types.AttributeValue

// An environment gives an expression its item and parameters.
type environment struct {
	item   item
	names  map[string]string
	values item
}

// attribute returns the name of an attribute, which may be given as #name.
func (e environment) attribute(name string) string { return cmp.Or(e.names[name], name) }

// value returns the value of an attribute or of a :parameter. It returns nil for a missing attribute.
func (e environment) value(name string) types.AttributeValue {
	if name[0] != ':' {
		return e.item[e.attribute(name)]
	}
	if e.values[name] == nil {
		panic("no value for " + name)
	}
	return e.values[name]
}

// These are the parts of an expression that package dynamo uses. Anything else panics.
var (
	between    = regexp.MustCompile(`(\w+) BETWEEN (:\w+) AND (:\w+)`)
	function   = regexp.MustCompile(`^(attribute_exists|attribute_not_exists)\(([#\w]+)\)$`)
	relation   = regexp.MustCompile(`^([#\w]+) (=|<|<=|>|>=) (:\w+)$`)
	assignment = regexp.MustCompile(`(?:(SET|ADD|REMOVE) )?([#\w]+)(?: =)?(?: (:\w+))?(?:, | |$)`)
)

var expressions sync.Map // compiled expressions by their text

func compiled[T any](text string, compile func(string) T) T {
	if known, ok := expressions.Load(text); ok {
		return known.(T)
	}
	expression := compile(text)
	expressions.Store(text, expression)
	return expression
}

type term func(environment) bool

// holds evaluates a condition, a key condition or a filter. It consists of alternatives, each of one or more terms. A
// missing condition always holds.
func holds(condition *string, e environment) bool {
	return condition == nil || slices.ContainsFunc(compiled(*condition, alternatives), func(terms []term) bool {
		return !slices.ContainsFunc(terms, func(t term) bool { return !t(e) })
	})
}

func alternatives(condition string) (all [][]term) {
	condition = between.ReplaceAllString(condition, "$1 >= $2 AND $1 <= $3")
	for alternative := range strings.SplitSeq(condition, " OR ") {
		if strings.HasPrefix(alternative, "(") {
			alternative = strings.TrimSuffix(alternative[1:], ")")
		}
		var terms []term
		for text := range strings.SplitSeq(alternative, " AND ") {
			terms = append(terms, newTerm(text))
		}
		all = append(all, terms)
	}
	return all
}

func newTerm(text string) term {
	if m := relation.FindStringSubmatch(text); m != nil {
		return func(e environment) bool {
			order, comparable := compare(e.value(m[1]), e.value(m[3]))
			return comparable && strings.IndexByte(m[2], "<=>"[order+1]) >= 0
		}
	}
	m := function.FindStringSubmatch(text)
	if m == nil {
		panic(fmt.Sprintf("not known to the table: %q", text))
	}
	return func(e environment) bool { return (e.value(m[2]) != nil) == (m[1] == "attribute_exists") }
}

// A change is one part of an update expression.
type change struct{ clause, name, value string }

func changes(update string) (all []change) {
	length, clause := 0, ""
	for _, m := range assignment.FindAllStringSubmatch(update, -1) {
		length, clause = length+len(m[0]), cmp.Or(m[1], clause)
		all = append(all, change{clause, m[2], m[3]})
	}
	if length != len(update) || clause == "" {
		panic(fmt.Sprintf("not known to the table: %q", update))
	}
	return all
}

// changed returns a copy of an item as an update expression leaves it.
func changed(update string, e environment) item {
	next := maps.Clone(e.item)
	for _, c := range compiled(update, changes) {
		switch name := e.attribute(c.name); c.clause {
		case "SET":
			next[name] = e.value(c.value)
		case "ADD":
			sum := number(e.item[name]) + number(e.value(c.value))
			next[name] = &types.AttributeValueMemberN{Value: strconv.Itoa(sum)}
		case "REMOVE":
			delete(next, name)
		}
	}
	return next
}

// projected returns the attributes of an item that a projection expression names.
func projected(expression *string, e environment) item {
	if expression == nil {
		return e.item
	}
	some := item{}
	for name := range strings.SplitSeq(*expression, ", ") {
		if value := e.value(name); value != nil {
			some[e.attribute(name)] = value
		}
	}
	return some
}

// The types of values in Go: these types, a string or a boolean.
type (
	digits string
	octets string
)

// content is the value of an attribute, nil if it is missing.
func content(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return digits(v.Value)
	case *types.AttributeValueMemberB:
		return octets(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	}
	return nil
}

// compare orders values of one type. Values of two types, and missing values, are neither equal nor less nor greater.
func compare(a, b types.AttributeValue) (order int, comparable bool) {
	switch a := content(a).(type) {
	case string:
		b, ok := content(b).(string)
		return strings.Compare(a, b), ok
	case digits:
		b, ok := content(b).(digits)
		return rational(a).Cmp(rational(cmp.Or(b, "0"))), ok
	case octets:
		b, ok := content(b).(octets)
		return cmp.Compare(a, b), ok
	case bool:
		return 0, content(b) == a
	}
	return 0, false
}

func rational(d digits) *big.Rat {
	r, ok := new(big.Rat).SetString(string(d))
	if !ok {
		panic("not a number: " + d)
	}
	return r
}

// describe prints an item.
func describe(i item) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(i)) {
		fmt.Fprintf(&text, "%s=%v ", name, content(i[name]))
	}
	return text.String()
}

func stringOf(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok { // this case is faster than the general one
		return s.Value
	}
	return ""
}

func number(v types.AttributeValue) int {
	d, _ := content(v).(digits)
	n, _ := strconv.Atoi(string(d))
	return n
}
