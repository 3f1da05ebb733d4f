package table

import (
	"time"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// State is all that a decision about one table reads. It is comparable, holds
// no slice, map or pointer, and is under 4 KB (tested): a copy is a snapshot.
// The zero value is a table that has never been opened.
type State struct {
	Facts // what the records say; comes back after a restart
	Lanes // what is under way; does not
}

// Facts change only by records (Record.fold), so folding a journal gives them
// back (DESIGN rule 7).
type Facts struct {
	Settings Settings
	N        uint64 // records of this stream so far
	Run      uint64 // which start of the controller this is

	Open    bool
	Session uint64
	Floor   custody.Person // named at opening (D11)
	Deputy  custody.Person
	Dealer  custody.Person // on duty
	// StubCountedInDown: a stub was counted since this dealer came (P2).
	StubCountedInDown bool
	Proven            bool // the dealer on duty signed in with a PIN (P6)
	Hold              bool
	Break             Break
	Handoff           custody.Handoff
	Faults            fault.Board
	Out               bool // the shuffler is out of service: all by hand (S4)

	Level        hand.Level
	ConfirmLevel bool // M3: the floor confirms before the next trigger
	Button       uint8
	Seats        hand.Seats
	SeatsOK      bool // confirmed for the next hand
	LastHand     uint64
	Hand         hand.Hand

	Decks       [custody.Slots]custody.Deck
	Cards       [custody.Slots]hand.Ledger // of each slot's deck, by area (H10)
	InPlay      custody.Slot               // the slot whose deck is dealt
	LastCheck   uint64
	Checking    custody.Slot // a check is under way in this slot
	LastShuffle uint64
	Passes      [custody.Slots]Pass // of each slot's deck: one is dealt while the other is shuffled (D7)
	Rotation    Rotation
}

// Pass is the shuffle of one deck that is under way or just finished. The zero
// value is none.
type Pass struct {
	ID       uint64
	Active   bool // begun, and neither void nor complete
	ByHand   bool
	Complete bool // ready to be dealt, until its cards are out or it is void
}

// Live tells whether the pass is under way or its pack lies ready.
func (p Pass) Live() bool { return p.Active || p.Complete }

// Lanes are what is under way, with their deadlines.
type Lanes struct {
	Stopping bool
	Op       uint32 // last operation number given
	Machine  Lane
	Scanner  Lane
	Panel    struct{ Cover, EStop, Button, Wash, Step bool }

	Passing    [custody.Slots]Passing
	StubPass   shuffle.Progress // of the hand in play (H8)
	CheckSince time.Duration
	Stated     uint16 // cards of the check under way, by the dealer's word
}

// Passing is how far the pass of a slot's deck has come.
type Passing struct {
	Progress shuffle.Progress
	Counted  bool          // the machine counted the whole pack in its last riffle or after it, and has it inside
	Verified bool          // the pack was counted out of the machine (S6)
	Since    time.Duration // for durations in reports
}

// At is when an event arrived. Mono is the time since the machine's boot and
// decides deadlines; Wall is for people.
type At struct {
	Mono time.Duration
	Wall time.Time
}

// Output is what a turn wants done: halts at once, records durably, then
// commands (DESIGN's order rule).
type Output struct {
	Halt     Halt
	Records  []Record
	Commands []Command
	Refusal  Refusal // of an Action
}

// Halt says which devices must stop now.
type Halt uint8

// The devices that can be halted.
const (
	HaltMachine Halt = 1 << iota
	HaltScanner
	HaltAll = HaltMachine | HaltScanner
)

// Part names the part of a halt, one bit at a time.
func (h Halt) Has(p fault.Part) bool {
	switch p {
	case fault.Shuffler:
		return h&HaltMachine != 0
	case fault.Scanner:
		return h&HaltScanner != 0
	}
	return false
}

// deck gives the deck in a slot; an empty deck for no slot.
func (f Facts) deck(s custody.Slot) custody.Deck {
	if s != custody.A && s != custody.B {
		return custody.Deck{}
	}
	return f.Decks[s-1]
}

func (f Facts) withDeck(s custody.Slot, d custody.Deck) Facts {
	if s == custody.A || s == custody.B {
		f.Decks[s-1] = d
	}
	return f
}

// pass gives the pass of the deck in a slot; none for no slot.
func (f Facts) pass(s custody.Slot) Pass {
	if s != custody.A && s != custody.B {
		return Pass{}
	}
	return f.Passes[s-1]
}

func (f Facts) withPass(s custody.Slot, p Pass) Facts {
	if s == custody.A || s == custody.B {
		f.Passes[s-1] = p
	}
	return f
}

// PassIn is the pass of the deck in slot s, the zero value where there is none.
func (f Facts) PassIn(s custody.Slot) Pass { return f.pass(s) }

// ProgressIn is how far the pass of the deck in slot s has come.
func (l Lanes) ProgressIn(s custody.Slot) shuffle.Progress { return l.passing(s).Progress }

// passing is how far the pass of the deck in slot s has come.
func (l Lanes) passing(s custody.Slot) Passing {
	if s != custody.A && s != custody.B {
		return Passing{}
	}
	return l.Passing[s-1]
}

// track changes how far the pass of the deck in slot s has come.
func (t *turn) track(s custody.Slot, change func(*Passing)) {
	if s == custody.A || s == custody.B {
		change(&t.s.Passing[s-1])
	}
}

// DeckIn is the deck in slot s, empty where there is none.
func (f Facts) DeckIn(s custody.Slot) custody.Deck { return f.deck(s) }

// gate is H5 as this table stands, for a shuffle of the deck in slot.
func (f Facts) gate(slot custody.Slot) hand.Gate {
	return hand.Gate{
		TableOpen: f.Open, Hold: f.Hold, HandoffPending: f.Handoff.Pending(), PreviousInPlay: f.Hand.InPlay(),
		DeckUsable: f.deck(slot).Usable(), Level: f.Level, LevelConfirmed: !f.ConfirmLevel,
		DealerSignedIn: f.dealerSignedIn(), Break: f.Break.On, SeatsConfirmed: f.SeatsOK || !f.Settings.ConfirmSeats,
		PartsFaulty: f.partsFaulty(),
	}
}

// partsFaulty tells whether a latched fault bars the next hand: the journal and
// the panel always, the shuffler unless it is out of service (M1). The scanner
// is no part that a hand uses.
func (f Facts) partsFaulty() bool {
	return f.Faults.Blocked(fault.Journal) || f.Faults.Blocked(fault.Panel) || f.Faults.Blocked(fault.Shuffler) && !f.Out
}

// Deadline is the earliest time at which a Tick can change something, 0 for
// never. A tick that comes early or late does no harm.
func (s State) Deadline() time.Duration {
	d := s.Machine.Deadline
	if c := s.Scanner.Deadline; c != 0 && (d == 0 || c < d) {
		d = c
	}
	return d
}

// Apply takes one event to the next state and to what must be done. It never
// fails and never blocks: a refused request is an Output with a Refusal.
func (s State) Apply(at At, ev Event) (State, Output) {
	t := &turn{s: s, at: at}
	if a, ok := ev.(Action); ok {
		t.act, t.name = a.Acting(), a.Name()
		if s.Stopping {
			t.refuse(Stopping, "")
			return t.s, t.out
		}
	}
	if t.proven() {
		ev.apply(t)
		t.keepBreak()
		t.noteDuty(s.Facts)
	}
	t.drive()
	t.checkpoint()
	return t.s, t.out
}

// checkpointEvery bounds the records that a start has to read.
const checkpointEvery = 500

// checkpoint repeats the facts after so many records.
func (t *turn) checkpoint() {
	last, now := (t.s.N-uint64(len(t.out.Records)))/checkpointEvery, t.s.N/checkpointEvery
	if now > last {
		t.emit(Checkpoint{Facts: t.s.Facts})
	}
}

// Restart is the state from which a new run of the controller starts: the facts,
// and nothing of what was under way. Its first event must be Booted.
func Restart(f Facts) State { return State{Facts: f} }

// Fold adds a record that is in the journal already.
func (f Facts) Fold(r Record) Facts {
	f = r.fold(f)
	f.N++
	return f
}

// turn is one Apply: the state as it grows and what comes out of it.
type turn struct {
	s    State
	at   At
	act  Act
	name string
	out  Output
}

// emit makes a fact true and gives it to the journal.
func (t *turn) emit(r Record) {
	t.s.Facts = t.s.Facts.Fold(r)
	t.out.Records = append(t.out.Records, r)
}

// refuse answers an action with a code, and records that it was refused.
func (t *turn) refuse(c Code, arg string) { t.refuseWith(Refusal{c, arg}) }

func (t *turn) refuseWith(r Refusal) {
	t.out.Refusal = r
	t.emit(RequestRefused{Act: t.act, Action: t.name, Refusal: r})
}

// may refuses an action whose person has none of the roles (P6).
func (t *turn) may(roles ...custody.Role) bool {
	want := ""
	for i, r := range roles {
		if t.act.By.Role == r {
			return true
		}
		if i > 0 {
			want += ","
		}
		want += r.String()
	}
	t.refuse(NeedsRole, want)
	return false
}

// second refuses an action that no other person of that role approved.
func (t *turn) second(role custody.Role) bool {
	switch {
	case t.act.ApprovedBy.Role != role:
		t.refuse(NeedsSecond, role.String())
	case t.act.ApprovedBy == t.act.By || t.act.ApprovedBy.ID == t.act.By.ID:
		t.refuse(SamePerson, "")
	default:
		return true
	}
	return false
}

// reason refuses an empty or hostile text where a rule wants a reason.
func (t *turn) reason(text string) bool {
	if !plainText(text) {
		t.refuse(ReasonMissing, "")
		return false
	}
	return true
}

// note refuses a text that may be left out but must not be hostile or endless.
func (t *turn) note(field, text string) bool {
	if text != "" && !plainText(text) {
		t.refuse(BadInput, field)
		return false
	}
	return true
}

// cardsOut tells whether the deck in slot has cards out in the hand in play.
func (f Facts) cardsOut(slot custody.Slot) bool { return f.Hand.CardsOut() && f.InPlay == slot }

// plainText is a text that a person wrote: not empty, not endless, one line.
func plainText(s string) bool {
	return s != "" && len(s) <= maxText && custody.Plain(s)
}

// maxText is the longest text of a person, in bytes.
const maxText = 500

// deckSize is the number of cards of every pack here (D1).
const deckSize = deckcheck.DeckSize
