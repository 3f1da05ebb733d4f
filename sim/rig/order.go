package rig

import (
	"fmt"
	"strings"
	"time"
)

// Order is one line that is said to a live bench: what, and at which table.
type Order struct {
	Table string // empty: at every table
	word  string // help, ports or status; empty: deed
	deed  Deed
}

// Words of a bench beside the vocabulary of deeds.
const (
	wordHelp   = "help"
	wordPorts  = "ports"
	wordStatus = "status"
)

// ParseOrder reads "[table ID:] DEED", or help, ports or status in a deed's
// place. The error says what would be right.
func ParseOrder(line string) (o Order, err error) {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "table "); ok {
		id, what, ok := strings.Cut(rest, ":")
		if o.Table = strings.TrimSpace(id); !ok || !goodID.MatchString(o.Table) {
			return Order{}, fmt.Errorf("%q: want table ID: DEED, as in table 2: jam entry", line)
		}
		line = strings.TrimSpace(what)
	}
	switch line {
	case wordHelp, wordPorts, wordStatus:
		o.word = line
		return o, nil
	}
	if o.deed, err = ParseDeed(line); err != nil {
		return Order{}, fmt.Errorf("%w; %s lists what can be said", err, wordHelp)
	}
	return o, nil
}

// Answer does what a line says and tells what became of it, in one line that
// begins with "ok" or "error:". In front of help's there are lines that begin
// with a blank. An empty line and one that begins with # have an empty answer.
func (b *Bench) Answer(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return ""
	}
	o, err := ParseOrder(line)
	if err != nil {
		return refused(err)
	}
	if o.word == wordHelp {
		return help()
	}
	tables := b.tables
	if o.Table != "" {
		t, found := b.Table(o.Table)
		if !found {
			return refused(fmt.Errorf("there is no table %s; there are %s", o.Table, b.ids()))
		}
		tables = []*Table{t}
	}
	var said []string
	for _, t := range tables {
		s, err := t.order(o)
		if err != nil {
			return refused(fmt.Errorf("table %s: %w", t.ID, err))
		}
		if len(tables) > 1 && s != "" {
			s = "table " + t.ID + ": " + s
		}
		if s != "" {
			said = append(said, s)
		}
	}
	return oneLine(strings.TrimSpace("ok " + strings.Join(said, "; ")))
}

func (b *Bench) ids() string {
	var ids []string
	for _, t := range b.tables {
		ids = append(ids, t.ID)
	}
	return strings.Join(ids, ", ")
}

func refused(err error) string { return oneLine("error: " + err.Error()) }

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "; ") }

func help() string {
	var s strings.Builder
	row := func(usage, about string) { fmt.Fprintf(&s, "  %-42s %s\n", usage, about) }
	for _, v := range Vocabulary() {
		row(v[0], v[1])
	}
	row(wordPorts, "where shuffler and scanner are to be opened")
	row(wordStatus, "what lies where, and how the lines are")
	row("FAULT", "a fault alone: the shuffler's, or the scanner's if only that can have it")
	row("table ID: …", "at one table; else at every table")
	s.WriteString("ok\n")
	return strings.TrimSuffix(s.String(), "\n")
}

// order does one order at this table.
func (t *Table) order(o Order) (said string, err error) {
	switch o.word {
	case wordPorts:
		p := t.Ports()
		return fmt.Sprintf("shuffler=%s scanner=%s", p.Shuffler, p.Scanner), nil
	case wordStatus:
		return t.Status(), nil
	}
	return t.Perform(o.deed)
}

// Perform does a deed at the table now and says what has happened. The error
// says why it cannot be done.
func (t *Table) Perform(d Deed) (said string, err error) {
	t.Do(func(now time.Duration, w *World) {
		if d.crew != nil && t.crew != nil {
			err = t.crew.interrupt(d)
			return
		}
		said, err = d.Do(now, w)
	})
	return said, err
}

// Status says in one line what lies where and how the lines are. Of cards there
// are counts only (X1).
func (t *Table) Status() (text string) {
	t.Do(func(now time.Duration, w *World) {
		var said []string
		for i, p := range t.ports {
			said = append(said, t.portText(p, now), machineText(parts[i], w))
		}
		text = strings.Join(append(said, w.whereIs(slotA), w.whereIs(slotB), w.cableText()), "; ")
	})
	return text
}

func (t *Table) portText(p *port, now time.Duration) string {
	at := p.name
	switch {
	case p.term == nil:
		at = "unplugged"
	case p.path != p.name:
		at = p.path + " (" + p.name + ")"
	}
	heard := "never heard from"
	if !p.stats.Heard.IsZero() {
		heard = "heard from " + (now - p.stats.Heard.Sub(t.started)).Round(100*time.Millisecond).String() + " ago"
	}
	crossed := ""
	if t.crossed {
		crossed = ", crossed"
	}
	return fmt.Sprintf("port of the %s: %s, %s, %d bytes in, %d out, %d lost%s", p.part, at, heard, p.stats.In, p.stats.Out, p.stats.Dropped, crossed)
}

func machineText(part string, w *World) string {
	m := w.machines(part)[0]
	at := m.Places()
	moving := "stands"
	if m.Moving() {
		moving = "moves"
	}
	return fmt.Sprintf("%s %s, cards: tray %d, chamber %d, exit %d, caught %d", part, moving, len(at.Tray), len(at.Chamber), len(at.Exit), len(at.Caught))
}
