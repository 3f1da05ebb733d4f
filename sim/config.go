package sim

import (
	"time"

	"shuffler/protocol"
)

// What a machine can do when Config.Caps says nothing. The default shuffler
// leaves wash, cut and cut card to the dealer (S4).
const (
	ShufflerCaps = protocol.CapGatherCounter | protocol.CapExitCounter | protocol.CapGather | protocol.CapRiffle | protocol.CapStrip |
		protocol.CapSquare | protocol.CapRelease | protocol.CapSortMode | protocol.CapLocalButton | allLines
	ScannerCaps = protocol.CapScan | protocol.CapFeedCounter | protocol.CapCoverLine | protocol.CapEStopLine | protocol.CapTrayLine | protocol.CapExitLine
	AllCaps     = ShufflerCaps | protocol.CapWash | protocol.CapCut | protocol.CapCutCard | protocol.CapScan | protocol.CapFeedCounter |
		protocol.CapIdentityAfterShuffle

	allLines = protocol.CapCoverLine | protocol.CapEStopLine | protocol.CapTrayLine | protocol.CapExitLine | protocol.CapChamberLine
)

// Config is what a machine is. The zero value is a typical one.
type Config struct {
	Maker, Model, Serial, Firmware string // at most 24 bytes of printable ASCII each
	Role                           protocol.Role
	Caps                           protocol.Caps
	Timing                         Timing
	BootText                       string // printed on the line at power-up, as some firmware does; no 0x00 in it
}

// Timing is how long a machine takes. A field that is 0 is the default.
type Timing struct {
	CardIn   time.Duration // a card from tray to chamber
	CardOut  time.Duration // a card from chamber to exit
	CardRead time.Duration // a card past the camera
	Wash     time.Duration
	Riffle   time.Duration
	Strip    time.Duration
	Square   time.Duration
	Cut      time.Duration
	CutCard  time.Duration
	Home     time.Duration // a reset
	Halt     time.Duration // from HALT to standstill; more than 50 ms breaks SPEC
	Boot     time.Duration // from power-up to the first status
	Spread   float64       // each motion is longer or shorter by up to this part, 0…0.9; negative is none
}

// A typical machine: a whole shuffle takes about 20 s.
var typicalTiming = Timing{
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
	Halt:     20 * time.Millisecond,
	Boot:     800 * time.Millisecond,
	Spread:   0.03,
}

func (t Timing) withDefaults() Timing {
	d := typicalTiming
	for _, f := range []struct{ is, or *time.Duration }{
		{&t.CardIn, &d.CardIn}, {&t.CardOut, &d.CardOut}, {&t.CardRead, &d.CardRead}, {&t.Wash, &d.Wash}, {&t.Riffle, &d.Riffle}, {&t.Strip, &d.Strip},
		{&t.Square, &d.Square}, {&t.Cut, &d.Cut}, {&t.CutCard, &d.CutCard}, {&t.Home, &d.Home}, {&t.Halt, &d.Halt}, {&t.Boot, &d.Boot},
	} {
		if *f.is <= 0 {
			*f.is = *f.or
		}
	}
	switch {
	case t.Spread == 0:
		t.Spread = d.Spread
	case t.Spread < 0:
		t.Spread = 0
	case t.Spread > 0.9:
		t.Spread = 0.9
	}
	return t
}

// whole is how long a motion takes that moves the pack as one.
func (t Timing) whole(k protocol.Kind) time.Duration {
	switch k {
	case protocol.KindWash:
		return t.Wash
	case protocol.KindRiffle:
		return t.Riffle
	case protocol.KindStrip:
		return t.Strip
	case protocol.KindSquare:
		return t.Square
	case protocol.KindCut:
		return t.Cut
	case protocol.KindCutCard:
		return t.CutCard
	}
	return t.Home
}
