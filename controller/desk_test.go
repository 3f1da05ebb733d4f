package controller

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/journal/journaltest"
	"shuffler/controller/room"
	"shuffler/controller/table"
)

func done(a *Answer) bool { return a != nil && a.Err == nil && !a.Refusal.Refused() }

func TestKey_TwoAtOnceActOnce(t *testing.T) {
	h := newHouse(t, journal.NewMemory(), newClock(), "T1")
	h.until("T1", "ready", stage("ready"))
	deal := table.DealBegun{Act: keyed(dealer3, "k1")}
	first, second := h.asking("T1", deal), h.asking("T1", deal)
	h.settle()
	third := h.ask("T1", deal)
	if !done(first.get()) || !done(second.get()) || !done(third) {
		t.Fatalf("%+v, %+v, %+v", first.get(), second.get(), third)
	}
	if first.n != 1 || second.n != 1 {
		t.Errorf("answered %d and %d times", first.n, second.n)
	}
	if n := len(recordsOf[table.DealStarted](stored(t, h.j, "T1"))); n != 1 {
		t.Errorf("dealt %d times", n)
	}
	if third.N > first.get().N || third.Head.Pos == 0 {
		t.Errorf("the recorded answer is %+v, the first %+v", third, first.get())
	}
}

// A refusal is recorded and answered again, also when the request would now be
// granted, and also after a restart.
func TestKey_RecordedRefusalAfterARestart(t *testing.T) {
	mem := journal.NewMemory()
	h := newHouse(t, mem, newClock(), "T1")
	early := table.DealBegun{Act: keyed(dealer3, "early")}
	first := h.ask("T1", early)
	if first == nil || !first.Refusal.Refused() {
		t.Fatalf("%+v", first)
	}
	h.until("T1", "ready", stage("ready"))
	deal := table.DealBegun{Act: keyed(dealer3, "k1")}
	if again := h.ask("T1", early); again == nil || again.Refusal != first.Refusal {
		t.Errorf("asked again it is %+v, was %+v", again, first)
	}
	if a := h.ask("T1", deal); !done(a) {
		t.Fatalf("%+v", a)
	}
	h = newHouse(t, mem.Restart(), newClock(), "T1")
	h.settle()
	n := h.state("T1").N
	if again := h.ask("T1", early); again == nil || again.Refusal != first.Refusal {
		t.Errorf("after a restart it is %+v, was %+v", again, first)
	}
	if again := h.ask("T1", deal); !done(again) {
		t.Errorf("after a restart the deal is answered %+v", again)
	}
	if h.state("T1").N != n {
		t.Error("an answer from the journal has made records")
	}
}

// One key stands for one request: at one table, of one person, of one kind.
func TestKey_UsedForSomethingElse(t *testing.T) {
	other := map[string]func(h *house) error{
		"another action":  func(h *house) error { return h.ask("T1", table.CloseTable{Act: keyed(floor7, "k")}).Err },
		"another person":  func(h *house) error { return h.ask("T1", table.CallFloor{Act: keyed(dealer5, "k"), Reason: "x"}).Err },
		"another table":   func(h *house) error { return h.ask("T2", table.CallFloor{Act: keyed(floor7, "k"), Reason: "x"}).Err },
		"an announcement": func(h *house) error { return h.announce("k", 3).Err },
	}
	for name, ask := range other {
		t.Run(name+", recorded", func(t *testing.T) {
			h := newHouse(t, journal.NewMemory(), newClock(), "T1", "T2")
			h.ask("T1", table.CallFloor{Act: keyed(floor7, "k"), Reason: "x"})
			if err := ask(h); !errors.Is(err, ErrKeyReused) {
				t.Error(err)
			}
			nobodyTripped(t, h)
		})
		t.Run(name+", on its way", func(t *testing.T) {
			h := newHouse(t, journal.NewMemory(), newClock(), "T1", "T2")
			p := h.asking("T1", table.CallFloor{Act: keyed(floor7, "k"), Reason: "x"})
			if err := ask(h); !errors.Is(err, ErrKeyReused) {
				t.Error(err)
			}
			if p.get() == nil || p.get().Err != nil {
				t.Errorf("the first one is answered %+v", p.get())
			}
			nobodyTripped(t, h)
		})
	}
	t.Run("an action for an announcement's key", func(t *testing.T) {
		h := newHouse(t, journal.NewMemory(), newClock(), "T1", "T2")
		h.announce("k", 3)
		if a := h.ask("T1", table.CallFloor{Act: keyed(floor7, "k"), Reason: "x"}); !errors.Is(a.Err, ErrKeyReused) {
			t.Errorf("%+v", a)
		}
		nobodyTripped(t, h)
	})
}

func nobodyTripped(t *testing.T, h *house) {
	t.Helper()
	h.settle()
	if w := h.warned(); len(w) > 0 {
		t.Errorf("warned: %q", w)
	}
	for _, id := range h.c.Tables() {
		if n := h.wires[id].count(); n > 0 {
			t.Errorf("table %s was halted", id)
		}
	}
}

func TestKey_OfAnAnnouncement(t *testing.T) {
	mem := journal.NewMemory()
	h := newHouse(t, mem, newClock(), "T1")
	first := h.announce("k", 1)
	second := h.announce("k", 1)
	h = newHouse(t, mem.Restart(), newClock(), "T1")
	h.settle()
	third := h.announce("k", 1)
	for _, a := range []*RoomAnswer{first, second, third} {
		if a == nil || a.Err != nil || a.Code != room.OK || a.Level.Announcement != 1 {
			t.Errorf("answered %+v", a)
		}
	}
	if n := must(mem.StreamHead(room.Stream))(t); n != 1 {
		t.Errorf("%d records of the room", n)
	}
}

func TestKey_Unusable(t *testing.T) {
	h := newHouse(t, journal.NewMemory(), newClock(), "T1")
	for _, k := range []string{"\xff", "a\x00b", "a\nb", "\x7f", strings.Repeat("x", maxKey+1)} {
		if a := h.ask("T1", table.CallFloor{Act: keyed(floor7, k)}); a == nil || !errors.Is(a.Err, ErrBadKey) {
			t.Errorf("key %q: %+v", k, a)
		}
		if a := h.announce(k, 1); a == nil || !errors.Is(a.Err, ErrBadKey) {
			t.Errorf("key %q: %+v", k, a)
		}
	}
	for _, k := range []string{"<&>\"\\", "鍵", "\ufffd", strings.Repeat("x", maxKey)} {
		a := table.CallFloor{Act: keyed(floor7, k)}
		if first, again := h.ask("T1", a), h.ask("T1", a); first == nil || again == nil || first.Err != nil || again.Err != nil || again.Refusal != first.Refusal {
			t.Errorf("key %q: %+v, %+v", k, first, again)
		}
	}
	nobodyTripped(t, h)
}

// blindReader cannot look a key up.
type blindReader struct{ journal.Journal }

func (blindReader) ByKey(string) (journal.Record, bool, error) {
	return journal.Record{}, false, journal.ErrRead
}

// Taken twice would be worse than not now.
func TestKey_CannotBeLookedUp(t *testing.T) {
	h := newHouse(t, blindReader{journal.NewMemory()}, newClock(), "T1")
	h.settle()
	n := h.state("T1").N
	a := h.ask("T1", table.CallFloor{Act: keyed(floor7, "k")})
	if a == nil || !errors.Is(a.Err, ErrStalled) || !errors.Is(a.Err, journal.ErrRead) || h.state("T1").N != n {
		t.Errorf("%+v", a)
	}
	if a := h.ask("T1", table.CallFloor{Act: act(floor7)}); a == nil || a.Err != nil {
		t.Errorf("without a key: %+v", a)
	}
	if len(h.c.desk.open) != 0 {
		t.Error("a slip is left")
	}
}

// Many at once from everywhere, some of whose commits fail: each request acts
// once, and every asker is answered.
func TestKey_ManyAtOnce(t *testing.T) {
	inBubble(t, journal.NewMemory(), []string{"T1", "T2"}, func(t *testing.T, h *house, j *journaltest.Faulty) {
		for round := range 20 {
			if round%5 == 4 {
				j.FailAfter(1)
			}
			var askers sync.WaitGroup
			answers := make([]error, 64)
			for i := range answers {
				id := h.c.Tables()[i%2]
				askers.Go(func() {
					_, answers[i] = h.c.Do(t.Context(), id, table.CallFloor{Act: keyed(floor7, fmt.Sprintf("%s-%d-%d", id, round, i%8))})
				})
			}
			askers.Wait()
			if round%5 == 4 { // until the journal is open again, nothing is taken
				time.Sleep(2 * reopenEvery)
			}
			for i, err := range answers {
				if err != nil && !errors.Is(err, ErrNotRecorded) {
					t.Fatalf("asker %d: %v", i, err)
				}
			}
		}
		for id := range h.wires {
			keys := map[string]int{}
			for _, r := range recordsOf[table.RequestRefused](stored(t, h.j, id)) {
				keys[r.Key]++
			}
			for k, n := range keys {
				if n != 1 {
					t.Errorf("key %q is recorded %d times", k, n)
				}
			}
			if len(keys) < 60 {
				t.Errorf("table %s: only %d keys", id, len(keys))
			}
		}
		if len(h.c.desk.open) != 0 {
			t.Errorf("%d slips are left", len(h.c.desk.open))
		}
	})
}

// Every record type that can hold a key is known by its action, and every
// action's name is one of the table's.
func TestKey_ActionsOfRecords(t *testing.T) {
	notByAction := []string{table.RequestRefused{}.Type(), table.LevelInForce{}.Type()} // names its own; told by the room
	for _, typ := range table.Types() {
		_, err := table.Decode(typ, table.RecordVersion, []byte(`{"key":"k"}`))
		_, known := actionOf[typ]
		if err == nil && !known && !slices.Contains(notByAction, typ) {
			t.Errorf("record %s can hold a key, and the desk does not know whose", typ)
		}
	}
	names := map[string]bool{announceLevel: true, liftLock: true}
	for _, a := range []table.Action{
		table.OpenTable{}, table.CloseTable{}, table.SignIn{}, table.PlaceDeck{}, table.RemoveDeck{}, table.UseDeck{}, table.QuarantineDeck{},
		table.StartCheck{}, table.AttestDeck{}, table.ConfirmSeats{}, table.ConfirmLevel{}, table.RequestWash{}, table.BeginShuffle{}, table.DealerStep{},
		table.VoidShuffle{}, table.DealBegun{}, table.ReportSA{}, table.EndHand{}, table.AbandonHand{}, table.ResumeHand{}, table.CallFloor{},
		table.LiftHold{}, table.ProposeHandoff{}, table.AcceptHandoff{}, table.RefuseHandoff{}, table.SettleHandoff{}, table.ClearFault{}, table.SetService{}, table.UseForDraw{},
		table.SetRotation{}, table.SetBreak{}, table.DealStreet{}, table.MoveOddly{}, table.ReshuffleStub{}, table.CountStub{}, table.RecordException{}, table.ChangeFloor{},
	} {
		names[a.Name()] = true
	}
	told := map[string]bool{}
	for typ, name := range actionOf {
		if !names[name] {
			t.Errorf("record %s is said to be of action %s, which is none", typ, name)
		}
		told[name] = true
	}
	for name := range names {
		if told[name] {
			continue
		}
		t.Errorf("no record is said to be of action %s", name)
	}
}

// In a hand that is played with a key on every request, each request that is
// asked again gets the first answer and does nothing.
func TestKey_EveryActionOfAHand(t *testing.T) {
	h := newHouse(t, journal.NewMemory(), newClock(), "T1")
	for i := range 200 {
		s := h.state("T1")
		if handsPlayed(1)(s) {
			return
		}
		ev := obey(s)
		a, asked := ev.(table.Action)
		if _, level := ev.(table.LevelAnnounced); !asked || level {
			h.play("T1")
			continue
		}
		a = withKey(a, fmt.Sprint("k", i))
		first := h.ask("T1", a)
		n := h.state("T1").N
		again := h.ask("T1", a)
		if first == nil || again == nil || again.Err != nil || again.Refusal != first.Refusal {
			t.Fatalf("%T: first %+v, again %+v", a, first, again)
		}
		if h.state("T1").N != n {
			t.Errorf("%T: asked again it acts again", a)
		}
	}
	t.Error("the hand does not end")
}

// withKey gives the actions that obey makes a key.
func withKey(a table.Action, k string) table.Action {
	switch a := a.(type) {
	case table.OpenTable:
		a.Key = k
		return a
	case table.SignIn:
		a.Key = k
		return a
	case table.PlaceDeck:
		a.Key = k
		return a
	case table.StartCheck:
		a.Key = k
		return a
	case table.AttestDeck:
		a.Key = k
		return a
	case table.ConfirmLevel:
		a.Key = k
		return a
	case table.ConfirmSeats:
		a.Key = k
		return a
	case table.DealerStep:
		a.Key = k
		return a
	case table.DealBegun:
		a.Key = k
		return a
	case table.ReportSA:
		a.Key = k
		return a
	case table.EndHand:
		a.Key = k
		return a
	}
	panic(fmt.Sprintf("no key for %T", a))
}
