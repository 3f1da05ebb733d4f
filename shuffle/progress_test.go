package shuffle

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// own is the sequence of reports that a pass asks for, worked out from the
// procedure alone.
func own(p Procedure, wash bool, size uint16) []Report {
	var seq []Report
	for _, s := range p.Steps[:p.N] {
		if s.Step == Wash && !wash && !p.WashAlways {
			continue
		}
		done := Report{Step: s.Step, Phase: Done, By: s.Actor}
		switch s.Step {
		case Gather:
			done.Cards = size
		case Cut:
			done.Cut = CutPassed
		}
		seq = append(seq, Report{Step: s.Step, Phase: Started, By: s.Actor}, done)
	}
	return seq
}

// run applies reports that must all be accepted.
func run(t testing.TB, p Progress, reports ...Report) Progress {
	t.Helper()
	for i, r := range reports {
		var res Result
		if p, res = p.Apply(r); !res.Accepted {
			t.Fatalf("report %d, %v %v by %v: %+v", i+1, r.Step, r.Phase, r.By, res)
		}
	}
	return p
}

// one tells whether exactly one of the answers of a Result holds.
func one(r Result) bool {
	n := 0
	for _, b := range []bool{r.Accepted, r.Break.Kind != NoBreak, r.CountFailed, r.CutRefused} {
		if b {
			n++
		}
	}
	return n == 1
}

// everyReport is every report that could come, sensible or not.
func everyReport(size uint16) []Report {
	var all []Report
	for s := NoStep; s <= CutCard+1; s++ {
		for ph := NoPhase; ph <= Done+1; ph++ {
			for by := NoActor; by <= Dealer+1; by++ {
				for _, cards := range []uint16{0, size, size + 1} {
					for cut := NoCut; cut <= CutRefused+1; cut++ {
						all = append(all, Report{s, ph, by, cards, cut})
					}
				}
			}
		}
	}
	return all
}

// TestS3_OnlyTheProceduresOwnSequenceCompletes goes through all states that any
// sequence of reports can reach, of any length, and holds every edge to the
// rules. So what it shows of the states it shows of all sequences.
func TestS3_OnlyTheProceduresOwnSequenceCompletes(t *testing.T) {
	washing := Default()
	washing.WashAlways = true
	mixed, err := Parse("mixed", []string{"wash@machine", "riffle@dealer", "riffle@machine", "square", "cut@machine", "square"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Procedure{Default(), washing, ByHand(), ShortForm(), mixed} {
		for _, wash := range []bool{true, false} {
			walk(t, p, wash, 52)
		}
	}
	walk(t, Default(), true, 23)
}

func walk(t *testing.T, p Procedure, wash bool, size uint8) {
	t.Helper()
	seq := own(p, wash, uint16(size))
	reports := everyReport(uint16(size))
	type place struct {
		at    Progress
		taken int // ghost: how many reports of the own sequence were accepted
	}
	start := place{at: Begin(p, wash, size)}
	if start.at.Void() || start.at.Complete() || !start.at.BeforeFirstRiffle() {
		t.Fatalf("begin: %+v", start.at)
	}
	firstRiffle := slices.IndexFunc(seq, func(r Report) bool { return r.Step == Riffle && r.Phase == Started })
	seen := map[place]bool{start: true}
	queue := []place{start}
	completes := 0
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for _, r := range reports {
			next, res := from.at.Apply(r)
			to := place{next, from.taken}
			fits := !from.at.Void() && from.taken < len(seq) && same(r, seq[from.taken])
			switch {
			case !one(res):
				t.Fatalf("%+v: not one answer: %+v", r, res)
			case res.Accepted != (fits && counts(r, size) && passes(r)):
				t.Fatalf("after %d reports, %+v: %+v", from.taken, r, res)
			case res.CountFailed != (fits && !counts(r, size)):
				t.Fatalf("after %d reports, %+v: %+v", from.taken, r, res)
			case res.CutRefused != (fits && counts(r, size) && !passes(r)):
				t.Fatalf("after %d reports, %+v: %+v", from.taken, r, res)
			case next.Void() != (from.at.Void() || !res.Accepted && !res.CutRefused):
				t.Fatalf("after %d reports, %+v: void %v, %+v", from.taken, r, next.Void(), res)
			case res.FirstRiffle != (res.Accepted && from.taken == firstRiffle):
				t.Fatalf("after %d reports, %+v: first riffle %v", from.taken, r, res.FirstRiffle)
			case res.Complete != (res.Accepted && from.taken == len(seq)-1) || next.Complete() != (!next.Void() && (res.Complete || from.at.Complete())):
				t.Fatalf("after %d reports, %+v: complete %v", from.taken, r, res.Complete)
			case from.at.Void() && next != from.at:
				t.Fatalf("a void pass changed from %+v to %+v", from.at, next)
			}
			if res.Accepted {
				to.taken++
			}
			if next.Void() {
				to.taken = 0
			}
			if res.CutRefused {
				to.taken-- // the cut is to be made again
			}
			if res.Complete {
				completes++
			}
			if next.BeforeFirstRiffle() != (!next.Void() && to.taken <= firstRiffle) {
				t.Fatalf("after %d reports: before the first riffle %v", to.taken, next.BeforeFirstRiffle())
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	alive := 0
	for s := range seen {
		if !s.at.Void() {
			alive++
		}
	}
	if alive != len(seq)+1 || completes == 0 {
		t.Fatalf("%s: %d states that go on for %d reports, %d ways to complete", p.Version, alive, len(seq), completes)
	}
}

func same(a, b Report) bool { return a.Step == b.Step && a.Phase == b.Phase && a.By == b.By }

// counts tells whether the number of cards is one that the rules let pass.
func counts(r Report, size uint8) bool {
	if r.Phase == Started || r.Step == Cut {
		return true
	}
	return r.Cards == uint16(size) || r.Cards == 0 && r.Step != Gather
}

func passes(r Report) bool { return r.Step != Cut || r.Phase == Started || r.Cut == CutPassed }

func TestS3_ABreakTellsWhatWasExpectedAndWhatCame(t *testing.T) {
	seq := own(Default(), false, 52) // gather, riffle, riffle, strip, …
	m := func(s Step, p Phase) Report { return Report{Step: s, Phase: p, By: Machine} }
	for _, c := range []struct {
		name string
		done int // reports of the own sequence before it
		r    Report
		want string
	}{
		{"another step", 0, m(Riffle, Started), "out_of_order: want gather started by machine (step 1), got riffle started by machine"},
		{"a step skipped", 4, m(Strip, Started), "out_of_order: want riffle started by machine (step 4), got strip started by machine"},
		{"a wash that is not part of it", 2, Report{Step: Wash, Phase: Started, By: Dealer}, "out_of_order: want riffle started by machine (step 3), got wash started by dealer"},
		{"twice", 2, m(Gather, Started), "repeated: want riffle started by machine (step 3), got gather started by machine"},
		{"done twice", 2, m(Gather, Done), "repeated: want riffle started by machine (step 3), got gather done by machine"},
		{"done before started", 2, m(Riffle, Done), "not_started: want riffle started by machine (step 3), got riffle done by machine"},
		{"done of a step to come", 2, m(Square, Done), "out_of_order: want riffle started by machine (step 3), got square done by machine"},
		{"started twice", 1, m(Gather, Started), "already_running: want gather done by machine (step 1), got gather started by machine"},
		{"the next one too early", 1, m(Riffle, Started), "already_running: want gather done by machine (step 1), got riffle started by machine"},
		{"another one done", 3, m(Strip, Done), "out_of_order: want riffle done by machine (step 3), got strip done by machine"},
		{"the one before done again", 3, m(Gather, Done), "repeated: want riffle done by machine (step 3), got gather done by machine"},
		{"started by the wrong hands", 2, Report{Step: Riffle, Phase: Started, By: Dealer}, "wrong_actor: want riffle started by machine (step 3), got riffle started by dealer"},
		{"done by the wrong hands", 3, Report{Step: Riffle, Phase: Done, By: Dealer}, "wrong_actor: want riffle done by machine (step 3), got riffle done by dealer"},
		{"nothing", 0, Report{}, "out_of_order: want gather started by machine (step 1), got none none by none"},
		{"after the end", len(seq), m(Gather, Started), "after_complete: want nothing, got gather started by machine"},
	} {
		pass, res := run(t, Begin(Default(), false, 52), seq[:c.done]...).Apply(c.r)
		if got := res.Break.String(); got != c.want || !pass.Void() || pass.Stopped() != StopSequenceBreak {
			t.Errorf("%s: %s\nwant %s; void %v for %v", c.name, got, c.want, pass.Void(), pass.Stopped())
		}
		if _, again := pass.Apply(seq[0]); again.Break.String() != "void: want nothing, got gather started by machine" {
			t.Errorf("%s: a void pass answers %v", c.name, again.Break)
		}
	}
	if (Break{}).String() != "none" {
		t.Errorf("no break is %v", Break{})
	}
}

func TestS3_TheLongestProcedureRunsToItsEnd(t *testing.T) {
	steps := []Step{Gather, Wash, Riffle}
	for len(steps) < MaxSteps-2 {
		steps = append(steps, Riffle)
	}
	p := draft("long", append(steps, Cut, CutCard)...)
	if again, err := Parse("long", p.List()); err != nil || again != p {
		t.Fatalf("%v, %v", again.List(), err)
	}
	for _, wash := range []bool{true, false} {
		pass := run(t, Begin(p, wash, 52), own(p, wash, 52)...)
		if !pass.Complete() {
			t.Fatalf("not complete: %+v", pass)
		}
		if _, res := pass.Apply(Report{Step: CutCard, Phase: Done, By: Dealer}); res.Break.Kind != BreakAfterComplete || res.Break.WantStep != NoStep {
			t.Errorf("%+v", res)
		}
	}
}

func TestS3_AMachineThatMovesByItselfBreaksTheSequence(t *testing.T) {
	pass := run(t, Begin(Default(), false, 52), own(Default(), false, 52)[:2]...)
	if got := pass.Unasked(Riffle).String(); got != "unasked: want riffle started by machine (step 3), got riffle started by machine" {
		t.Error(got)
	}
	if got := (Progress{}).Unasked(Riffle).String(); got != "unasked: want nothing, got riffle started by machine" {
		t.Error(got)
	}
}

func TestS3_TheZeroProgressAcceptsNothing(t *testing.T) {
	for _, p := range []Progress{{}, Begin(Default(), true, 0), Begin(Procedure{}, true, 52), Progress{}.Stop(StopJam)} {
		if !p.Void() || p.Complete() || p.BeforeFirstRiffle() || p.Stopped() != NoStop {
			t.Errorf("%+v", p)
		}
		if _, _, ok := p.Next(); ok {
			t.Error("a step is next")
		}
		if _, _, ok := p.Running(); ok {
			t.Error("a step is running")
		}
		for _, r := range everyReport(52) {
			if next, res := p.Apply(r); res.Break.Kind != BreakVoid || next != p {
				t.Fatalf("%+v: %+v", r, res)
			}
		}
	}
}

func TestS2_TheWashTakesPlaceWhenItIsRequired(t *testing.T) {
	always := Default()
	always.WashAlways = true
	for _, c := range []struct {
		name string
		p    Procedure
		wash bool
		want Step
		show StepState
	}{
		{"required", Default(), true, Wash, StepWaiting}, {"not required", Default(), false, Riffle, StepSkipped}, {"always", always, false, Wash, StepWaiting},
	} {
		pass := Begin(c.p, c.wash, 52)
		pass = run(t, pass, own(c.p, c.wash, 52)[:2]...)
		next, index, ok := pass.Next()
		if !ok || next.Step != c.want || c.p.Steps[index] != next {
			t.Errorf("%s: next is %v at %d, %v", c.name, next, index, ok)
		}
		for s := range pass.Steps() {
			if s.Step == Wash && s.State != c.show {
				t.Errorf("%s: the wash is shown as %v", c.name, s.State)
			}
		}
	}
	if next, index, _ := Begin(ShortForm(), false, 52).Next(); next.Step != Riffle || index != 1 {
		t.Errorf("a first wash that is not required: next is %v at %d", next, index)
	}
}

func TestS2_AWashThatIsRequiredCannotBeLeftOut(t *testing.T) {
	seq := own(Default(), false, 52) // without the wash
	pass := run(t, Begin(Default(), true, 52), seq[:2]...)
	if _, res := pass.Apply(seq[2]); res.Break.Kind != BreakOutOfOrder || res.Break.WantStep != Wash {
		t.Errorf("riffled without a wash: %+v", res)
	}
}

func TestS4_EveryStepBelongsToItsActor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProcedure(t)
		wash := rapid.Bool().Draw(t, "wash")
		seq := own(p, wash, 52)
		at := rapid.IntRange(0, len(seq)-1).Draw(t, "at")
		pass := Begin(p, wash, 52)
		for _, r := range seq[:at] {
			pass, _ = pass.Apply(r)
		}
		other := seq[at]
		other.By = Machine + Dealer - other.By
		if _, res := pass.Apply(other); res.Break.Kind != BreakWrongActor || res.Break.WantBy != seq[at].By || res.Break.GotBy != other.By {
			t.Fatalf("%v by %v: %+v", other.Step, other.By, res)
		}
	})
}

// drawProcedure draws a procedure that validates.
func drawProcedure(t *rapid.T) Procedure {
	var steps []Step
	maybe := func(what string, s Step) {
		if rapid.Bool().Draw(t, what) {
			steps = append(steps, s)
		}
	}
	maybe("gather", Gather)
	steps = append(steps, Wash, Riffle)
	steps = append(steps, rapid.SliceOfN(rapid.SampledFrom([]Step{Riffle, Strip, Square}), 0, 8).Draw(t, "mixing")...)
	steps = append(steps, Cut)
	maybe("square", Square)
	maybe("cut card", CutCard)
	p := draft("drawn", steps...)
	for i := range steps {
		p.Steps[i].Actor = rapid.SampledFrom([]Actor{Machine, Dealer}).Draw(t, "actor")
	}
	p.WashAlways = rapid.Bool().Draw(t, "wash always")
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestS3_NothingButTheOwnSequenceCompletesAnyProcedure(t *testing.T) {
	completed, broken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p, wash := drawProcedure(t), rapid.Bool().Draw(t, "wash")
		seq := own(p, wash, 52)
		sent := slices.Clone(seq)
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			i := rapid.IntRange(0, len(sent)-1).Draw(t, "where")
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				sent = slices.Delete(sent, i, i+1)
			case 1:
				sent = slices.Insert(sent, i, sent[i])
			case 2:
				j := rapid.IntRange(0, len(sent)-1).Draw(t, "with")
				sent[i], sent[j] = sent[j], sent[i]
			case 3:
				sent[i].Step = Step(rapid.IntRange(0, 7).Draw(t, "step"))
			}
		}
		pass, refused := Begin(p, wash, 52), false
		for _, r := range sent {
			var res Result
			pass, res = pass.Apply(r)
			refused = refused || res.CutRefused
		}
		if refused {
			return // a cut that was swapped for another's report: made again
		}
		if pass.Complete() != slices.Equal(sent, seq) && !onlyCountsDiffer(sent, seq) {
			t.Fatalf("sent %v\nown %v\ncomplete %v", sent, seq, pass.Complete())
		}
		if pass.Complete() {
			completed++
		} else {
			broken++
		}
	})
	if completed == 0 || broken == 0 {
		t.Errorf("%d completed, %d not: the test looks at too little", completed, broken)
	}
}

// onlyCountsDiffer tells whether two sequences are the same steps by the same
// hands; a gather's count on another step is harmless.
func onlyCountsDiffer(a, b []Report) bool {
	return slices.EqualFunc(a, b, same)
}

func TestS5_AStopVoidsThePassWhereverItIs(t *testing.T) {
	seq := own(Default(), true, 52)
	for r := NoStop; int(r) < len(stopNames); r++ {
		for n := range len(seq) + 1 {
			pass := run(t, Begin(Default(), true, 52), seq[:n]...).Stop(r)
			want := r
			if r == NoStop {
				want = StopHalted
			}
			if !pass.Void() || pass.Complete() || pass.Stopped() != want || pass.BeforeFirstRiffle() {
				t.Fatalf("%v after %d reports: %+v", r, n, pass)
			}
			if again := pass.Stop(StopJam); again != pass {
				t.Fatalf("the first reason does not stand: %v", again.Stopped())
			}
			if n < len(seq) {
				if _, res := pass.Apply(seq[n]); res.Accepted {
					t.Fatalf("%v after %d reports: the next one is accepted", r, n)
				}
			}
			for s := range pass.Steps() {
				if s.State != StepWaiting {
					t.Fatalf("a void pass shows %v as %v", s.Step, s.State)
				}
			}
		}
	}
}

func TestS5_WhatADealerMayStopFor(t *testing.T) {
	for r := NoStop; int(r) < len(stopNames); r++ {
		want := slices.Contains([]StopReason{StopFaceExposed, StopTouched, StopSticking, StopSuspiciousOrder, StopJam, StopMissingCard, StopNoise, StopCoverOpen}, r)
		if r.DealerMay() != want {
			t.Errorf("%v: %v", r, r.DealerMay())
		}
	}
}

func TestS6_ACountThatIsNotThePacksSizeVoidsThePass(t *testing.T) {
	for _, p := range []Procedure{Default(), ByHand()} {
		seq := own(p, true, 52)
		for n, r := range seq {
			if r.Phase != Done || r.Step == Cut {
				continue
			}
			for _, got := range []uint16{51, 53, 104, 65535} {
				r.Cards = got
				pass, res := run(t, Begin(p, true, 52), seq[:n]...).Apply(r)
				if !res.CountFailed || res.Want != 52 || res.Got != got || pass.Stopped() != StopCountFailed || int(res.Index) != n/2 {
					t.Errorf("%v with %d cards: %+v", r.Step, got, res)
				}
			}
			r.Cards = 0
			if _, res := run(t, Begin(p, true, 52), seq[:n]...).Apply(r); res.CountFailed != (r.Step == Gather) {
				t.Errorf("%v not counted: %+v", r.Step, res)
			}
			r.Cards = 52
			if _, res := run(t, Begin(p, true, 52), seq[:n]...).Apply(r); !res.Accepted {
				t.Errorf("%v with 52: %+v", r.Step, res)
			}
		}
	}
}

func TestS7_ARefusedCutIsMadeAgain(t *testing.T) {
	seq := own(Default(), false, 52)
	cut := slices.IndexFunc(seq, func(r Report) bool { return r.Step == Cut })
	pass := run(t, Begin(Default(), false, 52), seq[:cut]...)
	before := pass
	for _, result := range []CutResult{CutRefused, NoCut, CutResult(9), CutRefused} {
		pass = run(t, pass, seq[cut])
		refused := seq[cut+1]
		refused.Cut = result
		var res Result
		if pass, res = pass.Apply(refused); !res.CutRefused || res.Accepted || pass != before {
			t.Fatalf("%v: %+v, %+v", result, res, pass)
		}
	}
	if _, res := pass.Apply(seq[cut+2]); res.Accepted {
		t.Error("the cut card goes under a pack that was not cut")
	}
	if pass = run(t, pass, seq[cut:]...); !pass.Complete() {
		t.Error("a good cut after refused ones does not complete")
	}
}

func TestS7_TheDepthOfTheCutLeavesNoTrace(t *testing.T) {
	seq := own(Default(), false, 52)
	cut := slices.IndexFunc(seq, func(r Report) bool { return r.Step == Cut })
	pass := run(t, Begin(Default(), false, 52), seq[:cut+1]...)
	for _, result := range []CutResult{CutPassed, CutRefused} {
		clean := Report{Step: Cut, Phase: Done, By: Dealer, Cut: result}
		want, wantRes := pass.Apply(clean)
		for depth := range uint16(53) {
			clean.Cards = depth // a device that does what it must not
			if got, res := pass.Apply(clean); got != want || res != wantRes {
				t.Fatalf("%v at depth %d: %+v", result, depth, res)
			}
		}
	}
}

func TestH1_TheFirstRiffleIsToldOncePerPass(t *testing.T) {
	for _, wash := range []bool{true, false} {
		pass, told := Begin(Default(), wash, 52), 0
		for _, r := range own(Default(), wash, 52) {
			var res Result
			if pass, res = pass.Apply(r); res.FirstRiffle {
				told++
				if r.Step != Riffle || r.Phase != Started || res.Index != 2 {
					t.Errorf("told at %v %v, step %d", r.Step, r.Phase, res.Index+1)
				}
			}
		}
		if told != 1 {
			t.Errorf("told %d times", told)
		}
	}
}

func TestH3_APassKeepsTheProcedureThatItBeganWith(t *testing.T) {
	p := Default()
	pass := Begin(p, true, 52)
	p.Steps[0] = Planned{Riffle, Dealer}
	if next, _, _ := pass.Next(); next != (Planned{Gather, Machine}) || pass.Procedure() != Default() || pass.Size() != 52 {
		t.Errorf("next is %v", next)
	}
}

func TestProgress_ScreensSeeEachStepGo(t *testing.T) {
	pass := Begin(ShortForm(), false, 52)
	seq := own(ShortForm(), false, 52)
	for n, want := range []string{
		"[wash:skipped riffle:waiting strip:waiting riffle:waiting cut:waiting]",
		"[wash:skipped riffle:running strip:waiting riffle:waiting cut:waiting]",
		"[wash:skipped riffle:done strip:waiting riffle:waiting cut:waiting]",
		"[wash:skipped riffle:done strip:running riffle:waiting cut:waiting]",
	} {
		var got []string
		for s := range pass.Steps() {
			if int(s.Index) != len(got) {
				t.Errorf("%v has index %d", s.Step, s.Index)
			}
			got = append(got, s.Step.String()+":"+s.State.String())
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %v", got, want)
		}
		running, index, ok := pass.Running()
		if ok != (n%2 == 1) || ok && (running.Step != seq[n].Step || index != uint8(n/2+1)) {
			t.Errorf("running %v at %d, %v", running, index, ok)
		}
		if _, _, next := pass.Next(); next == ok {
			t.Errorf("running %v, next %v", ok, next)
		}
		pass = run(t, pass, seq[n])
	}
	for range pass.Steps() {
		break // an iterator can be left
	}
}

func TestApply_AllocatesNothing(t *testing.T) {
	pass, seq := Begin(Default(), true, 52), own(Default(), true, 52)
	wrong := Report{Step: Square, Phase: Done, By: Dealer}
	if n := testing.AllocsPerRun(100, func() {
		p := pass
		for _, r := range seq {
			p, keptResult = p.Apply(r)
		}
		kept, keptResult = p.Apply(wrong)
	}); n != 0 {
		t.Errorf("%v allocations a shuffle", n)
	}
}

var (
	kept       Progress
	keptResult Result
)

func BenchmarkApply(b *testing.B) {
	begin, seq := Begin(Default(), true, 52), own(Default(), true, 52)
	b.ReportAllocs()
	i, p := 0, begin
	for b.Loop() {
		p, keptResult = p.Apply(seq[i])
		if i++; i == len(seq) {
			i, p = 0, begin
		}
	}
	kept = p
}
