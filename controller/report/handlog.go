package report

import (
	"fmt"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// HandQuery says which hands. From and To are hand numbers, 0 is open; Session is
// one opening of the table. The zero value is all hands of the newest session.
type HandQuery struct {
	From, To uint64
	Session  uint64
	// By divides the log, which then has a line for each hand and no courses.
	By Grouping
	// Floor adds what only the floor may see: the totals of each dealer's down (P5).
	Floor bool
}

// HandLogReport is the log of hands of one table.
type HandLogReport struct {
	Report     string         `json:"report"` // hand_log
	Table      string         `json:"table"`
	Controller string         `json:"controller_version"`
	Sessions   []Session      `json:"sessions"`
	Procedures []Procedure    `json:"procedures"` // in force during these hands, each once
	Triggers   []hand.Trigger `json:"triggers"`   // in force at the end
	Devices    []Device       `json:"devices"`
	Asserted   bool           `json:"identities_asserted"` // people said who they are; nothing proved it
	Hands      []*HandEntry   `json:"hands"`
	By         Grouping       `json:"grouped_by,omitempty"`
	Groups     []HandGroup    `json:"groups,omitempty"`
	// Loose are shuffles that no hand has begun from.
	Loose []*ShuffleEntry `json:"shuffles_without_hand,omitempty"`
	// Also are other records behind the last hand.
	Also    []RecordEntry `json:"also,omitempty"`
	Faults  []FaultEntry  `json:"faults"`
	Totals  Totals        `json:"totals"`
	Journal Place         `json:"journal"`
}

// States of a hand in the log.
const (
	HandInPlay    = "in_play"
	HandEnded     = "ended"
	HandAbandoned = "abandoned"
)

// HandEntry is one hand from its trigger to pots pushed. A hand keeps number and
// tag through every shuffle that started over (H3). Times that have not come are
// 0.
type HandEntry struct {
	Hand      uint64          `json:"hand"`
	Session   uint64          `json:"session"`
	State     string          `json:"state"`
	Tag       hand.Level      `json:"level_tag"` // frozen at the trigger (H2)
	Trigger   TriggerEntry    `json:"trigger"`
	Others    []TriggerEntry  `json:"other_triggers,omitempty"` // noted, and began nothing (H1)
	Dealer    custody.Person  `json:"dealer"`
	Deck      string          `json:"deck"`
	Back      string          `json:"back"`
	Slot      custody.Slot    `json:"slot"`
	Button    uint8           `json:"button"`
	Seats     []int           `json:"seats_dealt_in"`
	Shuffles  []*ShuffleEntry `json:"shuffles"`
	ReadyMS   int64           `json:"ready_unix_ms,omitempty"`
	DealMS    int64           `json:"deal_begun_unix_ms,omitempty"`
	ActionMS  int64           `json:"substantial_action_unix_ms,omitempty"`
	EndMS     int64           `json:"ended_unix_ms,omitempty"`
	EndedBy   custody.Person  `json:"ended_by,omitzero"`
	Abandoned string          `json:"abandoned_reason,omitempty"`
	Levels    []LevelEntry    `json:"levels_announced,omitempty"` // during the hand: for the next one
	Dealers   []DealerEntry   `json:"dealer_changes,omitempty"`
	Holds     []HoldEntry     `json:"holds,omitempty"`
	Faults    []FaultEntry    `json:"faults,omitempty"`
	Restarts  []RestartEntry  `json:"restarts,omitempty"`
	Also      []RecordEntry   `json:"also,omitempty"` // since the hand before ended

	down int // which one of the log, from 0
}

// TriggerEntry is a trigger with both its times (H2): arrival by the controller's
// wall clock, and the device's own clock, 0 where it has none.
type TriggerEntry struct {
	Trigger hand.Trigger `json:"trigger"`
	AtMS    int64        `json:"at_unix_ms"`
	Tick    uint32       `json:"device_tick_ms,omitempty"`
	Why     string       `json:"why,omitempty"` // why it began nothing
}

// LevelEntry is a level put in force.
type LevelEntry struct {
	Level hand.Level `json:"level"`
	AtMS  int64      `json:"at_unix_ms"`
}

// DealerEntry is a handoff in the middle of a hand (P1).
type DealerEntry struct {
	From custody.Person `json:"from"`
	To   custody.Person `json:"to"`
	AtMS int64          `json:"at_unix_ms"`
}

// RestartEntry is a start of the controller in the middle of a hand, and what the
// dealer said of the pack where that was asked (M3).
type RestartEntry struct {
	AtMS   int64          `json:"at_unix_ms"`
	Said   table.PackSaid `json:"said,omitempty"`
	SaidBy custody.Person `json:"said_by,omitzero"`
	SaidMS int64          `json:"said_unix_ms,omitempty"`
}

// Totals count what the log holds.
type Totals struct {
	Hands        int   `json:"hands"`
	Ended        int   `json:"ended"`
	Abandoned    int   `json:"abandoned"`
	Shuffles     int   `json:"shuffles_complete"`
	AverageMS    int64 `json:"average_shuffle_ms"` // of those complete
	Voids        int   `json:"shuffles_void"`
	Breaks       int   `json:"sequence_breaks"`
	CutsRefused  int   `json:"cuts_refused"`
	CountsWrong  int   `json:"counts_wrong"`
	Faults       int   `json:"faults"`
	FaultsOpen   int   `json:"faults_open"`
	Holds        int   `json:"holds"`
	ByHandPasses int   `json:"shuffles_by_hand"`
}

// HandLog reads the hands of a table from the journal. It fails with ErrNotFound
// for a table, session or hand that the journal does not have, and with the
// journal's errors.
func HandLog(j journal.Reader, tableID string, q HandQuery) (HandLogReport, error) {
	p, err := openPast(j, tableID)
	if err != nil {
		return HandLogReport{}, err
	}
	if q.To != 0 && q.To < q.From {
		return HandLogReport{}, fmt.Errorf("hands %d to %d: the last is before the first", q.From, q.To)
	}
	start, oneSession, err := p.firstOf(q)
	if err != nil {
		return HandLogReport{}, err
	}
	b := handLog{past: p, q: q, passes: passes{}, out: HandLogReport{Report: "hand_log", Table: tableID, Hands: []*HandEntry{}, Faults: []FaultEntry{}, Procedures: []Procedure{}}}
	if b.standing, err = p.standingBefore(start.pos); err != nil {
		return HandLogReport{}, err
	}
	b.standing.sessions = nil
	for f, err := range p.facts(start.pos) {
		if err != nil {
			return HandLogReport{}, err
		}
		if _, again := f.rec.(table.TableOpened); again && oneSession && f.pos != start.pos {
			break
		}
		if q.To != 0 && f.belongs() > q.To && !b.takeLate(f) {
			break
		}
		if q.To == 0 || f.belongs() <= q.To {
			b.take(f)
		}
	}
	return b.report(), nil
}

// firstOf is the opening from which to read, and whether to stop at the next.
func (p past) firstOf(q HandQuery) (start entry, oneSession bool, err error) {
	if q.Session != 0 || q.From == 0 && q.To == 0 {
		start, err = p.opening(0, q.Session)
		return start, true, err
	}
	first := max(q.From, 1)
	for r, err := range p.j.Records(0, journal.Filter{Stream: p.table, Hand: first}) {
		if err != nil {
			return entry{}, false, fmt.Errorf("table %s: find hand %d: %w", p.table, first, err)
		}
		start, err = p.opening(r.Pos, 0)
		return start, false, err
	}
	return entry{}, false, fmt.Errorf("table %s: %w: hand %d", p.table, ErrNotFound, first)
}

// handLog is a log as it grows.
type handLog struct {
	past
	q        HandQuery
	standing *standing
	passes   passes
	out      HandLogReport
	cur      *HandEntry
	loose    []*ShuffleEntry // since the last hand began
	others   []TriggerEntry
	also     []RecordEntry // since the last hand ended
	downs    int
	faults   faultList
	settings table.Settings // in force at the end
}

func (b *handLog) take(f fact) {
	b.standing.take(f.entry)
	if f.belongs() < b.q.From {
		return
	}
	b.out.Journal = b.place(f.entry)
	b.settings = f.after.Settings
	b.faults.take(f.entry)
	if _, held := f.rec.(table.HoldBegan); held {
		b.out.Totals.Holds++
	}
	if s := b.passes.take(f); s != nil {
		b.bind(f, s)
	}
	if f.after.Dealer != f.before.Dealer {
		b.downs++
	}
	if e, is := also(f); is {
		b.also = append(b.also, e)
	}
	b.takeHand(f)
	if b.cur != nil {
		b.takeDuring(f)
		b.cur.Also, b.also = append(b.cur.Also, b.also...), nil
	}
	if !f.after.Hand.InPlay() {
		b.cur = nil
	}
}

// bind gives a pass that has just begun to the hand in play, or keeps it for the
// hand that will begin from it.
func (b *handLog) bind(f fact, s *ShuffleEntry) {
	r, begun := f.rec.(table.ShuffleStarted)
	if !begun {
		return
	}
	b.uses(s.Procedure)
	if r.Hand != 0 && b.cur != nil {
		b.cur.Shuffles = append(b.cur.Shuffles, s)
		return
	}
	b.loose = append(b.loose, s)
}

func (b *handLog) uses(p Procedure) {
	for _, have := range b.out.Procedures {
		if have.Version == p.Version && have.Approved == p.Approved && have.ApprovedBy == p.ApprovedBy && have.ApprovedAt == p.ApprovedAt {
			return
		}
	}
	b.out.Procedures = append(b.out.Procedures, p)
}

// takeHand makes the entry of a hand and takes the times of its life.
func (b *handLog) takeHand(f fact) {
	switch r := f.rec.(type) {
	case table.Triggered:
		if !r.Began {
			b.others = append(b.others, TriggerEntry{r.Trigger, f.wall, r.Tick, r.Why})
		}
	case table.HandStarted:
		b.cur = &HandEntry{
			Hand: r.Hand, Session: f.after.Session, State: HandInPlay, Tag: r.Tag, Trigger: TriggerEntry{Trigger: r.Trigger, AtMS: f.wall, Tick: r.Tick},
			Others: b.others, Dealer: r.Dealer, Deck: r.Deck, Back: f.after.DeckIn(r.Slot).Back, Slot: r.Slot, Button: r.Button, Seats: r.Seats,
			Shuffles: []*ShuffleEntry{}, down: b.downs,
		}
		b.others = nil
		b.adopt(r)
		b.out.Hands = append(b.out.Hands, b.cur)
	}
	if b.cur == nil {
		return
	}
	switch r := f.rec.(type) {
	case table.HandReady:
		b.cur.ReadyMS = f.wall
	case table.DealStarted:
		b.cur.DealMS = f.wall
	case table.ActionFormed:
		b.cur.ActionMS = f.wall
	case table.HandEnded:
		b.cur.EndMS, b.cur.EndedBy, b.cur.State = f.wall, r.By, HandEnded
	case table.HandAbandoned:
		b.cur.EndMS, b.cur.EndedBy, b.cur.State, b.cur.Abandoned = f.wall, r.By, HandAbandoned, r.Reason
	}
}

// adopt takes the pass that began the hand, and those of the same deck that were
// void before it.
func (b *handLog) adopt(r table.HandStarted) {
	var rest []*ShuffleEntry
	for _, s := range b.loose {
		if s.Shuffle == r.Shuffle || s.Slot == r.Slot && s.Void != nil {
			b.cur.Shuffles = append(b.cur.Shuffles, s)
		} else {
			rest = append(rest, s)
		}
	}
	b.loose = rest
}

// takeDuring notes what happened while a hand was in play.
func (b *handLog) takeDuring(f fact) {
	switch r := f.rec.(type) {
	case table.Triggered:
		if n := len(b.others); !r.Began && n > 0 {
			b.cur.Others, b.others = append(b.cur.Others, b.others...), nil
		}
	case table.LevelInForce:
		b.cur.Levels = append(b.cur.Levels, LevelEntry{r.Level, f.wall})
	case table.HandoffAccepted:
		b.cur.Dealers = append(b.cur.Dealers, DealerEntry{r.From, r.To, f.wall})
	case table.HandoffSettled:
		if r.Complete {
			b.cur.Dealers = append(b.cur.Dealers, DealerEntry{r.From, r.To, f.wall})
		}
	case table.HoldBegan:
		b.cur.Holds = append(b.cur.Holds, HoldEntry{Reason: r.Reason, By: r.By, AtMS: f.wall})
	case table.HoldLifted:
		if n := len(b.cur.Holds); n > 0 {
			b.cur.Holds[n-1].lift(r, f.wall)
		}
	case table.Boot:
		b.cur.Restarts = append(b.cur.Restarts, RestartEntry{AtMS: f.wall})
	case table.HandResumed:
		if n := len(b.cur.Restarts); n > 0 {
			e := &b.cur.Restarts[n-1]
			e.Said, e.SaidBy, e.SaidMS = r.Said, r.By, f.wall
		}
	}
}

// takeLate looks behind the last hand for who cleared a fault of these hands. It
// tells whether there is still one that stands.
func (b *handLog) takeLate(f fact) bool {
	if r, ok := f.rec.(table.FaultCleared); ok && b.faults.has(r) {
		b.faults.take(f.entry)
		b.out.Journal = b.place(f.entry)
	}
	return len(b.faults.open()) > 0
}

// report closes the log.
func (b *handLog) report() HandLogReport {
	out := b.out
	out.Controller, out.Sessions, out.Devices = b.standing.controller, b.standing.sessions, b.standing.deviceList()
	out.Asserted, out.Triggers, out.Loose = b.standing.asserted(), b.settings.Triggers.List(), b.loose
	out.Also, out.By = b.also, b.q.By
	if len(out.Procedures) == 0 {
		out.Procedures = append(out.Procedures, procedureOf(b.settings.Procedure))
		out.Procedures[0].Steps = nil
	}
	out.Faults = append(out.Faults, b.faults...)
	for _, h := range out.Hands {
		for _, f := range b.faults {
			if f.Hand == h.Hand {
				h.Faults = append(h.Faults, f)
			}
		}
	}
	out.Totals.count(out)
	out.Groups = grouped(b.q.By, out.Hands, b.q.Floor)
	return out
}

// count adds up all but the holds, which are counted as they come.
func (t *Totals) count(r HandLogReport) {
	holds := t.Holds
	t.add(r.Hands)
	t.addShuffles(r.Loose)
	t.Holds, t.Faults, t.FaultsOpen = holds, len(r.Faults), len(faultList(r.Faults).open())
}

// add counts hands with what belongs to them.
func (t *Totals) add(hands []*HandEntry) {
	for _, h := range hands {
		t.addShuffles(h.Shuffles)
		t.Hands++
		switch h.State {
		case HandEnded:
			t.Ended++
		case HandAbandoned:
			t.Abandoned++
		}
		t.Holds += len(h.Holds)
		t.Faults += len(h.Faults)
		t.FaultsOpen += len(faultList(h.Faults).open())
	}
}

func (t *Totals) addShuffles(list []*ShuffleEntry) {
	ms := t.AverageMS * int64(t.Shuffles)
	for _, s := range list {
		t.Breaks += len(s.Breaks)
		t.CutsRefused += s.CutsRefused
		t.CountsWrong += len(s.Counts)
		if s.ByHand {
			t.ByHandPasses++
		}
		switch {
		case s.Void != nil: // also one that was complete and taken back
			t.Voids++
		case s.CompleteMS != 0:
			t.Shuffles++
			ms += s.TookMS
		}
	}
	if t.Shuffles > 0 {
		t.AverageMS = ms / int64(t.Shuffles)
	}
}
