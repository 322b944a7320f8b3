package faulttest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

// A Bubble is a way to DynamoDB for a store that lives in a bubble of
// testing/synctest. There DynamoDB Local takes no time at all, however busy the
// machine is: time is what the faults take, and what the service waits.
type Bubble struct {
	way
	carriers chan carrier
}

// A carrier works outside of the bubble. While it does, time stands still inside,
// because the channels come from outside too.
type carrier struct {
	calls   chan Call
	answers chan Answer
}

// NewBubble is to be called outside of the bubble.
func NewBubble(dynamodb string) *Bubble {
	const carriers = 8
	b := &Bubble{carriers: make(chan carrier, carriers)}
	b.open(dynamodb)
	for range carriers {
		c := carrier{make(chan Call), make(chan Answer)}
		go func() {
			for call := range c.calls {
				c.answers <- b.send(call)
			}
		}()
		b.carriers <- c
	}
	return b
}

// Close ends the carriers.
func (b *Bubble) Close() {
	for range cap(b.carriers) {
		close((<-b.carriers).calls)
	}
	b.client.CloseIdleConnections()
}

// RoundTrip implements http.RoundTripper, for the faults that answer.
func (b *Bubble) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.pass(r, func(c Call) Answer {
		carrier := <-b.carriers
		defer func() { b.carriers <- carrier }()
		carrier.calls <- c
		return <-carrier.answers
	})
	if err != nil {
		return nil, err
	}
	if answer.end != whole {
		return nil, errors.New("no answer")
	}
	return &http.Response{
		StatusCode: answer.Status,
		Header:     answer.header.Clone(),
		Body:       io.NopCloser(bytes.NewReader(answer.Body)),
		Request:    r,
	}, nil
}
