package journal

import (
	"fmt"
)

// row is a record with its columns, as it is about to be stored.
type row struct {
	Record
	Columns
}

// past is what link asks about records already there.
type past interface {
	streamHead(stream string) (uint64, error)
	keyPos(key string) (pos uint64, used bool, err error)
}

// link checks a group of entries and chains them behind head. It is the one place
// where an entry becomes a record, in memory and in SQLite alike. It changes
// nothing; errors of p are passed through.
func link(path string, head Head, entries []Entry, p past) ([]row, error) {
	rows := make([]row, len(entries))
	streams := make(map[string]uint64, 2)
	keys := make(map[string]uint64)
	var buf []byte
	previous := head.Hash
	for i := range entries {
		e := &entries[i]
		r := &rows[i]
		r.Pos, r.Entry = head.Pos+uint64(i)+1, *e
		var err error
		if r.Columns, err = checkEntry(path, i, e); err != nil {
			return nil, err
		}
		if err := continues(path, i, e, streams, p); err != nil {
			return nil, err
		}
		if err := keyIsFree(path, i, r, keys, p); err != nil {
			return nil, err
		}
		r.Hash, buf = r.chain(previous, buf)
		previous = r.Hash
	}
	return rows, nil
}

func checkEntry(path string, i int, e *Entry) (Columns, error) {
	if err := e.check(); err != nil {
		return Columns{}, refused(path, i, e, nil, err.Error(), "")
	}
	c, keyTrouble, err := derive(e.Payload)
	if err != nil {
		return Columns{}, refused(path, i, e, nil, err.Error(), "give one JSON object")
	}
	if keyTrouble != nil {
		return Columns{}, refused(path, i, e, nil, "idempotency key "+keyTrouble.Error(),
			fmt.Sprintf("give a string of at most %d bytes", maxColumnBytes))
	}
	return c, nil
}

func continues(path string, i int, e *Entry, streams map[string]uint64, p past) error {
	last, ok := streams[e.Stream]
	if !ok {
		var err error
		if last, err = p.streamHead(e.Stream); err != nil {
			return err
		}
	}
	if e.N != last+1 {
		return refused(path, i, e, ErrOrder, fmt.Sprintf("the stream is at %d, so %d is next", last, last+1),
			"restore the stream from the journal and number from there")
	}
	streams[e.Stream] = e.N
	return nil
}

func keyIsFree(path string, i int, r *row, keys map[string]uint64, p past) error {
	if r.Key == "" {
		return nil
	}
	pos, used := keys[r.Key]
	if !used {
		var err error
		if pos, used, err = p.keyPos(r.Key); err != nil {
			return err
		}
	}
	if used {
		return refused(path, i, &r.Entry, ErrKeyUsed, fmt.Sprintf("key %q belongs to record %d", r.Key, pos),
			"answer what that record says")
	}
	keys[r.Key] = r.Pos
	return nil
}
