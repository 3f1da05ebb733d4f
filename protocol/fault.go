package protocol

// Fault is a latched fault of a device (SPEC.md 5.6: cause and next step).
// Unknown codes block like known ones.
type Fault uint16

// Fault codes. FaultVendor and above are a maker's own.
const (
	FaultNone           Fault = 0
	FaultJamTray        Fault = 1
	FaultJamEntry       Fault = 2
	FaultJamExit        Fault = 3
	FaultNotEnoughCards Fault = 4
	FaultTooManyCards   Fault = 5
	FaultCardInside     Fault = 6
	FaultDoubleFeed     Fault = 7
	FaultHoming         Fault = 8
	FaultMotor          Fault = 9
	FaultSensor         Fault = 10
	FaultCoverOpen      Fault = 11
	FaultEStop          Fault = 12
	FaultHostSilent     Fault = 13
	FaultLighting       Fault = 14
	FaultCamera         Fault = 15
	FaultPower          Fault = 16
	FaultInternal       Fault = 17

	FaultVendor Fault = 0x8000
)

// String gives the name in SPEC.md, or the number.
func (f Fault) String() string {
	return name(f, "none", "jam_tray", "jam_entry", "jam_exit", "not_enough_cards", "too_many_cards", "card_inside",
		"double_feed", "homing", "motor", "sensor", "cover_open", "estop", "host_silent", "lighting", "camera", "power", "internal")
}
