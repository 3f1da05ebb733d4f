package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/controller/web"
)

// pipes is a network in memory: no kernel buffers, so a reader that does not read
// is seen at once, and the time of a synctest bubble goes on.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return pipeAddr{} }

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

// noDevices is a table without machines.
type noDevices struct{}

func (noDevices) Halt(fault.Part)  {}
func (noDevices) Do(table.Command) {}

type bootClock struct{ start time.Time }

func (c bootClock) Mono() time.Duration { return time.Since(c.start) + time.Minute }
func (bootClock) Wall() time.Time       { return time.Now() }

// house is a room with two tables, a running controller and its API.
type house struct {
	t       *testing.T
	c       *controller.Controller
	journal journal.Journal
	net     *pipes
	client  *api.Client
	stop    func()
	mu      sync.Mutex
	warned  []string
}

// newHouse must be called in a synctest bubble: that no goroutine is left over
// when the test ends is part of every test.
func newHouse(t *testing.T, j journal.Journal) *house {
	t.Helper()
	return newStaffedHouse(t, j, nil, room.Staff{})
}

// newStaffedHouse is newHouse with a staff file.
func newStaffedHouse(t *testing.T, j journal.Journal, p web.Prover, staff room.Staff) *house {
	t.Helper()
	h := &house{t: t, journal: j, net: newPipes()}
	bell := web.NewBell()
	warn := func(msg string, err error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.warned = append(h.warned, msg)
	}
	var tables []controller.TableOptions
	for _, id := range []string{"1", "2"} {
		tables = append(tables, controller.TableOptions{ID: id, Settings: table.DefaultSettings(), Devices: noDevices{}})
	}
	c, err := controller.New(controller.Options{
		Journal: j, Clock: bootClock{time.Now()}, Version: "test", BootID: "b", Tables: tables, Staff: staff, Observe: bell.Observe, Warn: warn,
	})
	if err != nil {
		t.Fatal(err)
	}
	h.c = c
	c.Start()
	srv := web.NewServer(web.Options{Controller: c, Journal: j, Version: "test", Bell: bell, Staff: p, Warn: warn})
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, h.net) }()
	h.client = api.NewClient("http://shufflerd", h.net.dial)
	h.stop = sync.OnceFunc(func() {
		h.client.Close()
		cancel()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
		within, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := c.Stop(within); err != nil {
			t.Errorf("Stop: %v", err)
		}
	})
	t.Cleanup(h.stop)
	synctest.Wait()
	return h
}

// inHouse runs a test in a bubble of its own.
func inHouse(t *testing.T, test func(*testing.T, *house)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newHouse(t, journal.NewMemory())) })
}

// reply is an answer as it came over the wire.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) problem(t *testing.T) api.Problem {
	t.Helper()
	var p api.Problem
	if ct := r.header.Get("Content-Type"); ct != "application/problem+json" {
		t.Fatalf("status %d with %q: %s", r.status, ct, r.body)
	}
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatalf("problem %q: %v", r.body, err)
	}
	if p.Status != r.status || p.Code == "" || p.Title == "" || p.Detail == "" || p.Hint == "" || p.Type != "about:blank" {
		t.Fatalf("status %d, problem is not complete: %s", r.status, r.body)
	}
	return p
}

// raw sends the request as it stands and reads one answer.
func (h *house) raw(request string) reply {
	h.t.Helper()
	conn, err := h.net.dial(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, request) }() // a server that has heard enough stops reading
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		h.t.Fatalf("%q: %v", request[:min(len(request), 200)], err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, b}
}

// request words a request; headers are "Name: value".
func request(method, path, body string, headers ...string) string {
	var b strings.Builder
	b.WriteString(method + " " + path + " HTTP/1.1\r\nHost: shufflerd\r\nConnection: close\r\n")
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	if method == http.MethodPost {
		b.WriteString("Content-Type: application/json\r\nContent-Length: " + itoa(len(body)) + "\r\n")
	}
	return b.String() + "\r\n" + body
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func (h *house) post(path, body string, headers ...string) reply {
	h.t.Helper()
	return h.raw(request(http.MethodPost, path, body, headers...))
}

func (h *house) get(path string, headers ...string) reply {
	h.t.Helper()
	return h.raw(request(http.MethodGet, path, "", headers...))
}

// do asks for an action that must be done.
func (h *house) do(table string, r api.Request) api.Answer {
	h.t.Helper()
	a, err := h.client.Do(h.t.Context(), table, r)
	if err != nil || !a.Done {
		h.t.Fatalf("%s at %s: %+v, %v", r.Action, table, a, err)
	}
	return a
}

func opening(key string) api.Request {
	return api.Request{Action: "open_table", By: "floor:7", Key: key, Args: api.Args(api.OpenTable{ActivityCard: "AC-1", Manual: "V0.2", Floor: "floor:7", Deputy: "floor:8"})}
}

// all reads the whole journal.
func all(t *testing.T, j journal.Reader) []journal.Record {
	t.Helper()
	var l []journal.Record
	for r, err := range j.Records(0, journal.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		l = append(l, r)
	}
	return l
}
