package report

import (
	"fmt"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
)

// HandoffQuery says which handoff: by its number at this table, from 1 in order
// of proposal; 0 is the newest, pending or not.
type HandoffQuery struct {
	Number uint64
}

// Outcomes of a handoff.
const (
	HandoffPending   = "pending"
	HandoffAccepted  = "accepted"
	HandoffRefused   = "refused" // the floor has to decide
	HandoffCompleted = "settled_taken_over"
	HandoffKept      = "settled_kept"
)

// What P2 wants and this version does not record. A paper leaves room for it.
const (
	unknownWarnings  = "warnings_and_penalties_by_seat"
	unknownBigBlind  = "last_big_blind_seat"
	unknownBarred    = "seats_not_to_be_dealt"
	unknownSpares    = "spare_decks"
	unknownIncidents = "open_incidents"
	unknownMisdeals  = "misdeals"
	unknownApproval  = "trigger_settings_approval"
)

// overdueMS is how long a deck may be in use before it is marked (P2).
const overdueMS = 24 * 3_600_000

func notRecorded() []string {
	return []string{unknownWarnings, unknownBigBlind, unknownBarred, unknownSpares, unknownIncidents, unknownMisdeals, unknownApproval}
}

// HandoffReport is what the next dealer takes over (P2): as things stood at the
// newest record of a handoff that is pending, or when it was decided.
type HandoffReport struct {
	Report      string          `json:"report"` // handoff
	Number      uint64          `json:"number"`
	Table       string          `json:"table"`
	Controller  string          `json:"controller_version"`
	Session     Session         `json:"session"`
	Devices     []Device        `json:"devices"`
	Asserted    bool            `json:"identities_asserted"`
	From        custody.Person  `json:"from"`
	To          custody.Person  `json:"to"`
	Outcome     string          `json:"outcome"`
	MidHand     bool            `json:"mid_hand,omitempty"` // P1
	Proposed    By              `json:"proposed"`
	Refused     *HandoffRefusal `json:"refused,omitempty"`
	Decided     *HandoffEnd     `json:"decided,omitempty"`
	Decks       []DeckEntry     `json:"decks"`
	Settings    HandoffSettings `json:"settings"`
	Level       hand.Level      `json:"level"`
	LevelDue    bool            `json:"level_to_be_confirmed,omitempty"` // M3
	Button      uint8           `json:"button"`
	Seats       []int           `json:"seats"` // confirmed last
	SeatsOK     bool            `json:"seats_confirmed_for_next_hand"`
	StubDue     bool            `json:"stub_count_due"` // once in a down, best on the first river
	Hand        HandoffHand     `json:"hand"`
	Down        DownEntry       `json:"down"`
	Hold        *HoldEntry      `json:"open_hold,omitempty"`
	Faults      []FaultEntry    `json:"open_faults"`
	OutService  bool            `json:"shuffler_out_of_service"`
	NotRecorded []string        `json:"not_recorded"`
	Journal     Place           `json:"journal"`
}

// HandoffRefusal is the incoming dealer's refusal (P3).
type HandoffRefusal struct {
	By     custody.Person `json:"by"`
	Reason string         `json:"reason"`
	AtMS   int64          `json:"at_unix_ms"`
}

// HandoffEnd is who ended a handoff. Head is the journal head that the accepting
// dealer read; HeadKnown tells whether this journal has exactly that head.
type HandoffEnd struct {
	By        custody.Person `json:"by"`
	AtMS      int64          `json:"at_unix_ms"`
	Reason    string         `json:"reason,omitempty"`
	Head      string         `json:"head_read,omitempty"`
	HeadKnown bool           `json:"head_found_in_journal"`
}

// DeckEntry is a deck in its slot. Lock is empty for one that may be shuffled.
type DeckEntry struct {
	Slot     custody.Slot `json:"slot"`
	Present  bool         `json:"present"`
	Deck     string       `json:"deck,omitempty"`
	Back     string       `json:"back,omitempty"`
	New      bool         `json:"new,omitempty"`
	InPlay   bool         `json:"in_play,omitempty"`
	Lock     custody.Lock `json:"lock"`
	Check    *CheckEntry  `json:"last_check,omitempty"`
	Shuffles uint32       `json:"shuffles_since_placed"`
	Since    *uint32      `json:"shuffles_since_check,omitempty"` // absent: the check is of an earlier session
	Hands    uint32       `json:"hands_since_check"`
	PlacedMS int64        `json:"placed_unix_ms,omitempty"`
	InUseMS  int64        `json:"at_table_ms,omitempty"` // since it was placed
	Over24h  bool         `json:"over_24_hours,omitempty"`
	WashDue  []string     `json:"wash_due,omitempty"`
}

// HandoffSettings are the procedure and triggers in force.
type HandoffSettings struct {
	Procedure    Procedure      `json:"procedure"`
	MinCut       uint8          `json:"min_cut"`
	Triggers     []hand.Trigger `json:"triggers"`
	ConfirmSeats bool           `json:"confirm_seats"`
}

// HandoffHand is the last hand with its last shuffle. Number 0: none yet.
type HandoffHand struct {
	Number  uint64        `json:"number"`
	InPlay  bool          `json:"in_play"`
	Stage   string        `json:"stage,omitempty"` // of a hand in play
	Tag     hand.Level    `json:"level_tag,omitzero"`
	Shuffle *ShuffleEntry `json:"last_shuffle,omitempty"`
}

// DownEntry is what happened in the outgoing dealer's time at the table.
type DownEntry struct {
	Dealer      custody.Person `json:"dealer"`
	SinceMS     int64          `json:"since_unix_ms"`
	Hands       int            `json:"hands"` // begun
	Abandoned   int            `json:"hands_abandoned"`
	Shuffles    int            `json:"shuffles_complete"`
	Voids       []DownVoid     `json:"shuffles_void"`
	Breaks      []BreakEntry   `json:"sequence_breaks"`
	CutsRefused int            `json:"cuts_refused"`
	Holds       []HoldEntry    `json:"holds"`
	Faults      []FaultEntry   `json:"faults"` // latched or acknowledged in this time
}

// DownVoid is a shuffle that did not count.
type DownVoid struct {
	Shuffle uint64         `json:"shuffle"`
	Hand    uint64         `json:"hand,omitempty"`
	Reason  string         `json:"reason"`
	By      custody.Person `json:"by,omitzero"`
	AtMS    int64          `json:"at_unix_ms"`
}

// Handoff reads a handoff report from the journal. It fails with ErrNotFound
// where the table has had no such handoff.
func Handoff(j journal.Reader, tableID string, q HandoffQuery) (HandoffReport, error) {
	p, err := openPast(j, tableID)
	if err != nil {
		return HandoffReport{}, err
	}
	proposal, number, err := p.proposal(q.Number)
	if err != nil {
		return HandoffReport{}, err
	}
	opening, err := p.opening(proposal.pos, 0)
	if err != nil {
		return HandoffReport{}, err
	}
	b := handoff{past: p, proposal: proposal.pos, passes: passes{}, checkedAt: [custody.Slots]*uint32{}}
	b.out = HandoffReport{Report: "handoff", Number: number, Table: tableID, Outcome: HandoffPending, NotRecorded: notRecorded()}
	if b.standing, err = p.standingBefore(opening.pos); err != nil {
		return HandoffReport{}, err
	}
	for f, err := range p.facts(opening.pos) {
		if err != nil {
			return HandoffReport{}, err
		}
		if b.take(f); b.out.Decided != nil {
			break
		}
	}
	return b.report()
}

// proposal is where a handoff was proposed, and its number.
func (p past) proposal(number uint64) (found entry, n uint64, err error) {
	for e, err := range p.entries(0, table.HandoffProposed{}.Type()) {
		if err != nil {
			return entry{}, 0, err
		}
		found = e
		if n++; n == number {
			break
		}
	}
	switch {
	case n == 0:
		return entry{}, 0, fmt.Errorf("table %s: %w: no handoff was proposed", p.table, ErrNotFound)
	case number != 0 && n != number:
		return entry{}, 0, fmt.Errorf("table %s: %w: handoff %d, there are %d", p.table, ErrNotFound, number, n)
	}
	return found, n, nil
}

// handoff is a report as it grows.
type handoff struct {
	past
	proposal  uint64
	standing  *standing
	passes    passes
	last      fact
	lastPass  *ShuffleEntry // of the last hand
	checkedAt [custody.Slots]*uint32
	faults    faultList // of the down
	out       HandoffReport
}

func (b *handoff) take(f fact) {
	b.last = f
	b.standing.take(f.entry)
	b.takeDown(f)
	if s := b.passes.take(f); s != nil && f.after.Hand.InPlay() && f.after.Hand.Shuffle == s.Shuffle {
		b.lastPass = s
	}
	switch r := f.rec.(type) {
	case table.HandStarted:
		b.lastPass = b.passes.of(r.Shuffle)
		b.out.Hand.Tag = r.Tag
	case table.CheckEnded:
		if b.standing.deck(r.Slot) != nil {
			n := f.after.DeckIn(r.Slot).Shuffles
			b.checkedAt[r.Slot-1] = &n
		}
	case table.DeckPlaced:
		if b.standing.deck(r.Slot) != nil {
			b.checkedAt[r.Slot-1] = nil
		}
	}
	if f.pos >= b.proposal {
		b.takeAnswer(f)
	}
}

// takeAnswer takes the handoff itself.
func (b *handoff) takeAnswer(f fact) {
	o := &b.out
	switch r := f.rec.(type) {
	case table.HandoffProposed:
		o.From, o.To, o.MidHand, o.Proposed = r.From, r.To, r.MidHand, byOf(r.Act, f.wall)
	case table.HandoffRefused:
		o.Outcome, o.Refused = HandoffRefused, &HandoffRefusal{r.By, r.Reason, f.wall}
	case table.HandoffAccepted:
		o.Outcome, o.Decided = HandoffAccepted, &HandoffEnd{By: r.By, AtMS: f.wall, Head: r.Head}
	case table.HandoffSettled:
		o.Outcome, o.Decided = HandoffKept, &HandoffEnd{By: r.By, AtMS: f.wall, Reason: r.Reason}
		if r.Complete {
			o.Outcome = HandoffCompleted
		}
	}
}

// takeDown counts what happens in a dealer's time at the table. The next dealer's
// time begins with a sign-in or a handoff, and the report's own handoff ends it.
func (b *handoff) takeDown(f fact) {
	d := &b.out.Down
	if f.pos < b.proposal && f.after.Dealer != f.before.Dealer {
		*d = DownEntry{Dealer: f.after.Dealer, SinceMS: f.wall}
		b.faults = append(faultList{}, b.standing.faults.open()...)
	}
	b.faults.take(f.entry)
	switch r := f.rec.(type) {
	case table.HandStarted:
		d.Hands++
	case table.HandAbandoned:
		d.Abandoned++
	case table.ShuffleComplete:
		d.Shuffles++
	case table.ShuffleVoid:
		d.Voids = append(d.Voids, DownVoid{r.Shuffle, r.Hand, r.Reason.String(), r.By, f.wall})
	case table.SequenceBroken:
		d.Breaks = append(d.Breaks, BreakEntry{r.Break, r.By, f.wall})
	case table.CutRefused:
		d.CutsRefused++
	case table.HoldBegan:
		d.Holds = append(d.Holds, HoldEntry{Reason: r.Reason, By: r.By, AtMS: f.wall})
	case table.HoldLifted:
		if n := len(d.Holds); n > 0 {
			d.Holds[n-1].lift(r, f.wall)
		}
	}
}

// report closes the report: how things stand at its last record.
func (b *handoff) report() (HandoffReport, error) {
	o, f := b.out, b.last.after
	o.Controller, o.Session, o.Devices, o.Asserted = b.standing.controller, b.standing.session(), b.standing.deviceList(), b.standing.asserted()
	for _, slot := range []custody.Slot{custody.A, custody.B} {
		o.Decks = append(o.Decks, b.deck(slot, f))
	}
	set := f.Settings
	o.Settings = HandoffSettings{Procedure: procedureOf(set.Procedure), MinCut: set.Procedure.MinCut, Triggers: set.Triggers.List(), ConfirmSeats: set.ConfirmSeats}
	o.Level, o.LevelDue, o.Button, o.Seats, o.SeatsOK = f.Level, f.ConfirmLevel, f.Button, f.Seats.List(), f.SeatsOK
	o.StubDue = f.StubCountDue()
	o.Hand.Number, o.Hand.InPlay, o.Hand.Shuffle = f.LastHand, f.Hand.InPlay(), b.lastPass
	if f.Hand.InPlay() {
		o.Hand.Stage = f.Hand.Stage.String()
	}
	if f.Hold {
		hold := b.standing.hold
		o.Hold = &hold
	}
	o.Faults, o.OutService = openFaults(f.Faults, b.standing.faults), f.Out
	o.Down.fill(b.faults)
	o.Journal = b.place(b.last.entry)
	if o.Decided != nil && o.Decided.Head != "" {
		known, err := b.hasHead(o.Decided.Head)
		if err != nil {
			return HandoffReport{}, err
		}
		o.Decided.HeadKnown = known
	}
	return o, nil
}

// fill makes every list of the down present, so that none reads as unknown.
func (d *DownEntry) fill(faults faultList) {
	d.Faults = append([]FaultEntry{}, faults...)
	d.Voids = append([]DownVoid{}, d.Voids...)
	d.Breaks = append([]BreakEntry{}, d.Breaks...)
	d.Holds = append([]HoldEntry{}, d.Holds...)
}

func (b *handoff) deck(slot custody.Slot, f table.Facts) DeckEntry {
	d, st := f.DeckIn(slot), b.standing.deck(slot)
	if !d.Present() {
		return DeckEntry{Slot: slot}
	}
	e := DeckEntry{
		Slot: slot, Present: true, Deck: d.ID, Back: d.Back, New: d.New, InPlay: f.InPlay == slot, Lock: d.Lock, Shuffles: d.Shuffles, Hands: d.Hands,
		PlacedMS: st.placedMS, WashDue: d.WashDue.List(),
	}
	if e.PlacedMS != 0 {
		e.InUseMS = b.last.wall - e.PlacedMS
		e.Over24h = e.InUseMS > overdueMS
	}
	if d.Check != 0 && st.check.Number == d.Check && d.Verdict.Outcome != deckcheck.Unchecked {
		check := st.check
		e.Check = &check
	}
	if at := b.checkedAt[slot-1]; at != nil {
		n := d.Shuffles - *at
		e.Since = &n
	}
	return e
}

// openFaults are the faults that stand, with their times where they are known.
func openFaults(board fault.Board, known faultList) []FaultEntry {
	list := []FaultEntry{}
	for part := fault.Shuffler; part < fault.Parts; part++ {
		for _, code := range board[part].List() {
			e := FaultEntry{Part: part.String(), Code: code.String()}
			for _, k := range known.open() {
				if k.Part == e.Part && k.Code == e.Code {
					e = k
				}
			}
			list = append(list, e)
		}
	}
	return list
}

// hasHead tells whether a head that a person read is one of this journal.
func (p past) hasHead(s string) (bool, error) {
	h, err := journal.ParseHead(s)
	if err != nil || h.Pos == 0 {
		return false, nil // what was read is not a head; that is an answer
	}
	for r, err := range p.j.Records(h.Pos-1, journal.Filter{}) {
		if err != nil {
			return false, fmt.Errorf("table %s: read the journal: %w", p.table, err)
		}
		return r.Pos == h.Pos && r.Hash == h.Hash, nil
	}
	return false, nil
}
