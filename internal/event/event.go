// Package event is the domain of Turnout: events, RSVPs, the tokens that grant access to them,
// and the rules that they follow. It knows neither HTTP nor a database: the transport calls
// Service, and Service calls a Store.
package event

import "time"

// RSVPWindow is how long after its date an event accepts RSVPs, and the longest time that it may last.
const RSVPWindow = 7 * 24 * time.Hour

// An Event is what visitors see of an event, in the JSON of the API and of the event page. A nil pointer
// is a field that the organizer has not set.
type Event struct {
	Token              Token   `json:"eventToken"`
	Title              string  `json:"title"`
	Description        *string `json:"description,omitempty"`
	DateTime           string  `json:"dateTime"`              // RFC 3339, with the organizer's offset
	EndDateTime        *string `json:"endDateTime,omitempty"` // the same; see IsEnd
	Timezone           string  `json:"timezone"`              // IANA name
	Location           *string `json:"location,omitempty"`
	Host               *string `json:"host,omitempty"`     // the name of the host
	Language           *string `json:"language,omitempty"` // the BCP 47 tag of these texts' language
	AttendeeCount      int     `json:"attendeeCount"`
	Cancelled          bool    `json:"cancelled"`
	CancellationReason *string `json:"cancellationReason"`
	MovedTo            *Token  `json:"movedTo,omitempty"` // the event that takes the place of this one

	CreatedAt time.Time `json:"-"`
	ExpiresAt time.Time `json:"-"` // the last instant at which RSVPs are accepted
}

// AcceptsRSVP reports why the event refuses an RSVP at the time now: ErrEventCancelled,
// even if it has expired as well, or ErrEventExpired. Nil means that RSVPs are accepted.
func (e Event) AcceptsRSVP(now time.Time) error {
	switch {
	case e.Cancelled:
		return ErrEventCancelled
	case now.After(e.ExpiresAt):
		return ErrEventExpired
	}
	return nil
}

// A content is a text that the organizer gives an event. It has a field of Event: required, or optional.
type content struct {
	name     string // of the API's member
	required func(*Event) *string
	optional func(*Event) **string
	check    check
}

// contents has every content, in the order in which the API documents them.
var contents = []content{
	{name: "title", required: func(e *Event) *string { return &e.Title }, check: visible(maxTitle)},
	{name: "description", optional: func(e *Event) **string { return &e.Description }, check: atMost(maxDescription)},
	{name: "dateTime", required: func(e *Event) *string { return &e.DateTime }, check: start},
	{name: "endDateTime", optional: func(e *Event) **string { return &e.EndDateTime }, check: end},
	{name: "timezone", required: func(e *Event) *string { return &e.Timezone }, check: timezone},
	{name: "location", optional: func(e *Event) **string { return &e.Location }, check: atMost(maxLocation)},
	{name: "host", optional: func(e *Event) **string { return &e.Host }, check: visible(maxName)},
	{name: "language", optional: func(e *Event) **string { return &e.Language }, check: language},
}

// of returns the content of an event, or nil if it is not set.
func (c content) of(e *Event) *string {
	if c.required != nil {
		return c.required(e)
	}
	return *c.optional(e)
}

// SameContent reports whether other has the content that the organizer gave e.
func (e Event) SameContent(other Event) bool {
	for _, c := range contents {
		if !equal(c.of(&e), c.of(&other)) {
			return false
		}
	}
	return true
}

func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// An RSVP is one attendance.
type RSVP struct {
	ID        RSVPID
	Name      string
	CreatedAt time.Time
}

// expiry returns the last instant at which an event on that date accepts RSVPs. It is at most the end of
// the year 9999, the last instant that RFC 3339 can write.
func expiry(date time.Time) time.Time {
	at := date.Add(RSVPWindow)
	if at.After(lastExpiry) {
		at = lastExpiry
	}
	return at.UTC()
}

var lastExpiry = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
