// Package explore runs the store of package dynamo against a table in memory. Only
// tests use it.
//
// The table evaluates the expressions that package dynamo uses, and panics at any
// other. It is compared with DynamoDB Local, call by call.
package explore
