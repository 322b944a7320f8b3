// Package robustness tests what the service promises while everything happens at
// once and while things break: over HTTP, on the real stores. Its words are those
// of etcd's robustness tests:
//
//   - traffic: what clients do, all at the same time
//   - failures: what goes wrong meanwhile, between the service and DynamoDB
//   - history: what every client asked for, when, and what it heard
//   - validation: whether that history keeps the promises
//
// What is not in a test file is used by the benchmarks and by the test that kills
// the local server, too.
package robustness
