package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

func TestDoubleClickMakesOneRSVP(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	restore, release := v.disturb(http.MethodPost, held)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.until("the button to lock", `document.querySelector('.rsvp [type=submit]').getAttribute('aria-disabled') === 'true'`)
	v.click("Sending …")
	v.click("Sending …")
	do(v, chromedp.KeyEvent("\r"))
	release <- struct{}{}
	v.sees("You are coming")
	restore()
	if got := attendees(t, event); len(got) != 1 {
		t.Errorf("the service has %v", got)
	}
}

func TestLostAnswerIsNotForgotten(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{})
	v.open(event.public())
	restore, _ := v.disturb(http.MethodPost, lost)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("The RSVP for Anna was sent, but no clear answer came back.")
	v.sees("from 1 to 2")
	restore()
	v.until("focus on the question", `document.activeElement.id === 'lost-title'`)
	v.reload()
	v.sees("The RSVP for Anna was sent")
	v.seesNot("Count me in")
	if got := attendees(t, event); len(got) != 2 {
		t.Errorf("the service has %v", got)
	}
	v.click("Leave it")
	v.sees("Are you coming?")
	v.reload()
	v.seesNot("Did it arrive?")
}

// The service's own 503 leaves open what happened, like no answer at all.
func TestUnsureAnswerIsNotTakenForARefusal(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	restore, _ := v.disturb(http.MethodPost, unsure)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("Did it arrive?")
	v.sees("from 0 to 1")
	v.seesNot("This name is not signed up yet.")
	restore()
	v.open(event.private())
	restore, _ = v.disturb(http.MethodPatch, unsure)
	v.click("Cancel this event …")
	v.click("Cancel the event")
	v.sees("This event is cancelled")
	restore()
}

func TestReloadWhileSendingIsNotForgotten(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	restore, _ := v.disturb(http.MethodPost, held)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("Sending …")
	// The answer never leaves the gate.
	v.reload()
	restore()
	v.sees("The RSVP for Anna was sent, but no clear answer came back.")
}

func TestLostRequestCanBeSentAgain(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	// Nothing gets through, though the browser believes that it is online.
	v.unreachable(true)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("The count cannot be checked at the moment.")
	v.unreachable(false)
	v.reload()
	v.sees("The count is still 0")
	v.click("Send it again")
	v.sees("You are coming")
	if got := attendees(t, event); len(got) != 1 {
		t.Errorf("the service has %v", got)
	}
}

func TestOffline(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{})
	v.open(event.public())
	v.offline(true)
	v.sees("You are offline.")
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("Nothing was sent.")
	v.sees("This name is not signed up yet.")
	if got := v.value("Your name"); got != "Anna" {
		t.Errorf("the name was lost: %q", got)
	}
	v.offline(false)
	v.until("online", `!`+shown+`.includes('What you type is kept')`)
	v.click("Count me in")
	v.sees("You are coming")

	v.offline(true)
	v.click("Cancel for Anna")
	v.click("Not coming")
	v.sees("Nothing was sent.")
	v.offline(false)
	v.click("Cancel for Anna")
	v.click("Not coming")
	v.sees("1 is coming")
}

// An answer that comes after its page was left changes nothing on the next one.
func TestLateAnswerLeavesTheNextPageAlone(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open("/")
	restore, release := v.disturb(http.MethodGet, held)
	for _, path := range []string{event.public(), event.private()} {
		follow(v, path)
		v.sees("One moment")
		follow(v, "/")
		v.sees("Who is coming?")
	}
	for range 3 {
		release <- struct{}{}
	}
	restore()
	v.idle()
	if got := eval[string](v, `document.title`); got != "Turnout – who is coming?" {
		t.Errorf("the start page is called %q", got)
	}

	v.open(event.public())
	restore, release = v.disturb(http.MethodPost, held)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("Sending …")
	follow(v, "/")
	v.write("What is happening?", "Brunch")
	release <- struct{}{}
	restore()
	v.idle()
	if !eval[bool](v, `localStorage.getItem('turnout.mine').includes('Anna')`) {
		t.Error("the RSVP is not kept")
	}
	if at := v.focused(); at != "What is happening?" {
		t.Errorf("the focus went to %q", at)
	}
}

func TestAnswerFindsThePageThatIsBack(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open("/")
	follow(v, event.public())
	v.write("Your name", "Anna")
	restore, release := v.disturb(http.MethodPost, held)
	v.click("Count me in")
	v.sees("Sending …")
	v.click("Deutsch")
	v.sees("Ist es angekommen?")
	release <- struct{}{}
	v.sees("Du kommst")
	v.seesNot("Ist es angekommen?")
	restore()
}

// A browser without a network still reaches a server on its own machine.
func TestOfflineIsNotTheLastWord(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	call(v, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	v.sees("You are offline.")
	come(v, "Anna")
	if got := attendees(t, event); len(got) != 1 {
		t.Errorf("the service has %v", got)
	}
}

// What cannot be loaded is loaded when the network is back.
func TestPageComesBackByItself(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{})
	v.open("/")
	v.offline(true)
	follow(v, event.private())
	v.sees("Cannot get there")
	v.offline(false)
	v.sees("1 guest")
}

// Once is enough: a page that was loaded by hand does not load itself again.
func TestPageComesBackOnce(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open("/")
	v.unreachable(true)
	follow(v, event.public())
	v.sees("Cannot get there")
	v.unreachable(false)
	v.click("Try again")
	v.write("Your name", "Anna")
	eval[chromedp.Void](v, `void document.querySelector('#name').setAttribute('data-same', '')`)
	v.offline(true)
	v.offline(false)
	v.idle()
	if !eval[bool](v, `document.activeElement.hasAttribute('data-same')`) {
		t.Error("the page was loaded again while somebody was typing")
	}
}

func TestThrottled(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	restore, _ := v.disturb(http.MethodPost, throttled)
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.sees("Please try again in a moment.")
	v.sees("This name is not signed up yet.")
	restore()
	v.click("Count me in")
	v.sees("You are coming")
	if got := attendees(t, event); len(got) != 1 {
		t.Errorf("the service has %v", got)
	}

	restore, _ = v.disturb(http.MethodGet, throttled)
	follow(v, event.private())
	v.sees("Please try again in a moment.")
	restore()
	v.click("Try again")
	v.sees("1 guest")

	restore, _ = v.disturb(http.MethodPatch, throttled)
	v.click("Cancel this event …")
	v.click("Cancel the event")
	v.sees("The event is not cancelled.")
	restore()
	restore, _ = v.disturb(http.MethodPatch, lost)
	v.click("Cancel this event …")
	v.click("Cancel the event")
	// The answer is lost, but the event itself tells.
	v.sees("This event is cancelled")
	restore()
}

// A refusal that is not the service's says nothing about the secret.
func TestBlockedIsNotAWrongSecret(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open("/")
	restore, _ := v.disturb(http.MethodGet, forbidden)
	follow(v, event.private())
	v.sees("The service answered with an error (403).")
	restore()
	v.click("Try again")
	v.sees("No guests yet")
}

func TestNothingTypedIsLostWhenAnnouncingFails(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/")
	fill(v)
	restore, _ := v.disturb(http.MethodPost, lost)
	v.click("Announce it")
	v.sees("Whether the event was created is not known.")
	restore()
	if got := v.value("What is happening?"); got != "Rooftop supper" {
		t.Errorf("the title is %q", got)
	}
	v.reload()
	v.click("Announce it")
	v.sees("Now spread the word")
	v.open("/")
	if got := v.value("What is happening?"); got != "" {
		t.Errorf("after announcing, the form holds %q", got)
	}
}

func TestOrganizerLearnsOfAnotherCancellation(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.private())
	cancel(t, event, "Too late")
	v.click("Cancel this event …")
	v.write("Reason, for everybody to read", "Mine")
	v.click("Cancel the event")
	v.sees("Too late")
	v.seesNot("Mine")
}

func TestSameNameIsAskedFor(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	come(v, "Anna")
	v.write("Your name", "Anna")
	v.click("Count me in")
	v.click("No, that was it")
	v.until("no dialog", `!document.querySelector('dialog')`)
	if got := attendees(t, event); len(got) != 1 {
		t.Errorf("after no, the service has %v", got)
	}
	v.click("Count me in")
	v.click("Yes, one more")
	v.sees("all 2 of you")
	if got := attendees(t, event); len(got) != 2 {
		t.Errorf("after yes, the service has %v", got)
	}
}

func TestServiceDecidesWhatIsOver(t *testing.T) {
	event := announce(t, past())
	v := newVisitor(t, manner{})
	v.open(event.public())
	v.sees("A week after the date nobody can sign up any more.")
	v.seesNot("Are you coming?")

	// This device's clock stands still on the day of the event.
	late := newVisitor(t, manner{})
	call(late, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `Date.now = () => Date.parse('2024-06-12T12:00:00Z')`,
	})
	late.open(event.public())
	late.write("Your name", "Anna")
	late.click("Count me in")
	late.sees("This event is over")
	late.seesNot("Are you coming?")
}

func TestLanguageStaysWhereTheOtherCannotCome(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/")
	v.unreachable(true)
	v.click("Deutsch")
	v.sees("No answer came.")
	v.unreachable(false)
	v.sees("Who is coming?")
	v.click("Deutsch")
	v.sees("Wer kommt?")
}

func TestShareWhereTheBrowserCan(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	// Chromium shares on phones only.
	call(v, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `navigator.share = async (data) => { document.documentElement.dataset.shared = data.title + ' ' + data.url; }`,
	})
	v.open(event.private())
	for button, want := range map[string]string{
		"Share link to share": "Rooftop supper " + base + event.public(),
		"Share link, private": "Rooftop supper " + base + event.private(),
	} {
		v.click(button)
		v.until(button, `document.documentElement.dataset.shared === %s`, want)
	}
}

func TestBrowserThatKeepsNothing(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.public())
	eval[chromedp.Void](v, `void (Storage.prototype.setItem = () => { throw new Error('full'); })`)
	come(v, "Anna")
	v.sees("This browser keeps nothing")
	_, list := v.download("Export the list")
	if !strings.Contains(list, `"Anna"`) {
		t.Errorf("the list lacks the RSVP: %s", list)
	}
	follow(v, event.private())
	v.click("Remember on this device")
	v.sees("This browser keeps nothing")
	v.seesNot("Kept.")
	follow(v, "/")
	v.sees("when it is closed, the list is gone")
}

// What is stored may have been damaged; what of it is whole stays.
func TestDamagedStorage(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open(event.private())
	v.click("Remember on this device")
	v.sees("Kept.")
	eval[chromedp.Void](v, `void (() => {
		const list = JSON.parse(localStorage.getItem('turnout.mine'));
		list.events[0].organizerToken = list.events[0].organizerToken.toUpperCase();
		list.events.unshift(null, { ...list.events[0], dateTime: 'some day' });
		localStorage.setItem('turnout.mine', JSON.stringify(list));
		localStorage.setItem('turnout.drafts', '{"event": {"title"');
		localStorage.setItem('turnout.unanswered', '[1, 2]');
	})()`)
	v.open(event.public())
	come(v, "Anna")
	v.open("/")
	v.sees("Anna is coming")
	v.click("Guest list of Rooftop supper")
	v.sees("1 guest")
	if got := v.path(); got != event.private() {
		t.Errorf("the guest list is at %s", got)
	}
}

// follow goes to another page of the site without loading it anew.
func follow(v *visitor, path string) {
	v.Helper()
	eval[chromedp.Void](v, `void (() => {
		const link = document.createElement('a');
		link.href = %s;
		document.body.append(link);
		link.click();
		link.remove();
	})()`, path)
}
