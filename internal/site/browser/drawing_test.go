package browser

// drawsOnce: on each page an act draws once, and then moves the focus, unless the page was left.
func drawsOnce(p *sitePage, _ string) {
	open := func(path string) {
		p.Helper()
		p.Open(path)
		eval[struct{}](p, `void document.getElementById('main').addEventListener('drawn', () => { window.drawings += 1; })`)
	}
	act := func(do func(), focus string) {
		p.Helper()
		p.Idle()
		eval[struct{}](p, `void (window.drawings = 0)`)
		do()
		p.Until("the focus on "+focus, `document.activeElement.matches(%s)`, focus)
		p.Until("a drawing", `window.drawings > 0`) // Firefox may answer a key's command before the page has drawn
		is(p, `window.drawings`, 1)
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
	p.Hold()
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
	eval[struct{}](p, `void (document.querySelector('#rsvp button').click(), Object.assign(document.querySelector('.mark'), { href: %s }).click())`, brunch)
	p.Sees("Brunch")
	p.Idle()
	p.Check("the focus is on the heading of the new page", `document.activeElement.matches('h1')`)

	open(event.private())
	p.Sees("32 are coming")
	click("Show 24 more", "h1")
	p.Focus("Find a name")
	act(func() { p.Press("3") }, "#search")
	click("Check in", "#here")
	click("Guest 12", "#guests input")
	click("Undo", "#guests input")
	click("Close", "#check-in")

	open("/?change=" + event.EventToken)
	click("Announce the change", "#announce button")

	// What is drawn before the page's transition has begun stays: here, an answer at the first change of the page.
	p.Open("/no/such/page")
	eval[struct{}](p, `void (window.fetch = () => new Promise((done) => {
		new MutationObserver(() => { done(new Response('{}', { status: 503 })); }).observe(document.getElementById('main'), { childList: true });
	}))`)
	follow(p, "/")
	p.Sees("As of ")

	open("/")
	p.Click("More for Rooftop supper")
	p.Click("Remove")
	click("Remove", "h1")
}
