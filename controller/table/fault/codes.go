package fault

import "fmt"

// Code names a fault (M2). What it means to a person, the likely cause and the
// next step stand in the language catalogues, one text per code.
type Code uint8

// Fault codes. The first block is what devices report of themselves, the
// second what the controller sees. Numbers are not stored; names are.
const (
	None Code = iota
	JamTray
	JamEntry
	JamExit
	NotEnoughCards
	TooManyCards
	CardInside
	DoubleFeed
	Homing
	Motor
	Sensor
	CoverOpen
	EStop
	HostSilent
	Lighting
	Camera
	Power
	Internal

	LinkLost
	DeviceRestarted
	WrongDevice
	StepTimeout
	CountFailed
	SequenceBreak
	SortMode
	EarlyFeed
	ButtonStuck
	JournalFailed
	UnknownFault
	codes // how many
)

var codeNames = [codes]string{"", "jam_tray", "jam_entry", "jam_exit", "not_enough_cards", "too_many_cards", "card_inside", "double_feed", "homing", "motor",
	"sensor", "cover_open", "estop", "host_silent", "lighting", "camera", "power", "internal",
	"link_lost", "device_restarted", "wrong_device", "step_timeout", "count_failed", "sequence_break", "sort_mode", "early_feed", "button_stuck", "journal_failed", "unknown_fault"}

func (c Code) String() string {
	if c < codes {
		return codeNames[c]
	}
	return fmt.Sprintf("fault(%d)", uint8(c))
}

// ParseCode reads a fault's name.
func ParseCode(s string) (Code, error) {
	for i, n := range codeNames {
		if n == s {
			return Code(i), nil
		}
	}
	return None, fmt.Errorf("unknown fault code %q", s)
}

// All lists every code but None, for catalogues and tests.
func All() (l []Code) {
	for c := None + 1; c < codes; c++ {
		l = append(l, c)
	}
	return l
}

// MarshalText writes the code's name.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (c *Code) UnmarshalText(b []byte) (err error) {
	*c, err = ParseCode(string(b))
	return err
}
