package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/room"
)

// readJournal does f while at most so many others read, and words its failure.
// The disk may hang: whoever waits for it must not use up all connections.
func (s *Server) readJournal(ctx context.Context, f func() error) error {
	select {
	case s.reading <- struct{}{}:
	case <-ctx.Done():
		return problemOf(api.CodeUnreadable, "", "")
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-s.reading }()
		done <- f()
	}()
	select {
	case err := <-done:
		if err != nil {
			s.opt.Warn("web: read the journal", err)
			return problemOf(api.CodeUnreadable, "", err.Error())
		}
		return nil
	case <-ctx.Done():
		return problemOf(api.CodeUnreadable, "", "")
	}
}

// registerJournal makes the operation that reads the journal in pages.
func (s *Server) registerJournal(h huma.API) {
	type page struct {
		After uint64 `query:"after" doc:"position behind which to begin"`
		Table string `query:"table" doc:"a table, or room; empty for all"`
		Type  string `query:"type" maxLength:"1000" doc:"record types, with commas between them"`
		Hand  uint64 `query:"hand" doc:"number of a hand; give the table too"`
		Deck  string `query:"deck" maxLength:"200"`
		Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	}
	type records struct{ Body api.Records }
	huma.Register(h, reading("/v1/records", "list_records", "The journal, in pages", http.StatusNotFound), func(ctx context.Context, in *page) (*records, error) {
		if err := s.checkStream(in.Table); err != nil {
			return nil, err
		}
		if in.Hand != 0 && in.Table == "" {
			return nil, problemOf(api.CodeBadRequest, "table", "hands are counted by table: say which")
		}
		f := journal.Filter{Stream: in.Table, Hand: in.Hand, Deck: in.Deck}
		if in.Type != "" {
			f.Types = strings.Split(in.Type, ",")
		}
		out := &records{}
		err := s.readJournal(ctx, func() (err error) { out.Body, err = s.page(ctx, in.After, in.Limit, f); return err })
		return out, err
	})
}

func (s *Server) page(ctx context.Context, after uint64, limit int, f journal.Filter) (api.Records, error) {
	head, err := s.opt.Journal.Head()
	if err != nil {
		return api.Records{}, err
	}
	out := api.Records{Records: []api.Record{}, Next: after, Head: head.String()}
	bytes := 0
	for rec, err := range s.opt.Journal.Records(after, f) {
		if err != nil {
			return out, err
		}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.Records = append(out.Records, wireRecord(rec))
		out.Next = rec.Pos
		if bytes += len(rec.Payload); len(out.Records) == limit || bytes >= maxPageBytes {
			return out, nil
		}
	}
	out.Next = max(out.Next, head.Pos) // there is nothing of the kind up to there
	return out, nil
}

// checkStream refuses a table that there is not.
func (s *Server) checkStream(name string) error {
	if name == "" || name == room.Stream || slices.Contains(s.opt.Controller.Tables(), name) {
		return nil
	}
	return problemOf(api.CodeNoTable, "", "there is no table "+quote(name))
}

func wireRecord(r journal.Record) api.Record {
	return api.Record{Pos: r.Pos, Stream: r.Stream, N: r.N, Wall: r.Wall, Type: r.Type, Version: r.Version, Payload: r.Payload, Hash: r.Hash.String()}
}

func headOf(r journal.Record) journal.Head { return journal.Head{Pos: r.Pos, Hash: r.Hash} }

func (s *Server) last(stream, typ string) (journal.Record, bool, error) {
	return s.opt.Journal.Last(journal.Filter{Stream: stream, Types: []string{typ}})
}

// registry is the room's decks, folded from the journal as far as it was when
// last asked.
type registry struct {
	j     journal.Reader
	mu    sync.Mutex
	state room.State
	pos   uint64
}

func (r *registry) decks() ([]api.RegisteredDeck, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for rec, err := range r.j.Records(r.pos, journal.Filter{Stream: room.Stream}) {
		if err != nil {
			return nil, err
		}
		fact, err := room.Decode(rec.Type, rec.Version, rec.Payload)
		if err != nil {
			return nil, err
		}
		r.state, r.pos = r.state.Fold(fact), rec.Pos
	}
	l := make([]api.RegisteredDeck, 0, len(r.state.Decks))
	for id, d := range r.state.Decks {
		l = append(l, api.RegisteredDeck{ID: id, Back: d.Back, Table: d.Table, Quarantined: d.Quarantined, Envelope: d.Envelope})
	}
	slices.SortFunc(l, func(a, b api.RegisteredDeck) int { return strings.Compare(a.ID, b.ID) })
	return l, nil
}
