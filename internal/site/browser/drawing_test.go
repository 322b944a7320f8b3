package browser

import "fmt"

// drawsOnce is a flow for every engine. On each page, an act draws the page once and then moves the focus, unless the
// visitor has left the page.
func drawsOnce(p *sitePage, _ string) {
	open := func(path string) {
		p.Helper()
		p.Open(path)
		p.Hold() // otherwise the page would draw at the end of a quarter of an hour
		on[struct{}](p, "countDrawings")
	}
	act := func(do func(), focus string) {
		p.Helper()
		p.Idle()
		before := on[int](p, "drawings")
		do()
		p.FocusOn(focus)
		// Firefox may respond to a key press before the page has drawn.
		p.Until("a drawing", fmt.Sprint(fn("drawings"), ` > `, before))
		is(p, fn("drawings"), before+1)
	}
	click := func(name, focus string) {
		p.Helper()
		act(func() { p.Click(name) }, focus)
	}

	open("/")
	click("Announce it", "#title")
	act(func() { p.Press("A") }, "#title")

	event := announce(p.T, supper(), crowd(30)...)
	open(event.public())
	click("Count me in", "#name")
	act(func() { p.Press("A") }, "#name")
	submit(p, "Anna")
	p.Sees("You’re number 31")
	p.Check("the focus is on the heading", `document.activeElement.id === 'yours-title'`)
	bring(p, "Otto")
	p.Sees("You’re both in")
	click("Can’t make it after all: Anna", ".leaving button")
	click("Undo: Anna is coming", "#yours li:not(.leaving) button")

	brunch := announce(p.T, supper("title", "Brunch")).public()
	p.Open(brunch)
	follow(p, announce(p.T, supper()).public())
	p.Sees("Rooftop supper")
	p.Idle()
	on[struct{}](p, "clickAndLeave", "#rsvp button", brunch)
	p.Sees("Brunch")
	p.Idle()
	p.Check("the focus is on the heading of the new page", `document.activeElement.matches('h1')`)

	open(event.private())
	// Hide the page, so that polling draws nothing.
	eval[struct{}](p, `void Object.defineProperty(document, 'hidden', { value: true })`)
	p.Sees("32 are coming")
	click(on[string](p, "text", "#more"), "h1") // a desktop shows more names
	p.Focus("Find a name")
	act(func() { p.Press("3") }, "#search")
	click("Check in", "#search") // the search keeps the focus
	click("Guest 12", "#search")
	click("Undo", "#search")
	click("Close", "#check-in")

	open("/?change=" + event.EventToken)
	click("Announce the change", "#announce button")

	// A response that is drawn before the page's transition has begun stays. Here the response comes with the first
	// change of the page.
	p.Open("/no/such/page")
	on[struct{}](p, "answerOnceDrawn")
	follow(p, "/")
	p.Sees("As of ")

	open("/")
	p.Click("More for Rooftop supper")
	p.Click("Remove")
	click("Remove", "h1")
}
