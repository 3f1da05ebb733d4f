package table

import (
	"hash/maphash"
	"os"
	"reflect"
	"testing"
	"unsafe"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// TestState_ComparableAndSmall holds DESIGN rule 1.
func TestState_ComparableAndSmall(t *testing.T) {
	if size := unsafe.Sizeof(State{}); size >= 4096 {
		t.Errorf("State has %d bytes, want under 4096", size)
	}
	var look func(path string, typ reflect.Type)
	look = func(path string, typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Float32, reflect.Float64:
			t.Errorf("%s is a %s", path, typ.Kind())
		case reflect.Array:
			look(path+"[]", typ.Elem())
		case reflect.Struct:
			for f := range typ.Fields() {
				look(path+"."+f.Name, f.Type)
			}
		}
	}
	look("State", reflect.TypeFor[State]())
}

// ghost is the history that an invariant needs and no decision reads.
type ghost struct {
	pass     [custody.Slots]ghostPass
	halted   Halt         // not reset since
	override custody.Slot // D7: brought into play by the floor since the last hand
	entered  bool         // the mode began after that hand with a pack under way
}

type ghostPass struct {
	begun    bool // a pass is under way
	done     [8]uint8
	verified bool
	drawn    bool // D9: from its cards, and no wash since
}

type node struct {
	s State
	g ghost
}

// TestSearch_EveryEventInEveryState walks breadth first over distinct states
// from chosen starts, applies every event of the alphabet to each, and holds
// the rules on every edge. SHUFFLER_LONG=1 walks to depth 8.
func TestSearch_EveryEventInEveryState(t *testing.T) {
	depth := 4
	if os.Getenv("SHUFFLER_LONG") != "" {
		depth = 8
	}
	seed := maphash.MakeSeed()
	states, edges := 0, 0
	for _, start := range []string{"", "opening", "riffle", "square", "ready", "one_hand", "by_hand", "button", "rotation_opening", "rotation", "break", "proof_ready", "stub_begun"} {
		ss := newSession()
		if start != "" {
			ss.quietly(t, start)
		}
		seen := map[uint64]bool{}
		level := []node{{ss.s, ghostOf(ss.s)}}
		for d := 0; d < depth && len(level) > 0 && len(seen) < maxStates; d++ {
			var next []node
			for _, n := range level {
				for _, ev := range alphabet(n.s) {
					after, out := n.s.Apply(ss.at, ev)
					edges++
					g := holdRules(t, n, after, out, ev)
					if t.Failed() {
						t.Fatalf("start %q, depth %d, event %T %+v\nbefore %+v\nafter %+v\nout %+v", start, d, ev, ev, n.s, after, out)
					}
					after = normal(after)
					if h := maphash.Comparable(seed, node{after, g}); !seen[h] {
						seen[h] = true
						next = append(next, node{after, g})
					}
				}
			}
			level = next
		}
		states += len(seen)
	}
	t.Logf("%d distinct states, %d edges, depth %d", states, edges, depth)
	if states < 10_000 {
		t.Errorf("only %d distinct states: the alphabet does not reach far", states)
	}
}

// maxStates bounds one start's search, so that memory stays under 2 GB.
const maxStates = 150_000

// normal takes out what only counts up, and who is on duty as floor, on which
// little depends, so that equal situations are equal.
func normal(s State) State {
	if s.Floor.ID == "8" {
		s.Floor, s.Deputy = s.Deputy, s.Floor
	}
	s.N = 0
	s.Passing[0].Since, s.Passing[1].Since, s.CheckSince = 0, 0, 0
	s.Op = 2
	if s.Machine.Op != 0 {
		s.Machine.Op = 1
	}
	if s.Scanner.Op != 0 {
		s.Scanner.Op = 2
	}
	return s
}

func ghostOf(s State) ghost {
	var g ghost
	for i := range g.pass {
		g.pass[i] = ghostPass{begun: s.Passes[i].Active, verified: s.Passing[i].Verified}
		for st := range s.Passing[i].Progress.Steps() {
			if st.State == shuffle.StepDone {
				g.pass[i].done[st.Step]++
			}
		}
	}
	return g
}

// alphabet is what can happen, with the numbers that fit and some that do not.
func alphabet(s State) []Event {
	floor := Act{By: custody.Person{Role: custody.Floor, ID: "7"}, Auth: custody.AuthPIN}
	both := Act{By: floor.By, Auth: custody.AuthPIN, ApprovedBy: custody.Person{Role: custody.Dealer, ID: "3"}, ApprovedAuth: custody.AuthPIN}
	dealer := Act{By: custody.Person{Role: custody.Dealer, ID: "3"}, Auth: custody.AuthSignedIn}
	other := Act{By: custody.Person{Role: custody.Dealer, ID: "5"}, Auth: custody.AuthPIN}
	said := Act{By: floor.By, Auth: custody.AuthNone} // by somebody who only says so
	var good deckcheck.Tally
	for i := range good.Faces {
		good.Faces[i] = 1
	}
	good.Fed = deckSize
	bad := good
	bad.Faces[10], bad.Faces[11] = 2, 0
	m := s.Machine.Lines
	tray, chamber, empty := m, m, m
	tray.Tray, chamber.Chamber, chamber.Tray = true, true, false
	empty.Chamber, empty.Tray = false, false
	ops := s.Machine.Op
	evs := []Event{
		OpenTable{Act: floor, ActivityCard: "A", Manual: "M", Floor: floor.By, Deputy: custody.Person{Role: custody.Floor, ID: "8"}}, CloseTable{floor}, SignIn{dealer},
		PlaceDeck{Act: floor, Slot: custody.A, Deck: "D1", Back: "red", Reason: "r"}, QuarantineDeck{Act: both, Slot: custody.A, Envelope: "E1", Reason: "r"},
		UseDeck{Act: floor, Slot: s.InPlay.Other(), Reason: "r"}, StartCheck{dealer, custody.A, 0}, ScanEnded{s.Scanner.Op, good}, ScanEnded{s.Scanner.Op, bad},
		AttestDeck{both, custody.A, deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}},
		AttestDeck{dealer, custody.A, deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}},
		ConfirmSeats{dealer, 1, []int{1, 2, 3}}, LevelAnnounced{floor, hand.Level{Number: 1 + uint16(s.Level.Announcement), SmallBlind: 1, BigBlind: 2, Announcement: s.Level.Announcement + 1}},
		ConfirmLevel{floor, s.Level.Number}, BeginShuffle{dealer}, VoidShuffle{Act: floor, Reason: shuffle.StopFloorVoid},
		SetRotation{floor, !s.Rotation.Next, "r"}, SetBreak{floor, !s.Break.On, ""},
		RecordException{floor, "H7", "r"}, RecordException{floor, "D5", "r"},
		UseForDraw{dealer, s.InPlay, custody.ButtonDraw}, UseForDraw{floor, s.InPlay.Other(), custody.ChipRace},
		DealStreet{dealer, s.CardsOf(s.InPlay).Street + 1, false}, DealStreet{dealer, hand.Flop, true}, MoveOddly{Act: dealer, Kind: hand.ExposedCard, Seat: 1},
		MoveOddly{Act: floor, Kind: hand.PrematureBoard}, MoveOddly{Act: floor, Kind: hand.FourCardFlop}, MoveOddly{Act: floor, Kind: hand.BoxedCard, Cards: 1},
		ReshuffleStub{floor, hand.StubOnly, s.CardsOf(s.InPlay).Street, int(s.CardsOf(s.InPlay).Stub), "r", ""}, ReshuffleStub{floor, hand.OrderRestored, hand.Preflop, 30, "r", ""},
		ReshuffleStub{floor, hand.OrderRestored, s.CardsOf(s.InPlay).Street, 0, "r", "why"}, VoidShuffle{Act: dealer, Reason: shuffle.StopTouched}, CountStub{dealer, s.CardsOf(s.InPlay).Street, 36},
		DealBegun{dealer}, EndHand{dealer}, AbandonHand{floor, "r"}, ResumeHand{dealer, Untouched}, ResumeHand{dealer, PackUnsure},
		CallFloor{dealer, "r"}, LiftHold{floor, "r", "b", true}, ProposeHandoff{dealer, other.By}, AcceptHandoff{other, ""}, SettleHandoff{floor, false, "r"},
		SetService{floor, !s.Out, "r"}, PanelLine{ButtonLine, true}, PanelLine{ButtonLine, false}, PanelLine{WashLine, true}, PanelLine{WashLine, false}, PanelLine{StepLine, true}, PanelLine{EStopLine, !s.Panel.EStop}, PanelLine{CoverLine, !s.Panel.Cover},
		DeviceUp{fault.Shuffler, Device{FeedCounter: true, ExitCounter: true}, m}, DeviceDown{fault.Shuffler, Silent}, DeviceUp{Part: fault.Scanner}, DeviceDown{fault.Scanner, Restarted},
		DeviceLines{fault.Shuffler, tray}, DeviceLines{fault.Shuffler, chamber}, DeviceLines{fault.Shuffler, empty},
		OpStarted{fault.Shuffler, ops, 1}, OpDone{Part: fault.Shuffler, Op: ops, Cards: deckSize}, OpDone{Part: fault.Shuffler, Op: ops, Cards: deckSize - 1},
		OpDone{Part: fault.Shuffler, Op: ops + 7, Cards: deckSize}, OpFailed{Part: fault.Shuffler, Op: ops, Code: fault.JamExit}, OpBarred{fault.Shuffler, ops},
		OpFailed{Part: fault.Shuffler, Op: ops, Code: fault.NotEnoughCards, Cards: 51}, LocalMotion{shuffle.Riffle, 1}, OpDone{Part: fault.Scanner, Op: s.Scanner.Op},
		Tick{}, JournalTripped{},
		ChangeFloor{Act: floor, Floor: s.Deputy, Deputy: s.Floor}, CallFloor{said, "r"}, SignIn{Act{By: dealer.By, Auth: custody.AuthPIN}},
	}
	for p := fault.Shuffler; p < fault.Parts; p++ {
		if c := s.Faults[p].First(); c != fault.None {
			evs = append(evs, ClearFault{floor, p, c, ""})
		}
	}
	for _, st := range []shuffle.Step{shuffle.Gather, shuffle.Wash, shuffle.Riffle, shuffle.Cut, shuffle.CutCard} {
		evs = append(evs, DealerStep{Act: dealer, Step: st, Phase: StepPerformed, Cards: deckSize})
	}
	return evs
}

// holdRules are the promises that every turn keeps, whatever happens.
func holdRules(t *testing.T, n node, after State, o Output, ev Event) ghost {
	t.Helper()
	before, g := n.s, n.g
	f := before.Facts
	for _, r := range o.Records {
		g = g.follow(t, f, r)
		f = f.Fold(r)
	}
	if f != after.Facts {
		t.Errorf("facts changed without a record")
	}
	holdNumbers(t, before, after)
	holdLedger(t, before, after)
	holdBreak(t, before, after)
	holdProof(t, before, o, ev)
	g = holdCommands(t, before, after, o, g, ev)
	if p := after.Next(); p.Do == "" || p.Who == "" {
		t.Errorf("no next action")
	}
	holdStub(t, before, o, ev)
	if o.Refusal.Refused() {
		holdRefusal(t, before, after, o)
	}
	return g
}

// holdProof: P6. Where the room wants proof nothing is done for somebody who has
// given none; a sign-in speaks for the dealer on duty and for routine only.
func holdProof(t *testing.T, before State, o Output, ev Event) {
	t.Helper()
	a, asked := ev.(Action)
	if !asked || o.Refusal.Refused() || !before.Settings.Proof {
		return
	}
	act := a.Acting()
	signed := act.Auth == custody.AuthSignedIn && before.Proven && act.By == before.Dealer && routine[a.Name()]
	if act.Auth != custody.AuthPIN && !signed || act.ApprovedBy.Known() && act.ApprovedAuth != custody.AuthPIN {
		t.Errorf("P6: %s is done by %s without proof", a.Name(), act.By)
	}
}

// holdNumbers: H3, H4. Number and tag never change, numbers never return.
func holdNumbers(t *testing.T, before, after State) {
	t.Helper()
	if after.LastHand < before.LastHand || after.LastHand > before.LastHand+1 {
		t.Errorf("H3: last hand went from %d to %d", before.LastHand, after.LastHand)
	}
	b, a := before.Hand, after.Hand
	if b.InPlay() && a.InPlay() && b.Number == a.Number && (b.Tag != a.Tag || b.Trigger != a.Trigger || b.Seats != a.Seats || b.Button != a.Button) {
		t.Errorf("H3, H4, H13: hand %d changed from %+v to %+v", a.Number, b, a)
	}
	if b.InPlay() && a.InPlay() && b.Number != a.Number {
		t.Errorf("hand %d follows %d without an end", a.Number, b.Number)
	}
	if a.Stage == hand.Dealt && b.Stage != hand.Dealt && b.Stage != hand.Ready && b.Stage != hand.Unsure {
		t.Errorf("H5: dealt from stage %s", b.Stage)
	}
}

// holdBreak: H11, S2. On a break no hand begins and no pack lies shuffled but that
// of the hand that is finished; after it every deck owes a wash.
func holdBreak(t *testing.T, before, after State) {
	t.Helper()
	if before.Break.On && after.LastHand != before.LastHand {
		t.Errorf("H11: hand %d begins on a break", after.LastHand)
	}
	for _, slot := range []custody.Slot{custody.A, custody.B} {
		if after.Break.On && after.pass(slot).Live() && after.voidsHand(slot) == 0 {
			t.Errorf("H11: a pack of the deck in %s is shuffled on a break", slot)
		}
		if d := after.deck(slot); before.Break.On && !after.Break.On && after.Open && d.Present() && !d.WashDue.Has(shuffle.WashAfterBreak) {
			t.Errorf("S2: the deck in %s owes no wash after the break", slot)
		}
	}
}

// holdLedger: H10. The cards of every deck sum to 52, a hand in play has its own
// out of the pack, and in a hold nothing is dealt (H12).
func holdLedger(t *testing.T, before, after State) {
	t.Helper()
	for _, slot := range []custody.Slot{custody.A, custody.B} {
		l, n := after.CardsOf(slot), 0
		for a := hand.Stub; a <= hand.Gathered; a++ {
			n += int(l.Count(a))
		}
		if n != deckSize || l.Dealing() && l.Count(hand.Gathered) != 0 {
			t.Errorf("H10: the cards of the deck in %s sum to %d: %+v", slot, n, l)
		}
		if before.Hold && l.Street > before.CardsOf(slot).Street {
			t.Errorf("H12: a board is dealt in a hold: %+v", l)
		}
	}
	if after.Hand.Stage == hand.Dealt && !after.CardsOf(after.InPlay).Dealing() {
		t.Errorf("H10: hand %s, ledger %+v", after.Hand.Stage, after.CardsOf(after.InPlay))
	}
}

// holdStub: H8. Nothing of a stub's pass triggers or starts a hand, nor readies a
// pack, nor moves the machine.
func holdStub(t *testing.T, before State, o Output, ev Event) {
	t.Helper()
	step, byDealer := ev.(DealerStep)
	if _, ruled := ev.(ReshuffleStub); !ruled && !(byDealer && (&turn{s: before}).stubTakes(step.Step)) {
		return
	}
	for _, r := range o.Records {
		switch r.(type) {
		case Triggered, HandStarted, HandReady, ShuffleStarted, ShuffleStep, ShuffleComplete:
			t.Errorf("H8: a stub's pass makes %s", r.Type())
		}
	}
	for _, c := range o.Commands {
		if c.Kind == StepOp {
			t.Errorf("H8: a stub's pass commands %s", c.Kind)
		}
	}
}

// follow holds what a single record may follow from.
func (g ghost) follow(t *testing.T, f Facts, r Record) ghost {
	t.Helper()
	switch r := r.(type) {
	case HandStarted:
		gate := f.gate(r.Slot)
		if r.Trigger == hand.DealerPush {
			gate.HandoffPending = false
		}
		if why := gate.Check(); why != hand.Open {
			t.Errorf("H5: a hand began although %s", why)
		}
		if r.Tag != f.Level {
			t.Errorf("H2: tag %v, in force %v", r.Tag, f.Level)
		}
		if r.Hand != f.LastHand+1 {
			t.Errorf("H3: hand %d after %d", r.Hand, f.LastHand)
		}
		if f.Rotation.On && r.Slot == f.Rotation.Last && g.override != r.Slot && !g.entered {
			t.Errorf("D7: deck %s is dealt twice in a row", r.Slot)
		}
		g.override, g.entered = custody.NoSlot, false
	case ShuffleStarted:
		if !f.deck(r.Slot).Usable() {
			t.Errorf("D5: a locked deck is shuffled: %+v", f.deck(r.Slot))
		}
		if f.cardsOut(r.Slot) || f.Hold || !f.Open {
			t.Errorf("H12, H13, S8: shuffle of %s started with hand %s of %s, hold %v, open %v", r.Slot, f.Hand.Stage, f.InPlay, f.Hold, f.Open)
		}
		if r.Hand != 0 && (r.Hand != f.Hand.Number || r.Slot != f.InPlay) || r.Hand == 0 && f.Hand.InPlay() && r.Slot == f.InPlay {
			t.Errorf("H3: shuffle of %s for hand %d, in play is hand %d with %s", r.Slot, r.Hand, f.Hand.Number, f.InPlay)
		}
		if !r.Wash && f.deck(r.Slot).WashDue != 0 {
			t.Errorf("S2: a wash is due and not asked for")
		}
		g.pass[r.Slot-1] = ghostPass{begun: true, verified: r.ByHand, drawn: g.pass[r.Slot-1].drawn}
	case ShuffleVoid:
		g.pass[r.Slot-1].begun = false
	case ShuffleStep:
		p := &g.pass[r.Slot-1]
		if !p.begun {
			t.Errorf("S3: a step of a pass that is not under way")
		}
		if r.Phase == shuffle.Done {
			p.done[r.Step]++
			p.drawn = p.drawn && r.Step != shuffle.Wash
		}
		if r.Actor == shuffle.Machine {
			p.verified = false
		}
	case PackVerified:
		for i := range g.pass {
			if f.Passes[i].ID == r.Shuffle {
				g.pass[i].verified = true
			}
		}
	case ShuffleComplete:
		p := g.pass[r.Slot-1]
		want := [8]uint8{shuffle.Gather: 1, shuffle.Riffle: 3, shuffle.Strip: 1, shuffle.Square: 1, shuffle.Cut: 1, shuffle.CutCard: 1, shuffle.Wash: p.done[shuffle.Wash]}
		if !p.begun || p.done != want || !p.verified {
			t.Errorf("S1, S3, S6: complete with %v, verified %v", p.done, p.verified)
		}
		if p.drawn {
			t.Errorf("D9: the deck in %s was drawn from, and is ready without a wash", r.Slot)
		}
	case DeckUsedForDraw:
		if f.Hand.InPlay() && r.Slot == f.InPlay || f.Checking == r.Slot || f.pass(r.Slot).Live() {
			t.Errorf("D9: drawn from a deck that is in a hand, a check or a shuffle")
		}
		g.pass[r.Slot-1].drawn = true
	case DeckRemoved:
		g.pass[r.Slot-1] = ghostPass{}
	case DeckQuarantined:
		g.pass[r.Slot-1] = ghostPass{}
	case DeckInPlay:
		g.override = r.Slot
	case RotationSet:
		g.entered = r.On && !f.Rotation.On && f.pass(f.InPlay).Live()
	case HandReady:
		if p := f.pass(f.InPlay); !p.Complete || p.ID != r.Shuffle || f.Hand.Shuffle != r.Shuffle {
			t.Errorf("H5: ready without a complete shuffle of the hand's own deck")
		}
	case ExceptionRecorded:
		if r.Rule != hand.ExceptLevel && r.Rule != hand.ExceptRedeal && r.Rule != hand.ExceptStub {
			t.Errorf("H14: %s is set aside", r.Rule)
		}
	case StubRuled:
		if f.Hand.Stage != hand.Dealt || r.Hand != f.Hand.Number {
			t.Errorf("H8: a stub of hand %d is ruled on in hand %d, %s", r.Hand, f.Hand.Number, f.Hand.Stage)
		}
	case StubStep:
		if !f.stubMixing() || f.Hold || r.Slot != f.InPlay {
			t.Errorf("H8, H12: a stub's step without a stub's pass, or in a hold: %+v", r)
		}
	case StreetDealt:
		if l := f.CardsOf(r.Slot); f.Hold || l.Owed || l.Mixing {
			t.Errorf("H8, H12: %s is dealt in a hold or off a stub that is to be washed: %+v", r.Street, l)
		}
	case DealStarted:
		if f.Handoff.Pending() || f.Hold {
			t.Errorf("P3, H12: dealt in a handoff or hold")
		}
		if g.pass[f.InPlay-1].drawn {
			t.Errorf("D9: dealt from a deck that was drawn from, without a wash")
		}
	}
	return g
}

// holdCommands: stop means stop.
func holdCommands(t *testing.T, before, after State, o Output, g ghost, ev Event) ghost {
	t.Helper()
	g.halted |= o.Halt
	if _, up := ev.(DeviceUp); up { // its own lines tell
		g.halted = 0
	}
	for _, c := range o.Commands {
		if c.Kind == TallyAck {
			continue
		}
		bit := HaltMachine
		if c.Part == fault.Scanner {
			bit = HaltScanner
		}
		if o.Halt.Has(c.Part) && c.Kind != ResetOp {
			t.Errorf("%s is halted and gets %s in one turn", c.Part, c.Kind)
		}
		if after.Faults.Blocked(c.Part) && c.Part != fault.Scanner || after.Faults.Blocked(fault.Journal) {
			t.Errorf("M1: %s gets %s although a fault is latched", c.Part, c.Kind)
		}
		if c.Part == fault.Shuffler && (after.Hold && !onlyRests(after, c) || after.Out || after.Hand.CardsOut() && c.Kind != ResetOp && c.Kind != ReleaseOp && after.machineSlot() == after.InPlay) {
			t.Errorf("H12, S8, M1: shuffler gets %s: hold %v, out %v, hand %s", c.Kind, after.Hold, after.Out, after.Hand.Stage)
		}
		if c.Kind != ResetOp && g.halted&bit != 0 && !after.Machine.Lines.Halted && before.Machine.Lines.Halted == after.Machine.Lines.Halted {
			t.Errorf("%s moves before its reset", c.Part)
		}
		if c.Kind == ResetOp {
			g.halted &^= bit
		}
	}
	return g
}

// onlyRests tells whether a command only moves the resting deck inside the machine.
func onlyRests(s State, c Command) bool {
	return c.Kind == StepOp && c.Step != shuffle.Gather && s.Machine.Lines.Chamber && s.Hand.InPlay() && s.machineSlot() != s.InPlay
}

// holdRefusal: what was refused changed nothing but the count of records; a
// break of the sequence and a wrong count are facts all the same.
func holdRefusal(t *testing.T, before, after State, o Output) {
	t.Helper()
	switch o.Refusal.Code {
	case NotYourStep, CountIsWrong, NotNow, StubCountWrong:
		return
	}
	a := after.Facts
	a.N = before.N
	if a != before.Facts || o.Halt != 0 {
		t.Errorf("refused with %s and changed something all the same", o.Refusal.Code)
	}
	if _, ok := o.Records[0].(RequestRefused); !ok {
		t.Errorf("a refusal without its record")
	}
}
