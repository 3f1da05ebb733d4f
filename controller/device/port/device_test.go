package port

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"shuffler/controller/device"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
	"shuffler/shuffle"
	"shuffler/sim"
)

// TestS1_AShuffleOverAPty goes the whole way: order, motion, end.
func TestS1_AShuffleOverAPty(t *testing.T) {
	far := plugged(t, shuffler(3))
	n := running(t, Config{Path: far.path})
	n.up(1)
	for i, step := range []shuffle.Step{shuffle.Gather, shuffle.Riffle, shuffle.Strip, shuffle.Riffle} {
		if step == shuffle.Gather {
			far.do(func(m *sim.Machine) {
				if err := m.PutIn(sim.NewPack("red")); err != nil {
					t.Error(err)
				}
			})
		}
		n.Do(table.Command{Part: fault.Shuffler, Op: uint32(i + 1), Kind: table.StepOp, Step: step, Index: uint8(i), Expect: 52})
		until(t, step.String(), func() bool { return n.count("table.OpDone") == i+1 })
	}
	if n.count("table.OpStarted") != 4 || n.count("table.OpFailed") != 0 {
		t.Errorf("events: %v", n.seen())
	}
}

// TestS5_HaltIsWrittenByWhoeverCalls: Run stands still, and the bytes are on
// the wire all the same.
func TestS5_HaltIsWrittenByWhoeverCalls(t *testing.T) {
	far := plugged(t, shuffler(1)).listenIn()
	n := prepared(t, Config{Path: far.path})
	held, release := make(chan struct{}), make(chan struct{})
	post := n.cfg.Post
	n.cfg.Post = func(e table.Event) {
		if _, up := e.(table.DeviceUp); up {
			close(held)
			<-release
		}
		post(e)
	}
	n.run()
	<-held
	n.Halt()
	until(t, "HALT at the far end", func() bool { return slices.Contains(far.frames(), protocol.TypeHalt) })
	close(release)
	n.up(1)
}

func TestS5_HaltWhileThePortIsGone(t *testing.T) {
	far := newFarEnd(t, shuffler(1)).listenIn()
	n := running(t, Config{Path: far.path})
	n.down(table.PortGone, 1)
	n.Halt()
	far.plug()
	n.up(1)
	if got := far.frames(); got[0] != protocol.TypeHalt {
		t.Errorf("the port begins with %v, want halt", got)
	}
	until(t, "halted", func() bool {
		for _, e := range n.seen() {
			switch e := e.(type) {
			case table.DeviceUp:
				if e.Lines.Halted {
					return true
				}
			case table.DeviceLines:
				if e.Lines.Halted {
					return true
				}
			}
		}
		return false
	})
}

func TestS5_AnOrderSinceTheHaltIsTheLastWord(t *testing.T) {
	far := newFarEnd(t, shuffler(1)).listenIn()
	n := running(t, Config{Path: far.path})
	n.down(table.PortGone, 1)
	n.Halt()
	n.Do(table.Command{Part: fault.Shuffler, Op: 4, Kind: table.ResetOp})
	n.Do(table.Command{Part: fault.Shuffler, Op: 3, Kind: table.TallyAck})
	far.plug()
	n.up(1)
	if got := far.frames(); got[0] != protocol.TypeHello || slices.Contains(got, protocol.TypeReset) {
		t.Errorf("the port begins with %v; want hello, and the order dropped", got)
	}
}

// TestReconnect_NothingLeaks pulls the plug again and again.
func TestReconnect_NothingLeaks(t *testing.T) {
	times := 100
	if os.Getenv("SHUFFLER_LONG") == "1" {
		times = 1000
	}
	far := plugged(t, shuffler(1))
	n := running(t, Config{Path: far.path}, func(d *Device) { d.wait.first = time.Millisecond })
	n.up(1)
	files, routines := descriptors(t), runtime.NumGoroutine()
	for i := range times {
		far.unplug()
		n.down(table.PortGone, i+1)
		far.plug()
		n.up(i + 2)
	}
	until(t, "as many goroutines as before", func() bool { return runtime.NumGoroutine() <= routines })
	until(t, "as many descriptors as before", func() bool { return descriptors(t) <= files })
	s := n.Stats()
	if s.Opens != uint64(times+1) || n.downs(table.PortGone) != times || s.Counters.OK == 0 {
		t.Errorf("%d openings and %d losses, want %d and %d", s.Opens, n.downs(table.PortGone), times+1, times)
	}
	t.Logf("%d reconnects, %d tries", times, s.Tries)
}

func descriptors(t *testing.T) int {
	t.Helper()
	l, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(l)
}

// TestM3_OrderDiesWithThePort: an order under way when the plug is pulled
// is not repeated to the device that comes back (M3).
func TestM3_OrderDiesWithThePort(t *testing.T) {
	far := plugged(t, shuffler(1)).listenIn()
	n := running(t, Config{Path: far.path})
	n.up(1)
	n.Do(table.Command{Part: fault.Shuffler, Op: 1, Kind: table.StepOp, Step: shuffle.Gather, Expect: 52}) // waits for a pack
	until(t, "the order at the far end", func() bool { return slices.Contains(far.frames(), protocol.TypeStep) })
	far.unplug()
	n.down(table.PortGone, 1)
	far.mu.Lock()
	far.got = nil
	far.mu.Unlock()
	far.plug()
	n.up(2)
	polls := func() (k int) {
		for _, f := range far.frames() {
			if f == protocol.TypePoll {
				k++
			}
		}
		return k
	}
	until(t, "some polls", func() bool { return polls() >= 3 })
	if got := far.frames(); slices.Contains(got, protocol.TypeStep) {
		t.Errorf("the order was repeated: %v", got)
	}
}

func TestSetServesPartsAndIgnoresOthers(t *testing.T) {
	far := plugged(t, scanner(1)).listenIn()
	n := prepared(t, Config{Path: far.path, Part: fault.Scanner})
	set := NewSet(n.cfg)
	n.Device = set.devices[0]
	n.run()
	n.up(1)
	set.Halt(fault.Shuffler)
	set.Do(table.Command{Part: fault.Shuffler, Op: 1, Kind: table.ResetOp})
	set.Do(table.Command{Part: fault.Scanner, Op: 2, Kind: table.ResetOp})
	until(t, "the reset", func() bool { return slices.Contains(far.frames(), protocol.TypeReset) })
	if got := far.frames(); slices.Contains(got, protocol.TypeHalt) {
		t.Errorf("the scanner got the shuffler's: %v", got)
	}
	set.HaltAll()
	until(t, "halt", func() bool { return slices.Contains(far.frames(), protocol.TypeHalt) })
}

func TestBackoff(t *testing.T) {
	var b backoff
	var got []time.Duration
	for range 7 {
		got = append(got, b.next())
	}
	ms := time.Millisecond
	if want := []time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 5000 * ms, 5000 * ms}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if b.reset(); b.next() != firstRetry {
		t.Error("reset does not begin anew")
	}
}

// look is the watch after a time with some figures.
func TestStratux329_NoiseIsARateNotAFrame(t *testing.T) {
	count := func(ok, bad uint64) device.Stats {
		return device.Stats{Up: true, Counters: protocol.Counters{OK: ok, BadCRC: bad}}
	}
	for _, c := range []struct {
		ok, bad uint64
		want    Code
	}{{50, 0, NoTrouble}, {50, 9, NoTrouble}, {50, 12, NoTrouble}, {50, 13, Noisy}, {1000, 100, NoTrouble}, {0, 100, NoTrouble}} {
		w := newWatch(Config{Path: "/dev/x", Part: fault.Shuffler})
		w.opened(0)
		w.look(noiseSpan-1, count(c.ok, c.bad))
		if w.trouble.Code != NoTrouble {
			t.Errorf("%+v: judged before its time", c)
		}
		w.look(noiseSpan, count(c.ok, c.bad))
		if w.trouble.Code != c.want {
			t.Errorf("%d good and %d bad frames are %q, want %q", c.ok, c.bad, w.trouble.Code, c.want)
		}
		if c.want == Noisy {
			holds(t, w.trouble, "/dev/x", "wiring, or a second reader")
		}
		if w.look(2*noiseSpan, count(c.ok+100, c.bad)); w.trouble.Code != NoTrouble {
			t.Errorf("%+v: a good span does not end it", c)
		}
	}
}

func TestWatchNamesWhoAnswers(t *testing.T) {
	ident := func(r protocol.Role) []byte {
		return protocol.AppendFrame(nil, 1, protocol.Ident{Session: 5, Boot: 3, Role: r, Maker: protocol.TextOf("Acme"), Model: protocol.TextOf("S1"), Serial: protocol.TextOf("0042")})
	}
	others := []Other{{fault.Scanner, "/dev/scan"}}
	for _, c := range []struct {
		name  string
		bytes []byte
		after time.Duration
		want  Code
		words []string
	}{
		{"nobody", nil, answerDue, NoAnswer, []string{"/dev/x"}},
		{"not yet", nil, answerDue - 1, NoTrouble, nil},
		{"the right one, soon up", ident(protocol.RoleShuffler), time.Millisecond, NoTrouble, nil},
		{"one for both, soon up", ident(protocol.RoleBoth), time.Millisecond, NoTrouble, nil},
		{"the right role, never up", ident(protocol.RoleShuffler), answerDue, WrongDevice, []string{"firmware", "0042"}},
		{"a scanner", ident(protocol.RoleScanner), time.Millisecond, WrongDevice, []string{"Acme", "0042", "swap", "/dev/scan"}},
		{"an unknown role", ident(8), time.Millisecond, WrongDevice, []string{"0042", "another socket"}},
		{"something else", []byte("hello world\x00"), answerDue, NotFrames, []string{"baud"}},
	} {
		w := newWatch(Config{Path: "/dev/x", Part: fault.Shuffler, Session: 5, Others: others})
		w.opened(0)
		w.listen(c.bytes)
		w.look(c.after, device.Stats{})
		if w.trouble.Code != c.want {
			t.Errorf("%s: %q, want %q", c.name, w.trouble.Code, c.want)
		}
		if c.want != NoTrouble {
			holds(t, w.trouble, c.words...)
		}
		w.look(c.after, device.Stats{Up: true})
		if w.trouble != (Trouble{}) {
			t.Errorf("%s: up, and still %v", c.name, w.trouble)
		}
	}
}

func Example_trouble() {
	fmt.Println(Trouble{NoAnswer, "the shuffler at /dev/x does not answer", "it is switched off", "switch it on"})
	// Output: the shuffler at /dev/x does not answer; likely: it is switched off; switch it on
}
