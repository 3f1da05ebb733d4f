package device

import (
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
	"shuffler/protocol"
	"shuffler/shuffle"
)

// The words of the wire and those of the table, side by side.

var kinds = [...]struct {
	step shuffle.Step
	kind protocol.Kind
}{
	{shuffle.Gather, protocol.KindGather}, {shuffle.Wash, protocol.KindWash}, {shuffle.Riffle, protocol.KindRiffle},
	{shuffle.Strip, protocol.KindStrip}, {shuffle.Square, protocol.KindSquare}, {shuffle.Cut, protocol.KindCut},
	{shuffle.CutCard, protocol.KindCutCard},
}

func kindOf(s shuffle.Step) protocol.Kind {
	for _, k := range kinds {
		if k.step == s {
			return k.kind
		}
	}
	return protocol.KindNone
}

func stepOf(k protocol.Kind) shuffle.Step {
	for _, w := range kinds {
		if w.kind == k {
			return w.step
		}
	}
	return shuffle.NoStep
}

var faults = map[protocol.Fault]fault.Code{
	protocol.FaultNone: fault.None, protocol.FaultJamTray: fault.JamTray, protocol.FaultJamEntry: fault.JamEntry, protocol.FaultJamExit: fault.JamExit,
	protocol.FaultNotEnoughCards: fault.NotEnoughCards, protocol.FaultTooManyCards: fault.TooManyCards, protocol.FaultCardInside: fault.CardInside,
	protocol.FaultDoubleFeed: fault.DoubleFeed, protocol.FaultHoming: fault.Homing, protocol.FaultMotor: fault.Motor, protocol.FaultSensor: fault.Sensor,
	protocol.FaultCoverOpen: fault.CoverOpen, protocol.FaultEStop: fault.EStop, protocol.FaultHostSilent: fault.HostSilent,
	protocol.FaultLighting: fault.Lighting, protocol.FaultCamera: fault.Camera, protocol.FaultPower: fault.Power, protocol.FaultInternal: fault.Internal,
}

// faultOf names a device's fault; one that this program does not know blocks
// like any other.
func faultOf(f protocol.Fault) fault.Code {
	if c, known := faults[f]; known {
		return c
	}
	return fault.UnknownFault
}

func linesOf(l protocol.Lines) table.Lines {
	return table.Lines{
		Cover: l.Has(protocol.LineCover), EStop: l.Has(protocol.LineEStop), Tray: l.Has(protocol.LineTray),
		Chamber: l.Has(protocol.LineChamber), SortMode: l.Has(protocol.LineSortMode), Halted: l.Has(protocol.LineHalted),
	}
}

func cutOf(r protocol.Result) shuffle.CutResult {
	switch r {
	case protocol.ResultCutPassed:
		return shuffle.CutPassed
	case protocol.ResultCutRefused:
		return shuffle.CutRefused
	}
	return shuffle.NoCut
}

// minCut is stated for a cut only.
func minCut(c table.Command) uint8 {
	if c.Step != shuffle.Cut {
		return 0
	}
	return c.MinCut
}

func deviceOf(m protocol.Ident) table.Device {
	return table.Device{
		Maker: m.Maker.String(), Model: m.Model.String(), Serial: m.Serial.String(), Firmware: m.Firmware.String(), Role: m.Role.String(), Boot: m.Boot,
		FeedCounter: m.Caps.Has(protocol.CapFeedCounter), ExitCounter: m.Caps.Has(protocol.CapExitCounter),
	}
}

var stops = map[protocol.Stop]deckcheck.UnreadReason{
	protocol.StopTimeout: deckcheck.UnreadTimeout, protocol.StopFrameLost: deckcheck.UnreadLostFrame, protocol.StopLighting: deckcheck.UnreadLighting,
	protocol.StopCoverOpen: deckcheck.UnreadCoverOpen, protocol.StopEStop: deckcheck.UnreadHalted, protocol.StopFault: deckcheck.UnreadDeviceFault,
	protocol.StopHalt: deckcheck.UnreadHalted, protocol.StopHostSilent: deckcheck.UnreadLinkLost,
}

// tallyOf is the tally as the deck check takes it. One that cannot be judged is
// "not read", with its counts and no card (D2, D10). A device without a feed
// counter leaves the count to the dealer's word (D1).
func tallyOf(m protocol.Tally) deckcheck.Tally {
	t := deckcheck.Tally{
		Fed: m.Fed, FedAttested: !m.Flags.Has(protocol.TallyFeedCounter),
		Jokers: uint16(m.Jokers), Backs: uint16(m.Backs), Boxed: uint16(m.Boxed), Unreadable: uint16(m.Unreadable),
	}
	if m.Usable() {
		t.Faces = m.Faces
		return t
	}
	if named := int(m.Jokers) + int(m.Backs) + int(m.Boxed) + int(m.Unreadable); int(m.Read) > named {
		t.Unnamed = m.Read - uint16(named)
	}
	switch {
	case m.Stop != protocol.StopEnd:
		if t.Stop = stops[m.Stop]; t.Stop == deckcheck.NotStopped {
			t.Stop = deckcheck.UnreadDeviceFault
		}
	case m.Unreadable == 0: // complete in its own words, but it does not add up
		t.Stop = deckcheck.UnreadLostFrame
	}
	return t
}
