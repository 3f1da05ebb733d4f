package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/api"
	"shuffler/controller/journal"
)

// announce makes a record in the room, and one at each table.
func (h *house) announce(n int) {
	h.t.Helper()
	h.do("", api.Request{Action: "announce_level", By: "floor:7", Args: api.Args(api.AnnounceLevel{Number: uint16(n), SmallBlind: 100, BigBlind: 200})})
	synctest.Wait()
}

// sameRecords holds what a stream told against the journal.
func sameRecords(t *testing.T, got []api.Record, want []journal.Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d records, the journal has %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if g.Pos != w.Pos || g.Hash != w.Hash.String() || string(g.Payload) != string(w.Payload) || g.Stream != w.Stream || g.N != w.N || g.Type != w.Type || g.Wall != w.Wall {
			t.Fatalf("record %d: %+v, the journal has %+v", i, g, w)
		}
	}
}

// cutting is a connection that breaks after some bytes of an answer.
type cutting struct {
	net.Conn
	left int
}

func (c *cutting) Read(p []byte) (int, error) {
	if c.left <= 0 {
		c.Close()
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// TestStream_ResumesWithoutLossOrRepeat: the connection breaks in the middle of
// headers, of messages and between them, again and again.
func TestStream_ResumesWithoutLossOrRepeat(t *testing.T) {
	for _, cut := range []int{1000, 1337, 2048, 9999} {
		t.Run(fmt.Sprint(cut), func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				connections := 0
				flaky := api.NewClient("http://shufflerd", func(ctx context.Context) (net.Conn, error) {
					connections++
					c, err := h.net.dial(ctx)
					return &cutting{c, cut + 17*connections}, err
				})
				defer flaky.Close()
				enough := errors.New("enough")
				var got []api.Record
				states := 0
				want := 0
				over := make(chan struct{})
				go func() {
					for n := range 60 {
						h.announce(n + 1)
						time.Sleep(time.Duration(n%7) * 100 * time.Millisecond)
					}
					h.do("1", opening("last"))
					close(over)
				}()
				err := flaky.Stream(t.Context(), api.Query{}, func(e api.Event) error {
					if e.State != nil {
						states++
						return nil
					}
					got = append(got, *e.Record)
					if e.Record.Type == "table_opened" {
						want = len(got)
						return enough
					}
					return nil
				})
				if !errors.Is(err, enough) {
					t.Fatal(err)
				}
				<-over
				sameRecords(t, got, all(t, h.journal)[:want])
				if connections < 4 || states == 0 {
					t.Errorf("%d connections and %d states: the test shows nothing", connections, states)
				}
			})
		})
	}
}

// TestStream_FromNow begins with the next record, also where the connection
// breaks before it comes; a filter lets one table through.
func TestStream_FromNow(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		before := len(all(t, h.journal))
		var conns []net.Conn
		c := api.NewClient("http://shufflerd", func(ctx context.Context) (net.Conn, error) {
			c, err := h.net.dial(ctx)
			conns = append(conns, c)
			return c, err
		})
		defer c.Close()
		ctx, cancel := context.WithCancel(t.Context())
		var got []api.Record
		ended := make(chan error, 1)
		go func() {
			ended <- c.Stream(ctx, api.Query{After: api.FromNow, Table: "2"}, func(e api.Event) error {
				if e.Record != nil {
					got = append(got, *e.Record)
				} else if e.State.Table != "2" {
					t.Errorf("state of table %s", e.State.Table)
				}
				return nil
			})
		}()
		synctest.Wait()
		conns[0].Close() // nothing was told yet, and the next record comes meanwhile
		h.announce(1)
		time.Sleep(time.Second)
		h.announce(2)
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Stream: %v", err)
		}
		var want []journal.Record
		for _, r := range all(t, h.journal)[before:] {
			if r.Stream == "2" {
				want = append(want, r)
			}
		}
		if len(want) != 2 || len(conns) != 2 {
			t.Fatalf("%d records, %d connections: the test shows nothing", len(want), len(conns))
		}
		sameRecords(t, got, want)
	})
}

// TestStream_SlowReaderIsDropped: it is cut off, comes back where it was, and the
// others never waited.
func TestStream_SlowReaderIsDropped(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		slow, err := h.net.dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		if _, err := io.WriteString(slow, "GET /v1/stream?after=0 HTTP/1.1\r\nHost: shufflerd\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		heard := make(chan uint64, 1000)
		ended := make(chan error, 1)
		go func() {
			ended <- h.client.Stream(ctx, api.Query{}, func(e api.Event) error {
				if e.Record != nil {
					heard <- e.Record.Pos
				}
				return nil
			})
		}()
		for n := range 20 {
			at := time.Now()
			h.announce(n + 1)
			if d := time.Since(at); d != 0 {
				t.Errorf("an announcement waited %v for a slow reader", d)
			}
		}
		if len(heard) != len(all(t, h.journal)) {
			t.Errorf("the quick reader has %d records of %d", len(heard), len(all(t, h.journal)))
		}
		time.Sleep(11 * time.Second)
		b, err := io.ReadAll(slow)
		if n := strings.Count(string(b), "event: record"); n >= len(all(t, h.journal)) || err != nil {
			t.Errorf("the slow reader was not dropped: %d records, %v", n, err)
		}
		cancel()
		<-ended
	})
}

// TestStream_Heartbeat: a comment every 15 s while nothing happens, and the
// position moves on past the records of others.
func TestStream_Heartbeat(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		conn, err := h.net.dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		go io.WriteString(conn, "GET /v1/stream?table=room HTTP/1.1\r\nHost: shufflerd\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatalf("%v %v", resp, err)
		}
		lines := bufio.NewScanner(resp.Body)
		start := time.Now()
		var beats []time.Duration
		ids := []string{}
		for len(beats) < 3 && lines.Scan() {
			if line := lines.Text(); line == ": heartbeat" {
				beats = append(beats, time.Since(start))
				if len(beats) == 1 {
					h.do("1", opening("")) // a record of table 1
				}
			} else if id, ok := strings.CutPrefix(line, "id: "); ok {
				ids = append(ids, id)
			}
		}
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "id: ") {
		}
		ids = append(ids, strings.TrimPrefix(lines.Text(), "id: "))
		if fmt.Sprint(beats) != "[15s 30s 45s]" {
			t.Errorf("heartbeats at %v", beats)
		}
		if head, _ := h.journal.Head(); ids[len(ids)-1] != fmt.Sprint(head.Pos) || ids[0] == ids[len(ids)-1] {
			t.Errorf("positions %v, the journal is at %d", ids, head.Pos)
		}
	})
}

func TestStream_Refusals(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for _, c := range []struct{ path, header, code, arg string }{
			{"/v1/stream?after=x", "X: y", api.CodeBadRequest, "after"},
			{"/v1/stream?after=-1", "X: y", api.CodeBadRequest, "after"},
			{"/v1/stream?after=99999", "X: y", api.CodeAhead, "after"},
			{"/v1/stream?after=0", "Last-Event-ID: 99999", api.CodeAhead, "Last-Event-ID"},
			{"/v1/stream?after=0", "Last-Event-ID: 18446744073709551615", api.CodeBadRequest, "Last-Event-ID"},
			{"/v1/stream?table=9", "X: y", api.CodeNoTable, ""},
		} {
			if p := h.get(c.path, c.header).problem(t); p.Code != c.code || p.Arg != c.arg {
				t.Errorf("%s: %+v", c.path, p)
			}
		}
		if _, err := h.client.Records(t.Context(), api.Query{Table: "9"}); err == nil {
			t.Error("records of no table")
		}
		err := h.client.Stream(t.Context(), api.Query{After: 99999}, func(api.Event) error { return nil })
		if p, ok := errors.AsType[*api.Problem](err); !ok || p.Code != api.CodeAhead {
			t.Errorf("a reader of another journal: %v", err)
		}
		if r := h.raw("HEAD /v1/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); r.status != http.StatusOK || len(r.body) != 0 {
			t.Errorf("HEAD: %+v", r)
		}
	})
}

// TestStream_Limit: so many readers that one more is told to come back, and
// actions still get through.
func TestStream_Limit(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		for range 64 {
			go func() { ended <- h.client.Stream(ctx, api.Query{}, func(api.Event) error { return nil }) }()
		}
		synctest.Wait()
		if r := h.get("/v1/stream"); r.problem(t).Code != api.CodeTooMany || r.header.Get("Retry-After") == "" {
			t.Errorf("the 65th: %+v", r)
		}
		h.do("1", opening(""))
		cancel()
		for range 64 {
			<-ended
		}
	})
}

// TestRecords_Pages reads the journal in pages, whole and filtered.
func TestRecords_Pages(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for n := range 20 {
			h.announce(n + 1)
		}
		read := func(q api.Query) (l []api.Record) {
			t.Helper()
			for {
				p, err := h.client.Records(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if len(p.Records) == 0 {
					head, _ := h.journal.Head()
					if p.Next != head.Pos || p.Head != head.String() {
						t.Errorf("the last page ends at %d, %s; the journal at %s", p.Next, p.Head, head)
					}
					return l
				}
				l = append(l, p.Records...)
				q.After = p.Next
			}
		}
		sameRecords(t, read(api.Query{Limit: 7}), all(t, h.journal))
		sameRecords(t, read(api.Query{}), all(t, h.journal))
		var room []journal.Record
		for _, r := range all(t, h.journal) {
			if r.Stream == "room" && r.Type == "level_announced" {
				room = append(room, r)
			}
		}
		sameRecords(t, read(api.Query{Table: "room", Types: []string{"level_announced", "nonsense"}, Limit: 3}), room)
		if l := read(api.Query{Deck: "D-9"}); len(l) != 0 {
			t.Errorf("records of a deck that there is not: %v", l)
		}
	})
}
