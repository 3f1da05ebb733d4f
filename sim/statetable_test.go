package sim

import (
	"testing"
	"time"

	"shuffler/protocol"
)

// In each state op 1 was refused, then op 2, both as unsupported, and op 3 is
// the accepted one (in none and idle: no operation).
var (
	refused1 = protocol.Step{Op: 1, Kind: 99}
	refused2 = protocol.Step{Op: 2, Kind: 99}
	gather3  = protocol.Step{Op: 3, Kind: protocol.KindGather, Index: 4}
	badly3   = protocol.Step{Op: 3, Kind: protocol.KindGather, Index: 4, Expect: 53}
)

var states = []struct {
	name  string
	reach func(*host)
}{
	{"none", func(h *host) {}},
	{"idle", func(h *host) { h.open() }},
	{"done", func(h *host) { h.open(); must(h.t, h.m.PutIn(NewPack("red"))); h.order(gather3) }},
	{"failed", func(h *host) { h.open(); must(h.t, h.m.PutIn(NewPack("red"))); h.order(badly3) }},
	{"waiting", func(h *host) { h.open(); h.send(gather3) }},
	{"running", func(h *host) {
		h.open()
		must(h.t, h.m.PutIn(NewPack("red")))
		h.send(gather3)
		h.wait(300 * ms)
	}},
}

func (h *host) open() {
	h.send(protocol.Hello{Session: session})
	h.send(refused1)
	h.send(refused2)
}

// TestStateTable holds the machine against SPEC.md, section 11, cell by cell.
// "accepted" is the order that stands: op 3.
func TestStateTable(t *testing.T) {
	const fault = protocol.FaultMotor
	for _, e := range []struct {
		event string
		do    func(h *host, accepted protocol.Message)
		cells [6]string // none, idle, done, failed, waiting, running
	}{
		{"hello, new session", func(h *host, _ protocol.Message) { h.send(protocol.Hello{Session: 8}) }, [6]string{
			"ident; status 0 idle", "ident; status 0 idle", "ident; status 0 idle", "ident; status 0 idle not_enough_cards",
			"ident; status 0 idle host_silent halted", "ident; status 0 idle host_silent tray|halted"}},
		{"hello, same session", func(h *host, _ protocol.Message) { h.send(protocol.Hello{Session: session}) }, [6]string{
			"ident; status 0 idle", "ident; status 0 idle", "ident; status 3 done", "ident; status 3 failed not_enough_cards",
			"ident; status 3 waiting", "ident; status 3 running tray"}},
		{"poll", func(h *host, _ protocol.Message) { h.send(protocol.Poll{}) }, [6]string{}},
		{"order, new op", func(h *host, _ protocol.Message) { h.send(protocol.Step{Op: 9, Kind: protocol.KindSquare}) }, [6]string{
			"nak 9 no_session", "status 9 failed not_enough_cards", "status 9 running", "nak 9 fault", "nak 9 busy", "nak 9 busy"}},
		{"order, accepted op again", func(h *host, a protocol.Message) { h.send(a) }, [6]string{
			"nak 3 no_session", "status 3 waiting", "status 3 done", "status 3 failed not_enough_cards", "status 3 waiting", "status 3 running tray"}},
		{"order, accepted op, other contents", func(h *host, _ protocol.Message) { h.send(protocol.Reset{Op: 3}) }, [6]string{
			"nak 3 no_session", "status 3 running", "nak 3 bad_argument", "nak 3 bad_argument", "nak 3 bad_argument", "nak 3 bad_argument"}},
		{"order, refused op", func(h *host, _ protocol.Message) { h.send(protocol.Reset{Op: 2}) }, [6]string{
			"nak 2 no_session", "nak 2 unsupported", "nak 2 unsupported", "nak 2 unsupported", "nak 2 unsupported", "nak 2 unsupported"}},
		{"order, older op", func(h *host, _ protocol.Message) { h.send(protocol.Reset{Op: 1}) }, [6]string{
			"nak 1 no_session", "nak 1 old", "nak 1 old", "nak 1 old", "nak 1 old", "nak 1 old"}},
		{"tally_ack", func(h *host, _ protocol.Message) { h.send(protocol.TallyAck{Op: 3}) }, [6]string{}},
		{"halt", func(h *host, _ protocol.Message) { h.send(protocol.Halt{}); h.quiet(protocol.HaltStopWithin) }, [6]string{
			"halted; status 0 idle halted", "halted; status 0 idle halted", "halted; status 3 done halted",
			"halted; status 3 failed not_enough_cards halted", "halted; status 3 failed halted", "halted; status 3 failed tray|halted"}},
		{"500 ms silence", func(h *host, _ protocol.Message) { h.quiet(525 * ms) }, [6]string{
			"status 0 idle; status 0 idle", "status 0 idle; status 0 idle", "status 3 done; status 3 done",
			"status 3 failed not_enough_cards; status 3 failed not_enough_cards",
			"status 3 waiting; status 3 waiting; status 3 failed host_silent halted",
			"status 3 running tray; status 3 running tray; status 3 failed host_silent tray|halted"}},
		{"pack arrives", func(h *host, _ protocol.Message) { _ = h.m.PutIn(NewPack("blue")); h.listen() }, [6]string{
			"status 0 idle tray", "status 0 idle tray", "status 3 done tray", "status 3 failed not_enough_cards tray", "status 3 running tray", ""}},
		{"motion complete", func(h *host, _ protocol.Message) {
			h.now = max(h.now, h.m.motion.ends)
			h.m.memory.heard, h.m.statusAt = h.now, h.now+1
			h.listen()
		}, [6]string{5: "status 3 done"}},
		{"jam, motor, sensor", func(h *host, _ protocol.Message) { inject(h.t, h.m, fault.String()+"@now"); h.listen() }, [6]string{
			"status 0 idle motor", "status 0 idle motor", "status 3 done motor", "", // the first fault latches
			"status 3 failed motor", "status 3 failed motor tray"}},
		{"cover opens", func(h *host, _ protocol.Message) { h.m.SetCover(true); h.listen() }, [6]string{
			"status 0 idle cover", "status 0 idle cover", "status 3 done cover", "status 3 failed not_enough_cards cover",
			"status 3 failed cover_open cover", "status 3 failed cover_open cover|tray"}},
		{"emergency stop", func(h *host, _ protocol.Message) { h.m.SetEStop(true); h.listen() }, [6]string{
			"status 0 idle estop", "status 0 idle estop", "status 3 done estop", "status 3 failed not_enough_cards estop",
			"status 3 failed estop estop", "status 3 failed estop estop|tray"}},
		{"own button", func(h *host, _ protocol.Message) {
			if h.m.op.phase < protocol.PhaseWaiting { // none and idle: with a pack to riffle
				h.m.chamber = NewPack("red")
				h.m.publish()
				h.listen()
				h.forget()
			}
			_ = h.m.PressOwnButton(protocol.KindRiffle)
			h.listen()
		}, [6]string{"status 0 idle local=1", "status 0 idle local=1", "status 3 done local=1", "", "", ""}}, // a fault binds the button as well
		{"sort mode by hand", func(h *host, _ protocol.Message) { must(h.t, h.m.SetSortMode(true)); h.listen() }, [6]string{
			"status 0 idle sort_mode", "status 0 idle sort_mode", "status 3 done sort_mode", "status 3 failed not_enough_cards sort_mode",
			"status 3 waiting sort_mode", ""}},
		{"bad frame", func(h *host, _ protocol.Message) { h.m.Receive(h.now, []byte{9, 9, 9, 0}); h.listen() }, [6]string{}},
	} {
		for i, s := range states {
			t.Run(e.event+"/"+s.name, func(t *testing.T) {
				m := NewShuffler(Config{Caps: AllCaps}, seeded(1))
				h := newHost(t, m)
				h.listen()
				s.reach(h)
				h.send(protocol.Poll{})
				h.forget()
				accepted := protocol.Message(gather3)
				if s.name == "failed" {
					accepted = badly3
				}
				// The periodic status is not asked about, except where time passes.
				m.statusAt = h.now + protocol.StatusEvery
				all := m.Places().All().Sorted()
				e.do(h, accepted)
				if got := h.heard(); got != e.cells[i] {
					t.Errorf("said %q, SPEC says %q", got, e.cells[i])
				}
				if n := len(m.Places().All()); n < len(all) {
					t.Errorf("%d cards of %d are left", n, len(all))
				}
			})
		}
	}
}

func TestStateTable_PowerUp(t *testing.T) {
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			m := NewShuffler(Config{Caps: AllCaps}, seeded(1))
			h := newHost(t, m)
			h.listen()
			s.reach(h)
			was := m.Places()
			boot := h.last.Boot
			m.Restart()
			h.forget()
			h.quiet(time.Second)
			if h.last.Session != 0 || h.last.Boot == 0 || h.last.Boot == boot || h.last.Phase != protocol.PhaseIdle || h.last.Tick > 400 {
				t.Errorf("boot was %d, status is %+v", boot, h.last)
			}
			is := m.Places()
			if len(was.Chamber) != len(is.Chamber) || len(was.Tray) != len(is.Tray) {
				t.Error("packs have moved")
			}
			h.seq = 0 // the port may be opened anew, or not
			h.forget()
			h.send(protocol.Step{Op: 50, Kind: protocol.KindSquare})
			if got := h.heard(); got != "nak 50 no_session" {
				t.Errorf("said %q", got)
			}
		})
	}
}
