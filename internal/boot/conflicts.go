package boot

import (
	"context"
	"log/slog"
	"time"

	"turnout/internal/request"
)

// embedded is the metadata of CloudWatch's embedded metric format: it names the
// members of a log line that are metrics and dimensions.
type embedded struct {
	Timestamp         int64
	CloudWatchMetrics [1]struct {
		Namespace  string
		Dimensions [1][1]string
		Metrics    [2]struct{ Name, Unit string }
	}
}

// countConflicts logs the metrics of a write that met conflicts. Their dimension is the table,
// whose name is unique per stack.
func countConflicts(log *slog.Logger, table string) func(ctx context.Context, conflicts int, gaveUp bool) {
	return func(ctx context.Context, conflicts int, gaveUp bool) {
		metadata := embedded{Timestamp: time.Now().UnixMilli()}
		metrics := &metadata.CloudWatchMetrics[0]
		metrics.Namespace = "Turnout"
		metrics.Dimensions[0][0] = "TableName"
		metrics.Metrics[0].Name, metrics.Metrics[0].Unit = "ConflictRetries", "Count"
		metrics.Metrics[1].Name, metrics.Metrics[1].Unit = "ConflictsExhausted", "Count"
		exhausted := 0
		if gaveUp {
			exhausted = 1
		}
		log.LogAttrs(ctx, slog.LevelInfo, "conflicts",
			slog.String("requestId", request.ID(ctx)),
			slog.String("TableName", table),
			slog.Int("ConflictRetries", conflicts),
			slog.Int("ConflictsExhausted", exhausted),
			slog.Any("_aws", metadata))
	}
}
