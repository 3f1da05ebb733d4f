package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/shuffle"
)

func (e DeviceUp) apply(t *turn) {
	l := t.lane(e.Part)
	if l.Busy() { // it answers anew without having been missed: what it did is unknown
		DeviceDown{Part: e.Part, Reason: Restarted}.apply(t)
	}
	*l = Lane{Linked: true, Device: e.Device, Deadline: l.Deadline}
	t.emit(DeviceHere{Part: e.Part, Device: e.Device})
	t.linesChanged(e.Part, e.Lines)
}

// A lost link in a shuffle leaves the cards unknown (M3): the shuffle is void
// and the fault stands. A link lost while nothing moved is only noted: a blip
// of a hub is no reason to call the floor.
func (e DeviceDown) apply(t *turn) {
	l := t.lane(e.Part)
	was := *l
	*l = Lane{Cards: was.Cards} // how far a check had come
	if was.Linked {
		t.emit(DeviceGone(e))
	}
	code := fault.LinkLost
	switch e.Reason {
	case Restarted:
		code = fault.DeviceRestarted
	case WrongRole:
		t.latch(e.Part, fault.WrongDevice, 0)
	}
	if e.Part == fault.Scanner {
		t.abortCheck(unreadFor(code), false)
		return
	}
	if was.Linked && (was.Busy() || was.Lines.Chamber) && !t.s.Out {
		t.latch(e.Part, code, 0)
		t.out.Halt |= HaltMachine
		t.stopMachinePass(stopFor(code), Act{})
	}
}

func (e DeviceLines) apply(t *turn) {
	if t.lane(e.Part).Linked {
		t.linesChanged(e.Part, e.Lines)
	}
}

// linesChanged takes the levels that a device reports of itself.
func (t *turn) linesChanged(p fault.Part, now Lines) {
	l := t.lane(p)
	was := l.Lines
	l.Lines = now
	if now.EStop && !was.EStop {
		t.estop(p)
	}
	if now.Cover != was.Cover {
		t.cover(p, now.Cover)
	}
	if now.SortMode && !was.SortMode { // M4: hands have been dealt in order from such a machine
		t.deviceFailed(p, fault.SortMode, 0)
	}
	if p != fault.Shuffler {
		return
	}
	if slot := t.s.machineSlot(); was.Chamber && !now.Chamber && l.Kind != ReleaseOp && !t.s.Out && slot != custody.NoSlot {
		t.halt(HaltMachine) // somebody took the pack out: it has been touched (S5)
		t.void(slot, shuffle.StopTouched, Act{})
	}
	if l.Busy() && l.Deadline == 0 && (now.Tray || now.Chamber) {
		l.Deadline = t.at.Mono + t.s.Settings.StepTimeout // the pack is there: it must start
	}
	if now.Tray && !was.Tray {
		t.packFed()
	}
}

// packFed looks at a pack put into the machine at a time when nothing waits for
// it. Before the pots are pushed it is a fault and a hold (H13).
func (t *turn) packFed() {
	l, turn := t.s.Machine, t.s.turnSlot()
	expected := l.Busy() || t.machineIsNext() // it waits for this pack
	switch {
	case !t.s.Open || t.s.Out:
		t.emit(Notice{Code: PackUnexpected, Part: fault.Shuffler, Arg: string(TableIsClosed)})
	case expected && !t.onlyHandsDeck():
	case t.s.Hand.CardsOut() && t.mayShuffle(turn).Refused():
		t.latch(fault.Shuffler, fault.EarlyFeed, 0)
		t.halt(HaltMachine)
		if !t.s.Hold {
			t.emit(HoldBegan{Hand: t.s.Hand.Number, Reason: fault.EarlyFeed.String()})
		}
	case t.s.machineSlot() != custody.NoSlot:
		t.emit(Notice{Code: PackUnexpected, Part: fault.Shuffler, Arg: string(NotYourStep)})
	default:
		if r := t.mayShuffle(turn); r.Refused() {
			t.emit(Notice{Code: PackUnexpected, Part: fault.Shuffler, Arg: string(r.Code)})
		}
	}
}

// onlyHandsDeck tells whether the pack that was fed can only be the one that is
// in play: the other one is inside the machine already.
func (t *turn) onlyHandsDeck() bool {
	return t.s.Hand.CardsOut() && (t.s.machineSlot() == custody.NoSlot || t.s.Machine.Lines.Chamber)
}

// cover stops a machine that moves (S5); of one at rest it is only noted (M4).
func (t *turn) cover(p fault.Part, open bool) {
	switch {
	case !open:
		t.emit(Notice{Code: CoverClosed, Part: p})
	case t.lane(p).Busy() && t.lane(p).Started || p == fault.Shuffler && t.lane(p).Lines.Chamber:
		t.deviceFailed(p, fault.CoverOpen, 0)
	default:
		t.emit(Notice{Code: CoverOpenedIdle, Part: p})
	}
}

// estop stops everything at the table.
func (t *turn) estop(p fault.Part) {
	t.latch(p, fault.EStop, 0)
	t.abortCheck(unreadFor(fault.EStop), true)
	t.halt(HaltAll)
	t.stopMachinePass(stopFor(fault.EStop), Act{})
}

func (e PanelLine) apply(t *turn) {
	switch e.Line {
	case EStopLine:
		switch {
		case e.Active && !t.s.Panel.EStop:
			t.estop(fault.Panel)
		case !e.Active && t.s.Panel.EStop:
			t.emit(Notice{Code: EStopReleased, Part: fault.Panel})
		}
		t.s.Panel.EStop = e.Active
	case CoverLine:
		if e.Active != t.s.Panel.Cover {
			t.cover(fault.Shuffler, e.Active)
		}
		t.s.Panel.Cover = e.Active
	case ButtonLine:
		if e.Active && !t.s.Panel.Button {
			t.button()
		}
		t.s.Panel.Button = e.Active
	case WashLine:
		if e.Active != t.s.Panel.Wash {
			t.s.Panel.Wash = e.Active
			phase := StepDone
			if e.Active {
				phase = StepStarted
			}
			t.sensed(shuffle.Wash, phase)
		}
	case StepLine:
		if e.Active && !t.s.Panel.Step {
			t.pedal()
		}
		t.s.Panel.Step = e.Active
	}
}

// sensed is a dealer's step that a sensor reports (S4): it is the step of the
// dealer on duty, and out of order it breaks the sequence like any other. While
// no pass is under way nobody shuffles, and it is only noted.
func (t *turn) sensed(step shuffle.Step, phase StepPhase) {
	if t.stubTakes(step) {
		t.stubSensed(step, phase)
		return
	}
	slot := t.stepSlot(step)
	now, _, running := t.s.passing(slot).Progress.Running()
	over := phase == StepDone && !(running && now.Step == step) // its end was reported already
	if !t.s.Dealer.Known() || !t.s.pass(slot).Active || t.s.Hold || t.tooEarly(slot, step) || over {
		t.emit(Notice{Code: SensorIgnored, Part: fault.Panel, Arg: step.String()})
		return
	}
	e := DealerStep{Act: Act{By: t.s.Dealer, Auth: authSensor}, Step: step, Phase: phase, Sensor: true}
	if phase == StepStarted || phase == StepPerformed {
		if !t.dealerReport(slot, e, shuffle.Started) || phase == StepStarted {
			return
		}
	}
	t.dealerReport(slot, e, shuffle.Done)
}

// stubSensed is the same of a step of the stub's pass (H8).
func (t *turn) stubSensed(step shuffle.Step, phase StepPhase) {
	now, _, running := t.s.StubPass.Running()
	if t.s.Hold || step == shuffle.Gather || phase == StepDone && !(running && now.Step == step) {
		t.emit(Notice{Code: SensorIgnored, Part: fault.Panel, Arg: step.String()})
		return
	}
	t.stubStep(DealerStep{Act: Act{By: t.s.Dealer, Auth: authSensor}, Step: step, Phase: phase, Sensor: true})
}

// pedal does the dealer's next step, or ends the one that runs. A step that
// counts is not done with a foot: the count is stated on the screen.
func (t *turn) pedal() {
	slot := t.s.InPlay
	if t.s.stubMixing() {
		phase := StepPerformed
		if _, _, running := t.s.StubPass.Running(); running {
			phase = StepDone
		}
		t.stubSensed(t.s.stubNow().Step, phase)
		return
	}
	if !t.s.pass(slot).Active {
		slot = slot.Other()
	}
	p := t.s.passing(slot).Progress
	step, phase := shuffle.Planned{}, StepPerformed
	if now, _, running := p.Running(); running {
		step, phase = now, StepDone
	} else if next, _, ok := p.Next(); ok {
		step = next
	}
	if step.Actor != shuffle.Dealer || step.Step == shuffle.Gather || step.Step == shuffle.Cut && t.s.waitsForTrigger(slot) {
		t.emit(Notice{Code: SensorIgnored, Part: fault.Panel, Arg: step.Step.String()})
		return
	}
	t.sensed(step.Step, phase)
}

// authSensor is how a step is known that no person reported.
const authSensor = "sensor"

// causePresent tells whether what made a fault is still seen: it cannot be
// cleared then (M1).
func (t *turn) causePresent(p fault.Part, c fault.Code) bool {
	switch c {
	case fault.CoverOpen:
		return t.lane(p).Lines.Cover || p == fault.Shuffler && t.s.Panel.Cover
	case fault.EStop:
		return p == fault.Panel && t.s.Panel.EStop || p != fault.Panel && t.lane(p).Lines.EStop
	case fault.LinkLost, fault.DeviceRestarted, fault.WrongDevice:
		return !t.lane(p).Linked
	}
	return false
}

func (ClearFault) Name() string { return "clear_fault" }

// The floor returns a part to play (P6); the reset that follows makes the
// device look again, and what it still sees latches anew.
func (e ClearFault) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Faults[e.Part%fault.Parts].Has(e.Code) || e.Part >= fault.Parts:
		t.refuse(NoSuchFault, e.Part.String()+"/"+e.Code.String())
	case t.causePresent(e.Part, e.Code):
		t.refuse(CausePresent, e.Code.String())
	case !t.note("note", e.Note):
	default:
		t.emit(FaultCleared(e))
		if l := t.lane(e.Part); e.Part <= fault.Scanner && l.Linked {
			l.Lines.Halted = true // a reset comes first
		}
	}
}

func (SetService) Name() string { return "set_service" }

// The table goes on by hand while the shuffler is out of service (M1, S4).
// Cards left inside are named, and the deck counts as failed (M4).
func (e SetService) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case e.Out == t.s.Out:
		t.refuse(AlreadySo, fault.Shuffler.String())
	case e.Out && !t.reason(e.Reason):
	case e.Out:
		slot := t.s.machineSlot()
		if slot == custody.NoSlot {
			slot = t.s.turnSlot()
		}
		t.stopMachinePass(shuffle.StopFloorVoid, e.unkeyed())
		inside := t.s.Machine.Lines.Chamber || t.s.Machine.Lines.Tray
		if !inside {
			slot = custody.NoSlot
		}
		t.halt(HaltMachine)
		t.emit(ServiceSet{Act: e.Act, Part: fault.Shuffler, Out: true, Inside: inside, Slot: slot, Reason: e.Reason})
	case !t.s.Machine.Linked:
		t.refuse(PartNotReady, fault.Shuffler.String())
	case t.s.Faults.Blocked(fault.Shuffler):
		t.refuse(PartFaulty, t.s.Faults[fault.Shuffler].First().String())
	case t.s.pass(custody.A).Active || t.s.pass(custody.B).Active:
		t.refuse(ShuffleUnderWay, "")
	case t.note("reason", e.Reason):
		t.emit(ServiceSet{Act: e.Act, Part: fault.Shuffler, Reason: e.Reason})
	}
}
