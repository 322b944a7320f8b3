package browser

import (
	"slices"
	"testing"
	"time"
)

// lasting returns an event that began that long ago, and ends that long from now.
func lasting(began, ends time.Duration) fields {
	now := time.Now().In(berlin)
	return supper(
		"dateTime", now.Add(-began).Format(time.RFC3339), "endDateTime", now.Add(ends).Format(time.RFC3339),
	)
}

// endOf returns the end of the event that has just been announced.
func endOf(v *visitor) string {
	v.Helper()
	return on[struct{ EndDateTime string }](v, "readEvent", announced(v).EventToken).EndDateTime
}

// An organizer adds an end, takes it away and adds it again. An end before the time of the start is on the next day. It
// moves with the start, and goes along with drafts, moves and events that are announced again.
func TestEndOfAnEvent(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	fill(v)
	v.Click("Add an end")
	v.Holds("End date", "2099-12-12")
	v.Pick("End time", "01:00")
	v.Holds("End date", "2099-12-13")
	v.Sees("Sunday, 13 December 2099")
	v.Pick("Date", "2099-12-18")
	v.Holds("End date", "2099-12-19")
	v.Click("Remove the end")
	v.SeesNot("End time", "19 December")
	v.Click("Add an end")
	v.Reload()
	v.Holds("End time", "01:00")
	v.Pick("End date", "2099-12-01")
	v.Click("Announce it")
	v.FocusOn("#days")
	v.Pick("End date", "2099-12-20")
	v.Click("Announce it")
	v.Sees("Announced", "Friday, 18 December 2099 at 19:30\u00a0– Sunday, 20 December 2099 at 1:00")
	same(v, "the end", endOf(v), "2099-12-20T01:00:00+01:00")

	v.Click("Move it to another date or place")
	v.Click("+1 week")
	v.Holds("End date", "2099-12-27")
	v.Pick("End date", "2099-12-26")
	v.Click("Announce the change")
	v.Sees("Rooftop supper has a new date: Friday, 25 December 2099, 19:30–1:00")
	again := "/?again=" + announced(v).EventToken
	v.Open("/")
	v.Sees("Friday, 25 December 2099, 19:30–1:00")
	_, list := v.Download("Export the list")
	says(t, string(list), `"endDateTime": "2099-12-26T01:00:00+01:00"`)
	v.Open(again)
	v.FocusOn("#date")
	v.Pick("Date", "2099-12-31")
	v.Holds("End date", "2100-01-01")
	v.Click("Remove the end")
	v.Click("Announce it")
	v.Sees("Announced", "Thursday, 31 December 2099 at 19:30")
	same(v, "no end", endOf(v), "")
}

// An event is over when it has ended. Until then guests sign up and add it to their calendars, and its organizer checks
// in. Home keeps it among the coming events, also on a device that knows only an exported list.
func TestEventIsOverAtItsEnd(t *testing.T) {
	running := announce(t, lasting(30*time.Hour, time.Hour), "Ada")
	ended := announce(t, lasting(3*time.Hour, -time.Minute), "Ada")
	v := newVisitor(t, manner{}, running.public())
	v.Sees("Happening now", "Are you coming?", "Add to calendar")
	v.SeesNot("yesterday", "days ago") // it goes on
	come(v, "Anna")
	v.Sees("Add to calendar")
	v.Open(running.private())
	v.Offers("Check in")
	v.Open("/")
	v.Sees("Happening now")
	_, list := v.Download("Export the list")
	other := newVisitor(t, manner{}, "/")
	other.Unreachable(true)
	load(other, string(list))
	other.Sees("Rooftop supper")
	is(other, fn("isThere", "#past"), false)
	v.Open(ended.public())
	v.Sees("It’s over", "Were you there? Add your name")
	v.SeesNot("Add to calendar")
	v.Open(ended.private())
	is(v, fn("texts", "#first a"), []string{"Announce it again"})
	v.Offers("Check in")
}

// A move that only adds an end is a new date.
func TestEndIsAChangeOfDate(t *testing.T) {
	old, to := announce(t, supper()), announce(t, party())
	move(t, old, to, "")
	v := newVisitor(t, manner{}, old.private())
	v.Sees("Rooftop supper has a new date: Saturday, 12 December 2099, 19:30–1:00")
	v.Open(old.public())
	v.Sees("19:30–1:00", "Before:", "Saturday, 12 December 2099 at 19:30")
}

// The entries of calendar services have the event's end, or else end after two hours.
func TestEndInCalendars(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	type address struct{ Texts []string }
	for end, want := range map[string][]string{
		"2099-12-14T12:00:00+01:00": {"20991212T183000Z/20991214T110000Z", "2099-12-14T11:00:00Z"},
		"2099-12-12T19:30:00+01:00": {"20991212T183000Z/20991212T203000Z", "2099-12-12T20:30:00Z"},
	} {
		for i, got := range on[[]address](v, "addressesToAdd", supper("endDateTime", end)) {
			if !slices.Contains(got.Texts, want[i]) {
				t.Errorf("an event until %s: %q lacks %s", end, got.Texts, want[i])
			}
		}
	}
}
