// Package faulttest injects faults between a store and DynamoDB Local: those of the
// network and those of DynamoDB, for any time.
package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// A Call is one request of the SDK.
type Call struct {
	Operation string // such as TransactWriteItems
	Body      []byte

	ctx    context.Context
	header http.Header
}

// A Response replaces DynamoDB's to a call of the SDK.
type Response struct {
	Status int
	Body   []byte

	header http.Header
	ending ending
}

// An ending is how a response ends.
type ending int

const (
	complete   ending = iota
	reset             // the connection is reset before the response
	truncated         // the connection is closed in the middle of the response
	hanging           // there is no response and the connection stays open
	unresolved        // the name has no address
)

// Send forwards a call towards DynamoDB.
type Send func(Call) Response

// A Fault intercepts every call. It may forward the call, change it, or respond by
// itself.
type Fault func(Call, Send) Response

// writes returns the keys of the items that a call writes, and whether it is a transaction.
func (c Call) writes() (items []string, transaction bool) {
	type write struct {
		TableName string
		Key, Item map[string]any
	}
	var call struct {
		write
		TransactItems []map[string]write
	}
	if err := json.Unmarshal(c.Body, &call); err != nil {
		panic(fmt.Errorf("not a call of the SDK: %w", err))
	}
	add := func(w write) {
		key := w.Key
		if key == nil {
			key = w.Item
		}
		items = append(items, fmt.Sprint(w.TableName, key["pk"], key["sk"]))
	}
	switch c.Operation {
	case "TransactWriteItems":
		for _, each := range call.TransactItems {
			for _, w := range each {
				add(w)
			}
		}
		return items, true
	case "PutItem", "UpdateItem", "DeleteItem":
		add(call.write)
	}
	return items, false
}
