package sim

import "time"

// Never is the time of what will not happen by itself.
const Never = time.Duration(1<<63 - 1)

// Device is one end of a line, in virtual time. Times never go back; an
// earlier one counts as the present.
type Device interface {
	// Receive takes bytes from the host that arrive at now.
	Receive(now time.Duration, b []byte)
	// Advance runs up to now and gives the bytes sent since the last call,
	// valid until the next call of any method.
	Advance(now time.Duration) []byte
	// Next is when the device wants to be advanced; Never if it does not.
	Next() time.Duration
}
