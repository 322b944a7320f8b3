// Package event is the domain of Turnout: events, RSVPs, the tokens that grant
// access to them, and the rules that they follow. It imports neither HTTP nor a
// database: the transport calls Service, and Service calls a Store.
package event

import "time"

// acceptance is how long after its date an event takes RSVPs.
const acceptance = 7 * 24 * time.Hour

// An Event as its readers see it. Pointers are nil where the organizer has set nothing.
type Event struct {
	Token              Token
	Title              string
	Description        *string
	DateTime           string // RFC 3339, with the organizer's offset
	Timezone           string // IANA name
	Location           *string
	Cancelled          bool
	CancellationReason *string
	AttendeeCount      int
	CreatedAt          time.Time
	ExpiresAt          time.Time // the last moment that takes RSVPs; in no response
}

// Admits reports why the event takes no RSVP at the moment now: ErrEventCancelled,
// also where it has expired too, or ErrEventExpired. Nil means that it takes them.
func (e Event) Admits(now time.Time) error {
	switch {
	case e.Cancelled:
		return ErrEventCancelled
	case now.After(e.ExpiresAt):
		return ErrEventExpired
	}
	return nil
}

// SameContent reports whether other has the content that the organizer gave e:
// title, description, dateTime, timezone and location.
func (e Event) SameContent(other Event) bool {
	return e.Title == other.Title &&
		equalText(e.Description, other.Description) &&
		e.DateTime == other.DateTime &&
		e.Timezone == other.Timezone &&
		equalText(e.Location, other.Location)
}

func equalText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// An RSVP is one attendance, identified by the hash of its token.
type RSVP struct {
	Hash      Hash
	Name      string
	CreatedAt time.Time
}

// expiry is the last moment at which an event of that date takes RSVPs.
//
// DynamoDB's TTL never removes an item whose expiry lies more than five years
// back. An event whose expiry lies more than four years back is stored with one
// just before its creation, which no request can distinguish.
func expiry(date, now time.Time) time.Time {
	at := date.Add(acceptance)
	if at.Before(now.AddDate(-4, 0, 0)) {
		at = now.Add(-time.Nanosecond)
	}
	return at.UTC()
}
