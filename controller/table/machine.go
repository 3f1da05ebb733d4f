package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// drive gives the devices their next commands, after every event. It only reads
// the state: whatever opened the way (a hold lifted, a pack put in the tray, a
// fault cleared), the next command follows from how things stand.
func (t *turn) drive() {
	if t.s.Stopping || t.s.Faults.Blocked(fault.Journal) {
		return
	}
	t.keepRotation()
	t.expireChecks()
	t.driveScanner()
	t.driveMachine()
}

func (t *turn) driveMachine() {
	l, slot, turn := t.s.Machine, t.s.machineSlot(), t.s.turnSlot()
	switch {
	case !l.Linked || l.Busy() || t.s.Out || t.s.Hold && !t.finishesInHold(slot):
	case t.s.Faults.Blocked(fault.Shuffler) || t.s.Faults.Blocked(fault.Panel):
	case l.Lines.Halted:
		t.command(fault.Shuffler, Command{Kind: ResetOp})
	case slot != custody.NoSlot:
		t.nextStep(slot)
	case !t.s.Open || t.s.pass(turn).Active: // the dealer has it
	case l.Lines.Chamber: // a pack left inside comes out before anything else (M4)
		t.command(fault.Shuffler, Command{Kind: ReleaseOp})
	case l.Lines.Tray && !t.mayShuffle(turn).Refused():
		t.beginShuffle(turn, false)
		t.nextStep(turn)
	}
}

// finishesInHold tells whether the machine may go on in a hold: it has the deck
// that rests inside, and only moves it there (H12).
func (t *turn) finishesInHold(slot custody.Slot) bool {
	next, _, ok := t.s.passing(slot).Progress.Next()
	return ok && next.Actor == shuffle.Machine && slot == t.s.resting() && t.s.Machine.Lines.Chamber && !t.s.Machine.Lines.Halted
}

// nextStep commands the machine's next step of the pass of the deck in slot, or
// hands the pack out where the next one is the dealer's or none is left.
func (t *turn) nextStep(slot custody.Slot) {
	g := t.s.passing(slot)
	if _, _, running := g.Progress.Running(); running {
		return // the dealer is at it
	}
	next, index, ok := g.Progress.Next()
	switch {
	case !ok || next.Actor == shuffle.Dealer:
		// A pack that waits for its hand stays inside, out of reach, if it is
		// counted: the trigger releases it (H1).
		if t.s.Machine.Lines.Chamber && !(g.Counted && t.s.waitsForTrigger(slot)) {
			t.command(fault.Shuffler, Command{Kind: ReleaseOp, Expect: deckSize})
		}
	case next.Step != shuffle.Gather && !t.s.Machine.Lines.Chamber:
		t.command(fault.Shuffler, Command{Kind: LoadOp, Expect: deckSize})
	case next.Step == shuffle.Riffle && t.s.barsRiffle(slot) != hand.Open: // waits; Prompt tells for what
	default:
		t.command(fault.Shuffler, Command{
			Kind: StepOp, Step: next.Step, Index: index, Expect: deckSize, MinCut: g.Progress.Procedure().MinCut,
		})
	}
}

// command makes c the device's outstanding operation. A motion that may start
// at once has a deadline from now; one that waits for a person to put the pack
// in has one from its start.
func (t *turn) command(p fault.Part, c Command) {
	t.s.Op++
	c.Part, c.Op = p, t.s.Op
	if c.Timeout == 0 {
		c.Timeout = t.s.Settings.StepTimeout
	}
	l := t.lane(p)
	*l = l.free()
	l.Op, l.Kind, l.Step = c.Op, c.Kind, c.Step
	if c.Kind != StepOp || l.Lines.Tray || l.Lines.Chamber {
		l.Deadline = t.at.Mono + c.Timeout
	}
	t.out.Commands = append(t.out.Commands, c)
}

func (t *turn) lane(p fault.Part) *Lane {
	if p == fault.Scanner {
		return &t.s.Scanner
	}
	return &t.s.Machine
}

// halt stops devices at once; what they were at is void and must not be waited
// for. They move again only after a reset. Motions are commanded by drive alone,
// at the end of a turn, so no command of this turn can overtake the halt.
func (t *turn) halt(h Halt) {
	t.out.Halt |= h
	for _, p := range [...]fault.Part{fault.Shuffler, fault.Scanner} {
		if h.Has(p) {
			l := t.lane(p)
			*l = l.free()
			l.Lines.Halted = true
		}
	}
}

// withdraw takes back an order that has not begun to move: one that waits for
// the pack must not swallow it when the way is barred meanwhile. Nothing is void.
func (t *turn) withdraw() {
	if l := t.s.Machine; l.Busy() && !l.Started && l.Kind != ResetOp {
		t.halt(HaltMachine)
	}
}

func (e OpStarted) apply(t *turn) {
	l := t.lane(e.Part)
	if l.Op != e.Op || l.Started {
		return // late: the operation is no longer waited for
	}
	l.Started = true
	if e.Part == fault.Shuffler {
		l.Deadline = t.at.Mono + t.s.Settings.StepTimeout
	}
	if slot := t.s.machineSlot(); l.Kind == StepOp {
		step := l.Step
		t.track(slot, func(g *Passing) { // counted again when it comes out (S6)
			g.Verified, g.Counted = false, g.Counted && step == shuffle.Square
		})
		t.stepReported(slot, shuffle.Report{Step: step, Phase: shuffle.Started, By: shuffle.Machine}, origin{tick: e.Tick})
	}
}

func (e OpMoved) apply(t *turn) {
	if l := t.lane(e.Part); l.Op == e.Op {
		l.Cards = e.Cards
	}
}

func (e OpDone) apply(t *turn) {
	l := t.lane(e.Part)
	if l.Op != e.Op || l.Op == 0 {
		return
	}
	kind, step := l.Kind, l.Step
	deadline := l.Deadline
	if kind == ScanOp {
		return // a scan ends with its tally
	}
	*l = l.free()
	switch kind {
	case StepOp:
		slot := t.s.machineSlot()
		t.track(slot, func(g *Passing) { g.Counted = g.Counted || step != shuffle.Cut && e.Cards == deckSize })
		t.stepReported(slot, shuffle.Report{Step: step, Phase: shuffle.Done, By: shuffle.Machine, Cards: e.Cards, Cut: e.Cut}, origin{tick: e.Tick})
	case LoadOp:
		if slot := t.s.machineSlot(); e.Cards != deckSize {
			t.wrongCount(slot, kind.String(), !t.s.passing(slot).Progress.BeforeFirstRiffle(), deckSize, e.Cards)
		}
	case ReleaseOp:
		t.released(e.Cards)
	case ResetOp:
		l.Lines.Halted = false
		if e.Part == fault.Scanner {
			l.Deadline = deadline // of the check under way
		}
	}
}

func (e OpFailed) apply(t *turn) {
	if l := t.lane(e.Part); l.Op != e.Op || l.Op == 0 {
		return
	}
	code := e.Code
	switch code {
	case fault.None:
		code = fault.UnknownFault
	case fault.NotEnoughCards, fault.TooManyCards: // a count is a result, not a breakdown
		if t.countFailed(e) {
			return
		}
	}
	t.deviceFailed(e.Part, code, e.Tick)
}

// countFailed takes an operation of the shuffle that ended in a wrong count.
// The device has stopped itself and wants a reset.
func (t *turn) countFailed(e OpFailed) bool {
	l := t.lane(e.Part)
	kind, step := l.Kind, l.Step
	slot := t.s.machineSlot()
	if e.Part != fault.Shuffler || slot == custody.NoSlot {
		return false
	}
	name := kind.String()
	if kind == StepOp {
		name = step.String()
	}
	t.halt(HaltMachine)
	gathering := kind == LoadOp || step == shuffle.Gather
	t.wrongCount(slot, name, !gathering || !t.s.passing(slot).Progress.BeforeFirstRiffle(), deckSize, e.Cards)
	return true
}

func (e OpBarred) apply(t *turn) {
	l := t.lane(e.Part)
	if l.Op != e.Op || l.Op == 0 {
		return
	}
	deadline := l.Deadline
	*l = l.free()
	l.Lines.Halted = true // drive resets it, then gives the order anew
	if e.Part == fault.Scanner {
		l.Deadline = deadline // of the check under way
	}
}

func (e DeviceFault) apply(t *turn) {
	if e.Part != fault.Shuffler && e.Part != fault.Scanner {
		t.latch(e.Part, e.Code, e.Tick) // the panel moves nothing
		return
	}
	if e.Code == fault.HostSilent && !t.lane(e.Part).Busy() {
		return // it stood still: a reset before the next command is enough
	}
	t.deviceFailed(e.Part, e.Code, e.Tick)
}

// deviceFailed latches what a device reports and stops what it was doing (M1, S5).
func (t *turn) deviceFailed(p fault.Part, code fault.Code, tick uint32) {
	if p == fault.Scanner {
		t.abortCheck(unreadFor(code), true)
		t.latch(p, code, tick)
		return
	}
	t.latch(p, code, tick)
	t.halt(HaltMachine)
	t.stopMachinePass(stopFor(code), Act{})
}

// latch makes a fault stand until a named person clears it (M1).
func (t *turn) latch(p fault.Part, c fault.Code, tick uint32) {
	if _, fresh := t.s.Faults.Latch(p, c); fresh {
		t.emit(FaultLatched{Part: p, Code: c, Hand: t.s.Hand.Number, Tick: tick})
	}
}

// stopFor names the stop that a fault of the shuffler makes (S5).
func stopFor(c fault.Code) shuffle.StopReason {
	switch c {
	case fault.JamTray, fault.JamEntry, fault.JamExit, fault.DoubleFeed:
		return shuffle.StopJam
	case fault.NotEnoughCards, fault.TooManyCards, fault.CardInside, fault.CountFailed:
		return shuffle.StopCountFailed
	case fault.CoverOpen:
		return shuffle.StopCoverOpen
	case fault.EStop:
		return shuffle.StopEStop
	case fault.LinkLost, fault.HostSilent, fault.WrongDevice:
		return shuffle.StopLinkLost
	case fault.DeviceRestarted:
		return shuffle.StopRestarted
	}
	return shuffle.StopDeviceFault
}

// unreadFor names why a check was not read (D2).
func unreadFor(c fault.Code) deckcheck.UnreadReason {
	switch c {
	case fault.CoverOpen:
		return deckcheck.UnreadCoverOpen
	case fault.Lighting:
		return deckcheck.UnreadLighting
	case fault.EStop:
		return deckcheck.UnreadHalted
	case fault.LinkLost, fault.HostSilent:
		return deckcheck.UnreadLinkLost
	case fault.DeviceRestarted:
		return deckcheck.UnreadDeviceRestarted
	case fault.StepTimeout:
		return deckcheck.UnreadTimeout
	}
	return deckcheck.UnreadDeviceFault
}
