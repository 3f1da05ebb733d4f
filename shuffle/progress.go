package shuffle

// Progress is one pass of a pack through a procedure, of which it keeps its own
// copy: a setting changed meanwhile does not touch it (H3). Comparable; every
// method returns the next value instead of changing this one. The zero value is
// void: no pass is under way, and nothing is accepted.
type Progress struct {
	procedure Procedure
	size      uint8
	wash      bool
	at        uint8 // index of the step that runs or comes next; procedure.N when complete
	running   bool
	stopped   StopReason
}

// Begin starts a pass of a pack of size cards (52, or a stub's size: H8). wash
// tells that a wash is required (S2); a procedure with WashAlways washes anyway.
// A procedure that [Procedure.Validate] refuses, or a size of 0, gives a void
// Progress, which accepts nothing.
func Begin(p Procedure, wash bool, size uint8) Progress {
	if size == 0 || p.Validate() != nil {
		return Progress{}
	}
	pass := Progress{procedure: p, size: size, wash: wash || p.WashAlways}
	pass.skip()
	return pass
}

// skip goes past the steps that are not part of this pass.
func (p *Progress) skip() {
	for p.at < p.procedure.N && p.skipped(p.at) {
		p.at++
	}
}

func (p *Progress) skipped(i uint8) bool { return p.procedure.Steps[i].Step == Wash && !p.wash }

// Procedure is the copy that this pass runs by.
func (p Progress) Procedure() Procedure { return p.procedure }

// Size is the number of cards that the pack has.
func (p Progress) Size() uint8 { return p.size }

// Void tells that nothing more will be accepted: the pass was stopped or broken,
// or never begun. The pack has to start over from the first step.
func (p Progress) Void() bool { return p.size == 0 || p.stopped != NoStop }

// Stopped is why the pass is void; NoStop if it is not, or was never begun.
func (p Progress) Stopped() StopReason { return p.stopped }

// Complete tells that every step is done.
func (p Progress) Complete() bool { return !p.Void() && p.at == p.procedure.N }

// Next is the step that may start now, with its index in the procedure. Not ok
// while a step is running, and when the pass is complete or void.
func (p Progress) Next() (next Planned, index uint8, ok bool) {
	if p.Void() || p.Complete() || p.running {
		return Planned{}, 0, false
	}
	return p.procedure.Steps[p.at], p.at, true
}

// Running is the step that has started and is not done.
func (p Progress) Running() (step Planned, index uint8, ok bool) {
	if p.Void() || !p.running {
		return Planned{}, 0, false
	}
	return p.procedure.Steps[p.at], p.at, true
}

// Left tells whether a step of that actor runs or is still to come.
func (p Progress) Left(by Actor) bool {
	if p.Void() {
		return false
	}
	for i := p.at; i < p.procedure.N; i++ {
		if p.procedure.Steps[i].Actor == by && !p.skipped(i) {
			return true
		}
	}
	return false
}

// BeforeFirstRiffle tells that a pass is under way and its first riffle has not
// started: until then it begins no hand (H1).
func (p Progress) BeforeFirstRiffle() bool {
	first := p.procedure.first(Riffle)
	return !p.Void() && (int(p.at) < first || int(p.at) == first && !p.running)
}

// expected is the report that the pass waits for.
func (p *Progress) expected() Report {
	s := p.procedure.Steps[p.at]
	if p.running {
		return Report{Step: s.Step, Phase: Done, By: s.Actor}
	}
	return Report{Step: s.Step, Phase: Started, By: s.Actor}
}

// before is the step that was done last, NoStep if none.
func (p *Progress) before() Step {
	for i := p.at; i > 0; i-- {
		if !p.skipped(i - 1) {
			return p.procedure.Steps[i-1].Step
		}
	}
	return NoStep
}

// Apply takes one report. Only the one that the pass waits for is accepted (S3);
// any other breaks the sequence, and the Progress returned is void. A count that
// is not the pack's size voids it too. A refused cut leaves it where it was, with
// the cut to be made again (S7). It allocates nothing.
func (p Progress) Apply(r Report) (Progress, Result) {
	if p.Void() || p.Complete() {
		return p.Stop(StopSequenceBreak), Result{Break: p.broken(p.kindOf(r), r)}
	}
	want := p.expected()
	if r.Step != want.Step || r.Phase != want.Phase || r.By != want.By {
		return p.Stop(StopSequenceBreak), Result{Index: p.at, Break: p.broken(p.kindOf(r), r)}
	}
	if r.Phase == Started {
		first := r.Step == Riffle && p.BeforeFirstRiffle()
		p.running = true
		return p, Result{Accepted: true, Index: p.at, FirstRiffle: first}
	}
	return p.done(r)
}

// done takes the end of the running step.
func (p Progress) done(r Report) (Progress, Result) {
	res := Result{Index: p.at}
	if p.countFails(r) {
		res.CountFailed, res.Want, res.Got = true, uint16(p.size), r.Cards
		return p.Stop(StopCountFailed), res
	}
	p.running = false
	if r.Step == Cut && r.Cut != CutPassed { // not measured is not passed
		res.CutRefused = true
		return p, res
	}
	p.at++
	p.skip()
	res.Accepted, res.Complete = true, p.Complete()
	return p, res
}

// countFails tells whether a step counted another number of cards than the pack
// has. A gather must count; other steps may.
func (p *Progress) countFails(r Report) bool {
	switch {
	case r.Step == Cut: // it might be the depth, which nobody may learn (S7)
		return false
	case r.Step != Gather && r.Cards == 0:
		return false
	}
	return r.Cards != uint16(p.size)
}

// Stop makes the pass void, complete or not (S5). The first reason stands. A pass
// that was never begun stays so; NoStop counts as StopHalted.
func (p Progress) Stop(why StopReason) Progress {
	if p.Void() {
		return p
	}
	if why == NoStop {
		why = StopHalted
	}
	p.stopped, p.running, p.at = why, false, 0 // nothing that was done counts
	return p
}
