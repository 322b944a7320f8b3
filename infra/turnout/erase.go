package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"turnout/internal/event"
	"turnout/internal/site"
)

// errUsage means that the arguments are not valid.
var errUsage = errors.New("wrong arguments")

// An erasure holds the parsed arguments [-yes] [-name NAME [-all]] EVENT…
type erasure struct {
	Events []event.Token
	Name   string // the guest's name, or "" to erase whole events
	All    bool   // whether to erase every guest with this name
	Yes    bool   // whether to erase without asking

	known map[event.Token]bool // of Events
}

// atOnce is the number of events that are erased at once. In a file, events that are erased at once share commits.
const atOnce = 16

// An eraser is an event.Store that can erase. storetest.Eraser documents the methods.
type eraser interface {
	EachEvent(ctx context.Context, tokens []event.Token, do func(event.Token, event.Event, error) error) error
	EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error)
	EraseRSVPs(ctx context.Context, token event.Token, name string, all bool, now time.Time) (int, error)
}

// parseErase reads the arguments. The argument - stands for the words on the standard input; see readList.
func parseErase(arguments []string, in io.Reader) (c erasure, err error) {
	c.known = make(map[event.Token]bool)
	flags := flag.NewFlagSet("erase", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&c.Name, "name", "", "")
	flags.BoolVar(&c.All, "all", false, "")
	flags.BoolVar(&c.Yes, "yes", false, "")
	if err := flags.Parse(arguments); err != nil {
		return c, fmt.Errorf("%w: %w", errUsage, err)
	}
	// Refuse an empty name: if the shell has no variable NAME, -name "$NAME" would erase the event.
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			err = fmt.Errorf("%w: -%s is empty", errUsage, f.Name)
		}
	})
	if c.All && c.Name == "" {
		err = errors.Join(err, fmt.Errorf("%w: -all without -name would erase the event", errUsage))
	}
	if err != nil {
		return c, err
	}
	if slices.Equal(flags.Args(), []string{"-"}) {
		err = c.readList(in)
	} else {
		err = c.add(flags.Args())
		if err == nil && len(c.Events) == 0 {
			err = errUsage
		}
	}
	return c, err
}

// readList adds the events of a list in UTF-8. A # at the beginning of a word makes the rest of the line a comment.
func (c *erasure) readList(in io.Reader) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) ||
		bytes.IndexByte(text, 0) >= 0 {
		return errors.New("the list is in UTF-16: save it as UTF-8; nothing was erased")
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		words := strings.Fields(strings.TrimPrefix(line, "\ufeff")) // editors on Windows write a byte order mark
		if i := slices.IndexFunc(words, isComment); i >= 0 {
			words = words[:i]
		}
		if err := c.add(words); err != nil {
			return fmt.Errorf("line %d: %w; nothing was erased", n, err)
		}
	}
	if len(c.Events) == 0 {
		return errors.New("the list names no event; nothing was erased")
	}
	return nil
}

func isComment(word string) bool { return strings.HasPrefix(word, "#") }

// add adds the events that words name, each once.
func (c *erasure) add(words []string) error {
	for _, word := range words {
		token, ok := eventIn(word)
		if !ok {
			return fmt.Errorf("%q is neither an event token nor a link to an event", word)
		}
		if !c.known[token] {
			c.known[token] = true
			c.Events = append(c.Events, token)
		}
	}
	return nil
}

// eventIn returns the event token in a word. The word is a token, or a link as guests copy it.
func eventIn(word string) (event.Token, bool) {
	if link, err := url.Parse(word); err == nil && site.IsEventPage(link.Path) {
		word, _ = site.EventPath(link.Path)
	}
	return event.ParseToken(word)
}

// run shows the events, and erases after the operator's confirmation, or at once with Yes. It returns the number of
// erased events or RSVPs. If it does not find an event, it continues with the next one. A store may have leftovers of
// an event without details: run erases them without asking, because nobody can read such an event.
func (c erasure) run(
	ctx context.Context, store eraser, leftovers bool, now time.Time, in *bufio.Scanner, out io.Writer,
) (int, error) {
	var titles []string
	missing := make(map[event.Token]error)
	err := store.EachEvent(ctx, c.Events, func(token event.Token, e event.Event, err error) error {
		switch {
		case errors.Is(err, event.ErrEventNotFound):
			missing[token] = err
		case err != nil:
			return err
		default:
			fmt.Fprintf(out, "To erase: %s\n", c.what(e))
			titles = append(titles, e.Title)
		}
		return nil
	})
	if err == nil && len(titles) > 0 && !c.Yes {
		err = confirm(titles, in, out)
	}
	if err != nil {
		return 0, err
	}
	all, kind := 0, "events"
	if c.Name != "" {
		kind = "RSVPs"
	}
	var failed []error // the events that are missing
	for batch := range slices.Chunk(c.Events, atOnce) {
		var erased [atOnce]int
		var errs [atOnce]error
		var running sync.WaitGroup
		for i, token := range batch {
			if errs[i] = missing[token]; errs[i] == nil || leftovers {
				running.Go(func() { erased[i], errs[i] = c.erase(ctx, store, token, now) })
			}
		}
		running.Wait()
		for i, token := range batch {
			all += erased[i]
			switch {
			case errs[i] == nil:
				continue
			case len(c.Events) > 1:
				errs[i] = fmt.Errorf("event %v: %w", token, errs[i])
			}
			if isMissing(errs[i]) {
				failed = append(failed, errs[i])
			} else {
				err = cmp.Or(err, errs[i])
			}
		}
		if err != nil {
			break
		}
	}
	if all > 0 {
		fmt.Fprintf(out, "%s erased: %d\n", kind, all)
	}
	if err != nil {
		return all, err
	}
	return all, errors.Join(failed...)
}

// erase erases an event, or the event's guests with the name. It returns the number of erased events or RSVPs.
func (c erasure) erase(ctx context.Context, store eraser, token event.Token, now time.Time) (int, error) {
	if c.Name != "" {
		return store.EraseRSVPs(ctx, token, c.Name, c.All, now)
	}
	_, err := store.EraseEvent(ctx, token, now)
	if err != nil {
		return 0, err
	}
	return 1, nil
}

// what names what would be erased: one guest, all guests with the same name, or the event with its RSVPs.
func (c erasure) what(e event.Event) string {
	title := fmt.Sprintf("%q (%s)", e.Title, e.DateTime)
	switch {
	case c.All:
		return fmt.Sprintf("each %q from %s", c.Name, title)
	case c.Name != "":
		return fmt.Sprintf("%q from %s", c.Name, title)
	case e.AttendeeCount == 1:
		return title + " and its RSVP"
	}
	return fmt.Sprintf("%s and its %d RSVPs", title, e.AttendeeCount)
}

// isMissing reports whether there is nothing to erase, or more than one guest without -all.
func isMissing(err error) bool {
	return errors.Is(err, event.ErrEventNotFound) || errors.Is(err, event.ErrNoGuest) ||
		errors.Is(err, event.ErrSeveralGuests)
}

// confirm asks the operator to type the event's title, or the number of several events. A title with a line break
// cannot be typed, so it needs -yes.
func confirm(titles []string, in *bufio.Scanner, out io.Writer) error {
	what, want := "title", titles[0]
	ask := "the title of the event"
	if len(titles) > 1 {
		what, want = "number", fmt.Sprint(len(titles))
		ask = "the number of the events"
	}
	fmt.Fprintf(out, "To erase for good, type %s: ", ask)
	if !in.Scan() {
		return errors.New("no answer; nothing was erased (-yes erases without a question)")
	}
	if strings.TrimSpace(in.Text()) != strings.TrimSpace(want) {
		return fmt.Errorf("that is not the %s; nothing was erased", what)
	}
	return nil
}
