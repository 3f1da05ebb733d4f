package custody

import "fmt"

// HandoffStage is how far a handoff has come (P3).
type HandoffStage uint8

// The stages of a handoff. Only between Proposed and its end is dealing barred.
const (
	NoHandoff HandoffStage = iota
	HandoffProposed
	HandoffRefused // the incoming dealer refused; the floor decides
)

var handoffNames = [...]string{"", "proposed", "refused"}

// MarshalText writes the stage's name, none as an empty text.
func (s HandoffStage) MarshalText() ([]byte, error) { return []byte(handoffNames[s]), nil }

// UnmarshalText reads what MarshalText writes.
func (s *HandoffStage) UnmarshalText(b []byte) error {
	for i, n := range handoffNames {
		if n == string(b) {
			*s = HandoffStage(i)
			return nil
		}
	}
	return fmt.Errorf("unknown stage %q of a handoff", b)
}

// Handoff is a dealer push under way. The zero value is none.
type Handoff struct {
	Stage    HandoffStage
	From, To Person
	MidHand  bool // P1: allowed only with the floor, and marked
}

// Pending tells whether a handoff bars the next hand and the deal (P3, H5).
func (h Handoff) Pending() bool { return h.Stage != NoHandoff }

// Propose begins a handoff from the dealer on duty. In the middle of a hand it
// needs the floor (P1).
func Propose(h Handoff, duty, by, to, approvedBy Person, midHand bool) (Handoff, Refusal) {
	switch {
	case h.Pending():
		return h, HandoffUnderWay
	case by != duty || by.Role != Dealer:
		return h, NotOnDuty
	case to.Role != Dealer || to == by:
		return h, BadSuccessor
	case midHand && approvedBy.Role != Floor:
		return h, MidHandNeedsFloor
	}
	return Handoff{Stage: HandoffProposed, From: by, To: to, MidHand: midHand}, OK
}

// Accept ends a handoff: only the incoming dealer can (P3).
func (h Handoff) Accept(by Person) (Handoff, Refusal) {
	switch {
	case h.Stage == NoHandoff:
		return h, NoHandoffOpen
	case h.Stage == HandoffRefused:
		return h, HandoffIsRefused
	case by != h.To:
		return h, NotIncoming
	}
	return Handoff{}, OK
}

// Refuse hands the decision to the floor (P3).
func (h Handoff) Refuse(by Person) (Handoff, Refusal) {
	switch {
	case h.Stage != HandoffProposed:
		return h, NoHandoffOpen
	case by != h.To:
		return h, NotIncoming
	}
	h.Stage = HandoffRefused
	return h, OK
}

// Refusal is why custody will not do something. OK (the zero value) means done.
type Refusal uint8

// The refusals of this package; table gives them their text codes.
const (
	OK Refusal = iota
	BadID
	SameDeck
	SameBack
	HandoffUnderWay
	NotOnDuty
	BadSuccessor
	MidHandNeedsFloor
	NoHandoffOpen
	HandoffIsRefused
	NotIncoming
	NotConfirmed // no second check has found it (D5)
)
