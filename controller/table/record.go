package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// Record is a fact for the journal (DESIGN rule 8): what became true, not what
// was asked. No record depends on the order of cards (X1). The fields named
// hand, deck, by, key and session are the journal's query columns.
type Record interface {
	Type() string
	fold(Facts) Facts // what the fact changes; the only way that Facts change
}

// Life of the table.
type (
	Boot struct { // M3
		Version      string `json:"version"`
		BootID       string `json:"boot_id"`
		Run          uint64 `json:"run"`
		ConfirmLevel bool   `json:"confirm_level,omitempty"` // an announcement may have been missed
		Unsure       bool   `json:"unsure,omitempty"`        // the hand was between ready and the deal
		Hand         uint64 `json:"hand,omitempty"`
	}
	Stop            struct{}
	SettingsApplied struct {
		Settings Settings `json:"settings"`
	}
	ClockStep struct {
		MS int64 `json:"ms"`
	}
	// Checkpoint repeats all facts, so that a start reads the journal from here.
	// It changes nothing.
	Checkpoint struct {
		Facts Facts `json:"facts"`
	}
	TableOpened struct {
		Act
		Session      uint64         `json:"session"`
		ActivityCard string         `json:"activity_card"`
		Manual       string         `json:"manual"`
		Floor        custody.Person `json:"floor"`
		Deputy       custody.Person `json:"deputy,omitzero"`
	}
	TableClosed struct {
		Act
		Session uint64 `json:"session"`
	}
	SignedIn struct {
		Act
	}
	RequestRefused struct {
		Act
		Action  string  `json:"action"`
		Refusal Refusal `json:"refusal"`
	}
	// Notice tells something odd that started nothing (M4).
	Notice struct {
		Code NoticeCode `json:"code"`
		Part fault.Part `json:"part,omitzero"`
		Arg  string     `json:"arg,omitempty"`
		Tick uint32     `json:"tick,omitempty"`
	}
)

// Decks.
type (
	DeckPlaced struct {
		Act
		Slot   custody.Slot  `json:"slot"`
		Deck   string        `json:"deck"`
		Back   string        `json:"back"`
		New    bool          `json:"new,omitempty"`
		Cause  custody.Cause `json:"cause,omitzero"`
		Reason string        `json:"reason,omitempty"`
		Brand  string        `json:"brand,omitempty"`
		Seal   string        `json:"seal,omitempty"`
		Used   custody.Wear  `json:"before,omitzero"` // over all tables, until now
		At     int64         `json:"at,omitempty"`    // Unix milliseconds: its use counts from here
	}
	DeckRemoved struct {
		Act
		Slot   custody.Slot  `json:"slot"`
		Deck   string        `json:"deck"`
		Cause  custody.Cause `json:"cause,omitzero"`
		Reason string        `json:"reason"`
		Here   custody.Wear  `json:"here,omitzero"` // its use at this table, which the room adds up
	}
	DeckInPlay struct {
		Act
		Slot   custody.Slot  `json:"slot"`
		Deck   string        `json:"deck"`
		Cause  custody.Cause `json:"cause,omitzero"`
		Reason string        `json:"reason,omitempty"`
	}
	DeckQuarantined struct {
		Act
		Slot     custody.Slot     `json:"slot"`
		Deck     string           `json:"deck"`
		Envelope string           `json:"envelope"`
		Cause    custody.SentAway `json:"cause,omitzero"`
		Reason   string           `json:"reason,omitempty"`
		// What the label of the envelope tells beside table, time and signers (D5).
		Back    string       `json:"back,omitempty"`
		Session uint64       `json:"session,omitempty"`
		Hand    uint64       `json:"last_hand,omitempty"` // the last one at the table
		Check   uint64       `json:"check,omitempty"`     // its last check
		Here    custody.Wear `json:"here,omitzero"`
	}
	CheckStarted struct {
		Act
		Check uint64       `json:"check"`
		Slot  custody.Slot `json:"slot"`
		Deck  string       `json:"deck"`
	}
	// CheckEnded holds findings as sets and counts; for an unread check only
	// counts (D10).
	CheckEnded struct {
		Check   uint64            `json:"check"`
		Slot    custody.Slot      `json:"slot"`
		Deck    string            `json:"deck"`
		Verdict deckcheck.Verdict `json:"verdict"`
		Confirm bool              `json:"quarantine_due,omitempty"` // D5: confirmed by a second check
		Device  Device            `json:"device"`
		TookMS  int64             `json:"took_ms"`
	}
	DeckAttested struct {
		Act
		Check       uint64                `json:"check"`
		Slot        custody.Slot          `json:"slot"`
		Deck        string                `json:"deck"`
		Attestation deckcheck.Attestation `json:"attestation"`
		Countersign bool                  `json:"countersigned,omitempty"`
		At          int64                 `json:"at"` // Unix milliseconds: D11 counts from here
	}
	DeckDue struct { // D11: an identity check is due again
		Slot custody.Slot `json:"slot"`
		Deck string       `json:"deck"`
	}
	WashAsked struct {
		Act
		Slot   custody.Slot `json:"slot"`
		Deck   string       `json:"deck"`
		Reason string       `json:"reason,omitempty"`
	}
)

// Shuffle.
type (
	ShuffleStarted struct {
		Shuffle   uint64              `json:"shuffle"`
		Slot      custody.Slot        `json:"slot"`
		Deck      string              `json:"deck"`
		Hand      uint64              `json:"hand,omitempty"` // a shuffle that starts over for a hand begun (H3)
		ByHand    bool                `json:"by_hand,omitempty"`
		Wash      bool                `json:"wash,omitempty"`
		WashFor   shuffle.WashReasons `json:"wash_for"`
		Procedure string              `json:"procedure"`
		Approved  bool                `json:"approved"`
		By        custody.Person      `json:"by,omitzero"`
		Key       string              `json:"key,omitempty"`
	}
	ShuffleStep struct {
		Shuffle uint64            `json:"shuffle"`
		Slot    custody.Slot      `json:"slot"`
		Hand    uint64            `json:"hand,omitempty"`
		Index   uint8             `json:"index"`
		Step    shuffle.Step      `json:"step"`
		Phase   shuffle.Phase     `json:"phase"`
		Actor   shuffle.Actor     `json:"actor"`
		By      custody.Person    `json:"by,omitzero"` // a dealer's step
		Key     string            `json:"key,omitempty"`
		Sensor  bool              `json:"sensor,omitempty"`
		Tick    uint32            `json:"tick,omitempty"` // the device's clock, ms
		Cards   uint16            `json:"cards,omitempty"`
		Stated  bool              `json:"stated,omitempty"` // the count is the dealer's word
		Cut     shuffle.CutResult `json:"cut,omitzero"`
	}
	PackVerified struct { // S6
		Shuffle uint64 `json:"shuffle"`
		Deck    string `json:"deck"`
		Cards   uint16 `json:"cards"`
	}
	CutRefused struct { // S7: cut again
		Shuffle uint64         `json:"shuffle"`
		Hand    uint64         `json:"hand,omitempty"`
		Actor   shuffle.Actor  `json:"actor"`
		By      custody.Person `json:"by,omitzero"`
	}
	SequenceBroken struct { // S3
		Shuffle uint64         `json:"shuffle"`
		Hand    uint64         `json:"hand,omitempty"`
		Break   shuffle.Break  `json:"break"`
		By      custody.Person `json:"by,omitzero"`
		Tick    uint32         `json:"tick,omitempty"`
	}
	CountWrong struct {
		Shuffle uint64       `json:"shuffle"`
		Slot    custody.Slot `json:"slot"`
		Deck    string       `json:"deck"`
		Hand    uint64       `json:"hand,omitempty"`
		Step    string       `json:"step"` // a step's name, or release
		Want    uint16       `json:"want"`
		Got     uint16       `json:"got"`
		Locks   bool         `json:"locks"` // D5: after a shuffle it locks the deck; a gathering looks again (H10)
		Places  []string     `json:"places,omitempty"`
	}
	ShuffleVoid struct {
		Act
		Shuffle uint64             `json:"shuffle"`
		Slot    custody.Slot       `json:"slot"`
		Deck    string             `json:"deck"`
		Hand    uint64             `json:"hand,omitempty"`
		Reason  shuffle.StopReason `json:"reason"`
		Wash    bool               `json:"wash,omitempty"` // owed by the next shuffle (S2)
	}
	ShuffleComplete struct {
		Shuffle uint64       `json:"shuffle"`
		Slot    custody.Slot `json:"slot"`
		Deck    string       `json:"deck"`
		Hand    uint64       `json:"hand,omitempty"`
		TookMS  int64        `json:"took_ms"`
	}
)

// Hand.
type (
	LevelInForce struct { // H2
		Act
		Level hand.Level `json:"level"`
	}
	LevelConfirmed struct { // M3
		Act
		Level hand.Level `json:"level"`
	}
	SeatsConfirmed struct {
		Act
		Button uint8 `json:"button"`
		Seats  []int `json:"seats"`
	}
	// Triggered notes every trigger with its time (H1); the one that counted
	// made the hand_started beside it.
	Triggered struct {
		Trigger hand.Trigger `json:"trigger"`
		Began   bool         `json:"began"`
		Why     string       `json:"why,omitempty"` // why it began nothing
		Tick    uint32       `json:"tick,omitempty"`
	}
	HandStarted struct {
		Hand    uint64         `json:"hand"`
		Tag     hand.Level     `json:"level_tag"`
		Trigger hand.Trigger   `json:"trigger"`
		Shuffle uint64         `json:"shuffle"`
		Slot    custody.Slot   `json:"slot"`
		Deck    string         `json:"deck"`
		Button  uint8          `json:"button"`
		Seats   []int          `json:"seats"`
		Dealer  custody.Person `json:"dealer"`
		Tick    uint32         `json:"tick,omitempty"` // the device's clock, ms
	}
	HandReady struct {
		Hand    uint64 `json:"hand"`
		Shuffle uint64 `json:"shuffle"`
	}
	HandResumed struct {
		Act
		Hand uint64   `json:"hand"`
		Said PackSaid `json:"said"`
	}
	DealStarted struct {
		Act
		Hand uint64 `json:"hand"`
	}
	ActionFormed struct { // H6
		Act
		Hand uint64 `json:"hand"`
	}
	HandEnded struct { // H13
		Act
		Hand uint64       `json:"hand"`
		Slot custody.Slot `json:"slot"`
	}
	HandAbandoned struct { // H3
		Act
		Hand   uint64 `json:"hand"`
		Reason string `json:"reason"`
	}
)

// Holds, handoffs, faults, devices.
type (
	HoldBegan struct {
		Act
		Hand   uint64 `json:"hand,omitempty"`
		Reason string `json:"reason"`
	}
	HoldLifted struct {
		Act
		Hand     uint64 `json:"hand,omitempty"`
		Ruling   string `json:"ruling"`
		Basis    string `json:"basis"`
		ReadBack bool   `json:"read_back"`
	}
	HandoffProposed struct {
		Act
		From    custody.Person `json:"from"`
		To      custody.Person `json:"to"`
		MidHand bool           `json:"mid_hand,omitempty"`
		Hand    uint64         `json:"hand,omitempty"`
		Last    uint64         `json:"last_hand"`
	}
	HandoffAccepted struct {
		Act
		From custody.Person `json:"from"`
		To   custody.Person `json:"to"`
		Head string         `json:"head,omitempty"`
	}
	HandoffRefused struct {
		Act
		From   custody.Person `json:"from"`
		To     custody.Person `json:"to"`
		Reason string         `json:"reason"`
	}
	HandoffSettled struct {
		Act
		From     custody.Person `json:"from"`
		To       custody.Person `json:"to"`
		Complete bool           `json:"complete"`
		Reason   string         `json:"reason"`
	}
	FaultLatched struct { // M1
		Part fault.Part `json:"part"`
		Code fault.Code `json:"code"`
		Hand uint64     `json:"hand,omitempty"`
		Tick uint32     `json:"tick,omitempty"`
		Arg  string     `json:"arg,omitempty"`
	}
	FaultCleared struct {
		Act
		Part fault.Part `json:"part"`
		Code fault.Code `json:"code"`
		Note string     `json:"note,omitempty"`
	}
	ServiceSet struct {
		Act
		Part   fault.Part   `json:"part"`
		Out    bool         `json:"out"`
		Inside bool         `json:"cards_inside,omitempty"` // M4
		Slot   custody.Slot `json:"slot,omitzero"`          // whose pack is inside
		Reason string       `json:"reason,omitempty"`
	}
	DeviceHere struct {
		Part   fault.Part `json:"part"`
		Device Device     `json:"device"`
	}
	DeviceGone struct {
		Part   fault.Part `json:"part"`
		Reason DownReason `json:"reason"`
	}
)

// NoticeCode names something odd that started nothing (M4).
type NoticeCode string

// The notices.
const (
	ButtonNothingReady NoticeCode = "button_nothing_ready"
	ButtonBarred       NoticeCode = "button_barred" // arg: the reason of H5
	CoverOpenedIdle    NoticeCode = "cover_opened_idle"
	CoverClosed        NoticeCode = "cover_closed"
	EStopReleased      NoticeCode = "estop_released"
	PackUnexpected     NoticeCode = "pack_unexpected" // a pack in the tray that nothing waits for; arg: why
	MotionIgnored      NoticeCode = "motion_ignored"
	SensorIgnored      NoticeCode = "sensor_ignored"  // a sensor of a step that nobody is at; arg: the step
	LevelRefused       NoticeCode = "level_refused"   // arg: the level
	FloorNotNamed      NoticeCode = "floor_not_named" // D11, arg: the person who acted and is neither on duty nor deputy
)

// Type names of records, stable for ever: they are in every journal.
func (Boot) Type() string            { return "boot" }
func (Stop) Type() string            { return "stopped" }
func (SettingsApplied) Type() string { return "settings" }
func (ClockStep) Type() string       { return "clock_step" }
func (Checkpoint) Type() string      { return "checkpoint" }
func (TableOpened) Type() string     { return "table_opened" }
func (TableClosed) Type() string     { return "table_closed" }
func (SignedIn) Type() string        { return "signed_in" }
func (RequestRefused) Type() string  { return "refused" }
func (Notice) Type() string          { return "notice" }
func (DeckPlaced) Type() string      { return "deck_placed" }
func (DeckRemoved) Type() string     { return "deck_removed" }
func (DeckInPlay) Type() string      { return "deck_in_play" }
func (DeckQuarantined) Type() string { return "deck_quarantined" }
func (CheckStarted) Type() string    { return "check_started" }
func (CheckEnded) Type() string      { return "check_ended" }
func (DeckAttested) Type() string    { return "deck_attested" }
func (DeckDue) Type() string         { return "check_due" }
func (WashAsked) Type() string       { return "wash_asked" }
func (ShuffleStarted) Type() string  { return "shuffle_started" }
func (ShuffleStep) Type() string     { return "shuffle_step" }
func (PackVerified) Type() string    { return "pack_verified" }
func (CutRefused) Type() string      { return "cut_refused" }
func (SequenceBroken) Type() string  { return "sequence_break" }
func (CountWrong) Type() string      { return "count_wrong" }
func (ShuffleVoid) Type() string     { return "shuffle_void" }
func (ShuffleComplete) Type() string { return "shuffle_complete" }
func (LevelInForce) Type() string    { return "level_in_force" }
func (LevelConfirmed) Type() string  { return "level_confirmed" }
func (SeatsConfirmed) Type() string  { return "seats_confirmed" }
func (Triggered) Type() string       { return "trigger" }
func (HandStarted) Type() string     { return "hand_started" }
func (HandReady) Type() string       { return "hand_ready" }
func (HandResumed) Type() string     { return "hand_resumed" }
func (DealStarted) Type() string     { return "deal_begun" }
func (ActionFormed) Type() string    { return "substantial_action" }
func (HandEnded) Type() string       { return "hand_ended" }
func (HandAbandoned) Type() string   { return "hand_abandoned" }
func (HoldBegan) Type() string       { return "hold" }
func (HoldLifted) Type() string      { return "hold_lifted" }
func (HandoffProposed) Type() string { return "handoff_proposed" }
func (HandoffAccepted) Type() string { return "handoff_accepted" }
func (HandoffRefused) Type() string  { return "handoff_refused" }
func (HandoffSettled) Type() string  { return "handoff_settled" }
func (FaultLatched) Type() string    { return "fault" }
func (FaultCleared) Type() string    { return "fault_cleared" }
func (ServiceSet) Type() string      { return "service" }
func (DeviceHere) Type() string      { return "device_up" }
func (DeviceGone) Type() string      { return "device_down" }
