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
// derived from a key. A random token that is taken is a defect.
func reused(key Key, err error) error {
	if key.given() && errors.Is(err, ErrTokenTaken) {
		return ErrIdempotencyKeyReused
	}
	return err
}
