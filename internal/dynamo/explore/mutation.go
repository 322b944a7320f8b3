package explore

// A mutation changes what the store asks for, or what it is answered. The zero mutation
// changes nothing.
type mutation struct {
	rewrite func(table, *node, any) any
	forge   func(*node, answer) answer
	stale   bool // a Query does not find the last write
}

func (m mutation) request(t table, n *node, input any) any {
	if m.rewrite == nil {
		return input
	}
	return m.rewrite(t, n, input)
}

func (m mutation) answer(n *node, a answer) answer {
	if m.forge == nil {
		return a
	}
	return m.forge(n, a)
}
