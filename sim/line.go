package sim

import (
	"math/rand/v2"
	"time"

	"shuffler/protocol"
)

// LineFaults is what is wrong with a cable, each way. The zero value is a
// perfect cable.
type LineFaults struct{ ToDevice, ToHost WayFaults }

// WayFaults is what is wrong with one way of a cable. Chances are 0…1. The
// zero value is a perfect way.
type WayFaults struct {
	Latency time.Duration // of every byte
	Jitter  time.Duration // up to so much more, by frame; bytes never overtake each other
	Baud    int           // bits a second, ten for a byte; 0 takes no time

	Lose   float64 // chance of a frame to be lost
	Repeat float64 // of a frame to come twice
	Cut    float64 // of a frame to lose its end, delimiter included
	Text   float64 // of junk text in front of a frame
	Flip   float64 // of a byte to be another

	Burst      float64 // chance of a frame to meet a burst of noise
	BurstBytes int     // of so many wrong bytes in a row; 0 is 16
}

// SymmetricFaults has the same trouble both ways.
func SymmetricFaults(w WayFaults) LineFaults { return LineFaults{w, w} }

// LineCounts tells what a line did.
type LineCounts struct{ ToDevice, ToHost WayCounts }

// WayCounts tells what one way did.
type WayCounts struct {
	Bytes    uint64 // delivered
	Frames   uint64 // chunks that were sent
	Lost     uint64
	Repeated uint64
	Cut      uint64
	Texts    uint64
	Flipped  uint64 // bytes
	Bursts   uint64
	Silenced uint64 // frames that fell into a silence
}

// Line is a device at the end of a bad cable, on one virtual clock. The driver
// writes what the host sends, reads what arrives there, and asks Next how far
// it may let the clock run. All chance comes from its own rng, so that the
// device's is not disturbed. Not to be shared between goroutines.
type Line struct {
	dev      Device
	toDevice way
	toHost   way
}

// NewLine lays a cable to a device.
func NewLine(dev Device, f LineFaults, rng *rand.Rand) *Line {
	l := &Line{dev: dev}
	l.toDevice = newWay(f.ToDevice, rng)
	l.toHost = newWay(f.ToHost, rng)
	return l
}

// Write takes bytes that the host sends at now.
func (l *Line) Write(now time.Duration, b []byte) {
	l.Advance(now)
	l.toDevice.push(now, b)
	l.Advance(now)
}

// Read gives the bytes that have arrived at the host by now; valid until the
// next call.
func (l *Line) Read(now time.Duration) []byte {
	l.Advance(now)
	return l.toHost.pop(now)
}

// Next is when something happens next: it is time to read then. After a
// person's deed at the device ask again.
func (l *Line) Next() time.Duration {
	return min(l.toDevice.next(), l.dev.Next(), l.toHost.next())
}

// Advance runs device and cable up to now, in order of time. Write and Read do
// so too; call it before a person's deed, which happens at the device's present.
func (l *Line) Advance(now time.Duration) {
	for {
		arrive, act := l.toDevice.next(), l.dev.Next()
		t := min(arrive, act)
		if t > now {
			break
		}
		if arrive <= act {
			l.dev.Receive(t, l.toDevice.pop(t))
		}
		l.toHost.push(t, l.dev.Advance(t))
	}
	l.toHost.push(now, l.dev.Advance(now))
}

// SetFaults gives the cable other troubles from now on.
func (l *Line) SetFaults(f LineFaults) { l.toDevice.faults, l.toHost.faults = f.ToDevice, f.ToHost }

// Silence lets all that is sent by from between now and now+d get lost;
// AnyDirection is both, Never until it is called again, 0 ends it.
func (l *Line) Silence(now time.Duration, from protocol.Direction, d time.Duration) {
	until := now + d
	if d == Never {
		until = Never
	}
	if from != protocol.FromDevice {
		l.toDevice.silent = until
	}
	if from != protocol.FromHost {
		l.toHost.silent = until
	}
}

// Lose lets frames get lost by choice: pick is asked for each frame with the
// bytes as sent, delimiter included, and says whether it is lost. Nil ends it.
func (l *Line) Lose(pick func(from protocol.Direction, frame []byte) bool) {
	l.toDevice.pick, l.toHost.pick = nil, nil
	if pick != nil {
		l.toDevice.pick = func(b []byte) bool { return pick(protocol.FromHost, b) }
		l.toHost.pick = func(b []byte) bool { return pick(protocol.FromDevice, b) }
	}
}

// Counts tells what the line did so far.
func (l *Line) Counts() LineCounts { return LineCounts{l.toDevice.count, l.toHost.count} }
