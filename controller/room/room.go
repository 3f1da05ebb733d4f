// Package room is the pure core of what outlives a table: the level in force
// for all tables (H2), the registry of decks, so that a deck quarantined at
// table 1 never opens at table 2 (D5), and the people who may act (P6). Like a table it is a stream of records:
// State.Apply takes an event to the next state and to records, Fold gives the
// state back from the journal.
//
// It shares two words with the tables, a level and a person, and takes them
// from the leaves that define them (controller/table/hand and custody).
package room

import (
	"encoding/json"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// Stream is the name of the room's stream in the journal. No table may have it.
const Stream = "room"

// State is what the room knows. The zero value is a room before its first day.
// It is not to be shared: the controller's loop owns it.
type State struct {
	N             uint64 // records of this stream so far
	Level         hand.Level
	Announcements uint64
	Decks         map[string]Deck
	Staff         Staff
	Tries         map[string]Tries // by staff id; nil where nobody has tried in vain
}

// Deck is a pack in the registry.
type Deck struct {
	Back        string `json:"back"`
	Table       string `json:"table,omitempty"` // where it lies, "" for the store
	Quarantined bool   `json:"quarantined,omitempty"`
	Envelope    string `json:"envelope,omitempty"`
}

// Code is why the room refuses something. The empty code means done.
type Code string

// The room's refusals.
const (
	OK              Code = ""
	NeedsFloor      Code = "needs_role"
	BadLevel        Code = "bad_level"
	BadInput        Code = "bad_input"
	DeckQuarantined Code = "deck_quarantined"
	DeckElsewhere   Code = "deck_elsewhere"
	OtherBack       Code = "other_back" // registered with another back design
)

// Record is a fact of the room's stream.
type Record interface {
	Type() string
	fold(State) State
}

// Act is who acts, as in a table's records.
type Act struct {
	By   custody.Person `json:"by,omitzero"`
	Auth custody.Auth   `json:"auth,omitempty"`
	Key  string         `json:"key,omitempty"`
}

// The room's records.
type (
	LevelAnnounced struct {
		Act
		Level  hand.Level `json:"level"`
		Source string     `json:"source"` // floor or clock
	}
	DeckRegistered struct {
		Act
		Deck string `json:"deck"`
		Back string `json:"back"`
	}
	DeckMoved struct {
		Deck  string `json:"deck"`
		Table string `json:"table"` // "" for the store
	}
	DeckQuarantineNoted struct {
		Deck     string `json:"deck"`
		Table    string `json:"table"`
		Envelope string `json:"envelope"`
	}
	// RestoredFrom declares that this journal goes on from a backup: what the former
	// one recorded behind that head is not in it. So a fork is told by the journal
	// itself. It changes nothing.
	RestoredFrom struct {
		Act
		Head string `json:"head"` // position:hash where the backup ends
	}
	// Checkpoint repeats the whole state, so that a start reads the journal from
	// here. It changes nothing.
	Checkpoint struct {
		Level         hand.Level       `json:"level,omitzero"`
		Announcements uint64           `json:"announcements"`
		Decks         map[string]Deck  `json:"decks"`
		Staff         Staff            `json:"staff,omitzero"`
		Tries         map[string]Tries `json:"tries,omitempty"`
	}
)

// Type names of the room's records.
func (LevelAnnounced) Type() string      { return "level_announced" }
func (DeckRegistered) Type() string      { return "deck_registered" }
func (DeckMoved) Type() string           { return "deck_moved" }
func (DeckQuarantineNoted) Type() string { return "deck_quarantine_noted" }
func (RestoredFrom) Type() string        { return "restored_from" }
func (Checkpoint) Type() string          { return "room_checkpoint" }

func (r LevelAnnounced) fold(s State) State {
	s.Level, s.Announcements = r.Level, r.Level.Announcement
	return s
}

func (r DeckRegistered) fold(s State) State {
	return s.with(r.Deck, Deck{Back: r.Back})
}

func (r DeckMoved) fold(s State) State {
	d := s.Decks[r.Deck]
	d.Table = r.Table
	return s.with(r.Deck, d)
}

func (r DeckQuarantineNoted) fold(s State) State {
	d := s.Decks[r.Deck]
	d.Table, d.Quarantined, d.Envelope = "", true, r.Envelope
	return s.with(r.Deck, d)
}

func (RestoredFrom) fold(s State) State { return s }

func (r Checkpoint) fold(s State) State {
	return State{N: s.N, Level: r.Level, Announcements: r.Announcements, Decks: r.Decks, Staff: r.Staff, Tries: r.Tries}
}

// with copies the registry, so that an older State stays what it was.
func (s State) with(id string, d Deck) State {
	m := make(map[string]Deck, len(s.Decks)+1)
	for k, v := range s.Decks {
		m[k] = v
	}
	m[id] = d
	s.Decks = m
	return s
}

// Fold adds a record that is in the journal already.
func (s State) Fold(r Record) State {
	s = r.fold(s)
	s.N++
	return s
}

// Announce puts a level in force for all tables (H2): by the floor, or by the
// official clock as source "clock".
func (s State) Announce(act Act, l hand.Level, source string) (State, []Record, Code) {
	switch {
	case source != "clock" && act.By.Role != custody.Floor:
		return s, nil, NeedsFloor
	case l.Check() != nil:
		return s, nil, BadLevel
	}
	l.Announcement = s.Announcements + 1
	return s.emit(LevelAnnounced{Act: act, Level: l, Source: source})
}

// Place registers a deck if it is new to the room and notes that it lies at a
// table. A quarantined deck never opens again (D5).
func (s State) Place(act Act, id, back, table string) (State, []Record, Code) {
	d, known := s.Decks[id]
	switch {
	case custody.CheckID(id) != nil || custody.CheckID(back) != nil:
		return s, nil, BadInput
	case d.Quarantined:
		return s, nil, DeckQuarantined
	case known && d.Table != "" && d.Table != table:
		return s, nil, DeckElsewhere
	case known && d.Back != back:
		return s, nil, OtherBack
	}
	var rs []Record
	if !known {
		rs = append(rs, DeckRegistered{Act: act, Deck: id, Back: back})
	}
	if d.Table != table {
		rs = append(rs, DeckMoved{Deck: id, Table: table})
	}
	return s.emit(rs...)
}

// Return notes that a deck has left its table for the store.
func (s State) Return(id string) (State, []Record, Code) {
	if s.Decks[id].Table == "" {
		return s, nil, OK
	}
	return s.emit(DeckMoved{Deck: id})
}

// Quarantine notes that a table sent a deck away for good.
func (s State) Quarantine(id, table, envelope string) (State, []Record, Code) {
	if s.Decks[id].Quarantined {
		return s, nil, OK
	}
	return s.emit(DeckQuarantineNoted{Deck: id, Table: table, Envelope: envelope})
}

// Tuning constants of the checkpoints.
const (
	checkpointEvery = 256       // records that a start has to read at most
	checkpointBytes = 512 << 10 // 5,000 decks; a larger registry would come to not fit into one record
)

// emit makes facts true, and repeats all of them after so many records.
func (s State) emit(rs ...Record) (State, []Record, Code) {
	before := s.N / checkpointEvery
	for _, r := range rs {
		s = s.Fold(r)
	}
	if s.N/checkpointEvery > before {
		c := Checkpoint{Level: s.Level, Announcements: s.Announcements, Decks: s.Decks, Staff: s.Staff, Tries: s.Tries}
		if stored, err := json.Marshal(c); err == nil && len(stored) <= checkpointBytes {
			s, rs = s.Fold(c), append(rs, c)
		}
	}
	return s, rs, OK
}
