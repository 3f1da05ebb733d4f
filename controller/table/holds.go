package table

import "shuffler/controller/table/custody"

func (CallFloor) Name() string { return "call_floor" }

// A floor call freezes the table (H12): nothing is gathered, fed, released or
// triggered until a ruling lifts it. A motion of the machine that has begun may
// finish; it gets no next one.
func (e CallFloor) apply(t *turn) {
	switch {
	case !t.may(custody.Dealer, custody.Floor):
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case t.s.Hold:
		t.refuse(IsHeld, "")
	case t.reason(e.Reason):
		t.emit(HoldBegan{Act: e.Act, Hand: t.s.Hand.Number, Reason: e.Reason})
		if !t.finishesInHold(t.s.machineSlot()) {
			t.withdraw()
		}
	}
}

func (LiftHold) Name() string { return "lift_hold" }

func (e LiftHold) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Hold:
		t.refuse(NotHeld, "")
	case !t.reason(e.Ruling) || !t.reason(e.Basis):
	case !e.ReadBack: // the dealer repeats the ruling (F0 §1.2)
		t.refuse(BadInput, "read_back")
	default:
		t.emit(HoldLifted{Act: e.Act, Hand: t.s.Hand.Number, Ruling: e.Ruling, Basis: e.Basis, ReadBack: e.ReadBack})
	}
}
