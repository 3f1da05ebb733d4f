package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// Refusal is why a request was not done, as a code with arguments; the text in
// a person's language, with what to do, is made at the edge. The zero value
// means that it was done. Comparable.
type Refusal struct {
	Code Code   `json:"code"`
	Arg  string `json:"arg,omitempty"` // what the code is about: a slot, a stage, a wanted role
}

// Refused tells whether this is a refusal.
func (r Refusal) Refused() bool { return r.Code != "" }

// Code is a refusal's stable name; programs may switch on it.
type Code string

// The codes of refusals. Each has a text in every language (tested).
const (
	NeedsRole        Code = "needs_role"   // arg: the roles that may
	NeedsSecond      Code = "needs_second" // arg: role of the second person
	SamePerson       Code = "same_person"  // the second person must be another one
	TableIsOpen      Code = "table_open"
	TableIsClosed    Code = "table_closed"
	HandInPlay       Code = "hand_in_play"
	NoHandInPlay     Code = "no_hand"
	WrongStage       Code = "wrong_stage" // arg: the stage the hand is in
	SlotTaken        Code = "slot_taken"
	SlotEmpty        Code = "slot_empty"
	BadInput         Code = "bad_input" // arg: which field
	SameDeck         Code = "same_deck"
	SameBack         Code = "same_back" // D7
	DeckIsOut        Code = "deck_quarantined"
	DeckBarred       Code = "deck_barred"     // arg: the registry's reason
	DeckNotUsable    Code = "deck_not_usable" // arg: the lock
	DeckInHand       Code = "deck_in_hand"    // D10
	CheckUnderWay    Code = "check_under_way"
	NothingToAttest  Code = "nothing_to_attest"
	AttestIncomplete Code = "attestation_incomplete" // arg: what is missing
	PartNotReady     Code = "part_not_ready"         // arg: the part
	PartFaulty       Code = "part_faulty"            // arg: the part
	NoSuchFault      Code = "no_such_fault"
	CausePresent     Code = "cause_present" // arg: the code
	ShuffleUnderWay  Code = "shuffle_under_way"
	NoShuffle        Code = "no_shuffle"
	NotYourStep      Code = "sequence_break" // S3, arg: the step that was expected
	MachineInService Code = "machine_in_service"
	AlreadySo        Code = "already_so"
	IsHeld           Code = "on_hold"
	NotHeld          Code = "not_on_hold"
	OnBreak          Code = "on_break" // H11
	ReasonMissing    Code = "reason_missing"
	CauseUnconfirmed Code = "cause_unconfirmed" // D5, arg: the cause
	NoException      Code = "no_exception"      // H14, arg: the rule
	NoLevelYet       Code = "no_level"
	WrongStreet      Code = "wrong_street" // H10, arg: the street that the hand is at
	BurnInPlace      Code = "burn_in_place"
	BurnNotMissing   Code = "burn_not_missing"
	TooFewCards      Code = "too_few_cards"
	MisdealDue       Code = "misdeal_due" // F0 §12.2: the floor confirms a misdeal instead
	NotAMove         Code = "not_a_move"
	StubNotReady     Code = "stub_not_ready" // H8: it is to be washed and cut first
	StubCountWrong   Code = "stub_count_wrong"
	HandoffOpen      Code = "handoff_under_way"
	NoHandoffOpen    Code = "no_handoff"
	HandoffIsRefused Code = "handoff_refused"
	NotOnDuty        Code = "not_on_duty"
	NotIncoming      Code = "not_incoming"
	BadSuccessor     Code = "bad_successor"
	MidHandFloor     Code = "mid_hand_needs_floor"
	NotNow           Code = "not_now"     // arg: the reason of H5
	CountIsWrong     Code = "count_wrong" // H10: look for the card, then gather again
	Stopping         Code = "stopping"

	// Of proofs (P6): the first is the table's own word too, the others are the
	// room's.
	PINNeeded    Code = "pin_needed" // arg: pin or approved_pin
	PINWrong     Code = "pin_wrong"  // arg: pin or approved_pin
	LockedOut    Code = "locked_out" // arg: the person
	UnknownStaff Code = "unknown_staff"
	RoleNotHeld  Code = "role_not_held"
	NotActive    Code = "not_active"
	OtherTable   Code = "other_table"
)

func custodyRefusal(r custody.Refusal) Refusal {
	code := [...]Code{
		custody.OK: "", custody.BadID: BadInput, custody.SameDeck: SameDeck, custody.SameBack: SameBack,
		custody.HandoffUnderWay: HandoffOpen, custody.NotOnDuty: NotOnDuty, custody.BadSuccessor: BadSuccessor,
		custody.MidHandNeedsFloor: MidHandFloor, custody.NoHandoffOpen: NoHandoffOpen,
		custody.HandoffIsRefused: HandoffIsRefused, custody.NotIncoming: NotIncoming, custody.NotConfirmed: CauseUnconfirmed,
	}[r]
	return Refusal{Code: code}
}

func gateRefusal(r hand.Reason) Refusal { return Refusal{Code: NotNow, Arg: r.String()} }
