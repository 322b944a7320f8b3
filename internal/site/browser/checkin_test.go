package browser

import "testing"

// rows are the guests at the door, as they are read.
func rows(p *sitePage) []string {
	p.Helper()
	return eval[[]string](p, `[...document.querySelectorAll('.guests li')].map((row) => row.innerText.replace(/\s+/g, ' ').trim())`)
}

// rowsStay is a flow: at the door a row keeps its guest. Who arrives meanwhile waits, and
// who withdraws stays, until the list is taken anew.
func rowsStay(p *sitePage, _ string) {
	event := announce(p.T, supper(), "Dan", "Ben")
	cleo := signUp(p.T, event, "Cleo")
	p.Open(event.private())
	p.Click("Check guests in")
	expect := func(want ...string) {
		p.Helper()
		same(p, "the rows", rows(p), want)
	}
	eval[struct{}](p, `[...document.querySelectorAll('.guests input')][1].focus()`)
	p.HasFocus("Cleo")
	signUp(p.T, event, "Aaron")
	comeBack(p)
	p.Sees("1 new – show")
	expect("Ben", "Cleo", "Dan")
	p.Press(" ")
	p.Sees("Checked in: 1 of 4")
	is(p, `document.querySelector('.guests :checked').closest('li').innerText.trim()`, "Cleo")
	withdraw(p.T, event, cleo)
	comeBack(p)
	p.Sees("no longer coming")
	expect("Ben", "Cleo no longer coming", "Dan")
	p.Sees("Checked in: 0 of 3")
	p.Click("1 new – show")
	p.Until("the list of now", `document.querySelector('.guests li').innerText.trim() === 'Aaron'`)
	expect("Aaron", "Ben", "Dan")
	p.Check("the focus is on the heading", `document.activeElement.id === 'guests-title'`)
}

// The service gives names only, so of equal names the page can tell no more than the order.
func TestEqualNamesAreToldApart(t *testing.T) {
	_, v := organizing(t, "Fay", "Ada", "Ada", "Émile")
	v.SeesNot("same name")
	v.Click("Check guests in")
	same(v, "the rows", rows(v.sitePage), []string{"Ada 1 of 2", "Ada 2 of 2", "Émile", "Fay"})
	v.Sees("Guests with the same name are numbered by when they signed up.")
	v.Click("Ada 2 of 2")
	v.Sees("Checked in: 1 of 4")
	v.Reload()
	v.Click("Check guests in")
	is(v, `[...document.querySelectorAll('.guests input')].map((box) => box.checked)`, []bool{false, true, false, false})
	v.Click("Ada 2 of 2")
	v.Sees("Checked in: 0 of 4")
}

// The switch is above the list once the start is near, a finger hits a row, and the list is afterwards as it
// was before.
func TestCheckInIsWithinReach(t *testing.T) {
	v := newVisitor(t, screens[1])
	const switched = `document.getElementById('check-in').getBoundingClientRect()`
	const list = `document.getElementById('guests').getBoundingClientRect()`
	v.Open(announce(t, days(1), guests...).private())
	v.Check("a day before, the switch is below the list", switched+`.top >= `+list+`.bottom`)
	v.Open(announce(t, days(0), guests...).private())
	v.Holds("Order", "arrival")
	v.Check("the switch is above the list", switched+`.bottom <= `+list+`.top`)
	v.Click("Check guests in")
	v.Sees("Ticks stay on this device.")
	eval[struct{}](v, `void scrollTo(0, document.documentElement.scrollHeight)`)
	for _, id := range []string{"here", "done", "search"} {
		v.Until(id+" in view", `document.getElementById(%s).getBoundingClientRect().top >= 0`, id)
	}
	is(v, `[...document.querySelectorAll('.guests label')].map((target) => target.getBoundingClientRect().height)
		.filter((height) => height < 48)`, []float64{})
	v.Click("Done")
	v.Until("the list as before", `document.querySelector('.guests .user').textContent === 'Tove'`)
	v.Check("the latest guest is first",
		`[...document.querySelectorAll('.guests li')].every((row, i, all) => !i || row.value < all[i - 1].value)`)
	v.Pick("Order", "name")
	v.Until("the first of the alphabet", `document.querySelector('.guests .user').textContent === 'Ada'`)
	v.Check("in the order of names there are no numbers",
		`!/\d/.test(getComputedStyle(document.querySelector('.guests li'), '::before').content)`)
}
