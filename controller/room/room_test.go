package room

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

var (
	floor  = Act{By: custody.Person{Role: custody.Floor, ID: "7"}, Auth: "none", Key: "k"}
	dealer = Act{By: custody.Person{Role: custody.Dealer, ID: "3"}, Auth: "none"}
	level1 = hand.Level{Number: 1, SmallBlind: 100, BigBlind: 200}
)

// world drives a State and holds what is always true: what the records say is
// what the state is, and a state that was does not change.
type world struct {
	t     *testing.T
	s     State
	was   string   // s as it was when it came about
	types []string // of the records of the last request
}

func (w *world) take(next State, rs []Record, code Code) Code {
	w.t.Helper()
	folded := w.s
	w.types = nil
	for _, r := range rs {
		payload, err := json.Marshal(r)
		if err != nil {
			w.t.Fatal(err)
		}
		back, err := Decode(r.Type(), RecordVersion, payload)
		if err != nil {
			w.t.Fatalf("record %s: %v\n%s", r.Type(), err, payload)
		}
		if !reflect.DeepEqual(back, r) {
			w.t.Fatalf("record %s comes back as %+v, was %+v", r.Type(), back, r)
		}
		folded = folded.Fold(back)
		w.types = append(w.types, r.Type())
	}
	if !reflect.DeepEqual(folded, next) {
		w.t.Fatalf("folded %+v\nstate  %+v", folded, next)
	}
	if code != OK && (len(rs) > 0 || !reflect.DeepEqual(next, w.s)) {
		w.t.Fatalf("refused as %s, and changed", code)
	}
	if next.N != w.s.N+uint64(len(rs)) {
		w.t.Fatalf("%d records after %d and %d more", next.N, w.s.N, len(rs))
	}
	if now := fmt.Sprintf("%+v", w.s); w.was != "" && now != w.was {
		w.t.Fatalf("the older state has changed from %s to %s", w.was, now)
	}
	w.s, w.was = next, fmt.Sprintf("%+v", next)
	return code
}

func TestH2_Announce(t *testing.T) {
	w := &world{t: t}
	if c := w.take(w.s.Announce(dealer, level1, "floor")); c != NeedsFloor {
		t.Errorf("by a dealer: %q", c)
	}
	if c := w.take(w.s.Announce(Act{}, level1, "floor")); c != NeedsFloor {
		t.Errorf("by nobody: %q", c)
	}
	for _, bad := range []hand.Level{{}, {Number: 1}, {Number: 1, SmallBlind: 3, BigBlind: 2}, {SmallBlind: 1, BigBlind: 2}} {
		if c := w.take(w.s.Announce(floor, bad, "floor")); c != BadLevel {
			t.Errorf("%+v: %q", bad, c)
		}
	}
	if w.s.Level.InForce() {
		t.Fatal("a refused level is in force")
	}
	asked := level1
	asked.Announcement = 99 // the room counts, not who asks
	if c := w.take(w.s.Announce(floor, asked, "floor")); c != OK || w.s.Level.Announcement != 1 || w.s.Level.Number != 1 {
		t.Errorf("%q, level %+v", c, w.s.Level)
	}
	if c := w.take(w.s.Announce(Act{}, hand.Level{Number: 2, SmallBlind: 200, BigBlind: 400, BigBlindAnte: 400}, "clock")); c != OK || w.s.Level.Announcement != 2 {
		t.Errorf("by the clock: %q, level %+v", c, w.s.Level)
	}
	// Announced again, or one back, it is an announcement of its own.
	if c := w.take(w.s.Announce(floor, level1, "floor")); c != OK || w.s.Level.Announcement != 3 || w.s.Level.Number != 1 {
		t.Errorf("%q, level %+v", c, w.s.Level)
	}
}

func TestD7_Registry(t *testing.T) {
	w := &world{t: t}
	if c := w.take(w.s.Place(floor, "d1", "red", "T1")); c != OK || strings.Join(w.types, " ") != "deck_registered deck_moved" {
		t.Fatalf("%q, records %v", c, w.types)
	}
	if c := w.take(w.s.Place(floor, "d1", "red", "T1")); c != OK || len(w.types) != 0 {
		t.Errorf("placed where it lies: %q, records %v", c, w.types)
	}
	if c := w.take(w.s.Place(floor, "d1", "red", "T2")); c != DeckElsewhere {
		t.Errorf("at two tables: %q", c)
	}
	w.take(w.s.Return("d1"))
	if w.s.Decks["d1"].Table != "" {
		t.Error("it has not left")
	}
	w.take(w.s.Return("d1"))
	if len(w.types) != 0 {
		t.Error("it leaves twice")
	}
	w.take(w.s.Return("never seen"))
	if len(w.s.Decks) != 1 {
		t.Error("a deck that nobody registered is in the registry")
	}
	if c := w.take(w.s.Place(floor, "d1", "blue", "T2")); c != OtherBack {
		t.Errorf("with another back: %q", c)
	}
	if c := w.take(w.s.Place(floor, "d1", "red", "T2")); c != OK || strings.Join(w.types, " ") != "deck_moved" || w.s.Decks["d1"].Table != "T2" {
		t.Errorf("%q, records %v, %+v", c, w.types, w.s.Decks["d1"])
	}
	for _, bad := range [][2]string{{"", "red"}, {"d", ""}, {" d", "red"}, {"d", "re\nd"}, {strings.Repeat("x", custody.MaxID+1), "red"}, {"d\xff", "red"}} {
		if c := w.take(w.s.Place(floor, bad[0], bad[1], "T1")); c != BadInput {
			t.Errorf("%q: %q", bad, c)
		}
	}
}

func TestD5_QuarantineIsFinal(t *testing.T) {
	w := &world{t: t}
	w.take(w.s.Place(floor, "d1", "red", "T1"))
	w.take(w.s.Quarantine("d1", "T1", "E-1"))
	if d := w.s.Decks["d1"]; !d.Quarantined || d.Table != "" || d.Envelope != "E-1" || d.Back != "red" {
		t.Errorf("%+v", d)
	}
	w.take(w.s.Quarantine("d1", "T1", "E-2"))
	if len(w.types) != 0 || w.s.Decks["d1"].Envelope != "E-1" {
		t.Error("it is sent away twice")
	}
	w.take(w.s.Return("d1"))
	for _, table := range []string{"T1", "T2"} {
		for _, back := range []string{"red", "blue"} {
			if c := w.take(w.s.Place(floor, "d1", back, table)); c != DeckQuarantined {
				t.Errorf("at %s: %q", table, c)
			}
		}
	}
	// A deck that the registry has never seen is barred all the same.
	w.take(w.s.Quarantine("d2", "T1", "E-3"))
	if c := w.take(w.s.Place(floor, "d2", "red", "T1")); c != DeckQuarantined {
		t.Errorf("%q", c)
	}
}

// Whatever is asked in whatever order: a deck is at one table at most, what is
// quarantined stays so, announcements only rise; checkpoints come and change
// nothing (each step is judged by take).
func TestRegistry_Always(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	w := &world{t: t}
	gone := map[string]bool{}
	checkpoints := 0
	for range 5000 {
		deck := fmt.Sprint("d", r.IntN(6))
		table := fmt.Sprint("T", r.IntN(3))
		was := w.s
		switch r.IntN(5) {
		case 0, 1:
			code := w.take(w.s.Place(floor, deck, fmt.Sprint("back", r.IntN(2)), table))
			if d := was.Decks[deck]; code == OK && (d.Quarantined || d.Table != "" && d.Table != table) {
				t.Fatalf("%s is let to %s, it was %+v", deck, table, d)
			}
		case 2:
			w.take(w.s.Return(deck))
		case 3:
			if r.IntN(200) == 0 {
				w.take(w.s.Quarantine(deck, table, "E"))
				gone[deck] = true
			}
		case 4:
			w.take(w.s.Announce(floor, level1, "floor"))
		}
		if w.s.Announcements < was.Announcements {
			t.Fatal("announcements fall")
		}
		for d := range gone {
			if !w.s.Decks[d].Quarantined {
				t.Fatalf("%s is back", d)
			}
		}
		if len(w.types) > 0 && w.types[len(w.types)-1] == "room_checkpoint" {
			checkpoints++
		}
	}
	if n := int(w.s.N); checkpoints < n/checkpointEvery-1 || checkpoints == 0 {
		t.Errorf("%d checkpoints in %d records", checkpoints, n)
	}
}

// A registry too large for one record goes without checkpoints: the room must
// not be kept from recording anything.
func TestCheckpoint_OnlyWhileItFits(t *testing.T) {
	s := State{N: checkpointEvery - 1, Decks: map[string]Deck{}}
	for i := range 8000 {
		s.Decks[fmt.Sprintf("deck-%06d", i)] = Deck{Back: strings.Repeat("x", 40), Quarantined: true, Envelope: strings.Repeat("e", 40)}
	}
	next, rs, _ := s.Announce(floor, level1, "floor")
	if len(rs) != 1 || next.N != checkpointEvery {
		t.Errorf("%d records", len(rs))
	}
	s.Decks = map[string]Deck{"d": {Back: "red"}}
	if _, rs, _ := s.Announce(floor, level1, "floor"); len(rs) != 2 {
		t.Errorf("%d records where a checkpoint is due", len(rs))
	}
}

func TestDecode_Refuses(t *testing.T) {
	for name, c := range map[string]struct {
		typ     string
		version uint16
		payload string
		want    string
	}{
		"unknown type":  {"deck_eaten", 1, `{}`, "deck_eaten"},
		"newer version": {"deck_moved", 2, `{}`, "version 2"},
		"unknown field": {"deck_moved", 1, `{"deck":"d","table":"","colour":"red"}`, "colour"},
		"no object":     {"level_announced", 1, `[]`, "level_announced"},
		"table's type":  {"checkpoint", 1, `{}`, "checkpoint"},
	} {
		if _, err := Decode(c.typ, c.version, []byte(c.payload)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The stored form of each record, for ever: journals are read with it.
func TestRecords_StoredForm(t *testing.T) {
	for want, r := range map[string]Record{
		`level_announced {"by":"floor:7","auth":"none","key":"k","level":{"number":1,"small_blind":100,"big_blind":200},"source":"floor"}`: LevelAnnounced{floor, level1, "floor"},
		`deck_registered {"by":"dealer:3","auth":"none","deck":"d","back":"red"}`:                                                          DeckRegistered{dealer, "d", "red"},
		`deck_moved {"deck":"d","table":"T1"}`:                           DeckMoved{"d", "T1"},
		`deck_quarantine_noted {"deck":"d","table":"T1","envelope":"E"}`: DeckQuarantineNoted{"d", "T1", "E"},
		`room_checkpoint {"level":{"number":1,"small_blind":100,"big_blind":200},"announcements":3,"decks":{"d":{"back":"red","table":"T1"},"e":{"back":"red","quarantined":true,"envelope":"E"}}}`: Checkpoint{Level: level1, Announcements: 3, Decks: map[string]Deck{"d": {Back: "red", Table: "T1"}, "e": {Back: "red", Quarantined: true, Envelope: "E"}}},
	} {
		payload, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Type() + " " + string(payload); got != want {
			t.Errorf("stored as\n%s\nwant\n%s", got, want)
		}
		back, err := Decode(r.Type(), RecordVersion, payload)
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s comes back as %+v, %v", r.Type(), back, err)
		}
	}
}
