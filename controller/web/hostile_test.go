package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/web"
)

// TestBadInput: each gets a problem that says what is wrong, and nothing is
// recorded.
func TestBadInput(t *testing.T) {
	as := "Shuffler-As: floor:7"
	place := "/v1/tables/1/actions/place_deck"
	deck := `{"slot":"A","deck":"D-1","back":"red"%s}`
	long := strings.Repeat("x", 129)
	cases := []struct {
		name, request string
		status        int
		code, arg     string
	}{
		{"unknown field", request("POST", place, fmt.Sprintf(deck, `,"colour":"red"`), as), 400, api.CodeBadRequest, "colour"},
		{"missing field", request("POST", place, `{"slot":"A","deck":"D-1"}`, as), 400, api.CodeBadRequest, ""},
		{"wrong type", request("POST", place, `{"slot":1,"deck":"D-1","back":"red"}`, as), 400, api.CodeBadRequest, "slot"},
		{"no such slot", request("POST", place, `{"slot":"Z","deck":"D-1","back":"red"}`, as), 400, api.CodeBadRequest, "slot"},
		{"no JSON", request("POST", place, `{"slot":`, as), 400, api.CodeBadRequest, ""},
		{"two values", request("POST", place, fmt.Sprintf(deck, "")+"{}", as), 400, api.CodeBadRequest, ""},
		{"null", request("POST", place, "null", as), 400, api.CodeBadRequest, ""},
		{"array", request("POST", place, "[]", as), 400, api.CodeBadRequest, ""},
		{"no body", request("POST", place, "", as), 400, api.CodeBadRequest, ""},
		{"deep nesting", request("POST", place, strings.Repeat(`{"slot":`, 5000), as), 400, api.CodeBadRequest, ""},
		{"arguments where there are none", request("POST", "/v1/tables/1/actions/sign_in", `{"as":"x"}`, as), 400, api.CodeBadRequest, "as"},
		{"number too large", request("POST", "/v1/level", `{"number":70000,"small_blind":1,"big_blind":2}`, as), 400, api.CodeBadRequest, "number"},
		{"number below zero", request("POST", "/v1/level", `{"number":-1,"small_blind":1,"big_blind":2}`, as), 400, api.CodeBadRequest, "number"},
		{"blinds upside down", request("POST", "/v1/level", `{"number":1,"small_blind":9,"big_blind":2}`, as), 409, "bad_level", ""},
		{"level by a dealer", request("POST", "/v1/level", `{"number":1,"small_blind":1,"big_blind":2}`, "Shuffler-As: dealer:3"), 403, "needs_role", "floor"},
		{"nobody", request("POST", place, fmt.Sprintf(deck, "")), 400, api.CodeBadRequest, "Shuffler-As"},
		{"unknown role", request("POST", place, fmt.Sprintf(deck, ""), "Shuffler-As: king:1"), 400, api.CodeBadRequest, "Shuffler-As"},
		{"no role", request("POST", place, fmt.Sprintf(deck, ""), "Shuffler-As: 7"), 400, api.CodeBadRequest, "Shuffler-As"},
		{"unknown second person", request("POST", place, fmt.Sprintf(deck, ""), as, "Shuffler-Approved-By: x"), 400, api.CodeBadRequest, "Shuffler-Approved-By"},
		{"long key", request("POST", place, fmt.Sprintf(deck, ""), as, "Idempotency-Key: "+long), 400, api.CodeBadRequest, "Idempotency-Key"},
		{"key that is no text", request("POST", place, fmt.Sprintf(deck, ""), as, "Idempotency-Key: \xff\xfe"), 400, api.CodeBadRequest, "Idempotency-Key"},
		{"no table", request("POST", "/v1/tables/9/actions/sign_in", "", as), 404, api.CodeNoTable, ""},
		{"the room is no table", request("POST", "/v1/tables/room/actions/sign_in", "", as), 404, api.CodeNoTable, ""},
		{"no action", request("POST", "/v1/tables/1/actions/cheat", "{}", as), 404, api.CodeNoAction, ""},
		{"announcing at a table", request("POST", "/v1/tables/1/actions/announce_level", "{}", as), 404, api.CodeNoAction, ""},
		{"dots", request("GET", "/v1/tables/%2e%2e", ""), 404, api.CodeNoTable, ""},
		{"a path in a name", request("GET", "/v1/tables/..%2f..%2fetc%2fpasswd", ""), 404, api.CodeNoTable, ""},
		{"zero byte", request("GET", "/v1/tables/a%00b", ""), 404, api.CodeNoTable, ""},
		{"no UTF-8", request("GET", "/v1/tables/%ff%fe", ""), 404, api.CodeNoTable, ""},
		{"script", request("GET", "/v1/tables/%3Cscript%3E", ""), 404, api.CodeNoTable, ""},
		{"long name", request("GET", "/v1/tables/"+strings.Repeat("a", 8000), ""), 404, api.CodeNoTable, ""},
		{"nothing there", request("GET", "/v2/tables", ""), 404, api.CodeNoRoute, ""},
		{"root", request("GET", "/", ""), 404, api.CodeNoRoute, ""},
		{"documents of huma", request("GET", "/docs", ""), 404, api.CodeNoRoute, ""},
		{"action by GET", request("GET", place, ""), 405, api.CodeWrongMethod, "GET"},
		{"table by POST", request("POST", "/v1/tables/1", "{}", as), 405, api.CodeWrongMethod, "POST"},
		{"DELETE", request("DELETE", "/v1/tables/1", ""), 405, api.CodeWrongMethod, "DELETE"},
		{"page size zero", request("GET", "/v1/records?limit=0", ""), 400, api.CodeBadRequest, "limit"},
		{"page too large", request("GET", "/v1/records?limit=1001", ""), 400, api.CodeBadRequest, "limit"},
		{"position", request("GET", "/v1/records?after=-1", ""), 400, api.CodeBadRequest, "after"},
		{"hand of which table", request("GET", "/v1/records?hand=1", ""), 400, api.CodeBadRequest, "table"},
		{"misspelt parameter", request("GET", "/v1/records?afer=1", ""), 400, api.CodeBadRequest, "afer"},
		{"other site", request("POST", place, fmt.Sprintf(deck, ""), as, "Origin: http://evil.example"), 403, api.CodeForbidden, ""},
		{"other site by metadata", request("POST", place, fmt.Sprintf(deck, ""), as, "Sec-Fetch-Site: cross-site"), 403, api.CodeForbidden, ""},
		{"form", "POST " + place + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nShuffler-As: floor:7\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", 415, api.CodeNotJSON, ""},
		{"body of 64 KiB and more", request("POST", place, `{"slot":"`+strings.Repeat("a", 64<<10)+`"}`, as), 413, api.CodeTooLarge, ""},
	}
	inHouse(t, func(t *testing.T, h *house) {
		before := len(all(t, h.journal))
		for _, c := range cases {
			r := h.raw(c.request)
			p := r.problem(t)
			if r.status != c.status || p.Code != c.code || p.Arg != c.arg && c.arg != "" {
				t.Errorf("%s: %d %s", c.name, r.status, r.body)
			}
			if len(r.body) > 2000 {
				t.Errorf("%s: answered with %d bytes", c.name, len(r.body))
			}
			if c.status == 405 && r.header.Get("Allow") == "" {
				t.Errorf("%s: Allow is missing", c.name)
			}
		}
		if n := len(all(t, h.journal)); n != before {
			t.Errorf("bad input made %d records", n-before)
		}
		if r := h.post(place, `{"slot":"`+strings.Repeat("a", 64<<10-11)+`"}`, as); r.status != 400 {
			t.Errorf("a body of 64 KiB: %d %s", r.status, r.body)
		}
		h.do("1", opening(""))
	})
}

// TestLimits_SlowClients: headers, bodies and idle connections that never come
// to an end are cut off, and the server goes on.
func TestLimits_SlowClients(t *testing.T) {
	head := "POST /v1/tables/1/actions/sign_in HTTP/1.1\r\nHost: x\r\nShuffler-As: floor:7\r\n"
	for _, c := range []struct {
		name, sent string
		within     time.Duration // and not more than 2 s sooner
	}{
		{"nothing", "", 5 * time.Second},
		{"half a header", head[:40], 5 * time.Second},
		{"half a body", head + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{", 5500 * time.Millisecond},
		{"a body that nobody wants", "GET /v1/version HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n", 10 * time.Second},
		{"an idle connection", "GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n", 61 * time.Second},
		{"headers without end", "GET /v1/version HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 30<<10), time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			inHouse(t, func(t *testing.T, h *house) {
				conn, err := h.net.dial(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				go io.WriteString(conn, c.sent)
				start := time.Now()
				b, _ := io.ReadAll(conn)
				if d := time.Since(start); d > c.within || d < c.within-2*time.Second {
					t.Errorf("held for %v, want %v", d, c.within)
				}
				if strings.Contains(c.name, "headers without") && !strings.Contains(string(b), " 431 ") {
					t.Errorf("answered %.40q", b)
				}
				h.do("1", opening(""))
			})
		})
	}
}

// TestLimits_Connections: so many connections that one more waits until another
// leaves.
func TestLimits_Connections(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		var conns []net.Conn
		for range 128 {
			c, err := h.net.dial(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			conns = append(conns, c)
		}
		within, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if c, err := h.net.dial(within); err == nil {
			c.Close()
			t.Fatal("the 129th was let in")
		}
		conns[0].Close()
		h.do("1", opening(""))
	})
}

// TestStop_EndsStreamsAndFinishesRequests: a reader of the stream does not hold
// the stop up, and an answer under way still comes.
func TestStop_EndsStreamsAndFinishesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{Memory: journal.NewMemory(), gate: make(chan struct{}, 1)}
		h := newHouse(t, g)
		conn, err := h.net.dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go io.WriteString(conn, "GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n")
		go io.Copy(io.Discard, conn)
		g.gate <- struct{}{}
		answer := make(chan error, 1)
		go func() {
			_, err := h.client.Do(t.Context(), "1", opening(""))
			answer <- err
		}()
		synctest.Wait()
		start := time.Now()
		go func() {
			time.Sleep(time.Second)
			<-g.gate
		}()
		h.stop()
		if err := <-answer; err != nil {
			t.Errorf("the request under way: %v", err)
		}
		if d := time.Since(start); d > 2500*time.Millisecond {
			t.Errorf("stopping took %v", d)
		}
	})
}

// TestStop_IdleStream: a stream that has nothing to tell ends with the server.
func TestStop_IdleStream(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		conn, err := h.net.dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go io.WriteString(conn, "GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n")
		go io.Copy(io.Discard, conn)
		synctest.Wait()
		start := time.Now()
		h.stop()
		if d := time.Since(start); d > time.Second {
			t.Errorf("stopping took %v", d)
		}
	})
}

// TestOrigin_OfTCP: over TCP only names of this machine are served.
func TestOrigin_OfTCP(t *testing.T) {
	srv, stop := served(t)
	defer stop()
	ts := httptest.NewServer(srv) // 127.0.0.1
	defer ts.Close()
	addr, _ := url.Parse(ts.URL)
	for host, status := range map[string]int{
		addr.Host: 200, "localhost": 200, "localhost:" + addr.Port(): 200, "[::1]:80": 200, "127.0.0.1": 200,
		"evil.example": 403, "127.0.0.1.evil.example:80": 403, "10.0.0.1": 403,
	} {
		req, _ := http.NewRequest(http.MethodGet, ts.URL+"/v1/tables", nil)
		req.Host = host
		resp, err := ts.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("Host %q: %d, want %d", host, resp.StatusCode, status)
		}
	}
}

// served is a handler over a running controller, outside of a bubble.
func served(tb testing.TB) (*web.Server, func()) {
	j := journal.NewMemory()
	c, err := controller.New(controller.Options{
		Journal: j, Clock: bootClock{time.Now()}, Version: "test", BootID: "b",
		Tables: []controller.TableOptions{{ID: "1", Settings: table.DefaultSettings(), Devices: noDevices{}}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	c.Start()
	return web.NewServer(web.Options{Controller: c, Journal: j, Version: "test"}), func() { _ = c.Stop(context.Background()) }
}

// FuzzRequest sends any action with any body and headers. The answer is always
// JSON of the API, never a failure of the controller.
func FuzzRequest(f *testing.F) {
	f.Add("open_table", `{"activity_card":"AC","manual":"V","floor":"floor:7"}`, "floor:7", "k", "", `"3"`)
	f.Add("place_deck", `{"slot":"A","deck":"D","back":"red"}`, "floor:7", "", "dealer:3", "")
	f.Add("call_floor", `{"reason":"`+"\u2028"+`"}`, "dealer:3", "k2", "x", "")
	f.Add("confirm_seats", `{"button":99999999999999999999,"seats":[1,1,-1]}`, "dealer:3", "k", "", "")
	f.Add("dealer_step", `{"step":"wash","phase":"performed","cards":65536}`, "dealer:3", "\xff", "", "")
	f.Add("../../level", `null`, "a:b:c", "", "", "W/")
	srv, stop := served(f)
	f.Cleanup(stop)
	f.Fuzz(func(t *testing.T, action, body, as, key, second, match string) {
		r := httptest.NewRequest(http.MethodPost, "/v1/tables/1/actions/"+url.PathEscape(action), strings.NewReader(body))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Shuffler-As": {as}, "Idempotency-Key": {key}, "Shuffler-Approved-By": {second}, "If-Match": {match}}
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		resp := w.Result()
		if resp.StatusCode >= 300 && resp.StatusCode < 400 {
			return // a path that was cleaned
		}
		b, _ := io.ReadAll(resp.Body)
		if resp.StatusCode == http.StatusOK {
			return
		}
		if p := (reply{resp.StatusCode, resp.Header, b}).problem(t); p.Status >= 500 {
			t.Errorf("%s", b)
		}
	})
}

// TestPanic_IsToldAndContained is for defects: the connection ends, the operator
// hears of it, and the server goes on.
func TestPanic_IsToldAndContained(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		var told []string
		srv := web.NewServer(web.Options{Controller: h.c, Journal: h.journal, Devices: func() []api.DeviceLink { panic("a defect") },
			Warn: func(msg string, err error) { told = append(told, msg+": "+err.Error()) }})
		n := newPipes()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- srv.Serve(ctx, n) }()
		ask := func(path string) error {
			conn, err := n.dial(t.Context())
			if err != nil {
				return err
			}
			defer conn.Close()
			go io.WriteString(conn, request("GET", path, ""))
			_, err = http.ReadResponse(bufio.NewReader(conn), nil)
			return err
		}
		if ask("/v1/devices") == nil || len(told) != 1 || !strings.Contains(told[0], "GET /v1/devices: a defect") {
			t.Errorf("told %q", told)
		}
		if err := ask("/v1/tables"); err != nil {
			t.Error(err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
