package rig_test

import (
	"strings"
	"testing"
	"time"

	"shuffler/sim"
	"shuffler/sim/rig"
)

// looks gives what w holds at a table's world.
func look[T any](b *rig.Bench, id string, at func(*rig.World) T) (v T) {
	t, _ := b.Table(id)
	t.Do(func(_ time.Duration, w *rig.World) { v = at(w) })
	return v
}

// TestOrder_Answers is the vocabulary as it is spoken.
func TestOrder_Answers(t *testing.T) {
	for _, c := range []struct{ order, want string }{
		{"", ""},
		{"# a note", ""},
		{"lose 1%", "ok cables: shuffler lose 1%, scanner lose 1%"},
		{"lose 1% scanner", "ok cables: scanner lose 1%"},
		{"flip scanner 0.1%", "ok cables: scanner flip 0.1%"},
		{"line both lose 1% repeat 2%", "ok cables: shuffler lose 1% repeat 2%, scanner lose 1% repeat 2%"},
		{"line ok", "ok cables ok"},
		{"lose", `error: lose: "" is no rate`},
		{"lose 101%", "is no rate such as 0.1%"},
		{"lose 1% 2%", `"2%" is too much`},
		{"jam entry", "ok shuffler jam_entry@any"},
		{"scanner jam entry", "ok scanner jam_entry@any"},
		{"jam entry both", "ok both jam_entry@any"},
		{"jam_exit@release#2", "ok shuffler jam_exit@release#2"},
		{"motor @riffle+50%", "ok shuffler motor@riffle+50%"},
		{"jam exit now", "ok shuffler jam_exit@now"},
		{"lighting", "ok scanner lighting@any"},
		{"misread QC>QS", "ok scanner misread:QC>QS@any"},
		{"reboot", "ok shuffler reboot@now"},
		{"reboot 2s scanner", "ok scanner reboot:2s@now"},
		{"reboot 2000h", "error: \"reboot 2000h\": want up to 24h"},
		{"fire", "error: \"fire\" is no deed, and no fault"},
		{"silence 3s", "ok"},
		{"silence", "for how long?"},
		{"silence -3s", "is no duration"},
		{"silence 9999h scanner", "is no duration"},
		{"swap", "one of ports is missing"},
		{"cover open", "ok"},
		{"cover ajar", `"ajar" is none of open, close`},
		{"estop press scanner", "ok"},
		{"button", "error: table 1: sim: own button does not start a riffle"},
		{"button scan", "own button does not start a scan"},
		{"button juggle", "want local:KIND"},
		{"put A", "ok deck A: in the shuffler"},
		{"put A scanner", "ok deck A: in the scanner"},
		{"put A both", "fits into one machine"},
		{"put C", `"C" is none of A, B`},
		{"take A", "ok deck A: 52 in hand"},
		{"mix B", "ok deck B: 52 in hand"},
		{"mend B", "ok deck B: 52 in hand"},
		{"new A", "ok deck A: 52 in hand is D1-A2"},
		{"duplicate QD", "ok deck A: QD twice"},
		{"duplicate QD B", "ok deck B: QD twice"},
		{"duplicate XX", `no card "XX"`},
		{"duplicate joker", "a joker is no card of a deck"},
		{"deck A missing:9H", "ok deck A: missing:9H"},
		{"deck B", "flaw \"\": unknown"},
		{"feed early", "ok"},
		{"fix", "ok"},
		{"fix scanner twice", `"twice" is too much`},
		{"call floor", "nobody plays at this table"},
		{"service out", "nobody plays at this table"},
		{"unplug scanner", "ok scanner unplugged"},
		{"plug", "is plugged in"},
		{"plug elsewhere", `"elsewhere" is too much`},
		{"ports", "ok shuffler=/dev/pts/"},
		{"status", "cards: tray 0, chamber 0, exit 0, caught 0"},
		{"table 1: status", "deck B: 52 in hand"},
		{"table 2: status", "there is no table 2; there are 1"},
		{"table: status", "error:"},
		{"table 1 status", "want table ID: DEED"},
		{"help", "  silence DURATION [shuffler|scanner|both]   nothing comes"},
	} {
		t.Run(c.order, func(t *testing.T) {
			b := bench(t, rig.Options{})
			got := b.Answer(c.order)
			if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
			lines := strings.Split(got, "\n")
			for i, l := range lines {
				last := strings.HasPrefix(l, "ok") || strings.HasPrefix(l, "error:")
				if got != "" && last != (i == len(lines)-1) {
					t.Errorf("line %d of %d: %q", i+1, len(lines), l)
				}
			}
		})
	}
}

// TestOrder_AtOneTableOrAll: what is said to one table is done there only.
func TestOrder_AtOneTableOrAll(t *testing.T) {
	b := bench(t, rig.Options{IDs: []string{"1", "final"}})
	inTray := func(id string) int {
		return look(b, id, func(w *rig.World) int { return len(w.Shuffler.Places().Tray) })
	}
	says(t, b, "table final: put A", "ok deck A")
	if inTray("1") != 0 || inTray("final") != 52 {
		t.Errorf("trays hold %d and %d", inTray("1"), inTray("final"))
	}
	says(t, b, "take A", "table 1: deck A: 52 in hand; table final: deck A: 52 in hand")
	says(t, b, "put B", "ok")
	if inTray("1") != 52 || inTray("final") != 52 {
		t.Errorf("trays hold %d and %d", inTray("1"), inTray("final"))
	}
}

// TestOrder_Happens: what an order says is so afterwards.
func TestOrder_Happens(t *testing.T) {
	b := bench(t, rig.Options{})
	count := func(face string) func(w *rig.World) int {
		f, _ := sim.ParseFace(face)
		return func(w *rig.World) (n int) {
			for _, c := range append(w.Shuffler.Places().All(), w.Scanner.Places().All()...) {
				if c.Face == f {
					n++
				}
			}
			return n
		}
	}
	cards := func(w *rig.World) int { return len(w.Shuffler.Places().All()) + len(w.Scanner.Places().All()) }
	b.Answer("put A scanner")
	b.Answer("put B")
	says(t, b, "duplicate QD A", "in the next deck in hand")
	if n := look(b, "1", count("QD")); n != 2 {
		t.Fatalf("%d queens of diamonds in two decks that are out of reach", n)
	}
	b.Answer("take A")
	b.Answer("put A scanner")
	if q, j, all := look(b, "1", count("QD")), look(b, "1", count("JD")), look(b, "1", cards); q != 3 || j != 1 || all != 104 {
		t.Errorf("%d QD, %d JD, %d cards, want 3, 1, 104: D1, a count of 52 proves nothing", q, j, all)
	}
	b.Answer("fix")
	b.Answer("take B")
	b.Answer("deck B joker")
	b.Answer("put B")
	if n := look(b, "1", func(w *rig.World) int { return len(w.Shuffler.Places().Tray) }); n != 53 {
		t.Errorf("%d cards with a joker", n)
	}
	b.Answer("take B")
	b.Answer("mend B")
	b.Answer("put B")
	if n := look(b, "1", func(w *rig.World) int { return len(w.Shuffler.Places().Tray) }); n != 52 {
		t.Errorf("%d cards once mended", n)
	}
}

// TestScenario_HasTheWordsOfALiveTable: what can be said live can be written down.
func TestScenario_HasTheWordsOfALiveTable(t *testing.T) {
	for _, line := range []string{
		"start: deck A swap:QD>JD", "check 2: scanner lighting", "hand 3: shuffler jam_entry", "hand 3 ready: cover open", "start: line shuffler lose 1%",
		"hand 2: silence shuffler 3s", "hand 2 dealt: feed early", "hand 2: call floor", "hand 2: service out",
		"hand 2: unplug shuffler 5s", "hand 2: swap ports", "start: duplicate QD", "start: lose 1%", "hand 1: jam entry", "hand 1: reboot",
	} {
		if _, err := rig.ParseScenario("one line", line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"start:", "start: fire", "start: deck C joker", "start: line shuffler glue 1%", "hand 0: jam entry", "hand 1 won: jam entry", "noon: jam entry"} {
		if _, err := rig.ParseScenario("one line", line); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestScenario_NeedsACrewForHands: without people nobody knows when a hand is.
func TestScenario_NeedsACrewForHands(t *testing.T) {
	b := bench(t, rig.Options{})
	start, err := rig.ParseScenario("start", "start: deck A missing:9H\nstart: lose 1%")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Tables()[0].Prepare(start); err != nil {
		t.Error(err)
	}
	says(t, b, "status", "deck A: 51 in hand", "lose 1%")
	for _, name := range []string{"hand 2: jam entry", "check 1: lighting", "start: call floor"} {
		s, err := rig.ParseScenario("later", "start: deck B missing:9H\n"+name)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Tables()[0].Prepare(s); err == nil || !strings.Contains(err.Error(), "only a crew knows") {
			t.Errorf("%s: %v", name, err)
		}
	}
	says(t, b, "status", "deck B: 52 in hand")
}

// FuzzOrder: no line panics, none is answered in two ways, and what is understood
// is understood again as it is told.
func FuzzOrder(f *testing.F) {
	for _, v := range rig.Vocabulary() {
		f.Add(v[0])
	}
	for _, s := range []string{"table 2: jam entry", "lose NaN%", "lose 1e999%", "reboot 1e9s", "silence 9223372036s", "deck A swap:QD>JD", "local:riffle @any#2+3%", "button gather scanner", "\x00", "put A\nput B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := rig.ParseOrder(line)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error says nothing")
			}
			return
		}
		if d := rig.DeedOf(o); d.String() != "" {
			again, err := rig.ParseDeed(d.String())
			if err != nil || again.String() != d.String() {
				t.Errorf("%q is told as %q, which gives %q, %v", line, d, again, err)
			}
			w := rig.NewWorld("1", seeded(1))
			w.Advance(w.Shuffler.Now() + time.Millisecond)
			_, _ = d.Do(w.Shuffler.Now(), w)
			_ = w.ShufflerLine.Read(w.Shuffler.Now())
			if next := w.ShufflerLine.Next(); next <= w.Shuffler.Now()-time.Second {
				t.Errorf("%q leaves the line in the past", line)
			}
		}
	})
}
