package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/room"
)

// registerStream makes the operation that tells what happens, as it happens.
func (s *Server) registerStream(h huma.API) {
	type subscribe struct {
		After       string `query:"after" doc:"position behind which to begin; without it, with the next record"`
		Table       string `query:"table" doc:"a table, or room; empty for all"`
		LastEventID string `header:"Last-Event-ID" doc:"the position that was read last; it counts more than after"`
	}
	op := reading("/v1/stream", "stream", "Records in order and states as they change (text/event-stream). "+
		"Event record has the journal position as its id and is resumed without loss or repeat; event state has none, and only the newest is told.",
		http.StatusNotFound, http.StatusConflict)
	op.Responses = map[string]*huma.Response{"200": {
		Description: "a stream without end; comments every 15 s",
		Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	huma.Register(h, op, func(ctx context.Context, in *subscribe) (*huma.StreamResponse, error) {
		if err := s.checkStream(in.Table); err != nil {
			return nil, err
		}
		after, err := s.position(ctx, in.LastEventID, in.After)
		if err != nil {
			return nil, err
		}
		select {
		case s.streams <- struct{}{}:
		default:
			return nil, problemOf(api.CodeTooMany, "", "")
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			defer func() { <-s.streams }()
			r, w := humago.Unwrap(hc)
			sub := &subscription{server: s, w: w, rc: http.NewResponseController(w), table: in.Table, pos: after, shown: map[string]shownState{}}
			if r.Method == http.MethodHead {
				sub.begin()
				return
			}
			sub.run(r.Context())
		}}, nil
	})
}

// position is where a stream begins.
func (s *Server) position(ctx context.Context, lastID, after string) (pos uint64, err error) {
	var head journal.Head
	if err := s.readJournal(ctx, func() (err error) { head, err = s.opt.Journal.Head(); return err }); err != nil {
		return 0, err
	}
	from, name := lastID, "Last-Event-ID"
	if from == "" {
		from, name = after, "after"
	}
	if from == "" {
		return head.Pos, nil
	}
	if pos, err = strconv.ParseUint(from, 10, 63); err != nil {
		return 0, problemOf(api.CodeBadRequest, name, "want a position of the journal")
	}
	if pos > head.Pos {
		return 0, problemOf(api.CodeAhead, name, fmt.Sprintf("the journal ends at position %d", head.Pos))
	}
	return pos, nil
}

// subscription is one reader of the stream. It reads the journal by itself, so
// nothing is kept for it, and one that is slow keeps nobody waiting.
type subscription struct {
	server *Server
	w      http.ResponseWriter
	rc     *http.ResponseController
	table  string
	pos    uint64 // everything up to there is told
	shown  map[string]shownState
	buf    bytes.Buffer
}

// shownState is what was last told of a table, as hashes.
type shownState struct{ state, text uint64 }

var seed = maphash.MakeSeed()

func (u *subscription) run(ctx context.Context) {
	if u.begin() != nil {
		return
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	heartbeat := time.NewTicker(heartbeatEvery)
	defer heartbeat.Stop()
	stop := stopping(ctx)
	for {
		rung := u.server.opt.Bell.wait() // before reading
		if u.tellRecords(ctx, stop) != nil || u.tellStates() != nil {
			return
		}
		select {
		case <-rung:
		case <-look.C:
		case <-heartbeat.C:
			// The id moves on past records of other tables.
			fmt.Fprintf(&u.buf, ": heartbeat\nid: %d\n\n", u.pos)
			if u.flush() != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-stop:
			return
		}
	}
}

// begin sends the headers and where the stream begins, so that a reader whose
// connection breaks before the first record can resume.
func (u *subscription) begin() error {
	h := u.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	fmt.Fprintf(&u.buf, "retry: 1000\nid: %d\n\n", u.pos)
	return u.flush()
}

// flush sends what is in the buffer; a reader that does not take it in time is
// dropped.
func (u *subscription) flush() error {
	if u.buf.Len() == 0 {
		return nil
	}
	_ = u.rc.SetWriteDeadline(time.Now().Add(messageWithin)) // a writer without deadlines has none
	_, err := u.w.Write(u.buf.Bytes())
	u.buf.Reset()
	if err != nil {
		return err
	}
	return u.rc.Flush()
}

func (u *subscription) tellRecords(ctx context.Context, stop <-chan struct{}) error {
	j := u.server.opt.Journal
	head, err := j.Head()
	if err == nil && head.Pos <= u.pos {
		return nil
	}
	if err != nil {
		return u.unread(err)
	}
	for rec, e := range j.Records(u.pos, journal.Filter{Stream: u.table}) {
		if e != nil {
			return u.unread(e)
		}
		if err := u.event("record", wireRecord(rec), rec.Pos); err != nil {
			return err
		}
		u.pos = rec.Pos
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-stop:
			return context.Canceled
		default:
		}
	}
	u.pos = max(u.pos, head.Pos) // what the filter left out
	return u.flush()
}

// unread ends the stream; its reader comes back for the rest.
func (u *subscription) unread(err error) error {
	u.server.opt.Warn("web: stream: read the journal", err)
	return err
}

// tellStates tells the tables that look other than when they were last told.
func (u *subscription) tellStates() error {
	if u.table == room.Stream {
		return nil
	}
	for _, id := range u.server.opt.Controller.Tables() {
		if u.table != "" && u.table != id {
			continue
		}
		snap, err := u.server.opt.Controller.Snapshot(id)
		if err != nil {
			return err
		}
		state := maphash.Comparable(seed, snap)
		last, told := u.shown[id]
		if told && last.state == state {
			continue
		}
		text := api.Args(snapshot(snap))
		now := shownState{state, maphash.Bytes(seed, text)}
		u.shown[id] = now
		if told && now.text == last.text {
			continue // deadlines and such moved
		}
		if err := u.event("state", json.RawMessage(text), 0); err != nil {
			return err
		}
	}
	return u.flush()
}

// event adds one message and sends what has come together, if it is much; pos 0
// for none.
func (u *subscription) event(name string, data any, pos uint64) error {
	if pos != 0 {
		fmt.Fprintf(&u.buf, "id: %d\n", pos)
	}
	fmt.Fprintf(&u.buf, "event: %s\ndata: ", name)
	if err := json.NewEncoder(&u.buf).Encode(data); err != nil { // one line, with its end
		return err
	}
	u.buf.WriteByte('\n')
	if u.buf.Len() < batchBytes {
		return nil
	}
	return u.flush()
}
