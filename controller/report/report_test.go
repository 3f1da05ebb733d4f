package report

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
)

// scanned folds lines of a scanner, in the order in which they came.
func scanned(lines []deckcheck.Read, stop deckcheck.UnreadReason) deckcheck.Tally {
	s := deckcheck.NewScan(true)
	for i, r := range lines {
		s.Read(uint32(i+1), r)
	}
	if stop != deckcheck.NotStopped {
		return s.Abort(stop)
	}
	return s.End(uint16(len(lines)), false)
}

// lines is a pack with a second J♦, no Q♦, a joker and a boxed card.
func lines() (list []deckcheck.Read) {
	for c := deckcheck.Card(0); c.Valid(); c++ {
		switch c {
		case deckcheck.NewCard(deckcheck.Queen, deckcheck.Diamonds):
			c := deckcheck.NewCard(deckcheck.Jack, deckcheck.Diamonds)
			list = append(list, deckcheck.Face(c))
		case deckcheck.NewCard(deckcheck.Ace, deckcheck.Clubs):
			list = append(list, deckcheck.Boxed)
		default:
			list = append(list, deckcheck.Face(c))
		}
	}
	return append(list, deckcheck.Joker)
}

// readDecks checks deck A from lines that ran to their end, deck B from half of
// them.
func readDecks(t *testing.T, list []deckcheck.Read) map[string][]byte {
	e := newEvening(t)
	e.open()
	e.check(custody.A, scanned(list, deckcheck.NotStopped))
	e.check(custody.B, scanned(list[:30], deckcheck.UnreadCoverOpen))
	e.must(table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")})
	out := map[string][]byte{}
	for _, l := range Languages() {
		o := Options{Lang: l}
		bad, err := Receipt(e.j, testTable, 1)
		if err != nil {
			t.Fatal(err)
		}
		unread, err := Receipt(e.j, testTable, 2)
		if err != nil {
			t.Fatal(err)
		}
		handoff, err := Handoff(e.j, testTable, HandoffQuery{})
		if err != nil {
			t.Fatal(err)
		}
		log, err := HandLog(e.j, testTable, HandQuery{})
		if err != nil {
			t.Fatal(err)
		}
		summary, err := Summary(e.j, testTable, SummaryQuery{Floor: true})
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]Report{"bad": bad, "unread": unread, "handoff": handoff, "log": log, "summary": summary} {
			for _, f := range Forms() {
				key := name + string(l) + string(f)
				if f == TextForm {
					key = name + string(l)
				}
				if out[key], err = Render(r, f, o); err != nil {
					t.Fatal(err)
				}
			}
		}
		out["narration"+string(l)] = narration(t, e, l)
	}
	return out
}

func TestX1_ReportsDoNotDependOnTheOrderOfCards(t *testing.T) {
	list := lines()
	want := readDecks(t, list)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for name, got := range readDecks(t, list) {
			if !bytes.Equal(got, want[name]) {
				t.Fatalf("%s changes with the order of the cards:\n%s\n%s", name, want[name], got)
			}
		}
	}
}

func TestD10_AnUnreadDeckHasNoCardsInReports(t *testing.T) {
	out := readDecks(t, lines())
	if !bytes.Contains(out["baden"], []byte("missing Q♦ A♣, duplicate J♦, 1 joker, 1 boxed card")) {
		t.Errorf("the finding is not on the receipt:\n%s", out["baden"])
	}
	for _, name := range []string{"unreadenjson", "unreaden", "unreadenhtml", "unreadencsv", "unreadzh-CN", "unreadzh-TW"} {
		if bytes.ContainsAny(out[name], "♠♥♦♣") || bytes.Contains(out[name], []byte("findings")) || bytes.Contains(out[name], []byte("发现")) || bytes.Contains(out[name], []byte("發現")) {
			t.Errorf("%s names cards:\n%s", name, out[name])
		}
		if !bytes.Contains(out[name], []byte("30")) {
			t.Errorf("%s has no count:\n%s", name, out[name])
		}
	}
}

// every is each report of an evening.
func every(t *testing.T, e *evening) map[string]Report {
	t.Helper()
	log, err := HandLog(e.j, testTable, HandQuery{})
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := Receipt(e.j, testTable, 0)
	if err != nil {
		t.Fatal(err)
	}
	handoff, err := Handoff(e.j, testTable, HandoffQuery{})
	if err != nil {
		t.Fatal(err)
	}
	summary, err := Summary(e.j, testTable, SummaryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Report{"log": log, "receipt": receipt, "handoff": handoff, "summary": summary}
}

func TestX3_TheHeadOnEveryReportIsTheJournals(t *testing.T) {
	e := wholeEvening(t)
	heads := 0
	for name, r := range every(t, e) {
		for line := range strings.Lines(asText(r, Options{})) {
			head, err := journal.ParseHead(strings.TrimSpace(line))
			if err != nil {
				continue
			}
			heads++
			rep, err := journal.Verify(e.j, journal.Check{Published: []journal.Head{head}})
			if err != nil || !rep.OK() {
				t.Errorf("%s prints %v: %v, %v", name, head, err, rep.Problems)
			}
		}
		grouped := asText(r, Options{Width: 42})
		var at Place
		switch r := r.(type) {
		case HandLogReport:
			at = r.Journal
		case ReceiptReport:
			at = r.Journal
		case HandoffReport:
			at = r.Journal
		case SummaryReport:
			at = r.Journal
		}
		if digits := strings.NewReplacer(" ", "", "\n", "").Replace(grouped); !strings.Contains(digits, at.Hash) {
			t.Errorf("%s on narrow paper has another hash than %s:\n%s", name, at.Hash, grouped)
		}
	}
	if heads != 4 {
		t.Errorf("%d heads on 4 reports", heads)
	}
}

func TestX4_UnauthenticatedDevicesAreNamedOnEveryReport(t *testing.T) {
	for name, r := range every(t, wholeEvening(t)) {
		for l, want := range map[Lang]string{English: "UNAUTHENTICATED", Chinese: "未验证身份"} {
			if n := strings.Count(asText(r, Options{Lang: l}), want); n != 2 {
				t.Errorf("%s in %s: %q stands %d times, want once for each device", name, l, want, n)
			}
		}
	}
}

func TestEveryReportSaysDraftOrApproved(t *testing.T) {
	for name, r := range every(t, wholeEvening(t)) {
		if !strings.Contains(asText(r, Options{}), "house-1, DRAFT (not approved)") {
			t.Errorf("%s does not say that it ran under a draft", name)
		}
	}
	e := newEvening(t)
	p := &e.s.Settings.Procedure
	p.Version, p.Approved, p.ApprovedBy, p.ApprovedAt = "house-2", true, "M. Wong", "2026-11-30"
	e.ready()
	e.firstHand()
	e.handoffs()
	for name, r := range every(t, e) {
		text := asText(r, Options{})
		if !strings.Contains(text, "house-2, approved by M. Wong on 2026-11-30") || strings.Contains(text, "DRAFT") {
			t.Errorf("%s does not say who approved the procedure:\n%s", name, text)
		}
	}
}

func TestH2_TheLogShowsTheTagAndWhatWasAnnouncedMeanwhile(t *testing.T) {
	r, err := HandLog(wholeEvening(t).j, testTable, HandQuery{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := r.Hands[0], r.Hands[1]
	if first.Tag.Number != 1 || len(first.Levels) != 1 || first.Levels[0].Level.Number != 2 || second.Tag.Number != 2 {
		t.Errorf("tags %v and %v, announced %v", first.Tag, second.Tag, first.Levels)
	}
	if first.Trigger.AtMS == 0 || first.Trigger.Tick == 0 {
		t.Errorf("the trigger has not both times: %+v", first.Trigger)
	}
}

func TestH3_AHandKeepsItsEntryThroughEveryShuffle(t *testing.T) {
	r, err := HandLog(wholeEvening(t).j, testTable, HandQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Hands); n != 4 {
		t.Fatalf("%d hands, want 4", n)
	}
	h := r.Hands[1]
	if len(h.Shuffles) != 3 || h.Shuffles[0].Void == nil || h.Shuffles[1].Void == nil || h.Shuffles[2].Void != nil || len(h.Shuffles[1].Breaks) != 1 {
		t.Errorf("hand 2 has shuffles %+v", h.Shuffles)
	}
	want := Totals{Hands: 4, Ended: 2, Abandoned: 1, Shuffles: 3, AverageMS: r.Totals.AverageMS, Voids: 3, Breaks: 1, Faults: 1, Holds: 1, ByHandPasses: 2}
	if r.Totals != want {
		t.Errorf("totals %+v, want %+v", r.Totals, want)
	}
	if r.Hands[3].State != HandInPlay || r.Hands[2].State != HandAbandoned || r.Hands[2].Abandoned != "break called" {
		t.Errorf("hands 3 and 4: %+v, %+v", r.Hands[2], r.Hands[3])
	}
}

// A shuffle that was void before the trigger is told with the hand it was for.
func TestS3_AVoidShuffleBeforeTheTriggerIsTold(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.seats("dealer:3", 4)
	e.feed()
	e.do(table.OpStarted{Part: fault.Shuffler, Op: e.s.Machine.Op, Tick: e.tick()})
	e.do(table.OpFailed{Part: fault.Shuffler, Op: e.s.Machine.Op, Code: fault.JamTray, Tick: e.tick()})
	log, err := HandLog(e.j, testTable, HandQuery{})
	if err != nil || len(log.Loose) != 1 || log.Totals.Voids != 1 || log.Totals.FaultsOpen != 1 {
		t.Fatalf("before the hand: %+v, %v", log.Totals, err)
	}
	if text := asText(log, Options{}); !strings.Contains(text, "SHUFFLES FROM WHICH NO HAND BEGAN") || !strings.Contains(text, "NOT CLEARED.") {
		t.Errorf("it is not told:\n%s", text)
	}
	e.must(table.ClearFault{Act: act("floor:7"), Part: fault.Shuffler, Code: fault.JamTray})
	e.machine(0)
	e.feed()
	e.wash("dealer:3")
	e.machine(0)
	e.cut("dealer:3")
	log, err = HandLog(e.j, testTable, HandQuery{})
	if err != nil || len(log.Loose) != 0 || len(log.Hands) != 1 || len(log.Hands[0].Shuffles) != 2 || log.Totals.FaultsOpen != 0 {
		t.Errorf("after the trigger: %+v, %v", log, err)
	}
	if f := log.Faults; len(f) != 1 || f[0].By != person("floor:7") || f[0].Cleared == 0 {
		t.Errorf("the fault was cleared by %+v", f)
	}
}

func TestP2_TheHandoffAgreesWithTheCore(t *testing.T) {
	e := wholeEvening(t)
	r, err := Handoff(e.j, testTable, HandoffQuery{})
	if err != nil {
		t.Fatal(err)
	}
	f := e.s.Facts
	if r.Level != f.Level || r.Button != f.Button || r.Hand.Number != f.LastHand || r.Outcome != HandoffPending || !r.MidHand || r.OutService != f.Out || !r.LevelDue {
		t.Errorf("the report differs from the facts: %+v", r)
	}
	for i, d := range r.Decks {
		want := f.Decks[i]
		if d.Deck != want.ID || d.Lock != want.Lock || d.Shuffles != want.Shuffles || d.Hands != want.Hands || d.Check.Number != want.Check || d.Check.Verdict != want.Verdict {
			t.Errorf("deck %d: %+v, facts %+v", i, d, want)
		}
	}
	if r.Decks[0].Since == nil || *r.Decks[0].Since != 4 || r.Decks[0].Over24h {
		t.Errorf("deck A: %+v", r.Decks[0])
	}
	if d := r.Down; d.Dealer != person("dealer:5") || d.Hands != 2 || d.Abandoned != 1 || len(d.Voids) != 1 || len(d.Breaks) != 0 {
		t.Errorf("the down of dealer 5: %+v", d)
	}
	first, err := Handoff(e.j, testTable, HandoffQuery{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := first.Down; d.Dealer != person("dealer:3") || d.Hands != 2 || len(d.Voids) != 2 || len(d.Breaks) != 1 || len(d.Holds) != 1 || len(d.Faults) != 1 || d.Faults[0].By != person("floor:7") {
		t.Errorf("the down of dealer 3: %+v", d)
	}
	if first.Outcome != HandoffKept || first.Refused == nil || first.Refused.Reason != "deck B not seen" {
		t.Errorf("the first handoff: %+v", first)
	}
}

func TestP3_AReportOfADecidedHandoffStaysAsItWas(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	e.handoffs()
	before, err := Handoff(e.j, testTable, HandoffQuery{Number: 2})
	if err != nil {
		t.Fatal(err)
	}
	if before.Outcome != HandoffAccepted || !before.Decided.HeadKnown {
		t.Errorf("accepted with the right head: %+v", before.Decided)
	}
	e.handByHand()
	after, err := Handoff(e.j, testTable, HandoffQuery{Number: 2})
	if err != nil || asText(before, Options{}) != asText(after, Options{}) {
		t.Errorf("it changed, %v:\n%s\n%s", err, asText(before, Options{}), asText(after, Options{}))
	}
}

func TestX3_AHeadThatWasNeverTheJournalsIsTold(t *testing.T) {
	for _, head := range []string{"3:" + strings.Repeat("ab", 32), "abcd", "0:" + strings.Repeat("00", 32), "999:" + strings.Repeat("ab", 32)} {
		e := newEvening(t)
		e.ready()
		e.must(table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")}, table.AcceptHandoff{Act: act("dealer:5"), Head: head})
		r, err := Handoff(e.j, testTable, HandoffQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Decided.HeadKnown || !strings.Contains(asText(r, Options{Width: 200}), "IS NOT IN THIS JOURNAL") {
			t.Errorf("%s passes for a head of this journal", head)
		}
	}
}

func TestP2_ADeckInUseForMoreThanADayIsMarked(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.pass(24 * time.Hour)
	e.must(table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")})
	r, err := Handoff(e.j, testTable, HandoffQuery{})
	if err != nil || !r.Decks[0].Over24h || !strings.Contains(asText(r, Options{}), "MORE THAN 24 HOURS") {
		t.Errorf("%+v, %v", r.Decks, err)
	}
}

func TestD8_TheReceiptOfAGoodCheckIsComplete(t *testing.T) {
	e := newEvening(t)
	e.open()
	e.check(custody.A, fullTally())
	r, err := Receipt(e.j, testTable, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"attested.dealer.condition", "attested.countersigned_by"} {
		if !strings.Contains(strings.Join(r.Missing, " "), want) {
			t.Errorf("not attested yet, missing %v", r.Missing)
		}
	}
	if text := asText(r, Options{}); !strings.Contains(text, "NOT STATED") || !strings.Contains(text, "COUNTERSIGNATURE MISSING") {
		t.Errorf("it does not say that it is not attested:\n%s", text)
	}
	e.must(table.AttestDeck{Act: act("dealer:3", "floor:7"), Slot: custody.A, Attestation: deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}})
	if r, err = Receipt(e.j, testTable, 1); err != nil || len(r.Missing) != 0 || r.Receipt.Attested.CountersignedBy != "floor:7" || r.Receipt.Dealer != "dealer:3" {
		t.Errorf("missing %v, %+v, %v", r.Missing, r.Receipt, err)
	}
	before := asText(r, Options{})
	e.check(custody.A, fullTally())
	e.attest(custody.A)
	if r, err = Receipt(e.j, testTable, 1); err != nil || asText(r, Options{}) != before {
		t.Errorf("the next check changed the receipt, %v:\n%s", err, asText(r, Options{}))
	}
}

func TestD1_AStatedCountIsNamedSo(t *testing.T) {
	e := newEvening(t)
	e.open()
	tally := fullTally()
	tally.Fed, tally.FedAttested = 0, true
	e.must(table.StartCheck{Act: act("dealer:3"), Slot: custody.B, Stated: 52})
	op := e.s.Scanner.Op
	e.must(table.OpStarted{Part: fault.Scanner, Op: op}, table.ScanEnded{Op: op, Tally: tally})
	e.attest(custody.B)
	r, err := Receipt(e.j, testTable, 0)
	if err != nil || len(r.Missing) != 0 || r.Receipt.Attested.Dealer.StatedCount != 52 || !strings.Contains(asText(r, Options{}), "STATED by dealer") {
		t.Errorf("missing %v, %v:\n%s", r.Missing, err, asText(r, Options{}))
	}
}

func TestNotFoundIsClear(t *testing.T) {
	e := newEvening(t)
	empty := e.j.Restart()
	e.must(table.Booted{Version: "0.1.0", BootID: "b", Run: 1})
	unopened := e.j.Restart()
	e.open()
	e.must(table.StartCheck{Act: act("dealer:3"), Slot: custody.A})
	e.seats("dealer:3", 4)
	for want, ask := range map[string]func() error{
		"table 1: not in the journal: no record of such a table":       func() error { _, err := HandLog(empty, testTable, HandQuery{}); return err },
		"table 9: not in the journal: no record of such a table":       func() error { _, err := Receipt(e.j, "9", 1); return err },
		"table 1: not in the journal: the table was never opened":      func() error { _, err := HandLog(unopened, testTable, HandQuery{}); return err },
		"table 1: not in the journal: session 7":                       func() error { _, err := HandLog(e.j, testTable, HandQuery{Session: 7}); return err },
		"table 1: not in the journal: hand 3":                          func() error { _, err := HandLog(e.j, testTable, HandQuery{From: 3}); return err },
		"table 1: not in the journal: no deck check has ended":         func() error { _, err := Receipt(e.j, testTable, 0); return err },
		"table 1: not in the journal: deck check 1 has no verdict yet": func() error { _, err := Receipt(e.j, testTable, 1); return err },
		"table 1: not in the journal: deck check 5":                    func() error { _, err := Receipt(e.j, testTable, 5); return err },
		"table 1: not in the journal: no handoff was proposed":         func() error { _, err := Handoff(e.j, testTable, HandoffQuery{}); return err },
	} {
		if err := ask(); !errors.Is(err, ErrNotFound) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	e.must(table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")})
	if _, err := Handoff(e.j, testTable, HandoffQuery{Number: 2}); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "handoff 2, there are 1") {
		t.Error(err)
	}
	if _, err := HandLog(e.j, testTable, HandQuery{From: 5, To: 3}); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("hands 5 to 3: %v", err)
	}
}

// season is two sessions, long enough for checkpoints.
func season(t testing.TB) *evening {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	for i := range 12 {
		e.seats("dealer:3", 1+i%6)
		e.feed()
		e.machine(0)
		e.cut("dealer:3")
		e.play("dealer:3")
	}
	e.must(table.CloseTable{Act: act("floor:7")})
	e.pass(16 * time.Hour)
	e.must(table.OpenTable{Act: act("floor:8"), ActivityCard: "AC-13", Manual: "V0.3", Floor: person("floor:8"), Deputy: person("floor:9")},
		table.SignIn{Act: act("dealer:4")})
	for _, slot := range []custody.Slot{custody.A, custody.B} {
		e.must(table.StartCheck{Act: act("dealer:4"), Slot: slot})
		op := e.s.Scanner.Op
		e.must(table.OpStarted{Part: fault.Scanner, Op: op}, table.ScanEnded{Op: op, Tally: fullTally()})
		e.must(table.AttestDeck{Act: act("dealer:4", "floor:8"), Slot: slot, Attestation: deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}})
	}
	e.must(table.ConfirmLevel{Act: act("floor:8"), Number: 2})
	for i := range 6 {
		e.seats("dealer:4", 1+i)
		e.feed()
		if e.s.DeckIn(custody.A).WashDue != 0 {
			e.wash("dealer:4")
		}
		e.machine(0)
		e.cut("dealer:4")
		e.play("dealer:4")
	}
	e.must(table.ProposeHandoff{Act: act("dealer:4"), To: person("dealer:3")})
	return e
}

func TestSessionsAndHandsAreToldApart(t *testing.T) {
	e := season(t)
	numbers := func(q HandQuery) (first, last uint64, r HandLogReport) {
		t.Helper()
		r, err := HandLog(e.j, testTable, q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if n := len(r.Hands); n > 0 {
			first, last = r.Hands[0].Hand, r.Hands[n-1].Hand
		}
		return first, last, r
	}
	for _, c := range []struct {
		q           HandQuery
		first, last uint64
		sessions    int
	}{
		{HandQuery{}, 14, 19, 1}, {HandQuery{Session: 1}, 1, 13, 1}, {HandQuery{Session: 2}, 14, 19, 1}, {HandQuery{From: 12, To: 15}, 12, 15, 2},
		{HandQuery{From: 13, To: 13}, 13, 13, 1}, {HandQuery{To: 2}, 1, 2, 1}, {HandQuery{From: 18}, 18, 19, 1}, {HandQuery{Session: 1, From: 3, To: 4}, 3, 4, 1},
	} {
		first, last, r := numbers(c.q)
		if first != c.first || last != c.last || len(r.Sessions) != c.sessions || len(r.Hands) != int(c.last-c.first+1) {
			t.Errorf("%+v: hands %d to %d of %d sessions, want %d to %d of %d", c.q, first, last, len(r.Sessions), c.first, c.last, c.sessions)
		}
		for _, h := range r.Hands {
			if len(h.Shuffles) != 1 || h.State != HandEnded || h.ReadyMS == 0 {
				t.Errorf("%+v: hand %d: %+v", c.q, h.Hand, h)
			}
		}
	}
	_, _, r := numbers(HandQuery{})
	if s := r.Sessions[0]; s.Number != 2 || s.ActivityCard != "AC-13" || s.Floor != person("floor:8") || s.ClosedMS != 0 {
		t.Errorf("the newest session is %+v", s)
	}
	if r.Controller != "0.1.0" || len(r.Devices) != 2 {
		t.Errorf("what was known before the session is lost: %q, %v", r.Controller, r.Devices)
	}
	// A hand is told alike in every log that has it.
	one, err := HandLog(e.j, testTable, HandQuery{From: 14, To: 14})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := JSON(one.Hands[0])
	b, _ := JSON(r.Hands[0])
	if !bytes.Equal(a, b) {
		t.Errorf("hand 14 reads %s and %s", a, b)
	}
}

func TestReportsBeginAtTheNewestCheckpoint(t *testing.T) {
	e := season(t)
	p, err := openPast(e.j, testTable)
	if err != nil {
		t.Fatal(err)
	}
	var all []fact
	checkpoints := 0
	for f, err := range p.facts(1) {
		if err != nil {
			t.Fatal(err)
		}
		if _, is := f.rec.(table.Checkpoint); is {
			checkpoints++
		}
		all = append(all, f)
	}
	if checkpoints == 0 || all[len(all)-1].after != e.s.Facts {
		t.Fatalf("%d checkpoints, facts at the end %+v", checkpoints, all[len(all)-1].after)
	}
	for i := 0; i < len(all); i += 11 {
		want := all[i]
		counted := &counting{Reader: e.j}
		late := past{counted, testTable, p.chain}
		for f, err := range late.facts(want.pos) {
			if err != nil || f.pos != want.pos || f.before != want.before || f.after != want.after {
				t.Fatalf("position %d: facts differ from those folded from the start, %v", want.pos, err)
			}
			break
		}
		if counted.records > 503 {
			t.Fatalf("position %d: %d records read", want.pos, counted.records)
		}
	}
}

// counting counts the records that are read.
type counting struct {
	journal.Reader
	records int
}

func (c *counting) Records(after uint64, f journal.Filter) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range c.Reader.Records(after, f) {
			c.records++
			if !yield(r, err) {
				return
			}
		}
	}
}

// holed is a journal that has lost a record, or fails.
type holed struct {
	journal.Reader
	lost uint64
	err  error
}

func (h holed) Records(after uint64, f journal.Filter) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range h.Reader.Records(after, f) {
			if r.Pos == h.lost && h.err == nil {
				continue
			}
			if r.Pos == h.lost {
				err = h.err
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func TestADamagedJournalGivesAnErrorAndNoReport(t *testing.T) {
	e := wholeEvening(t)
	_, err := HandLog(holed{Reader: e.j, lost: 30}, testTable, HandQuery{})
	if err == nil || !strings.Contains(err.Error(), "journal position 31 has number 31, want 30: run journal verify") {
		t.Errorf("a lost record: %v", err)
	}
	broken := errors.New("disk is gone")
	for pos := uint64(1); pos < 100; pos += 7 {
		if _, err := Handoff(holed{e.j, pos, broken}, testTable, HandoffQuery{}); pos > 5 && !errors.Is(err, broken) {
			t.Errorf("position %d fails: %v", pos, err)
		}
	}
	n, _ := e.j.StreamHead(testTable)
	if _, err := e.j.Append([]journal.Entry{{Stream: testTable, N: n + 1, Wall: 1, Type: "of_a_newer_version", Version: 1, Payload: []byte(`{}`)}}); err != nil {
		t.Fatal(err)
	}
	if _, err := HandLog(e.j, testTable, HandQuery{}); err == nil || !strings.Contains(err.Error(), "unknown to this version") {
		t.Errorf("an unknown record: %v", err)
	}
}

func BenchmarkHandLog(b *testing.B) {
	e := season(b)
	b.ReportAllocs()
	for b.Loop() {
		r, err := HandLog(e.j, testTable, HandQuery{Session: 1})
		if err != nil {
			b.Fatal(err)
		}
		_ = asText(r, Options{})
	}
}

// A fault of a hand may be cleared when the next one has long begun.
func TestM1_AHandsFaultIsFollowedToWhoClearedIt(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	e.do(table.DeviceFault{Part: fault.Scanner, Code: fault.Camera})
	e.troubledHand()
	e.do(table.DeviceFault{Part: fault.Scanner, Code: fault.Lighting})
	e.must(table.ClearFault{Act: act("floor:9"), Part: fault.Scanner, Code: fault.Camera}, table.ClearFault{Act: act("floor:9"), Part: fault.Scanner, Code: fault.Lighting})
	r, err := HandLog(e.j, testTable, HandQuery{From: 2, To: 2})
	if err != nil || len(r.Faults) != 2 || r.Faults[0].Code != "camera" || r.Faults[0].By != person("floor:9") || r.Totals.FaultsOpen != 0 {
		t.Errorf("faults of hand 2: %+v, %v", r.Faults, err)
	}
}

func TestD8_AReceiptIsOfItsOwnTime(t *testing.T) {
	e := season(t)
	for check, card := range map[uint64]string{1: "AC-12", 3: "AC-12", 4: "AC-13", 5: "AC-13"} {
		r, err := Receipt(e.j, testTable, check)
		if err != nil || r.Receipt.ActivityCard != card || r.Check != check || len(r.Missing) != 0 {
			t.Errorf("check %d: card %s, missing %v, %v", check, r.Receipt.ActivityCard, r.Missing, err)
		}
	}
}

func TestP2_ShufflesCountFromTheLastCheck(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	e.check(custody.A, fullTally())
	e.attest(custody.A)
	e.must(table.AttestDeck{Act: act("floor:7"), Slot: custody.A}, table.ProposeHandoff{Act: act("dealer:3"), To: person("dealer:5")})
	r, err := Handoff(e.j, testTable, HandoffQuery{})
	if err != nil || r.Decks[0].Shuffles != 1 || r.Decks[0].Since == nil || *r.Decks[0].Since != 0 {
		t.Errorf("deck A: %+v, %v", r.Decks[0], err)
	}
}

// parted is the hands of each group, and what each is told with.
func parted(t *testing.T, e *evening, q HandQuery) (hands [][]uint64, r HandLogReport) {
	t.Helper()
	r, err := HandLog(e.j, testTable, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Groups {
		hands = append(hands, g.Hands)
	}
	return hands, r
}

func TestP2_HandsAreGroupedByDownLevelAndSession(t *testing.T) {
	e := wholeEvening(t)
	for by, want := range map[Grouping]string{"": "[]", ByDown: "[[1 2] [3 4]]", ByLevel: "[[1] [2 3 4]]", BySession: "[[1 2 3 4]]"} {
		hands, r := parted(t, e, HandQuery{By: by, Floor: true})
		if fmt.Sprint(hands) != want {
			t.Errorf("by %q: %v, want %s", by, hands, want)
		}
		var sum Totals
		for _, g := range r.Groups {
			sum.Hands += g.Totals.Hands
			sum.Voids += g.Totals.Voids
			sum.Breaks += g.Totals.Breaks
			sum.Faults += g.Totals.Faults
		}
		if by != "" && (sum.Hands != r.Totals.Hands || sum.Voids != r.Totals.Voids || sum.Breaks != r.Totals.Breaks || sum.Faults != r.Totals.Faults) {
			t.Errorf("by %s: the groups add up to %+v, the log has %+v", by, sum, r.Totals)
		}
	}
	hands, _ := parted(t, season(t), HandQuery{From: 1, By: BySession})
	if fmt.Sprint(hands) != "[[1 2 3 4 5 6 7 8 9 10 11 12 13] [14 15 16 17 18 19]]" {
		t.Errorf("by session: %v", hands)
	}
}

// A dealer who comes back has another down.
func TestP2_ADealerWhoComesBackHasAnotherDown(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	for _, push := range [][2]string{{"dealer:3", "dealer:5"}, {"dealer:5", "dealer:3"}} {
		e.must(table.ProposeHandoff{Act: act(push[0]), To: person(push[1])}, table.AcceptHandoff{Act: act(push[1])})
	}
	e.seats("dealer:3", 5)
	e.feed()
	e.machine(0)
	e.cut("dealer:3")
	e.play("dealer:3")
	if hands, _ := parted(t, e, HandQuery{By: ByDown}); fmt.Sprint(hands) != "[[1] [2]]" {
		t.Errorf("downs %v", hands)
	}
}

func TestP5_OnlyTheFloorSeesADealersTotals(t *testing.T) {
	e := wholeEvening(t)
	_, staff := parted(t, e, HandQuery{By: ByDown})
	_, floor := parted(t, e, HandQuery{By: ByDown, Floor: true})
	for i := range staff.Groups {
		if staff.Groups[i].Totals != nil || floor.Groups[i].Totals == nil {
			t.Errorf("group %d: %+v, for the floor %+v", i, staff.Groups[i].Totals, floor.Groups[i].Totals)
		}
	}
	if s, f := asText(staff, Options{}), asText(floor, Options{}); strings.Count(s, "on average") != 1 || strings.Count(f, "on average") < 2 {
		t.Errorf("for everybody:\n%s\nfor the floor:\n%s", s, f)
	}
}

// What has no place of its own in the log is told by its sentence.
func TestH14_TheLogTellsWhatElseHappenedInAHand(t *testing.T) {
	e := newEvening(t)
	e.ready()
	e.firstHand()
	e.must(table.RecordException{Act: act("floor:7"), Rule: "H4", Why: "the clock was wrong"})
	r, err := HandLog(e.j, testTable, HandQuery{})
	if err != nil || len(r.Also) != 1 || !strings.Contains(asText(r, Options{Width: 200}), "the clock was wrong") {
		t.Errorf("after the last hand: %+v, %v", r.Also, err)
	}
	e.seats("dealer:3", 5)
	e.feed()
	e.machine(0)
	if r, err = HandLog(e.j, testTable, HandQuery{}); err != nil || len(r.Also) != 0 || len(r.Hands) != 2 || len(r.Hands[1].Also) != 1 {
		t.Errorf("before hand 2: %+v, %v", r.Hands, err)
	}
}
