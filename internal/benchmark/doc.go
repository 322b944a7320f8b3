// Package benchmark measures the service side by side with baselines that do the
// same work and nothing else, and compares the ratios with its aims: make bench.
//
// What does not depend on the machine fails the run when an aim is missed:
// allocations, capacity units, and who was admitted. A ratio of times is printed as
// met or missed.
package benchmark
