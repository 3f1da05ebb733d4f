package port

import "time"

// Tuning constants of reopening.
const (
	firstRetry = 200 * time.Millisecond
	lastRetry  = 5 * time.Second
	busyRetry  = time.Second
	// BusyQuiet is how long a port that another program uses is tried before anybody
	// is told: ModemManager looks at each new port.
	BusyQuiet = 30 * time.Second
)

// backoff is the wait between openings. The zero value is ready.
type backoff struct {
	first time.Duration // 0 is firstRetry
	last  time.Duration
}

func (b *backoff) next() time.Duration {
	first := b.first
	if first == 0 {
		first = firstRetry
	}
	b.last = min(max(2*b.last, first), lastRetry)
	return b.last
}

func (b *backoff) reset() { b.last = 0 }
