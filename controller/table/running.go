package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// A start of the controller: what was under way is void and its cards are
// unknown; a hand in play comes back (M3, DESIGN rule 7).
func (e Booted) apply(t *turn) {
	t.emit(Boot{
		Version: e.Version, BootID: e.BootID, Run: e.Run, Hand: t.s.Hand.Number,
		ConfirmLevel: t.s.Open && t.s.Level.InForce(), Unsure: t.s.Hand.Stage == hand.Ready,
	})
	if t.s.Checking != custody.NoSlot {
		t.endCheck(deckcheck.Tally{Stop: deckcheck.UnreadRestarted})
	}
	t.voidStub(shuffle.StopRestarted, Act{}, shuffle.Break{})
	// A pack made ready for no hand yet may have been touched meanwhile, too.
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		if p := t.s.pass(slot); p.Active || p.Complete && !(t.s.Hand.InPlay() && slot == t.s.InPlay) {
			t.void(slot, shuffle.StopRestarted, Act{})
		}
	}
}

func (Stopped) apply(t *turn) {
	if t.s.Stopping {
		return
	}
	t.emit(Stop{})
	t.halt(HaltAll)
	t.s.Stopping = true
}

func (e Configured) apply(t *turn) {
	if e.Settings == t.s.Settings {
		return
	}
	t.emit(SettingsApplied(e))
}

func (e ClockStepped) apply(t *turn) { t.emit(ClockStep(e)) }

// JournalTripped: a commit failed. What it held did not happen; the table stands
// as the journal says, nothing moves, and the floor returns it to play.
func (e JournalTripped) apply(t *turn) {
	t.latch(fault.Journal, fault.JournalFailed, 0)
	if t.s.Checking != custody.NoSlot {
		t.endCheck(deckcheck.Tally{Stop: deckcheck.UnreadHalted})
	}
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		if t.s.pass(slot).Active {
			t.void(slot, shuffle.StopJournal, Act{})
		}
	}
	t.voidStub(shuffle.StopJournal, Act{}, shuffle.Break{})
	t.halt(HaltAll)
}

// Restore is the state after a failed commit: the facts of the journal, and of
// what was under way only which devices are there.
func (s State) Restore(f Facts) State {
	keep := func(l Lane) Lane {
		l = l.free()
		l.Lines.Halted = true
		return l
	}
	return State{Facts: f, Lanes: Lanes{Op: s.Op, Machine: keep(s.Machine), Scanner: keep(s.Scanner), Panel: s.Panel, Stopping: s.Stopping}}
}

// Tick looks at the deadlines.
func (Tick) apply(t *turn) {
	if d := t.s.Machine.Deadline; d != 0 && t.at.Mono >= d {
		t.deviceFailed(fault.Shuffler, fault.StepTimeout, 0)
	}
	if d := t.s.Scanner.Deadline; d != 0 && t.at.Mono >= d {
		t.abortCheck(deckcheck.UnreadTimeout, true)
		t.s.Scanner.Deadline = 0
	}
}
