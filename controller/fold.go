package controller

import (
	"fmt"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
)

// FoldTable gives the facts of a table from the journal. It starts at the
// newest checkpoint, so that a start does not take longer with the years.
func FoldTable(j journal.Reader, id string) (table.Facts, error) {
	var f table.Facts
	err := foldStream(j, id, table.Checkpoint{}.Type(), func(rec journal.Record) error {
		r, err := table.Decode(rec.Type, rec.Version, rec.Payload)
		if err == nil {
			f.N = rec.N - 1
			f = f.Fold(r)
		}
		return err
	})
	if err != nil {
		return f, fmt.Errorf("table %s: %w", id, err)
	}
	return f, nil
}

// FoldRoom gives the room's state from the journal, from its newest checkpoint.
func FoldRoom(j journal.Reader) (room.State, error) {
	var s room.State
	err := foldStream(j, room.Stream, room.Checkpoint{}.Type(), func(rec journal.Record) error {
		r, err := room.Decode(rec.Type, rec.Version, rec.Payload)
		if err == nil {
			s.N = rec.N - 1
			s = s.Fold(r)
		}
		return err
	})
	if err != nil {
		return s, fmt.Errorf("room: %w", err)
	}
	return s, nil
}

// foldStream gives the records of a stream in order, from its newest checkpoint
// on, and sees that none is missing.
func foldStream(j journal.Reader, stream, checkpoint string, fold func(journal.Record) error) error {
	cp, found, err := j.Last(journal.Filter{Stream: stream, Types: []string{checkpoint}})
	if err != nil {
		return fmt.Errorf("find the newest checkpoint: %w", err)
	}
	after, next := uint64(0), uint64(1)
	if found {
		after, next = cp.Pos-1, cp.N
	}
	for rec, err := range j.Records(after, journal.Filter{Stream: stream}) {
		if err != nil {
			return fmt.Errorf("read the journal: %w", err)
		}
		if rec.N != next {
			return fmt.Errorf("journal position %d has number %d, want %d: run journal verify", rec.Pos, rec.N, next)
		}
		if err := fold(rec); err != nil {
			return fmt.Errorf("journal position %d: %w", rec.Pos, err)
		}
		next++
	}
	return nil
}
