package report

import (
	"fmt"
	"strconv"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
)

// ReceiptReport is the receipt of one deck check (D8). Missing names, by JSON
// name, what D8 and D4 want and the journal does not have; for a verdict that is
// not good the attestations are missing, because nobody is asked for them.
type ReceiptReport struct {
	Report   string            `json:"report"` // receipt
	Check    uint64            `json:"check"`
	Receipt  deckcheck.Receipt `json:"receipt"`
	Missing  []string          `json:"missing"`
	Hint     string            `json:"hint,omitempty"`           // D3
	Due      bool              `json:"quarantine_due,omitempty"` // D5
	Asserted bool              `json:"identities_asserted"`
	Journal  Place             `json:"journal"`
}

// Receipt reads the receipt of a check from the journal; check 0 is the newest
// that has ended. It rests on the last record of that check: its verdict, or the
// attestation that followed. It fails with ErrNotFound for a check that the
// journal does not have or that has no verdict yet.
func Receipt(j journal.Reader, tableID string, check uint64) (ReceiptReport, error) {
	p, err := openPast(j, tableID)
	if err != nil {
		return ReceiptReport{}, err
	}
	start, err := p.checkStart(check)
	if err != nil {
		return ReceiptReport{}, err
	}
	facts, err := p.factsBefore(start.pos)
	if err != nil {
		return ReceiptReport{}, err
	}
	st, err := p.standingBefore(start.pos)
	if err != nil {
		return ReceiptReport{}, err
	}
	last, err := p.followCheck(st, start)
	if err != nil {
		return ReceiptReport{}, err
	}
	out := p.receipt(start.rec.(table.CheckStarted), facts, st)
	out.Journal = p.place(last)
	out.Receipt.Journal = deckcheck.ReceiptJournal{Pos: out.Journal.Pos, Hash: out.Journal.Hash}
	if out.Missing = out.Receipt.Missing(); out.Missing == nil {
		out.Missing = []string{}
	}
	return out, nil
}

// checkStart is where a check began; for 0, the newest that has ended.
func (p past) checkStart(check uint64) (entry, error) {
	if check == 0 {
		for e, err := range p.entries(0, table.CheckEnded{}.Type()) {
			if err != nil {
				return entry{}, err
			}
			check = e.rec.(table.CheckEnded).Check
		}
	}
	for e, err := range p.entries(0, table.CheckStarted{}.Type()) {
		if err != nil {
			return entry{}, err
		}
		if e.rec.(table.CheckStarted).Check == check {
			return e, nil
		}
	}
	if check == 0 {
		return entry{}, fmt.Errorf("table %s: %w: no deck check has ended", p.table, ErrNotFound)
	}
	return entry{}, fmt.Errorf("table %s: %w: deck check %d", p.table, ErrNotFound, check)
}

// followCheck takes the records of one check, from its start to its last
// signature, and gives the last of them.
func (p past) followCheck(st *standing, start entry) (last entry, err error) {
	begun := start.rec.(table.CheckStarted)
	for e, err := range p.entries(start.pos-1, table.CheckStarted{}.Type(), table.CheckEnded{}.Type(), table.DeckAttested{}.Type(), table.DeckPlaced{}.Type()) {
		if err != nil {
			return entry{}, err
		}
		switch r := e.rec.(type) {
		case table.CheckStarted:
			if e.pos != start.pos && r.Slot == begun.Slot {
				return ended(p, last, begun)
			}
			if e.pos != start.pos {
				continue
			}
		case table.CheckEnded:
			if r.Check != begun.Check {
				continue
			}
			last = e
		case table.DeckAttested:
			if r.Check != begun.Check {
				continue
			}
			last = e
		case table.DeckPlaced:
			if r.Slot == begun.Slot {
				return ended(p, last, begun)
			}
			continue
		}
		st.take(e)
	}
	return ended(p, last, begun)
}

func ended(p past, last entry, begun table.CheckStarted) (entry, error) {
	if last.pos == 0 {
		return entry{}, fmt.Errorf("table %s: %w: deck check %d has no verdict yet", p.table, ErrNotFound, begun.Check)
	}
	return last, nil
}

// receipt fills the form.
func (p past) receipt(begun table.CheckStarted, f table.Facts, st *standing) ReceiptReport {
	d, s, session := f.DeckIn(begun.Slot), st.deck(begun.Slot), st.session()
	c := s.check
	proc := f.Settings.Procedure
	r := deckcheck.Receipt{
		Controller: st.controller, Table: p.table, Session: strconv.FormatUint(f.Session, 10), ActivityCard: session.ActivityCard, Manual: session.Manual,
		Deck: begun.Deck, Back: d.Back, Slot: begun.Slot.String(), NewDeck: d.New, Dealer: dealerOf(c, f).String(), Floor: f.Floor.String(),
		StartMS: c.Started.AtMS, EndMS: c.EndedMS,
		Measured: deckcheck.Measured{Verdict: c.Verdict}, // no device tells yet that it sees backs
		Attested: deckcheck.Attested{Dealer: c.attestation, Countersign: d.New && f.Settings.CountersignNew, CountersignedBy: c.CountersignedBy.String()},
		Procedure: deckcheck.ReceiptProcedure{
			Version: proc.Version, Approved: proc.Approved, ApprovedBy: proc.ApprovedBy, ApprovedAt: proc.ApprovedAt,
		},
	}
	if c.Verdict.CountAttested && c.AttestedBy.Known() && r.Attested.Dealer.StatedCount == 0 {
		r.Attested.Dealer.StatedCount = c.Verdict.Fed // it was stated when the check began (D1)
	}
	for _, part := range []fault.Part{fault.Scanner, fault.Shuffler} {
		dev := st.devices[part]
		if part == fault.Scanner {
			dev = s.device
		} else if dev == (table.Device{}) {
			continue
		}
		r.Devices = append(r.Devices, deckcheck.ReceiptDevice{
			Role: part.String(), Maker: dev.Maker, Model: dev.Model, Serial: dev.Serial, Firmware: dev.Firmware, Authenticated: dev.Authenticated,
		})
	}
	out := ReceiptReport{Report: "receipt", Check: begun.Check, Receipt: r, Due: c.QuarantineDue, Asserted: st.asserted()}
	if c.Verdict.Hint != deckcheck.NoHint {
		out.Hint = c.Verdict.Hint.String()
	}
	return out
}

// dealerOf is the dealer who answers for a check: who attested it, else who began
// it, else who was on duty.
func dealerOf(c CheckEntry, f table.Facts) custody.Person {
	switch {
	case c.AttestedBy.Known():
		return c.AttestedBy
	case c.Started.By.Role == custody.Dealer:
		return c.Started.By
	}
	return f.Dealer
}
