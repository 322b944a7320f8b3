package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
)

// guests are names in several alphabets.
var guests = []string{
	"Ada", "Béla", "Çağla", "Dieter von der Weide", "Émile", "Fatima", "Göran", "Hồ Thị Kim", "محمد علي", "Ivo",
	"Jürgen", "Kofi", "Łukasz", "Maya", "Noor", "Olu", "Paul & Paula", "Renée", "Søren", "Tove",
}

// longestName is the widest name that a guest may have.
var longestName = strings.Repeat("W", apitest.TextsOf("CreateRSVPInput")["name"].Most)

// longPlace and longReason are 20 characters too long.
var (
	longPlace  = strings.Repeat("x", apitest.TextsOf("CreateEventInput")["location"].Most+20)
	longReason = strings.Repeat("x", apitest.TextsOf("CancelEventInput")["cancellationReason"].Most+20)
)

// stacked is a name of the greatest length that consists almost entirely of combining marks.
var stacked = "Z" + strings.Repeat("\u0301\u0335\u0489\u0324", 24) + "alg"

const (
	markup  = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`
	turning = "\u202e\u2067evil"
)

// hostile returns an event whose texts contain markup, bidi controls and long words.
func hostile() fields {
	return fields{
		"title":    `<b onclick=x>Title</b> ` + turning + " " + strings.Repeat("W", 60),
		"dateTime": "2099-12-12T19:30:00+01:00",
		"timezone": "Europe/Berlin",
		"location": turning + strings.Repeat("x", 300),
		"description": strings.Join([]string{
			markup, turning, stacked,
			"https://example.org/" + strings.Repeat("a", 300),
			"javascript:alert(1) data:text/html,x",
		}, "\n"),
	}
}

func longTitle() fields {
	const title = "The very long but not at all uninteresting annual general meeting of the society for the " +
		"appreciation of unusually long titles, with cake and an excursion to the lake, weather permitting"
	return supper("dateTime", "2099-12-31T23:45:00+09:00", "timezone", "Asia/Tokyo", "title", title)
}

// party returns an event that ends in the night, and weekend an event that ends on another day.
func party() fields { return supper("endDateTime", "2099-12-13T01:00:00+01:00") }
func weekend() fields {
	return supper("endDateTime", "2099-12-14T12:00:00+01:00")
}

func past() fields {
	return supper("title", "Garden party", "dateTime", "2024-06-12T15:00:00+02:00")
}

// A step is an act of a visitor, or a wait for its effect.
type step = func(v *visitor)

// firstGuests returns a step that signs guests up for the event that has just been announced.
func firstGuests(names ...string) step {
	return func(v *visitor) {
		v.Sees("Nobody yet")
		event := announced(v)
		for _, name := range names {
			signUp(v.T, event, name)
		}
		comeBack(v)
		v.Sees(turnout(len(names)))
	}
}

// turnout returns the page's text for a number of guests.
func turnout(n int) string {
	return map[bool]string{true: "1 is coming", false: fmt.Sprint(n, " are coming")}[n == 1]
}

func untilThere(selector string) step {
	return func(v *visitor) { v.Until(selector, fn("isThere", selector)) }
}

func open(path string) step         { return func(v *visitor) { v.Open(path) } }
func click(name string) step        { return func(v *visitor) { v.Click(name) } }
func sees(text string) step         { return func(v *visitor) { v.Sees(text) } }
func write(label, text string) step { return func(v *visitor) { v.Write(label, text) } }
func comes(name string) step        { return func(v *visitor) { come(v, name) } }
func submits(name string) step      { return func(v *visitor) { submit(v, name) } }
func couples(v *visitor) {
	v.Write("Your name", "Anna & Ben")
	v.Click("Count us both in")
}
func prints(name string) step { return func(v *visitor) { papers(v, name) } }
func holds(v *visitor)        { v.Hold() }

func follows(path string) step { return func(v *visitor) { follow(v, path) } }

func disturbed(method string, kind disturbance) step {
	return func(v *visitor) { v.Disturb(method, kind) }
}

// asOf returns a step that opens a saved event's page without a connection.
func asOf(path func(v *visitor) string) step {
	return func(v *visitor) {
		to := path(v)
		v.Open("/no/such/page")
		unseen(v, fn("timesLoaded", site.Names()[site.EventStyle]))
		v.Unreachable(true)
		follow(v, to)
		v.Sees("As of")
	}
}

// guest and organizer return steps that open the pages of a new event.
func guest(event fields, coming ...string) step {
	return func(v *visitor) { v.Open(announce(v.T, event, coming...).public()) }
}

func guestAt(fragment string) step {
	return func(v *visitor) { v.Open(announce(v.T, supper(), guests...).public() + fragment) }
}

func organizer(event fields, coming ...string) step {
	return func(v *visitor) { v.Open(announce(v.T, event, coming...).private()) }
}

// movesTo returns a step that opens the page of an event that has moved to a new event.
func movesTo(event fields) step { return func(v *visitor) { moved(v.sitePage, event) } }

// among and hosting open the two pages of an event with twenty guests.
var among, hosting = guest(supper(), guests...), organizer(supper(), guests...)

func filled(v *visitor) { v.Open("/"); fill(v) }

// fullStorage fills storage for all tabs.
func fullStorage(v *visitor) {
	v.Helper()
	on[struct{}](v, "fillStorage")
}

// atNight returns a step that fills in a form with the time half past two at night.
func atNight(date string) step {
	return func(v *visitor) {
		v.Open("/?new")
		v.Write("What are you planning?", "Night walk")
		v.Pick("Date", date)
		v.Pick("Time", "02:30")
	}
}

// A state is a page in one of its states, with the steps that lead there.
type state struct {
	name string
	steps
}

type steps []step

func (s steps) reach(v *visitor) {
	for _, step := range s {
		step(v)
	}
}

var states = []state{
	{"announce", steps{open("/")}},
	{"announce-errors", steps{
		open("/"), write("What are you planning?", ""), write("Place", longPlace),
		click("Announce it"), sees("20 characters too many."),
	}},
	{"announce-gap", steps{atNight("2099-03-29"), sees("2:30 doesn’t exist")}},
	{"announce-twice", steps{atNight("2099-10-25"), sees("2:30 happens twice")}},
	{"announce-typed", steps{filled, untilThere(".sketch")}},
	{"announce-end", steps{filled, click("Add an end"), func(v *visitor) { v.Pick("End time", "01:00") }, sees("13 December")}},
	{"announce-end-errors", steps{
		filled, click("Add an end"), func(v *visitor) { v.Pick("End date", "2099-12-01") },
		func(v *visitor) { v.Pick("End time", "01:00") }, click("Announce it"), sees("within seven days"),
	}},
	{"announce-waiting", steps{
		filled, disturbed(http.MethodPost, lost), click("Announce it"), sees("We don’t know yet"),
	}},
	{"announce-replace", steps{
		open("/"), write("What are you planning?", "Brunch"),
		func(v *visitor) { v.Open("/?again=" + announce(v.T, longTitle()).EventToken) },
		sees("Replace what you’ve written?"),
	}},
	{"announced", steps{filled, click("Announce it"), sees("Announced")}},
	{"announced-guests", steps{
		filled, click("Announce it"), sees("Announced"),
		firstGuests("Ada", "Ben", longestName, turning, stacked),
	}},
	{"mine", steps{mine, open("/"), sees("You’re organizing")}},
	{"mine-today", steps{
		organizer(days(0), guests...), guest(days(0), "Ben"), comes("Anna"),
		follows("/"), sees("Directions"), sees("Happening now"),
	}},
	{"mine-unsent", steps{mine, func(v *visitor) {
		event := v.Path()
		v.Open("/")
		follow(v, event)
		v.Offers("Can’t make it after all: Anna")
		v.Unreachable(true)
		bring(v.sitePage, "Otto")
		v.Sees("Still sending")
	}, click("Can’t make it after all: Anna"),
		follows("/"), sees("No confirmation yet: Otto"), sees("May still be on the list: Anna"),
	}},
	{"mine-refused", steps{refused, follows("/"), sees("Anna isn’t signed up.")}},
	{"mine-menu", steps{mine, open("/"), click("More for Rooftop supper"), sees("Announce again")}},
	{"mine-remove", steps{
		mine, open("/"), func(v *visitor) { askToRemove(v, "Rooftop supper") }, sees("This doesn’t cancel it."),
	}},
	{"mine-import-refused", steps{
		open("/"), func(v *visitor) { load(v, `{"events": [{"eventToken": "no token"}], "rsvps": []}`) },
		sees("This file isn’t a Turnout list."),
	}},
	{"mine-as-of", steps{mine, asOf(func(*visitor) string { return "/" })}},
	{"event-as-of", steps{mine, asOf(func(v *visitor) string { return eval[string](v, `location.pathname`) })}},
	{"organize-as-of", steps{mine, asOf(func(v *visitor) string {
		return "/e/" + on[[]string](v, "savedEvents")[0] + "#organize"
	})}},
	{"event", steps{among}},
	{"event-nobody", steps{guest(supper())}},
	{"event-end", steps{guest(party(), guests...)}},
	{"event-weekend", steps{guest(weekend(), guests...)}},
	{"event-yesterday", steps{guest(days(-1), guests[:3]...)}},
	{"event-failed", steps{func(v *visitor) {
		openWithoutScript(v.sitePage, connect(v.T), announce(v.T, supper(), guests...).public())
	}}},
	{"event-calendar", steps{among, click("Other calendars"), sees("Outlook")}},
	{"event-couple", steps{among, write("Your name", "Anna & Ben"), sees("Count us both in")}},
	{"event-both", steps{guest(supper(), guests[:12]...), couples, sees("You’re both in")}},
	{"event-late", steps{guest(days(-1), guests[:3]...), click("Were you there? Add your name"), sees("I was there")}},
	{"event-coming", steps{among, comes("Anna"), comes("Otto"), click("My own link")}},
	{"event-moment", steps{guest(supper(), guests[:19]...), submits("Lena"), sees("You’re number 20")}},
	{"event-error", steps{among, click("Count me in"), sees("Please enter your name.")}},
	{"event-same-name", steps{
		among, comes("Anna"), func(v *visitor) { bring(v.sitePage, "anna ") }, sees("is already on the list"),
	}},
	{"event-withdraw", steps{among, comes("Anna"), holds, click("Can’t make it after all: Anna"), sees("Undo")}},
	{"event-withdraw-lost", steps{among, comes("Anna"), func(v *visitor) {
		v.Disturb(http.MethodDelete, lost)
		v.Click("Can’t make it after all: Anna")
		v.Reload()
	}, sees("Anna may still be on the list.")}},
	{"event-refused", steps{refused, sees("Anna isn’t signed up.")}},
	{"event-offline", steps{
		among, func(v *visitor) { v.Offline(true) }, submits("Anna"),
		sees("Anna will be signed up"), sees("you can keep typing."),
	}},
	{"event-long-title", steps{guest(longTitle(), guests...)}},
	{"event-hostile", steps{guest(hostile(), stacked)}},
	{"event-cancelled", steps{func(v *visitor) {
		event := announce(v.T, supper(), guests[:8]...)
		v.Open(event.public())
		come(v, "Anna")
		cancel(v.T, event, "The roof is wet through.\nWe try again in spring.")
		v.Open(event.public())
	}, sees("Cancelled")}},
	{"event-over", steps{guest(past()), sees("This event is over")}},
	{"event-missing", steps{open("/e/00000000-0000-4000-8000-000000000000"), sees("No event here")}},
	{"event-unreachable", steps{
		open("/"), disturbed(http.MethodGet, throttled),
		func(v *visitor) { follow(v, announce(v.T, supper()).public()) }, sees("Can’t load this page"),
	}},
	{"organize", steps{hosting}},
	{"organize-nobody", steps{organizer(supper())}},
	{"organize-over", steps{organizer(days(-8))}},
	{"organize-search", steps{hosting, write("Find a name", "rene"), sees("1 of 20")}},
	{"organize-hostile", steps{organizer(hostile(), markup[:60], stacked, turning, longestName, "=1+1")}},
	{"organize-open", steps{
		hosting, click("Send the invitation"), click("Copy or download the names"),
		click("Your private link"),
	}},
	{"organize-cancel", steps{hosting, askToCancel, sees("This can’t be undone.")}},
	{"organize-cancelled", steps{func(v *visitor) {
		event := announce(v.T, supper(), guests...)
		cancel(v.T, event, "")
		v.Open(event.private())
	}, sees("Tell your guests")}},
	{"organize-moved", steps{func(v *visitor) { v.Open(movedEvent(v.T).private()) }, sees("Tell your guests")}},
	{"event-moved", steps{func(v *visitor) { v.Open(movedEvent(v.T).public()) }, sees("Are you coming?")}},
	{"event-moved-several", steps{func(v *visitor) {
		old, _ := moved(v.sitePage, days(30))
		remember(v, old, stacked)
		remember(v, old, longestName)
		v.Open(old.public())
	}, click(yes), sees("Anna is coming")}},
	{"event-moved-yes", steps{movesTo(days(30)), click(yes), sees(isIn)}},
	{"event-moved-cannot", steps{movesTo(days(30)), holds, click("Can’t make the new date"), sees("Undo")}},
	{"event-moved-waiting", steps{
		movesTo(days(30)), sees(yes), func(v *visitor) { v.Offline(true) }, click(yes), sees("Anna will be signed up"),
	}},
	{"event-moved-refused", steps{
		movesTo(days(30)), func(v *visitor) { instead(v, http.MethodPost, notFound) },
		click(yes), sees("Anna isn’t signed up."),
	}},
	{"event-moved-unread", steps{open("/no/such/page"), func(v *visitor) {
		old, to := announce(v.T, supper()), announce(v.T, days(30))
		move(v.T, old, to, "The roof is wet.")
		v.Block("/api/events/" + to.EventToken)
		follow(v, old.public())
	}, sees("The new event can’t be loaded right now")}},
	{"event-moved-over", steps{movesTo(days(-1)), sees("This event is over")}},
	{"event-moved-title", steps{movesTo(supper("title", "Dinner", "location", "Park")), sees("Go to the new event")}},
	{"change", steps{hosting, click("Move it to another date or place"), click("+1 week")}},
	{"change-errors", steps{
		hosting, click("Move it to another date or place"), write("Reason (public)", longReason),
		click("Announce the change"), sees("20 characters too many."),
	}},
	{"change-home", steps{
		hosting, click("Move it to another date or place"), func(v *visitor) { halfway(v) },
		follows("/"), sees("the old one isn’t cancelled yet"),
	}},
	{"changed", steps{hosting, click("Move it to another date or place"), postpone, sees("Tell your guests")}},
	{"organize-refused", steps{
		guestAt("#organizer=00000000-0000-4000-8000-000000000000"), sees("Was the link cut off"),
	}},
	{"organize-check-in", steps{func(v *visitor) {
		event := announce(v.T, supper(), append([]string{"Ada"}, guests[:6]...)...)
		gone := signUp(v.T, event, "Abel")
		v.Open(event.private())
		v.Click("Check in")
		v.Click("Ada 1 of 2")
		withdraw(v.T, event, gone)
		signUp(v.T, event, "Cleo")
		comeBack(v)
	}, sees("1 new – show"), sees("no longer coming")}},
	{"organize-walk-in", steps{
		organizer(supper(), "Ada", "Abel"), click("Check in"), disturbed(http.MethodPost, lost),
		write("Find or add", "Abel"), click("Add “Abel”"), sees("not confirmed yet"),
		write("Find or add", "be"), sees("Add “be”"),
	}},
	{"organize-full-storage", steps{
		organizer(supper(), guests[:6]...), fullStorage, click("Check in"), click("Ada"),
		sees("This browser can’t save who is here"),
	}},
	{"organize-unsaved", steps{func(v *visitor) {
		v.Prepare(fn("refuseToStore", ""))
		v.Open(announce(v.T, supper(), guests...).private())
	}, sees("This browser won’t remember your private link")}},
	{"event-organize", steps{guestAt("#organize"), sees("Your event?")}},
	{"organize-new", steps{func(v *visitor) {
		event := announce(v.T, supper(), guests[:4]...)
		v.Open(event.private())
		signUp(v.T, event, "Cleo")
		comeBack(v)
	}, sees("1 new")}},
	{"unknown-page", steps{open("/no/such/page")}},
}

// refused is a step in which an RSVP arrives after the event was cancelled.
func refused(v *visitor) {
	v.Helper()
	event := announce(v.T, supper(), guests[:8]...)
	v.Open(event.public())
	end := v.Disturb(http.MethodPost, unreached)
	submit(v, "Anna")
	v.Sees("Still sending")
	cancel(v.T, event, "The roof is wet through.")
	end()
	comeBack(v)
	v.Sees("Cancelled")
}

// fill fills in the form of an event.
func fill(v *visitor) {
	v.Helper()
	v.Write("What are you planning?", "Rooftop supper")
	v.Pick("Date", "2099-12-12")
	v.Pick("Time", "19:30")
	v.Write("Place", "Weserstraße 12, top floor, Berlin")
	v.Write("Description", "Bring something warm to share.\n\nDirections: https://example.org/roof")
}

// submit sends the form of a guest who has not signed up yet.
func submit(v interface{ page() *sitePage }, name string) {
	p := v.page()
	p.Helper()
	p.Write("Your name", name)
	p.Click("Count me in")
}

// submitUnanswered submits a name. The request gets no response until restore is called.
func submitUnanswered(v *visitor, kind disturbance, name string) (restore func()) {
	v.Helper()
	restore = v.Disturb(http.MethodPost, kind)
	submit(v, name)
	v.Sees("No confirmation yet for " + name + ".")
	return restore
}

// cancelUnanswered cancels the event. The request gets no response until restore is called.
func cancelUnanswered(v *visitor, kind disturbance, reason string) (restore func()) {
	v.Helper()
	restore = v.Disturb(http.MethodPatch, kind)
	askToCancel(v)
	v.Write("Reason (public)", reason)
	v.Click("Cancel the event")
	v.Sees("No confirmation yet that the event is cancelled.")
	return restore
}

// come signs up a further guest.
func come(v *visitor, name string) {
	v.Helper()
	if on[bool](v, "isThere", "#yours") {
		bring(v.sitePage, name)
	} else {
		submit(v, name)
	}
	v.Offers("Can’t make it after all: " + name)
}

// bring signs up a guest's companion.
func bring(p *sitePage, name string) {
	p.Helper()
	if !eval[bool](p, `document.getElementById('bring').open`) {
		p.Click("Bring someone")
	}
	p.Write("Their name", name)
	p.Click("Add")
}

// askToCancel opens the dialog that asks whether to cancel the event.
func askToCancel(v *visitor) {
	v.Helper()
	v.Click("Cancel the event")
	v.Sees("This can’t be undone.")
}

// mine puts an event and an RSVP on the visitor's list.
func mine(v *visitor) {
	v.Helper()
	v.Open(announce(v.T, supper(), guests...).private())
	v.Open(announce(v.T, longTitle()).public())
	come(v, "Anna")
}

// askToRemove opens the dialog on home that asks whether to remove an event.
func askToRemove(v *visitor, title string) {
	v.Helper()
	v.Until("the list", `document.querySelector('.menu')`)
	if !eval[bool](v, `document.querySelector('.menu').open`) {
		v.Click("More for " + title)
	}
	v.Click("Remove")
}

// load imports a list from a file. Each file has the same name.
func load(v *visitor, content string) {
	v.Helper()
	path := filepath.Join(filepath.Dir(v.TempDir()), "list.json")
	v.Must(os.WriteFile(path, []byte(content), 0o600))
	do(v, chromedp.SetUploadFiles(chromedp.CSS("#import"), []string{path}))
}

// TestStates opens each page in each of its states. On the narrowest screen nothing scrolls sideways, even with large
// text, and axe reports nothing. In dark mode only colours differ.
func TestStates(t *testing.T) {
	needBrowser(t)
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			v := newVisitor(t, narrow)
			state.reach(v)
			v.Idle() // wait, because axe reports findings on a page that changes meanwhile
			fitsNarrowScreen(v)
			v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(1280, 900)))
			eval[struct{}](v, `scrollTo(0, 0)`)
			v.Axe("", "by day")
			v.Scheme(true)
			v.Axe("color-contrast", "by night")
		})
	}
}

// The contrast is sufficient in each of the eight colours of events.
func TestEveryColourIsReadable(t *testing.T) {
	event, off := announce(t, supper(), guests...), announce(t, supper(), guests...)
	cancel(t, off, "The roof is wet through.")
	v := newVisitor(t, manner{})
	for _, path := range []string{event.private(), off.public()} {
		v.Open(path)
		for colour := range 8 {
			on[struct{}](v, "paint", fmt.Sprint(colour))
			for _, dark := range []bool{false, true} {
				v.Scheme(dark)
				v.Axe("color-contrast", fmt.Sprintf("colour %d, dark %t", colour, dark))
			}
		}
	}
}

// TestPictures takes screenshots if PICTURES names a folder.
func TestPictures(t *testing.T) {
	folder := os.Getenv("PICTURES")
	if folder == "" {
		t.Skip("PICTURES names no folder: make screenshots")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, screen := range []struct {
		name string
		manner
		change func(v *visitor)
	}{
		{"phone-light", manner{Width: 390, Height: 844, Scale: 2}, func(*visitor) {}},
		{"phone-dark", manner{Width: 390, Height: 844, Scale: 2, Dark: true}, func(*visitor) {}},
		{"desktop-light", manner{}, func(*visitor) {}},
		{"desktop-dark", manner{Dark: true}, func(*visitor) {}},
		{"phone-arabic", manner{Width: 390, Height: 844, Scale: 2}, toArabic},
		{"desktop-arabic", manner{}, toArabic},
		{"paper", manner{Width: 794, Height: 1123}, toPaper},
	} {
		for _, state := range append(states,
			state{"poster", steps{hosting, click("Send the invitation"), prints("Poster")}},
			state{"check-in-sheet", steps{hosting, prints("Print check-in sheet")}},
		) {
			t.Run(state.name+"/"+screen.name, func(t *testing.T) {
				v := newVisitor(t, screen.manner)
				state.reach(v)
				screen.change(v)
				takePicture(v, filepath.Join(folder, state.name+"-"+screen.name+".png"))
			})
		}
	}
}

// TestReadmePicture: the README's picture shows the present pages. It shows home, and an event's page for guests and
// for the organizer, on phones side by side. A file beside the picture has a hash of the pages' content. PICTURE takes
// the picture anew.
func TestReadmePicture(t *testing.T) {
	const gap, most, record = 24, 120_000, "../../docs/turnout.png.sha256" // pixels, bytes
	phone, party := manner{Width: 390, Height: 844}, supper()
	home := func(v *visitor) {
		filled(v)
		eval[struct{}](v, `document.activeElement.blur(), scrollTo(0, 0)`)
	}
	all := image.NewNRGBA(image.Rect(0, 0, 3*int(phone.Width)+2*gap, int(phone.Height)))
	at, hash := image.Point{}, sha256.New()
	for _, reach := range []step{home, guest(party, guests...), organizer(party, guests...)} {
		v := newVisitor(t, phone)
		v.Prepare(fn("pretendItIs", "2099-11-22T11:00:00Z"))
		reach(v)
		v.Idle()
		fmt.Fprintln(hash, strings.Join(on[[]string](v, "seen"), "\n"))
		picture, err := v.driver.Picture(v.Context)
		v.Must(err)
		screen, err := png.Decode(bytes.NewReader(picture))
		v.Must(err)
		draw.Draw(all, screen.Bounds().Add(at), screen, image.Point{}, draw.Src)
		at.X += int(phone.Width) + gap
	}
	got := hex.EncodeToString(hash.Sum(nil)) + "\n"
	path := os.Getenv("PICTURE")
	if path == "" {
		if want, err := os.ReadFile(record); err != nil || string(want) != got {
			t.Error("a page in the README's picture has changed: take it anew with make picture, and look at it")
		}
		return
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, paletted(all)); err != nil {
		t.Fatal(err)
	}
	if file.Len() > most {
		t.Fatalf("the picture has %d bytes, at most %d", file.Len(), most)
	}
	err := errors.Join(os.WriteFile(path, file.Bytes(), 0o644), os.WriteFile(record, []byte(got), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// paletted returns the picture with only its 256 most frequent colours.
func paletted(picture *image.NRGBA) *image.Paletted {
	pixels := map[color.NRGBA]int{}
	for at := 0; at < len(picture.Pix); at += 4 {
		p := picture.Pix[at:]
		pixels[color.NRGBA{p[0], p[1], p[2], p[3]}]++
	}
	colours := slices.SortedFunc(maps.Keys(pixels), func(a, b color.NRGBA) int { return pixels[b] - pixels[a] })
	small := image.NewPaletted(picture.Bounds(), nil)
	for _, each := range colours[:min(256, len(colours))] {
		small.Palette = append(small.Palette, each)
	}
	draw.Draw(small, small.Bounds(), picture, image.Point{}, draw.Src)
	return small
}

// toArabic changes the language. This closes a dialog.
func toArabic(v *visitor) {
	v.Helper()
	if eval[bool](v, `!document.getElementById('language')`) {
		return // the script failed
	}
	v.Unreachable(false) // an offline page cannot load a language
	choose(v, "ar")
}

// takePicture stores a screenshot of the whole page. With a dialog, it stores the screen.
func takePicture(v *visitor, path string) {
	v.Helper()
	if !on[bool](v, "isThere", "dialog") {
		size := eval[[]int64](v, `[innerWidth, document.documentElement.scrollHeight]`)
		scale := chromedp.EmulateScale(eval[float64](v, `devicePixelRatio`))
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(size[0], size[1], scale)))
	}
	picture := call(v, page.CaptureScreenshot, page.CaptureScreenshotParams{}).Data
	v.Must(os.WriteFile(path, picture, 0o644))
}
