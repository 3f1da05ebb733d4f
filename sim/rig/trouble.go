package rig

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"shuffler/protocol"
	"shuffler/sim"
)

// faultAt reads a fault of one device.
func faultAt(part string) func(words) (Deed, error) {
	return func(a words) (Deed, error) { return parseFault(words{all: append([]string{part}, a.all...)}) }
}

// parseFault reads a fault as sim.ParseFault does, and as people say it: jam entry,
// reboot 2s, cover open @riffle, motor now. Where no device is named it is the
// shuffler's, or the scanner's if a shuffler cannot have it.
func parseFault(a words) (Deed, error) {
	text := strings.Join(a.all, " ")
	part := a.part("")
	f, err := faultInWords(a.all)
	if err != nil {
		return Deed{}, fmt.Errorf("%q is no deed, and no fault: %w", text, err)
	}
	if f.For > longest {
		return Deed{}, fmt.Errorf("%q: want up to %s", text, longest)
	}
	return deed(func(w *World) (string, error) {
		m, name := w.Shuffler, partShuffler
		if part == partScanner {
			m, name = w.Scanner, partScanner
		}
		err := m.Inject(f)
		if err != nil && part == "" {
			name, err = partScanner, w.Scanner.Inject(f)
		}
		if err == nil && part == both {
			name, err = both, w.Scanner.Inject(f)
		}
		return name + " " + f.String(), err
	}), nil
}

func faultInWords(all []string) (sim.Fault, error) {
	head, when, _ := strings.Cut(strings.Join(all, " "), "@")
	w := strings.Fields(head)
	when = strings.Join(strings.Fields(when), "")
	if n := len(w); when == "" && n > 1 && w[n-1] == "now" {
		w, when = w[:n-1], "now"
	}
	if when != "" {
		when = "@" + when
	}
	f, err := sim.ParseFault(strings.Join(w, "_") + when)
	if n := len(w); err != nil && n > 1 {
		if with, e := sim.ParseFault(strings.Join(w[:n-1], "_") + ":" + w[n-1] + when); e == nil {
			return with, nil
		}
	}
	return f, err
}

// rate is one thing that goes wrong on a cable now and then.
type rate struct {
	word  string
	about string
	of    func(*sim.WayFaults) *float64
}

var rates = []rate{
	{"lose", "so many frames are lost", func(f *sim.WayFaults) *float64 { return &f.Lose }},
	{"repeat", "so many frames come twice", func(f *sim.WayFaults) *float64 { return &f.Repeat }},
	{"cut", "so many frames lose their end", func(f *sim.WayFaults) *float64 { return &f.Cut }},
	{"text", "so many frames come behind a line of junk", func(f *sim.WayFaults) *float64 { return &f.Text }},
	{"flip", "so many bytes are others", func(f *sim.WayFaults) *float64 { return &f.Flip }},
	{"burst", "so many frames meet a burst of noise", func(f *sim.WayFaults) *float64 { return &f.Burst }},
}

func rateOf(word string) (rate, bool) {
	for _, r := range rates {
		if r.word == word {
			return r, true
		}
	}
	return rate{}, false
}

// chance takes the next word as a part of all, in percent.
func (a *words) chance() (float64, error) {
	w := a.next()
	value, percent := strings.CutSuffix(w, "%")
	p, err := strconv.ParseFloat(value, 64)
	if err != nil || !percent || !(p >= 0 && p <= 100) {
		return 0, fmt.Errorf("%q is no rate such as 0.1%%", w)
	}
	return p / 100, nil
}

// parseLine sets all that is wrong with a cable.
func parseLine(a words) (Deed, error) {
	part := a.part(both)
	var f sim.WayFaults
	for len(a.all) > 0 {
		word := a.next()
		if word == "ok" {
			return onCables(part, func(w *sim.WayFaults) { *w = f }), a.end()
		}
		r, known := rateOf(word)
		if !known {
			return Deed{}, fmt.Errorf("%q is no trouble of a cable", word)
		}
		p, err := a.chance()
		if err != nil {
			return Deed{}, err
		}
		*r.of(&f) = p
	}
	return onCables(part, func(w *sim.WayFaults) { *w = f }), nil
}

// parseRate sets one rate beside the others.
func parseRate(r rate) func(words) (Deed, error) {
	return func(a words) (Deed, error) {
		part := a.part(both)
		p, err := a.chance()
		return onCables(part, func(w *sim.WayFaults) { *r.of(w) = p }), cmp.Or(err, a.end())
	}
}

func parseSilence(a words) (Deed, error) {
	part := a.part(both)
	d, ok, err := a.duration()
	if err == nil && !ok {
		err = errors.New("for how long?")
	}
	return deed(func(w *World) (string, error) { return "", w.silence(part, d) }), cmp.Or(err, a.end())
}

// onCables changes what is wrong with the cables of a part, both ways.
func onCables(part string, change func(*sim.WayFaults)) Deed {
	return deed(func(w *World) (string, error) {
		for i, line := range w.lines() {
			if part == parts[i] || part == both {
				change(&w.faults[i])
				line.SetFaults(sim.SymmetricFaults(w.faults[i]))
			}
		}
		return w.cableText(), nil
	})
}

// lines are the cables, in the order of parts.
func (w *World) lines() [2]*sim.Line { return [2]*sim.Line{w.ShufflerLine, w.ScannerLine} }

// silence lets nothing through for a while, from the machines' present on.
func (w *World) silence(part string, d time.Duration) error {
	for i, line := range w.lines() {
		if part == parts[i] || part == both {
			line.Silence(w.machines(parts[i])[0].Now(), protocol.AnyDirection, d)
		}
	}
	return nil
}

// cableText says what is wrong with the cables.
func (w *World) cableText() string {
	var said []string
	for i, part := range parts {
		text := ""
		for _, r := range rates {
			if p := *r.of(&w.faults[i]); p > 0 {
				text += fmt.Sprintf(" %s %g%%", r.word, 100*p)
			}
		}
		if text != "" {
			said = append(said, part+text)
		}
	}
	if said == nil {
		return "cables ok"
	}
	return "cables: " + strings.Join(said, ", ")
}
