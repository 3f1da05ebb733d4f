package port

import (
	"context"
	"slices"
	"sync"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
)

// Set is the devices of one table. It satisfies controller.Devices. A part that
// has no port is not there: what is meant for it goes nowhere. All methods may
// be called from any goroutine.
type Set struct{ devices []*Device }

// NewSet makes the devices of one table, one for each part that has a port.
func NewSet(cs ...Config) *Set {
	s := &Set{}
	for i, c := range cs {
		c.Others = slices.Clone(c.Others)
		for j, o := range cs {
			if i != j {
				c.Others = append(c.Others, Other{o.Part, o.Path})
			}
		}
		s.devices = append(s.devices, New(c))
	}
	return s
}

// Run runs all devices and returns when ctx is done and all have stopped.
func (s *Set) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, d := range s.devices {
		all.Go(func() { d.Run(ctx) })
	}
	all.Wait()
}

// Halt stops a part; see Device.Halt.
func (s *Set) Halt(p fault.Part) {
	for _, d := range s.devices {
		if d.Part() == p {
			d.Halt()
		}
	}
}

// HaltAll stops all parts.
func (s *Set) HaltAll() {
	for _, d := range s.devices {
		d.Halt()
	}
}

// Do sends an order to its part; see Device.Do.
func (s *Set) Do(c table.Command) {
	for _, d := range s.devices {
		if d.Part() == c.Part {
			d.Do(c)
		}
	}
}

// Stats gives the figures of each device, in the order of NewSet.
func (s *Set) Stats() []Stats {
	out := make([]Stats, len(s.devices))
	for i, d := range s.devices {
		out[i] = d.Stats()
	}
	return out
}
