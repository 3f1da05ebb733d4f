package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
	"shuffler/shuffle"
)

func (ProposeHandoff) Name() string { return "propose_handoff" }

// The dealer on duty names the successor; nothing is dealt until it is accepted
// (P3). Where the push is a trigger it fixes the next hand's number and tag (H1).
func (e ProposeHandoff) apply(t *turn) {
	mid := t.s.Hand.InPlay()
	h, why := custody.Propose(t.s.Handoff, t.s.Dealer, e.By, e.To, e.ApprovedBy, mid)
	switch {
	case !t.s.Open:
		t.refuse(TableIsClosed, "")
	case why != custody.OK:
		t.refuseWith(custodyRefusal(why))
	case custody.CheckID(e.To.ID) != nil:
		t.refuse(BadInput, "to")
	default:
		push := t.s.triggers(t.s.InPlay).Has(hand.DealerPush) && !mid
		if push { // before the handoff itself bars the next hand
			t.trigger(hand.DealerPush, t.s.InPlay, 0)
		}
		t.emit(HandoffProposed{Act: e.Act, From: h.From, To: h.To, MidHand: mid, Hand: t.s.Hand.Number, Last: t.s.LastHand})
		if t.s.Machine.Step == shuffle.Riffle && t.s.barsRiffle(t.s.machineSlot()) != hand.Open {
			t.withdraw()
		}
	}
}

func (AcceptHandoff) Name() string { return "accept_handoff" }

func (e AcceptHandoff) apply(t *turn) {
	if _, why := t.s.Handoff.Accept(e.By); why != custody.OK {
		t.refuseWith(custodyRefusal(why))
		return
	}
	if t.note("head", e.Head) {
		t.emit(HandoffAccepted{Act: e.Act, From: t.s.Handoff.From, To: t.s.Handoff.To, Head: e.Head})
	}
}

func (RefuseHandoff) Name() string { return "refuse_handoff" }

func (e RefuseHandoff) apply(t *turn) {
	h, why := t.s.Handoff.Refuse(e.By)
	switch {
	case why != custody.OK:
		t.refuseWith(custodyRefusal(why))
	case t.reason(e.Reason):
		t.emit(HandoffRefused{Act: e.Act, From: h.From, To: h.To, Reason: e.Reason})
	}
}

func (SettleHandoff) Name() string { return "settle_handoff" }

// After a refusal the floor decides who deals on (P3). The floor may settle one
// that nobody answers, too: a table must not stay barred by an absent person.
func (e SettleHandoff) apply(t *turn) {
	switch {
	case !t.may(custody.Floor):
	case !t.s.Handoff.Pending():
		t.refuse(NoHandoffOpen, "")
	case t.reason(e.Reason):
		t.emit(HandoffSettled{Act: e.Act, From: t.s.Handoff.From, To: t.s.Handoff.To, Complete: e.Complete, Reason: e.Reason})
	}
}
