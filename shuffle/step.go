package shuffle

// Step is one motion of a shuffle (S1). Its text is what JSON and settings show.
// The zero value is no step.
type Step uint8

// The steps.
const (
	NoStep  Step = iota
	Gather       // all cards of the pack come together and are counted
	Wash         // mixed in disorder, face down on the table
	Riffle       // two halves into each other
	Strip        // packets from top to bottom
	Square       // edges aligned
	Cut          // a part of the pack goes to the other end
	CutCard      // the cut card goes under the pack
)

var stepNames = names{"none", "gather", "wash", "riffle", "strip", "square", "cut", "cut_card"}

// String is the step's name.
func (s Step) String() string { return stepNames.of("Step", uint8(s)) }

// MarshalText writes the step's name.
func (s Step) MarshalText() ([]byte, error) { return stepNames.marshal("step", uint8(s)) }

// UnmarshalText reads what MarshalText writes.
func (s *Step) UnmarshalText(text []byte) error {
	v, err := stepNames.parse("step", text)
	if err == nil {
		*s = Step(v)
	}
	return err
}

// known tells whether s is a step at all.
func (s Step) known() bool { return s > NoStep && int(s) < len(stepNames) }

// mixes tells whether the step changes the order by chance.
func (s Step) mixes() bool { return s == Wash || s == Riffle || s == Strip }

// Actor is who does a step (S4). The zero value is nobody.
type Actor uint8

// The actors. A dealer's step comes from a sensor or from the table's screen.
const (
	NoActor Actor = iota
	Machine
	Dealer
)

var actorNames = names{"none", "machine", "dealer"}

// String is the actor's name.
func (a Actor) String() string { return actorNames.of("Actor", uint8(a)) }

// MarshalText writes the actor's name.
func (a Actor) MarshalText() ([]byte, error) { return actorNames.marshal("actor", uint8(a)) }

// UnmarshalText reads what MarshalText writes.
func (a *Actor) UnmarshalText(text []byte) error {
	v, err := actorNames.parse("actor", text)
	if err == nil {
		*a = Actor(v)
	}
	return err
}

// usualActor is who does a step where nobody says otherwise (S4). The machine
// gathers because its feed counts.
func usualActor(s Step) Actor {
	switch s {
	case Wash, Cut, CutCard:
		return Dealer
	}
	return Machine
}

// Planned is one step of a procedure and who does it.
type Planned struct {
	Step  Step  `json:"step"`
	Actor Actor `json:"actor"`
}

// String is the step as [Parse] reads it: "riffle@machine".
func (p Planned) String() string { return p.Step.String() + "@" + p.Actor.String() }
