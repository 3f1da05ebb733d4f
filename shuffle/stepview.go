package shuffle

import "iter"

// StepState is what a screen shows of a step. The zero value is waiting.
type StepState uint8

// The states.
const (
	StepWaiting StepState = iota
	StepRunning
	StepDone
	StepSkipped // not part of this pass: a wash that nothing requires (S2)
)

var stateNames = names{"waiting", "running", "done", "skipped"}

// String is the state's name.
func (s StepState) String() string { return stateNames.of("StepState", uint8(s)) }

// MarshalText writes the state's name.
func (s StepState) MarshalText() ([]byte, error) { return stateNames.marshal("step state", uint8(s)) }

// UnmarshalText reads what MarshalText writes.
func (s *StepState) UnmarshalText(text []byte) error {
	v, err := stateNames.parse("step state", text)
	if err == nil {
		*s = StepState(v)
	}
	return err
}

// StepView is one step as a screen shows it.
type StepView struct {
	Planned
	Index uint8     `json:"index"`
	State StepState `json:"state"`
}

// Steps gives the steps in their order. Of a void pass all are waiting: none of
// what was done counts.
func (p Progress) Steps() iter.Seq[StepView] {
	return func(yield func(StepView) bool) {
		for i, s := range p.procedure.plan() {
			if !yield(StepView{s, uint8(i), p.state(uint8(i))}) {
				return
			}
		}
	}
}

func (p *Progress) state(i uint8) StepState {
	switch {
	case p.skipped(i):
		return StepSkipped
	case i < p.at:
		return StepDone
	case i == p.at && p.running:
		return StepRunning
	}
	return StepWaiting
}
