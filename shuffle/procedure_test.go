package shuffle

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestS1_TheDefaultIsTheHousesOrderAndADraft(t *testing.T) {
	p := Default()
	want := "[gather@machine wash@dealer riffle@machine riffle@machine strip@machine riffle@machine square@machine cut@dealer cut_card@dealer]"
	if got := fmt.Sprint(p.List()); got != want {
		t.Errorf("steps %s\nwant  %s", got, want)
	}
	if p.Version != "house-1" || p.Approved || p.MinCut != 10 || p.WashAlways {
		t.Errorf("%+v", p)
	}
}

func TestS1_TheBuiltInProceduresValidate(t *testing.T) {
	for _, p := range []Procedure{Default(), ByHand(), ShortForm()} {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
	if got := fmt.Sprint(ShortForm().List()); got != "[wash@dealer riffle@machine strip@machine riffle@machine cut@dealer]" {
		t.Errorf("the short form is %s", got)
	}
}

func TestS4_ByHandTheDealerDoesEverything(t *testing.T) {
	p := ByHand()
	if p.N != Default().N {
		t.Fatalf("%d steps", p.N)
	}
	for i, s := range p.plan() {
		if s.Actor != Dealer || s.Step != Default().Steps[i].Step {
			t.Errorf("step %d is %v", i+1, s)
		}
	}
	if p.Steps[p.N] != (Planned{}) {
		t.Error("a step appeared after the end")
	}
}

// sound is S1 written as a pattern, a letter a step: what a list of steps must
// look like. Validate is held against it.
var sound = regexp.MustCompile(`^G?Q*WQ*R[RSQ]*CQ*K?$`)

func TestS1_EveryListOfUpToFiveStepsIsJudgedByTheRules(t *testing.T) {
	const letters = " GWRSQCK"
	accepted := 0
	var try func(p Procedure, name string)
	try = func(p Procedure, name string) {
		err, want := p.Validate(), sound.MatchString(name)
		if (err == nil) != want {
			t.Fatalf("%v: sound %v, and yet %v", p.List(), want, err)
		}
		if want {
			accepted++
		}
		if p.N == 5 {
			return
		}
		for s := Gather; s <= CutCard; s++ {
			longer := p
			longer.Steps[p.N] = Planned{s, Machine}
			longer.N++
			try(longer, name+letters[s:s+1])
		}
	}
	try(Procedure{Version: "v", MinCut: 10}, "")
	if accepted < 20 {
		t.Errorf("only %d lists were accepted: the test looks at too little", accepted)
	}
}

func TestS1_WhatIsRefusedIsNamedWithItsPlace(t *testing.T) {
	with := func(change func(*Procedure)) Procedure {
		p := Default()
		change(&p)
		return p
	}
	steps := func(names ...Step) Procedure { return draft("v", names...) }
	for _, c := range []struct {
		name string
		p    Procedure
		want string
	}{
		{"nothing", Procedure{}, "no version"},
		{"no riffle", steps(Gather, Wash, Square, Cut), "no riffle"},
		{"no wash", steps(Gather, Riffle, Cut), "no wash"},
		{"no cut", steps(Gather, Wash, Riffle, CutCard), "no cut"},
		{"riffle after the cut", steps(Wash, Riffle, Cut, Riffle), "step 4 (riffle): mixes after the cut"},
		{"strip after the cut", steps(Wash, Riffle, Cut, Strip), "step 4 (strip): mixes after the cut"},
		{"strip first", steps(Wash, Strip, Riffle, Cut), "step 2 (strip): must come after the first riffle"},
		{"wash late", steps(Riffle, Wash, Riffle, Cut), "step 2 (wash): must come before the first riffle"},
		{"wash twice", steps(Wash, Wash, Riffle, Cut), "step 2 (wash): is step 1 already"},
		{"cut twice", steps(Wash, Riffle, Cut, Cut), "step 4 (cut): is step 3 already"},
		{"gather late", steps(Wash, Gather, Riffle, Cut), "step 2 (gather): must be the first step"},
		{"gather twice", steps(Gather, Gather, Wash, Riffle, Cut), "step 2 (gather): is step 1 already"},
		{"cut card before the cut", steps(Wash, Riffle, CutCard, Cut), "step 3 (cut_card): must come after the cut"},
		{"square after the cut card", steps(Wash, Riffle, Cut, CutCard, Square), "step 4 (cut_card): must be the last step"},
		{"unknown step", with(func(p *Procedure) { p.Steps[6].Step = 99 }), "step 7 (Step(99)): unknown step"},
		{"a hole", with(func(p *Procedure) { p.Steps[6] = Planned{} }), "step 7 (none): unknown step"},
		{"nobody", with(func(p *Procedure) { p.Steps[2].Actor = NoActor }), "step 3 (riffle): nobody does it"},
		{"unknown actor", with(func(p *Procedure) { p.Steps[2].Actor = 3 }), "step 3 (riffle): nobody does it"},
		{"no version", with(func(p *Procedure) { p.Version = " " }), "no version"},
		{"approved by nobody", with(func(p *Procedure) { p.Approved, p.ApprovedAt = true, "2025" }), "not by whom"},
		{"approved at no time", with(func(p *Procedure) { p.Approved, p.ApprovedBy = true, "floor:7" }), "not by whom and when"},
		{"cut of nothing", with(func(p *Procedure) { p.MinCut = 0 }), "min_cut 0: want 3 to 25"},
		{"cut of two (S7)", with(func(p *Procedure) { p.MinCut = 2 }), "min_cut 2"},
		{"cut of half", with(func(p *Procedure) { p.MinCut = 26 }), "min_cut 26"},
		{"too long", with(func(p *Procedure) { p.N = MaxSteps + 1 }), "17 steps: at most 16"},
		{"more than it says", with(func(p *Procedure) { p.N = 8 }), "step 9 (cut_card@dealer) stands after the end: the procedure has 8"},
	} {
		err := c.p.Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want an error with %q", c.name, err, c.want)
		}
		if pass := Begin(c.p, true, 52); !pass.Void() {
			t.Errorf("%s: a pass begins", c.name)
		}
	}
	for _, min := range []uint8{3, 25} {
		if err := with(func(p *Procedure) { p.MinCut = min }).Validate(); err != nil {
			t.Error(err)
		}
	}
	approved := with(func(p *Procedure) { p.Approved, p.ApprovedBy, p.ApprovedAt = true, "floor:7", "2025-01-01" })
	if err := approved.Validate(); err != nil {
		t.Error(err)
	}
	if err := (Procedure{}).Validate(); strings.Count(err.Error(), "\n") < 3 {
		t.Errorf("one look does not name every fault: %v", err)
	}
}

func TestParse_ReadsWhatPeopleWrite(t *testing.T) {
	p, err := Parse("house-1", []string{"gather", " Wash ", "RIFFLE", "riffle@machine", "strip", "riffle", "square", "cut @ dealer", "cut-card"})
	if err != nil || p != Default() {
		t.Errorf("%v, %v", p.List(), err)
	}
	p, err = Parse("mixed", []string{"gather@dealer", "wash@machine", "riffle@dealer", "cut@machine", "cut card@machine"})
	if got := fmt.Sprint(p.List()); err != nil || got != "[gather@dealer wash@machine riffle@dealer cut@machine cut_card@machine]" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestParse_BadInputIsNamed(t *testing.T) {
	for _, c := range []struct {
		version string
		steps   []string
		want    string
	}{
		{"v", []string{"gather", "wash", "shufle"}, `procedure "v": step 3 "shufle": unknown step, did you mean riffle?`},
		{"v", []string{"gahter"}, `step 1 "gahter": unknown step, did you mean gather?`},
		{"v", []string{"none"}, `step 1 "none": unknown step: want one of gather, wash, riffle, strip, square, cut, cut_card`},
		{"v", []string{""}, `step 1 "": unknown step: want one of`},
		{"v", []string{"riffle@robot"}, `step 1 "riffle@robot": unknown actor: want one of machine, dealer`},
		{"v", []string{"riffle@deeler"}, `did you mean dealer?`},
		{"v", []string{"riffle@none"}, `unknown actor`},
		{"v", []string{"riffle@dealer@machine"}, `unknown actor`},
		{"v", []string{strings.Repeat("riffle", 1000)}, `unknown step: want one of`},
		{"v", make([]string, MaxSteps+1), "17 steps: at most 16"},
		{"", []string{"wash", "riffle", "cut"}, "no version"},
		{"v", nil, "no riffle"},
	} {
		p, err := Parse(c.version, c.steps)
		if err == nil || !strings.Contains(err.Error(), c.want) || p != (Procedure{}) || len(err.Error()) > 400 {
			t.Errorf("%v: %v; want an error with %q", c.steps, err, c.want)
		}
	}
}

func TestParse_TheDistanceOfTwoWordsIsTheChangesBetweenThem(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "cut", 3}, {"cut", "", 3}, {"cut", "cut", 0}, {"ut", "cut", 1}, {"xcut", "cut", 1}, {"ct", "cut", 1}, {"cat", "cut", 1}, {"shufle", "riffle", 3}, {"gahter", "gather", 2},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestProcedure_JSONReadsBack(t *testing.T) {
	approved := ByHand()
	approved.Approved, approved.ApprovedBy, approved.ApprovedAt, approved.WashAlways, approved.MinCut = true, "floor:7", "2025-01-01", true, 12
	for _, p := range []Procedure{{}, Default(), ShortForm(), approved, draft("", Cut, Riffle)} {
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		back := approved
		if err := json.Unmarshal(data, &back); err != nil || back != p {
			t.Errorf("%s reads back as %+v, %v", data, back, err)
		}
	}
	if data, _ := json.Marshal(ShortForm()); string(data) != `{"version":"short-1","approved":false,"steps":["wash@dealer","riffle@machine","strip@machine","riffle@machine","cut@dealer"],"min_cut":10}` {
		t.Errorf("JSON is %s", data)
	}
	for _, p := range []Procedure{{N: 1}, {N: 1, Steps: [MaxSteps]Planned{{Riffle, NoActor}}}, {N: 1, Steps: [MaxSteps]Planned{{Riffle, 3}}}, {N: 1, Steps: [MaxSteps]Planned{{8, Machine}}}} {
		if data, err := json.Marshal(p); err == nil {
			t.Errorf("%+v is written as %s", p.Steps[0], data)
		}
	}
	for data, want := range map[string]string{`{"steps":["shufle"]}`: "did you mean riffle", `[]`: "procedure", `{"steps":3}`: "procedure"} {
		p := Default()
		if err := json.Unmarshal([]byte(data), &p); err == nil || !strings.Contains(err.Error(), want) || p != Default() {
			t.Errorf("%s: %v; want an error with %q", data, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("house-1", "gather\nwash\nriffle\nriffle\nstrip\nriffle\nsquare\ncut\ncut_card")
	f.Add("v", "wash@machine\nRiffle@dealer\ncut - card")
	f.Add("", "shufle")
	f.Add("v", "@\n@@\n\xff")
	f.Fuzz(func(t *testing.T, version, text string) {
		p, err := Parse(version, strings.Split(text, "\n"))
		if err != nil {
			if p != (Procedure{}) {
				t.Fatalf("%+v with %v", p, err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatalf("parsed and refused: %v", err)
		}
		again, err := Parse(version, p.List())
		if err != nil || again != p {
			t.Fatalf("%v reads back as %v, %v", p.List(), again.List(), err)
		}
	})
}

func FuzzProcedureJSON(f *testing.F) {
	data, _ := json.Marshal(Default())
	f.Add(data)
	f.Add([]byte(`{"steps":["cut","cut"],"min_cut":255}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p, back Procedure
		if json.Unmarshal(data, &p) != nil {
			return
		}
		written, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("%s reads as %+v, which cannot be written: %v", data, p, err)
		}
		if err := json.Unmarshal(written, &back); err != nil || back != p {
			t.Fatalf("%s reads as %+v, writes %s, reads as %+v, %v", data, p, written, back, err)
		}
	})
}
