package rig

import (
	"time"

	"shuffler/sim"
)

// How fast machines may be made: faster, a card takes less than the pump can
// tell; slower, nobody would wait.
const (
	slowest = 0.05
	fastest = 100.0
)

// typical are the simulator's own times of motions.
var typical = sim.Timing{
	CardIn:   36 * time.Millisecond,
	CardOut:  48 * time.Millisecond,
	CardRead: 90 * time.Millisecond,
	Wash:     8 * time.Second,
	Riffle:   3600 * time.Millisecond,
	Strip:    3 * time.Second,
	Square:   1200 * time.Millisecond,
	Cut:      1500 * time.Millisecond,
	CutCard:  time.Second,
	Home:     1500 * time.Millisecond,
}

// motions are the times of a machine that is so many times as fast. Coming to a
// halt and starting up are left as they are: SPEC.md bounds the first.
func motions(speed float64) sim.Timing {
	if speed == 1 {
		return sim.Timing{}
	}
	t := typical
	for _, d := range []*time.Duration{&t.CardIn, &t.CardOut, &t.CardRead, &t.Wash, &t.Riffle, &t.Strip, &t.Square, &t.Cut, &t.CutCard, &t.Home} {
		*d = time.Duration(float64(*d) / speed)
	}
	return t
}
