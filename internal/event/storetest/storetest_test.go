package storetest

import "testing"

func TestMemory(t *testing.T) {
	Run(t, func(*testing.T) Store { return new(Memory) })
}
