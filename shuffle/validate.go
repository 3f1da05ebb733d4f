package shuffle

import (
	"errors"
	"fmt"
	"strings"
)

// The bounds of min_cut. One or two cards are no cut (S7); of 52, more than 25 on
// each side leaves nothing to choose.
const (
	LeastMinCut = 3
	MostMinCut  = 25
)

// Validate tells whether the procedure is a shuffle at all (S1). It names every
// fault that it finds, with the step's place.
func (p Procedure) Validate() error {
	var faults faults
	if strings.TrimSpace(p.Version) == "" {
		faults.add("no version: every report names it")
	}
	if p.Approved && (strings.TrimSpace(p.ApprovedBy) == "" || strings.TrimSpace(p.ApprovedAt) == "") {
		faults.add("approved, but not by whom and when: name both, or leave it a draft")
	}
	if p.MinCut < LeastMinCut || p.MinCut > MostMinCut {
		faults.add("min_cut %d: want %d to %d cards", p.MinCut, LeastMinCut, MostMinCut)
	}
	if p.N > MaxSteps {
		faults.add("%d steps: at most %d", p.N, MaxSteps)
	}
	for i, s := range p.Steps[len(p.plan()):] {
		if s != (Planned{}) {
			faults.add("step %d (%v) stands after the end: the procedure has %d", len(p.plan())+i+1, s, p.N)
		}
	}
	p.checkWhole(&faults)
	for i, s := range p.plan() {
		p.checkStep(i, s, &faults)
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("shuffle: procedure %s: %w", quote(p.Version), errors.Join(faults...))
}

// checkWhole looks for steps that no shuffle can do without.
func (p *Procedure) checkWhole(f *faults) {
	if p.first(Riffle) < 0 {
		f.add("no riffle: nothing would mix the pack, and no hand could begin")
	}
	if p.first(Cut) < 0 {
		f.add("no cut: a pack is not ready without one (S7)")
	}
	if p.first(Wash) < 0 {
		f.add("no wash: new decks and breaks require it (S2); without a reason it is skipped by itself")
	}
}

// checkStep looks at one step and its place.
func (p *Procedure) checkStep(i int, s Planned, f *faults) {
	riffle, cut := p.first(Riffle), p.first(Cut)
	wrong := func(what string) { f.add("step %d (%v): %s", i+1, s.Step, what) }
	if !s.Step.known() {
		wrong("unknown step")
	}
	if s.Actor != Machine && s.Actor != Dealer {
		wrong("nobody does it: want machine or dealer")
	}
	if s.Step.mixes() && cut >= 0 && i > cut {
		wrong("mixes after the cut: the cut comes after all mixing")
	}
	if before := p.first(s.Step); i != before {
		switch s.Step {
		case Gather, Wash, Cut, CutCard:
			wrong(fmt.Sprintf("is step %d already", before+1))
			return
		}
	}
	switch {
	case s.Step == Gather && i > 0:
		wrong("must be the first step: the pack is counted before it is shuffled")
	case s.Step == Wash && riffle >= 0 && i > riffle:
		wrong("must come before the first riffle")
	case s.Step == Strip && riffle >= 0 && i < riffle:
		wrong("must come after the first riffle")
	case s.Step == CutCard && i < cut:
		wrong("must come after the cut, or the cut takes the card from the bottom")
	case s.Step == CutCard && i != len(p.plan())-1:
		wrong("must be the last step: it stays under the pack (S7)")
	}
}

// faults collects what is wrong, so that one look mends it all.
type faults []error

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }
