// Package faulttest injects faults between a store and DynamoDB Local: those of the
// network and those of DynamoDB, for any time.
package faulttest

import (
	"context"
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
