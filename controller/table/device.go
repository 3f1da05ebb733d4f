package table

import (
	"time"

	"shuffler/controller/table/fault"
	"shuffler/shuffle"
)

// Device is who answers on a port (D8, X4). Comparable.
type Device struct {
	Maker         string `json:"maker"`
	Model         string `json:"model"`
	Serial        string `json:"serial"`
	Firmware      string `json:"firmware"`
	Role          string `json:"role"`
	Boot          uint32 `json:"boot"`
	Authenticated bool   `json:"authenticated"`
	FeedCounter   bool   `json:"feed_counter"`
	ExitCounter   bool   `json:"exit_counter"`
}

// Lines are the levels a device reports of itself. Comparable.
type Lines struct {
	Cover    bool // open
	EStop    bool // pressed
	Tray     bool // a pack lies in the entry tray
	Chamber  bool // cards are inside
	SortMode bool // the machine would put the pack in order (M4)
	Halted   bool // stopped by a halt; moves again only after a reset
}

// Command is what the core wants a device to do. It leaves the controller only
// after the records of its turn are durable. Comparable.
type Command struct {
	Part    fault.Part
	Op      uint32
	Kind    OpKind
	Step    shuffle.Step
	Index   uint8
	Expect  uint16
	MinCut  uint8
	Timeout time.Duration
}

// OpKind is what an operation is.
type OpKind uint8

// The operations. TallyAck is an answer, not an operation: it repeats the
// number of the scan that it acknowledges.
const (
	NoOp OpKind = iota
	StepOp
	LoadOp // takes the pack in again after a dealer's step, counting it
	ReleaseOp
	ScanOp
	ResetOp
	TallyAck
)

var opNames = [...]string{"", "step", "load", "release", "scan", "reset", "tally_ack"}

func (k OpKind) String() string { return opNames[k] }

// Lane is one device and the operation it is on. It is not restored after a
// restart: what a device does is unknown until it is asked.
type Lane struct {
	Linked   bool
	Device   Device
	Lines    Lines
	Op       uint32 // outstanding operation, 0 = none
	Kind     OpKind
	Step     shuffle.Step
	Started  bool
	Cards    uint16
	Deadline time.Duration // when it must have ended, 0 = never
}

// Busy tells whether an operation is outstanding.
func (l Lane) Busy() bool { return l.Op != 0 }

// free forgets the operation, so that late reports of it find nothing.
func (l Lane) free() Lane {
	l.Op, l.Kind, l.Step, l.Started, l.Cards, l.Deadline = 0, NoOp, shuffle.NoStep, false, 0, 0
	return l
}
