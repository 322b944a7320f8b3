// Package benchmark is make bench: it measures the service side by side with baselines that do the
// same work and nothing else, simulates a burst of RSVPs, and compares the ratios with its aims.
// Allocations are a test like any other.
package benchmark
