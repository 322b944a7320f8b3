package browser

import "testing"

// movedEvent is a cancelled event whose reason leads to another one.
func movedEvent(t *testing.T) created {
	t.Helper()
	old := announce(t, supper(), guests[:3]...)
	cancel(t, old, "The roof is wet through.\n\nNew date: Saturday, 19 December 2099 at 19:30 (Central European Time)\n"+base+announce(t, days(30)).public())
	return old
}
