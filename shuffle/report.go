package shuffle

// Phase is how far a step has come. The zero value is none.
type Phase uint8

// The phases. Both are reported for every step.
const (
	NoPhase Phase = iota
	Started
	Done
)

var phaseNames = names{"none", "started", "done"}

// String is the phase's name.
func (p Phase) String() string { return phaseNames.of("Phase", uint8(p)) }

// MarshalText writes the phase's name.
func (p Phase) MarshalText() ([]byte, error) { return phaseNames.marshal("phase", uint8(p)) }

// UnmarshalText reads what MarshalText writes.
func (p *Phase) UnmarshalText(text []byte) error {
	v, err := phaseNames.parse("phase", text)
	if err == nil {
		*p = Phase(v)
	}
	return err
}

// CutResult is what is known of a cut: passed or refused, never its depth (S7).
// The zero value is nothing.
type CutResult uint8

// The results.
const (
	NoCut CutResult = iota
	CutPassed
	CutRefused
)

var cutNames = names{"none", "cut_passed", "cut_refused"}

// String is the result's name.
func (c CutResult) String() string { return cutNames.of("CutResult", uint8(c)) }

// MarshalText writes the result's name.
func (c CutResult) MarshalText() ([]byte, error) { return cutNames.marshal("cut result", uint8(c)) }

// UnmarshalText reads what MarshalText writes.
func (c *CutResult) UnmarshalText(text []byte) error {
	v, err := cutNames.parse("cut result", text)
	if err == nil {
		*c = CutResult(v)
	}
	return err
}

// Report says that a step started or is done. The zero value is no report, and
// breaks the sequence like any other that does not fit.
type Report struct {
	Step  Step
	Phase Phase
	By    Actor
	// Cards is the number of cards counted in the step, when it is done; 0 = not
	// reported. In a cut it is ignored, as it might be the depth (S7).
	Cards uint16
	// Cut is the result of a cut that is done; ignored in other steps.
	Cut CutResult
}

// Result is what became of a report. Exactly one of these holds: Accepted; a
// Break with a kind; CountFailed; CutRefused. The first and the last leave a pass
// that goes on, the others a void one.
type Result struct {
	// Accepted: the report is part of the shuffle.
	Accepted bool
	// FirstRiffle: this is the start of the first riffle of the pass, which may
	// begin a hand (H1).
	FirstRiffle bool
	// Complete: this was the last step.
	Complete bool
	// CutRefused: the cut moved too few cards, or was not measured; cut again (S7).
	CutRefused bool
	// CountFailed: the step counted Got cards where the pack has Want (D5, S6). 0
	// got = not counted at all, which fails a gather.
	CountFailed bool
	Want, Got   uint16
	// Index is the step's place in the procedure, from 0.
	Index uint8
	// Break tells why the report was not accepted (S3).
	Break Break
}
