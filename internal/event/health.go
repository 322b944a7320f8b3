package event

import "context"

// Ready returns nil once the store answers.
func (s *Service) Ready(ctx context.Context) error { return s.Store.Ready(ctx) }
