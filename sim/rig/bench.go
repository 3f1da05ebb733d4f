package rig

import (
	"fmt"
	"math/rand/v2"
	"regexp"
)

// Options say what a Bench is. The zero value is one table, "1".
type Options struct {
	IDs   []string // of the tables, each of letters, digits, - and _; nil is one table, "1"
	Seed  uint64   // of packs and machines
	Speed float64  // of the machines' motions, 10 is ten times as fast; 0 is 1. Limits of the protocol do not scale
	Links string   // folder for names that stay when a terminal changes; empty: none
	// Tell is told what happens by itself, for people. It may be called from any
	// goroutine, one at a time for each table, and must not call back. May be nil.
	Tell func(table, what string)
}

// Bench is simulated tables over pseudo-terminals, in real time. It may be shared
// between goroutines.
type Bench struct {
	tables []*Table
	links  *links
}

var goodID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// StartBench sets the tables up and lets them run until Close. The error says
// what cannot be had, and what to do; nothing is left behind then.
func StartBench(o Options) (*Bench, error) {
	b := &Bench{}
	if err := b.start(o); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Bench) start(o Options) (err error) {
	if o.IDs == nil {
		o.IDs = []string{"1"}
	}
	if o.Speed == 0 {
		o.Speed = 1
	}
	if !(o.Speed >= slowest && o.Speed <= fastest) {
		return fmt.Errorf("speed %v: want %v to %v", o.Speed, slowest, fastest)
	}
	if o.Links != "" {
		if b.links, err = openLinks(o.Links); err != nil {
			return err
		}
	}
	for i, id := range o.IDs {
		if _, double := b.Table(id); double || !goodID.MatchString(id) {
			return fmt.Errorf("table %q: want 1 to 32 letters, digits, - and _, and each table once", id)
		}
		w := newWorld(id, motions(o.Speed), rand.New(rand.NewPCG(o.Seed, uint64(i)+1)))
		w.deckPrefix = "D" + id + "-"
		tell := func(string) {}
		if o.Tell != nil {
			tell = func(what string) { o.Tell(id, what) }
		}
		t, err := startTable(id, w, b.links, tell)
		if err != nil {
			return err
		}
		b.tables = append(b.tables, t)
	}
	return nil
}

// Tables gives the tables in the order of Options.IDs.
func (b *Bench) Tables() []*Table { return b.tables }

// Table gives the table of an id.
func (b *Bench) Table(id string) (*Table, bool) {
	for _, t := range b.tables {
		if t.ID == id {
			return t, true
		}
	}
	return nil, false
}

// Close hangs all ports up and removes the links. Whoever plays at a table is to
// be stopped before.
func (b *Bench) Close() {
	for _, t := range b.tables {
		t.Close()
	}
	if b.links != nil {
		b.links.close()
	}
}
