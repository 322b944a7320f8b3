package explore

import (
	"bytes"
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

// An environment is what an expression is evaluated in.
type environment struct {
	item   item
	names  map[string]string
	values item
}

type (
	operand   func(environment) types.AttributeValue // nil for an attribute that is missing
	condition func(environment) bool
	change    func(environment, item) // of the item's copy
)

// holds evaluates a condition, key condition or filter. None always holds.
func holds(expression *string, e environment) bool {
	return expression == nil || compiled(*expression, (*parser).disjunction)(e)
}

// changed returns an item as an update expression leaves it.
func changed(expression string, e environment, next item) item {
	for _, c := range compiled(expression, (*parser).update) {
		c(e, next)
	}
	return next
}

var expressions sync.Map // by text

func compiled[T any](text string, parse func(*parser) T) T {
	if known, ok := expressions.Load(text); ok {
		return known.(T)
	}
	p := &parser{text, lexemes.FindAllString(text, -1)}
	parsed := parse(p)
	if len(p.rest) > 0 {
		p.unknown()
	}
	expressions.Store(text, parsed)
	return parsed
}

var lexemes = regexp.MustCompile(`[#:]?\w+|<=|>=|<>|\S`)

// A parser knows the part of DynamoDB's expressions that package dynamo uses. It
// panics at anything else.
type parser struct {
	text string
	rest []string
}

func (p *parser) unknown() { panic(fmt.Sprintf("not known to the table: %q in %q", p.rest, p.text)) }

func (p *parser) is(lexeme string) bool { return len(p.rest) > 0 && p.rest[0] == lexeme }

func (p *parser) next() string {
	if len(p.rest) == 0 {
		p.unknown()
	}
	first := p.rest[0]
	p.rest = p.rest[1:]
	return first
}

// skip reports whether a lexeme comes next, and goes on behind it.
func (p *parser) skip(lexeme string) bool {
	if !p.is(lexeme) {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(lexeme string) {
	if !p.skip(lexeme) {
		p.unknown()
	}
}

func (p *parser) disjunction() condition {
	left := p.conjunction()
	for p.skip("OR") {
		first, right := left, p.conjunction()
		left = func(e environment) bool { return first(e) || right(e) }
	}
	return left
}

func (p *parser) conjunction() condition {
	left := p.term()
	for p.skip("AND") {
		first, right := left, p.term()
		left = func(e environment) bool { return first(e) && right(e) }
	}
	return left
}

func (p *parser) term() condition {
	if p.skip("NOT") {
		negated := p.term()
		return func(e environment) bool { return !negated(e) }
	}
	if p.skip("(") {
		inner := p.disjunction()
		p.want(")")
		return inner
	}
	switch function := p.rest[0]; function {
	case "attribute_exists", "attribute_not_exists":
		p.next()
		p.want("(")
		attribute := p.operand()
		p.want(")")
		return func(e environment) bool { return (attribute(e) != nil) == (function == "attribute_exists") }
	case "begins_with":
		p.next()
		p.want("(")
		attribute := p.operand()
		p.want(",")
		prefix := p.operand()
		p.want(")")
		return func(e environment) bool {
			text, ok := attribute(e).(*types.AttributeValueMemberS)
			return ok && strings.HasPrefix(text.Value, prefix(e).(*types.AttributeValueMemberS).Value)
		}
	}
	return p.comparison()
}

func (p *parser) comparison() condition {
	left := p.operand()
	if p.skip("BETWEEN") {
		first := p.operand()
		p.want("AND")
		last := p.operand()
		return func(e environment) bool {
			return ordered(left(e), first(e), func(c int) bool { return c >= 0 }) &&
				ordered(left(e), last(e), func(c int) bool { return c <= 0 })
		}
	}
	operator, ok := map[string]func(int) bool{
		"=":  func(c int) bool { return c == 0 },
		"<":  func(c int) bool { return c < 0 },
		"<=": func(c int) bool { return c <= 0 },
		">":  func(c int) bool { return c > 0 },
		">=": func(c int) bool { return c >= 0 },
	}[p.next()]
	if !ok {
		p.unknown()
	}
	right := p.operand()
	return func(e environment) bool { return ordered(left(e), right(e), operator) }
}

// operand reads an attribute, a value, or if_not_exists(attribute, operand).
func (p *parser) operand() operand {
	name := p.next()
	if name == "if_not_exists" {
		p.want("(")
		attribute := p.operand()
		p.want(",")
		otherwise := p.operand()
		p.want(")")
		return func(e environment) types.AttributeValue { return cmp.Or(attribute(e), otherwise(e)) }
	}
	switch name[0] {
	case ':':
		return func(e environment) types.AttributeValue {
			if e.values[name] == nil {
				panic(fmt.Sprintf("no value for %s in %q", name, p.text))
			}
			return e.values[name]
		}
	default:
		return func(e environment) types.AttributeValue { return e.item[attribute(e, name)] }
	}
}

// attribute returns the name of an attribute, which may be given as #name.
func attribute(e environment, name string) string {
	if alias, ok := e.names[name]; ok {
		return alias
	}
	return name
}

// update reads the clauses SET, REMOVE and ADD, each with one or more parts.
func (p *parser) update() (changes []change) {
	for len(p.rest) > 0 {
		clause := p.next()
		for {
			name := p.next()
			switch clause {
			case "SET":
				p.want("=")
				value := p.operand()
				changes = append(changes, func(e environment, next item) { next[attribute(e, name)] = value(e) })
			case "REMOVE":
				changes = append(changes, func(e environment, next item) { delete(next, attribute(e, name)) })
			case "ADD":
				value := p.operand()
				changes = append(changes, func(e environment, next item) {
					next[attribute(e, name)] = sum(e.item[attribute(e, name)], value(e))
				})
			default:
				p.unknown()
			}
			if !p.skip(",") {
				break
			}
		}
	}
	return changes
}

// ordered compares values of one type. Those of two types, and missing ones, are
// neither equal nor less nor greater.
func ordered(a, b types.AttributeValue, operator func(int) bool) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		return ok && operator(strings.Compare(a.Value, b.Value))
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		return ok && operator(compareNumbers(a.Value, b.Value))
	case *types.AttributeValueMemberB:
		b, ok := b.(*types.AttributeValueMemberB)
		return ok && operator(bytes.Compare(a.Value, b.Value))
	case *types.AttributeValueMemberBOOL:
		b, ok := b.(*types.AttributeValueMemberBOOL)
		return ok && a.Value == b.Value && operator(0)
	}
	return false
}

func compareNumbers(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return rational(a).Cmp(rational(b))
}

func rational(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("not a number: " + s)
	}
	return r
}

// sum is what ADD makes of a number, or of none.
func sum(a, b types.AttributeValue) types.AttributeValue {
	if a == nil {
		return b
	}
	total := new(big.Rat).Add(rational(a.(*types.AttributeValueMemberN).Value), rational(b.(*types.AttributeValueMemberN).Value))
	if !total.IsInt() {
		panic("not an integer: " + total.String())
	}
	return &types.AttributeValueMemberN{Value: total.Num().String()}
}

// projected returns the attributes of an item that a projection expression names.
func projected(expression *string, e environment) item {
	if expression == nil {
		return e.item
	}
	some := item{}
	for _, name := range strings.Split(*expression, ",") {
		name = attribute(e, strings.TrimSpace(name))
		if value, ok := e.item[name]; ok {
			some[name] = value
		}
	}
	return some
}

// sameItem compares two items by value.
func sameItem(a, b item) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if _, ok := b[name]; !ok || !ordered(a[name], b[name], func(c int) bool { return c == 0 }) {
			return false
		}
	}
	return true
}

// describe prints an item.
func describe(i item) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(i)) {
		switch v := i[name].(type) {
		case *types.AttributeValueMemberS:
			fmt.Fprintf(&text, "%s=%.40q ", name, v.Value)
		case *types.AttributeValueMemberN:
			fmt.Fprintf(&text, "%s=%s ", name, v.Value)
		case *types.AttributeValueMemberB:
			fmt.Fprintf(&text, "%s=%x ", name, v.Value)
		case *types.AttributeValueMemberBOOL:
			fmt.Fprintf(&text, "%s=%t ", name, v.Value)
		}
	}
	return text.String()
}

func sameItems(a, b []item) bool { return slices.EqualFunc(a, b, sameItem) }
