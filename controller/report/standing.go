package report

import (
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
)

// standing is what reports need beside table.Facts: texts, times, devices, who
// checked a deck. It is made of records that are rare, so those before a
// report's own time are read without the others.
type standing struct {
	controller string
	sessions   []Session
	devices    [fault.Parts]table.Device
	decks      [custody.Slots]deckStanding
	faults     faultList
	hold       HoldEntry // the newest
	auth       map[string]bool
}

// deckStanding is what happened to the deck in a slot.
type deckStanding struct {
	placedMS int64
	check    CheckEntry
	device   table.Device // the scanner when the check began
}

// standingTypes are the records that standing is made of.
func standingTypes() (types []string) {
	for _, r := range []table.Record{
		table.Boot{}, table.TableOpened{}, table.TableClosed{}, table.DeviceHere{}, table.DeckPlaced{}, table.CheckStarted{}, table.CheckEnded{},
		table.DeckAttested{}, table.FaultLatched{}, table.FaultCleared{}, table.HoldBegan{}, table.HoldLifted{},
	} {
		types = append(types, r.Type())
	}
	return types
}

// standingBefore is how things stood before a position.
func (p past) standingBefore(pos uint64) (*standing, error) {
	s := &standing{}
	for e, err := range p.entries(0, standingTypes()...) {
		if err != nil {
			return nil, err
		}
		if e.pos >= pos {
			break
		}
		s.take(e)
	}
	s.auth = nil // of the report's own time
	return s, nil
}

// take adds one record, of any type.
func (s *standing) take(e entry) {
	_, refused := e.rec.(table.RequestRefused) // what was not done needs no proof
	if a, ok := e.rec.(interface{ Acting() table.Act }); ok && a.Acting().By.Known() && !refused {
		if s.auth == nil {
			s.auth = map[string]bool{}
		}
		s.auth[string(a.Acting().Auth)] = true
	}
	switch r := e.rec.(type) {
	case table.Boot:
		s.controller = r.Version
	case table.TableOpened:
		s.sessions = append(s.sessions, Session{
			Number: r.Session, ActivityCard: r.ActivityCard, Manual: r.Manual, Floor: r.Floor, Deputy: r.Deputy, OpenedMS: e.wall,
		})
	case table.TableClosed:
		if n := len(s.sessions); n > 0 {
			s.sessions[n-1].ClosedMS = e.wall
		}
	case table.DeviceHere:
		if r.Part < fault.Parts {
			s.devices[r.Part] = r.Device
		}
	case table.HoldBegan:
		s.hold = HoldEntry{Reason: r.Reason, By: r.By, AtMS: e.wall}
	case table.HoldLifted:
		s.hold.lift(r, e.wall)
	}
	s.takeDeck(e)
	s.faults.take(e)
}

func (h *HoldEntry) lift(r table.HoldLifted, wall int64) {
	h.LiftedMS, h.LiftedBy, h.Ruling, h.Basis = wall, r.By, r.Ruling, r.Basis
}

func (s *standing) takeDeck(e entry) {
	switch r := e.rec.(type) {
	case table.DeckPlaced:
		if d := s.deck(r.Slot); d != nil {
			*d = deckStanding{placedMS: e.wall}
		}
	case table.CheckStarted:
		if d := s.deck(r.Slot); d != nil {
			d.check, d.device = CheckEntry{Number: r.Check, Started: byOf(r.Act, e.wall)}, s.devices[fault.Scanner]
		}
	case table.CheckEnded:
		if d := s.deck(r.Slot); d != nil {
			d.check.Number, d.check.Verdict, d.check.EndedMS, d.check.TookMS, d.check.QuarantineDue = r.Check, r.Verdict, e.wall, r.TookMS, r.Confirm
			if r.Device != (table.Device{}) {
				d.device = r.Device
			}
		}
	case table.DeckAttested:
		if d := s.deck(r.Slot); d != nil {
			d.check.attest(r, e.wall)
		}
	}
}

func (s *standing) deck(slot custody.Slot) *deckStanding {
	if slot != custody.A && slot != custody.B {
		return nil
	}
	return &s.decks[slot-1]
}

// session is the newest opening.
func (s *standing) session() Session {
	if n := len(s.sessions); n > 0 {
		return s.sessions[n-1]
	}
	return Session{}
}

// deviceList names the devices that have answered.
func (s *standing) deviceList() []Device {
	list := []Device{}
	for _, p := range []fault.Part{fault.Shuffler, fault.Scanner} {
		if d := s.devices[p]; d != (table.Device{}) {
			list = append(list, deviceOf(p, d))
		}
	}
	return list
}

func deviceOf(p fault.Part, d table.Device) Device {
	return Device{Part: p.String(), Maker: d.Maker, Model: d.Model, Serial: d.Serial, Firmware: d.Firmware, Authenticated: d.Authenticated}
}

// asserted tells whether anybody acted without proof of identity.
func (s *standing) asserted() bool { return s.auth["none"] || s.auth[""] }

// CheckEntry is a deck check with who did what. Number 0 is none.
type CheckEntry struct {
	Number          uint64            `json:"number"`
	Verdict         deckcheck.Verdict `json:"verdict"`
	QuarantineDue   bool              `json:"quarantine_due,omitempty"`
	Started         By                `json:"started"`
	EndedMS         int64             `json:"ended_unix_ms,omitempty"`
	TookMS          int64             `json:"took_ms,omitempty"`
	AttestedBy      custody.Person    `json:"attested_by,omitzero"`
	AttestedMS      int64             `json:"attested_unix_ms,omitempty"`
	CountersignedBy custody.Person    `json:"countersigned_by,omitzero"`
	CountersignedMS int64             `json:"countersigned_unix_ms,omitempty"`

	attestation deckcheck.Attestation
}

// attest takes the dealer's word, the floor's signature, or both in one.
func (c *CheckEntry) attest(r table.DeckAttested, wall int64) {
	if r.By.Role == custody.Dealer {
		c.AttestedBy, c.AttestedMS, c.attestation = r.By, wall, r.Attestation
	}
	if !r.Countersign {
		return
	}
	c.CountersignedBy, c.CountersignedMS = r.By, wall
	if r.By.Role == custody.Dealer {
		c.CountersignedBy = r.ApprovedBy
	}
}

// faultList keeps faults in the order in which they latched.
type faultList []FaultEntry

func (l *faultList) take(e entry) {
	switch r := e.rec.(type) {
	case table.FaultLatched:
		*l = append(*l, FaultEntry{Part: r.Part.String(), Code: r.Code.String(), Hand: r.Hand, AtMS: e.wall})
	case table.FaultCleared:
		l.clear(r, e.wall)
	}
}

// clear notes who took a fault back; one that is not in the list latched before
// the list began.
func (l *faultList) clear(r table.FaultCleared, wall int64) {
	at := l.find(r)
	if at < 0 {
		*l = append(*l, FaultEntry{Part: r.Part.String(), Code: r.Code.String()})
		at = len(*l) - 1
	}
	f := &(*l)[at]
	f.Cleared, f.By, f.Note = wall, r.By, r.Note
}

// find is the fault that a record clears, -1 where the list does not have it.
func (l faultList) find(r table.FaultCleared) int {
	for i := len(l) - 1; i >= 0; i-- {
		if f := l[i]; f.Part == r.Part.String() && f.Code == r.Code.String() && f.Cleared == 0 {
			return i
		}
	}
	return -1
}

func (l faultList) has(r table.FaultCleared) bool { return l.find(r) >= 0 }

// open gives the faults that nobody has cleared.
func (l faultList) open() []FaultEntry {
	list := []FaultEntry{}
	for _, f := range l {
		if f.Cleared == 0 {
			list = append(list, f)
		}
	}
	return list
}
