package report

import (
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

const testTable = "1"

// evening plays events into the core of one table and keeps what it records.
// Everything takes two seconds.
type evening struct {
	t    testing.TB
	j    *journal.Memory
	s    table.State
	at   table.At
	last table.Output
}

func newEvening(t testing.TB) *evening {
	e := &evening{t: t, j: journal.NewMemory(), at: table.At{Mono: time.Hour, Wall: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}}
	e.s.Settings = table.DefaultSettings()
	return e
}

// do applies events, two seconds apart.
func (e *evening) do(events ...table.Event) {
	e.t.Helper()
	for _, ev := range events {
		e.pass(2 * time.Second)
		n := e.s.N
		e.s, e.last = e.s.Apply(e.at, ev)
		var entries []journal.Entry
		for _, r := range e.last.Records {
			typ, payload, err := table.Encode(r)
			if err != nil {
				e.t.Fatal(err)
			}
			n++
			entries = append(entries, journal.Entry{Stream: testTable, N: n, Wall: e.at.Wall.UnixMilli(), Type: typ, Version: table.RecordVersion, Payload: payload})
		}
		if _, err := e.j.Append(entries); err != nil {
			e.t.Fatal(err)
		}
	}
}

// must is do for events that nothing may refuse.
func (e *evening) must(events ...table.Event) {
	e.t.Helper()
	for _, ev := range events {
		e.do(ev)
		if e.last.Refusal.Refused() {
			e.t.Fatalf("%T: refused: %v", ev, e.last.Refusal)
		}
	}
}

func (e *evening) pass(d time.Duration) {
	e.at.Mono += d
	e.at.Wall = e.at.Wall.Add(d)
}

func (e *evening) tick() uint32 { return uint32(e.at.Mono.Milliseconds()) }

// act is a person acting, "floor:7" or "floor:7+dealer:3".
func act(by string, approved ...string) table.Act {
	a := table.Act{By: person(by), Auth: "none"}
	for _, p := range approved {
		a.ApprovedBy = person(p)
	}
	return a
}

func person(s string) custody.Person {
	p, err := custody.ParsePerson(s)
	if err != nil {
		panic(err)
	}
	return p
}

func device(role string) table.Device {
	return table.Device{Maker: "OpenTable", Model: "T-" + role, Serial: "S1", Firmware: "1.4", Role: role, Boot: 1, FeedCounter: true, ExitCounter: true}
}

// open is an opening up to both devices and decks in their slots.
func (e *evening) open() {
	e.must(table.Booted{Version: "0.1.0", BootID: "b1", Run: 1},
		table.Configured{Settings: withTimeout(e.s.Settings)},
		table.DeviceUp{Part: fault.Shuffler, Device: device("shuffler")}, table.DeviceUp{Part: fault.Scanner, Device: device("scanner")},
		table.OpenTable{Act: act("floor:7"), ActivityCard: "AC-12", Manual: "V0.2", Floor: person("floor:7"), Deputy: person("floor:9")},
		table.SignIn{Act: act("dealer:3")},
		table.PlaceDeck{Act: act("floor:7"), Slot: custody.A, Deck: "D-101", Back: "red", New: true},
		table.PlaceDeck{Act: act("floor:7"), Slot: custody.B, Deck: "D-102", Back: "blue"})
}

func withTimeout(s table.Settings) table.Settings {
	s.StepTimeout = 2 * time.Minute
	return s
}

// fullTally is a pack with each card once.
func fullTally() deckcheck.Tally {
	t := deckcheck.Tally{Fed: deckcheck.DeckSize}
	for i := range t.Faces {
		t.Faces[i] = 1
	}
	return t
}

func (e *evening) check(slot custody.Slot, tally deckcheck.Tally) {
	e.must(table.StartCheck{Act: act("dealer:3"), Slot: slot})
	op := e.s.Scanner.Op
	e.must(table.OpStarted{Part: fault.Scanner, Op: op, Tick: e.tick()}, table.OpMoved{Part: fault.Scanner, Op: op, Cards: 30}, table.ScanEnded{Op: op, Tally: tally})
}

func (e *evening) attest(slot custody.Slot) {
	e.must(table.AttestDeck{Act: act("dealer:3"), Slot: slot, Attestation: deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}})
}

func (e *evening) level(announcement uint64, number uint16, sb, bb, bba uint32) {
	e.must(table.LevelAnnounced{Act: act("floor:7"), Level: hand.Level{Announcement: announcement, Number: number, SmallBlind: sb, BigBlind: bb, BigBlindAnte: bba}})
}

func (e *evening) seats(dealer string, button int) {
	e.must(table.ConfirmSeats{Act: act(dealer), Button: button, Seats: []int{1, 2, 4, 5, 6, 8}})
}

// feed puts the pack into the machine's tray.
func (e *evening) feed() { e.lines(func(l *table.Lines) { l.Tray = true }) }

func (e *evening) lines(change func(*table.Lines)) {
	l := e.s.Machine.Lines
	change(&l)
	e.do(table.DeviceLines{Part: fault.Shuffler, Lines: l})
}

// machine runs the machine's orders until it waits for a person, or until the
// start of a step that until names.
func (e *evening) machine(until shuffle.Step) {
	e.t.Helper()
	for e.s.Machine.Busy() {
		l := e.s.Machine
		if l.Kind == table.ResetOp {
			e.do(table.OpDone{Part: fault.Shuffler, Op: l.Op, Tick: e.tick()})
			continue
		}
		if (l.Kind == table.LoadOp || l.Step == shuffle.Gather) && !l.Lines.Tray {
			return // waits for the pack
		}
		e.do(table.OpStarted{Part: fault.Shuffler, Op: l.Op, Tick: e.tick()})
		if l.Step == until && until != shuffle.NoStep {
			return
		}
		e.finish()
	}
}

// finish ends the machine's operation under way.
func (e *evening) finish() {
	l := e.s.Machine
	switch {
	case l.Kind == table.LoadOp || l.Step == shuffle.Gather:
		e.lines(func(l *table.Lines) { l.Tray, l.Chamber = false, true })
	case l.Kind == table.ReleaseOp:
		e.lines(func(l *table.Lines) { l.Chamber = false })
	}
	done := table.OpDone{Part: fault.Shuffler, Op: l.Op, Tick: e.tick() + 1500}
	if l.Kind != table.StepOp || l.Step == shuffle.Gather {
		done.Cards = deckcheck.DeckSize
	}
	e.do(done)
}

func (e *evening) step(dealer string, steps ...shuffle.Step) {
	e.t.Helper()
	for _, s := range steps {
		e.must(table.DealerStep{Act: act(dealer), Step: s, Phase: table.StepPerformed, Cards: cardsOf(s)})
	}
}

func cardsOf(s shuffle.Step) uint16 {
	if s == shuffle.Gather {
		return deckcheck.DeckSize
	}
	return 0
}

// wash takes the pack out for a wash and feeds it again, where one is due.
func (e *evening) wash(dealer string) {
	e.machine(shuffle.NoStep)
	e.must(table.DealerStep{Act: act(dealer), Step: shuffle.Wash, Phase: table.StepStarted})
	e.pass(10 * time.Second)
	e.must(table.DealerStep{Act: act(dealer), Step: shuffle.Wash, Phase: table.StepDone})
	e.feed()
}

// cut ends a shuffle.
func (e *evening) cut(dealer string) { e.step(dealer, shuffle.Cut, shuffle.CutCard) }

// play deals a hand and pushes its pots.
func (e *evening) play(dealer string) {
	e.must(table.DealBegun{Act: act(dealer)})
	e.pass(20 * time.Second)
	e.must(table.ReportSA{Act: act(dealer)})
	e.pass(time.Minute)
	e.must(table.EndHand{Act: act(dealer)})
}

// ready is an opened table with two good decks and a level.
func (e *evening) ready() {
	e.open()
	e.check(custody.A, fullTally())
	e.attest(custody.A)
	e.must(table.AttestDeck{Act: act("floor:7"), Slot: custody.A})
	lost := fullTally()
	lost.Stop = deckcheck.UnreadLostFrame
	lost.Fed = 31
	e.check(custody.B, lost)
	e.check(custody.B, fullTally())
	e.attest(custody.B)
	e.level(1, 1, 100, 200, 200)
}

// firstHand is washed; a level is announced after its first riffle.
func (e *evening) firstHand() {
	e.seats("dealer:3", 4)
	e.feed()
	e.wash("dealer:3")
	e.machine(shuffle.Riffle)
	e.level(2, 2, 200, 400, 400)
	e.finish()
	e.machine(shuffle.NoStep)
	e.cut("dealer:3")
	e.play("dealer:3")
}

// troubledHand: a jam after the first riffle, a wrong step in the pass that
// follows, and a floor call while it is played.
func (e *evening) troubledHand() {
	e.seats("dealer:3", 5)
	e.feed()
	e.machine(shuffle.Strip)
	e.do(table.OpFailed{Part: fault.Shuffler, Op: e.s.Machine.Op, Code: fault.JamEntry, Tick: e.tick()})
	e.do(table.ClearFault{Act: act("dealer:3"), Part: fault.Shuffler, Code: fault.JamEntry})
	e.must(table.ClearFault{Act: act("floor:7"), Part: fault.Shuffler, Code: fault.JamEntry, Note: "bent card taken out"})
	e.machine(shuffle.NoStep)
	e.feed()
	e.machine(shuffle.NoStep)
	e.do(table.DealerStep{Act: act("dealer:3"), Step: shuffle.Cut, Phase: table.StepPerformed})
	e.feed()
	e.wash("dealer:3")
	e.machine(shuffle.NoStep)
	e.cut("dealer:3")
	e.must(table.DealBegun{Act: act("dealer:3")})
	e.must(table.CallFloor{Act: act("dealer:3"), Reason: "seat 4 says that a card was exposed"})
	e.pass(3 * time.Minute)
	e.must(table.LiftHold{Act: act("floor:7"), Ruling: "no card was exposed, play on", Basis: "F0 13", ReadBack: true})
	e.must(table.EndHand{Act: act("dealer:3")})
}

// handoffs: one refused and settled, one accepted with the journal's head.
func (e *evening) handoffs() {
	e.must(table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")})
	e.must(table.RefuseHandoff{Act: act("dealer:5"), Reason: "deck B not seen"})
	e.must(table.SettleHandoff{Act: act("floor:7"), Reason: "look at deck B first"})
	e.must(table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")})
	head, err := e.j.Head()
	if err != nil {
		e.t.Fatal(err)
	}
	e.must(table.AcceptHandoff{Act: act("dealer:5"), Head: head.String()})
}

// handByHand: the shuffler is out of service; the hand is abandoned, and the next
// one is ready when the controller restarts, after midnight.
func (e *evening) handByHand() {
	e.must(table.SetService{Act: act("floor:7"), Out: true, Reason: "motor noise"})
	e.seats("dealer:5", 6)
	e.byHand()
	e.must(table.AbandonHand{Act: act("floor:7"), Reason: "break called"})
	e.pass(4 * time.Hour)
	e.seats("dealer:5", 6)
	e.byHand()
	e.s = table.Restart(e.s.Facts)
	e.must(table.Booted{Version: "0.1.0", BootID: "b2", Run: 2})
	e.must(table.ResumeHand{Act: act("dealer:5"), Said: table.Untouched})
	e.must(table.ProposeHandoff{Act: act("dealer:5", "floor:7"), To: person("dealer:3")})
}

func (e *evening) byHand() {
	e.must(table.BeginShuffle{Act: act("dealer:5")})
	e.step("dealer:5", shuffle.Gather)
	if e.s.DeckIn(custody.A).WashDue != 0 {
		e.step("dealer:5", shuffle.Wash)
	}
	e.step("dealer:5", shuffle.Riffle, shuffle.Riffle, shuffle.Strip, shuffle.Riffle, shuffle.Square, shuffle.Cut, shuffle.CutCard)
}

// wholeEvening is the evening of the golden files.
func wholeEvening(t testing.TB) *evening {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	e.troubledHand()
	e.handoffs()
	e.handByHand()
	return e
}

// badDeck is the public case: a second J♦ and no Q♦, found twice.
func badDeck(t testing.TB) *evening {
	e := newEvening(t)
	e.open()
	bad := fullTally()
	bad.Faces[deckcheck.NewCard(deckcheck.Jack, deckcheck.Diamonds)] = 2
	bad.Faces[deckcheck.NewCard(deckcheck.Queen, deckcheck.Diamonds)] = 0
	e.check(custody.A, bad)
	e.check(custody.A, bad)
	return e
}
