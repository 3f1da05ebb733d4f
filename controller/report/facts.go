package report

import (
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/shuffle"
)

// Place is where in the journal a report rests: the newest record that it tells
// of. Its hash binds all records before it (X3), so the paper anchors them.
type Place struct {
	Chain string `json:"chain"`
	Pos   uint64 `json:"pos"`
	Hash  string `json:"hash"` // hexadecimal
}

// Session is an opening of the table (D11). ClosedMS is 0 while it is open.
type Session struct {
	Number       uint64         `json:"number"`
	ActivityCard string         `json:"activity_card"`
	Manual       string         `json:"manual_version"`
	Floor        custody.Person `json:"floor"`
	Deputy       custody.Person `json:"deputy"`
	OpenedMS     int64          `json:"opened_unix_ms"`
	ClosedMS     int64          `json:"closed_unix_ms,omitempty"`
}

// Procedure is the shuffle procedure with its approval mark: Approved is false
// for a draft.
type Procedure struct {
	Version    string   `json:"version"`
	Approved   bool     `json:"approved"`
	ApprovedBy string   `json:"approved_by,omitempty"`
	ApprovedAt string   `json:"approved_at,omitempty"`
	Steps      []string `json:"steps,omitempty"`
}

func procedureOf(p shuffle.Procedure) Procedure {
	return Procedure{Version: p.Version, Approved: p.Approved, ApprovedBy: p.ApprovedBy, ApprovedAt: p.ApprovedAt, Steps: p.List()}
}

// By is who acted, with the second person where one was needed.
type By struct {
	By         custody.Person `json:"by,omitzero"`
	ApprovedBy custody.Person `json:"approved_by,omitzero"`
	AtMS       int64          `json:"at_unix_ms"`
}

func byOf(a table.Act, wall int64) By { return By{a.By, a.ApprovedBy, wall} }

// Device is who answered on a port. Authenticated is false for one that proved
// nothing about itself (X4).
type Device struct {
	Part          string `json:"part"`
	Maker         string `json:"maker"`
	Model         string `json:"model"`
	Serial        string `json:"serial"`
	Firmware      string `json:"firmware"`
	Authenticated bool   `json:"authenticated"`
}

// FaultEntry is a fault from when it latched to when a named person cleared it.
// AtMS is 0 where it stood before the report's time begins.
type FaultEntry struct {
	Part    string         `json:"part"`
	Code    string         `json:"code"`
	Hand    uint64         `json:"hand,omitempty"`
	AtMS    int64          `json:"at_unix_ms,omitempty"`
	Cleared int64          `json:"cleared_unix_ms,omitempty"` // 0 = it stands
	By      custody.Person `json:"cleared_by,omitzero"`
	Note    string         `json:"note,omitempty"`
}

// HoldEntry is a hold from the call to the ruling.
type HoldEntry struct {
	Reason   string         `json:"reason"`
	By       custody.Person `json:"by,omitzero"` // nobody: the controller itself
	AtMS     int64          `json:"at_unix_ms"`
	LiftedMS int64          `json:"lifted_unix_ms,omitempty"` // 0 = it stands
	LiftedBy custody.Person `json:"lifted_by,omitzero"`
	Ruling   string         `json:"ruling,omitempty"`
	Basis    string         `json:"basis,omitempty"`
}
