// Package benchmark measures the service side by side with baselines that do the same
// work and nothing else, and compares the ratios with its aims: make bench. Allocations
// are a test like any other.
package benchmark
