package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
)

func (StartCheck) Name() string { return "start_check" }

// A check reads the whole deck in one slot. Cards are named only of a deck that
// is not in a hand (D10), so one with cards out cannot be checked.
func (e StartCheck) apply(t *turn) {
	d := t.s.deck(e.Slot)
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case t.s.Checking != custody.NoSlot:
		t.refuse(CheckUnderWay, t.s.Checking.String())
	case !t.atRest(e.Slot):
	case d.Confirmed():
		t.refuse(DeckIsOut, d.ID) // the floor sends it away (D5)
	case !t.s.Scanner.Linked:
		t.refuse(PartNotReady, fault.Scanner.String())
	case t.s.Faults.Blocked(fault.Scanner) || t.s.Faults.Blocked(fault.Journal):
		t.refuse(PartFaulty, fault.Scanner.String())
	case t.s.Hold && t.s.InPlay == e.Slot:
		t.refuse(IsHeld, "")
	default:
		t.emit(CheckStarted{Act: e.Act, Check: t.s.LastCheck + 1, Slot: e.Slot, Deck: d.ID})
		t.s.CheckSince, t.s.Stated = t.at.Mono, e.Stated
		t.s.Scanner.Deadline = t.at.Mono + t.s.Settings.ScanTimeout
	}
}

// driveScanner gives the scanner what the check under way needs next.
func (t *turn) driveScanner() {
	l := &t.s.Scanner
	if t.s.Checking == custody.NoSlot || !l.Linked || l.Busy() {
		return
	}
	deadline := l.Deadline // of the whole check
	if l.Lines.Halted {
		t.command(fault.Scanner, Command{Kind: ResetOp})
	} else {
		t.command(fault.Scanner, Command{Kind: ScanOp, Expect: deckSize, Timeout: t.s.Settings.ScanTimeout})
	}
	l.Deadline = deadline
}

// expireChecks locks decks whose identity check is due again (D11). Never in a
// shuffle or a hand: what has begun is played.
func (t *turn) expireChecks() {
	set := t.s.Settings
	if !t.s.Open {
		return
	}
	for _, slot := range [...]custody.Slot{custody.A, custody.B} {
		if t.s.pass(slot).Live() || t.s.Hand.InPlay() && slot == t.s.InPlay {
			continue
		}
		if d := t.s.deck(slot); d.Due(set.RecheckHands, set.RecheckAfter.Milliseconds(), t.at.Wall.UnixMilli()) {
			t.emit(DeckDue{Slot: slot, Deck: d.ID})
		}
	}
}

func (e ScanEnded) apply(t *turn) {
	l := &t.s.Scanner
	// The device repeats a tally until it is acknowledged; one that nobody waits
	// for any more is acknowledged too, or it would repeat for ever.
	t.out.Commands = append(t.out.Commands, Command{Part: fault.Scanner, Op: e.Op, Kind: TallyAck})
	if t.s.Checking == custody.NoSlot || l.Op != e.Op || l.Kind != ScanOp {
		return
	}
	if e.Tally.FedAttested {
		e.Tally.Fed = t.s.Stated
	}
	t.endCheck(e.Tally)
}

// endCheck judges what was read and frees the scanner.
func (t *turn) endCheck(tally deckcheck.Tally) {
	slot := t.s.Checking
	d := t.s.deck(slot)
	v := deckcheck.Judge(tally, t.s.Settings.Confusions)
	took := t.at.Mono - t.s.CheckSince
	if t.s.CheckSince == 0 { // begun in another run
		took = 0
	}
	t.emit(CheckEnded{
		Check: t.s.LastCheck, Slot: slot, Deck: d.ID, Verdict: v, Confirm: d.Judged(t.s.LastCheck, v).Confirmed(),
		Device: t.s.Scanner.Device, TookMS: took.Milliseconds(),
	})
	t.s.Scanner = t.s.Scanner.free()
}

// abortCheck ends the check under way as unread: never a reason to blame the
// deck, and never good (D2).
func (t *turn) abortCheck(why deckcheck.UnreadReason, halt bool) {
	if t.s.Checking == custody.NoSlot {
		return
	}
	read := t.s.Scanner.Cards
	if halt && t.s.Scanner.Linked {
		t.halt(HaltScanner)
	}
	t.endCheck(deckcheck.Tally{Fed: read, Unnamed: read, Stop: why})
}
