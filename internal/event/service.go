package event

import (
	"errors"
	"time"
)

// Service carries out the operations of the API. Tokens are arguments as the
// client sent them. Besides the errors each method names, every one may return
// ErrUnavailable.
type Service struct {
	Store    Store
	Now      func() time.Time
	NewToken func() Token
}

// NewService returns a Service with the system's clock and random tokens.
func NewService(store Store) *Service {
	return &Service{Store: store, Now: time.Now, NewToken: NewToken}
}

// reused returns ErrIdempotencyKeyReused if err is ErrTokenTaken and the token was
// derived from a key. A random token is known to its own call alone: if that finds it
// taken, an attempt whose response was lost has stored the item, and an operator has
// removed it since. The call has succeeded.
func reused(key Key, err error) error {
	switch {
	case !errors.Is(err, ErrTokenTaken):
		return err
	case key.given():
		return ErrIdempotencyKeyReused
	}
	return nil
}
