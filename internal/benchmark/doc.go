// Package benchmark measures the service side by side with baselines that do the
// same work and nothing else, and compares the ratios with its aims: make bench.
//
// Who was admitted does not depend on the machine, and fails the run. A ratio of times
// is printed as met or missed. Allocations and capacity units are tests like any other.
package benchmark
