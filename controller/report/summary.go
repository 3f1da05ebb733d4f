package report

import (
	"slices"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
)

// SummaryQuery says of which opening of the table; session 0 is the newest.
type SummaryQuery struct {
	Session uint64
	// Floor adds the figures of each dealer, which only the floor may see (P5).
	Floor bool
}

// SummaryReport is how a session went, from its opening to its end, or until now.
type SummaryReport struct {
	Report     string         `json:"report"` // summary
	Table      string         `json:"table"`
	Controller string         `json:"controller_version"`
	Session    Session        `json:"session"`
	Procedures []Procedure    `json:"procedures"`
	Triggers   []hand.Trigger `json:"triggers"`
	Devices    []Device       `json:"devices"`
	Asserted   bool           `json:"identities_asserted"`

	Totals   Totals         `json:"totals"`
	Pace     Pace           `json:"pace"`
	Machine  Durations      `json:"shuffles_by_machine"`
	ByHand   Durations      `json:"shuffles_by_hand"`
	Levels   []LevelPlayed  `json:"levels_played"`
	Checks   []CheckLine    `json:"checks"`
	Voids    []DownVoid     `json:"shuffles_void"`
	Breaks   []BreakEntry   `json:"sequence_breaks"`
	Faults   []FaultEntry   `json:"faults"`
	Holds    []HoldEntry    `json:"holds"`
	Handoffs []HandoffLine  `json:"handoffs"`
	Also     []RecordEntry  `json:"also"`
	Floor    bool           `json:"for_the_floor"`
	Dealers  []DealerFigure `json:"dealers,omitempty"`
	Journal  Place          `json:"journal"`
}

// Pace is how fast hands went: of the hands that ended, from the trigger of the
// first to the end of the last. Redeals are no further hands (H7).
type Pace struct {
	FirstMS int64   `json:"first_hand_unix_ms,omitempty"`
	LastMS  int64   `json:"last_end_unix_ms,omitempty"`
	Ended   int     `json:"hands_ended"`
	PerHour float64 `json:"hands_per_hour,omitempty"` // absent below one minute
}

// Durations are the times of complete shuffles, from the first step to the last.
// Median and ninth decile are times that occurred (nearest rank).
type Durations struct {
	N             int   `json:"n"`
	MedianMS      int64 `json:"median_ms,omitempty"`
	NinthDecileMS int64 `json:"p90_ms,omitempty"`
	MaxMS         int64 `json:"max_ms,omitempty"`
}

// LevelPlayed is a level with the hands that carry its tag.
type LevelPlayed struct {
	Level   hand.Level `json:"level"`
	First   uint64     `json:"first_hand"`
	Last    uint64     `json:"last_hand"`
	Hands   int        `json:"hands"`
	BeganMS int64      `json:"first_trigger_unix_ms"`
}

// CheckLine is a deck check in the session.
type CheckLine struct {
	Deck string       `json:"deck"`
	Slot custody.Slot `json:"slot"`
	CheckEntry
}

// HandoffLine is a handoff and what came of it.
type HandoffLine struct {
	From    custody.Person `json:"from"`
	To      custody.Person `json:"to"`
	MidHand bool           `json:"mid_hand,omitempty"`
	AtMS    int64          `json:"proposed_unix_ms"`
	Outcome string         `json:"outcome"`
	EndMS   int64          `json:"decided_unix_ms,omitempty"`
	By      custody.Person `json:"decided_by,omitzero"`
	Reason  string         `json:"reason,omitempty"`
}

// DealerFigure is one dealer's time at the table. TableMS is from sign-in or
// handoff to the next change, over all downs.
type DealerFigure struct {
	Dealer  custody.Person `json:"dealer"`
	Downs   int            `json:"downs"`
	TableMS int64          `json:"at_table_ms"`
	Totals  Totals         `json:"totals"`
	PerHour float64        `json:"hands_per_hour,omitempty"`
}

// Summary reads how a session went from the journal. It fails with ErrNotFound
// for a table or session that the journal does not have.
func Summary(j journal.Reader, tableID string, q SummaryQuery) (SummaryReport, error) {
	p, err := openPast(j, tableID)
	if err != nil {
		return SummaryReport{}, err
	}
	start, err := p.opening(0, q.Session)
	if err != nil {
		return SummaryReport{}, err
	}
	b := summary{handLog: handLog{past: p, passes: passes{}, out: HandLogReport{Table: tableID, Procedures: []Procedure{}}}}
	if b.standing, err = p.standingBefore(start.pos); err != nil {
		return SummaryReport{}, err
	}
	b.standing.sessions = nil
	for f, err := range p.facts(start.pos) {
		if err != nil {
			return SummaryReport{}, err
		}
		if _, again := f.rec.(table.TableOpened); again && f.pos != start.pos {
			break
		}
		b.handLog.take(f)
		b.take(f)
	}
	return b.report(q), nil
}

// summary is a summary as it grows: the session's hand log, and what a log of
// hands does not have.
type summary struct {
	handLog
	checks   []CheckLine
	voids    []DownVoid
	breaks   []BreakEntry
	holds    []HoldEntry
	handoffs []HandoffLine
	others   []RecordEntry
	figures  []DealerFigure
	since    int64 // when the dealer on duty came
	last     fact
}

func (b *summary) take(f fact) {
	b.last = f
	if e, is := also(f); is {
		b.others = append(b.others, e)
	}
	if f.after.Dealer != f.before.Dealer {
		b.leave(f)
		b.since = f.wall
	}
	switch r := f.rec.(type) {
	case table.ShuffleVoid:
		b.voids = append(b.voids, DownVoid{r.Shuffle, r.Hand, r.Reason.String(), r.By, f.wall})
	case table.SequenceBroken:
		b.breaks = append(b.breaks, BreakEntry{r.Break, r.By, f.wall})
	case table.HoldBegan:
		b.holds = append(b.holds, HoldEntry{Reason: r.Reason, By: r.By, AtMS: f.wall})
	case table.HoldLifted:
		if n := len(b.holds); n > 0 {
			b.holds[n-1].lift(r, f.wall)
		}
	}
	b.takeCheck(f)
	b.takeHandoff(f)
}

// leave ends the down of the dealer who was on duty.
func (b *summary) leave(f fact) {
	if !f.before.Dealer.Known() {
		return
	}
	d := b.figure(f.before.Dealer)
	d.Downs++
	if b.since != 0 {
		d.TableMS += f.wall - b.since
	}
}

func (b *summary) figure(p custody.Person) *DealerFigure {
	for i := range b.figures {
		if b.figures[i].Dealer == p {
			return &b.figures[i]
		}
	}
	b.figures = append(b.figures, DealerFigure{Dealer: p})
	return &b.figures[len(b.figures)-1]
}

func (b *summary) takeCheck(f fact) {
	switch r := f.rec.(type) {
	case table.CheckStarted:
		b.checks = append(b.checks, CheckLine{Deck: r.Deck, Slot: r.Slot, CheckEntry: CheckEntry{Number: r.Check, Started: byOf(r.Act, f.wall)}})
	case table.CheckEnded:
		if c := b.check(r.Check); c != nil {
			c.Verdict, c.EndedMS, c.TookMS, c.QuarantineDue = r.Verdict, f.wall, r.TookMS, r.Confirm
		}
	case table.DeckAttested:
		if c := b.check(r.Check); c != nil {
			c.attest(r, f.wall)
		}
	}
}

func (b *summary) check(number uint64) *CheckLine {
	for i := len(b.checks) - 1; i >= 0; i-- {
		if b.checks[i].Number == number {
			return &b.checks[i]
		}
	}
	return nil
}

func (b *summary) takeHandoff(f fact) {
	end := func(outcome string, by custody.Person, reason string) {
		if n := len(b.handoffs); n > 0 {
			h := &b.handoffs[n-1]
			h.Outcome, h.By, h.Reason, h.EndMS = outcome, by, reason, f.wall
		}
	}
	switch r := f.rec.(type) {
	case table.HandoffProposed:
		b.handoffs = append(b.handoffs, HandoffLine{From: r.From, To: r.To, MidHand: r.MidHand, AtMS: f.wall, Outcome: HandoffPending})
	case table.HandoffAccepted:
		end(HandoffAccepted, r.By, "")
	case table.HandoffRefused:
		end(HandoffRefused, r.By, r.Reason)
	case table.HandoffSettled:
		outcome := HandoffKept
		if r.Complete {
			outcome = HandoffCompleted
		}
		end(outcome, r.By, r.Reason)
	}
}

// report closes the summary.
func (b *summary) report(q SummaryQuery) SummaryReport {
	log := b.handLog.report()
	out := SummaryReport{
		Report: "summary", Table: log.Table, Controller: log.Controller, Procedures: log.Procedures, Triggers: log.Triggers, Devices: log.Devices,
		Asserted: log.Asserted, Totals: log.Totals, Pace: paceOf(log.Hands), Levels: levelsOf(log.Hands), Faults: log.Faults, Floor: q.Floor, Journal: log.Journal,
		Checks: append([]CheckLine{}, b.checks...), Voids: append([]DownVoid{}, b.voids...), Breaks: append([]BreakEntry{}, b.breaks...),
		Holds: append([]HoldEntry{}, b.holds...), Handoffs: append([]HandoffLine{}, b.handoffs...), Also: append([]RecordEntry{}, b.others...),
	}
	if n := len(log.Sessions); n > 0 {
		out.Session = log.Sessions[n-1]
	}
	var machine, byHand []int64
	for _, s := range b.passes {
		switch {
		case s.CompleteMS == 0 || s.Void != nil:
		case s.ByHand:
			byHand = append(byHand, s.TookMS)
		default:
			machine = append(machine, s.TookMS)
		}
	}
	out.Machine, out.ByHand = durationsOf(machine), durationsOf(byHand)
	if q.Floor {
		out.Dealers = b.dealers(log.Hands)
	}
	return out
}

// dealers are the figures of each dealer, in the order in which they came.
func (b *summary) dealers(hands []*HandEntry) []DealerFigure {
	if on := b.last.after.Dealer; on.Known() {
		f := b.last
		f.before.Dealer = on
		b.leave(f)
	}
	for _, h := range hands {
		b.figure(h.Dealer).Totals.add([]*HandEntry{h})
	}
	for i := range b.figures {
		d := &b.figures[i]
		d.PerHour = perHour(d.Totals.Hands, d.TableMS)
	}
	return b.figures
}

func paceOf(hands []*HandEntry) (p Pace) {
	for _, h := range hands {
		if h.State != HandEnded {
			continue
		}
		if p.Ended == 0 {
			p.FirstMS = h.Trigger.AtMS
		}
		p.LastMS = h.EndMS
		p.Ended++
	}
	p.PerHour = perHour(p.Ended, p.LastMS-p.FirstMS)
	return p
}

// perHour is a pace; of less than a minute there is none.
func perHour(n int, ms int64) float64 {
	if ms < 60_000 {
		return 0
	}
	return float64(n) * 3_600_000 / float64(ms)
}

func durationsOf(ms []int64) Durations {
	slices.Sort(ms)
	d := Durations{N: len(ms)}
	if d.N > 0 {
		d.MedianMS, d.NinthDecileMS, d.MaxMS = ranked(ms, 50), ranked(ms, 90), ms[d.N-1]
	}
	return d
}

// ranked is the nearest rank: the smallest value that so many percent do not
// exceed.
func ranked(sorted []int64, percent int) int64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}

// levelsOf are the levels whose tags the hands carry. One that comes back, by a
// correction or a jump of the clock, stands again.
func levelsOf(hands []*HandEntry) []LevelPlayed {
	list := []LevelPlayed{}
	for _, h := range hands {
		if n := len(list); n == 0 || list[n-1].Level != h.Tag {
			list = append(list, LevelPlayed{Level: h.Tag, First: h.Hand, BeganMS: h.Trigger.AtMS})
		}
		l := &list[len(list)-1]
		l.Last = h.Hand
		l.Hands++
	}
	return list
}

// outcomes counts checks by their outcome.
func outcomes(checks []CheckLine) map[deckcheck.Outcome]int {
	n := map[deckcheck.Outcome]int{}
	for _, c := range checks {
		n[c.Verdict.Outcome]++
	}
	return n
}
