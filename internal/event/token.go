package event

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"

	"github.com/google/uuid"
)

// A Token is an unguessable UUID that grants access: an event token, an
// organizer token or an RSVP token.
type Token uuid.UUID

// NewToken returns a random token (UUID version 4).
func NewToken() Token { return Token(uuid.New()) }

// ParseToken reads the 36-character form of a UUID, in either case.
func ParseToken(s string) (Token, bool) {
	if len(s) != len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") {
		return Token{}, false // uuid.Parse would take other forms too
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return Token{}, false
	}
	return Token(id), true
}

// String returns the 36-character form in lower case.
func (t Token) String() string { return uuid.UUID(t).String() }

// MarshalText returns String, for JSON.
func (t Token) MarshalText() ([]byte, error) { return uuid.UUID(t).MarshalText() }

// UnmarshalText accepts what ParseToken does.
func (t *Token) UnmarshalText(text []byte) error {
	parsed, ok := ParseToken(string(text))
	if !ok {
		return errors.New("not a token")
	}
	*t = parsed
	return nil
}

// Hash returns the form in which a secret token is stored.
func (t Token) Hash() Hash { return sha256.Sum256(t[:]) }

// A Hash is the SHA-256 hash of a secret token. The zero Hash matches no token.
type Hash [sha256.Size]byte

// Equal compares in constant time.
func (h Hash) Equal(other Hash) bool {
	return subtle.ConstantTimeCompare(h[:], other[:]) == 1
}

// An RSVPID identifies an RSVP in a store: half of the SHA-256 hash of its token, as long as the
// token. The zero RSVPID matches no token.
type RSVPID [16]byte

// RSVPID returns the form in which an RSVP token is stored.
func (t Token) RSVPID() RSVPID {
	h := t.Hash()
	return RSVPID(h[:len(RSVPID{})])
}

// hashOf returns the hash of the token s, or the zero Hash if s is not a token.
func hashOf(s string) Hash {
	if t, ok := ParseToken(s); ok {
		return t.Hash()
	}
	return Hash{}
}
