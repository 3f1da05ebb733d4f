package table

import (
	"strings"

	"shuffler/controller/table/custody"
)

// Changing a deck (D6): what all of its actions ask for.

// floorApproves refuses an action that neither the floor does nor the dealer on
// duty with the floor's approval.
func (t *turn) floorApproves() bool {
	if t.act.By.Role == custody.Dealer && t.act.ApprovedBy.Role == custody.Floor {
		return t.onDuty() && t.second(custody.Floor)
	}
	return t.may(custody.Floor)
}

// because takes the cause of a change: one of the list, with or without a note;
// none is the floor's order, and that needs a note.
func (t *turn) because(cause *custody.Cause, note string) bool {
	if *cause == custody.NoCause {
		*cause = custody.FloorOrder
	}
	if *cause == custody.FloorOrder {
		return t.reason(note)
	}
	return t.note("reason", note)
}

// remedyPrompt is what a deck needs whose check was not good.
func remedyPrompt(d custody.Deck) Prompt {
	if d.Remedy() != custody.PutRight {
		return dealerDo(DoRescan)
	}
	var found []string
	for _, f := range d.Verdict.Findings() {
		found = append(found, f.Kind.String())
	}
	p := dealerDo(DoFixDeck)
	p.Arg = strings.Join(found, ",")
	return p
}
