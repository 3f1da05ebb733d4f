package deckcheck

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// perfect is the tally of a pack as D1 wants it.
func perfect() Tally {
	t := Tally{Fed: DeckSize}
	for i := range t.Faces {
		t.Faces[i] = 1
	}
	return t
}

// tally is a perfect tally with some cards more and some less.
func tally(t testing.TB, fed uint16, more, less string) Tally {
	t.Helper()
	p := perfect()
	p.Fed = fed
	for _, name := range strings.Fields(more) {
		p.Faces[card(t, name)]++
	}
	for _, name := range strings.Fields(less) {
		p.Faces[card(t, name)]--
	}
	return p
}

func card(t testing.TB, name string) Card {
	t.Helper()
	c, err := ParseCard(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(v Verdict) string {
	parts := []string{v.Outcome.String()}
	if v.Reason != NotStopped {
		parts = append(parts, v.Reason.String())
	}
	for _, f := range v.Findings() {
		parts = append(parts, f.String())
	}
	if v.Hint != NoHint {
		parts = append(parts, v.Hint.String())
	}
	return strings.Join(parts, " ")
}

func TestD1_The52EachOnceAndAFeedThatAgreesAreGood(t *testing.T) {
	if v := Judge(perfect(), Confusions{}); v != (Verdict{Outcome: Good, Fed: 52, Read: 52}) {
		t.Errorf("a perfect pack: %+v", v)
	}
	p := perfect()
	p.FedAttested = true
	if v := Judge(p, Confusions{}); v != (Verdict{Outcome: Good, Fed: 52, Read: 52, CountAttested: true}) {
		t.Errorf("a perfect pack counted by the dealer: %+v", v)
	}
}

func TestD1_CountOf52ProvesNothing(t *testing.T) {
	for c := Card(0); c < DeckSize; c++ {
		for m := Card(0); m < DeckSize; m++ {
			if c == m {
				continue
			}
			p := perfect()
			p.Faces[c], p.Faces[m] = 2, 0
			v := Judge(p, Confusions{})
			want := Verdict{Outcome: Bad, Fed: 52, Read: 52, Missing: CardSet(0).With(m), Duplicate: CardSet(0).With(c)}
			if c.Rank() == m.Rank() && c.Red() == m.Red() {
				want.Hint = ProbableMisread
			}
			if v != want {
				t.Fatalf("%v twice and no %v: %v", c, m, text(v))
			}
		}
	}
}

func TestD1_AStatedCountIsAwaited(t *testing.T) {
	p := perfect()
	p.Fed, p.FedAttested = 0, true
	if v := Judge(p, Confusions{}); v.Outcome != Unread || v.Reason != UnreadCountNotStated {
		t.Errorf("no feed counter and no word of the dealer: %v", text(v))
	}
	p.Fed = 51
	if v := Judge(p, Confusions{}); text(v) != "bad count_mismatch(51, 52)" || !v.CountAttested {
		t.Errorf("the dealer counted 51: %v", text(v))
	}
}

func TestD2_FindingsStandTogetherInAFixedOrder(t *testing.T) {
	with := func(p Tally, jokers, backs, boxed uint16) Tally {
		p.Jokers, p.Backs, p.Boxed = jokers, backs, boxed
		return p
	}
	for _, c := range []struct {
		name  string
		tally Tally
		want  string
	}{
		{"a public case: 52 cards", tally(t, 52, "JD", "QD"), "bad missing(QD) duplicate(JD)"},
		{"a card of the other deck, 52 in all", with(tally(t, 52, "", "7C"), 0, 1, 0), "bad missing(7C) foreign_back(1)"},
		{"a new pack with its jokers", with(tally(t, 54, "", ""), 2, 0, 0), "bad joker(2) long(2)"},
		{"one boxed", with(tally(t, 52, "", "2H"), 0, 0, 1), "bad missing(2H) boxed(1)"},
		{"short", tally(t, 50, "", "AS KC"), "bad missing(AS KC) short(2)"},
		{"long", tally(t, 53, "AS", ""), "bad duplicate(AS) long(1)"},
		{"two cards went through as one", tally(t, 52, "", "AS"), "bad missing(AS) short(1) count_mismatch(52, 51)"},
		{"the feed counted one too many", tally(t, 53, "", ""), "bad count_mismatch(53, 52)"},
		{"everything at once", with(tally(t, 60, "JD JD KC", "QD AS"), 1, 2, 3), "bad missing(AS QD) duplicate(JD KC) joker(1) foreign_back(2) boxed(3) long(7) count_mismatch(60, 59)"},
	} {
		if got := text(Judge(c.tally, Confusions{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestD2_UnreadIsNeverGoodAndNeverBlamesTheDeck(t *testing.T) {
	stops := map[string]func(*Tally){
		"unreadable_card": func(p *Tally) { p.Unreadable = 1 },
		"no_cards":        func(p *Tally) { p.Faces = [DeckSize]uint8{} },
	}
	for r := NotStopped + 1; int(r) < len(reasonNames); r++ {
		if r != UnreadCard && r != UnreadNoCards {
			stops[r.String()] = func(p *Tally) { p.Stop = r }
		}
	}
	for _, damaged := range []Tally{perfect(), tally(t, 52, "JD", "QD"), tally(t, 53, "AS", "")} {
		for reason, stop := range stops {
			p := damaged
			stop(&p)
			v := Judge(p, Confusions{})
			want := Verdict{Outcome: Unread, Reason: v.Reason, Fed: p.Fed, Read: uint16(p.Reads())}
			if v != want || v.Reason.String() != reason {
				t.Errorf("%s: %v", reason, text(v))
			}
		}
	}
	if v := Judge(Tally{}, Confusions{}); v != (Verdict{Outcome: Unread, Reason: UnreadNoCards}) {
		t.Errorf("an empty feed: %v", text(v))
	}
}

func TestD2_FacesLeftOutOfAWholeTallyAreNotRead(t *testing.T) {
	p := perfect()
	p.Unnamed, p.Faces[0] = 1, 0
	if v := Judge(p, Confusions{}); v.Outcome != Unread || v.Reason != UnreadLostFrame {
		t.Errorf("one face left out: %v", text(v))
	}
}

func TestD2_CountsThatOverflowAreNeverGood(t *testing.T) {
	p := perfect()
	p.Faces[0] = math.MaxUint8
	p.with(Face(0))
	p.Jokers = math.MaxUint16
	p.with(Joker)
	if p.Faces[0] != math.MaxUint8 || p.Jokers != math.MaxUint16 {
		t.Errorf("a count wrapped: %d, %d", p.Faces[0], p.Jokers)
	}
	p.Backs, p.Fed = math.MaxUint16, math.MaxUint16
	v := Judge(p, Confusions{})
	if v.Outcome != Bad || v.Read != math.MaxUint16 || v.Long != math.MaxUint16 || !v.Mismatch {
		t.Errorf("a flood of cards: %v", text(v))
	}
}

func TestD3_OnlyAPairThatACameraConfusesIsAProbableMisread(t *testing.T) {
	listed, err := ParseConfusions([]string{"JD/QD"})
	if err != nil {
		t.Fatal(err)
	}
	joker := tally(t, 53, "QC", "QS")
	joker.Jokers = 1
	for _, c := range []struct {
		name  string
		tally Tally
		list  Confusions
		want  Hint
	}{
		{"same rank, same colour", tally(t, 52, "QC", "QS"), Confusions{}, ProbableMisread},
		{"same rank, other colour", tally(t, 52, "QC", "QD"), Confusions{}, NoHint},
		{"the public case", tally(t, 52, "JD", "QD"), Confusions{}, NoHint},
		{"the public case, but listed", tally(t, 52, "JD", "QD"), listed, ProbableMisread},
		{"listed, the other way round", tally(t, 52, "QD", "JD"), listed, ProbableMisread},
		{"listed, and another pair", tally(t, 52, "JD", "KD"), listed, NoHint},
		{"three of one", tally(t, 53, "QC QC", "QS"), Confusions{}, NoHint},
		{"two pairs", tally(t, 52, "QC KC", "QS KS"), Confusions{}, NoHint},
		{"one duplicate only", tally(t, 53, "QC", ""), Confusions{}, NoHint},
		{"one missing only", tally(t, 51, "", "QC"), Confusions{}, NoHint},
		{"another finding beside it", joker, Confusions{}, NoHint},
		{"a count that does not agree", tally(t, 53, "QC", "QS"), Confusions{}, NoHint},
	} {
		v := Judge(c.tally, c.list)
		if v.Outcome != Bad || v.Hint != c.want {
			t.Errorf("%s: %v, want hint %v", c.name, text(v), c.want)
		}
	}
}

func TestD3_TheSameResultAgainIsRecognised(t *testing.T) {
	first := Judge(tally(t, 52, "QC", "QS"), Confusions{})
	hintless := first
	hintless.Hint = NoHint
	if !first.Same(Judge(tally(t, 52, "QC", "QS"), Confusions{})) || !first.Same(hintless) {
		t.Error("the same findings are not the same")
	}
	for name, other := range map[string]Tally{
		"the other way round": tally(t, 52, "QS", "QC"), "good": perfect(), "with a joker": func() Tally { p := tally(t, 53, "QC", "QS"); p.Jokers = 1; return p }(),
		"with a count mismatch": tally(t, 51, "QC", "QS"), "unread": {Stop: UnreadTimeout},
	} {
		if first.Same(Judge(other, Confusions{})) {
			t.Errorf("%s is the same", name)
		}
	}
	if Judge(tally(t, 54, "", ""), Confusions{}).Same(Judge(tally(t, 53, "", ""), Confusions{})) {
		t.Error("two mismatches of different size are the same")
	}
	if !Judge(Tally{Stop: UnreadTimeout, Fed: 3}, Confusions{}).Same(Judge(Tally{Stop: UnreadLighting}, Confusions{})) {
		t.Error("two unread results differ in findings that they do not have")
	}
}

func TestD10_AnUnreadResultNamesNoCard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawTally(t)
		v := Judge(p, Confusions{})
		if v.Outcome != Unread {
			t.Skip()
		}
		if v.Missing|v.Duplicate != 0 || len(v.Findings()) != 0 || v.Hint != NoHint {
			t.Fatalf("unread, and yet %v", text(v))
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), `"cards"`) || strings.Contains(string(data), "findings") {
			t.Fatalf("unread, and yet %s", data)
		}
	})
}

// drawTally draws a pack with up to four things changed, so that good, nearly
// good and hopeless ones all come up.
func drawTally(t *rapid.T) Tally {
	p := perfect()
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		c := Card(rapid.IntRange(0, DeckSize-1).Draw(t, "card"))
		switch rapid.IntRange(0, 9).Draw(t, "change") {
		case 0, 1:
			p.Faces[c]++
		case 2, 3:
			p.Faces[c] = 0
		case 4:
			p.Jokers++
		case 5:
			p.Backs++
		case 6:
			p.Boxed++
		case 7:
			p.Unreadable++
		case 8:
			p.Stop = UnreadReason(rapid.IntRange(0, len(reasonNames)-1).Draw(t, "stop"))
		case 9:
			p.Fed, p.FedAttested = uint16(rapid.IntRange(0, 60).Draw(t, "fed")), rapid.Bool().Draw(t, "attested")
			return p
		}
	}
	if rapid.Bool().Draw(t, "fed as read") {
		p.Fed = uint16(p.Reads())
	}
	return p
}

func TestD1_GoodIfAndOnlyIfEveryRuleHolds(t *testing.T) {
	var good, bad, unread int
	rapid.Check(t, func(t *rapid.T) {
		p := drawTally(t)
		holds := p.Fed == 52 && p.Jokers == 0 && p.Backs == 0 && p.Boxed == 0 && p.Unreadable == 0 && p.Stop == NotStopped
		for _, k := range p.Faces {
			holds = holds && k == 1
		}
		v := Judge(p, Confusions{})
		if holds != (v.Outcome == Good) {
			t.Fatalf("%+v is %v", p, text(v))
		}
		if v.Outcome == Unchecked || (v.Outcome == Bad) != (len(v.Findings()) > 0) || (v.Outcome == Unread) != (v.Reason != NotStopped) {
			t.Fatalf("%+v is %v", p, text(v))
		}
		switch v.Outcome {
		case Good:
			good++
		case Bad:
			bad++
		case Unread:
			unread++
		}
	})
	if good == 0 || bad == 0 || unread == 0 {
		t.Errorf("drew %d good, %d bad, %d unread: the test looks at too little", good, bad, unread)
	}
}

func TestJudge_AllocatesNothing(t *testing.T) {
	p, list := tally(t, 52, "QC", "QS"), Confusions{}
	if n := testing.AllocsPerRun(100, func() { kept = Judge(p, list) }); n != 0 {
		t.Errorf("%v allocations a verdict", n)
	}
}

var kept Verdict

func BenchmarkJudge(b *testing.B) {
	p, list := tally(b, 52, "QC", "QS"), Confusions{}
	b.ReportAllocs()
	for b.Loop() {
		kept = Judge(p, list)
	}
}
