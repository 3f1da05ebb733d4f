package shuffle

// StopReason is why a shuffle is void (S5). The zero value is none. Its text is
// what JSON shows.
type StopReason uint8

// The reasons. The first eight are S5's; dealer and floor may call them.
const (
	NoStop              StopReason = iota
	StopFaceExposed                // a face was seen
	StopTouched                    // the pack was touched by someone else
	StopSticking                   // cards stick together
	StopSuspiciousOrder            // the order looks suspicious
	StopJam                        // cards are jammed
	StopMissingCard                // the machine signals a missing card
	StopNoise                      // the machine sounds abnormal
	StopCoverOpen                  // the cover was opened
	StopEStop                      // emergency stop
	StopLinkLost                   // no more word from the machine: where the cards are is unknown (M3)
	StopRestarted                  // machine or controller started anew (M3)
	StopDeviceFault                // the machine reported a fault
	StopFloorVoid                  // the floor voids the shuffle (S3)
	StopCountFailed                // a count was not the pack's size
	StopSequenceBreak              // a step out of its place (S3)
	StopHold                       // the table is held (H12)
	StopHalted                     // halted from the controller's side
	StopJournal                    // what happens could not be recorded
	StopDraw                       // its cards are used for a draw (D9)
	StopBreak                      // a break begins (H11)
)

var stopNames = names{
	"none", "face_exposed", "touched", "sticking", "suspicious_order", "jam", "missing_card", "noise", "cover_open",
	"estop", "link_lost", "restarted", "device_fault", "floor_void", "count_failed", "sequence_break", "hold", "halted", "journal", "used_for_draw", "on_break",
}

// String is the reason's name.
func (r StopReason) String() string { return stopNames.of("StopReason", uint8(r)) }

// MarshalText writes the reason's name.
func (r StopReason) MarshalText() ([]byte, error) { return stopNames.marshal("stop reason", uint8(r)) }

// UnmarshalText reads what MarshalText writes.
func (r *StopReason) UnmarshalText(text []byte) error {
	v, err := stopNames.parse("stop reason", text)
	if err == nil {
		*r = StopReason(v)
	}
	return err
}

// DealerMay tells whether a dealer may stop a shuffle for this reason: what S5
// names and a person at the table can see. To void it for any other reason is the
// floor's (S3).
func (r StopReason) DealerMay() bool { return r >= StopFaceExposed && r <= StopCoverOpen }
