package boot

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"
)

// TestGivingUpIsCounted: once per write, however many conflicts it met.
func TestGivingUpIsCounted(t *testing.T) {
	for gaveUp, want := range map[bool]int{true: 1, false: 0} {
		var log bytes.Buffer
		countConflicts(slog.New(slog.NewJSONHandler(&log, nil)), "table")(t.Context(), 3, gaveUp)
		var line struct{ ConflictRetries, ConflictsExhausted int }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil || line.ConflictRetries != 3 || line.ConflictsExhausted != want {
			t.Errorf("gave up: %t, log %s, %v", gaveUp, &log, err)
		}
	}
}
