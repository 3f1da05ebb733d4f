package hand

// Gate is what H5 asks before a hand may begin, as facts that the table knows.
// The zero value is shut.
type Gate struct {
	TableOpen      bool
	Hold           bool
	Break          bool // H11: the hand before it is finished, no other begins
	HandoffPending bool
	PreviousInPlay bool
	DeckUsable     bool // its last check is good and attested
	Level          Level
	LevelConfirmed bool // M3: no announcement may have been missed
	DealerSignedIn bool
	SeatsConfirmed bool // button, blinds and eligible seats, where the setting asks
	PartsFaulty    bool // a latched fault of a part that the hand uses
}

// Reason is why a hand cannot begin. Open (the zero value) means it can.
type Reason uint8

// The reasons in the order in which a person should put them right.
const (
	Open Reason = iota
	TableClosed
	OnHold
	PartFaulty
	PreviousNotEnded
	OnBreak
	HandoffPending
	NoDealer
	NoLevel
	LevelUnconfirmed
	DeckNotGood
	SeatsUnconfirmed
)

var reasonNames = [...]string{"", "table_closed", "on_hold", "part_faulty", "previous_hand_not_ended", "on_break", "handoff_pending",
	"no_dealer", "no_level", "level_unconfirmed", "deck_not_good", "seats_unconfirmed"}

func (r Reason) String() string { return reasonNames[r] }

// Check gives the first reason of H5 that keeps the gate shut.
func (g Gate) Check() Reason {
	switch {
	case !g.TableOpen:
		return TableClosed
	case g.Hold:
		return OnHold
	case g.PartsFaulty:
		return PartFaulty
	case g.PreviousInPlay:
		return PreviousNotEnded
	case g.Break:
		return OnBreak
	case g.HandoffPending:
		return HandoffPending
	case !g.DealerSignedIn:
		return NoDealer
	case !g.Level.InForce():
		return NoLevel
	case !g.LevelConfirmed:
		return LevelUnconfirmed
	case !g.DeckUsable:
		return DeckNotGood
	case !g.SeatsConfirmed:
		return SeatsUnconfirmed
	}
	return Open
}

// Begin freezes number, tag and seats of a new hand (H2, H3). last is the last
// number ever used at the table: numbers are never reused.
func Begin(last uint64, l Level, t Trigger, button uint8, seats Seats, shuffle uint64) Hand {
	return Hand{Number: last + 1, Tag: l, Trigger: t, Stage: Begun, Button: button, Seats: seats, Shuffle: shuffle}
}
