package boot

import (
	"context"
	"log/slog"
	"time"

	"turnout/internal/request"
)

// countConflicts logs a line with metrics for each write that met conflicts, in CloudWatch's embedded
// metric format. Their dimension is the table, whose name is unique per stack.
func countConflicts(log *slog.Logger, table string) func(ctx context.Context, conflicts int, gaveUp bool) {
	metrics := []map[string]any{{
		"Namespace":  "Turnout",
		"Dimensions": [][]string{{"TableName"}},
		"Metrics": []map[string]string{
			{"Name": "ConflictRetries", "Unit": "Count"},
			{"Name": "ConflictsExhausted", "Unit": "Count"},
		},
	}}
	return func(ctx context.Context, conflicts int, gaveUp bool) {
		exhausted := 0
		if gaveUp {
			exhausted = 1
		}
		log.LogAttrs(ctx, slog.LevelInfo, "conflicts",
			slog.String("requestId", request.ID(ctx)),
			slog.String("TableName", table),
			slog.Int("ConflictRetries", conflicts),
			slog.Int("ConflictsExhausted", exhausted),
			slog.Any("_aws", map[string]any{"Timestamp": time.Now().UnixMilli(), "CloudWatchMetrics": metrics}))
	}
}
