package table

import (
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// Event is something that happened: a person's action, a device's report, an
// edge of a line, the passing of time. Every event is defined in every state
// (DESIGN rule 10).
type Event interface{ apply(*turn) }

// Action is an Event that a person asked for and that gets an answer.
type Action interface {
	Event
	Acting() Act
	Name() string
}

// Act is who acts and how that was proven: in every action, and in the record
// that it makes.
type Act struct {
	By           custody.Person `json:"by,omitzero"`
	ApprovedBy   custody.Person `json:"approved_by,omitzero"`
	Auth         custody.Auth   `json:"auth,omitempty"`
	ApprovedAuth custody.Auth   `json:"approved_auth,omitempty"` // of ApprovedBy; empty where Auth speaks for both
	Key          string         `json:"key,omitempty"`           // idempotency key of the request
}

// Acting gives the act itself, so that embedding it makes an Action.
func (a Act) Acting() Act { return a }

// unkeyed is the act for a second record of the same turn: a key stands once in
// a journal.
func (a Act) unkeyed() Act {
	a.Key = ""
	return a
}

// Actions of people. Reasons and notes are texts for the journal; no decision
// reads them.
type (
	OpenTable struct { // D11
		Act
		ActivityCard, Manual string
		Floor, Deputy        custody.Person
	}
	CloseTable struct{ Act }
	SignIn     struct{ Act } // the dealer takes an unattended table; handoffs do it from then on
	PlaceDeck  struct {
		Act
		Slot     custody.Slot
		Deck     string
		Back     string
		New      bool
		Cause    custody.Cause
		Reason   string
		Seal     string       // number of the seal that was broken at the table, for a new deck (D4)
		Brand    string       // this and the next two come from the room's registry, never from a person
		Used     custody.Wear // before it came here
		Registry string       // why the registry does not let it in
	}
	RemoveDeck struct {
		Act
		Slot   custody.Slot
		Cause  custody.Cause // none: the floor's order
		Reason string
	}
	UseDeck struct { // D6: the deck in play changes
		Act
		Slot   custody.Slot
		Cause  custody.Cause // none: the floor's order
		Reason string
	}
	QuarantineDeck struct { // D5
		Act
		Slot     custody.Slot
		Envelope string
		Cause    custody.SentAway // none: what two checks found, else the floor's order
		Reason   string
	}
	StartCheck struct {
		Act
		Slot   custody.Slot
		Stated uint16 // cards, by the dealer's word, where the device has no feed counter (D1)
	}
	AttestDeck struct { // D4
		Act
		Slot        custody.Slot
		Attestation deckcheck.Attestation
	}
	ConfirmSeats struct { // H5
		Act
		Button int
		Seats  []int
	}
	ConfirmLevel struct { // M3
		Act
		Number uint16
	}
	RequestWash struct { // S2
		Act
		Reason string
	}
	BeginShuffle struct{ Act } // by hand: the dealer has the pack
	DealerStep   struct {      // S4
		Act
		Step   shuffle.Step
		Phase  StepPhase
		Cards  uint16 // stated by the dealer, where the step counts
		Sensor bool   // from a sensor, not the screen
	}
	VoidShuffle struct {
		Act
		Slot   custody.Slot // of two decks under way; none: that of the hand
		Reason shuffle.StopReason
	}
	DealBegun   struct{ Act }
	ReportSA    struct{ Act } // H6 as one statement
	EndHand     struct{ Act } // pots pushed (H13)
	AbandonHand struct {      // H3
		Act
		Reason string
	}
	ResumeHand struct { // M3: between ready and the deal
		Act
		Said PackSaid
	}
	CallFloor struct { // H12
		Act
		Reason string
	}
	LiftHold struct {
		Act
		Ruling, Basis string
		ReadBack      bool
	}
	ProposeHandoff struct {
		Act
		To custody.Person
	}
	AcceptHandoff struct {
		Act
		Head string // journal position and head of the report that was read
	}
	RefuseHandoff struct {
		Act
		Reason string
	}
	SettleHandoff struct { // P3: the floor decides after a refusal
		Act
		Complete bool // the incoming dealer takes over all the same
		Reason   string
	}
	ClearFault struct { // M1
		Act
		Part fault.Part
		Code fault.Code
		Note string
	}
	SetService struct { // M1, S4
		Act
		Out    bool
		Reason string
	}
)

// StepPhase is what a dealer says of a step. Performed is started and done in
// one statement, for a step that has one button.
type StepPhase uint8

// The phases of a dealer's step.
const (
	StepStarted StepPhase = iota + 1
	StepDone
	StepPerformed
)

// PackSaid is what a dealer says of the pack after a restart (M3).
type PackSaid string

// What can be said of the pack.
const (
	Untouched  PackSaid = "untouched"
	PackDealt  PackSaid = "dealt"
	PackUnsure PackSaid = "unsure"
)

// What the room tells the table.
type (
	// LevelAnnounced puts a level in force at once (H2). One that has been
	// delivered before (by its Announcement number) changes nothing.
	LevelAnnounced struct {
		Act
		Level hand.Level
	}
)

// What devices tell. Each report comes once: the link layer has folded repeats
// and retries (DESIGN rule 3). Tick is the device's own clock in milliseconds.
type (
	DeviceUp struct {
		Part   fault.Part
		Device Device
		Lines  Lines
	}
	DeviceDown struct {
		Part   fault.Part
		Reason DownReason
	}
	DeviceLines struct {
		Part  fault.Part
		Lines Lines
	}
	DeviceFault struct {
		Part fault.Part
		Code fault.Code
		Tick uint32
	}
	OpStarted struct {
		Part fault.Part
		Op   uint32
		Tick uint32
	}
	OpMoved struct { // progress: a count and nothing else (X1)
		Part  fault.Part
		Op    uint32
		Cards uint16
	}
	OpDone struct {
		Part  fault.Part
		Op    uint32
		Tick  uint32
		Cards uint16
		Cut   shuffle.CutResult
	}
	OpFailed struct {
		Part  fault.Part
		Op    uint32
		Code  fault.Code
		Cards uint16 // counted, where the count is what failed
		Tick  uint32
	}
	// OpBarred: the device stands halted and wants a reset before the order.
	OpBarred struct {
		Part fault.Part
		Op   uint32
	}
	// LocalMotion is a motion that the machine made without being asked (S3).
	LocalMotion struct {
		Step shuffle.Step
		Tick uint32
	}
	ScanEnded struct {
		Op    uint32
		Tally deckcheck.Tally
	}
	// PanelLine is a stable edge of a line at the table.
	PanelLine struct {
		Line   Line
		Active bool
	}
)

// Line names a line of the table's panel.
type Line string

// The lines of a panel.
const (
	CoverLine  Line = "cover"  // active: open
	EStopLine  Line = "estop"  // active: pressed
	ButtonLine Line = "button" // the green button; active: pressed
	WashLine   Line = "wash"   // a sensor of the dealer's step (S4); active: cards are washed
	StepLine   Line = "step"   // a pedal; pressed: the dealer's next step is done
)

// DownReason is why a device is not there.
type DownReason string

// Why a device is not there.
const (
	Silent    DownReason = "silent"     // no valid frame for the link time-out
	Restarted DownReason = "restarted"  // a new boot id: what it held is unknown
	WrongRole DownReason = "wrong_role" // another device on this port
	PortGone  DownReason = "port_gone"
)

// What the loop tells.
type (
	// Booted is the first event of every run (DESIGN rule 7).
	Booted struct {
		Version string // of the controller
		BootID  string // of the machine it runs on
		Run     uint64
	}
	Configured struct{ Settings Settings }
	Tick       struct{}
	// ClockStepped records that wall time jumped against the boot clock.
	ClockStepped struct{ MS int64 }
	// JournalTripped follows a failed commit, when the journal works again.
	JournalTripped struct{ Reason string }
	// Stopped is the last event of a run that ends in order.
	Stopped struct{}
)
