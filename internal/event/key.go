package event

import (
	"crypto/sha256"
	"slices"

	"github.com/google/uuid"
)

// A Key is the Idempotency-Key of a request, so that a request which arrives twice is executed once. The tokens that a
// request issues are derived from its key. A repeated request gets the same tokens, and finds the event or RSVP stored
// under them. The zero Key stands for a request without a key, whose tokens are random.
type Key struct {
	id      uuid.UUID // uuid.Nil stands for no key
	invalid bool      // whether the client has sent an invalid key
}

// ParseKey reads the values of the header Idempotency-Key. At most one is allowed: a
// UUID of version 4 in the 36-character form, in either case, bare or quoted (a string
// of RFC 8941). The tokens are only as hard to guess as the key, and the public event
// token confirms a right guess, so versions with less randomness are refused. An
// invalid key makes the operation fail with a ValidationError.
func ParseKey(values []string) Key {
	if len(values) == 0 {
		return Key{}
	}
	text := values[0]
	if end := len(text) - 1; end > 0 && text[0] == '"' && text[end] == '"' {
		text = text[1:end]
	}
	token, ok := ParseToken(text)
	id := uuid.UUID(token)
	if len(values) > 1 || !ok || id.Variant() != uuid.RFC4122 || id.Version() != 4 {
		return Key{invalid: true}
	}
	return Key{id: id}
}

// given reports whether the client has sent a key.
func (k Key) given() bool { return k.id != uuid.Nil }

// The purposes of derived tokens. They are hashed: changing one changes the tokens of a key.
const (
	eventPurpose     = "turnout event token"
	organizerPurpose = "turnout organizer token"
	rsvpPurpose      = "turnout RSVP token"
	cancelPurpose    = "turnout cancel key"
)

// token derives a token: a UUID of version 8 (RFC 9562, section 5.8) made of the SHA-256 hash
// of purpose, scope and key. No purpose is a prefix of another, and all scopes of a purpose have the
// same length.
func (k Key) token(purpose string, scope ...byte) Token {
	hash := k.hash(purpose, scope...)
	t := Token(hash[:len(Token{})])
	t[6] = t[6]&0x0f | 0x80
	t[8] = t[8]&0x3f | 0x80
	return t
}

// hash is the SHA-256 hash of purpose, scope and key.
func (k Key) hash(purpose string, scope ...byte) Hash {
	return sha256.Sum256(slices.Concat([]byte(purpose), scope, k.id[:]))
}
