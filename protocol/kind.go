package protocol

// Kind is what an operation does (SPEC.md 5.1).
type Kind uint8

// Kinds. Those up to KindCutCard are steps of a shuffle.
const (
	KindNone    Kind = 0
	KindGather  Kind = 1
	KindWash    Kind = 2
	KindRiffle  Kind = 3
	KindStrip   Kind = 4
	KindSquare  Kind = 5
	KindCut     Kind = 6
	KindCutCard Kind = 7
	KindRelease Kind = 16
	KindScan    Kind = 17
	KindReset   Kind = 18
)

// String gives the name in SPEC.md, or the number.
func (k Kind) String() string {
	return name(k, "none", "gather", "wash", "riffle", "strip", "square", "cut", "cut_card",
		"", "", "", "", "", "", "", "", "release", "scan", "reset")
}

// IsStep tells whether a Step may carry k.
func (k Kind) IsStep() bool { return k >= KindGather && k <= KindCutCard }

// Cap gives the capability that a device needs for k; 0 if none.
func (k Kind) Cap() Caps {
	switch k {
	case KindGather:
		return CapGather
	case KindWash:
		return CapWash
	case KindRiffle:
		return CapRiffle
	case KindStrip:
		return CapStrip
	case KindSquare:
		return CapSquare
	case KindCut:
		return CapCut
	case KindCutCard:
		return CapCutCard
	case KindRelease:
		return CapRelease
	case KindScan:
		return CapScan
	}
	return 0
}

// Phase is how far the accepted operation is (SPEC.md 5.4). An unknown phase
// counts as failed.
type Phase uint8

// Phases.
const (
	PhaseIdle    Phase = 0 // no operation in this session yet
	PhaseWaiting Phase = 1 // accepted, waits for the pack
	PhaseRunning Phase = 2
	PhaseDone    Phase = 3
	PhaseFailed  Phase = 4
)

// String gives the name in SPEC.md, or the number.
func (p Phase) String() string { return name(p, "idle", "waiting", "running", "done", "failed") }

// Result is what an operation found beside its phase (SPEC.md 5.5). Of a cut
// it is all that is ever told (S7).
type Result uint8

// Results.
const (
	ResultNone       Result = 0
	ResultCutPassed  Result = 1
	ResultCutRefused Result = 2
)

// String gives the name in SPEC.md, or the number.
func (r Result) String() string { return name(r, "none", "cut_passed", "cut_refused") }

// Reason is why an operation is refused (SPEC.md 5.9).
type Reason uint8

// Reasons of a Nak.
const (
	ReasonNoSession   Reason = 1
	ReasonOld         Reason = 2
	ReasonBusy        Reason = 3
	ReasonUnsupported Reason = 4
	ReasonBadArgument Reason = 5
	ReasonHalted      Reason = 6
	ReasonFault       Reason = 7
	ReasonBlocked     Reason = 8
)

// String gives the name in SPEC.md, or the number.
func (r Reason) String() string {
	return name(r, "", "no_session", "old", "busy", "unsupported", "bad_argument", "halted", "fault", "blocked")
}

// Stop is why reading ended (SPEC.md 5.8). Any but StopEnd means that the
// reading is not complete.
type Stop uint8

// Reasons to stop reading.
const (
	StopEnd        Stop = 0
	StopTimeout    Stop = 1
	StopFrameLost  Stop = 2
	StopLighting   Stop = 3
	StopCoverOpen  Stop = 4
	StopEStop      Stop = 5
	StopFault      Stop = 6
	StopHalt       Stop = 7
	StopHostSilent Stop = 8
)

// String gives the name in SPEC.md, or the number.
func (s Stop) String() string {
	return name(s, "end", "timeout", "frame_lost", "lighting", "cover_open", "estop", "fault", "halt", "host_silent")
}
