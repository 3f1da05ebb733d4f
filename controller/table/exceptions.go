package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// RecordException tells that the floor sets a rule aside for once, for the hand
// in play or the last one (H14). It changes nothing at the table. An action that
// a rule would refuse carries its exception itself.
type RecordException struct {
	Act
	Rule string // its id; of most rules there is no exception
	Why  string
}

// ExceptionRecorded names a rule that did not hold for once, and why.
type ExceptionRecorded struct {
	Act
	Rule hand.Exception `json:"rule"`
	Why  string         `json:"why"`
	Hand uint64         `json:"hand"`
}

// Type is the record's name in the journal.
func (ExceptionRecorded) Type() string { return "exception" }

func (ExceptionRecorded) fold(f Facts) Facts { return f }

// Name is the action's name in the API.
func (RecordException) Name() string { return "record_exception" }

func (e RecordException) apply(t *turn) {
	rule, err := hand.ParseException(e.Rule)
	switch {
	case !t.may(custody.Floor):
	case rule == hand.NoException && (err == nil || !plainText(e.Rule)):
		t.refuse(BadInput, "rule")
	case rule == hand.NoException:
		t.refuse(NoException, e.Rule)
	case t.s.LastHand == 0:
		t.refuse(NoHandInPlay, "")
	case t.reason(e.Why):
		t.except(e.Act, rule, e.Why)
	}
}

// except records that a rule is set aside for the hand in play or the last one.
// An action that carries an exception calls it before its own record, with its
// act unkeyed.
func (t *turn) except(act Act, rule hand.Exception, why string) {
	t.emit(ExceptionRecorded{Act: act, Rule: rule, Why: why, Hand: t.s.LastHand})
}
