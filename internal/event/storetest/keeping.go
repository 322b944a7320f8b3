package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

func isReady(t *testing.T, s Store) {
	p := party{t: t, store: s}
	ctx, done := p.deadline()
	defer done()
	p.wantNil("Ready", s.Ready(ctx))
}

// awkward are texts that databases, encodings and trimming are known to change.
var awkward = []string{
	" \t\r\n ",
	"\x00",
	"before\x00after",
	`"quoted", \escaped\, <b>&amp;</b>, {"$": null}, EVENT#DETAILS`,
	"e\u0301 is not \u00e9",
	"\ufeff\u200b\u202e\u2028\ufffd\uffff\U0010ffff",
	"👩‍👩‍👧‍👦🏳️‍🌈",
}

func keepsEvents(t *testing.T, s Store) {
	keep := func(name string, change func(*event.Event)) {
		t.Run(name, func(t *testing.T) {
			e := sampleEvent()
			change(&e)
			p := hold(t, s, e)
			p.wantEvent(e)
			p.admit("Anna", "Ben")
			e.AttendeeCount = 2
			p.wantEvent(e)
		})
	}
	keep("every field", func(*event.Event) {})
	keep("no optional text", func(e *event.Event) { e.Description, e.Location = nil, nil })
	keep("empty optional text", func(e *event.Event) { e.Description, e.Location = new(""), new("") })
	keep("one of two optional texts", func(e *event.Event) { e.Description, e.Location = nil, new("") })
	for _, text := range awkward {
		keep(fmt.Sprintf("%+q", text), func(e *event.Event) {
			e.Title, e.Description, e.Location = text, &text, &text
		})
	}
	keep("the longest texts", func(e *event.Event) {
		e.Title = strings.Repeat("😀", 200)
		e.Description = new(strings.Repeat("😀", 2000))
		e.Location = new(strings.Repeat("😀", 500))
	})
	keep("the organizer's spelling of the date", func(e *event.Event) { e.DateTime = "2100-06-15t17:00:00.120-00:00" })
	keep("a long time zone", func(e *event.Event) { e.Timezone = "America/Argentina/ComodRivadavia" })
	keep("an end in the year 10000", func(e *event.Event) {
		e.DateTime = "9999-12-31T23:59:59-23:59"
		e.ExpiresAt = time.Date(10000, time.January, 8, 23, 58, 59, 0, time.UTC)
	})
	keep("an end within a second", func(e *event.Event) { e.ExpiresAt = expires.Add(900_000_001) })
	keep("an end before the beginning", func(e *event.Event) { e.ExpiresAt = over })
	keep("moments of another zone", func(e *event.Event) {
		zone := time.FixedZone("", -9*3600-1800)
		e.CreatedAt, e.ExpiresAt = e.CreatedAt.In(zone), e.ExpiresAt.In(zone)
	})

	for _, reason := range append([]string{"", strings.Repeat("😀", 2000)}, awkward...) {
		t.Run(fmt.Sprintf("reason %.20q", reason), func(t *testing.T) {
			p := newParty(t, s)
			p.admit("Anna")
			p.wantNil("CancelEvent", p.cancel(p.organizer, &reason, answered))
			p.event.Cancelled, p.event.CancellationReason, p.event.AttendeeCount = true, &reason, 1
			p.wantEvent(p.event)
		})
	}
}

func keepsNames(t *testing.T, s Store) {
	p := newParty(t, s)
	names := append([]string{strings.Repeat("😀", 100), "Anna", "Anna", " Anna "}, awkward...)
	p.admit(names...)
	p.wantGuests(names...)
}

// A token comes again if an answer is lost, or if its idempotency key is used again.
func keepsTakenToken(t *testing.T, s Store) {
	p := newParty(t, s)
	p.admit("Anna")
	p.wantUnchanged(func() {
		ctx, done := p.deadline()
		defer done()
		again := p.event
		again.CreatedAt, again.ExpiresAt = answered, over
		p.wantNil("AddEvent again", s.AddEvent(ctx, again, p.organizer))
		p.wantError("AddEvent by another organizer", s.AddEvent(ctx, p.event, randomHash()), event.ErrTokenTaken)
		other := p.event
		other.Title = "Another party"
		p.wantError("AddEvent with other content", s.AddEvent(ctx, other, p.organizer), event.ErrTokenTaken)
	})
}

// So does an RSVP, if an answer is lost; the guest counts once, and hears so.
func keepsOneRSVP(t *testing.T, s Store) {
	p := newParty(t, s)
	r := rsvp(0, "Anna")
	p.wantNil("AddRSVP", p.add(r))
	p.wantUnchanged(func() {
		p.wantNil("AddRSVP again", p.add(r))
		r.Name = "Hannah"
		p.wantError("AddRSVP under another name", p.add(r), event.ErrTokenTaken)
	})
	p.wantNil("RemoveRSVP", p.remove(r.Hash))
	p.wantGuests()
	p.wantNil("AddRSVP after RemoveRSVP", p.add(r))
	p.wantGuests("Hannah")
	p.wantNil("RemoveRSVP", p.remove(r.Hash))
	p.wantGuests()
}

// The tokens are neighbours, also across a carry, so that a range which reaches
// too far by one finds the next event.
func keepsEventsApart(t *testing.T, s Store) {
	random := event.NewToken()
	var parties []party
	for _, end := range []string{"\xfd\xff", "\xfe\x00", "\xfe\x01", "\xfe\xff", "\xff\x00", "\xff\xff"} {
		e := sampleEvent()
		e.Token = random
		copy(e.Token[len(e.Token)-2:], end)
		parties = append(parties, hold(t, s, e))
	}
	// Hashes at both ends of their range, the same ones in all events.
	var low, high event.Hash
	low[len(low)-1] = 1
	for i := range high {
		high[i] = 0xff
	}
	for i, p := range parties {
		for n, hash := range []event.Hash{high, low} {
			p.wantNil("AddRSVP", p.add(event.RSVP{
				Hash: hash, Name: fmt.Sprint("guest ", i, n), CreatedAt: answered.Add(time.Duration(n)),
			}))
		}
	}
	for i, p := range parties {
		p.wantGuests(fmt.Sprint("guest ", i, 0), fmt.Sprint("guest ", i, 1))
	}

	p := parties[2]
	p.wantNil("CancelEvent", p.cancel(p.organizer, nil, answered))
	p.wantNil("RemoveRSVP", p.remove(high))
	for i, p := range parties {
		if i == 2 {
			p.wantGuests(fmt.Sprint("guest ", i, 1))
			continue
		}
		p.event.AttendeeCount = 2
		p.wantEvent(p.event)
		p.wantGuests(fmt.Sprint("guest ", i, 0), fmt.Sprint("guest ", i, 1))
	}
}

// Moments that sort differently as texts, or by a clock on the wall, or if
// rounded; hashes that sort differently from moments.
func listsInOrder(t *testing.T, s Store) {
	east, west := time.FixedZone("", 14*3600), time.FixedZone("", -12*3600)
	second := answered.Truncate(time.Second)
	moments := []time.Time{
		second.Add(-1),
		second,
		second.Add(1).In(east),
		second.Add(2).In(west),
		second.Add(10),
		second.Add(100 * time.Millisecond),
		second.Add(100*time.Millisecond + 1).In(west),
		second.Add(time.Second - 1).In(east),
		second.Add(time.Second),
		second.Add(10 * time.Second),
		second.Add(12 * time.Hour),
		second.Add(24 * time.Hour).In(west),
	}
	hashes := make([]event.Hash, len(moments))
	for i := range hashes {
		hashes[i] = randomHash()
	}
	byHash := func(a, b event.Hash) int { return slices.Compare(a[:], b[:]) }
	for name, sort := range map[string]func(){
		"hashes rise": func() { slices.SortFunc(hashes, byHash) },
		"hashes fall": func() { slices.SortFunc(hashes, byHash); slices.Reverse(hashes) },
	} {
		t.Run(name, func(t *testing.T) {
			sort()
			p := newParty(t, s)
			var names []string
			for i, at := range moments {
				r := event.RSVP{Hash: hashes[i], Name: fmt.Sprint("guest ", i), CreatedAt: at}
				p.wantNil("AddRSVP", p.add(r))
				names = append(names, r.Name)
			}
			p.wantGuests(names...)

			p.wantNil("RemoveRSVP", p.remove(hashes[3]))
			p.wantGuests(slices.Delete(names, 3, 4)...)
		})
	}
}

func listsSameMoment(t *testing.T, s Store) {
	p := newParty(t, s)
	var names []string
	for i := range 20 {
		r := rsvp(0, fmt.Sprint("guest ", i))
		p.wantNil("AddRSVP", p.add(r))
		names = append(names, r.Name)
	}
	p.wantCrowd(names)
}

// A page of DynamoDB ends after a megabyte, which the names alone exceed here.
func listsMegabyte(t *testing.T, s Store) {
	p := newParty(t, s)
	names := make([]string, 2800)
	for i := range names {
		number := []rune(fmt.Sprintf("%04x", i))
		for j, digit := range number {
			number[j] = '😀' + digit
		}
		names[i] = strings.Repeat("😀", 100-len(number)) + string(number)
	}
	const workers = 32
	p.wantNil("AddRSVP", inParallel(workers, len(names), func(i int) error { return p.add(rsvp(i, names[i])) }))
	p.wantCrowd(names)
}
