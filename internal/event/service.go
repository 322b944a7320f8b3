package event

import (
	"errors"
	"time"
)

// Service executes the operations of the API. Tokens are passed as the client sent them.
// Besides its documented errors, each method may return ErrUnavailable.
type Service struct {
	Store Store
	Now   func() time.Time
}

// NewService returns a Service with the system's clock.
func NewService(store Store) *Service { return &Service{store, time.Now} }

// reused returns ErrIdempotencyKeyReused if err is ErrTokenTaken and the token was derived
// from a key. A random token is known only to the call that drew it. If a random token is taken, an
// earlier attempt of the same call has stored the item, its response was lost, and an operator has
// erased the item since. So the call has succeeded.
func reused(key Key, err error) error {
	switch {
	case !errors.Is(err, ErrTokenTaken):
		return err
	case key.given():
		return ErrIdempotencyKeyReused
	}
	return nil
}
