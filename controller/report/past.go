package report

import (
	"errors"
	"fmt"
	"iter"

	"shuffler/controller/journal"
	"shuffler/controller/table"
)

// ErrNotFound says that the journal does not hold what was asked for.
var ErrNotFound = errors.New("not in the journal")

// past is one table's stream.
type past struct {
	j     journal.Reader
	table string
	chain string
}

func openPast(j journal.Reader, id string) (past, error) {
	n, err := j.StreamHead(id)
	if err != nil {
		return past{}, fmt.Errorf("table %s: %w", id, err)
	}
	if n == 0 {
		return past{}, fmt.Errorf("table %s: %w: no record of such a table", id, ErrNotFound)
	}
	head, err := j.Head()
	if err != nil {
		return past{}, fmt.Errorf("table %s: %w", id, err)
	}
	return past{j, id, head.Chain}, nil
}

// entry is one record of the stream.
type entry struct {
	pos  uint64
	n    uint64
	wall int64
	hash journal.Hash
	rec  table.Record
}

// fact is a record with the facts before and after it.
type fact struct {
	entry
	before, after table.Facts
}

// belongs is the hand that a record is about: the one in play, else the next.
func (f fact) belongs() uint64 {
	if f.before.Hand.InPlay() {
		return f.before.Hand.Number
	}
	return f.before.LastHand + 1
}

func (p past) place(e entry) Place { return Place{p.chain, e.pos, e.hash.String()} }

// entries gives the records behind a position, of some types or all.
func (p past) entries(after uint64, types ...string) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		for r, err := range p.j.Records(after, journal.Filter{Stream: p.table, Types: types}) {
			e := entry{pos: r.Pos, n: r.N, wall: r.Wall, hash: r.Hash}
			if err != nil {
				err = fmt.Errorf("table %s: read the journal: %w", p.table, err)
			} else if e.rec, err = table.Decode(r.Type, r.Version, r.Payload); err != nil {
				err = fmt.Errorf("table %s: journal position %d: %w", p.table, r.Pos, err)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// facts gives every record from a position on, with the facts around it. It
// begins to fold at the newest checkpoint before, so that a report does not
// take longer with the years.
func (p past) facts(from uint64) iter.Seq2[fact, error] {
	return func(yield func(fact, error) bool) {
		var f table.Facts
		after, next := uint64(0), uint64(1)
		for r, err := range p.j.Records(0, journal.Filter{Stream: p.table, Types: []string{table.Checkpoint{}.Type()}}) {
			if err != nil {
				yield(fact{}, fmt.Errorf("table %s: find a checkpoint: %w", p.table, err))
				return
			}
			if r.Pos >= from {
				break
			}
			after, next = r.Pos-1, r.N
		}
		for e, err := range p.entries(after) {
			if err == nil && e.n != next {
				err = fmt.Errorf("table %s: journal position %d has number %d, want %d: run journal verify", p.table, e.pos, e.n, next)
			}
			if err != nil {
				yield(fact{}, err)
				return
			}
			f.N, next = e.n-1, e.n+1
			before := f
			f = f.Fold(e.rec)
			if e.pos >= from && !yield(fact{e, before, f}, nil) {
				return
			}
		}
	}
}

// factsBefore are the facts as they stood before the record at a position.
func (p past) factsBefore(pos uint64) (table.Facts, error) {
	for f, err := range p.facts(pos) {
		return f.before, err
	}
	return table.Facts{}, fmt.Errorf("table %s: %w: position %d", p.table, ErrNotFound, pos)
}

// opening is the newest opening of the table at or before a position, or the
// newest of all for position 0; with a number, the one of that session.
func (p past) opening(before, session uint64) (entry, error) {
	var found entry
	for e, err := range p.entries(0, table.TableOpened{}.Type()) {
		if err != nil {
			return entry{}, err
		}
		if before != 0 && e.pos > before {
			break
		}
		if r := e.rec.(table.TableOpened); session == 0 || r.Session == session {
			found = e
		}
	}
	switch {
	case found.pos != 0:
		return found, nil
	case session != 0:
		return entry{}, fmt.Errorf("table %s: %w: session %d", p.table, ErrNotFound, session)
	}
	return entry{}, fmt.Errorf("table %s: %w: the table was never opened", p.table, ErrNotFound)
}
