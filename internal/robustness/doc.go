// Package robustness tests the promises under concurrency and failures: over HTTP, on
// the real stores. Its terms are those of etcd's robustness tests:
//
//   - traffic: the concurrent calls of clients
//   - failures: faults injected between the service and DynamoDB
//   - history: every call, its answer, and when they were sent and received
//   - validation: whether the history satisfies the promises
//
// The benchmarks and the test that kills the local server use the files that are not
// tests.
package robustness
