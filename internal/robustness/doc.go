// Package robustness runs many clients of the HTTP API at once, during contention in DynamoDB,
// and compares the outcome with what the clients know. Package explore tries all orders of
// a few operations, and package dynamo each fault; here times count, too.
//
// The benchmarks and the test that kills the local server use the files that are not
// tests.
package robustness
