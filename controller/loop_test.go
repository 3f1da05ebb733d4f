package controller

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
)

// disk is a committer in the test's hand: turns wait until it is told what
// becomes of them.
type disk struct {
	mem  *journal.Memory
	wait [][]journal.Entry
	gave error
}

// bench is one Loop with everything around it in the test's hand, and a watch
// that holds the order rule on every path.
type bench struct {
	t       testing.TB
	clock   *fakeClock
	disk    disk
	wires   *wires
	loop    *Loop
	shadow  table.State                    // ahead, as it must be
	due     map[uint32]uint64              // op of a command → records that must be durable before it
	halted  map[uint32]bool                // op of a command that a HALT has overtaken
	owner   map[uint32]fault.Part          // op → part
	before  uint32                         // last op before the turn under way
	turns   int                            // taken
	haltDue map[fault.Part]bool            // of the turn under way, not on the wire yet
	seen    func(Snapshot, []table.Record) // what is observed; may be nil
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, clock: newClock(), disk: disk{mem: journal.NewMemory()}, wires: &wires{}}
	b.restart()
	return b
}

// restart is a new run of the controller on the same journal.
func (b *bench) restart() {
	b.t.Helper()
	facts := must(FoldTable(b.disk.mem, "T1"))(b.t)
	b.disk.wait, b.disk.gave = nil, nil
	b.due, b.halted, b.owner, b.haltDue = map[uint32]uint64{}, map[uint32]bool{}, map[uint32]fault.Part{}, map[fault.Part]bool{}
	b.wires.onDeed = b.watch
	b.loop = NewLoop(Config{
		Table: "T1", Clock: b.clock, Devices: b.wires, Facts: facts,
		Commit: func(es []journal.Entry) {
			if len(b.haltDue) > 0 {
				b.t.Fatalf("the journal is asked before HALT to %v", b.haltDue)
			}
			b.disk.wait = append(b.disk.wait, es)
		},
		GiveUp:  func(why error) { b.disk.gave = why },
		Observe: b.observe,
	})
	b.shadow = table.Restart(facts)
	b.take(table.Booted{Version: "t", BootID: "b", Run: facts.Run + 1})
	b.take(table.Configured{Settings: table.DefaultSettings()})
}

func (b *bench) durable() uint64 {
	return must(b.disk.mem.StreamHead("T1"))(b.t)
}

// watch holds the order rule for what reaches the wires.
func (b *bench) watch(d deed) {
	if d.halt != fault.NoPart {
		delete(b.haltDue, d.halt)
		for op, p := range b.owner {
			if p == d.halt && op <= b.before {
				b.halted[op] = true
			}
		}
		return
	}
	if len(b.haltDue) > 0 {
		b.t.Fatalf("%+v is let out before HALT to %v", d.cmd, b.haltDue)
	}
	if b.durable() < b.due[d.cmd.Op] {
		b.t.Fatalf("%+v is let out with %d records durable, wants %d", d.cmd, b.durable(), b.due[d.cmd.Op])
	}
	if d.cmd.Kind != table.TallyAck && b.halted[d.cmd.Op] {
		b.t.Fatalf("%+v is let out behind the HALT that ended it", d.cmd)
	}
}

func (b *bench) observe(s Snapshot, rs []table.Record, _ time.Time) {
	if s.State.N > b.durable() {
		b.t.Fatalf("a snapshot of %d records is shown, %d are durable", s.State.N, b.durable())
	}
	if len(b.haltDue) > 0 {
		b.t.Fatalf("a snapshot is shown before HALT to %v", b.haltDue)
	}
	if b.seen != nil {
		b.seen(s, rs)
	}
}

// take gives the loop an event and tells how it was answered: nil while it
// waits.
func (b *bench) take(ev table.Event) *Answer {
	b.t.Helper()
	at := table.At{Mono: b.clock.Mono(), Wall: b.clock.Wall()}
	_, asked := ev.(table.Action)
	b.before = b.shadow.Op
	if !asked || !b.loop.down && len(b.loop.waiting) < maxPending {
		after, out := b.shadow.Apply(at, ev)
		for _, c := range out.Commands {
			if c.Kind != table.TallyAck {
				b.owner[c.Op] = c.Part
			}
			b.due[c.Op] = after.N
		}
		for _, p := range [...]fault.Part{fault.Shuffler, fault.Scanner} {
			if out.Halt.Has(p) {
				b.haltDue[p] = true
			}
		}
		b.shadow = after
	}
	var got *Answer
	mustBe := b.shadow.N
	reply := func(a Answer) {
		if got != nil {
			b.t.Fatalf("%T is answered twice: %+v and %+v", ev, *got, a)
		}
		if a.Err == nil && (b.durable() < a.N || a.N != mustBe) {
			b.t.Fatalf("%T is answered with %d records, %d are durable and it made %d", ev, a.N, b.durable(), mustBe)
		}
		got = &a
	}
	if _, end := ev.(table.Stopped); !asked && !end {
		reply = nil // nobody waits for an event
	}
	b.loop.Take(ev, reply)
	b.before = b.shadow.Op
	if len(b.haltDue) > 0 {
		b.t.Fatalf("%T: no HALT to %v", ev, b.haltDue)
	}
	if b.loop.ahead != b.shadow && !b.loop.down {
		b.t.Fatalf("%T: the loop is elsewhere\n%+v\n%+v", ev, b.loop.ahead, b.shadow)
	}
	return got
}

// settle makes the oldest n turns durable.
func (b *bench) settle(n int) {
	b.t.Helper()
	for range min(n, len(b.disk.wait)) {
		es := b.disk.wait[0]
		b.disk.wait = b.disk.wait[1:]
		h := must(b.disk.mem.Append(es))(b.t)
		b.loop.Settle(h)
	}
}

func (b *bench) settleAll() { b.settle(len(b.disk.wait)) }

// fail makes the commit of the oldest n turns fail, landed of which are in the
// journal all the same.
func (b *bench) fail(landed int) {
	b.t.Helper()
	before := b.wires.count()
	for range min(landed, len(b.disk.wait)) {
		must(b.disk.mem.Append(b.disk.wait[0]))(b.t)
		b.disk.wait = b.disk.wait[1:]
	}
	b.disk.wait = nil
	b.before = b.shadow.Op
	b.loop.Fail()
	if b.wires.count() != before+2 || b.wires.halts(fault.Shuffler) == 0 || b.wires.halts(fault.Scanner) == 0 {
		b.t.Fatal("a failed commit does not halt both devices")
	}
}

// recover is what the committer does when the journal works again.
func (b *bench) recover() {
	b.t.Helper()
	b.disk.gave = nil
	facts := must(FoldTable(b.disk.mem, "T1"))(b.t)
	h := must(b.disk.mem.Head())(b.t)
	b.loop.Recover(facts, h)
	b.shadow = b.loop.ahead
}

// until obeys the screen, with the journal keeping up, until done.
func (b *bench) until(what string, done func(table.State) bool) {
	b.t.Helper()
	for range 500 {
		if done(b.loop.ahead) {
			return
		}
		b.clock.advance(100 * time.Millisecond)
		b.take(obey(b.loop.ahead))
		b.settleAll()
	}
	b.t.Fatalf("the table does not come to %s: next is %+v", what, b.loop.ahead.Next())
}

func stage(want string) func(table.State) bool {
	return func(s table.State) bool { return s.Hand.Stage.String() == want }
}

// machineOn tells whether the machine has begun or been given a step.
func machineOn(step string, started bool) func(table.State) bool {
	return func(s table.State) bool {
		return s.Machine.Kind == table.StepOp && s.Machine.Step.String() == step && s.Machine.Started == started
	}
}

func TestLoop_PlaysAHand(t *testing.T) {
	b := newBench(t)
	b.until("a hand in play", stage("dealt"))
	b.until("its end", func(s table.State) bool { return s.LastHand == 1 && !s.Hand.InPlay() })
	b.until("a second hand", func(s table.State) bool { return s.LastHand == 2 })
	if got := b.durable(); got != b.loop.Committed().N || got == 0 {
		t.Errorf("%d records durable, the loop says %d", got, b.loop.Committed().N)
	}
}

// The order rule, on every path: an evening with mishaps on a disk that is now
// quick, now slow, fails, loses or keeps what it was given. The watch of the
// bench judges each step.
func TestOrderRule_OnEveryPath(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 10
	}
	hands, trips, landed := uint64(0), 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 7))
		b := newBench(t)
		for range 600 {
			b.clock.advance(time.Duration(r.IntN(400)) * time.Millisecond)
			ev := obey(b.loop.ahead)
			if r.IntN(12) == 0 {
				ev = mishap(r, b.loop.ahead)
			}
			b.take(ev)
			switch k := r.IntN(200); {
			case k < 120:
				b.settleAll()
			case k < 150:
				b.settle(1)
			case k == 150 && len(b.disk.wait) > 0:
				n := r.IntN(len(b.disk.wait) + 1)
				landed += n
				b.fail(n)
				for range r.IntN(3) { // what happens while it is down
					b.take(mishap(r, b.loop.ahead))
				}
				b.recover()
				trips++
			case k == 151:
				b.restart()
			}
			if b.loop.ahead.N != b.shadow.N || b.loop.Committed().N > b.durable() {
				t.Fatalf("seed %d: the loop is at %d, wants %d; committed %d, durable %d", seed, b.loop.ahead.N, b.shadow.N, b.loop.Committed().N, b.durable())
			}
		}
		b.settleAll()
		hands += b.loop.Committed().LastHand
	}
	if hands < seeds || trips < 10 || landed < 5 {
		t.Errorf("the evenings are too quiet to prove much: %d hands, %d failed commits, %d turns landed all the same", hands, trips, landed)
	}
}

// At each boundary of a turn a fold of the journal gives the facts (DESIGN rule
// 7): record by record at each, and as a start reads them, from the newest
// checkpoint, at many.
func TestM3_FoldEqualsFactsAtEveryTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := newBench(t)
	b.settleAll()
	var facts table.Facts
	pos, checkpoints := uint64(0), 0
	for i := range 1400 {
		ev := obey(b.loop.ahead)
		if r.IntN(6) == 0 {
			ev = mishap(r, b.loop.ahead)
		}
		b.clock.advance(300 * time.Millisecond)
		b.take(ev)
		b.settleAll()
		fresh := false
		for rec, err := range b.disk.mem.Records(pos, journal.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			back := must(table.Decode(rec.Type, rec.Version, rec.Payload))(t)
			if _, ok := back.(table.Checkpoint); ok {
				checkpoints, fresh = checkpoints+1, true
			}
			facts, pos = facts.Fold(back), rec.Pos
		}
		want := b.loop.Committed().Facts
		if facts != want || table.Restart(facts).Facts != b.loop.ahead.Facts {
			t.Fatalf("turn %d, %T: the journal gives\n%+v\nthe loop has\n%+v", i, ev, facts, want)
		}
		if fresh || i%20 == 0 {
			if got := must(FoldTable(b.disk.mem, "T1"))(t); got != want {
				t.Fatalf("turn %d, %T: a start finds\n%+v\nthe loop has\n%+v", i, ev, got, want)
			}
		}
	}
	if checkpoints < 2 {
		t.Errorf("%d checkpoints have been passed in %d records", checkpoints, b.durable())
	}
}

func TestHalt_NeedsNoJournal(t *testing.T) {
	b := newBench(t)
	b.until("the riffle", machineOn("riffle", true))
	was := b.wires.count()
	if a := b.take(table.PanelLine{Line: table.EStopLine, Active: true}); a != nil {
		t.Error("answered with nothing durable")
	}
	if b.wires.halts(fault.Shuffler) == 0 || b.wires.halts(fault.Scanner) == 0 {
		t.Fatal("no HALT while the journal takes nothing")
	}
	if l := b.wires.commands(was); len(l) > 0 {
		t.Errorf("commands before the record: %+v", l)
	}
	if b.loop.Committed().Faults.Blocked(fault.Panel) {
		t.Error("the stop is shown before it is durable")
	}
	b.settleAll()
	if !b.loop.Committed().Faults.Blocked(fault.Panel) {
		t.Error("the stop is not shown once it is durable")
	}
}

// A command waits for the journal; a HALT that comes meanwhile ends it.
func TestHalt_OvertakesACommandThatWaits(t *testing.T) {
	for _, ev := range []table.Event{
		table.PanelLine{Line: table.EStopLine, Active: true},
		table.DeviceDown{Part: fault.Shuffler, Reason: table.Silent},
		table.VoidShuffle{Act: act(floor7), Reason: 1},
		table.Stopped{},
	} {
		b := newBench(t)
		b.until("the gathering's end", func(s table.State) bool { return machineOn("gather", true)(s) && s.Machine.Lines.Chamber })
		was := b.wires.count()
		b.take(obey(b.loop.ahead)) // done: the next step is commanded, and waits
		if b.loop.ahead.Machine.Kind != table.StepOp && b.loop.ahead.Machine.Kind != table.ReleaseOp {
			t.Fatalf("no command waits: %+v", b.loop.ahead.Machine)
		}
		b.take(ev)
		b.settleAll()
		for _, c := range b.wires.commands(was) {
			if c.Part == fault.Shuffler && c.Kind != table.ResetOp {
				t.Errorf("%T: %+v went out behind the HALT", ev, c)
			}
		}
	}
}

// A link that was lost and came back while a command waited: the device must
// not get what is no longer asked of it.
func TestCommand_OfALostLinkIsNotSent(t *testing.T) {
	b := newBench(t)
	b.until("a check", func(s table.State) bool { return s.Next().Do == table.DoCheckDeck && s.Scanner.Linked })
	was := b.wires.count()
	b.take(obey(b.loop.ahead)) // the scan is commanded, and waits
	b.take(table.DeviceDown{Part: fault.Scanner, Reason: table.Restarted})
	b.take(table.DeviceUp{Part: fault.Scanner, Device: machineID(fault.Scanner)})
	b.settleAll()
	if l := b.wires.commands(was); len(l) > 0 {
		t.Errorf("the scanner got %+v for a check that is over", l)
	}
}

func TestFail_NothingHappened(t *testing.T) {
	b := newBench(t)
	b.until("ready", stage("ready"))
	n := b.loop.Committed().N
	was := b.wires.count()
	var got *Answer
	b.loop.Take(table.DealBegun{Act: keyed(dealer3, "k1")}, func(a Answer) { got = &a })
	if got != nil {
		t.Fatal("answered before it is durable")
	}
	b.shadow = b.loop.ahead
	b.fail(0)
	if got != nil {
		t.Fatal("answered before anybody knows")
	}
	stands := b.loop.ahead
	if a := b.take(table.VoidShuffle{Act: act(floor7), Reason: 1}); a == nil || !errors.Is(a.Err, ErrNotRecorded) || b.loop.ahead != stands {
		t.Errorf("an action while the journal is down: %+v", a)
	}
	b.recover()
	if got == nil || !errors.Is(got.Err, ErrNotRecorded) {
		t.Fatalf("the lost deal is answered %+v", got)
	}
	b.settleAll()
	s := b.loop.Committed()
	if s.Hand.Stage.String() != "ready" || !s.Faults[fault.Journal].Has(fault.JournalFailed) {
		t.Errorf("stage %v, faults %v: want ready as the journal says, and tripped", s.Hand.Stage, s.Faults)
	}
	if deals := recordsOf[table.DealStarted](stored(t, b.disk.mem, "T1")); len(deals) != 0 || b.durable() <= n {
		t.Errorf("%d deals are recorded, %d records", len(deals), b.durable())
	}
	if l := b.wires.commands(was); len(l) != 0 {
		t.Errorf("something moves: %+v", l)
	}
	b.deal(t, "part_faulty")
	b.take(table.ClearFault{Act: act(floor7), Part: fault.Journal, Code: fault.JournalFailed, Note: "disk changed"})
	b.settleAll()
	b.deal(t, "")
}

// deal tries to deal and wants the refusal.
func (b *bench) deal(t *testing.T, want table.Code) {
	t.Helper()
	var got *Answer
	b.loop.Take(table.DealBegun{Act: act(dealer3)}, func(a Answer) { got = &a })
	b.settleAll()
	b.shadow = b.loop.ahead
	if got == nil || got.Err != nil || got.Refusal.Code != want {
		t.Errorf("the deal is answered %+v, want refusal %q", got, want)
	}
}

func TestFail_LandedAllTheSame(t *testing.T) {
	b := newBench(t)
	b.until("a machine at rest with a deck good", func(s table.State) bool {
		return s.Next().Do == table.DoConfirmSeats && s.Hand.Stage == 0 || s.Next().Do == table.DoPutPack
	})
	was := b.wires.count()
	lines := b.loop.ahead.Machine.Lines
	lines.Tray = true
	var seen []table.Record
	b.seen = func(_ Snapshot, rs []table.Record) { seen = append(seen, rs...) }
	b.take(table.DeviceLines{Part: fault.Shuffler, Lines: lines}) // begins a shuffle and commands the gathering
	if b.loop.ahead.Machine.Op == 0 || len(b.disk.wait) == 0 {
		t.Fatalf("no command waits: %+v", b.loop.ahead.Machine)
	}
	var got *Answer
	b.loop.Take(table.CallFloor{Act: keyed(dealer3, "k"), Reason: "a dispute"}, func(a Answer) { got = &a })
	b.shadow = b.loop.ahead
	b.fail(2)
	b.recover()
	if got == nil || got.Err != nil || got.Refusal.Refused() {
		t.Fatalf("what has landed is answered %+v", got)
	}
	b.settleAll()
	if l := b.wires.commands(was); len(l) != 0 {
		t.Errorf("commands of a turn whose commit failed: %+v", l)
	}
	if len(recordsOf[table.ShuffleStarted](seen)) != 1 || len(recordsOf[table.HoldBegan](seen)) != 1 {
		t.Errorf("observed %T", seen)
	}
	all := stored(t, b.disk.mem, "T1")
	if n := len(recordsOf[table.HoldBegan](all)); n != 1 {
		t.Errorf("the hold is recorded %d times", n)
	}
	if n := len(recordsOf[table.FaultLatched](all)); n != 1 {
		t.Errorf("the trip is recorded %d times", n)
	}
	if s := b.loop.Committed(); s.PassIn(custody.A).Active || !s.Hold {
		t.Errorf("shuffle active %v, hold %v: want void, held", s.PassIn(custody.A).Active, s.Hold)
	}
}

// An emergency stop that is pressed while nothing can be recorded stands as a
// fault afterwards: its edge is gone, its level is not.
func TestM1_StopPressedWhileTheJournalIsDown(t *testing.T) {
	cases := map[string]struct {
		press table.Event
		part  fault.Part
		code  fault.Code
	}{
		"panel":   {table.PanelLine{Line: table.EStopLine, Active: true}, fault.Panel, fault.EStop},
		"machine": {table.DeviceLines{Part: fault.Shuffler, Lines: table.Lines{EStop: true}}, fault.Shuffler, fault.EStop},
		"sort":    {table.DeviceLines{Part: fault.Shuffler, Lines: table.Lines{SortMode: true}}, fault.Shuffler, fault.SortMode},
		"scanner": {table.DeviceLines{Part: fault.Scanner, Lines: table.Lines{EStop: true}}, fault.Scanner, fault.EStop},
	}
	for name, c := range cases {
		for _, when := range []string{"lost with the commit", "while down"} {
			t.Run(name+" "+when, func(t *testing.T) {
				b := newBench(t)
				b.until("ready", stage("ready"))
				b.take(table.CallFloor{Act: act(dealer3), Reason: "x"})
				if when == "while down" {
					b.fail(0)
				}
				b.take(c.press)
				if when != "while down" {
					b.fail(0)
				}
				b.recover()
				b.settleAll()
				if !b.loop.Committed().Faults[c.part].Has(c.code) {
					t.Errorf("faults %v: want %v at %v", b.loop.Committed().Faults, c.code, c.part)
				}
				if s := b.loop.ahead; s.Panel.EStop != (name == "panel") || s.Machine.Lines.EStop != (name == "machine") {
					t.Errorf("the lines are not followed: %+v", s.Lanes)
				}
			})
		}
	}
}

// A reload whose record was lost is told again.
func TestFail_ReloadIsTold(t *testing.T) {
	b := newBench(t)
	b.settleAll()
	set := table.DefaultSettings()
	set.StepTimeout = 17 * time.Second
	b.take(table.Configured{Settings: set})
	b.fail(0)
	b.recover()
	b.settleAll()
	if got := b.loop.Committed().Settings; got != set {
		t.Errorf("step time-out %v", got.StepTimeout)
	}
}

func TestStopped_IsAnsweredWhileDown(t *testing.T) {
	b := newBench(t)
	b.take(table.CallFloor{Act: act(dealer3), Reason: "x"})
	b.fail(0)
	if a := b.take(table.Stopped{}); a == nil || !errors.Is(a.Err, ErrNotRecorded) {
		t.Errorf("the end of a run that cannot be recorded is answered %+v", a)
	}
}

func TestPending_IsBounded(t *testing.T) {
	b := newBench(t)
	for len(b.loop.waiting) < maxPending {
		b.take(table.CallFloor{Act: act(dealer3), Reason: "x"})
	}
	if a := b.take(table.CallFloor{Act: act(dealer3), Reason: "x"}); a == nil || !errors.Is(a.Err, ErrStalled) {
		t.Fatalf("action number %d without an answer of the journal: %+v", maxPending+1, a)
	}
	if len(b.loop.waiting) != maxPending {
		t.Errorf("%d turns wait", len(b.loop.waiting))
	}
	// Devices are still heard, and a stop stops.
	halts := b.wires.halts(fault.Shuffler)
	b.take(table.PanelLine{Line: table.EStopLine, Active: true})
	if b.wires.halts(fault.Shuffler) != halts+1 {
		t.Error("no HALT")
	}
	b.settleAll()
	if a := b.take(table.CallFloor{Act: act(dealer3), Reason: "x"}); a != nil {
		t.Errorf("not taken although the journal has caught up: %+v", a)
	}
}

// Progress without records costs nothing while the disk hangs, however long.
func TestPending_ProgressCostsNothing(t *testing.T) {
	b := newBench(t)
	b.until("the riffle", machineOn("riffle", true))
	b.take(table.CallFloor{Act: act(dealer3), Reason: "x"}) // something that waits
	waiting := len(b.loop.waiting)
	for i := range 100_000 {
		b.take(table.OpMoved{Part: fault.Shuffler, Op: b.loop.ahead.Machine.Op, Cards: uint16(i % 50)})
	}
	if len(b.loop.waiting) != waiting || b.disk.gave != nil {
		t.Errorf("%d turns wait, gave up: %v", len(b.loop.waiting), b.disk.gave)
	}
	b.settleAll()
	if b.loop.Committed() != b.loop.ahead {
		t.Error("progress that went along is not shown")
	}
}

// A turn without records may command something, and it goes along, too.
func TestPending_CommandsGoAlong(t *testing.T) {
	b := newBench(t)
	b.until("the scanner", func(s table.State) bool { return s.Scanner.Linked })
	b.take(table.CallFloor{Act: act(dealer3), Reason: "x"}) // something that waits
	was := b.wires.count()
	b.take(table.ScanEnded{Op: 77, Tally: goodTally()}) // of a scan that nobody waits for
	if n := b.wires.count(); n != was {
		t.Error("it overtakes what waits")
	}
	b.settleAll()
	b.wires.mu.Lock()
	defer b.wires.mu.Unlock()
	if got := b.wires.deeds[was:]; len(got) != 1 || got[0].cmd.Kind != table.TallyAck || got[0].cmd.Op != 77 {
		t.Errorf("let out: %+v", got)
	}
}

// Events that must be recorded, from a device that flaps for hours: the table
// halts and gives up before memory ends, and comes back with the journal.
func TestPending_GivesUpFarBehind(t *testing.T) {
	b := newBench(t)
	open := false
	for b.disk.gave == nil && b.turns < 10*maxBehind {
		b.turns++
		open = !open
		b.take(table.PanelLine{Line: table.CoverLine, Active: open})
	}
	if b.disk.gave == nil || !strings.Contains(b.disk.gave.Error(), "T1") {
		t.Fatalf("gave up: %v after %d turns", b.disk.gave, b.turns)
	}
	if b.wires.halts(fault.Shuffler) == 0 || len(b.loop.waiting) > maxBehind {
		t.Errorf("halted %d times, %d turns wait", b.wires.halts(fault.Shuffler), len(b.loop.waiting))
	}
	waiting := len(b.loop.waiting)
	b.take(table.PanelLine{Line: table.EStopLine, Active: true})
	if len(b.loop.waiting) != waiting {
		t.Error("it goes on to collect")
	}
	// The disk comes back: what was handed over lands, then the stream recovers.
	b.settleAll()
	if len(b.loop.waiting) != 0 {
		t.Errorf("%d turns are not settled", len(b.loop.waiting))
	}
	if l := b.wires.commands(0); len(l) > 0 {
		t.Errorf("something moves before the recovery: %+v", l)
	}
	b.recover()
	b.settleAll()
	if s := b.loop.Committed(); !s.Faults[fault.Journal].Has(fault.JournalFailed) || !s.Faults[fault.Panel].Has(fault.EStop) {
		t.Errorf("faults %v", s.Faults)
	}
}

// An action whose record the journal could not hold is turned away; the table
// stands where it stood.
func TestUnrecordable_ActionIsTurnedAway(t *testing.T) {
	b := newBench(t)
	b.settleAll()
	before := b.loop.ahead
	// Texts are bounded by the table, ids where they come in: a caller in this
	// program could still make a person whose name fills the disk.
	endless := custody.Person{Role: custody.Dealer, ID: strings.Repeat("x", 2<<20)}
	var got *Answer
	b.loop.Take(table.CallFloor{Act: act(endless), Reason: "dispute"}, func(a Answer) { got = &a })
	if got == nil || !errors.Is(got.Err, ErrUnrecordable) {
		t.Fatalf("a record of 2 MB is answered %+v", got)
	}
	if b.loop.ahead != before || b.disk.gave != nil {
		t.Error("the table has moved")
	}
	b.settleAll()
	if b.loop.down {
		t.Error("the table is down")
	}
}

// A report of a device whose record could not be stored is a defect: nothing
// moves on it.
func TestUnrecordable_ReportTrips(t *testing.T) {
	b := newBench(t)
	long := machineID(fault.Shuffler)
	long.Serial = strings.Repeat("x", 2<<20)
	b.loop.Take(table.DeviceUp{Part: fault.Shuffler, Device: long}, nil)
	if b.disk.gave == nil || !b.loop.down || b.wires.halts(fault.Shuffler) == 0 {
		t.Fatalf("gave up %v, down %v", b.disk.gave, b.loop.down)
	}
	b.settleAll()
	b.recover()
	b.settleAll()
	if !b.loop.Committed().Faults.Blocked(fault.Journal) {
		t.Error("the table has not tripped")
	}
}

// The acknowledgement of a tally goes out once its verdict is durable, also
// when the commit failed and has landed: the scanner would repeat it for ever.
func TestTallyAck_FollowsTheVerdict(t *testing.T) {
	b := newBench(t)
	b.until("a scan", func(s table.State) bool { return s.Scanner.Kind == table.ScanOp })
	acks := func() (n int) {
		for _, d := range b.wires.deeds {
			if d.cmd.Kind == table.TallyAck {
				n++
			}
		}
		return n
	}
	b.take(obey(b.loop.ahead))
	if acks() != 0 {
		t.Fatal("acknowledged before the verdict is durable")
	}
	b.fail(1)
	b.recover()
	if acks() != 1 {
		t.Errorf("%d acknowledgements of a verdict that has landed", acks())
	}
}

// Tag edge: a level announced before, at and after the trigger, in the order of
// arrival, with a configuration reload, a clock step and a restart between.
func TestH2_TagEdge(t *testing.T) {
	between := map[string]func(*bench){
		"nothing": func(*bench) {},
		"reload": func(b *bench) {
			set := b.loop.ahead.Settings
			set.StepTimeout += time.Second
			b.take(table.Configured{Settings: set})
		},
		"clock back": func(b *bench) {
			b.clock.jump(0, -2*time.Hour)
			b.take(table.ClockStepped{MS: -7200_000})
		},
		"clock forth": func(b *bench) {
			b.clock.jump(0, 2*time.Hour)
			b.take(table.ClockStepped{MS: 7200_000})
		},
		"restart": func(b *bench) {
			b.settleAll()
			b.restart()
		},
	}
	level2 := table.LevelAnnounced{Act: act(floor7), Level: levelNo(2)}
	for name, meanwhile := range between {
		for _, slow := range []bool{false, true} { // the journal keeps up, or takes it all later
			settle := func(b *bench) {
				if !slow {
					b.settleAll()
				}
			}
			t.Run(fmt.Sprintf("before/%s/slow=%v", name, slow), func(t *testing.T) {
				b := newBench(t)
				b.until("the first riffle", machineOn("riffle", false))
				b.take(level2)
				settle(b)
				meanwhile(b)
				b.until("a hand", func(s table.State) bool { return s.Hand.InPlay() })
				holdTag(t, b, 2)
			})
			t.Run(fmt.Sprintf("at/%s/slow=%v", name, slow), func(t *testing.T) {
				b := newBench(t)
				b.until("the first riffle", machineOn("riffle", false))
				b.take(level2)             // in the same instant, but first
				b.take(obey(b.loop.ahead)) // the riffle has started
				settle(b)
				meanwhile(b)
				holdTag(t, b, 2)
			})
			t.Run(fmt.Sprintf("after/%s/slow=%v", name, slow), func(t *testing.T) {
				b := newBench(t)
				b.until("the first riffle", machineOn("riffle", false))
				b.take(obey(b.loop.ahead)) // the riffle has started
				b.take(level2)             // in the same instant, but behind it
				settle(b)
				meanwhile(b)
				holdTag(t, b, 1)
			})
		}
	}
}

// holdTag plays on: the hand keeps its tag to its end, and the next one has
// the level in force.
func holdTag(t *testing.T, b *bench, want uint16) {
	t.Helper()
	b.settleAll()
	if h := b.loop.ahead.Hand; h.Number != 1 || h.Tag.Number != want {
		t.Fatalf("hand %d has level %d, want hand 1 with %d", h.Number, h.Tag.Number, want)
	}
	b.until("the deal", stage("dealt"))
	if tag := b.loop.ahead.Hand.Tag.Number; tag != want {
		t.Errorf("dealt at level %d, want %d", tag, want)
	}
	b.until("the next hand", func(s table.State) bool { return s.LastHand == 2 })
	if tag := b.loop.ahead.Hand.Tag.Number; tag != 2 {
		t.Errorf("the next hand has level %d, want 2", tag)
	}
	hands := recordsOf[table.HandStarted](stored(t, b.disk.mem, "T1"))
	if len(hands) != 2 || hands[0].Tag.Number != want || hands[1].Tag.Number != 2 {
		t.Errorf("the journal has hands %+v", hands)
	}
}

// A hand in play comes back after a restart; a shuffle under way is void.
func TestM3_RestartAtEveryTurn(t *testing.T) {
	for cut := 0; ; cut++ {
		b := newBench(t)
		done := false
		for i := 0; i < cut && !done; i++ {
			b.take(obey(b.loop.ahead))
			b.settleAll()
			done = b.loop.ahead.LastHand == 1 && !b.loop.ahead.Hand.InPlay()
		}
		before := b.loop.ahead
		b.restart()
		b.settleAll()
		s := b.loop.Committed()
		if s.Hand.Number != before.Hand.Number || s.Hand.Tag != before.Hand.Tag || s.LastHand != before.LastHand {
			t.Fatalf("turn %d: hand %+v came back as %+v", cut, before.Hand, s.Hand)
		}
		if s.PassIn(custody.A).Active || s.Checking != custody.NoSlot {
			t.Fatalf("turn %d: a shuffle or check of the run before goes on", cut)
		}
		b.until("the end of hand 1", func(s table.State) bool { return s.LastHand >= 1 && !s.Hand.InPlay() })
		if hands := recordsOf[table.HandStarted](stored(t, b.disk.mem, "T1")); len(hands) != 1 {
			t.Fatalf("turn %d: %d hands are recorded", cut, len(hands))
		}
		if done {
			return
		}
	}
}
