//go:build race

package benchmark

const raceDetector = true
