package table

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// TestSessions plays the scripts of testdata: event lines, "----", and all that
// comes out of them. They read like an evening at the table. Lines that begin
// with # are for the reader. `go test -run Sessions -update` rewrites them.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("scripts: %d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(text) {
				t.Errorf("%s differs; look at it with -update and git diff\n%s", file, firstDifference(string(text), got))
			}
		})
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range g {
		if i >= len(w) || w[i] != g[i] {
			old := ""
			if i < len(w) {
				old = w[i]
			}
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, old, g[i])
		}
	}
	return "the output ends early"
}

// session is one script under way.
type session struct {
	s      State
	at     At
	lines  map[fault.Part]Lines
	device map[fault.Part]Device
}

func newSession() *session {
	dev := func(role string) Device {
		return Device{Maker: "ACME", Model: role, Serial: "S1", Firmware: "1.0", Role: role, Boot: 1, FeedCounter: true, ExitCounter: true}
	}
	ss := &session{
		at: At{Mono: time.Hour, Wall: time.Date(2026, 12, 1, 20, 0, 0, 0, time.UTC)}, lines: map[fault.Part]Lines{},
		device: map[fault.Part]Device{fault.Shuffler: dev("shuffler"), fault.Scanner: dev("scanner")},
	}
	ss.s.Settings = DefaultSettings()
	return ss
}

// play runs a script: blocks of event lines, each closed by "----" and followed
// by its output up to an empty line.
func play(t *testing.T, text string) string {
	ss := newSession()
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n\n") {
		head, _, _ := strings.Cut(block, "\n----")
		out.WriteString(head)
		var effects strings.Builder
		events := 0
		for line := range strings.SplitSeq(head, "\n") {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			events++
			if name, ok := strings.CutPrefix(line, "@"); ok {
				ss.quietly(t, name)
				continue
			}
			ss.line(t, line, &effects)
		}
		if events > 0 {
			out.WriteString("\n----\n" + effects.String())
			fmt.Fprintf(&out, "next: %s\n", promptText(ss.s.Next()))
		} else {
			out.WriteString("\n")
		}
		out.WriteString("\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// quietly plays the events of another script, so that a script can begin where
// that one ends.
func (ss *session) quietly(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		head, _, _ := strings.Cut(block, "\n----")
		for line := range strings.SplitSeq(head, "\n") {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if next, ok := strings.CutPrefix(line, "@"); ok {
				ss.quietly(t, next)
				continue
			}
			ss.line(t, line, &strings.Builder{})
		}
	}
}

func promptText(p Prompt) string {
	return strings.Join(strings.Fields(fmt.Sprint(p.Who, ": ", p.Do, " ", p.Slot, " ", p.Step, " ", p.Arg)), " ")
}

func (ss *session) line(t *testing.T, line string, out *strings.Builder) {
	t.Helper()
	ev, err := ss.parse(line)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if ev == nil {
		return
	}
	before := ss.s
	var o Output
	ss.s, o = ss.s.Apply(ss.at, ev)
	checkTurn(t, before, ss.s, o)
	for _, p := range []fault.Part{fault.Shuffler, fault.Scanner} {
		if o.Halt.Has(p) {
			fmt.Fprintf(out, "HALT %s\n", p)
		}
	}
	for _, r := range o.Records {
		typ, payload, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(out, "%s %s\n", typ, payload)
	}
	for _, c := range o.Commands {
		fmt.Fprintf(out, "-> %s op %d %s", c.Part, c.Op, c.Kind)
		if c.Kind == StepOp {
			fmt.Fprintf(out, " %s index %d", c.Step, c.Index)
		}
		if c.Expect != 0 {
			fmt.Fprintf(out, " expect %d", c.Expect)
		}
		out.WriteString("\n")
	}
	if o.Refusal.Refused() {
		fmt.Fprintf(out, "refused: %s\n", strings.TrimSpace(string(o.Refusal.Code)+" "+o.Refusal.Arg))
	}
}

// checkTurn holds every turn of every script to what is always true.
func checkTurn(t *testing.T, before, after State, o Output) {
	t.Helper()
	f := before.Facts
	keys := 0
	for _, r := range o.Records {
		typ, payload, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(typ, RecordVersion, payload)
		if err != nil {
			t.Fatalf("record %s does not read back: %v\n%s", typ, err, payload)
		}
		_, again, _ := Encode(back)
		if !bytes.Equal(payload, again) {
			t.Fatalf("record %s changes when read back:\n%s\n%s", typ, payload, again)
		}
		f = f.Fold(back)
		if strings.Contains(string(payload), `"key":`) {
			keys++
		}
	}
	if f != after.Facts {
		t.Fatalf("folding the stored records does not give the facts\nwant %+v\ngot  %+v", after.Facts, f)
	}
	holdCheckpoint(t, after.Facts)
	if keys > 1 {
		t.Fatal("an idempotency key stands in two records of one turn")
	}
	if p := after.Next(); p.Do == "" || p.Who == "" {
		t.Fatalf("no next action in %+v", after)
	}
}

// holdCheckpoint wants a checkpoint to carry every fact, by names and not by
// numbers that a later version may change.
func holdCheckpoint(t *testing.T, f Facts) {
	t.Helper()
	typ, payload, err := Encode(Checkpoint{Facts: f})
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(typ, RecordVersion, payload)
	if err != nil {
		t.Fatalf("checkpoint: %v\n%s", err, payload)
	}
	if got := (Facts{N: f.N}).Fold(back); got.N != f.N+1 {
		t.Fatalf("a checkpoint counts as %d records", got.N-f.N)
	} else if got.N = f.N; got != f {
		t.Fatalf("a checkpoint loses facts\nwant %+v\ngot  %+v", f, got)
	}
}

func (ss *session) parse(line string) (Event, error) {
	w := strings.Fields(line)
	if w[0][0] == '+' {
		d, err := time.ParseDuration(w[0][1:])
		if err != nil {
			return nil, err
		}
		ss.at.Mono += d
		ss.at.Wall = ss.at.Wall.Add(d)
		return Tick{}, nil
	}
	switch w[0] {
	case "level":
		n, err := numbers(w[1:])
		if err != nil || len(n) < 4 {
			return nil, fmt.Errorf("want: level announcement number sb bb [bba]: %w", err)
		}
		l := hand.Level{Announcement: uint64(n[0]), Number: uint16(n[1]), SmallBlind: uint32(n[2]), BigBlind: uint32(n[3])}
		if len(n) > 4 {
			l.BigBlindAnte = uint32(n[4])
		}
		return LevelAnnounced{Act: Act{By: custody.Person{Role: custody.Floor, ID: "7"}, Auth: "none"}, Level: l}, nil
	case "boot":
		ss.s = Restart(ss.s.Facts)
		ss.lines = map[fault.Part]Lines{}
		return Booted{Version: "test", BootID: "b2", Run: ss.s.Run + 1}, nil
	case "set":
		return ss.set(w[1:])
	case "stop":
		return Stopped{}, nil
	case "clock":
		n, err := numbers(w[1:])
		return ClockStepped{MS: int64(n[0])}, err
	case "journal":
		ss.s = ss.s.Restore(ss.s.Facts)
		return JournalTripped{}, nil
	case "panel":
		return PanelLine{Line: Line(w[1]), Active: w[2] == "on"}, nil
	case "shuffler", "scanner":
		return ss.device_(w[0], w[1:])
	}
	return ss.person(w)
}

func parseStep(name string) (s shuffle.Step, err error) {
	err = s.UnmarshalText([]byte(name))
	return s, err
}

func numbers(w []string) (l []int, err error) {
	for _, s := range w {
		n, e := strconv.Atoi(s)
		if e != nil {
			err = e
		}
		l = append(l, n)
	}
	return l, err
}

func (ss *session) set(w []string) (Event, error) {
	s := ss.s.Settings
	switch w[0] {
	case "triggers", "triggers_rotating", "triggers_by_hand":
		set := map[string]*hand.Triggers{"triggers": &s.Triggers, "triggers_rotating": &s.TriggersRotating, "triggers_by_hand": &s.TriggersByHand}[w[0]]
		*set = 0
		for _, n := range w[1:] {
			tr, err := hand.ParseTrigger(n)
			if err != nil {
				return nil, err
			}
			*set = set.With(tr)
		}
	case "rotation":
		s.Rotation = w[1] == "on"
	case "recheck":
		n, _ := strconv.Atoi(w[1])
		s.RecheckHands = uint16(n)
	case "recheck_after":
		d, err := time.ParseDuration(w[1])
		if err != nil {
			return nil, err
		}
		s.RecheckAfter = d
	case "procedure":
		p, err := shuffle.Parse("test-2", w[1:])
		if err != nil {
			return nil, err
		}
		s.Procedure = p
	case "check_after_draw":
		s.CheckAfterDraw = true
	case "no_seats":
		s.ConfirmSeats = false
	case "proof":
		s.Proof = w[1] == "on"
	default:
		return nil, fmt.Errorf("unknown setting %q", w[0])
	}
	return Configured{s}, nil
}

func (ss *session) device_(name string, w []string) (Event, error) {
	part, err := fault.ParsePart(name)
	if err != nil {
		return nil, err
	}
	lane := ss.s.Machine
	if part == fault.Scanner {
		lane = ss.s.Scanner
	}
	tick := uint32(ss.at.Mono.Milliseconds() % 1e6)
	num := func(prefix string, def int) int {
		for _, a := range w[1:] {
			if v, ok := strings.CutPrefix(a, prefix+"="); ok {
				n, e := strconv.Atoi(v)
				if e != nil {
					err = e
				}
				return n
			}
		}
		return def
	}
	op := uint32(num("op", int(lane.Op)))
	switch w[0] {
	case "up":
		return DeviceUp{Part: part, Device: ss.device[part], Lines: ss.lines[part]}, err
	case "down":
		return DeviceDown{Part: part, Reason: DownReason(w[1])}, err
	case "tray+", "tray-", "chamber+", "chamber-", "cover+", "cover-", "estop+", "estop-", "sort+", "sort-":
		l := lane.Lines
		on := strings.HasSuffix(w[0], "+")
		field := map[string]*bool{"tray": &l.Tray, "chamber": &l.Chamber, "cover": &l.Cover, "estop": &l.EStop, "sort": &l.SortMode}
		*field[strings.TrimRight(w[0], "+-")] = on
		ss.lines[part] = l
		return DeviceLines{part, l}, err
	case "started":
		return OpStarted{part, op, tick}, err
	case "moved":
		return OpMoved{part, op, uint16(num("cards", 0))}, err
	case "done":
		e := OpDone{Part: part, Op: op, Tick: tick, Cards: uint16(num("cards", 0))}
		for _, a := range w[1:] {
			if a == "cut_refused" {
				e.Cut = shuffle.CutRefused
			}
			if a == "cut_passed" {
				e.Cut = shuffle.CutPassed
			}
		}
		return e, err
	case "failed":
		c, e := fault.ParseCode(w[1])
		return OpFailed{Part: part, Op: op, Code: c, Cards: uint16(num("cards", 0)), Tick: tick}, e
	case "barred":
		return OpBarred{part, op}, err
	case "fault":
		c, e := fault.ParseCode(w[1])
		return DeviceFault{part, c, tick}, e
	case "moves":
		step, e := parseStep(w[1])
		return LocalMotion{step, tick}, e
	case "tally":
		tally, e := tallyOf(w[1:])
		return ScanEnded{op, tally}, e
	}
	return nil, fmt.Errorf("unknown report %q", w[0])
}

// tallyOf makes a tally of words: good, -QD (missing), +JD (twice), jokers=1,
// fed=51, stop=lost_frame …
func tallyOf(w []string) (deckcheck.Tally, error) {
	var t deckcheck.Tally
	for i := range t.Faces {
		t.Faces[i] = 1
	}
	fed := -1
	for _, s := range w {
		name, value, _ := strings.Cut(s, "=")
		n, _ := strconv.Atoi(value)
		switch {
		case s == "good":
		case s[0] == '-' || s[0] == '+':
			c, err := deckcheck.ParseCard(s[1:])
			if err != nil {
				return t, err
			}
			if s[0] == '+' {
				t.Faces[c]++
			} else {
				t.Faces[c]--
			}
		case name == "jokers":
			t.Jokers = uint16(n)
		case name == "backs":
			t.Backs = uint16(n)
		case name == "boxed":
			t.Boxed = uint16(n)
		case name == "unreadable":
			t.Unreadable = uint16(n)
		case name == "fed":
			fed = n
		case name == "attested":
			t.FedAttested = true
		case name == "stop":
			if err := t.Stop.UnmarshalText([]byte(value)); err != nil {
				return t, err
			}
		default:
			return t, fmt.Errorf("unknown word %q", s)
		}
	}
	t.Fed = uint16(t.Reads())
	if fed >= 0 {
		t.Fed = uint16(fed)
	}
	return t, nil
}

// actOf reads "floor:7[+dealer:2]"; a # behind a person is a right PIN. Without
// it, where the room wants proof, a person says to have signed in.
func (ss *session) actOf(w string) (act Act, err error) {
	who, second, _ := strings.Cut(w, "+")
	who, pin := strings.CutSuffix(who, "#")
	second, pin2 := strings.CutSuffix(second, "#")
	act.Auth = custody.AuthNone
	switch {
	case pin:
		act.Auth = custody.AuthPIN
	case ss.s.Settings.Proof:
		act.Auth = custody.AuthSignedIn
	}
	if pin2 {
		act.ApprovedAuth = custody.AuthPIN
	}
	if act.By, err = custody.ParsePerson(who); err != nil {
		return act, err
	}
	act.ApprovedBy, err = custody.ParsePerson(second)
	return act, err
}

// person reads "floor:7[+dealer:2] action args…".
func (ss *session) person(w []string) (Event, error) {
	act, err := ss.actOf(w[0])
	if err != nil {
		return nil, err
	}
	by := act.By
	arg := func(i int) string {
		if len(w) > i+2 {
			return w[i+2]
		}
		return ""
	}
	rest := func(i int) string {
		if len(w) > i+2 {
			return strings.Join(w[i+2:], " ")
		}
		return ""
	}
	slot, _ := custody.ParseSlot(arg(0))
	switch w[1] {
	case "open":
		return OpenTable{Act: act, ActivityCard: "AC-12", Manual: "V0.2", Floor: by, Deputy: custody.Person{Role: custody.Floor, ID: "9"}}, nil
	case "duty": // the floor, then the deputy; - for who stays
		floor, err := custody.ParsePerson(strings.TrimPrefix(arg(0), "-"))
		deputy, err2 := custody.ParsePerson(strings.TrimPrefix(arg(1), "-"))
		return ChangeFloor{act, floor, deputy, rest(2)}, errors.Join(err, err2)
	case "close":
		return CloseTable{act}, nil
	case "sign_in":
		return SignIn{act}, nil
	case "place":
		return PlaceDeck{Act: act, Slot: slot, Deck: arg(1), Back: arg(2), New: arg(3) == "new", Reason: "evening"}, nil
	case "place_barred":
		return PlaceDeck{Act: act, Slot: slot, Deck: arg(1), Back: arg(2), Registry: "deck_quarantined"}, nil
	case "remove":
		cause, note := causeOf(arg(1), rest(1), rest(2))
		return RemoveDeck{act, slot, cause, note}, nil
	case "use":
		cause, note := causeOf(arg(1), rest(1), rest(2))
		return UseDeck{act, slot, cause, note}, nil
	case "quarantine":
		cause, err := custody.ParseSentAway(arg(2))
		note := rest(3)
		if cause == custody.NotSentAway {
			note = "confirmed"
		}
		return QuarantineDeck{Act: act, Slot: slot, Envelope: arg(1), Cause: cause, Reason: note}, err
	case "check":
		n, _ := strconv.Atoi(arg(1))
		return StartCheck{act, slot, uint16(n)}, nil
	case "attest":
		return AttestDeck{Act: act, Slot: slot, Attestation: deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: arg(1) != "no_button", Timer: true}}, nil
	case "seats":
		n, err := numbers(w[2:])
		return ConfirmSeats{act, n[0], n[1:]}, err
	case "level_is":
		n, err := strconv.Atoi(arg(0))
		return ConfirmLevel{act, uint16(n)}, err
	case "draws":
		kind, err := custody.ParseDrawKind(arg(1))
		return UseForDraw{act, slot, kind}, err
	case "ask_wash":
		return RequestWash{act, rest(0)}, nil
	case "shuffle":
		return BeginShuffle{act}, nil
	case "starts", "finishes", "performs":
		phase := map[string]StepPhase{"starts": StepStarted, "finishes": StepDone, "performs": StepPerformed}[w[1]]
		step, err := parseStep(arg(0))
		n, _ := strconv.Atoi(arg(1))
		return DealerStep{Act: act, Step: step, Phase: phase, Cards: uint16(n)}, err
	case "void":
		var why shuffle.StopReason
		err := why.UnmarshalText([]byte(arg(0)))
		slot, _ := custody.ParseSlot(arg(1))
		return VoidShuffle{act, slot, why}, err
	case "rotation":
		return SetRotation{act, arg(0) == "on", rest(1)}, nil
	case "break": // begins | ends [why]
		return SetBreak{act, arg(0) == "begins", rest(1)}, nil
	case "deals":
		return DealBegun{act}, nil
	case "board": // flop [no_burn]
		street, err := hand.ParseStreet(arg(0))
		return DealStreet{act, street, arg(1) == "no_burn"}, err
	case "moves": // kind [seat=4] [cards=2] [acted] [from=board] [to=stub] [why=…]
		return movesOddly(act, arg(0), w[min(3, len(w)):])
	case "stub": // restored|stub_only|rebuilt street cards why [because: exception]
		why, exception, _ := strings.Cut(rest(3), " because: ")
		outcome, err := hand.ParseStubOutcome(arg(0))
		street, err2 := hand.ParseStreet(arg(1))
		n, err3 := strconv.Atoi(arg(2))
		return ReshuffleStub{act, outcome, street, n, why, exception}, errors.Join(err, err2, err3)
	case "counts": // street cards
		street, err := hand.ParseStreet(arg(0))
		n, err2 := strconv.Atoi(arg(1))
		return CountStub{act, street, n}, errors.Join(err, err2)
	case "sa":
		return ReportSA{act}, nil
	case "ends":
		return EndHand{act}, nil
	case "abandons":
		return AbandonHand{act, rest(0)}, nil
	case "says":
		return ResumeHand{act, PackSaid(arg(0))}, nil
	case "excepts":
		return RecordException{act, arg(0), rest(1)}, nil
	case "calls_floor":
		return CallFloor{act, rest(0)}, nil
	case "rules":
		return LiftHold{Act: act, Ruling: rest(0), Basis: "H12", ReadBack: true}, nil
	case "hands_to":
		to, err := custody.ParsePerson(arg(0))
		return ProposeHandoff{act, to}, err
	case "accepts":
		return AcceptHandoff{act, arg(0)}, nil
	case "declines":
		return RefuseHandoff{act, rest(0)}, nil
	case "settles":
		return SettleHandoff{act, arg(0) == "complete", rest(1)}, nil
	case "clears":
		part, err := fault.ParsePart(arg(0))
		if err != nil {
			return nil, err
		}
		code, err := fault.ParseCode(arg(1))
		return ClearFault{act, part, code, rest(2)}, err
	case "service":
		return SetService{act, arg(0) == "out", rest(1)}, nil
	}
	return nil, fmt.Errorf("unknown deed %q", w[1])
}

func movesOddly(act Act, kind string, args []string) (Event, error) {
	e := MoveOddly{Act: act}
	var err error
	e.Kind, err = hand.ParseOddMove(kind)
	for _, a := range args {
		var e2 error
		switch name, value, _ := strings.Cut(a, "="); name {
		case "seat":
			e.Seat, e2 = strconv.Atoi(value)
		case "cards":
			e.Cards, e2 = strconv.Atoi(value)
		case "acted":
			e.Acted = true
		case "from":
			e.From, e2 = hand.ParseArea(value)
		case "to":
			e.To, e2 = hand.ParseArea(value)
		case "why":
			e.Reason = value
		default:
			e2 = fmt.Errorf("unknown word %q", a)
		}
		err = errors.Join(err, e2)
	}
	return e, err
}

// causeOf reads a cause and a note, or a note alone.
func causeOf(word, all, rest string) (custody.Cause, string) {
	if c, err := custody.ParseCause(word); err == nil {
		return c, rest
	}
	return custody.NoCause, all
}
