// Package robustness tests the promises over HTTP under load and failures, with faults
// between the service and DynamoDB, and compares the outcome with what the clients know.
// Package explore tries all orders of a few operations; here many run at once, with their
// retries and waits.
//
// The benchmarks and the test that kills the local server use the files that are not
// tests.
package robustness
