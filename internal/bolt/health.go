package bolt

import (
	"context"

	"go.etcd.io/bbolt"
)

// Health implements event.Store. After a commit has not reached the disk, the store is not
// ready until another commit does. Health tries a commit that is larger than a usual write.
func (s *Store) Health(ctx context.Context) error {
	if s.failing.Load() {
		const room = 64 << 10 // the number of bytes that Health writes
		err := s.write(ctx, func(c *change) error {
			c.put(stateBucket, probeKey, make([]byte, room))
			return c.err
		})
		if err != nil {
			return err
		}
		return s.write(ctx, func(c *change) error {
			c.delete(stateBucket, probeKey)
			return c.err
		})
	}
	return s.read(ctx, func(*bbolt.Tx) error { return nil })
}
