package lockstep_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"shuffler/controller"
	"shuffler/controller/journal"
	"shuffler/controller/lockstep"
	"shuffler/controller/oracle"
	"shuffler/controller/table"
	"shuffler/controller/web"
	"shuffler/sim/rig"
)

// evening is one table with its world, crew and journal on a virtual clock.
type evening struct {
	run     *lockstep.Run
	crew    *rig.Crew
	world   *rig.World
	table   *lockstep.Table
	journal journal.Journal
}

var levels = []rig.Level{
	{Number: 1, SmallBlind: 100, BigBlind: 200, BigBlindAnte: 200}, {Number: 2, SmallBlind: 200, BigBlind: 400, BigBlindAnte: 400},
	{Number: 3, SmallBlind: 300, BigBlind: 600, BigBlindAnte: 600},
}

// newEvening sets a table up. observe may be nil.
func newEvening(tb testing.TB, seed uint64, j journal.Journal, plan rig.Plan, observe func(controller.Committed)) *evening {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	clock := lockstep.NewClock(time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC))
	w := rig.NewWorld("1", rng)
	tab := lockstep.NewTable("1", clock, rng.Uint64()|1, "test", w.ShufflerLine, w.ScannerLine)
	c, err := controller.New(controller.Options{
		Journal: j, Clock: clock, Version: "test", BootID: "sim", Observe: observe,
		Tables: []controller.TableOptions{{ID: "1", Settings: table.DefaultSettings(), Devices: tab}},
		Warn:   func(msg string, err error) { tb.Logf("%s: %v", msg, err) },
	})
	if err != nil {
		tb.Fatal(err)
	}
	if plan.Levels == nil {
		plan.Levels = levels
	}
	crew := rig.NewCrew("1", web.Local{C: c}, w, plan, func(s string) { tb.Log(s) })
	run := &lockstep.Run{Clock: clock, C: c, Tables: []*lockstep.Table{tab}, Actors: []lockstep.Actor{crew}, Rand: rng}
	return &evening{run, crew, w, tab, j}
}

// play runs until the crew is done, at most for limit of virtual time.
func (e *evening) play(tb testing.TB, limit time.Duration) {
	tb.Helper()
	end := e.run.Clock.Mono() + limit
	late := false
	if !e.run.Until(func() bool { late = e.run.Clock.Mono() > end; return e.crew.Done() || late }) || late {
		tb.Fatalf("the evening came to a standstill: %s", e.crew.Stuck())
	}
}

// judge lets the oracle read the journal.
func judge(tb testing.TB, j journal.Reader) oracle.Evening {
	tb.Helper()
	o, err := oracle.Judge(j, "1")
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range o.Findings {
		tb.Error(f)
	}
	return o
}

// demoPlan is the evening of the demo.
func demoPlan() rig.Plan {
	return rig.Plan{Hands: 5, LevelAt: map[uint64]bool{2: true}, HandoffAt: map[uint64]bool{3: true}, Close: true}
}

func TestEvening_OfTheDemo(t *testing.T) {
	e := newEvening(t, 1, journal.NewMemory(), demoPlan(), nil)
	e.play(t, 3*time.Hour)
	o := judge(t, e.journal)
	for typ, n := range map[string]int{"hand_ended": 5, "handoff_accepted": 1, "level_in_force": 2, "check_ended": 2, "shuffle_complete": 5, "fault": 0, "refused": 0, "table_closed": 1} {
		if o.Records[typ] != n {
			t.Errorf("%d records %s, want %d", o.Records[typ], typ, n)
		}
	}
	if len(e.crew.Refused) > 0 {
		t.Errorf("the crew was refused: %v", e.crew.Refused)
	}
	// H2: hand 2 keeps level 1 although level 2 came in its shuffle.
	want := map[uint64]uint64{1: 1, 2: 1, 3: 2, 4: 2, 5: 2}
	for n, l := range o.Tags {
		if want[n] != l {
			t.Errorf("hand %v has tag %v, want %v", n, l, want[n])
		}
	}
}

// TestEvening_SameSeedSameHead: seed and program are the whole report of a bug.
func TestEvening_SameSeedSameHead(t *testing.T) {
	head := func(seed uint64) journal.Head {
		s, err := rig.LoadScenario("noisy_link")
		if err != nil {
			t.Fatal(err)
		}
		plan := demoPlan()
		plan.Scenario = s
		e := newEvening(t, seed, journal.NewMemory(), plan, nil)
		e.play(t, 24*time.Hour)
		h, _ := e.journal.Head()
		return h
	}
	a, b, c := head(5), head(5), head(6)
	if a != b {
		t.Errorf("one seed gave two heads:\n%s\n%s", a, b)
	}
	if a == c {
		t.Error("two seeds gave one head: the seed is not used")
	}
}

// TestEvening_X1_OrderOfCardsLeavesNoTrace plays the same evening with packs in
// other orders: good ones, and one with findings. Journals are identical.
func TestEvening_X1_OrderOfCardsLeavesNoTrace(t *testing.T) {
	for _, flaw := range []string{"", "start: deck A missing:9H", "start: deck A swap:QD>JD", "start: deck B dirty:2C"} {
		var first journal.Head
		for order := range uint64(4) {
			s, err := rig.ParseScenario("x1", flaw)
			if err != nil {
				t.Fatal(err)
			}
			plan := demoPlan()
			plan.Scenario = s
			e := newEvening(t, 9, journal.NewMemory(), plan, nil)
			e.world.Disorder(rand.New(rand.NewPCG(order, 99)))
			e.play(t, 5*time.Hour)
			h, _ := e.journal.Head()
			if order == 0 {
				first = h
			}
			if h != first {
				t.Errorf("%q, order %d: head %s, want %s", flaw, order, h, first)
			}
		}
	}
}

// TestScenarios plays the library. Each evening ends with all its hands played,
// and the journal tells what the scenario shows.
func TestScenarios(t *testing.T) {
	shows := map[string][]string{
		"jam": {"fault jam_entry", "fault motor", "shuffle_void"}, "second_jack": {"verdict bad", "deck_quarantined"}, "misread": {"verdict bad"},
		"new_pack_jokers": {"verdict bad"}, "short_pack": {"verdict bad"}, "foreign_card": {"verdict bad", "deck_quarantined"},
		"unreadable": {"verdict unread", "fault lighting", "fault cover_open"}, "card_inside": {"count_wrong", "fault count_failed"},
		"double_feed": {"count_wrong"}, "sort_mode": {"fault sort_mode"}, "bad_link": {}, "noisy_link": {"verdict good"},
		"unplugged": {"device_down", "fault link_lost", "shuffle_void"}, "reboot": {"fault device_restarted", "shuffle_void"},
		"own_button": {"sequence_break"}, "wrong_role": {"fault wrong_device"}, "early_feed": {"fault early_feed", "hold", "hold_lifted"},
		"cover_and_stop": {"fault cover_open", "fault estop"}, "by_hand": {"service"}, "floor_call": {"hold", "hold_lifted"},
	}
	for _, name := range rig.Library() {
		t.Run(name, func(t *testing.T) {
			want, known := shows[name]
			if !known {
				t.Fatal("say what the scenario shows")
			}
			s, err := rig.LoadScenario(name)
			if err != nil {
				t.Fatal(err)
			}
			if s.About == "" {
				t.Error("the scenario does not say what it shows")
			}
			plan := demoPlan()
			plan.Scenario = s
			e := newEvening(t, 1, journal.NewMemory(), plan, nil)
			e.play(t, 12*time.Hour)
			o := judge(t, e.journal)
			if o.Records["hand_ended"] != 5 {
				t.Errorf("%d hands, want 5", o.Records["hand_ended"])
			}
			for _, w := range want {
				if o.Records[w] == 0 {
					t.Errorf("the journal shows no %q; it has %v", w, o.Records)
				}
			}
		})
	}
	for name := range shows {
		if _, err := rig.LoadScenario(name); err != nil {
			t.Error(err)
		}
	}
}
