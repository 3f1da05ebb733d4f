package controller

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/controller/table/hand"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

var (
	floor7  = custody.Person{Role: custody.Floor, ID: "7"}
	dealer3 = custody.Person{Role: custody.Dealer, ID: "3"}
	dealer5 = custody.Person{Role: custody.Dealer, ID: "5"}
)

func act(p custody.Person) table.Act { return table.Act{By: p, Auth: "none"} }

func keyed(p custody.Person, key string) table.Act {
	return table.Act{By: p, Auth: "none", Key: key}
}

func levelNo(n int) hand.Level {
	return hand.Level{Number: uint16(n), SmallBlind: uint32(100 * n), BigBlind: uint32(200 * n), Announcement: uint64(n)}
}

func goodTally() (t deckcheck.Tally) {
	for i := range t.Faces {
		t.Faces[i] = 1
	}
	t.Fed = deckcheck.DeckSize
	return t
}

func machineID(part fault.Part) table.Device {
	return table.Device{Maker: "ACME", Model: part.String(), Serial: "S1", Firmware: "1.0", Role: part.String(), Boot: 1, FeedCounter: true, ExitCounter: true}
}

// obey is what a willing crew and sound devices do next in state s: the one
// action that the screen names, or the report that the device owes.
func obey(s table.State) table.Event {
	p := s.Next()
	by := map[string]custody.Person{"floor": floor7, "dealer": s.Dealer, "incoming": s.Handoff.To}[p.Who]
	if p.Who == "dealer" && !s.Dealer.Known() {
		by = dealer3
	}
	slot, _ := custody.ParseSlot(p.Slot)
	if s.Machine.Kind == table.ReleaseOp && p.Who == "dealer" {
		return machineReports(s) // the pack comes out first
	}
	if ev := obeyOpening(s, p, act(by), slot); ev != nil {
		return ev
	}
	if ev := obeyHand(s, p, act(by)); ev != nil {
		return ev
	}
	switch p.Do {
	case table.DoWaitCheck:
		return scannerReports(s)
	case table.DoConnect:
		part, _ := fault.ParsePart(p.Arg)
		return table.DeviceUp{Part: part, Device: machineID(part)}
	case table.DoPutPack, table.DoWaitMachine, table.DoTakePack:
		return machineReports(s)
	}
	return table.Tick{}
}

func obeyOpening(s table.State, p table.Prompt, a table.Act, slot custody.Slot) table.Event {
	switch p.Do {
	case table.DoClearFault:
		part, code, _ := strings.Cut(p.Arg, "/")
		return clearing(s, a, part, code)
	case table.DoLiftHold:
		return table.LiftHold{Act: a, Ruling: "play goes on", Basis: "H12", ReadBack: true}
	case table.DoOpenTable:
		return table.OpenTable{Act: a, ActivityCard: "AC-1", Manual: "V1", Floor: floor7, Deputy: custody.Person{Role: custody.Floor, ID: "8"}}
	case table.DoPlaceDeck:
		return table.PlaceDeck{Act: a, Slot: custody.A, Deck: fmt.Sprintf("deck-%d", s.N), Back: "red", Reason: "evening"}
	case table.DoSignIn:
		return table.SignIn{Act: a}
	case table.DoCheckDeck, table.DoFixDeck, table.DoRescan:
		return table.StartCheck{Act: a, Slot: slot}
	case table.DoQuarantine:
		a.ApprovedBy = dealer3
		return table.QuarantineDeck{Act: a, Slot: slot, Envelope: "E-1", Reason: "confirmed"}
	case table.DoAttest, table.DoCountersign:
		return table.AttestDeck{Act: a, Slot: slot, Attestation: deckcheck.Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}}
	case table.DoAnnounceLevel:
		return table.LevelAnnounced{Act: a, Level: levelNo(int(s.Level.Announcement) + 1)}
	case table.DoConfirmLevel:
		return table.ConfirmLevel{Act: a, Number: s.Level.Number}
	case table.DoAcceptHandoff:
		return table.AcceptHandoff{Act: a}
	case table.DoSettleHandoff:
		return table.SettleHandoff{Act: a, Complete: true, Reason: "settled"}
	}
	return nil
}

// clearing sets the cause right, then clears.
func clearing(s table.State, a table.Act, part, code string) table.Event {
	p, _ := fault.ParsePart(part)
	c, _ := fault.ParseCode(code)
	lane := laneOf(s.Lanes, p)
	switch {
	case s.Panel.EStop:
		return table.PanelLine{Line: table.EStopLine}
	case s.Panel.Cover:
		return table.PanelLine{Line: table.CoverLine}
	case p <= fault.Scanner && !lane.Linked:
		return table.DeviceUp{Part: p, Device: machineID(p)}
	case lane.Lines.EStop || lane.Lines.Cover || lane.Lines.SortMode:
		l := lane.Lines
		l.EStop, l.Cover, l.SortMode = false, false, false
		return table.DeviceLines{Part: p, Lines: l}
	}
	return table.ClearFault{Act: a, Part: p, Code: c, Note: "set right"}
}

func obeyHand(s table.State, p table.Prompt, a table.Act) table.Event {
	switch p.Do {
	case table.DoConfirmSeats:
		return table.ConfirmSeats{Act: a, Button: 1, Seats: []int{1, 2, 5}}
	case table.DoSayPack:
		return table.ResumeHand{Act: a, Said: table.Untouched}
	case table.DoDealerStep, table.DoFinishStep:
		var step shuffle.Step
		_ = step.UnmarshalText([]byte(p.Step))
		d := table.DealerStep{Act: a, Step: step, Phase: table.StepPerformed, Cards: deckcheck.DeckSize}
		if p.Do == table.DoFinishStep {
			d.Phase = table.StepDone
		}
		return d
	case table.DoBeginShuffle:
		return table.BeginShuffle{Act: a}
	case table.DoPressButton:
		return table.PanelLine{Line: table.ButtonLine, Active: !s.Panel.Button}
	case table.DoDeal:
		return table.DealBegun{Act: a}
	case table.DoPlay:
		if !s.Hand.SA {
			return table.ReportSA{Act: a}
		}
		return table.EndHand{Act: a}
	}
	return nil
}

func scannerReports(s table.State) table.Event {
	l := s.Scanner
	switch {
	case !l.Linked:
		return table.DeviceUp{Part: fault.Scanner, Device: machineID(fault.Scanner)}
	case l.Kind == table.ScanOp:
		return table.ScanEnded{Op: l.Op, Tally: goodTally()}
	}
	return table.OpDone{Part: fault.Scanner, Op: l.Op}
}

func machineReports(s table.State) table.Event {
	l := s.Machine
	lines := l.Lines
	takes := l.Kind == table.LoadOp || l.Kind == table.StepOp && l.Step == shuffle.Gather
	switch {
	case !l.Linked:
		return table.DeviceUp{Part: fault.Shuffler, Device: machineID(fault.Shuffler)}
	case l.Kind == table.ResetOp:
		return table.OpDone{Part: fault.Shuffler, Op: l.Op}
	case l.Op == 0 || takes && !lines.Tray && !lines.Chamber:
		lines.Tray = true
		return table.DeviceLines{Part: fault.Shuffler, Lines: lines}
	case !l.Started:
		return table.OpStarted{Part: fault.Shuffler, Op: l.Op, Tick: 1}
	case takes && lines.Tray:
		lines.Tray, lines.Chamber = false, true
		return table.DeviceLines{Part: fault.Shuffler, Lines: lines}
	case l.Kind == table.ReleaseOp && lines.Chamber:
		lines.Chamber = false
		return table.DeviceLines{Part: fault.Shuffler, Lines: lines}
	}
	done := table.OpDone{Part: fault.Shuffler, Op: l.Op, Tick: 2, Cards: deckcheck.DeckSize}
	if l.Step == shuffle.Cut {
		done.Cut = shuffle.CutPassed
	}
	return done
}

// mishap is anything that may happen at any time.
func mishap(r *rand.Rand, s table.State) table.Event {
	part := [...]fault.Part{fault.Shuffler, fault.Scanner}[r.IntN(2)]
	lane := laneOf(s.Lanes, part)
	lines := lane.Lines
	switch r.IntN(16) {
	case 0:
		return table.PanelLine{Line: table.EStopLine, Active: !s.Panel.EStop}
	case 1:
		return table.PanelLine{Line: table.CoverLine, Active: !s.Panel.Cover}
	case 2:
		lines.Cover = !lines.Cover
		return table.DeviceLines{Part: part, Lines: lines}
	case 3:
		return table.DeviceDown{Part: part, Reason: table.Silent}
	case 4:
		return table.DeviceUp{Part: part, Device: machineID(part)}
	case 5:
		return table.OpFailed{Part: part, Op: lane.Op, Code: fault.JamEntry}
	case 6:
		return table.OpMoved{Part: part, Op: lane.Op, Cards: uint16(r.IntN(53))}
	case 7:
		return table.LevelAnnounced{Act: act(floor7), Level: levelNo(int(s.Level.Announcement) + r.IntN(2))}
	case 8:
		return table.CallFloor{Act: act(dealer3), Reason: "a dispute"}
	case 9:
		return table.ProposeHandoff{Act: act(s.Dealer), To: map[bool]custody.Person{true: dealer5, false: dealer3}[s.Dealer == dealer3]}
	case 10:
		return table.VoidShuffle{Act: act(floor7), Reason: shuffle.StopFaceExposed}
	case 11:
		return table.DealBegun{Act: act(dealer3)} // mostly refused
	case 12:
		return table.LocalMotion{Step: shuffle.Riffle, Tick: 7}
	case 13:
		return table.OpBarred{Part: part, Op: lane.Op}
	case 14:
		set := s.Settings
		set.StepTimeout = time.Duration(50+r.IntN(20)) * time.Second
		return table.Configured{Settings: set}
	}
	return table.Tick{}
}
