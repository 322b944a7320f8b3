package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// listener returns a visitor with a screen reader.
func listener(t *testing.T) *visitor {
	t.Helper()
	v := newVisitor(t, manner{})
	v.Prepare(fn("listen"))
	return v
}

// hears fails the test unless a screen reader has read exactly these texts since the last call. The texts are the
// element with the focus, with its description, and the announcements of live regions.
func hears(v *visitor, want ...string) {
	v.Helper()
	var got []string
	for end := time.Now().Add(patience); ; {
		v.Idle()
		got = append(got, on[[]string](v, "takeHeard")...)
		if len(got) >= len(want) || time.Now().After(end) {
			break
		}
	}
	same(v, "what is heard", got, want)
}

// deaf drops all texts so far.
func deaf(v *visitor) {
	v.Helper()
	v.Idle()
	on[[]string](v, "takeHeard")
}

// The organizer hears each outcome once, and hears of guests who sign up meanwhile. Neither moves the focus.
func TestOrganizerHearsWhatChanges(t *testing.T) {
	v := listener(t)
	filled(v)
	deaf(v)
	v.Click("Announce it")
	hears(v, "focus: Announce it", "focus: Rooftop supper", "says: ✓ Announced")
	event := announced(v)
	signUp(t, event, "Ada")
	comeBack(v)
	hears(v, "says: Ada is coming")
	signUp(t, event, "Ben")
	signUp(t, event, "Cleo")
	comeBack(v)
	hears(v, "says: Ben and Cleo are coming")
	for _, name := range guests[:4] {
		signUp(t, event, name)
	}
	comeBack(v)
	hears(v, "says: 7 are coming")

	v.Click("Cancel the event")
	hears(v, "focus: Cancel the event", "focus: Cancel this event for good?")
	v.Click("Keep it")
	hears(v, "focus: Keep it", "focus: Cancel the event") // old news is not repeated
	v.Click("Cancel the event")
	v.Sees("This can’t be undone.")
	deaf(v)
	v.Click("Cancel the event")
	hears(v, "focus: Cancel the event", "focus: Cancel the event",
		"focus: Tell your guests", "says: The event is cancelled.")
	is(v, `document.title`, "Cancelled: Rooftop supper · Turnout")
}

// A cancel without a response is reported once, however often it is repeated.
func TestOrganizerHearsOfACancelWithoutResponse(t *testing.T) {
	v := listener(t)
	v.Open(announce(t, supper(), "Ada").private())
	v.Click("Cancel the event")
	v.Sees("This can’t be undone.")
	deaf(v)
	restore := v.Disturb(http.MethodPatch, lost)
	v.Click("Cancel the event")
	const unsure = "No confirmation yet that the event is cancelled. We’ll keep trying while Turnout is open."
	hears(v, "focus: Cancel the event", "focus: Cancel the event", "says: "+unsure)
	v.Click("Try now")
	hears(v, "focus: Try now")
	restore()
	v.Click("Try now")
	hears(v, "focus: Tell your guests", "says: The event is cancelled.")
}

// A guest hears each outcome once, because the focus moves or because of an announcement.
func TestGuestHearsWhatChanges(t *testing.T) {
	v := listener(t)
	v.Open(announce(t, supper(), "Ben").public())
	v.Focus("Your name")
	deaf(v)
	v.Press(kb.Enter)
	hears(v, "says: Please enter your name.") // the field keeps the focus
	v.Click("Count me in")
	hears(v, "focus: Count me in", "focus: Your name, Please enter your name.")
	v.Press("Anna")
	deaf(v)
	v.Press(kb.Enter)
	hears(v, "focus: You’re in, Anna", "says: You’re number 2")
	v.Hold()
	v.Click("Can’t make it after all: Anna")
	hears(v, "focus: Can’t make it after all: Anna", "focus: Undo: Anna is coming",
		"says: Anna comes off the list in a few seconds. You can still undo this.")
	v.Click("Undo: Anna is coming")
	hears(v, "focus: Can’t make it after all: Anna", "says: Anna is coming.")
	v.Click("Bring someone")
	v.Write("Their name", tooLong("name", 2))
	deaf(v)
	v.Press(kb.Enter)
	hears(v, "says: 2 characters too many.")
}

// A guest who withdraws without a connection hears that the withdrawal waits, and hears the thanks once it was sent.
func TestGuestHearsOfAWithdrawalWithoutResponse(t *testing.T) {
	for _, stays := range []bool{true, false} { // whether the focus stays in a part of the page that changes
		v := listener(t)
		v.Prepare(fn("holdLong", 15_000))
		v.Open(announce(t, supper(), "Ben").public())
		come(v, "Anna")
		restore := v.Disturb(http.MethodDelete, lost)
		v.Click("Can’t make it after all: Anna")
		if !stays {
			v.Focus("Language")
		}
		deaf(v)
		on[struct{}](v, "pass", 20_000)
		const unsure = "says: Anna may still be on the list. We’ll keep trying while Turnout is open."
		if stays {
			hears(v, "focus: Sending…", unsure)
		} else {
			hears(v, unsure)
		}
		restore()
		if stays {
			v.Click("Try now")
			hears(v, "focus: Try now", "focus: Thanks for letting them know.")
			continue
		}
		on[struct{}](v, "pass", 60_000)
		hears(v, "says: Thanks for letting them know.")
	}
}

// Screen readers read the state of a cancelled or moved event with its title. This holds for the server's HTML and for
// the script, for guests and for organizers.
func TestStateIsHeardWithTheTitle(t *testing.T) {
	off := announce(t, supper(), "Ada")
	cancel(t, off, "Rain")
	for title, event := range map[string]created{"Cancelled": off, "Moved": movedEvent(t)} {
		for _, path := range []string{event.public(), event.private()} {
			v := listener(t)
			v.Open(path)
			v.Until("the title", fmt.Sprintf(`document.title === %q`, title+": Rooftop supper · Turnout"))
			eval[struct{}](v, `document.querySelector('h1').focus()`)
			same(v, "the heading", on[[]string](v, "takeHeard"), []string{"focus: Rooftop supper, " + title})
		}
		v := newVisitor(t, manner{})
		v.Block("/assets/app-*.js")
		do(v, chromedp.Navigate(base+event.public()))
		is(v, `document.title`, title+": Rooftop supper · Turnout")
		is(v, `document.getElementById(document.querySelector('h1').getAttribute('aria-describedby')).innerText`, title)
	}
}

// announced returns the event whose page is open after its announcement.
func announced(v *visitor) (event created) {
	v.Helper()
	event.EventToken = strings.TrimPrefix(eval[string](v, `location.pathname`), "/e/")
	return event
}

// When the first guest signs up, no control of the announced page moves or loses the focus. This holds on the page of a
// new event, and when the organizer comes back to invite.
func TestFirstGuestMovesNothing(t *testing.T) {
	for _, m := range []manner{{Width: 390, Height: 844}, {}} {
		for _, again := range []bool{false, true} {
			v := newVisitor(t, m)
			filled(v)
			v.Click("Announce it")
			v.Sees("Announced")
			if again {
				v.Open("/")
				v.Click("Rooftop supper")
				v.Sees("You’re organizing", "Copy the message")
			}
			v.Idle()
			event, places := announced(v), on[map[string]box](v, "controls")
			if len(places) < 11 {
				t.Errorf("the page has only these controls: %v", places)
			}
			for control := range places {
				on[struct{}](v, "focusControl", control)
				token := signUp(t, event, "Ada")
				comeBack(v)
				v.Sees("1 is coming")
				on[struct{}](v, "painted")
				is(v, fn("focusedControl"), control)
				after := on[map[string]box](v, "controls")
				for control, place := range places {
					same(v, control, after[control], place)
				}
				withdraw(t, event, token)
				comeBack(v)
				v.Sees("Nobody yet")
			}
		}
	}
}

// On a phone, a control in the thumb's reach is 44 px high. No focused control is completely below the bar, even at 400
// % (WCAG 2.2, criterion 2.4.11).
func TestControlsAreReached(t *testing.T) {
	text := strings.Repeat("Bring a towel and something for the grill. ", 6)
	party := announce(t, supper("description", text))
	v := newVisitor(t, screens[0], party.public())
	v.Offers("more")
	is(v, fn("isHit", ".rest", 40), true)
	is(v, `document.querySelector('.spot').offsetHeight >= 44`, true)

	v = newVisitor(t, manner{Width: 320, Height: 256}, party.public())
	v.Focus("Language")
	for range 12 {
		v.Press(kb.Tab)
		on[struct{}](v, "painted")
		if name := on[string](v, "focusedBelow", "#bar"); name != "" {
			t.Errorf("%q has the focus below the bar", name)
		}
	}
}

// The organizer hears once that the private link was copied, and how many names a search finds.
func TestOrganizerHearsWhatActsDo(t *testing.T) {
	v := listener(t)
	filled(v)
	v.Click("Announce it")
	v.Sees("Announced")
	deaf(v)
	on[struct{}](v, "noteCopy")
	v.Click("Copy private link")
	hears(v, "focus: Copy private link", "says: Copied",
		"says: Done. If this browser forgets the link, you still have it.")
	v.Open(announce(t, supper(), guests...).private())
	v.Focus("Find a name")
	deaf(v)
	v.Press("é")
	hears(v, "says: 7 of 20")
}
