// Package api has the words that programs and screens use with the controller:
// requests, answers and snapshots as they go over the wire. It needs nothing
// but the standard library, so that makers of tournament software can import
// it. The types say nothing of how they travel; in one process they are used as
// they are.
//
// All values are plain data and may be copied. Amounts are in chips, times in
// Unix milliseconds, people are "role:id".
package api

import "encoding/json"

// Request asks for one action at a table or in the room.
type Request struct {
	Action      string          `json:"action"`                // a name of Actions
	By          string          `json:"by"`                    // who acts: dealer:12, floor:7
	PIN         PIN             `json:"-"`                     // of who acts, where the room wants proof
	ApprovedBy  string          `json:"approved_by,omitempty"` // the second person, where a rule wants one
	ApprovedPIN PIN             `json:"-"`                     // of the second person
	Key         string          `json:"key,omitempty"`         // idempotency key: repeated, it gets the same answer
	Args        json.RawMessage `json:"args,omitempty"`        // the action's own arguments
}

// PIN is a person's secret number on its way to the controller. It is in no
// record, answer or log, and no way of printing a request shows it.
type PIN string

// String hides the PIN.
func (p PIN) String() string {
	if p == "" {
		return ""
	}
	return "****"
}

// GoString hides the PIN.
func (p PIN) GoString() string { return `"` + p.String() + `"` }

// MarshalText hides the PIN: nothing that is written has one.
func (p PIN) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Answer says what became of a request. It comes when the outcome is durable.
type Answer struct {
	Done    bool   `json:"done"`
	Problem string `json:"problem,omitempty"` // code of the refusal or failure
	Arg     string `json:"arg,omitempty"`     // what the code is about
	Detail  string `json:"detail,omitempty"`  // for an operator, in English
	N       uint64 `json:"n"`                 // state number of the table afterwards
	Head    string `json:"head,omitempty"`    // journal position and hash that hold the outcome
}

// Arguments of the actions that have any. Each is named after its action.
type (
	OpenTable struct {
		ActivityCard string `json:"activity_card"`
		Manual       string `json:"manual"`
		Floor        string `json:"floor"`
		Deputy       string `json:"deputy,omitempty"`
	}
	ChangeFloor struct { // D11: what is left out stays
		Floor  string `json:"floor,omitempty"`
		Deputy string `json:"deputy,omitempty"`
		Reason string `json:"reason,omitempty"`
	}
	LiftLock struct { // in the room: the person may try a PIN again
		Staff string `json:"staff"`
	}
	PlaceDeck struct {
		Slot   string `json:"slot"`
		Deck   string `json:"deck"`
		Back   string `json:"back"`
		New    bool   `json:"new,omitempty"`
		Seal   string `json:"seal,omitempty"`  // number of the seal broken at the table, for a new deck
		Cause  string `json:"cause,omitempty"` // as in ChangeDeck, once a hand has begun at the table
		Reason string `json:"reason,omitempty"`
	}
	// ChangeDeck takes a deck away or changes which one plays (D6). Cause is one of
	// damaged, dirty, sticky, marked, backs_differ, incomplete, fouled, not_good,
	// check_due, scheduled, floor_order; empty is floor_order, and that needs a
	// reason in words.
	ChangeDeck struct { // remove_deck, use_deck
		Slot   string `json:"slot"`
		Cause  string `json:"cause,omitempty"`
		Reason string `json:"reason,omitempty"`
	}
	Slot struct { // start_check
		Slot        string `json:"slot"`
		Reason      string `json:"reason,omitempty"`
		StatedCount uint16 `json:"stated_count,omitempty" maximum:"65535"`
	}
	UseForDraw struct { // D9
		Slot string `json:"slot,omitempty"` // empty: the deck in play
		Kind string `json:"kind"`           // seat_draw, button_draw, chip_race
	}
	// QuarantineDeck sends a deck away for good (D5). Cause is duplicate_confirmed,
	// foreign_back_confirmed, joker_in_play, duplicate_in_play or floor_order; empty
	// is what two checks have found, else floor_order, which needs a reason.
	QuarantineDeck struct {
		Slot     string `json:"slot"`
		Envelope string `json:"envelope"`
		Cause    string `json:"cause,omitempty"`
		Reason   string `json:"reason,omitempty"`
	}
	AttestDeck struct { // D4: the dealer's word, none of it measured
		Slot        string `json:"slot"`
		Condition   bool   `json:"condition"`
		Backs       bool   `json:"backs"`
		CutCard     bool   `json:"cut_card"`
		Button      bool   `json:"button"`
		Timer       bool   `json:"timer"`
		StatedCount uint16 `json:"stated_count,omitempty" maximum:"65535"`
	}
	ConfirmSeats struct {
		Button int   `json:"button"`
		Seats  []int `json:"seats"`
	}
	ConfirmLevel struct {
		Number uint16 `json:"number" maximum:"65535"`
	}
	AnnounceLevel struct { // in the room, for all tables
		Number       uint16 `json:"number" maximum:"65535"`
		SmallBlind   uint32 `json:"small_blind" maximum:"4294967295"`
		BigBlind     uint32 `json:"big_blind" maximum:"4294967295"`
		BigBlindAnte uint32 `json:"big_blind_ante,omitempty" maximum:"4294967295"`
	}
	DealerStep struct {
		Step   string `json:"step"`
		Phase  string `json:"phase"` // started, done, or performed for both at once
		Cards  uint16 `json:"cards,omitempty" maximum:"65535"`
		Sensor bool   `json:"sensor,omitempty"`
	}
	VoidShuffle struct {
		Reason string `json:"reason"`
		Slot   string `json:"slot,omitempty"` // of two decks under way; empty for the hand's
	}
	SetRotation struct {
		On     bool   `json:"on"`
		Reason string `json:"reason"`
	}
	// SetBreak begins a break or ends it. The hand that has begun is finished (H11).
	SetBreak struct {
		On     bool   `json:"on"`
		Reason string `json:"reason,omitempty"`
	}
	Reason struct { // abandon_hand, call_floor, request_wash, refuse_handoff
		Reason string `json:"reason"`
	}
	ResumeHand struct {
		Said string `json:"said"` // untouched, dealt, unsure
	}
	// RecordException tells that a rule is set aside for once, for fairness: H4, H7
	// or H8. No other has an exception (H14).
	RecordException struct {
		Rule string `json:"rule"`
		Why  string `json:"why"`
	}
	// DealStreet tells that a street lies on the table (H10); optional.
	DealStreet struct {
		Street string `json:"street"`            // flop, turn, river
		NoBurn bool   `json:"no_burn,omitempty"` // it was dealt without its burn
	}
	// OddMove is a move of cards that is no ordinary deal (H10). Kind is
	// exposed_card, four_card_flop, flop_burn_missing, premature_board, boxed_card,
	// button_completed, short_hand_dead, long_hand_dead or ruled.
	OddMove struct {
		Kind   string `json:"kind"`
		Seat   int    `json:"seat,omitempty"`  // of the hand that it is about
		Cards  int    `json:"cards,omitempty"` // boxed_card, ruled
		Acted  bool   `json:"acted,omitempty"` // flop_burn_missing: an action followed
		From   string `json:"from,omitempty"`  // ruled: stub, hands, board, burns, muck, scrap
		To     string `json:"to,omitempty"`
		Reason string `json:"reason,omitempty"` // ruled
	}
	// ReshuffleStub is the floor's word on a stub that was dropped, mixed or dealt
	// from too early (H8). Outcome is restored, stub_only or rebuilt; Street how far
	// the board has come; Cards the stub counted face down.
	ReshuffleStub struct {
		Outcome string `json:"outcome"`
		Street  string `json:"street"`          // preflop, flop, turn, river
		Cards   int    `json:"cards,omitempty"` // may be left out where the order is restored
		Reason  string `json:"reason"`
		// Exception is why it is fair to leave a stub as it is although a card went
		// back into it (H14).
		Exception string `json:"exception,omitempty"`
	}
	// CountStub is the stub counted face down, against the ledger (P2, H10).
	CountStub struct {
		Street string `json:"street"` // that the board has come to
		Cards  int    `json:"cards"`
	}
	LiftHold struct {
		Ruling   string `json:"ruling"`
		Basis    string `json:"basis"`
		ReadBack bool   `json:"read_back"`
	}
	ProposeHandoff struct {
		To string `json:"to"`
	}
	AcceptHandoff struct {
		Head string `json:"head,omitempty"` // of the report that was read
	}
	SettleHandoff struct {
		Complete bool   `json:"complete"`
		Reason   string `json:"reason"`
	}
	ClearFault struct {
		Part string `json:"part"`
		Code string `json:"code"`
		Note string `json:"note,omitempty"`
	}
	SetService struct {
		Out    bool   `json:"out"`
		Reason string `json:"reason,omitempty"`
	}
)

// Snapshot is a table as the journal has it, for a screen. There is no card in
// it but those that a completed bad check names (X2, D10).
type Snapshot struct {
	Table     string    `json:"table"`
	N         uint64    `json:"n"`
	Head      string    `json:"head"`
	Open      bool      `json:"open"`
	Session   uint64    `json:"session,omitempty"`
	Floor     string    `json:"floor,omitempty"`  // on duty
	Deputy    string    `json:"deputy,omitempty"` // on duty
	Dealer    string    `json:"dealer,omitempty"`
	Proof     bool      `json:"proof,omitempty"`     // people prove who they are with a PIN
	SignedIn  bool      `json:"signed_in,omitempty"` // the dealer has proven it here: routine deeds need no PIN
	Level     *Level    `json:"level,omitempty"`
	Hand      *Hand     `json:"hand,omitempty"`
	LastHand  uint64    `json:"last_hand"`
	LastCheck uint64    `json:"last_check"`
	Next      Next      `json:"next"`
	Decks     []Deck    `json:"decks"`
	InPlay    string    `json:"in_play,omitempty"` // slot
	Check     *Check    `json:"check,omitempty"`
	Shuffle   *Shuffle  `json:"shuffle,omitempty"` // of the deck in the hand, or of the next one
	Resting   *Shuffle  `json:"resting,omitempty"` // of the other deck
	Rotation  *Rotation `json:"rotation,omitempty"`
	Hold      bool      `json:"hold,omitempty"`
	Break     bool      `json:"break,omitempty"`       // no hand begins before its end
	Before    uint64    `json:"last_before,omitempty"` // the last hand before the break; it is finished
	Handoff   *Handoff  `json:"handoff,omitempty"`
	Faults    []Fault   `json:"faults,omitempty"`
	Service   bool      `json:"shuffler_in_service"`
	Devices   []Device  `json:"devices"`
}

// Parts of a Snapshot.
type (
	Next struct {
		Do   string `json:"do"`
		Who  string `json:"who"`
		Slot string `json:"slot,omitempty"`
		Step string `json:"step,omitempty"`
		Arg  string `json:"arg,omitempty"`
	}
	Level struct {
		Number       uint16 `json:"number"`
		SmallBlind   uint32 `json:"small_blind"`
		BigBlind     uint32 `json:"big_blind"`
		BigBlindAnte uint32 `json:"big_blind_ante,omitempty"`
	}
	Hand struct {
		Number uint64 `json:"number"`
		Stage  string `json:"stage"`
		Tag    Level  `json:"level_tag"`
		Button uint8  `json:"button"`
		Seats  []int  `json:"seats"`
		SA     bool   `json:"substantial_action,omitempty"`
		Street string `json:"street,omitempty"` // of a hand that is dealt, as far as anybody stated it (H10)
	}
	Deck struct {
		Slot     string   `json:"slot"`
		ID       string   `json:"id"`
		Back     string   `json:"back"`
		Lock     string   `json:"lock,omitempty"`
		Verdict  string   `json:"verdict,omitempty"`
		Findings []string `json:"findings,omitempty"`
		Shuffles uint32   `json:"shuffles"`
	}
	Check struct { // while it is read: a count and nothing else
		Slot  string `json:"slot"`
		Cards uint16 `json:"cards"`
	}
	Shuffle struct {
		ID     uint64 `json:"id"`
		Slot   string `json:"slot"`
		ByHand bool   `json:"by_hand,omitempty"`
		Steps  []Step `json:"steps"`
		Cards  uint16 `json:"cards,omitempty"` // moved in the step that runs
		Ready  bool   `json:"ready,omitempty"` // the machine's part is done and counted
	}
	Rotation struct { // two decks take turns
		On   bool `json:"on"`
		Next bool `json:"from_next_hand"`
	}
	Step struct {
		Step  string `json:"step"`
		Actor string `json:"actor"`
		State string `json:"state"` // waiting, running, done, skipped
	}
	Handoff struct {
		From    string `json:"from"`
		To      string `json:"to"`
		Refused bool   `json:"refused,omitempty"`
		MidHand bool   `json:"mid_hand,omitempty"`
	}
	Fault struct {
		Part string `json:"part"`
		Code string `json:"code"`
	}
	Device struct {
		Part          string `json:"part"`
		Linked        bool   `json:"linked"`
		Model         string `json:"model,omitempty"`
		Serial        string `json:"serial,omitempty"`
		Authenticated bool   `json:"authenticated"`
	}
)

// Room is what requests are made of. ask's reply comes when the outcome is
// durable, in whatever goroutine the controller is in; it must not block.
type Room interface {
	Snapshot(table string) (Snapshot, error)
	Ask(table string, r Request, reply func(Answer))
}

// Args packs an action's arguments into a request.
func Args(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // plain data of this package always marshals
		panic("api: " + err.Error())
	}
	return b
}
