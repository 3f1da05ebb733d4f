package report

import (
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/shuffle"
)

// ShuffleEntry is one pass of a deck through the procedure, as it went.
type ShuffleEntry struct {
	Shuffle     uint64         `json:"shuffle"`
	Slot        custody.Slot   `json:"slot"`
	Deck        string         `json:"deck"`
	Procedure   Procedure      `json:"procedure"`
	ByHand      bool           `json:"by_hand,omitempty"`
	By          custody.Person `json:"by,omitzero"` // the dealer of a shuffle by hand
	Wash        bool           `json:"wash"`        // the wash was part of it (S2)
	WashFor     []string       `json:"wash_for,omitempty"`
	StartedMS   int64          `json:"started_unix_ms"`
	Steps       []StepEntry    `json:"steps"`
	CutsRefused int            `json:"cuts_refused,omitempty"` // S7
	Breaks      []BreakEntry   `json:"sequence_breaks,omitempty"`
	Counts      []CountEntry   `json:"counts_wrong,omitempty"`
	Verified    []PackEntry    `json:"verified,omitempty"` // counted out of the machine (S6)
	CompleteMS  int64          `json:"complete_unix_ms,omitempty"`
	TookMS      int64          `json:"took_ms,omitempty"`
	Void        *VoidEntry     `json:"void,omitempty"`
}

// StepEntry is one step: who did it, when it started and was done. Of a cut only
// that it passed is known, never how deep it was (S7). TookMS is by the machine's
// own clock where it has one.
type StepEntry struct {
	Index     uint8          `json:"index"` // in the procedure, from 0
	Step      string         `json:"step"`
	Actor     string         `json:"actor"` // machine or dealer
	By        custody.Person `json:"by,omitzero"`
	Sensor    bool           `json:"sensor,omitempty"` // from a sensor, not the screen
	StartedMS int64          `json:"started_unix_ms"`
	DoneMS    int64          `json:"done_unix_ms,omitempty"` // 0 = not done
	TookMS    int64          `json:"took_ms"`
	Cards     uint16         `json:"cards,omitempty"`  // counted in the step
	Stated    bool           `json:"stated,omitempty"` // the count is the dealer's word

	tick uint32
}

// BreakEntry is a sequence break (S3).
type BreakEntry struct {
	Break shuffle.Break  `json:"break"`
	By    custody.Person `json:"by,omitzero"`
	AtMS  int64          `json:"at_unix_ms"`
}

// CountEntry is a count that was not the pack's size.
type CountEntry struct {
	Step  string `json:"step"` // a step's name, load or release
	Want  uint16 `json:"want"`
	Got   uint16 `json:"got"`
	Locks bool   `json:"locks"` // the deck is locked until a fresh check (D5)
	AtMS  int64  `json:"at_unix_ms"`
}

// PackEntry is a pack counted on its way out of the machine.
type PackEntry struct {
	Cards uint16 `json:"cards"`
	AtMS  int64  `json:"at_unix_ms"`
}

// VoidEntry is why a pass does not count (S3, S5).
type VoidEntry struct {
	Reason string         `json:"reason"`
	By     custody.Person `json:"by,omitzero"`
	AtMS   int64          `json:"at_unix_ms"`
	Wash   bool           `json:"wash_owed,omitempty"` // by the next pass (S2)
}

// passes puts shuffles together from their records.
type passes map[uint64]*ShuffleEntry

// take adds one record and tells which pass it is of, nil for none.
func (p passes) take(f fact) *ShuffleEntry {
	switch r := f.rec.(type) {
	case table.ShuffleStarted:
		s := p.of(r.Shuffle)
		s.begin(f, r)
		return s
	case table.ShuffleStep:
		s := p.of(r.Shuffle)
		s.step(f, r)
		return s
	case table.PackVerified:
		s := p.of(r.Shuffle)
		s.Verified = append(s.Verified, PackEntry{r.Cards, f.wall})
		return s
	case table.CutRefused:
		s := p.of(r.Shuffle)
		s.CutsRefused++
		return s
	case table.SequenceBroken:
		s := p.of(r.Shuffle)
		s.Breaks = append(s.Breaks, BreakEntry{r.Break, r.By, f.wall})
		return s
	case table.CountWrong:
		s := p.of(r.Shuffle)
		s.Counts = append(s.Counts, CountEntry{r.Step, r.Want, r.Got, r.Locks, f.wall})
		return s
	case table.ShuffleVoid:
		s := p.of(r.Shuffle)
		s.Void = &VoidEntry{r.Reason.String(), r.By, f.wall, r.Wash}
		return s
	case table.ShuffleComplete:
		s := p.of(r.Shuffle)
		s.CompleteMS, s.TookMS = f.wall, r.TookMS
		return s
	}
	return nil
}

func (p passes) of(id uint64) *ShuffleEntry {
	if p[id] == nil {
		p[id] = &ShuffleEntry{Shuffle: id, Steps: []StepEntry{}}
	}
	return p[id]
}

func (s *ShuffleEntry) begin(f fact, r table.ShuffleStarted) {
	s.Slot, s.Deck, s.ByHand, s.By, s.Wash, s.WashFor, s.StartedMS = r.Slot, r.Deck, r.ByHand, r.By, r.Wash, r.WashFor.List(), f.wall
	s.Procedure = Procedure{Version: r.Procedure, Approved: r.Approved}
	if set := f.before.Settings.Procedure; set.Version == r.Procedure {
		s.Procedure = procedureOf(set)
		s.Procedure.Steps = nil // they stand in the entry
	}
}

func (s *ShuffleEntry) step(f fact, r table.ShuffleStep) {
	if r.Phase == shuffle.Started {
		s.Steps = append(s.Steps, StepEntry{
			Index: r.Index, Step: r.Step.String(), Actor: r.Actor.String(), By: r.By, Sensor: r.Sensor, StartedMS: f.wall, tick: r.Tick,
		})
		return
	}
	n := len(s.Steps)
	if n == 0 || s.Steps[n-1].Index != r.Index {
		return
	}
	e := &s.Steps[n-1]
	e.DoneMS, e.TookMS, e.Cards, e.Stated = f.wall, f.wall-e.StartedMS, r.Cards, r.Stated
	if e.tick != 0 && r.Tick != 0 {
		e.TookMS = int64(r.Tick - e.tick) // wraps as the device's clock does
	}
}
