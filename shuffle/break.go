package shuffle

import "fmt"

// BreakKind is in which way a report broke the sequence (S3). The zero value is
// no break.
type BreakKind uint8

// The kinds.
const (
	NoBreak             BreakKind = iota
	BreakOutOfOrder               // another step is next
	BreakRepeated                 // that step is done already
	BreakNotStarted               // done, and never started
	BreakAlreadyRunning           // started while a step is running
	BreakWrongActor               // the right step by the wrong hands (S4)
	BreakAfterComplete            // the shuffle is complete
	BreakVoid                     // no shuffle is under way: it was stopped, or never begun
	BreakUnasked                  // the machine moved by itself
)

var breakNames = names{
	"none", "out_of_order", "repeated", "not_started", "already_running", "wrong_actor", "after_complete", "void", "unasked",
}

// String is the kind's name.
func (k BreakKind) String() string { return breakNames.of("BreakKind", uint8(k)) }

// MarshalText writes the kind's name.
func (k BreakKind) MarshalText() ([]byte, error) { return breakNames.marshal("break", uint8(k)) }

// UnmarshalText reads what MarshalText writes.
func (k *BreakKind) UnmarshalText(text []byte) error {
	v, err := breakNames.parse("break", text)
	if err == nil {
		*k = BreakKind(v)
	}
	return err
}

// Break is a sequence break: what was expected and what came (S3). Comparable;
// the zero value is none. Nothing was expected after a complete or void pass: the
// Want fields are empty then.
type Break struct {
	Kind      BreakKind `json:"kind"`
	Index     uint8     `json:"index"` // of the expected step, from 0
	WantStep  Step      `json:"want_step,omitzero"`
	WantPhase Phase     `json:"want_phase,omitzero"`
	WantBy    Actor     `json:"want_by,omitzero"`
	GotStep   Step      `json:"got_step,omitzero"`
	GotPhase  Phase     `json:"got_phase,omitzero"`
	GotBy     Actor     `json:"got_by,omitzero"`
}

// String is the break for a log: "out_of_order: want riffle started by machine
// (step 3), got strip started by machine".
func (b Break) String() string {
	if b.Kind == NoBreak {
		return b.Kind.String()
	}
	want := "nothing"
	if b.WantStep != NoStep {
		want = fmt.Sprintf("%v %v by %v (step %d)", b.WantStep, b.WantPhase, b.WantBy, b.Index+1)
	}
	return fmt.Sprintf("%v: want %s, got %v %v by %v", b.Kind, want, b.GotStep, b.GotPhase, b.GotBy)
}

// kindOf tells in which way a report that does not fit breaks the sequence.
func (p *Progress) kindOf(r Report) BreakKind {
	if p.Complete() {
		return BreakAfterComplete
	}
	if p.Void() {
		return BreakVoid
	}
	want := p.expected()
	switch {
	case r.Step == want.Step && r.Phase == want.Phase:
		return BreakWrongActor
	case p.running && r.Phase == Started:
		return BreakAlreadyRunning
	case r.Step != NoStep && r.Step == p.before():
		return BreakRepeated
	case r.Step == want.Step && r.Phase == Done:
		return BreakNotStarted
	}
	return BreakOutOfOrder
}

// broken is the break that a report made.
func (p *Progress) broken(kind BreakKind, r Report) Break {
	b := Break{Kind: kind, GotStep: r.Step, GotPhase: r.Phase, GotBy: r.By}
	if p.Void() || p.Complete() {
		return b
	}
	want := p.expected()
	b.Index, b.WantStep, b.WantPhase, b.WantBy = p.at, want.Step, want.Phase, want.By
	return b
}

// Unasked is the break of a machine that started a step by itself, be it the
// right one: it moves when it is told to (S3, M4). The caller stops the pass.
func (p Progress) Unasked(s Step) Break {
	return p.broken(BreakUnasked, Report{Step: s, Phase: Started, By: Machine})
}
