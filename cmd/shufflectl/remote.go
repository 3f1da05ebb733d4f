package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"iter"

	"shuffler/controller/api"
	"shuffler/controller/journal"
)

// remotePage is how many records the API gives at once at most.
const remotePage = 1000

// remoteJournal reads the journal of a running controller, page by page. It
// belongs to one command.
type remoteJournal struct {
	ctx    context.Context
	client *api.Client
	page   int // records asked for at once; 0 means remotePage
}

var (
	_ journal.Reader = (*remoteJournal)(nil)
	_ journal.Source = (*remoteJournal)(nil)
)

// Head is described at journal.Reader.
func (r *remoteJournal) Head() (journal.Head, error) {
	v, err := r.client.Version(r.ctx)
	if err != nil {
		return journal.Head{}, err
	}
	h, err := journal.ParseHead(v.Head)
	h.Chain = v.Chain
	return h, err
}

// Records is described at journal.Reader. Kind, hand and deck are picked by the
// controller, actor and session here.
func (r *remoteJournal) Records(after uint64, f journal.Filter) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		q := api.Query{After: after, Table: f.Stream, Types: f.Types, Hand: f.Hand, Deck: f.Deck, Limit: cmp.Or(r.page, remotePage)}
		for {
			page, err := r.client.Records(r.ctx, q)
			if err != nil {
				yield(journal.Record{}, err)
				return
			}
			for _, wire := range page.Records {
				rec, err := recordOf(wire)
				if err == nil && !kept(rec, f) {
					continue
				}
				if !yield(rec, err) || err != nil {
					return
				}
			}
			if page.Next <= q.After || len(page.Records) == 0 {
				return
			}
			q.After = page.Next
		}
	}
}

func kept(rec journal.Record, f journal.Filter) bool {
	if f.Actor == "" && f.Session == "" {
		return true
	}
	c, err := journal.Derive(rec.Payload)
	return err == nil && (f.Actor == "" || f.Actor == c.Actor) && (f.Session == "" || f.Session == c.Session)
}

func recordOf(w api.Record) (journal.Record, error) {
	rec := journal.Record{Pos: w.Pos, Entry: journal.Entry{Stream: w.Stream, N: w.N, Wall: w.Wall, Type: w.Type, Version: w.Version, Payload: w.Payload}}
	if n, err := hex.Decode(rec.Hash[:], []byte(w.Hash)); err != nil || n != len(rec.Hash) {
		return rec, fmt.Errorf("record %d: its hash %q is none", w.Pos, w.Hash)
	}
	return rec, nil
}

// Last is described at journal.Reader.
func (r *remoteJournal) Last(f journal.Filter) (last journal.Record, found bool, err error) {
	for rec, err := range r.Records(0, f) {
		if err != nil {
			return journal.Record{}, false, err
		}
		last, found = rec, true
	}
	return last, found, nil
}

// ByKey is described at journal.Reader.
func (r *remoteJournal) ByKey(key string) (journal.Record, bool, error) {
	for rec, err := range r.Records(0, journal.Filter{}) {
		if err != nil {
			return journal.Record{}, false, err
		}
		if c, err := journal.Derive(rec.Payload); err == nil && key != "" && c.Key == key {
			return rec, true, nil
		}
	}
	return journal.Record{}, false, nil
}

// StreamHead is described at journal.Reader.
func (r *remoteJournal) StreamHead(stream string) (uint64, error) {
	last, _, err := r.Last(journal.Filter{Stream: stream})
	return last.N, err
}

// Extent is described at journal.Source.
func (r *remoteJournal) Extent() (string, uint64, error) {
	h, err := r.Head()
	return h.Chain, h.Pos, err
}

// Stored is described at journal.Source. The columns for queries are the
// controller's own affair: they are not told.
func (r *remoteJournal) Stored() iter.Seq2[journal.Stored, error] {
	return func(yield func(journal.Stored, error) bool) {
		for rec, err := range r.Records(0, journal.Filter{}) {
			st := journal.Stored{Pos: int64(rec.Pos), Record: rec}
			if err == nil {
				st.Columns, _ = journal.Derive(rec.Payload) // a payload that is none is found all the same
			}
			if !yield(st, err) || err != nil {
				return
			}
		}
	}
}

// StorageProblems is described at journal.Source: the file is not within reach.
func (r *remoteJournal) StorageProblems() ([]journal.Problem, error) { return nil, nil }
