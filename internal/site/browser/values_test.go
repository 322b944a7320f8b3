package browser

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"turnout/internal/httpapi/apitest"
)

type values map[string]any

// but returns the values with changes, given as names and values in turn.
func (v values) but(names ...any) values {
	changed := maps.Clone(v)
	for i := 0; i < len(names); i += 2 {
		changed[names[i].(string)] = names[i+1]
	}
	return changed
}

// nightWalk is a form without errors. In the next night, Berlin's clocks skip its time.
var nightWalk = func() values {
	walk := values{
		"title": "Night walk", "language": "", "reason": "",
		"date": "2083-03-27", "time": "02:30", "timezone": "Europe/Berlin", "later": false,
		"ends": false, "days": 0.0, "endTime": "",
	}
	for name := range apitest.TextsOf("CreateEventInput") {
		if walk[name] == nil {
			walk[name] = ""
		}
	}
	return walk
}()

// mostOf returns the bound of a field's text, in characters.
func mostOf(field string) int {
	texts := apitest.TextsOf("CreateEventInput")
	maps.Copy(texts, apitest.TextsOf("CreateRSVPInput"))
	texts["reason"] = apitest.TextsOf("CancelEventInput")["cancellationReason"]
	return texts[field].Most
}

// tooLong returns a text that has that many characters more than the field may have.
func tooLong(field string, by int) string { return strings.Repeat("x", mostOf(field)+by) }

// messages has errors by field.
type messages map[string]string

const (
	gap      = "The clocks go forward that night, so 2:30 doesn’t exist. Did you mean 3:30?"
	unwanted = "Please change this: we can’t accept it."
	noEnd    = "The end must be within seven days after the start."
)

// written is a form with its errors.
type written struct {
	Values values   `json:"values"`
	Errors messages `json:"errors"`
}

func TestFormIsChecked(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	other := strings.NewReplacer("2:30", "23:30", "3:30", "Sunday, 28 March 2083 at 0:30").Replace(gap)
	for _, c := range []struct {
		values values
		want   messages
	}{
		{nightWalk, messages{}},
		// The service also takes these characters for blank.
		{nightWalk.but("title", "\u200b\u2800\u0085"), messages{"title": "Please give it a title."}},
		{nightWalk.but("host", " ", "description", "\n"), messages{}},
		{nightWalk.but("title", strings.Repeat("🎉", mostOf("title"))), messages{}},
		{nightWalk.but("title", strings.Repeat("🎉", mostOf("title")+1)), messages{"title": "1 character too many."}},
		{
			nightWalk.but("host", tooLong("host", 2), "location", tooLong("location", 20),
				"description", tooLong("description", 1), "reason", tooLong("reason", 20)),
			messages{
				"host": "2 characters too many.", "location": "20 characters too many.",
				"description": "1 character too many.", "reason": "20 characters too many.",
			},
		},
		{
			nightWalk.but("date", "", "time", ""),
			messages{"date": "Please choose a date.", "time": "Please choose a time."},
		},
		// Firefox accepts a year with five digits.
		{nightWalk.but("date", "12083-01-01"), messages{"date": "Please choose a date."}},
		{nightWalk.but("date", "2083-03-28"), messages{"time": gap}},
		{nightWalk.but("date", "2083-03-28", "timezone", "Europe/London"), messages{}},
		// The clock jumps over midnight, so the gap ends on the next day.
		{
			nightWalk.but("time", "23:30", "timezone", "America/Nuuk"),
			messages{"time": other},
		},
		{nightWalk.but("ends", true, "endTime", "02:31"), messages{}},
		{nightWalk.but("ends", true, "endTime", "01:00"), messages{}}, // on the next day
		{nightWalk.but("ends", true), messages{"endTime": "Please choose a time."}},
		{nightWalk.but("ends", true, "endTime", "02:30"), messages{"endTime": noEnd}},
		{nightWalk.but("ends", true, "endTime", "02:30", "days", -1), messages{"days": noEnd}},
		{nightWalk.but("ends", true, "endTime", "02:30", "days", 1), messages{"endTime": gap}},
		// A week with a change of the clocks.
		{nightWalk.but("ends", true, "endTime", "03:30", "days", 7), messages{}},
		{nightWalk.but("ends", true, "endTime", "03:31", "days", 7), messages{"days": noEnd}},
		{nightWalk.but("ends", true, "endTime", "02:30", "days", 1e9), messages{"days": "Please choose a date."}},
		{nightWalk.but("endTime", "02:30", "days", 1e9), messages{}}, // the end was taken away
		{
			nightWalk.but("date", "", "ends", true, "endTime", "02:00"),
			messages{"date": "Please choose a date."},
		},
	} {
		is(v, fn("checkForm", c.values), c.want)
	}
}

// Submitting the form shows the errors, and each error disappears once the organizer corrects it. The form says at once
// that a time does not exist. A refusal stays until the field is changed.
func TestFormIsTypedInto(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	next := nightWalk.but("date", "2083-03-28")
	refused := messages{"title": unwanted, "host": unwanted}
	for what, c := range map[string]struct {
		values values
		errors messages
		name   string
		value  any
		want   messages
	}{
		"a title is deleted":    {nightWalk, nil, "title", "", messages{}},
		"an error is corrected": {nightWalk, refused, "title", "Day walk", messages{"host": unwanted}},
		"an error becomes another": {
			nightWalk, refused, "host", tooLong("host", 2),
			messages{"title": unwanted, "host": "2 characters too many."},
		},
		"a time that does not exist": {next.but("time", ""), nil, "time", "02:30", messages{"time": gap}},
		"a date without the time":    {nightWalk, nil, "date", "2083-03-28", messages{"time": gap}},
		"a zone without the time": {
			next.but("timezone", "UTC"), nil, "timezone", "Europe/Berlin",
			messages{"time": gap},
		},
		"a date with the time":       {next, messages{"time": gap}, "date", "2083-03-27", messages{}},
		"a zone with the time":       {next, messages{"time": gap}, "timezone", "Europe/London", messages{}},
		"a date before a time":       {nightWalk.but("time", ""), nil, "date", "2083-03-28", messages{}},
		"a title beside such a time": {next, messages{"time": gap}, "title", "Day walk", messages{"time": gap}},
		"the second of two times":    {nightWalk.but("date", "2083-10-31"), nil, "later", true, messages{}},
	} {
		got := on[written](v, "typeIntoForm", written{c.values, c.errors}, c.name, c.value)
		same(v, what, got, written{c.values.but(c.name, c.value), c.want})
	}
	late := nightWalk.but("ends", true, "endTime", "02:30")
	for _, c := range []struct {
		values      values
		errors      messages
		name, value string
		days        float64
		want        messages
	}{
		{nightWalk.but("ends", true), nil, "endTime", "02:30", 0, messages{"endTime": noEnd}},
		{late, messages{"endTime": noEnd}, "time", "02:00", 0, messages{}},
		{late, messages{"endTime": noEnd}, "days", "2083-03-29", 2, messages{}},
		{late, nil, "days", "2083-03-28", 1, messages{"endTime": gap}},
		{late.but("days", 2.0), messages{"days": noEnd}, "days", "", 2, messages{}}, // the date is being typed
	} {
		got := on[written](v, "typeIntoForm", written{c.values, c.errors}, c.name, c.value)
		want := c.values.but(c.name, c.value).but("days", c.days)
		same(v, c.name+" "+c.value, got, written{want, c.want})
	}
	const pasted = "A walk \n by night\r\nto the lake"
	for name, want := range map[string]string{"title": "A walk by night to the lake", "location": pasted} {
		got := on[written](v, "typeIntoForm", written{nightWalk, messages{}}, name, pasted)
		same(v, "a pasted "+name, got.Values, nightWalk.but(name, want))
	}
}

// A form begins with its draft, whatever else storage contains. It says at once that the draft's time does not exist.
func TestFormIsRestored(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	empty := nightWalk.but("title", "", "date", "", "time", "", "host", "Mara")
	for _, c := range []struct {
		draft any
		want  written
	}{
		{nil, written{empty, messages{}}},
		{"soon", written{empty, messages{}}},
		{[]any{"Brunch"}, written{empty, messages{}}},
		{values{"title": 7, "later": "yes", "date": nil, "toString": ""}, written{empty, messages{}}},
		{values{"timezone": "Nowhere/Else"}, written{empty, messages{}}},
		{values{"later": true, "host": ""}, written{empty.but("later", true, "host", ""), messages{}}},
		{
			nightWalk.but("date", "2083-03-28"),
			written{nightWalk.but("date", "2083-03-28"), messages{"time": gap}},
		},
		{values{"ends": 1, "days": "2", "endTime": nil}, written{empty, messages{}}},
		{values{"ends": true, "days": 1e99}, written{empty.but("ends", true, "days", 1e99), messages{}}},
		{
			nightWalk.but("ends", true, "days", 1, "endTime", "02:30"),
			written{nightWalk.but("ends", true, "days", 1.0, "endTime", "02:30"), messages{"endTime": gap}},
		},
	} {
		is(v, fn("restoreForm", c.draft), c.want)
	}
}

// The form shows an event's start on the clock of the event's zone, or else of the reader's zone. Sending the unchanged
// form creates the same event. The form for announcing the event again has no date.
func TestEventInTheForm(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	for _, c := range []struct {
		dateTime, timezone string // the event's start
		date, time, zone   string // the form's values
		sent               string
		later              bool
	}{
		{
			"2099-12-12T19:30:00+01:00", "Europe/Berlin",
			"2099-12-12", "19:30", "Europe/Berlin", "2099-12-12T19:30:00+01:00", false,
		},
		{
			"2099-12-12T23:30:00Z", "Asia/Tokyo",
			"2099-12-13", "08:30", "Asia/Tokyo", "2099-12-13T08:30:00+09:00", false,
		},
		{
			"2099-12-12T19:30:00-05:00", "Nowhere/Else",
			"2099-12-13", "01:30", "Europe/Berlin", "2099-12-13T01:30:00+01:00", false,
		},
		{
			"2099-10-25T02:30:00+02:00", "Europe/Berlin",
			"2099-10-25", "02:30", "Europe/Berlin", "2099-10-25T02:30:00+02:00", false,
		},
		{
			"2099-10-25T02:30:00+01:00", "Europe/Berlin",
			"2099-10-25", "02:30", "Europe/Berlin", "2099-10-25T02:30:00+01:00", true,
		},
	} {
		event := supper("dateTime", c.dateTime, "timezone", c.timezone)
		form := nightWalk.but("date", c.date, "time", c.time, "timezone", c.zone, "later", c.later)
		delete(form, "reason")
		form["language"] = event["language"]
		for name := range apitest.TextsOf("CreateEventInput") {
			form[name] = event[name]
		}
		is(v, fn("formOf", event), form)
		is(v, fn("formAnew", event), form.but("date", "", "later", false))
		body := on[fields](v, "sentBy", form)
		same(v, "what is sent", body, supper("dateTime", c.sent, "timezone", c.zone))
		is(v, fn("isSameEvent", event, body), c.zone == c.timezone)
	}
	for name, value := range map[string]any{
		"title": "Dinner", "host": "Mara", "location": nil, "description": "", "language": "de",
		"timezone": "Europe/Paris", "dateTime": "2099-12-12T19:30:00Z",
	} {
		other := values(supper()).but(name, value)
		is(v, fn("isSameEvent", supper(), other), false)
	}
	// An older event has no language, and its form sends the page's language. This difference alone does not replace
	// the event.
	is(v, fn("isSameEvent", values(supper()).but("language", nil), supper()), true)
}

// The form shows an event's end as a time and a number of days. The end moves with the start, and its hour stays the
// hour when clocks change. Of two equal times the end is the second. An end that the service would refuse is none.
func TestEndInTheForm(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	const friday = "2083-10-29T19:30:00+02:00" // Berlin's clocks go back on Sunday
	for _, c := range []struct {
		end           string
		days          float64
		time          string
		next, nextEnd string // the date of the event that is announced again, and its end
	}{
		{"2083-10-29T23:00:00+02:00", 0, "23:00", "2083-11-05", "2083-11-05T23:00:00+01:00"},
		{"2083-10-30T02:00:00+02:00", 0, "02:00", "2083-11-05", "2083-11-06T02:00:00+01:00"},
		{"2083-10-30T20:00:00+02:00", 1, "20:00", "2083-10-30", "2083-10-31T20:00:00+01:00"},
		{"2083-10-31T02:30:00+01:00", 2, "02:30", "2083-12-30", "2084-01-01T02:30:00+01:00"},
		{"2083-10-31T10:30:00Z", 2, "11:30", "2083-10-29", "2083-10-31T11:30:00+01:00"},
	} {
		event := supper("dateTime", friday, "endDateTime", c.end)
		form := on[values](v, "formOf", event)
		same(v, c.end, []any{form["ends"], form["days"], form["endTime"]}, []any{true, c.days, c.time})
		is(v, fn("isSameEvent", event, on[fields](v, "sentBy", form)), true)
		again := on[values](v, "formAnew", event)
		same(v, "the date", again["date"], any(""))
		again["date"] = c.next
		same(v, "the end of the next event", on[fields](v, "sentBy", again)["endDateTime"], any(c.nextEnd))
		is(v, fn("isSameEvent", supper("dateTime", friday), on[fields](v, "sentBy", form)), false)
		same(v, "no end", on[fields](v, "sentBy", form.but("ends", false))["endDateTime"], nil)
	}
	for _, end := range []string{"", "tomorrow", friday, "2083-10-29T19:29:00+02:00", "2083-11-05T19:31:00+02:00"} {
		form := on[values](v, "formOf", supper("dateTime", friday, "endDateTime", end))
		same(v, end, []any{form["ends"], form["days"], form["endTime"]}, []any{false, 0.0, ""})
	}
}

// A form is a draft as soon as one of its fields is filled: it is replaced only after a question. The host is not
// counted, because the form remembers it.
func TestFormIsADraft(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	empty := nightWalk.but("title", " \u200b", "date", "", "time", "")
	drafts := map[string]values{
		"date": empty.but("date", "2083-03-27"), "time": empty.but("time", "02:30"), "no field": empty,
	}
	for name := range apitest.TextsOf("CreateEventInput") {
		drafts[name] = empty.but(name, "x")
	}
	for name, draft := range drafts {
		isFilled := slices.Contains(on[[]bool](v, "filledFields", draft), true)
		if want := name != "host" && name != "no field"; isFilled != want {
			t.Errorf("a form with %s alone is a draft: %t, want %t", name, isFilled, want)
		}
	}
}

// Texts are sent as they were typed, unless they are blank.
func TestFormIsSent(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	walk := values{"title": "Night walk", "language": "en-GB", "timezone": "Europe/Berlin"}
	for _, c := range []struct {
		values values
		want   values
	}{
		{nightWalk.but("reason", "Rain"), walk.but("dateTime", "2083-03-27T02:30:00+01:00")},
		{nightWalk.but("later", true), walk.but("dateTime", "2083-03-27T02:30:00+01:00")},
		{nightWalk.but("date", "2083-10-31"), walk.but("dateTime", "2083-10-31T02:30:00+02:00")},
		{
			nightWalk.but("date", "2083-10-31", "later", true),
			walk.but("dateTime", "2083-10-31T02:30:00+01:00"),
		},
		{
			nightWalk.but("title", " Walk ", "host", " Mara ", "location", " ", "description", "\u2800"),
			walk.but("title", " Walk ", "host", " Mara ", "dateTime", "2083-03-27T02:30:00+01:00"),
		},
	} {
		is(v, fn("sentBy", c.values), c.want)
	}
}

// A field that the service refuses has the form's own message, or else a general message. A refused member that is no
// field of the form has no message.
func TestFormIsRefused(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	for _, c := range []struct {
		fields []string
		want   messages
	}{
		{[]string{"title", "location"}, messages{"title": unwanted, "location": unwanted}},
		{
			[]string{"dateTime", "timezone"},
			messages{"date": "This date or time doesn’t exist.", "timezone": "We don’t recognize this time zone."},
		},
		{[]string{"endDateTime"}, messages{"days": noEnd}},
		{[]string{"host"}, messages{"host": "1 character too many."}},
		{[]string{"body", "", "toString"}, messages{}},
	} {
		is(v, fn("refuseForm", c.fields, nightWalk.but("host", tooLong("host", 1))), c.want)
	}
}

// TestZoneIsAnOffset: some devices report an offset, which is not the name of a zone. Offsets of whole hours have
// names. For other offsets, the form asks for the zone at once.
func TestZoneIsAnOffset(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	const unknown = ": We don’t recognize this time zone."
	want := map[string]string{
		"+05:00": "Etc/GMT-5", "-03:00": "Etc/GMT+3", "+00:00": "UTC", "+05:30": "+05:30" + unknown,
		"Asia/Calcutta": "Asia/Kolkata", "Etc/Unknown": "UTC",
	}
	is(v, fn("zonesOnDevices", slices.Collect(maps.Keys(want))), want)
}
