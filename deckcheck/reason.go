package deckcheck

// UnreadReason tells why a scan could not be judged (D2). The zero value,
// NotStopped, says that it ran to its end. Its text is what JSON shows.
type UnreadReason uint8

// The reasons. None of them says anything about the pack.
const (
	NotStopped            UnreadReason = iota
	UnreadLostFrame                    // a report of the scanner is missing or does not add up
	UnreadTimeout                      // the scan took too long
	UnreadCoverOpen                    // the cover was opened
	UnreadLighting                     // the reader's light is not as it should be
	UnreadCard                         // a card passed that could not be read
	UnreadHalted                       // someone or something halted the scan
	UnreadLinkLost                     // no more word from the scanner
	UnreadDeviceRestarted              // the scanner started anew in the middle
	UnreadDeviceFault                  // the scanner reported a fault
	UnreadRestarted                    // the controller started anew in the middle (M3)
	UnreadNoCards                      // the scan ended and no card was read
	UnreadCountNotStated               // no feed counter, and the dealer has not stated the count (D1)
)

var reasonNames = names{
	"none", "lost_frame", "timeout", "cover_open", "lighting", "unreadable_card", "halted", "link_lost", "device_restarted", "device_fault",
	"restarted", "no_cards", "count_not_stated",
}

// String is the reason's name.
func (r UnreadReason) String() string { return reasonNames.of("UnreadReason", uint8(r)) }

// MarshalText writes the reason's name.
func (r UnreadReason) MarshalText() ([]byte, error) {
	return reasonNames.marshal("unread reason", uint8(r))
}

// UnmarshalText reads what MarshalText writes.
func (r *UnreadReason) UnmarshalText(text []byte) error {
	v, err := reasonNames.parse("unread reason", text)
	if err == nil {
		*r = UnreadReason(v)
	}
	return err
}
