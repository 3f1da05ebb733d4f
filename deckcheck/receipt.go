package deckcheck

import "fmt"

// Receipt is the written proof of one deck check, with all that D8 wants.
// What devices measured and what people stated stand apart (D4). It holds no
// order of cards (X1). The zero value is an empty form; [Receipt.Missing] tells
// what is still to be filled in.
type Receipt struct {
	Devices      []ReceiptDevice  `json:"devices"`
	Controller   string           `json:"controller_version"`
	Table        string           `json:"table"`
	Session      string           `json:"session"`
	ActivityCard string           `json:"activity_card"`
	Manual       string           `json:"manual_version"`
	Deck         string           `json:"deck"`
	Back         string           `json:"back"`
	Slot         string           `json:"slot"`
	NewDeck      bool             `json:"new_deck"`
	Dealer       string           `json:"dealer"`
	Floor        string           `json:"floor"`
	StartMS      int64            `json:"start_unix_ms"`
	EndMS        int64            `json:"end_unix_ms"`
	Measured     Measured         `json:"measured"`
	Attested     Attested         `json:"attested"`
	Procedure    ReceiptProcedure `json:"procedure"`
	Journal      ReceiptJournal   `json:"journal"`
}

// ReceiptDevice is one device that took part. Authenticated is false for one
// that proved nothing about itself, and every report says so (X4).
type ReceiptDevice struct {
	Role          string `json:"role"`
	Maker         string `json:"maker"`
	Model         string `json:"model"`
	Serial        string `json:"serial"`
	Firmware      string `json:"firmware"`
	Authenticated bool   `json:"authenticated"`
}

// Measured is what devices found, with no person's word in it, but for the
// count when the verdict's CountAttested says so.
type Measured struct {
	Verdict Verdict `json:"verdict"`
	// BacksSeen: the device sees backs, so a foreign one is measured.
	BacksSeen bool `json:"backs_seen"`
}

// Attested is what people stated.
type Attested struct {
	Dealer Attestation `json:"dealer"`
	// Countersign: a second person has to sign, as for a new deck (D4).
	Countersign     bool   `json:"countersign"`
	CountersignedBy string `json:"countersigned_by,omitempty"`
}

// ReceiptProcedure is the procedure in force, and who approved it.
type ReceiptProcedure struct {
	Version    string `json:"version"`
	Approved   bool   `json:"approved"`
	ApprovedBy string `json:"approved_by,omitempty"`
	ApprovedAt string `json:"approved_at,omitempty"`
}

// ReceiptJournal is where the journal holds the check: position and hash, in
// hexadecimal, anchor the paper to it (X3).
type ReceiptJournal struct {
	Pos  uint64 `json:"pos"`
	Hash string `json:"hash"`
}

// Missing lists, by JSON name, what D8 and D4 want and the receipt does not have;
// empty when it is complete. A draft procedure is complete without approval: it
// says that it is a draft.
func (r Receipt) Missing() []string {
	var m form
	m.want("devices", len(r.Devices) > 0)
	for i, d := range r.Devices {
		at := fmt.Sprintf("devices[%d].", i)
		m.want(at+"role", d.Role != "")
		m.want(at+"maker", d.Maker != "")
		m.want(at+"model", d.Model != "")
		m.want(at+"serial", d.Serial != "")
		m.want(at+"firmware", d.Firmware != "")
	}
	m.want("controller_version", r.Controller != "")
	m.want("table", r.Table != "")
	m.want("session", r.Session != "")
	m.want("activity_card", r.ActivityCard != "")
	m.want("manual_version", r.Manual != "")
	m.want("deck", r.Deck != "")
	m.want("back", r.Back != "")
	m.want("slot", r.Slot != "")
	m.want("dealer", r.Dealer != "")
	m.want("floor", r.Floor != "")
	m.want("start_unix_ms", r.StartMS > 0)
	m.want("end_unix_ms", r.EndMS > 0 && r.EndMS >= r.StartMS)
	m.want("measured.verdict", r.Measured.Verdict.Outcome != Unchecked)
	for _, name := range r.Attested.Dealer.Complete(!r.Measured.BacksSeen) {
		m.want("attested.dealer."+name, false)
	}
	m.want("attested.dealer.stated_count", !r.Measured.Verdict.CountAttested || r.Attested.Dealer.StatedCount > 0)
	m.want("attested.countersigned_by", !r.Attested.Countersign || r.Attested.CountersignedBy != "" && r.Attested.CountersignedBy != r.Dealer)
	m.want("procedure.version", r.Procedure.Version != "")
	m.want("procedure.approved_by", !r.Procedure.Approved || r.Procedure.ApprovedBy != "")
	m.want("procedure.approved_at", !r.Procedure.Approved || r.Procedure.ApprovedAt != "")
	m.want("journal.pos", r.Journal.Pos > 0)
	m.want("journal.hash", r.Journal.Hash != "")
	return m
}

// form collects the names of fields that are not filled in.
type form []string

func (f *form) want(name string, filled bool) {
	if !filled {
		*f = append(*f, name)
	}
}
