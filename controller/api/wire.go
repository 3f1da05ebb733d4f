package api

import "encoding/json"

// What the controller tells over HTTP besides snapshots and answers.
type (
	// Version tells which program answers.
	Version struct {
		Version string `json:"version"`
		API     string `json:"api"`   // v1
		Chain   string `json:"chain"` // id of the journal
		Head    string `json:"head"`
		Now     int64  `json:"now"` // wall clock of the controller
	}
	// Tables lists the tables in the order of the configuration.
	Tables struct {
		Tables []TableSummary `json:"tables"`
	}
	// TableSummary is a line of a room's overview.
	TableSummary struct {
		Table  string  `json:"table"`
		N      uint64  `json:"n"`
		Open   bool    `json:"open"`
		Dealer string  `json:"dealer,omitempty"`
		Level  *Level  `json:"level,omitempty"`
		Hand   uint64  `json:"hand,omitempty"` // in play
		Stage  string  `json:"stage,omitempty"`
		Hold   bool    `json:"hold,omitempty"`
		Next   Next    `json:"next"`
		Faults []Fault `json:"faults,omitempty"`
	}
	// Announcement is the level in force for the room (H2). Level is nil before
	// the first.
	Announcement struct {
		Level  *Level `json:"level"`
		Count  uint64 `json:"count"`            // announcements so far
		By     string `json:"by,omitempty"`     // who announced it
		Source string `json:"source,omitempty"` // floor or clock
		At     int64  `json:"at,omitempty"`
		Head   string `json:"head,omitempty"` // journal place that holds it
	}
	// Registry lists the decks that the room knows, in order of id.
	Registry struct {
		Decks []RegisteredDeck `json:"decks"`
	}
	// RegisteredDeck is a pack of the room. One in quarantine never opens again (D5).
	RegisteredDeck struct {
		ID          string `json:"id"`
		Back        string `json:"back"`
		Table       string `json:"table,omitempty"` // where it lies, empty for the store
		Quarantined bool   `json:"quarantined,omitempty"`
		Envelope    string `json:"envelope,omitempty"`
	}
	// Staff is who may act. Without a staff file everybody is believed, and no
	// proof is asked for.
	Staff struct {
		Proof  bool          `json:"proof"`
		People []StaffMember `json:"people"`
	}
	// StaffMember is a person by id and roles, never by name (P5).
	StaffMember struct {
		ID          string   `json:"id"`
		Roles       []string `json:"roles"`
		From        int64    `json:"from,omitempty"`         // Unix ms: not before
		Until       int64    `json:"until,omitempty"`        // Unix ms: not any more from then on
		Tables      []string `json:"tables,omitempty"`       // none: all of them
		WrongPINs   int      `json:"wrong_pins,omitempty"`   // in a row
		LockedUntil int64    `json:"locked_until,omitempty"` // Unix ms; no PIN is looked at before
	}
	// Devices lists the machines of all tables.
	Devices struct {
		Devices []DeviceLink `json:"devices"`
	}
	// DeviceLink is a machine with the figures of its link, for a technician. An
	// unauthenticated device is named as such (X4).
	DeviceLink struct {
		Table         string `json:"table"`
		Part          string `json:"part"`
		Linked        bool   `json:"linked"`
		Model         string `json:"model,omitempty"`
		Serial        string `json:"serial,omitempty"`
		Firmware      string `json:"firmware,omitempty"`
		Authenticated bool   `json:"authenticated"`
		Port          string `json:"port,omitempty"`     // as configured
		Problem       string `json:"problem,omitempty"`  // why it is not there, in words
		HeardMS       int64  `json:"heard_ms,omitempty"` // age of the last good frame
		Frames        uint64 `json:"frames,omitempty"`   // good ones
		BadFrames     uint64 `json:"bad_frames,omitempty"`
		Retries       uint64 `json:"retries,omitempty"` // orders sent again
		Halts         uint64 `json:"halts,omitempty"`
		Losses        uint64 `json:"losses,omitempty"`   // times the link was lost
		Restarts      uint64 `json:"restarts,omitempty"` // times the device had restarted
		Opens         uint64 `json:"opens,omitempty"`    // times the port was opened
	}
	// Records is a page of the journal.
	Records struct {
		Records []Record `json:"records"`
		Next    uint64   `json:"next"` // the position after which the next page begins
		Head    string   `json:"head"` // of the journal
	}
	// Record is a fact as the journal has it.
	Record struct {
		Pos     uint64          `json:"pos"`
		Stream  string          `json:"stream"` // a table, or room
		N       uint64          `json:"n"`      // number in the stream
		Wall    int64           `json:"wall"`
		Type    string          `json:"type"`
		Version uint16          `json:"version"`
		Payload json.RawMessage `json:"payload"`
		Hash    string          `json:"hash"`
	}
)

// Query picks records. The zero value means all from the beginning.
type Query struct {
	After uint64   // position behind which to begin
	Table string   // or "room"
	Types []string // any of these
	Hand  uint64   // numbers of hands are counted by table: give Table too
	Deck  string
	Limit int // records in a page; 0 lets the controller choose
}

// Event is one message of a stream: exactly one field is set.
type Event struct {
	Record *Record
	State  *Snapshot
}

// Headers of a request beyond the usual ones.
const (
	HeaderAs          = "Shuffler-As"           // who acts: floor:7
	HeaderPIN         = "Shuffler-Pin"          // of who acts
	HeaderApprovedBy  = "Shuffler-Approved-By"  // the second person
	HeaderApprovedPIN = "Shuffler-Approved-Pin" // of the second person
	HeaderKey         = "Idempotency-Key"
)

// The room's actions; every other is a table's.
const (
	AnnounceLevelAction = "announce_level"
	LiftLockAction      = "lift_lock"
)
