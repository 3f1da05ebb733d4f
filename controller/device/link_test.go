package device

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
	"shuffler/protocol"
	"shuffler/shuffle"
)

func TestHandshake(t *testing.T) {
	l := newLine(t, fault.Shuffler)
	if l.raw[0] != protocol.Delimiter {
		t.Error("the first frame does not cut off what lay in the buffers")
	}
	m := l.got()
	if h, ok := m[0].(protocol.Hello); len(m) != 1 || !ok || h.Session != session || h.HostVersion.String() != "test" {
		t.Fatalf("the first message is %+v", m)
	}
	// Unanswered, the hello comes again; the device has no session and says so.
	want(t, l.status())
	want(t, l.pass(600*ms))
	if n := count[protocol.Hello](l.got()); n != 2 {
		t.Errorf("%d hellos in 600 ms without an answer", n)
	}
	// An ident alone is not yet there: where the cards are is in the status.
	l.ident.Session = session
	want(t, l.send(l.ident))
	l.st.Session = session
	l.st.Lines = protocol.LineTray
	want(t, l.status(), table.DeviceUp{
		Part:   fault.Shuffler,
		Device: table.Device{Maker: "ACME", Model: "S1", Serial: "42", Firmware: "1.0", Role: "shuffler", Boot: 7, ExitCounter: true},
		Lines:  table.Lines{Tray: true},
	})
	want(t, l.status())
	if !l.link.Stats().Up {
		t.Error("the figures say that it is not up")
	}
	// A late copy of the ident changes nothing.
	want(t, l.send(l.ident))
}

// A device that was there all along and is faulty says so at once.
func TestHandshake_WithAFault(t *testing.T) {
	l := newLine(t, fault.Shuffler)
	l.st.Fault = protocol.FaultJamEntry
	ev := l.greet()
	if len(ev) != 2 || text(ev[1:]) != text([]table.Event{table.DeviceFault{Part: fault.Shuffler, Code: fault.JamEntry, Tick: l.st.Tick}}) {
		t.Errorf("%s", text(ev))
	}
}

func TestWrongDevice(t *testing.T) {
	cases := map[string]func(*line){
		"a scanner":          func(l *line) { l.ident.Role, l.ident.Caps = protocol.RoleScanner, protocol.CapScan },
		"an unknown role":    func(l *line) { l.ident.Role = 9 &^ protocol.RoleShuffler },
		"no chamber line":    func(l *line) { l.ident.Caps &^= protocol.CapChamberLine },
		"no tray line":       func(l *line) { l.ident.Caps &^= protocol.CapTrayLine },
		"no riffle":          func(l *line) { l.ident.Caps &^= protocol.CapRiffle },
		"no gather counter":  func(l *line) { l.ident.Caps &^= protocol.CapGatherCounter },
		"no release":         func(l *line) { l.ident.Caps &^= protocol.CapRelease },
		"wrong from the up":  nil,
		"a scanner for both": func(l *line) { l.ident.Role = protocol.RoleScanner },
	}
	down := table.DeviceDown{Part: fault.Shuffler, Reason: table.WrongRole}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			l := newLine(t, fault.Shuffler)
			if change == nil {
				l = upLine(t, fault.Shuffler)
				change = func(l *line) { l.ident.Role = protocol.RoleScanner }
				l.do(riffle)
			}
			right := l.ident
			change(l)
			want(t, l.greet(), down)
			l.got()
			// It is asked again, slowly, and told only once; no order reaches it.
			l.do(riffle)
			var ev []table.Event
			for range 12 {
				ev = append(ev, l.pass(time.Second)...)
				ev = append(ev, l.greet()...)
			}
			want(t, ev)
			m := l.got()
			if n := count[protocol.Hello](m); n < 4 || n > 7 {
				t.Errorf("%d hellos in 12 s", n)
			}
			if n := count[protocol.Step](m); n > 0 {
				t.Errorf("%d orders to the wrong device", n)
			}
			// The cable is put right.
			l.ident = right
			l.ident.Boot, l.st.Boot = 8, 8
			if ev := l.greet(); len(ev) != 1 {
				t.Errorf("the right device gives %s", text(ev))
			}
		})
	}
	t.Run("a device that is both serves both", func(t *testing.T) {
		for _, p := range []fault.Part{fault.Shuffler, fault.Scanner} {
			l := newLine(t, p)
			l.ident.Role, l.ident.Caps = protocol.RoleBoth, shufflerCaps|protocol.CapScan
			if ev := l.greet(); len(ev) != 1 {
				t.Errorf("%v: %s", p, text(ev))
			}
		}
	})
	t.Run("a scanner that cannot scan", func(t *testing.T) {
		l := newLine(t, fault.Scanner)
		l.ident.Caps = 0
		want(t, l.greet(), table.DeviceDown{Part: fault.Scanner, Reason: table.WrongRole})
	})
}

func TestOperation(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	m := l.got()
	if len(m) != 1 || m[0] != (protocol.Step{Op: 5, Kind: protocol.KindRiffle, Index: 2, Expect: 52}) {
		t.Fatalf("%+v", m)
	}
	// Not accepted yet: the same order again, with the same number.
	want(t, l.pass(320*ms))
	for _, m := range l.got() {
		if s, ok := m.(protocol.Step); ok && s.Op != 5 {
			t.Errorf("retried as %+v", s)
		}
	}
	if n := l.link.Stats().Retries; n != 3 {
		t.Errorf("%d retries in 320 ms", n)
	}
	l.st.Op, l.st.Kind, l.st.Phase = 5, protocol.KindRiffle, protocol.PhaseWaiting
	want(t, l.status())
	want(t, l.pass(300*ms))
	if n := count[protocol.Step](l.got()); n > 0 {
		t.Errorf("%d orders after it was accepted", n)
	}
	l.st.Phase, l.st.Started = protocol.PhaseRunning, 4711
	want(t, l.status(), table.OpStarted{Part: fault.Shuffler, Op: 5, Tick: 4711})
	want(t, l.status())
	l.st.Cards = 31
	want(t, l.status(), table.OpMoved{Part: fault.Shuffler, Op: 5, Cards: 31})
	l.st.Phase, l.st.Done, l.st.Cards = protocol.PhaseDone, 4900, 52
	want(t, l.status(), table.OpMoved{Part: fault.Shuffler, Op: 5, Cards: 52}, table.OpDone{Part: fault.Shuffler, Op: 5, Tick: 4900, Cards: 52})
	// Said again, late, or twice: nothing.
	want(t, l.status())
	old := l.st
	old.Tick -= 50
	old.Phase, old.Started = protocol.PhaseRunning, 4000
	want(t, l.send(old))
	// The next order; the old status is no answer to it.
	next := riffle
	next.Op = 9
	l.do(next)
	want(t, l.status())
	l.st.Op, l.st.Phase, l.st.Started, l.st.Done, l.st.Cards = 9, protocol.PhaseWaiting, 0, 0, 0
	want(t, l.status())
}

// The report of the start is lost: the next status makes up for it, in order.
func TestLostStart_IsMadeUp(t *testing.T) {
	run := func(change func(*protocol.Status)) []table.Event {
		l := upLine(t, fault.Shuffler)
		l.do(riffle)
		l.st.Op, l.st.Kind, l.st.Started = 5, protocol.KindRiffle, 4711
		change(&l.st)
		return l.status()
	}
	started := table.OpStarted{Part: fault.Shuffler, Op: 5, Tick: 4711}
	want(t, run(func(s *protocol.Status) { s.Phase, s.Done, s.Lines = protocol.PhaseDone, 4900, protocol.LineChamber }),
		started, table.DeviceLines{Part: fault.Shuffler, Lines: table.Lines{Chamber: true}}, table.OpDone{Part: fault.Shuffler, Op: 5, Tick: 4900})
	want(t, run(func(s *protocol.Status) { s.Phase, s.Done, s.Fault = protocol.PhaseFailed, 4900, protocol.FaultJamExit }),
		started, table.OpFailed{Part: fault.Shuffler, Op: 5, Code: fault.JamExit, Tick: 4900})
	// What stopped it comes behind the start.
	want(t, run(func(s *protocol.Status) {
		s.Phase, s.Done, s.Fault, s.Lines = protocol.PhaseFailed, 4900, protocol.FaultCoverOpen, protocol.LineCover
	}), started, table.DeviceLines{Part: fault.Shuffler, Lines: table.Lines{Cover: true}}, table.OpFailed{Part: fault.Shuffler, Op: 5, Code: fault.CoverOpen, Tick: 4900})
}

// An unknown phase counts as failed, an unknown fault blocks like any other.
func TestUnknownValues(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	l.st.Op, l.st.Phase, l.st.Done, l.st.Fault = 5, 99, 4900, protocol.FaultVendor+3
	want(t, l.status(), table.OpFailed{Part: fault.Shuffler, Op: 5, Code: fault.UnknownFault, Tick: 4900})
}

func TestCutResult(t *testing.T) {
	for r, c := range map[protocol.Result]shuffle.CutResult{protocol.ResultCutPassed: shuffle.CutPassed, protocol.ResultCutRefused: shuffle.CutRefused, 9: shuffle.NoCut} {
		l := upLine(t, fault.Shuffler)
		l.do(table.Command{Kind: table.StepOp, Op: 5, Step: shuffle.Cut, Expect: 52, MinCut: 10})
		if m := l.got(); len(m) != 1 || m[0] != (protocol.Step{Op: 5, Kind: protocol.KindCut, Expect: 52, MinCut: 10}) {
			t.Fatalf("%+v", m)
		}
		l.st.Op, l.st.Phase, l.st.Done, l.st.Result = 5, protocol.PhaseDone, 4900, r
		want(t, l.status(), table.OpDone{Part: fault.Shuffler, Op: 5, Tick: 4900, Cut: c})
	}
}

func TestOrdersOnTheWire(t *testing.T) {
	for _, c := range []struct {
		cmd  table.Command
		want protocol.Message
	}{
		{table.Command{Kind: table.LoadOp, Op: 1, Expect: 52}, protocol.Step{Op: 1, Kind: protocol.KindGather, Expect: 52}},
		{table.Command{Kind: table.ReleaseOp, Op: 2, Expect: 52}, protocol.Release{Op: 2, Expect: 52}},
		{table.Command{Kind: table.ScanOp, Op: 3, Expect: 52, Timeout: time.Minute}, protocol.Scan{Op: 3, Expect: 52, MaxMs: 60_000}},
		{table.Command{Kind: table.ScanOp, Op: 3, Timeout: time.Hour}, protocol.Scan{Op: 3, MaxMs: 600_000}},
		{table.Command{Kind: table.ResetOp, Op: 4}, protocol.Reset{Op: 4}},
		{table.Command{Kind: table.StepOp, Op: 5, Step: shuffle.Riffle, MinCut: 10}, protocol.Step{Op: 5, Kind: protocol.KindRiffle}}, // min_cut is for a cut only
	} {
		l := upLine(t, fault.Shuffler)
		l.do(c.cmd)
		if m := l.got(); len(m) != 1 || m[0] != c.want {
			t.Errorf("%+v goes out as %+v", c.cmd, m)
		}
	}
}

// Each step and each fault of the wire has its word at the table, and back.
func TestWords(t *testing.T) {
	for s := shuffle.Gather; s <= shuffle.CutCard; s++ {
		if k := kindOf(s); k.String() != s.String() || stepOf(k) != s {
			t.Errorf("step %v is kind %v, which is step %v", s, k, stepOf(k))
		}
	}
	if kindOf(shuffle.NoStep) != protocol.KindNone || stepOf(protocol.KindRelease) != shuffle.NoStep {
		t.Error("what is no step has a kind")
	}
	for f := protocol.FaultNone + 1; f <= protocol.FaultInternal; f++ {
		if faultOf(f).String() != f.String() {
			t.Errorf("fault %v of the wire is %v at the table", f, faultOf(f))
		}
	}
	if faultOf(protocol.FaultNone) != fault.None || faultOf(200) != fault.UnknownFault {
		t.Error("no fault, or an unknown one")
	}
	if linesOf(protocol.LineCover|protocol.LineEStop|protocol.LineTray|protocol.LineChamber|protocol.LineSortMode|protocol.LineHalted) !=
		(table.Lines{Cover: true, EStop: true, Tray: true, Chamber: true, SortMode: true, Halted: true}) {
		t.Error("a line has no word")
	}
}

func TestFault_IsToldOnce(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.st.Fault = protocol.FaultMotor
	want(t, l.status(), table.DeviceFault{Part: fault.Shuffler, Code: fault.Motor, Tick: l.st.Tick})
	want(t, l.status())
	l.st.Fault = protocol.FaultNone
	want(t, l.status())
	l.st.Fault = protocol.FaultMotor
	want(t, l.status(), table.DeviceFault{Part: fault.Shuffler, Code: fault.Motor, Tick: l.st.Tick})
}

func TestS3_LocalMotion(t *testing.T) {
	l := newLine(t, fault.Shuffler)
	l.st.LocalOps, l.st.LocalKind = 4, protocol.KindRiffle // long ago
	if ev := l.greet(); len(ev) != 1 {
		t.Fatalf("%s", text(ev))
	}
	l.st.LocalOps, l.st.LocalKind, l.st.LocalTick = 5, protocol.KindStrip, 777
	want(t, l.status(), table.LocalMotion{Step: shuffle.Strip, Tick: 777})
	want(t, l.status())
}

// M3: a device that restarted is down, its order is not repeated, and it gets
// none before it has been looked at anew.
func TestM3_Restart(t *testing.T) {
	for _, path := range []string{"status without session", "nak without session", "ident of another boot"} {
		for _, pending := range []bool{true, false} {
			t.Run(path, func(t *testing.T) {
				l := upLine(t, fault.Shuffler)
				l.do(riffle)
				if !pending {
					l.st.Op, l.st.Phase, l.st.Started = 5, protocol.PhaseRunning, 4711
					l.status()
				}
				l.got()
				l.st = protocol.Status{Boot: 8, Tick: 10, RxSeq: 0}
				l.ident.Boot = 8
				down := table.DeviceDown{Part: fault.Shuffler, Reason: table.Restarted}
				switch path {
				case "status without session":
					want(t, l.status(), down)
				case "nak without session":
					if !pending {
						t.Skip("only what is pending is refused")
					}
					want(t, l.send(protocol.Nak{Op: 5, Reason: protocol.ReasonNoSession}))
				case "ident of another boot":
				}
				ev := l.pass(300 * ms)
				if n := count[protocol.Step](l.got()); n > 0 && path != "ident of another boot" {
					t.Errorf("%d orders to a device that restarted", n)
				}
				ev = append(ev, l.greet()...)
				if path == "status without session" {
					want(t, ev, table.DeviceUp{Part: fault.Shuffler, Device: deviceOf(l.ident)})
				} else {
					want(t, ev, down, table.DeviceUp{Part: fault.Shuffler, Device: deviceOf(l.ident)})
				}
				l.got()
				l.status()
				l.pass(300 * ms)
				if n := count[protocol.Step](l.got()); n > 0 {
					t.Errorf("%d orders of before the restart", n)
				}
				if l.link.Stats().Restarts != 1 {
					t.Errorf("%d restarts", l.link.Stats().Restarts)
				}
			})
		}
	}
}

// Bytes of before the greeting, of another session or another boot mean nothing.
func TestOldBytes(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	done := l.st
	done.Op, done.Phase, done.Started, done.Done, done.Fault, done.Lines = 5, protocol.PhaseDone, 1, 2, protocol.FaultMotor, protocol.LineCover
	for name, change := range map[string]func(*protocol.Status){
		"another session":              func(s *protocol.Status) { s.Session = 99 },
		"no session, of the same boot": func(s *protocol.Status) { s.Session = 0 },
		"another boot":                 func(s *protocol.Status) { s.Boot = 3 },
		"older":                        func(s *protocol.Status) { s.Tick -= 500 },
	} {
		s := done
		change(&s)
		if ev := l.send(s); len(ev) > 0 {
			t.Errorf("a status of %s gives %s", name, text(ev))
		}
	}
	other := l.ident
	other.Session, other.Role = 99, protocol.RoleScanner
	want(t, l.send(other))
	want(t, l.send(protocol.Nak{Session: 99, Op: 5, Reason: protocol.ReasonFault}))
	want(t, l.send(protocol.Halted{Session: 99}))
	if !l.link.Stats().Up {
		t.Error("the link went down")
	}
	// Ticks wrap after 49 days.
	for _, tick := range []uint32{0x7000_0000, 0xe000_0000, 0xffff_fff0} {
		l.st.Tick = tick
		l.status()
	}
	l.st.Tick, l.st.Lines = 5, protocol.LineTray
	want(t, l.status(), table.DeviceLines{Part: fault.Shuffler, Lines: table.Lines{Tray: true}})
}

func TestSilence(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	l.got()
	want(t, l.pass(950*ms))
	if m := l.got(); count[protocol.Step](m) < 8 {
		t.Errorf("only %d retries before the link is lost", count[protocol.Step](m))
	}
	want(t, l.pass(60*ms), table.DeviceDown{Part: fault.Shuffler, Reason: table.Silent})
	l.got()
	want(t, l.pass(10*time.Second))
	m := l.got()
	if n := count[protocol.Step](m); n > 0 {
		t.Errorf("%d orders on a lost link", n)
	}
	if n := count[protocol.Hello](m); n < 30 {
		t.Errorf("%d hellos in 10 s", n)
	}
	if l.link.Stats().Losses != 1 {
		t.Errorf("%d losses", l.link.Stats().Losses)
	}
	// It comes back as it was; what it did is unknown, so the order is not repeated.
	if ev := l.greet(); len(ev) != 1 {
		t.Errorf("%s", text(ev))
	}
	l.got()
	l.pass(500 * ms)
	if n := count[protocol.Step](l.got()); n > 0 {
		t.Errorf("%d orders of before", n)
	}
	// Noise is no sign of life.
	for range 30 {
		l.link.Receive(l.now, []byte{1, 2, 3, 0, 0xff, 0})
		if ev := l.pass(50 * ms); len(ev) > 0 {
			want(t, ev, table.DeviceDown{Part: fault.Shuffler, Reason: table.Silent})
			return
		}
	}
	t.Error("noise keeps the link alive")
}

// A device that answers hellos and nothing else is no link either.
func TestSilence_BehindAGreeting(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	l.send(protocol.Nak{Op: 5, Reason: protocol.ReasonNoSession})
	want(t, l.pass(990*ms))
	want(t, l.pass(60*ms), table.DeviceDown{Part: fault.Shuffler, Reason: table.Silent})
}

func TestNak(t *testing.T) {
	failed := func(c fault.Code, tick uint32) table.Event {
		return table.OpFailed{Part: fault.Shuffler, Op: 5, Code: c, Tick: tick}
	}
	for name, c := range map[string]struct {
		reason protocol.Reason
		lines  protocol.Lines
		fault  protocol.Fault
		want   func(tick uint32) table.Event // nil: nothing
	}{
		"busy":         {protocol.ReasonBusy, 0, 0, func(k uint32) table.Event { return failed(fault.Internal, k) }},
		"unsupported":  {protocol.ReasonUnsupported, 0, 0, func(k uint32) table.Event { return failed(fault.Internal, k) }},
		"bad argument": {protocol.ReasonBadArgument, 0, 0, func(k uint32) table.Event { return failed(fault.Internal, k) }},
		"unknown":      {99, 0, 0, func(k uint32) table.Event { return failed(fault.Internal, k) }},
		"fault":        {protocol.ReasonFault, 0, protocol.FaultSensor, func(k uint32) table.Event { return failed(fault.Sensor, k) }},
		"cover":        {protocol.ReasonBlocked, protocol.LineCover, 0, func(k uint32) table.Event { return failed(fault.CoverOpen, k) }},
		"estop":        {protocol.ReasonBlocked, protocol.LineEStop | protocol.LineCover, 0, func(k uint32) table.Event { return failed(fault.EStop, k) }},
		"sort mode":    {protocol.ReasonBlocked, protocol.LineSortMode, 0, func(k uint32) table.Event { return failed(fault.SortMode, k) }},
		"halted":       {protocol.ReasonHalted, 0, 0, func(uint32) table.Event { return table.OpBarred{Part: fault.Shuffler, Op: 5} }},
		"old":          {protocol.ReasonOld, 0, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLine(t, fault.Shuffler)
			l.st.Lines, l.st.Fault = c.lines, c.fault
			l.greet()
			l.do(riffle)
			nak := protocol.Nak{Session: session, Op: 5, Reason: c.reason}
			other := nak
			other.Op = 4
			want(t, l.send(other)) // of an order that is over
			ev := l.send(nak)
			if c.want == nil {
				want(t, ev)
				return
			}
			want(t, ev, c.want(l.st.Tick))
			want(t, l.send(nak)) // said again
			l.got()
			l.pass(300 * ms)
			if n := count[protocol.Step](l.got()); n > 0 {
				t.Errorf("%d copies of a refused order", n)
			}
		})
	}
	t.Run("of an accepted order", func(t *testing.T) {
		l := upLine(t, fault.Shuffler)
		l.do(riffle)
		l.st.Op, l.st.Phase = 5, protocol.PhaseWaiting
		l.status()
		want(t, l.send(protocol.Nak{Session: session, Op: 5, Reason: protocol.ReasonOld}))
		want(t, l.send(protocol.Nak{Session: session, Op: 5, Reason: protocol.ReasonBusy}))
	})
}

func goodTally(op uint32) protocol.Tally {
	m := protocol.Tally{Session: session, Op: op, Flags: protocol.TallyComplete | protocol.TallyFaces | protocol.TallyFeedCounter, Fed: 52, Read: 52}
	for i := range m.Faces {
		m.Faces[i] = 1
	}
	return m
}

func TestTally_ToldOnceAckedAlways(t *testing.T) {
	l := upLine(t, fault.Scanner)
	l.do(scan)
	l.got()
	ended := table.ScanEnded{Op: 5, Tally: deckcheck.Tally{Fed: 52, Faces: goodTally(5).Faces}}
	want(t, l.send(goodTally(5)), ended)
	for range 5 { // repeated while the verdict waits for the journal
		want(t, l.send(goodTally(5)))
	}
	if n := count[protocol.TallyAck](l.got()); n > 0 {
		t.Fatalf("acknowledged %d times before the verdict is safe", n)
	}
	l.do(table.Command{Kind: table.TallyAck, Op: 5})
	if m := l.got(); len(m) != 1 || m[0] != (protocol.TallyAck{Op: 5}) {
		t.Fatalf("%+v", m)
	}
	want(t, l.send(goodTally(5))) // the acknowledgement was lost
	if n := count[protocol.TallyAck](l.got()); n != 1 {
		t.Errorf("acknowledged again %d times", n)
	}
	// The tally of a scan that a HALT has stopped is told, too: somebody has to
	// acknowledge it.
	next := scan
	next.Op = 8
	l.do(next)
	l.link.Halt(l.now)
	l.flush()
	stopped := protocol.Tally{Session: session, Op: 8, Stop: protocol.StopHalt, Read: 20}
	want(t, l.send(stopped), table.ScanEnded{Op: 8, Tally: deckcheck.Tally{FedAttested: true, Unnamed: 20, Stop: deckcheck.UnreadHalted}})
	// One that nobody ordered is told to nobody.
	l.status()
	l.got()
	want(t, l.send(goodTally(77)))
	if m := l.got(); len(m) != 1 || m[0] != (protocol.TallyAck{Op: 77}) {
		t.Errorf("%+v", m)
	}
	next.Op = 9
	l.do(next)
	foreign := goodTally(9)
	foreign.Session = 99
	want(t, l.send(foreign))
}

// D2, D10: what cannot be judged is not read, and names no card.
func TestD2_TallyThatCannotBeJudged(t *testing.T) {
	for name, change := range map[string]func(*protocol.Tally){
		"timeout":        func(m *protocol.Tally) { m.Stop = protocol.StopTimeout },
		"frame lost":     func(m *protocol.Tally) { m.Stop = protocol.StopFrameLost },
		"lighting":       func(m *protocol.Tally) { m.Stop = protocol.StopLighting },
		"cover":          func(m *protocol.Tally) { m.Stop = protocol.StopCoverOpen },
		"estop":          func(m *protocol.Tally) { m.Stop = protocol.StopEStop },
		"fault":          func(m *protocol.Tally) { m.Stop = protocol.StopFault },
		"halt":           func(m *protocol.Tally) { m.Stop = protocol.StopHalt },
		"host silent":    func(m *protocol.Tally) { m.Stop = protocol.StopHostSilent },
		"unknown stop":   func(m *protocol.Tally) { m.Stop = 99 },
		"not complete":   func(m *protocol.Tally) { m.Flags &^= protocol.TallyComplete },
		"no faces":       func(m *protocol.Tally) { m.Flags &^= protocol.TallyFaces },
		"sum too small":  func(m *protocol.Tally) { m.Read = 51 },
		"sum too large":  func(m *protocol.Tally) { m.Faces[3]++ },
		"unreadable":     func(m *protocol.Tally) { m.Unreadable = 1; m.Faces[3]-- },
		"more than read": func(m *protocol.Tally) { m.Read, m.Jokers = 2, 9 },
	} {
		m := goodTally(5)
		change(&m)
		got := tallyOf(m)
		if got.Faces != [52]uint8{} {
			t.Errorf("%s: faces are named", name)
		}
		if v := deckcheck.Judge(got, deckcheck.Confusions{}); v.Outcome != deckcheck.Unread {
			t.Errorf("%s: judged %v", name, v.Outcome)
		}
	}
	good := goodTally(5)
	if v := deckcheck.Judge(tallyOf(good), deckcheck.Confusions{}); v.Outcome != deckcheck.Good {
		t.Errorf("a good one is judged %v", v.Outcome)
	}
	good.Flags &^= protocol.TallyFeedCounter
	if !tallyOf(good).FedAttested {
		t.Error("without a feed counter the count is not left to the dealer (D1)")
	}
}

func TestHalt_GoesFirstAndIsRepeated(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.deaf = true
	l.do(riffle)
	for range 5 { // the window is full, and something waits behind it
		l.link.Do(l.now, table.Command{Kind: table.TallyAck, Op: 1})
		l.link.Write()
	}
	if len(l.link.out.queue) == 0 {
		t.Fatal("nothing waits")
	}
	before := len(l.raw)
	l.link.Halt(l.now)
	l.flush()
	b := l.raw[before:]
	var d protocol.Decoder
	var first protocol.Type
	n := 0
	d.Feed(append([]byte{1, 2, 3}, b...), func(f protocol.Frame) { // it cuts a half sent frame short
		if n++; n == 1 {
			first = f.Type
		}
	})
	if first != protocol.TypeHalt || n != 1 {
		t.Fatalf("%d frames go out, the first is %v", n, first)
	}
	l.deaf = false
	l.got()
	for range 6 { // repeated past whatever waits
		l.link.Do(l.now, table.Command{Kind: table.TallyAck, Op: 1})
	}
	want(t, l.pass(200*ms))
	if n := count[protocol.Halt](l.got()); n < 9 || n > 11 {
		t.Errorf("%d HALTs in 200 ms", n)
	}
}

// HALT is repeated until the status shows that this HALT was read; the answer
// to an earlier one does not end it.
func TestHalt_UntilItIsRead(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.link.Halt(l.now)
	l.flush()
	l.st.Lines = protocol.LineHalted
	l.send(protocol.Halted{Session: session, Boot: 7, Tick: l.st.Tick})
	l.status()
	l.got()
	l.pass(100 * ms)
	if n := count[protocol.Halt](l.got()); n > 0 {
		t.Fatalf("%d HALTs after it was read", n)
	}
	// Reset, running, and halted again while the line loses everything.
	l.do(reset)
	l.st.Op, l.st.Phase, l.st.Lines = 6, protocol.PhaseDone, 0
	l.status()
	l.do(table.Command{Kind: table.StepOp, Op: 7, Step: shuffle.Riffle})
	l.st.Op, l.st.Phase, l.st.Started = 7, protocol.PhaseRunning, 9
	l.status()
	l.deaf = true
	l.link.Halt(l.now)
	l.flush()
	l.send(protocol.Halted{Session: session, Boot: 7, Tick: l.st.Tick}) // a late copy
	late := l.st
	late.Lines |= protocol.LineHalted // and a status that has not read it
	l.send(late)
	l.pass(100 * ms)
	l.deaf = false
	l.pass(50 * ms)
	if n := count[protocol.Halt](l.got()); n == 0 {
		t.Fatal("the second HALT is not repeated")
	}
	l.st.Lines = protocol.LineHalted
	l.status()
	l.got()
	l.pass(100 * ms)
	if n := count[protocol.Halt](l.got()); n > 0 {
		t.Errorf("%d HALTs after the second one was read", n)
	}
}

// A device without a session is halted as well.
func TestHalt_WithoutASession(t *testing.T) {
	l := newLine(t, fault.Shuffler)
	l.got()
	l.link.Halt(l.now)
	l.flush()
	if count[protocol.Halt](l.got()) != 1 {
		t.Fatal("no HALT to a device that is not greeted")
	}
	l.st.Lines = protocol.LineHalted
	l.status()
	l.pass(100 * ms)
	if n := count[protocol.Halt](l.got()); n > 0 {
		t.Errorf("%d HALTs after it was read", n)
	}
}

// After a HALT no order is repeated; the next one waits until the device stands
// halted, for a repeated HALT would stop it.
func TestHalt_EndsOrders(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	l.link.Halt(l.now)
	l.flush()
	l.got()
	l.do(reset)
	want(t, l.pass(500*ms))
	m := l.got()
	if n, r := count[protocol.Step](m), count[protocol.Reset](m); n > 0 || r > 0 {
		t.Fatalf("%d steps, %d resets behind a HALT that is not answered", n, r)
	}
	l.st.Lines = protocol.LineHalted
	ev := l.status()
	want(t, ev, table.DeviceLines{Part: fault.Shuffler, Lines: table.Lines{Halted: true}})
	if m := l.got(); len(m) == 0 || m[len(m)-1] != (protocol.Reset{Op: 6}) {
		t.Errorf("once it stands: %+v", m)
	}
	l.pass(150 * ms)
	if n := count[protocol.Step](l.got()); n > 0 {
		t.Errorf("%d copies of the order that was halted", n)
	}
}

// The host speaks at least so often that a device does not take it for silent,
// also when nothing is acknowledged, with an order, without, and while greeting.
func TestHostIsNeverSilent(t *testing.T) {
	for _, name := range []string{"at rest", "order pending", "order running", "halting", "greeting"} {
		t.Run(name, func(t *testing.T) {
			l := newLine(t, fault.Shuffler)
			if name != "greeting" {
				l.greet()
			}
			switch name {
			case "order pending":
				l.do(riffle)
			case "order running":
				l.do(riffle)
				l.st.Op, l.st.Phase, l.st.Started = 5, protocol.PhaseRunning, 9
				l.status()
			case "halting":
				l.link.Halt(l.now)
			}
			acked := l.st.RxSeq
			last := l.now
			for range 400 {
				before := len(l.raw)
				l.pass(5 * ms)
				if len(l.raw) > before {
					last = l.now
				}
				if l.now-last >= protocol.HostSilence-100*ms {
					t.Fatalf("silent for %v", l.now-last)
				}
				if name != "greeting" && l.link.Stats().Up { // statuses come, acknowledgements do not
					s := l.st
					s.RxSeq = acked
					l.send(s)
				}
			}
		})
	}
}

func TestFramesAreNumberedInTheOrderOfTheWire(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.do(riffle)
	l.link.Halt(l.now)
	l.pass(300 * ms)
	l.link.Do(l.now, table.Command{Kind: table.TallyAck, Op: 3})
	l.pass(300 * ms)
	var last uint32
	d := protocol.Decoder{From: protocol.FromHost}
	d.Feed(l.raw, func(f protocol.Frame) {
		if f.Seq != last+1 {
			t.Errorf("frame %d follows %d", f.Seq, last)
		}
		last = f.Seq
	})
	if last < 10 {
		t.Errorf("only %d frames", last)
	}
}

func TestWindow_OpensByAcknowledgement(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.status()
	for range maxQueue + 5 {
		l.link.Do(l.now, table.Command{Kind: table.TallyAck, Op: 3})
	}
	if len(l.link.out.queue) > maxQueue {
		t.Errorf("%d messages wait", len(l.link.out.queue))
	}
	l.flush()
	sent := 0
	for range 10 {
		n := count[protocol.TallyAck](l.got())
		if n > 4 { // of 16 bytes
			t.Errorf("%d frames at once", n)
		}
		sent += n
		l.status()
	}
	if sent != maxQueue {
		t.Errorf("%d sent, want %d", sent, maxQueue)
	}
}

// A host that greeted the device before may have left a higher number.
func TestWindow_ForeignAcknowledgement(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.deaf = true
	l.do(riffle)
	under := l.link.out.underWay()
	l.st.RxSeq = 1 << 20
	l.status()
	if l.link.out.underWay() != under || under == 0 {
		t.Error("a number that was never given out acknowledges frames")
	}
}

func TestDo_OfAMissingDeviceIsDropped(t *testing.T) {
	l := newLine(t, fault.Shuffler)
	l.do(riffle)
	l.greet()
	l.pass(300 * ms)
	if n := count[protocol.Step](l.got()); n > 0 {
		t.Error("an order of before the link was up goes out")
	}
}

// Until both ends have a key, a frame that claims to be protected proves nothing
// and says nothing, though its payload could be read as it stands.
func TestX4_ProtectedFramesAreDropped(t *testing.T) {
	for _, flag := range []byte{0, 1} {
		l := upLine(t, fault.Shuffler)
		s := l.st
		s.Tick++
		s.Lines = protocol.LineEStop
		var payload []byte
		d := protocol.Decoder{}
		d.Feed(protocol.AppendFrame(nil, 900, s), func(f protocol.Frame) { payload = append(payload, f.Payload...) })
		body := append([]byte{protocol.Version<<4 | flag, byte(protocol.TypeStatus), 0x85, 3, 0, 0}, payload...)
		body = append(body, make([]byte, 16)...) // where the tag would be
		body = binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
		if ev := l.link.Receive(l.now, cobs(body)); len(ev) != 1-int(flag) {
			t.Errorf("flag %d: %s", flag, text(ev))
		}
	}
}

// cobs encodes a short body and ends the frame.
func cobs(body []byte) (b []byte) {
	for run := range bytes.SplitSeq(body, []byte{0}) {
		b = append(append(b, byte(len(run)+1)), run...)
	}
	return append(b, 0)
}

// What waited for the window when a HALT came is not sent behind it.
func TestHalt_ForgetsWhatWaits(t *testing.T) {
	for _, then := range []string{"accepted before", "in the queue"} {
		t.Run(then, func(t *testing.T) {
			l := upLine(t, fault.Shuffler)
			if then == "in the queue" { // the window is full
				for range 4 {
					l.link.Do(l.now, table.Command{Kind: table.TallyAck, Op: 3})
				}
				l.flush()
			}
			l.do(riffle)
			l.link.Halt(l.now)
			l.flush()
			l.got()
			l.st.Lines = protocol.LineHalted
			l.status()
			want(t, l.pass(600*ms))
			m := l.got()
			if n := count[protocol.Step](m); n > 0 {
				t.Errorf("%d copies of an order that was halted", n)
			}
		})
	}
}

// A machine that still brakes has read the HALT and does not stand yet.
func TestHalt_UntilItStands(t *testing.T) {
	l := upLine(t, fault.Shuffler)
	l.link.Halt(l.now)
	l.flush()
	l.status() // read, and not halted
	l.got()
	l.pass(60 * ms)
	if count[protocol.Halt](l.got()) == 0 {
		t.Error("HALT is not repeated until the machine stands")
	}
}
