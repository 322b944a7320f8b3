package boot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"turnout/internal/request"
)

// TestConflictsAreCounted: in CloudWatch's embedded metric format, as the alarm of
// template.yaml has it, with the id of the request. Giving up counts once per write,
// however many conflicts it met.
func TestConflictsAreCounted(t *testing.T) {
	for gaveUp, want := range map[bool]int{true: 1, false: 0} {
		var log bytes.Buffer
		begin := time.Now()
		countConflicts(slog.New(slog.NewJSONHandler(&log, nil)), "a-table")(request.WithID(t.Context(), "an-id"), 3, gaveUp)
		var line struct {
			RequestID, TableName                string
			ConflictRetries, ConflictsExhausted int
			AWS                                 struct {
				Timestamp         int64
				CloudWatchMetrics []struct {
					Namespace  string
					Dimensions [][]string
					Metrics    []struct{ Name, Unit string }
				}
			} `json:"_aws"`
		}
		err := json.Unmarshal(log.Bytes(), &line)
		described, at := fmt.Sprint(line.AWS.CloudWatchMetrics), line.AWS.Timestamp
		if err != nil || line.RequestID != "an-id" || line.TableName != "a-table" ||
			line.ConflictRetries != 3 || line.ConflictsExhausted != want ||
			at < begin.UnixMilli() || at > time.Now().UnixMilli() ||
			described != "[{Turnout [[TableName]] [{ConflictRetries Count} {ConflictsExhausted Count}]}]" {
			t.Errorf("gave up: %t, log %s, %v", gaveUp, &log, err)
		}
	}
}
