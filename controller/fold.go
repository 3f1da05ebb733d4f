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
	after := uint64(0)
	cp, found, err := j.Last(journal.Filter{Stream: id, Types: []string{table.Checkpoint{}.Type()}})
	if err != nil {
		return f, fmt.Errorf("table %s: find the newest checkpoint: %w", id, err)
	}
	if found {
		after = cp.Pos - 1
		f.N = cp.N - 1
	}
	for rec, err := range j.Records(after, journal.Filter{Stream: id}) {
		if err != nil {
			return f, fmt.Errorf("table %s: read the journal: %w", id, err)
		}
		r, err := table.Decode(rec.Type, rec.Version, rec.Payload)
		if err != nil {
			return f, fmt.Errorf("table %s: journal position %d: %w", id, rec.Pos, err)
		}
		if rec.N != f.N+1 {
			return f, fmt.Errorf("table %s: journal position %d has number %d, want %d: run journal verify", id, rec.Pos, rec.N, f.N+1)
		}
		f = f.Fold(r)
	}
	return f, nil
}

// FoldRoom gives the room's state from the journal.
func FoldRoom(j journal.Reader) (room.State, error) {
	var s room.State
	for rec, err := range j.Records(0, journal.Filter{Stream: room.Stream}) {
		if err != nil {
			return s, fmt.Errorf("room: read the journal: %w", err)
		}
		r, err := room.Decode(rec.Type, rec.Version, rec.Payload)
		if err != nil {
			return s, fmt.Errorf("room: journal position %d: %w", rec.Pos, err)
		}
		s = s.Fold(r)
	}
	return s, nil
}
