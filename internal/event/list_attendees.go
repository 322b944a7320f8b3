package event

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// ListAttendees puts the RSVPs of an event on a page, as Store.ListAttendees does.
func (s *Service) ListAttendees(ctx context.Context, eventToken, organizerToken string, page *Page) error {
	token, ok := ParseToken(eventToken)
	if !ok {
		return ErrEventNotFound
	}
	return s.Store.ListAttendees(ctx, token, hashOf(organizerToken), page)
}

// A Position is the place of an RSVP in the list of an event's guests, ordered by
// RSVP.CreatedAt, then by RSVP.ID. The zero Position comes first.
type Position struct {
	CreatedAt time.Time
	ID        RSVPID
}

// Position returns the position of r.
func (r RSVP) Position() Position { return Position{r.CreatedAt, r.ID} }

// Compare returns a negative number if p comes before other, zero if they are equal, and a
// positive one otherwise.
func (p Position) Compare(other Position) int {
	return cmp.Or(p.CreatedAt.Compare(other.CreatedAt), bytes.Compare(p.ID[:], other.ID[:]))
}

// A Page is a part of an event's list. Stores add RSVPs in any order. The page keeps the first RSVPs after a position,
// as many as fit. So the memory of a list does not grow with its length. The zero Page is the whole list.
type Page struct {
	After Position
	Size  func(RSVP) int // the size of an RSVP, in the unit of Most
	Most  int            // 0 for no limit; a page has at least one RSVP

	mu    sync.Mutex
	rsvps []RSVP
	few   [16]RSVP // memory for a short list
	size  int
	more  bool     // whether some RSVPs do not fit
	last  Position // the position of the last RSVP that fits, if more is true
}

// Add takes an RSVP. Several goroutines may call it at once.
func (p *Page) Add(r RSVP) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := r.Position()
	if at.Compare(p.After) <= 0 || p.more && at.Compare(p.last) > 0 {
		return
	}
	if p.rsvps == nil {
		p.rsvps = p.few[:0]
	}
	p.rsvps = append(p.rsvps, r)
	if p.Most == 0 {
		return
	}
	// Twice the size is kept, so that sorting is rare.
	if p.size += p.Size(r); p.size > 2*p.Most {
		p.cut()
	}
}

// cut sorts the RSVPs, and drops RSVPs that do not fit.
func (p *Page) cut() {
	slices.SortFunc(p.rsvps, func(a, b RSVP) int { return a.Position().Compare(b.Position()) })
	if p.Most == 0 {
		return
	}
	p.size = 0
	for i, r := range p.rsvps {
		size := p.Size(r)
		if i > 0 && p.size+size > p.Most {
			clear(p.rsvps[i:])
			p.rsvps, p.more, p.last = p.rsvps[:i], true, p.rsvps[i-1].Position()
			return
		}
		p.size += size
	}
}

// RSVPs returns the RSVPs of the page in the order of positions, and reports whether more follow.
func (p *Page) RSVPs() (rsvps []RSVP, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut()
	return p.rsvps, p.more
}
