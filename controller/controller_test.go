package controller

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/journal/journaltest"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
)

func handsPlayed(n uint64) func(table.State) bool {
	return func(s table.State) bool { return s.LastHand >= n && !s.Hand.InPlay() }
}

// A whole evening with every goroutine of the daemon, at three tables that take
// turns, in memory and on a disk.
func TestEvening_InGoroutines(t *testing.T) {
	ids := []string{"T1", "T2", "T3"}
	evening := func(t *testing.T, h *house, _ *journaltest.Faulty) {
		for n := uint64(1); n <= 3; n++ {
			for _, id := range ids {
				h.until(id, "the next hand's end", handsPlayed(n))
			}
		}
		for _, id := range ids {
			if got := len(recordsOf[table.HandStarted](stored(t, h.j, id))); got != 3 {
				t.Errorf("table %s: %d hands are recorded", id, got)
			}
			if f := must(FoldTable(h.j, id))(t); f.N != h.state(id).N {
				t.Errorf("table %s: the journal has %d records, the snapshot %d", id, f.N, h.state(id).N)
			}
		}
		inOrder(t, h)
	}
	t.Run("memory", func(t *testing.T) { inBubble(t, journal.NewMemory(), ids, evening) })
	t.Run("sqlite", func(t *testing.T) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			j := must(journal.Open(dir, journal.Options{}))(t)
			defer j.Close()
			h := newHouse(t, j, bubbleClock{time.Now()}, ids...)
			h.c.Start()
			h.settle()
			evening(t, h, nil)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			if err := h.c.Stop(ctx); err != nil {
				t.Error(err)
			}
		})
		r := must(journal.OpenReadOnly(dir))(t)
		defer r.Close()
		if rep := must(journal.Verify(r, journal.Check{}))(t); !rep.OK() {
			t.Errorf("the journal does not verify: %+v", rep.Problems)
		}
	})
}

// inOrder holds what was observed against the journal: each stream complete and
// in its order.
func inOrder(t *testing.T, h *house) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := map[string][]table.Record{}
	for _, c := range h.seen {
		seen[c.Stream] = append(seen[c.Stream], c.Records...)
	}
	for id := range h.wires {
		want := stored(t, h.j, id)
		if len(want) != len(seen[id]) {
			t.Fatalf("table %s: %d records observed, %d in the journal", id, len(seen[id]), len(want))
		}
		for i := range want {
			_, a, _ := table.Encode(want[i])
			_, b, _ := table.Encode(seen[id][i])
			if string(a) != string(b) {
				t.Fatalf("table %s, record %d: observed %s, in the journal %s", id, i+1, b, a)
			}
		}
	}
}

// A journal that blocks for ever: HALT is on the wire at once, nothing is
// answered, shown or moved; when it works again all comes out in order.
func TestBadDisk_BlocksForEver(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "the riffle", machineOn("riffle", true))
		w := h.wires["T1"]
		was, n := w.count(), h.state("T1").N
		j.Block()
		early := h.asking("T2", table.OpenTable{Act: act(dealer3)}) // is refused; the journal hangs with it
		j.WaitBlocked(1)
		h.c.Post("T1", obey(h.state("T1"))) // the riffle is done, the next one commanded
		h.settle()
		if l := w.commands(was); len(l) > 0 {
			t.Fatalf("%+v before its record", l)
		}
		call := h.asking("T1", table.CallFloor{Act: act(dealer3), Reason: "a dispute"})
		h.c.Post("T1", table.PanelLine{Line: table.EStopLine, Active: true})
		h.settle()
		if w.halts(fault.Shuffler) == 0 || w.halts(fault.Scanner) == 0 {
			t.Fatal("no HALT while the journal hangs")
		}
		time.Sleep(24 * time.Hour)
		if early.get() != nil || call.get() != nil {
			t.Error("answered while the journal hangs")
		}
		if s := h.state("T1"); s.N != n || s.Hold {
			t.Errorf("shown while the journal hangs: %d records, hold %v", s.N, s.Hold)
		}
		if l := w.commands(was); len(l) > 0 {
			t.Errorf("moves while the journal hangs: %+v", l)
		}
		if !slices.ContainsFunc(h.warned(), func(s string) bool { return strings.Contains(s, "does not answer") }) {
			t.Errorf("nobody is told: %q", h.warned())
		}
		j.Repair()
		h.settle()
		if a := early.get(); a == nil || a.Err != nil || a.Refusal.Code != table.NeedsRole {
			t.Errorf("afterwards %+v", a)
		}
		if a := call.get(); a == nil || a.Err != nil || a.Refusal.Refused() {
			t.Errorf("afterwards %+v", a)
		}
		s := h.state("T1")
		if !s.Hold || !s.Faults[fault.Panel].Has(fault.EStop) || s.Faults.Blocked(fault.Journal) {
			t.Errorf("hold %v, faults %v", s.Hold, s.Faults)
		}
		for _, c := range w.commands(was) { // the next riffle was overtaken by the HALT
			if c.Kind != table.ResetOp {
				t.Errorf("%+v goes out behind the HALT", c)
			}
		}
		inOrder(t, h)
	})
}

// A commit that fails without a trace: nothing acknowledged is lost, what was
// asked did not happen, every table trips.
func TestBadDisk_Fails(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "ready", stage("ready"))
		n := h.state("T1").N
		was := h.wires["T1"].count()
		j.FailBefore(1)
		deal := h.ask("T1", table.DealBegun{Act: keyed(dealer3, "k1")})
		if deal != nil {
			t.Errorf("answered %+v before anybody knows", deal)
		}
		for _, w := range h.wires {
			if w.halts(fault.Shuffler) == 0 || w.halts(fault.Scanner) == 0 {
				t.Error("a table is not halted")
			}
		}
		p := h.asking("T1", table.DealBegun{Act: keyed(dealer3, "k1")}) // asked again meanwhile
		time.Sleep(2 * time.Second)
		h.settle()
		if a := p.get(); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
			t.Errorf("the lost deal is answered %+v", a)
		}
		s := h.state("T1")
		if s.N <= n || s.Hand.Stage.String() != "ready" || !s.Faults[fault.Journal].Has(fault.JournalFailed) {
			t.Errorf("%d records, then %d; stage %v, faults %v", n, s.N, s.Hand.Stage, s.Faults)
		}
		if !h.state("T2").Faults.Blocked(fault.Journal) {
			t.Error("the other table has not tripped")
		}
		if l := h.wires["T1"].commands(was); len(l) > 0 {
			t.Errorf("%+v", l)
		}
		if a := h.ask("T1", table.DealBegun{Act: act(dealer3)}); a == nil || a.Refusal.Code != table.PartFaulty {
			t.Errorf("a deal at a tripped table is answered %+v", a)
		}
		h.ask("T1", table.ClearFault{Act: act(floor7), Part: fault.Journal, Code: fault.JournalFailed, Note: "new disk"})
		if a := h.ask("T1", table.DealBegun{Act: keyed(dealer3, "k1")}); a == nil || a.Err != nil || a.Refusal.Refused() {
			t.Errorf("the deal, asked again with its key, is answered %+v", a)
		}
		h.until("T1", "the next hand's end", handsPlayed(2))
		inOrder(t, h)
	})
}

// A commit that fails although it has landed: what it held is done, and once.
func TestBadDisk_FailsAfterItLanded(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "ready", stage("ready"))
		j.FailAfter(1)
		deal := h.asking("T1", table.DealBegun{Act: keyed(dealer3, "k1")})
		h.settle()
		again := h.asking("T1", table.DealBegun{Act: keyed(dealer3, "k1")})
		level := h.announcing(room.Act{By: floor7, Key: "k2"}, levelNo(2)) // while it is down
		time.Sleep(2 * time.Second)
		h.settle()
		for _, a := range []*Answer{deal.get(), again.get(), h.ask("T1", table.DealBegun{Act: keyed(dealer3, "k1")})} {
			if a == nil || a.Err != nil || a.Refusal.Refused() {
				t.Errorf("a deal that has landed is answered %+v", a)
			}
		}
		if a := level.get(); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
			t.Errorf("a level announced while the journal is down is answered %+v", a)
		}
		if n := len(recordsOf[table.DealStarted](stored(t, j, "T1"))); n != 1 {
			t.Errorf("the deal is recorded %d times", n)
		}
		if s := h.state("T1"); s.Hand.Stage.String() != "dealt" {
			t.Errorf("stage %v", s.Hand.Stage)
		}
		inOrder(t, h)
	})
}

// A level whose commit fails although it landed reaches the tables.
func TestBadDisk_LevelThatLanded(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "a level", func(s table.State) bool { return s.Level.InForce() })
		j.FailAfter(1)
		p := h.announcing(room.Act{By: floor7, Key: "k"}, levelNo(2))
		time.Sleep(2 * time.Second)
		h.settle()
		if a := p.get(); a == nil || a.Err != nil || a.Code != room.OK || a.Level.Number != 2 {
			t.Fatalf("answered %+v", a)
		}
		for _, id := range h.c.Tables() {
			if l := h.state(id).Level; l.Number != 2 || l.Announcement != 2 {
				t.Errorf("table %s has level %v", id, l)
			}
		}
	})
}

// A level whose commit is lost was not announced.
func TestBadDisk_LevelThatIsLost(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		j.FailBefore(1)
		p := h.announcing(room.Act{By: floor7, Key: "k"}, levelNo(1))
		time.Sleep(2 * time.Second)
		h.settle()
		if a := p.get(); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
			t.Errorf("answered %+v", a)
		}
		for _, id := range h.c.Tables() {
			if l := h.state(id).Level; l.InForce() {
				t.Errorf("table %s has level %v", id, l)
			}
		}
		if a := h.announce("k", 1); a == nil || a.Err != nil || a.Level.Announcement != 1 {
			t.Errorf("asked again: %+v", a)
		}
	})
}

// A level that is durable and comes to tables that are down already, because
// the commit behind it failed, is delivered when they are back.
func TestBadDisk_LevelForTablesThatAreDown(t *testing.T) {
	j := journaltest.NewFaulty(journal.NewMemory())
	h := newHouse(t, j, newClock(), "T1")
	h.settle()
	p := h.announcing(room.Act{By: floor7}, levelNo(1))
	h.c.room.box.drain()
	h.c.commit.commit(maxGroup) // the room is to hear of it
	h.c.Ask("T1", table.CallFloor{Act: act(floor7)}, func(Answer) {})
	h.c.tables["T1"].box.drain()
	j.FailBefore(1)
	h.c.commit.commit(maxGroup) // the table hears of this first
	h.settle()
	if a := p.get(); a == nil || a.Err != nil {
		t.Fatalf("answered %+v", a)
	}
	if l := h.state("T1").Level; l.Number != 1 || h.state("T1").Faults == (fault.Board{}) {
		t.Errorf("level %v, faults %v", l, h.state("T1").Faults)
	}
}

// slowReader takes its time over each record, so that streams recover one by
// one.
type slowReader struct {
	*journaltest.Faulty
	slow *atomic.Bool
}

func (s slowReader) Records(after uint64, f journal.Filter) iter.Seq2[journal.Record, error] {
	if s.slow.Load() {
		time.Sleep(10 * time.Millisecond)
	}
	return s.Faulty.Records(after, f)
}

// The room tells the tables things when it has recovered; they must have, too.
func TestBadDisk_RoomRecoversBehindTheTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := slowReader{journaltest.NewFaulty(journal.NewMemory()), &atomic.Bool{}}
		h := newHouse(t, j, bubbleClock{time.Now()}, "T1", "T2")
		h.c.Start()
		h.settle()
		j.slow.Store(true)
		j.FailAfter(1)
		h.announcing(room.Act{By: floor7}, levelNo(1))
		time.Sleep(5 * time.Second)
		h.settle()
		for _, id := range h.c.Tables() {
			if l := h.state(id).Level; l.Number != 1 {
				t.Errorf("table %s has level %v", id, l)
			}
		}
		if err := h.c.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// What waits when the end comes is committed.
func TestCommitter_EndsWithWhatWaits(t *testing.T) {
	j := journaltest.NewFaulty(journal.NewMemory())
	h := newHouse(t, j, newClock(), "T1")
	h.settle()
	p := h.asking("T1", table.CallFloor{Act: act(floor7)})
	h.c.tables["T1"].box.drain()
	<-h.c.commit.wake // as if its word had been lost
	end := make(chan struct{})
	close(end)
	h.c.commit.run(end)
	h.c.tables["T1"].box.drain()
	if p.get() == nil {
		t.Error("not committed")
	}
}

// A full disk: nothing is acknowledged for as long as it is full; then all goes
// on from what was.
func TestBadDisk_FullAndBack(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "the riffle", machineOn("riffle", true))
		was := h.wires["T1"].count()
		head := must(j.Head())(t)
		j.Fill()
		h.c.Post("T1", obey(h.state("T1")))
		time.Sleep(time.Minute)
		h.settle()
		if a := h.ask("T1", table.CallFloor{Act: act(dealer3), Reason: "x"}); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
			t.Errorf("answered %+v", a)
		}
		h.c.Post("T1", table.PanelLine{Line: table.EStopLine, Active: true})
		h.settle()
		if n := must(j.Head())(t); n != head {
			t.Fatalf("the full journal has grown from %v to %v", head, n)
		}
		if l := h.wires["T1"].commands(was); len(l) > 0 {
			t.Errorf("moves: %+v", l)
		}
		j.Repair()
		time.Sleep(2 * time.Second)
		h.settle()
		s := h.state("T1")
		if !s.Faults.Blocked(fault.Journal) || !s.Faults[fault.Panel].Has(fault.EStop) || s.PassIn(custody.A).Active {
			t.Errorf("faults %v, shuffle active %v", s.Faults, s.PassIn(custody.A).Active)
		}
		h.until("T1", "hand 1 and its end", handsPlayed(1))
	})
}

// It fails again and again, with tables that go on: no stream gets lost.
func TestBadDisk_FailsAgainAndAgain(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		for n := uint64(1); n <= 3; n++ {
			for i, id := range h.c.Tables() {
				h.until(id, "the riffle", machineOn("riffle", true))
				if i == 0 {
					j.FailBefore(2)
				} else {
					j.FailAfter(2)
				}
				h.play(id)
				time.Sleep(10 * time.Second)
				h.settle()
			}
			for _, id := range h.c.Tables() {
				h.until(id, "the hand's end", handsPlayed(n))
			}
		}
		for _, id := range h.c.Tables() {
			if f := must(FoldTable(j, id))(t); f != h.state(id).Facts {
				t.Errorf("table %s: the journal gives\n%+v\nthe table has\n%+v", id, f, h.state(id).Facts)
			}
		}
		inOrder(t, h)
	})
}

// Submissions of a stream that has not heard of the failure are dropped: their
// numbers are those of records that were lost.
func TestCommitter_DropsStaleSubmissions(t *testing.T) {
	j := journaltest.NewFaulty(journal.NewMemory())
	h := newHouse(t, j, newClock(), "T1")
	h.settle()
	j.FailBefore(1)
	h.c.Ask("T1", table.CallFloor{Act: act(dealer3)}, func(Answer) {})
	h.c.tables["T1"].box.drain()
	if !h.c.commit.commit(maxGroup) || !h.c.commit.isDown() {
		t.Fatal("the commit has not failed")
	}
	if !h.c.commit.reopen() {
		t.Fatal("the journal does not reopen")
	}
	// The loop has heard of neither, and goes on submitting.
	p := &pending[Answer]{}
	h.c.tables["T1"].loop.Take(table.CallFloor{Act: act(dealer3)}, p.set)
	if n := len(h.c.commit.wait); n != 0 {
		t.Fatalf("%d stale submissions wait", n)
	}
	h.settle()
	if a := p.get(); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
		t.Errorf("a stale turn is answered %+v", a)
	}
	if !h.state("T1").Faults.Blocked(fault.Journal) {
		t.Error("the table has not tripped")
	}
}

func TestCommitter_OneSyncForManyTables(t *testing.T) {
	j := journaltest.NewFaulty(journal.NewMemory())
	h := newHouse(t, j, newClock(), "T1", "T2", "T3")
	h.settle()
	before := j.Appends()
	for range 4 {
		for _, id := range h.c.Tables() {
			h.c.Ask(id, table.CallFloor{Act: act(dealer3)}, func(Answer) {})
		}
	}
	h.settle()
	if n := j.Appends() - before; n != 1 {
		t.Errorf("12 turns of 3 tables took %d commits", n)
	}
}

// A room that gives up does so behind what it has handed over.
func TestCommitter_GiveUpComesInItsTurn(t *testing.T) {
	j := journaltest.NewFaulty(journal.NewMemory())
	h := newHouse(t, j, newClock(), "T1", "T2")
	h.settle()
	p := h.asking("T1", table.CallFloor{Act: act(dealer3)})
	r := h.c.tables["T1"]
	r.box.drain()
	r.loop.Fail()
	r.loop.giveUp(errors.New("commanded by the test"))
	later := h.asking("T2", table.CallFloor{Act: act(dealer3)})
	h.settle()
	if a := p.get(); a == nil || a.Err != nil {
		t.Errorf("what was handed over before is answered %+v", a)
	}
	if a := later.get(); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
		t.Errorf("what came behind is answered %+v", a)
	}
	for _, id := range h.c.Tables() {
		if !h.state(id).Faults.Blocked(fault.Journal) {
			t.Errorf("table %s has not tripped", id)
		}
	}
}

// The end of a run halts every table before it waits for any, and does not wait
// for a disk that hangs.
func TestStop_DoesNotWaitForAHungDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journaltest.NewFaulty(journal.NewMemory())
		h := newHouse(t, j, bubbleClock{time.Now()}, "T1", "T2")
		h.c.Start()
		h.until("T1", "ready", stage("ready"))
		j.Block()
		h.asking("T1", table.CallFloor{Act: act(dealer3), Reason: "x"})
		j.WaitBlocked(1)
		unanswered := make(chan error, 1)
		go func() {
			_, err := h.c.Do(context.Background(), "T2", table.CallFloor{Act: act(dealer3), Reason: "x"})
			unanswered <- err
		}()
		h.settle()
		begin := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- h.c.Stop(ctx) }()
		h.settle()
		for id, w := range h.wires {
			if w.halts(fault.Shuffler) == 0 || w.halts(fault.Scanner) == 0 {
				t.Errorf("table %s is not halted at once", id)
			}
		}
		err := <-ended
		if err == nil || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "T2") {
			t.Errorf("stop: %v", err)
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("stop took %v", d)
		}
		if err := <-unanswered; !errors.Is(err, ErrStopped) {
			t.Errorf("who still waits gets %v", err)
		}
		if again := h.c.Stop(context.Background()); again != err {
			t.Errorf("a second stop gives %v", again)
		}
		j.Repair()
	})
}

func TestStop_RecordsTheEnd(t *testing.T) {
	mem := journal.NewMemory()
	inBubble(t, mem, []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "the riffle", machineOn("riffle", true))
	})
	for _, id := range []string{"T1", "T2"} {
		all := stored(t, mem, id)
		if _, ok := all[len(all)-1].(table.Stop); !ok {
			t.Errorf("table %s ends with %T", id, all[len(all)-1])
		}
	}
}

func TestStop_WhileDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journaltest.NewFaulty(journal.NewMemory())
		h := newHouse(t, j, bubbleClock{time.Now()}, "T1")
		h.c.Start()
		h.settle()
		j.Fill()
		h.ask("T1", table.CallFloor{Act: act(dealer3), Reason: "x"})
		begin := time.Now()
		if err := h.c.Stop(context.Background()); !errors.Is(err, ErrNotRecorded) {
			t.Errorf("stop: %v", err)
		}
		if time.Since(begin) > 0 {
			t.Errorf("stop waited %v for a journal that is known to fail", time.Since(begin))
		}
	})
}

// Without goroutines, as in lockstep, Stop does the work itself.
func TestStop_InStep(t *testing.T) {
	h := newHouse(t, journal.NewMemory(), newClock(), "T1")
	h.until("T1", "the riffle", machineOn("riffle", true))
	if err := h.c.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	all := stored(t, h.j, "T1")
	if _, ok := all[len(all)-1].(table.Stop); !ok {
		t.Errorf("the journal ends with %T", all[len(all)-1])
	}
}

// Whoever posts is never made to wait, not even by an owner that does not come.
func TestMailbox_PostNeverBlocks(t *testing.T) {
	m := newMailbox()
	var posters sync.WaitGroup
	did := 0
	for range 8 {
		posters.Go(func() {
			for range 1000 {
				m.post(func() { did++ })
			}
		})
	}
	posters.Wait()
	m.post(func() { m.post(func() { did++ }) }) // work that posts work
	if !m.drain() || did != 8001 {
		t.Errorf("%d of 8001 done", did)
	}
	if m.drain() {
		t.Error("there is still work")
	}
	select {
	case <-m.wake:
	default:
		t.Error("the owner is not woken")
	}
}

func TestMailbox_KeepsTheOrder(t *testing.T) {
	m := newMailbox()
	var got []int
	for i := range 100 {
		m.post(func() {
			got = append(got, i)
			if i == 50 {
				m.post(func() { got = append(got, 100) })
			}
		})
	}
	m.drain()
	if !slices.IsSorted(got) || len(got) != 101 {
		t.Errorf("done in the order %v", got)
	}
}

// A started controller looks at its deadlines by itself.
func TestTick_ByItself(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		h.until("T1", "the riffle", machineOn("riffle", true))
		time.Sleep(2 * time.Minute) // the machine says nothing more
		h.settle()
		if s := h.state("T1"); !s.Faults[fault.Shuffler].Has(fault.StepTimeout) || s.PassIn(custody.A).Active {
			t.Errorf("faults %v, shuffle active %v", s.Faults, s.PassIn(custody.A).Active)
		}
		if h.wires["T1"].halts(fault.Shuffler) == 0 {
			t.Error("the machine is not halted")
		}
	})
}

func TestStepDeadline_IsTheEarliest(t *testing.T) {
	clock := newClock()
	h := newHouse(t, journal.NewMemory(), clock, "T1", "T2")
	h.settle()
	if d := h.c.Deadline(); d != 0 {
		t.Errorf("deadline %v with nothing under way", d)
	}
	h.until("T2", "the riffle", machineOn("riffle", true))
	d := h.c.Deadline()
	if d != clock.Mono()+table.DefaultSettings().StepTimeout {
		t.Fatalf("deadline %v", d)
	}
	clock.advance(d - clock.Mono())
	h.c.Tick()
	h.settle()
	if !h.state("T2").Faults[fault.Shuffler].Has(fault.StepTimeout) {
		t.Error("the tick changed nothing")
	}
}

func TestNew_RefusesTableIDs(t *testing.T) {
	for _, ids := range [][]string{{""}, {"room"}, {"T1", "T1"}, {"桌1"}, {"T 1"}, {strings.Repeat("x", 65)}} {
		opt := Options{Journal: journal.NewMemory(), Clock: newClock()}
		for _, id := range ids {
			opt.Tables = append(opt.Tables, TableOptions{ID: id, Settings: table.DefaultSettings(), Devices: &wires{}})
		}
		if _, err := New(opt); err == nil {
			t.Errorf("tables %q are taken", ids)
		}
	}
	// What is let through can be a stream.
	mem := journal.NewMemory()
	h := newHouse(t, mem, newClock(), "Table-1.a_b:c/9", strings.Repeat("x", 64))
	h.settle()
	if must(mem.Head())(t).Pos == 0 {
		t.Error("nothing is recorded")
	}
}

func TestUnknownTable(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		if _, err := h.c.Snapshot("T9"); !errors.Is(err, ErrNoTable) {
			t.Error(err)
		}
		if a := h.ask("T9", table.CloseTable{Act: act(floor7)}); a == nil || !errors.Is(a.Err, ErrNoTable) {
			t.Errorf("%+v", a)
		}
		if _, err := h.c.Do(context.Background(), "T9", place(custody.A, "d", "red")); !errors.Is(err, ErrNoTable) {
			t.Error(err)
		}
	})
}
