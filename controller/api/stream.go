package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Tuning constants of the stream.
const (
	silentAfter  = 45 * time.Second // three heartbeats: the connection is dead
	maxLineBytes = 4 << 20
)

// FromNow as Query.After begins a stream with the next record.
const FromNow = math.MaxUint64

// errSilent: no heartbeat came.
var errSilent = errors.New("stream has fallen silent")

// Stream calls f for each record behind q.After in order, without loss or
// repeat, and for each change of a table's state (the newest only, of those that
// came close together). Where the connection breaks it goes on from the last
// record for as long as ctx lasts. It ends with the error of f, of ctx, or with
// the *Problem that a resumption met. Of q, After and Table count.
func (c *Client) Stream(ctx context.Context, q Query, f func(Event) error) error {
	s := stream{client: c, query: q, emit: f, after: q.After, started: q.After != FromNow}
	pause := firstPause
	for {
		before := s.heard
		err := s.run(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p, ok := errors.AsType[*Problem](err); ok && p.Status < http.StatusInternalServerError {
			return err
		}
		if ended, ok := errors.AsType[*handlerError](err); ok {
			return ended.err
		}
		if u, ok := errors.AsType[*unreachable](err); ok && u.neverMade() && s.heard == 0 {
			return err // it does not run
		}
		if s.heard != before {
			pause = firstPause
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
	}
}

// handlerError is an error of the caller's function.
type handlerError struct{ err error }

func (e *handlerError) Error() string { return e.err.Error() }

// garbled is a message that no new connection makes better.
func garbled(err error) error {
	return &handlerError{&Problem{Code: CodeUnexpected, Detail: "stream: " + err.Error(), Hint: "is the controller of another version?"}}
}

// stream is one subscription over as many connections as it takes.
type stream struct {
	client  *Client
	query   Query
	emit    func(Event) error
	after   uint64
	started bool   // after is known
	heard   uint64 // messages so far
}

// run is one connection.
func (s *stream) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silentAfter, func() { cancel(&unreachable{s.client.server, errSilent}) })
	defer watch.Stop()

	q := Query{Table: s.query.Table}.values()
	h := http.Header{"Accept": {"text/event-stream"}}
	if s.started {
		h.Set("Last-Event-Id", strconv.FormatUint(s.after, 10))
	}
	path := "/v1/stream"
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	resp, err := s.client.open(ctx, http.MethodGet, path, h, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	err = readMessages(resp.Body, func() { watch.Reset(silentAfter) }, s.take)
	if _, ours := errors.AsType[*handlerError](err); ours {
		return err
	}
	return s.client.broken(ctx, err)
}

// take is one message.
func (s *stream) take(m message) error {
	s.heard++
	pos, err := strconv.ParseUint(m.id, 10, 64)
	switch {
	case m.id != "" && err != nil:
		return garbled(fmt.Errorf("id %q is no position", m.id))
	case m.data == nil: // only tells how far the stream has come
		if m.id != "" && (!s.started || pos > s.after) {
			s.after, s.started = pos, true
		}
		return nil
	case m.event == "record" && s.started && pos <= s.after:
		return nil // had it already
	}
	switch m.event {
	case "record":
		r := &Record{}
		if err := json.Unmarshal(m.data, r); err != nil {
			return garbled(fmt.Errorf("record after %d: %w", s.after, err))
		}
		if r.Pos != pos {
			return garbled(fmt.Errorf("record %d comes as %q", r.Pos, m.id))
		}
		if err := s.emit(Event{Record: r}); err != nil {
			return &handlerError{err}
		}
		s.after, s.started = r.Pos, true
	case "state":
		st := &Snapshot{}
		if err := json.Unmarshal(m.data, st); err != nil {
			return garbled(fmt.Errorf("state: %w", err))
		}
		if err := s.emit(Event{State: st}); err != nil {
			return &handlerError{err}
		}
	}
	return nil // others are of a newer version
}

// message is one of a text/event-stream.
type message struct {
	event, id string
	data      []byte
}

// readMessages reads a text/event-stream until it ends; alive is called for
// each line, comments too. A message that the end cuts off is dropped.
func readMessages(r io.Reader, alive func(), take func(message) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLineBytes)
	var m message
	for lines.Scan() {
		alive()
		line := lines.Bytes()
		if len(line) == 0 {
			if err := take(m); err != nil {
				return err
			}
			m = message{}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			m.event = string(value)
		case "id":
			m.id = string(value)
		case "data":
			if m.data != nil {
				m.data = append(m.data, '\n')
			}
			m.data = append(m.data, value...)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF // a stream has no end of its own
}
