package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// What each record changes in the facts. Nothing else changes them.

func (r Boot) fold(f Facts) Facts {
	f.Run = r.Run
	f.ConfirmLevel = f.ConfirmLevel || r.ConfirmLevel
	if r.Unsure {
		f.Hand.Stage = hand.Unsure
	}
	return f
}

func (Stop) fold(f Facts) Facts { return f }

func (r SettingsApplied) fold(f Facts) Facts {
	f.Settings = r.Settings
	return f
}

func (ClockStep) fold(f Facts) Facts { return f }

func (r Checkpoint) fold(f Facts) Facts {
	r.Facts.N = f.N // counted by Fold as for any record
	return r.Facts
}

func (r TableOpened) fold(f Facts) Facts {
	f.Open, f.Session, f.Floor, f.Deputy = true, r.Session, r.Floor, r.Deputy
	f.SeatsOK, f.ConfirmLevel = false, f.Level.InForce() // it may be yesterday's
	for i := range f.Decks {
		if f.Decks[i].Present() { // D11: each deck is checked and washed at opening
			if f.Decks[i].Lock == custody.Free {
				f.Decks[i].Lock = custody.Unchecked
			}
			f.Decks[i].WashDue = f.Decks[i].WashDue.With(shuffle.WashTableOpen)
		}
	}
	return f
}

func (TableClosed) fold(f Facts) Facts {
	f.Open, f.Dealer, f.Proven, f.SeatsOK, f.StubCountedInDown = false, custody.Person{}, false, false, false
	f.Rotation, f.Break = Rotation{}, Break{}
	return f.unready(custody.A).unready(custody.B)
}

func (r SignedIn) fold(f Facts) Facts     { return f.takenBy(r.By, r.Auth) }
func (RequestRefused) fold(f Facts) Facts { return f }
func (Notice) fold(f Facts) Facts         { return f }

func (r DeckPlaced) fold(f Facts) Facts {
	d, _ := custody.Place(r.Deck, r.Back, r.New, f.deck(r.Slot.Other()))
	d.Placed, d.Before = r.At, r.Used
	f = f.withDeck(r.Slot, d).gathered(r.Slot)
	if f.InPlay == custody.NoSlot {
		f.InPlay = r.Slot
	}
	return f
}

func (r DeckRemoved) fold(f Facts) Facts { return f.takeAway(r.Slot) }

func (r DeckQuarantined) fold(f Facts) Facts { return f.takeAway(r.Slot) }

func (f Facts) takeAway(s custody.Slot) Facts {
	f = f.withDeck(s, custody.Deck{}).unready(s).gathered(s)
	if f.InPlay == s {
		f.InPlay = custody.NoSlot
		if f.deck(s.Other()).Present() {
			f.InPlay = s.Other()
		}
	}
	return f
}

func (r DeckInPlay) fold(f Facts) Facts {
	f = f.unready(f.InPlay)
	f.InPlay = r.Slot
	return f
}

// unready takes back that a pack lies ready.
func (f Facts) unready(s custody.Slot) Facts {
	p := f.pass(s)
	p.Complete = false
	return f.withPass(s, p)
}

func (r CheckStarted) fold(f Facts) Facts {
	f.LastCheck, f.Checking = r.Check, r.Slot
	d := f.deck(r.Slot)
	if d.Lock == custody.Free {
		d.Lock = custody.Unchecked // until the verdict
	}
	return f.withDeck(r.Slot, d).unready(r.Slot) // the pack goes through another device
}

func (r CheckEnded) fold(f Facts) Facts {
	f.Checking = custody.NoSlot
	if r.Verdict.Outcome == deckcheck.Good { // all cards went through the scanner
		f = f.gathered(r.Slot)
	}
	return f.withDeck(r.Slot, f.deck(r.Slot).Judged(r.Check, r.Verdict))
}

func (r DeckAttested) fold(f Facts) Facts {
	return f.withDeck(r.Slot, f.deck(r.Slot).Attest(r.By, r.Countersign, f.Settings.CountersignNew, r.At))
}

func (r WashAsked) fold(f Facts) Facts { return f.oweWash(r.Slot, shuffle.WashRequested) }

func (f Facts) oweWash(s custody.Slot, why shuffle.WashReason) Facts {
	d := f.deck(s)
	d.WashDue = d.WashDue.With(why)
	return f.withDeck(s, d)
}

func (r ShuffleStarted) fold(f Facts) Facts {
	f.LastShuffle = r.Shuffle
	f = f.withPass(r.Slot, Pass{ID: r.Shuffle, Active: true, ByHand: r.ByHand})
	if r.Hand != 0 {
		f.Hand.Shuffle = r.Shuffle
		f.Hand.Stage = hand.Begun
	}
	return f
}

func (r ShuffleStep) fold(f Facts) Facts {
	if r.Phase == shuffle.Done { // the first is the gathering, where the procedure has one
		f = f.gathered(r.Slot)
	}
	if r.Step == shuffle.Wash && r.Phase == shuffle.Done {
		d := f.deck(r.Slot)
		d.WashDue = 0
		f = f.withDeck(r.Slot, d)
	}
	return f
}

func (PackVerified) fold(f Facts) Facts   { return f }
func (CutRefused) fold(f Facts) Facts     { return f }
func (SequenceBroken) fold(f Facts) Facts { return f }

func (r CountWrong) fold(f Facts) Facts {
	if r.Locks {
		f = f.withDeck(r.Slot, f.deck(r.Slot).Fail())
	}
	return f
}

func (r ShuffleVoid) fold(f Facts) Facts {
	p := f.pass(r.Slot)
	p.Active, p.Complete = false, false
	f = f.withPass(r.Slot, p)
	if r.Hand != 0 && (f.Hand.Stage == hand.Ready || f.Hand.Stage == hand.Unsure) {
		f.Hand.Stage = hand.Begun
	}
	if r.Wash {
		f = f.oweWash(r.Slot, shuffle.WashAfterStop)
	}
	return f
}

func (r ShuffleComplete) fold(f Facts) Facts {
	p := f.pass(r.Slot)
	p.Active, p.Complete = false, true
	f = f.withPass(r.Slot, p)
	d := f.deck(r.Slot)
	d.Shuffles++
	return f.withDeck(r.Slot, d)
}

func (r LevelInForce) fold(f Facts) Facts {
	f.Level, f.ConfirmLevel = r.Level, false
	return f
}

func (r LevelConfirmed) fold(f Facts) Facts { f.ConfirmLevel = false; return f }

func (r SeatsConfirmed) fold(f Facts) Facts {
	seats, err := hand.ParseSeats(r.Seats)
	if err != nil {
		return f
	}
	f.Button, f.Seats, f.SeatsOK = r.Button, seats, true
	return f
}

func (Triggered) fold(f Facts) Facts { return f }

func (r HandStarted) fold(f Facts) Facts {
	f.Hand = hand.Begin(f.LastHand, r.Tag, r.Trigger, f.Button, f.Seats, r.Shuffle)
	f.LastHand = r.Hand
	f.Hand.Stated = f.SeatsOK
	f.SeatsOK = false
	f.Rotation.Last = r.Slot
	return f.withDeck(r.Slot, f.deck(r.Slot).Begin())
}

func (HandReady) fold(f Facts) Facts { f.Hand.Stage = hand.Ready; return f }

func (r HandResumed) fold(f Facts) Facts {
	switch r.Said {
	case Untouched:
		f.Hand.Stage = hand.Ready
	case PackDealt:
		f.Hand.Stage = hand.Dealt
		f = f.unready(f.InPlay).dealt()
	}
	return f
}

func (DealStarted) fold(f Facts) Facts {
	f.Hand.Stage = hand.Dealt
	return f.unready(f.InPlay).dealt()
}

func (ActionFormed) fold(f Facts) Facts { f.Hand.SA = true; return f }

func (r HandEnded) fold(f Facts) Facts { return f.handOver() }

func (r DeckDue) fold(f Facts) Facts { return f.withDeck(r.Slot, f.deck(r.Slot).Expire()) }

func (HandAbandoned) fold(f Facts) Facts { return f.unready(f.InPlay).handOver() }

// handOver is what every end of a hand does.
func (f Facts) handOver() Facts {
	f.Hand = hand.Hand{}
	return f.turnDecks()
}

func (HoldBegan) fold(f Facts) Facts  { f.Hold = true; return f }
func (HoldLifted) fold(f Facts) Facts { f.Hold = false; return f }

func (r HandoffProposed) fold(f Facts) Facts {
	f.Handoff = custody.Handoff{Stage: custody.HandoffProposed, From: r.From, To: r.To, MidHand: r.MidHand}
	return f
}

func (r HandoffAccepted) fold(f Facts) Facts {
	f.Handoff = custody.Handoff{}
	return f.takenBy(r.To, r.Auth)
}

func (HandoffRefused) fold(f Facts) Facts {
	f.Handoff.Stage = custody.HandoffRefused
	return f
}

func (r HandoffSettled) fold(f Facts) Facts {
	f.Handoff = custody.Handoff{}
	if !r.Complete {
		return f
	}
	if r.ApprovedBy == r.To { // who was there and signed, too
		return f.takenBy(r.To, r.ApprovedAuth)
	}
	return f.takenBy(r.To, custody.AuthNone)
}

func (r FaultLatched) fold(f Facts) Facts {
	f.Faults, _ = f.Faults.Latch(r.Part, r.Code)
	return f
}

func (r FaultCleared) fold(f Facts) Facts {
	f.Faults = f.Faults.Clear(r.Part, r.Code)
	return f
}

func (r ServiceSet) fold(f Facts) Facts {
	if r.Part != fault.Shuffler {
		return f
	}
	f.Out = r.Out
	if r.Inside { // the pack must be found and checked again
		slot := r.Slot
		if slot == custody.NoSlot { // of one deck in the machine there was no doubt
			slot = f.InPlay
		}
		f = f.withDeck(slot, f.deck(slot).Fail())
	}
	return f
}

func (DeviceHere) fold(f Facts) Facts { return f }
func (DeviceGone) fold(f Facts) Facts { return f }
