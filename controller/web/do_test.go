package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/web"
)

// TestActions_EachReachesTheTable: over HTTP, under its own name, with its actor,
// and the journal has it.
func TestActions_EachReachesTheTable(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for _, name := range web.Actions() {
			key := "key-" + name
			r := h.post("/v1/tables/1/actions/"+name, string(api.Args(web.FullArgs(name))), "Shuffler-As: technician:9", "Idempotency-Key: "+key)
			p := r.problem(t) // a technician may do none of them, but two
			if name == "set_service" && p.Code == "needs_role" {
				t.Logf("set_service: %+v", p)
			}
			rec, found, err := h.journal.ByKey(key)
			if err != nil || !found {
				t.Errorf("%s: status %d, %s; the journal has nothing of it (%v)", name, r.status, r.body, err)
				continue
			}
			var refused struct{ By, Action, Auth string }
			if err := json.Unmarshal(rec.Payload, &refused); err != nil || refused.Action != name || refused.By != "technician:9" || refused.Auth != "none" {
				t.Errorf("%s: recorded as %s", name, rec.Payload)
			}
			if want := http.StatusForbidden; p.Code == "needs_role" && r.status != want {
				t.Errorf("%s: status %d, want %d", name, r.status, want)
			}
		}
	})
}

// TestRule9_SameKeySameAnswer also after a restart on the same journal.
func TestRule9_SameKeySameAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal.NewMemory()
		h := newHouse(t, j)
		bad := api.Request{Action: "close_table", By: "dealer:3", Key: "k-refused"}
		done := h.do("1", opening("k-done"))
		refused, err := h.client.Do(t.Context(), "1", bad)
		if err == nil || refused.Problem != "needs_role" || refused.Arg != "floor" {
			t.Fatalf("a dealer closed the table: %+v, %v", refused, err)
		}
		level := api.Request{Action: "announce_level", By: "floor:7", Key: "k-level", Args: api.Args(api.AnnounceLevel{Number: 1, SmallBlind: 100, BigBlind: 200})}
		h.do("", level)
		again := func(h *house) {
			t.Helper()
			synctest.Wait() // the level is on its way to the tables
			before := len(all(t, h.journal))
			if a := h.do("1", opening("k-done")); a.Problem != done.Problem {
				t.Errorf("the same key: %+v, want %+v", a, done)
			}
			a, err := h.client.Do(t.Context(), "1", bad)
			p, ok := errors.AsType[*api.Problem](err)
			if !ok || p.Status != http.StatusForbidden || a.Problem != refused.Problem || a.Arg != refused.Arg {
				t.Errorf("the same key: %+v, %v; want %+v", a, err, refused)
			}
			h.do("", level)
			if n := len(all(t, h.journal)); n != before {
				t.Errorf("a repeated request made %d records", n-before)
			}
		}
		again(h)
		h.stop()
		next := newHouse(t, j.Restart())
		again(next)

		reused := []struct {
			table string
			r     api.Request
		}{
			{"2", opening("k-done")},
			{"1", api.Request{Action: "sign_in", By: "floor:7", Key: "k-done"}},
			{"1", api.Request{Action: "open_table", By: "floor:8", Key: "k-done", Args: opening("").Args}},
			{"", api.Request{Action: "announce_level", By: "floor:7", Key: "k-done", Args: level.Args}},
			{"1", api.Request{Action: "sign_in", By: "dealer:3", Key: "k-refused"}},
		}
		for _, c := range reused {
			a, err := next.client.Do(t.Context(), c.table, c.r)
			p, ok := errors.AsType[*api.Problem](err)
			if !ok || p.Status != http.StatusUnprocessableEntity || a.Problem != api.CodeKeyReused {
				t.Errorf("key of another request for %s at %q: %+v, %v", c.r.Action, c.table, a, err)
			}
		}
		// A key is asked about by action, table and person; other arguments get the
		// recorded answer (documented at the header).
		other := opening("k-done")
		other.Args = api.Args(api.OpenTable{ActivityCard: "AC-2", Manual: "V9", Floor: "floor:7"})
		next.do("1", other)
	})
}

// TestIfMatch_OfManyOneIsDone: screens that all show state N race; one wins, the
// others are told that they are stale, and nothing is done twice.
func TestIfMatch_OfManyOneIsDone(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		h.do("1", opening(""))
		for round := range 10 {
			s, err := h.client.Table(t.Context(), "1")
			if err != nil {
				t.Fatal(err)
			}
			const screens = 8
			results := make(chan error, screens)
			for i := range screens {
				go func() {
					r := api.Request{Action: "call_floor", By: "dealer:3", Key: fmt.Sprintf("race-%d-%d", round, i), Args: api.Args(api.Reason{Reason: "dispute"})}
					_, err := h.client.DoAt(t.Context(), "1", s.N, r)
					results <- err
				}()
			}
			done, stale := 0, 0
			for range screens {
				err := <-results
				switch p, _ := errors.AsType[*api.Problem](err); {
				case p != nil && p.Code == api.CodeStale && p.Status == http.StatusPreconditionFailed && p.N > s.N:
					stale++
				default: // done, or refused by the table and recorded: it was taken
					done++
				}
			}
			if done != 1 || stale != screens-1 {
				t.Fatalf("round %d: %d were taken and %d were stale", round, done, stale)
			}
		}
	})
}

func TestIfMatch(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		first := h.get("/v1/tables/1")
		tag := first.header.Get("ETag")
		s, _ := h.client.Table(t.Context(), "1")
		if !strings.HasPrefix(tag, fmt.Sprintf(`"%d-`, s.N)) {
			t.Fatalf("ETag %s does not begin with the state number %d", tag, s.N)
		}
		if r := h.get("/v1/tables/1", "If-None-Match: W/\"x\", "+tag); r.status != http.StatusNotModified || len(r.body) != 0 || r.header.Get("ETag") != tag {
			t.Errorf("unchanged: status %d, %q", r.status, r.body)
		}
		for _, bad := range []string{"42", `"x"`, `W/"4"`, "*", `"-1"`, `"1`} {
			r := h.post("/v1/tables/1/actions/sign_in", "", "Shuffler-As: dealer:3", "If-Match: "+bad)
			if p := r.problem(t); r.status != http.StatusBadRequest || p.Arg != "If-Match" {
				t.Errorf("If-Match %s: %s", bad, r.body)
			}
		}
		open := opening("with-tag")
		if r := h.post("/v1/tables/1/actions/open_table", string(open.Args), "Shuffler-As: floor:7", "Idempotency-Key: with-tag", "If-Match: "+tag); r.status != http.StatusOK {
			t.Fatalf("with the ETag of the table: %s", r.body)
		}
		// A repeated request is not stale: it was done.
		if r := h.post("/v1/tables/1/actions/open_table", string(open.Args), "Shuffler-As: floor:7", "Idempotency-Key: with-tag", "If-Match: "+tag); r.status != http.StatusOK {
			t.Errorf("repeated: %s", r.body)
		}
		r := h.post("/v1/tables/1/actions/sign_in", "", "Shuffler-As: dealer:3", "If-Match: "+tag)
		if p := r.problem(t); r.status != http.StatusPreconditionFailed || p.Code != api.CodeStale || p.N <= s.N {
			t.Errorf("stale: %s", r.body)
		}
		if r := h.get("/v1/tables/1", "If-None-Match: "+tag); r.status != http.StatusOK {
			t.Errorf("changed: status %d", r.status)
		}
		if r := h.post("/v1/tables/9/actions/sign_in", "", "Shuffler-As: dealer:3", `If-Match: "1"`); r.problem(t).Code != api.CodeNoTable {
			t.Errorf("no table: %s", r.body)
		}
	})
}

// gated is a journal whose appends wait while it is shut.
type gated struct {
	*journal.Memory
	gate chan struct{}
	fail func() bool
}

func (g *gated) Append(es []journal.Entry) (journal.Head, error) {
	g.gate <- struct{}{}
	<-g.gate
	if g.fail != nil && g.fail() {
		return journal.Head{}, &journal.Error{Op: "append", Kinds: []error{journal.ErrWrite}}
	}
	return g.Memory.Append(es)
}

// TestAnswers_ComeWhenDurable: while the disk hangs there is no answer, then the
// word that there is none yet; a client that goes away does not undo the action,
// and the same key tells what became of it.
func TestAnswers_ComeWhenDurable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{Memory: journal.NewMemory(), gate: make(chan struct{}, 1)}
		h := newHouse(t, g)
		g.gate <- struct{}{} // shut
		start := time.Now()
		_, err := h.client.Do(t.Context(), "1", opening("slow"))
		p, ok := errors.AsType[*api.Problem](err)
		if !ok || p.Code != api.CodeNoAnswerYet || p.Status != http.StatusServiceUnavailable || p.RetryAfter != time.Second {
			t.Fatalf("got %v", err)
		}
		if d := time.Since(start); d != 10*time.Second {
			t.Errorf("the word came after %v", d)
		}
		gone, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err = h.client.Do(gone, "2", opening("gone"))
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("the client that went away: %v", err)
		}
		if s, _ := h.client.Table(t.Context(), "1"); s.Open {
			t.Error("the table shows what is not durable")
		}
		<-g.gate // open
		h.do("1", opening("slow"))
		synctest.Wait()
		if s, _ := h.client.Table(t.Context(), "2"); !s.Open {
			t.Error("a client that went away undid its action")
		}
	})
}

// TestAnswers_JournalDown: 503 with the advice to come back, and nothing done.
func TestAnswers_JournalDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		g := &gated{Memory: journal.NewMemory(), gate: make(chan struct{}, 1), fail: down.Load}
		h := newHouse(t, g)
		down.Store(true)
		r := h.post("/v1/tables/1/actions/open_table", string(opening("").Args), "Shuffler-As: floor:7", "Idempotency-Key: d1")
		if p := r.problem(t); p.Code != api.CodeNotRecorded || r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
			t.Errorf("%d %v %s", r.status, r.header, r.body)
		}
		down.Store(false)
		time.Sleep(5 * time.Second) // it is opened again
		h.do("1", opening("d1"))
	})
}
