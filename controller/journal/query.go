package journal

import (
	"database/sql"
	"fmt"
	"iter"
	"math"
	"strings"
)

// stored reads in batches, each a short transaction: a reader that takes its time
// would else keep the write-ahead log growing.
func (r *SQLiteReader) stored(op string, after int64, f Filter) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for {
			where, args := f.where(after)
			found, err := r.batch(op, where+" ORDER BY pos LIMIT ?", append(args, batchRecords))
			if err != nil {
				yield(Stored{}, err)
				return
			}
			for i := range found {
				if !yield(found[i], nil) {
					return
				}
				after = found[i].Pos
			}
			if len(found) == 0 || after == math.MaxInt64 {
				return
			}
		}
	}
}

// where is the filter in SQL.
func (f *Filter) where(after int64) (string, []any) {
	clause, args := " WHERE pos > ?", []any{after}
	equal := func(column, value string) {
		if value != "" {
			clause += " AND " + column + " = ?"
			args = append(args, value)
		}
	}
	equal("stream", f.Stream)
	equal("deck", f.Deck)
	equal("actor", f.Actor)
	equal("session", f.Session)
	if f.Hand != 0 {
		clause += " AND hand = ?"
		args = append(args, int64(min(f.Hand, math.MaxInt64)))
	}
	if len(f.Types) > 0 {
		clause += " AND type IN (?" + strings.Repeat(", ?", len(f.Types)-1) + ")"
		for _, t := range f.Types {
			args = append(args, t)
		}
	}
	return clause, args
}

const storedColumns = "SELECT pos, stream, n, wall, type, version, payload, hash, hand, deck, actor, key, session FROM record"

// batch reads rows until their payloads pass batchBytes.
func (r *SQLiteReader) batch(op, clause string, args []any) ([]Stored, error) {
	rows, err := r.db.QueryContext(background, storedColumns+clause, args...)
	if err != nil {
		return nil, r.fault(op, err)
	}
	defer rows.Close()
	var found []Stored
	for size := 0; size < batchBytes && rows.Next(); {
		var st Stored
		st.scan(rows)
		found = append(found, st)
		size += len(st.Record.Payload)
	}
	if err := rows.Err(); err != nil {
		return nil, r.fault(op, err)
	}
	return found, nil
}

// scan takes a row as it is; what the format does not allow becomes its Defect.
func (st *Stored) scan(rows *sql.Rows) {
	var (
		n, version                int64
		hash                      []byte
		deck, actor, key, session sql.Null[string]
		r, c                      = &st.Record, &st.Columns
	)
	err := rows.Scan(&st.Pos, &r.Stream, &n, &r.Wall, &r.Type, &version, &r.Payload, &hash, &c.Hand, &deck, &actor, &key, &session)
	r.Pos, r.N, r.Version = uint64(st.Pos), uint64(n), uint16(version)
	copy(r.Hash[:], hash)
	c.Deck, c.Actor, c.Key, c.Session = deck.V, actor.V, key.V, session.V
	switch {
	case err != nil:
		st.Defect = err.Error()
	case st.Pos < 1:
		st.Defect = fmt.Sprintf("position %d", st.Pos)
	case n < 1:
		st.Defect = fmt.Sprintf("n is %d", n)
	case version < 0 || version > math.MaxUint16:
		st.Defect = fmt.Sprintf("version is %d", version)
	case len(hash) != len(r.Hash):
		st.Defect = fmt.Sprintf("hash has %d bytes, expected %d", len(hash), len(r.Hash))
	}
	for i, t := range []sql.Null[string]{deck, actor, key, session} {
		if t.Valid && t.V == "" {
			st.Blank = [...]string{"deck", "actor", "key", "session"}[i]
		}
	}
}
