package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/api"
)

// stand is a stand-in for the controller in memory. A connection breaks where
// the handler panics with http.ErrAbortHandler.
type stand struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
	srv   *http.Server
	down  atomic.Bool // refuses connections
}

func (s *stand) Accept() (net.Conn, error) {
	select {
	case c := <-s.conns:
		return c, nil
	case <-s.done:
		return nil, net.ErrClosed
	}
}
func (s *stand) Close() error   { s.once.Do(func() { close(s.done) }); return nil }
func (s *stand) Addr() net.Addr { return s }
func (*stand) Network() string  { return "memory" }
func (s *stand) String() string { return "memory" }

func (s *stand) dial(ctx context.Context) (net.Conn, error) {
	if s.down.Load() {
		return nil, &net.OpError{Op: "dial", Net: "memory", Err: errors.New("connection refused")}
	}
	ours, theirs := net.Pipe()
	select {
	case s.conns <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// against runs a test in a bubble with a client of a stand-in.
func against(t *testing.T, h http.HandlerFunc, test func(*testing.T, *stand, *api.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &stand{conns: make(chan net.Conn), done: make(chan struct{}), srv: &http.Server{Handler: h}}
		ended := make(chan error)
		go func() { ended <- s.srv.Serve(s) }()
		c := api.NewClient("http://shufflerd", s.dial)
		test(t, s, c)
		c.Close()
		s.srv.Close()
		<-ended
	})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// TestClient_RepeatsWithTheSameKey: the answer is lost with the connection, twice;
// the request goes out again under its key, and is told apart from a new one.
func TestClient_RepeatsWithTheSameKey(t *testing.T) {
	var mu sync.Mutex
	var keys, paths []string
	h := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		b, _ := io.ReadAll(r.Body)
		keys = append(keys, r.Header.Get(api.HeaderKey))
		paths = append(paths, r.Method+" "+r.URL.EscapedPath()+" "+r.Header.Get(api.HeaderAs)+" "+r.Header.Get(api.HeaderApprovedBy)+" "+string(b)+" "+r.Header.Get("If-Match"))
		if len(keys) < 3 {
			panic(http.ErrAbortHandler)
		}
		answer(w, api.Answer{Done: true, N: 7})
	}
	against(t, h, func(t *testing.T, s *stand, c *api.Client) {
		a, err := c.Do(t.Context(), "a/b", api.Request{Action: "call_floor", By: "dealer:3", ApprovedBy: "floor:7", Args: api.Args(api.Reason{Reason: "x"})})
		if err != nil || !a.Done || a.N != 7 {
			t.Fatalf("%+v, %v", a, err)
		}
		if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[0] != keys[2] {
			t.Errorf("keys %q", keys)
		}
		if want := `POST /v1/tables/a%2Fb/actions/call_floor dealer:3 floor:7 {"reason":"x"} `; paths[0] != want || paths[2] != want {
			t.Errorf("asked for %q, want %q", paths, want)
		}
		if _, err := c.DoAt(t.Context(), "1", 42, api.Request{Action: "sign_in", By: "dealer:3"}); err != nil {
			t.Fatal(err)
		}
		if keys[3] == keys[0] || !strings.HasSuffix(paths[3], ` {} "42"`) {
			t.Errorf("the next request: key %q, %q", keys[3], paths[3])
		}
		if _, err := c.Announce(t.Context(), "floor:7", api.AnnounceLevel{Number: 1}); err != nil || !strings.HasPrefix(paths[4], "POST /v1/level floor:7") {
			t.Errorf("%v, %q", err, paths[4])
		}
	})
}

// TestClient_GivesUp: at once where no controller runs, after its patience where
// one has gone, and not at all while it comes back in time.
func TestClient_GivesUp(t *testing.T) {
	var gone atomic.Bool
	gone.Store(true)
	h := func(w http.ResponseWriter, _ *http.Request) {
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		answer(w, api.Tables{})
	}
	against(t, h, func(t *testing.T, s *stand, c *api.Client) {
		s.down.Store(true)
		start := time.Now()
		_, err := c.Tables(t.Context())
		if !errors.Is(err, api.ErrUnreachable) || time.Since(start) != 0 || !strings.Contains(err.Error(), "is shufflerd running") {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		s.down.Store(false)
		start = time.Now()
		_, err = c.Tables(t.Context())
		if d := time.Since(start); !errors.Is(err, api.ErrUnreachable) || d < 7*time.Second || d > 10*time.Second {
			t.Errorf("after %v: %v", d, err)
		}
		go func() {
			time.Sleep(500 * time.Millisecond)
			s.down.Store(true) // it restarts
			time.Sleep(4 * time.Second)
			gone.Store(false)
			s.down.Store(false)
		}()
		if _, err = c.Tables(t.Context()); err != nil {
			t.Errorf("a restart: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err = c.Tables(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// TestClient_Problems are typed, also where something else answers.
func TestClient_Problems(t *testing.T) {
	h := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/tables/1/actions/end_hand":
			w.Header().Set("Content-Type", "application/problem+json; charset=utf-8")
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusConflict)
			_ = json.NewEncoder(w).Encode(api.Problem{Code: "on_hold", Arg: "x", Detail: "d", Hint: "h", N: 5})
		case "/v1/tables":
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>")
		case "/v1/decks":
			http.Redirect(w, r, "http://evil.example/", http.StatusFound)
		default:
			_, _ = io.WriteString(w, "not JSON")
		}
	}
	against(t, h, func(t *testing.T, s *stand, c *api.Client) {
		a, err := c.Do(t.Context(), "1", api.Request{Action: "end_hand", By: "dealer:3"})
		p, ok := errors.AsType[*api.Problem](err)
		if !ok || p.Status != 409 || p.RetryAfter != 3*time.Second || err.Error() != "on_hold (x): d; h" || a != (api.Answer{Problem: "on_hold", Arg: "x", Detail: "d", N: 5}) {
			t.Errorf("%+v, %v", a, err)
		}
		for name, call := range map[string]func() error{
			"a proxy":     func() error { _, err := c.Tables(t.Context()); return err },
			"a redirect":  func() error { _, err := c.Decks(t.Context()); return err },
			"other words": func() error { _, err := c.Devices(t.Context()); return err },
		} {
			if p, ok := errors.AsType[*api.Problem](call()); !ok || p.Code != api.CodeUnexpected {
				t.Errorf("%s: %+v", name, p)
			}
		}
	})
}

// TestClient_Stream: what a stand-in may do to a reader.
func TestClient_Stream(t *testing.T) {
	rec := func(pos int) string {
		return fmt.Sprintf("id: %d\nevent: record\ndata: {\"pos\":%d}\n\n", pos, pos)
	}
	var mu sync.Mutex
	var asked []string
	connections := []func(w http.ResponseWriter, r *http.Request){
		func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, ": hello\nid: 3\n\n") }, // from now: 3
		func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, rec(4)+"event: state\ndata: {\"table\":\"1\",\n"+"data: \"n\":9}\n\nevent: news\ndata: x\n\nid: 5\nevent: record\ndata: {\"pos\":")
		},
		func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, rec(4)+rec(5)+"id: 8\n\n") }, // 4 again; 6 to 8 are others'
		func(w http.ResponseWriter, r *http.Request) { // silent without end
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		func(w http.ResponseWriter, _ *http.Request) { // quiet, but alive
			for range 8 {
				io.WriteString(w, ": heartbeat\n\n")
				w.(http.Flusher).Flush()
				time.Sleep(15 * time.Second)
			}
			io.WriteString(w, rec(9))
		},
	}
	h := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n := len(asked)
		asked = append(asked, r.Header.Get("Last-Event-Id")+r.URL.RawQuery)
		mu.Unlock()
		connections[min(n, len(connections)-1)](w, r)
	}
	against(t, h, func(t *testing.T, s *stand, c *api.Client) {
		var got []string
		enough := errors.New("enough")
		err := c.Stream(t.Context(), api.Query{After: api.FromNow, Table: "1"}, func(e api.Event) error {
			if e.State != nil {
				got = append(got, fmt.Sprint("state ", e.State.N))
				return nil
			}
			got = append(got, fmt.Sprint(e.Record.Pos))
			if e.Record.Pos == 9 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || !slices.Equal(got, []string{"4", "state 9", "5", "9"}) {
			t.Errorf("%v, %v", got, err)
		}
		if want := []string{"table=1", "3table=1", "4table=1", "8table=1", "8table=1", "8table=1"}; !slices.Equal(asked, want) {
			t.Errorf("asked for %q, want %q", asked, want)
		}
	})
	for _, bad := range []string{"id: x\nevent: record\ndata: {}\n\n", "id: 1\nevent: record\ndata: {\n\n", "event: state\ndata: []\n\n", "id: 7\nevent: record\ndata: {\"pos\":8}\n\n"} {
		against(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, bad) }, func(t *testing.T, s *stand, c *api.Client) {
			err := c.Stream(t.Context(), api.Query{}, func(api.Event) error { return nil })
			if p, ok := errors.AsType[*api.Problem](err); !ok || p.Code != api.CodeUnexpected {
				t.Errorf("%q: %v", bad, err)
			}
		})
	}
	against(t, nil, func(t *testing.T, s *stand, c *api.Client) {
		s.down.Store(true)
		if err := c.Stream(t.Context(), api.Query{}, nil); !errors.Is(err, api.ErrUnreachable) {
			t.Errorf("no controller: %v", err)
		}
	})
}

// TestRemote answers in the caller's goroutine, or hands the answer over.
func TestRemote(t *testing.T) {
	h := func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			answer(w, api.Snapshot{Table: "1", N: 3})
			return
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusForbidden)
		_ = json.NewEncoder(w).Encode(api.Problem{Code: "needs_role", Arg: "floor"})
	}
	against(t, h, func(t *testing.T, s *stand, c *api.Client) {
		r := api.Remote{Client: c}
		if snap, err := r.Snapshot("1"); err != nil || snap.N != 3 {
			t.Errorf("%+v, %v", snap, err)
		}
		var got api.Answer
		r.Ask("1", api.Request{Action: "close_table", By: "dealer:3"}, func(a api.Answer) { got = a })
		if got.Problem != "needs_role" || got.Arg != "floor" || got.Done {
			t.Errorf("%+v", got)
		}
		posted := make(chan func(), 1)
		r.Post = func(f func()) { posted <- f }
		got = api.Answer{}
		r.Ask("1", api.Request{Action: "close_table", By: "dealer:3"}, func(a api.Answer) { got = a })
		synctest.Wait()
		if got.Problem != "" {
			t.Error("the answer was not handed over")
		}
		(<-posted)()
		if got.Problem != "needs_role" {
			t.Errorf("%+v", got)
		}
		c.Close()
		s.down.Store(true)
		r.Post = nil
		r.Ask("1", api.Request{Action: "close_table", By: "dealer:3"}, func(a api.Answer) { got = a })
		if got.Problem != "unreachable" || got.Done {
			t.Errorf("nobody there: %+v", got)
		}
	})
}

// FuzzStream sends anything as a stream: records come out in order, each once.
func FuzzStream(f *testing.F) {
	f.Add("id: 3\n\nid: 4\nevent: record\ndata: {\"pos\":4}\n\n")
	f.Add(": x\n\nevent: state\ndata: {\"n\":1}\n\n")
	f.Add("data\ndata:\nid\n\n\r\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		served := false
		against(t, func(w http.ResponseWriter, _ *http.Request) {
			if served {
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, `{"code":"over"}`)
				return
			}
			served = true
			_, _ = io.WriteString(w, text)
		}, func(t *testing.T, _ *stand, c *api.Client) {
			last := uint64(0)
			err := c.Stream(t.Context(), api.Query{}, func(e api.Event) error {
				if (e.Record == nil) == (e.State == nil) {
					t.Errorf("event %+v", e)
				}
				if e.Record != nil && e.Record.Pos <= last {
					t.Errorf("record %d after %d", e.Record.Pos, last)
				} else if e.Record != nil {
					last = e.Record.Pos
				}
				return nil
			})
			if err == nil {
				t.Error("a stream has no end of its own")
			}
		})
	})
}
