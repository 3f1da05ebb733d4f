package rig

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shuffler/controller/api"
	"shuffler/sim"
)

// longest bounds every duration that can be said.
const longest = 24 * time.Hour

// Deed is something that somebody does at a table, or trouble that strikes there:
// a line of a scenario, or of a live terminal. It can be done again. The zero
// value is no deed.
type Deed struct {
	text  string
	world func(now time.Duration, w *World) (string, error)
	crew  func(c *Crew, s api.Snapshot) // what only people can do
}

// verb is a first word, how it is used and what it means.
type verb struct {
	word  string
	usage string
	about string
	parse func(a words) (Deed, error)
}

// ParseDeed reads one line of the vocabulary; see Vocabulary. The error says what
// would be right.
func ParseDeed(text string) (Deed, error) {
	all := strings.Fields(text)
	if len(all) == 0 {
		return Deed{}, fmt.Errorf("nothing is said: want a deed such as jam entry")
	}
	d, err := parseDeed(all)
	d.text = strings.Join(all, " ")
	return d, err
}

func parseDeed(all []string) (Deed, error) {
	i := slices.IndexFunc(vocabulary(), func(v verb) bool { return v.word == all[0] })
	if i < 0 {
		return parseFault(words{all: all})
	}
	v := vocabulary()[i]
	d, err := v.parse(words{all: all[1:]})
	if err != nil {
		return Deed{}, fmt.Errorf("%s: %w; want %s", strings.Join(all, " "), err, v.usage)
	}
	return d, nil
}

// String gives the words that were read.
func (d Deed) String() string { return d.text }

// Do does what needs no people in the room, and says what has happened. now is
// the world's present.
func (d Deed) Do(now time.Duration, w *World) (string, error) {
	if d.world == nil {
		return "", fmt.Errorf("%s: only dealer and floor can do that, and nobody plays at this table", d.text)
	}
	return d.world(now, w)
}

// words are what follows a verb. A word that names a device may stand anywhere.
type words struct{ all []string }

// part takes the first name of a device out; or if there is none.
func (a *words) part(or string) string {
	for i, w := range a.all {
		if w == partShuffler || w == partScanner || w == both {
			a.all = slices.Delete(slices.Clone(a.all), i, i+1)
			return w
		}
	}
	return or
}

// next takes the next word; empty if there is none.
func (a *words) next() string {
	if len(a.all) == 0 {
		return ""
	}
	w := a.all[0]
	a.all = a.all[1:]
	return w
}

// end tells of words too many.
func (a *words) end() error {
	if len(a.all) > 0 {
		return fmt.Errorf("%q is too much", strings.Join(a.all, " "))
	}
	return nil
}

// of takes the next word, which must be one of these.
func (a *words) of(may ...string) (string, error) {
	if w := a.next(); slices.Contains(may, w) {
		return w, nil
	} else if w != "" {
		return "", fmt.Errorf("%q is none of %s", w, strings.Join(may, ", "))
	}
	return "", fmt.Errorf("one of %s is missing", strings.Join(may, ", "))
}

// slot takes the next word as a deck's slot.
func (a *words) slot() (string, error) { return a.of(slotA, slotB) }

// duration takes the next word as one; ok is false if there is none.
func (a *words) duration() (d time.Duration, ok bool, err error) {
	w := a.next()
	if w == "" {
		return 0, false, nil
	}
	if d, err = time.ParseDuration(w); err != nil || d < 0 || d > longest {
		return 0, false, fmt.Errorf("%q is no duration such as 3s, up to %s", w, longest)
	}
	return d, true, nil
}

// both stands for shuffler and scanner.
const both = "both"

// machines are what a part names.
func (w *World) machines(part string) []*sim.Machine {
	switch part {
	case partShuffler:
		return []*sim.Machine{w.Shuffler}
	case partScanner:
		return []*sim.Machine{w.Scanner}
	}
	return []*sim.Machine{w.Shuffler, w.Scanner}
}
