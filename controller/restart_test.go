package controller

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"shuffler/controller/journal"
	"shuffler/controller/journal/journaltest"
	"shuffler/controller/room"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
)

// A start reads from the newest checkpoints, however long the journal is.
func TestStart_DoesNotDependOnTheJournalsLength(t *testing.T) {
	mem := journal.NewMemory()
	h := newHouse(t, mem, newClock(), "T1")
	h.until("T1", "the first hand", handsPlayed(1))
	reads := func() (int, uint64) {
		c := &countingReader{Journal: mem.Restart()}
		h = newHouse(t, c, newClock(), "T1")
		return c.read, must(mem.Head())(t).Pos
	}
	const most = 500 + 256 + 50 // two streams from their checkpoints, and what is looked up
	for n := uint64(10); n <= 90; n += 10 {
		h = newHouse(t, mem, newClock(), "T1")
		h.until("T1", "many hands", handsPlayed(n))
		for i := range 60 { // and many announcements
			h.announce("", i+2)
		}
		if n, length := reads(); n > most {
			t.Fatalf("a start reads %d records of %d, at most %d", n, length, most)
		}
	}
	if _, length := reads(); length < 3000 {
		t.Errorf("the journal is too short to prove much: %d records", length)
	}
}

// The room comes back from its checkpoint as from all its records.
func TestFoldRoom_FromCheckpoint(t *testing.T) {
	mem := journal.NewMemory()
	h := newHouse(t, mem, newClock(), "T1", "T2")
	for i := range 300 {
		h.announce("", i+1)
		if i%20 == 0 {
			h.ask("T1", place(custody.A, fmt.Sprint("d", i), "red"))
			h.ask("T1", table.RemoveDeck{Act: act(floor7), Slot: custody.A, Reason: "worn"})
		}
	}
	got := must(FoldRoom(mem))(t)
	var whole room.State
	checkpoints := 0
	for rec, err := range mem.Records(0, journal.Filter{Stream: room.Stream}) {
		if err != nil {
			t.Fatal(err)
		}
		r := must(room.Decode(rec.Type, rec.Version, rec.Payload))(t)
		if _, ok := r.(room.Checkpoint); ok {
			checkpoints++
			continue
		}
		whole = whole.Fold(r)
	}
	whole.N += uint64(checkpoints)
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", whole) || checkpoints == 0 {
		t.Errorf("%d checkpoints\nfrom the newest %+v\nfrom all %+v", checkpoints, got, whole)
	}
}

func TestFold_MissesNoRecord(t *testing.T) {
	mem := journal.NewMemory()
	payload := []byte(`{"deck":"d","table":"T1"}`)
	must(mem.Append([]journal.Entry{{Stream: room.Stream, N: 1, Type: "deck_moved", Version: 1, Payload: payload}}))(t)
	if _, err := FoldRoom(skipping{mem.Restart()}); err == nil || !strings.Contains(err.Error(), "verify") {
		t.Errorf("a record with number 2 as the first: %v", err)
	}
	if _, err := New(Options{Journal: skipping{mem.Restart()}, Clock: newClock()}); err == nil {
		t.Error("a controller starts on it")
	}
	must(mem.Append([]journal.Entry{{Stream: room.Stream, N: 2, Type: "deck_eaten", Version: 1, Payload: payload}}))(t)
	if _, err := FoldRoom(mem); err == nil || !strings.Contains(err.Error(), "deck_eaten") || !strings.Contains(err.Error(), "position 2") {
		t.Errorf("a record that nobody knows: %v", err)
	}
}

// skipping numbers every record one higher.
type skipping struct{ journal.Journal }

func (s skipping) Records(after uint64, f journal.Filter) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range s.Journal.Records(after, f) {
			r.N++
			if !yield(r, err) {
				return
			}
		}
	}
}

// M3: a level that was announced, and that a crash kept from a table, is in
// force there after the start, and is confirmed by the floor like any other.
func TestM3_LevelThatTheTableDidNotHear(t *testing.T) {
	mem := journal.NewMemory()
	h := newHouse(t, mem, newClock(), "T1", "T2")
	h.until("T1", "a hand in play", stage("dealt"))
	var died *journal.Memory // in the instant in which the room has it
	h.c.Announce(room.Act{By: floor7, Key: "k"}, levelNo(2), "floor", func(RoomAnswer) { died = mem.Restart() })
	h.settle()
	if f := must(FoldTable(died, "T1"))(t); f.Level.Number != 1 {
		t.Fatal("the table has it already")
	}
	h = newHouse(t, died, newClock(), "T1", "T2")
	h.settle()
	for _, id := range h.c.Tables() {
		s := h.state(id)
		if s.Level.Number != 2 || s.Level.Announcement != 2 {
			t.Errorf("table %s has level %v", id, s.Level)
		}
		if s.Open && !s.ConfirmLevel {
			t.Errorf("table %s does not ask the floor to confirm it", id)
		}
	}
	if s := h.state("T1"); s.Hand.Tag.Number != 1 {
		t.Errorf("the hand in play has level %v", s.Hand.Tag)
	}
	n := len(recordsOf[table.LevelInForce](stored(t, h.j, "T1")))
	h = newHouse(t, h.j.(*journal.Memory).Restart(), newClock(), "T1", "T2")
	h.settle()
	if again := len(recordsOf[table.LevelInForce](stored(t, h.j, "T1"))); again != n {
		t.Errorf("delivered again it makes a record again: %d, was %d", again, n)
	}
}

// quarantine sends the deck in slot A of a table away.
func quarantine(h *house, id string) *pending[Answer] {
	return h.asking(id, table.QuarantineDeck{Act: table.Act{By: floor7, ApprovedBy: dealer3}, Slot: custody.A, Envelope: "E-9", Reason: "second jack"})
}

// D5: a deck quarantined at one table never opens at another, in whatever
// moment the controller dies.
func TestD5_QuarantineHoldsInTheWholeRoom(t *testing.T) {
	for steps := range 12 {
		mem := journal.NewMemory()
		h := newHouse(t, mem, newClock(), "T1", "T2")
		if a := h.ask("T1", place(custody.A, "d1", "red")); !done(a) {
			t.Fatalf("%+v", a)
		}
		p := quarantine(h, "T1")
		for range steps {
			h.c.Step(1)
		}
		acknowledged := done(p.get())
		h = newHouse(t, mem.Restart(), newClock(), "T1", "T2") // it died here
		h.settle()
		_, gone, err := h.j.Last(journal.Filter{Stream: "T1", Types: []string{table.DeckQuarantined{}.Type()}})
		if err != nil || acknowledged && !gone {
			t.Fatalf("after %d steps: acknowledged, and not in the journal (%v)", steps, err)
		}
		for _, id := range h.c.Tables() {
			a := h.ask(id, place(custody.A, "d1", "red"))
			if gone && (a == nil || a.Refusal != table.Refusal{Code: table.DeckBarred, Arg: string(room.DeckQuarantined)}) {
				t.Errorf("after %d steps the quarantined deck is placed at %s: %+v", steps, id, a)
			}
			if !gone && done(a) {
				t.Errorf("after %d steps the deck at T1 is placed at %s, too", steps, id)
			}
		}
		if gone && !must(FoldRoom(h.j))(t).Decks["d1"].Quarantined {
			t.Errorf("after %d steps the registry does not know", steps)
		}
	}
}

// The same when the journal fails in any commit on the way.
func TestD5_QuarantineHoldsThroughFailedCommits(t *testing.T) {
	for after := range 6 {
		for _, landed := range []bool{false, true} {
			j := journaltest.NewFaulty(journal.NewMemory())
			h := newHouse(t, j, newClock(), "T1", "T2")
			h.ask("T1", place(custody.A, "d1", "red"))
			p := quarantine(h, "T1")
			for range after {
				h.c.Step(1)
			}
			if landed {
				j.FailAfter(1)
			} else {
				j.FailBefore(1)
			}
			h.settle()
			if a := p.get(); a == nil || a.Err != nil && !errors.Is(a.Err, ErrNotRecorded) {
				t.Fatalf("after %d steps: %+v", after, a)
			} else if a.Err != nil {
				continue // it did not happen
			}
			j.Repair()
			h.settle()
			if a := h.ask("T2", place(custody.A, "d1", "red")); a == nil || a.Refusal != (table.Refusal{Code: table.DeckBarred, Arg: string(room.DeckQuarantined)}) {
				t.Errorf("after %d steps, landed %v: the quarantined deck is placed: %+v", after, landed, a)
			}
		}
	}
}

// A deck is at one table at a time; it is free again when it is removed, and
// when the table did not take it.
func TestD7_DeckIsAtOneTable(t *testing.T) {
	h := newHouse(t, journal.NewMemory(), newClock(), "T1", "T2")
	elsewhere := table.Refusal{Code: table.DeckBarred, Arg: string(room.DeckElsewhere)}
	if a := h.ask("T1", place(custody.A, "d1", "red")); !done(a) {
		t.Fatalf("%+v", a)
	}
	if a := h.ask("T2", place(custody.A, "d1", "red")); a == nil || a.Refusal != elsewhere {
		t.Errorf("at two tables: %+v", a)
	}
	if a := h.ask("T1", place(custody.A, "d2", "blue")); a == nil || a.Refusal.Code != table.SlotTaken {
		t.Errorf("two in one slot: %+v", a)
	}
	if a := h.ask("T1", place(custody.B, "d1", "red")); a == nil || !a.Refusal.Refused() {
		t.Errorf("one in two slots: %+v", a)
	}
	if a := h.ask("T2", place(custody.A, "d1", "red")); a == nil || a.Refusal != elsewhere {
		t.Errorf("at two tables, after it was placed twice at one: %+v", a)
	}
	if a := h.ask("T2", place(custody.A, "d2", "blue")); !done(a) {
		t.Errorf("a deck that T1 did not take: %+v", a)
	}
	if a := h.ask("T2", place(custody.B, "d2", "green")); a == nil || a.Refusal.Code != table.DeckBarred && a.Refusal.Code != table.SameDeck {
		t.Errorf("with another back: %+v", a)
	}
	h.ask("T1", table.RemoveDeck{Act: act(floor7), Slot: custody.A, Reason: "swap"})
	if a := h.ask("T2", place(custody.B, "d1", "red")); !done(a) {
		t.Errorf("a deck that was removed at T1: %+v", a)
	}
	if a := h.ask("T1", table.PlaceDeck{Act: act(dealer3), Slot: custody.A, Deck: "d3", Back: "red"}); a == nil || a.Refusal.Code != table.NeedsRole {
		t.Errorf("by a dealer: %+v", a)
	}
	if r := must(FoldRoom(h.j))(t); r.Decks["d3"].Back != "" {
		t.Error("a dealer's request has registered a deck")
	}
}

// A crash between the registry and the table leaves no deck behind that nobody
// can place.
func TestD7_DeckComesBackAfterACrash(t *testing.T) {
	for steps := range 8 {
		mem := journal.NewMemory()
		h := newHouse(t, mem, newClock(), "T1", "T2")
		h.settle()
		h.asking("T1", place(custody.A, "d1", "red"))
		for range steps {
			h.c.Step(1)
		}
		h = newHouse(t, mem.Restart(), newClock(), "T1", "T2")
		h.settle()
		at1 := holds(h.state("T1").Facts, "d1")
		a := h.ask("T2", place(custody.A, "d1", "red"))
		if done(a) == at1 {
			t.Errorf("after %d steps: at T1 %v, placed at T2: %+v", steps, at1, a)
		}
	}
}

// What the room is asked while the journal hangs is bounded, too.
func TestRoom_Stalled(t *testing.T) {
	j := journaltest.NewFaulty(journal.NewMemory())
	h := newHouse(t, j, newClock(), "T1")
	h.settle()
	for i := range maxPending {
		h.announcing(room.Act{By: floor7}, levelNo(i+1))
	}
	over := h.announcing(room.Act{By: floor7}, levelNo(1))
	deck := h.asking("T1", place(custody.A, "d", "red"))
	h.c.room.box.drain()
	if a := over.get(); a == nil || !errors.Is(a.Err, ErrStalled) {
		t.Errorf("%+v", a)
	}
	if a := deck.get(); a == nil || !errors.Is(a.Err, ErrStalled) {
		t.Errorf("%+v", a)
	}
	h.settle()
	if s := h.state("T1"); s.Level.Announcement != maxPending {
		t.Errorf("level %v", s.Level)
	}
}

func TestH2_AnnouncedToAllTablesOrNone(t *testing.T) {
	h := newHouse(t, journal.NewMemory(), newClock(), "T1", "T2")
	h.settle()
	if a := h.announcing(room.Act{By: dealer3}, levelNo(1)); func() bool { h.settle(); return a.get() == nil || a.get().Code != room.NeedsFloor }() {
		t.Errorf("by a dealer: %+v", a.get())
	}
	if a := h.announce("", 0); a == nil || a.Code != room.BadLevel {
		t.Errorf("level 0: %+v", a)
	}
	for _, id := range h.c.Tables() {
		if h.state(id).Level.InForce() {
			t.Error("a refused level is in force")
		}
	}
	p := &pending[RoomAnswer]{}
	h.c.Announce(room.Act{}, levelNo(5), "clock", p.set)
	h.settle()
	if a := p.get(); a == nil || a.Code != room.OK || a.Err != nil {
		t.Errorf("by the clock: %+v", a)
	}
	for _, id := range h.c.Tables() {
		if h.state(id).Level.Number != 5 {
			t.Errorf("table %s has level %v", id, h.state(id).Level)
		}
	}
}
