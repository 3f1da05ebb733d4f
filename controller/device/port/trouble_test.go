package port

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
	"shuffler/sim"
)

// Each test is named after the report that it holds for (TROUBLE: whose project
// and number), or after the rule.

func TestSerial148_ZeroReadIsNoError(t *testing.T) {
	far := plugged(t, nil) // silent
	n := running(t, Config{Path: far.path})
	until(t, "many questions into the silence", func() bool { return n.Stats().Hellos >= 5 })
	if s := n.Stats(); s.Opens != 1 || !s.Open || len(n.seen()) != 0 {
		t.Errorf("silence was taken as an error: %d openings, open %v, events %v", s.Opens, s.Open, n.seen())
	}
}

func TestSerial141_LongSilenceThenBytes(t *testing.T) {
	far := plugged(t, nil)
	c, err := open(far.path, settings{baud: protocol.Baud})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	chunks, stop := make(chan []byte), make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- c.read(chunks, stop) }()
	defer close(stop)
	for i := range 150 { // bufio gives up after 100 empty reads
		select {
		case <-chunks:
			t.Fatal("bytes out of nothing")
		case err := <-ended:
			t.Fatalf("read ended in silence: %v", err)
		case <-time.After(time.Millisecond):
			_ = i
		}
	}
	far.say("x")
	if b := <-chunks; string(b) != "x" {
		t.Errorf("got %q", b)
	}
}

// clogged opens the port and fills what the kernel takes, so that the next
// write would block. The kernel moves bytes on for a while.
func clogged(path string, s settings) (*conn, error) {
	c, err := open(path, s)
	if err != nil {
		return nil, err
	}
	for refused := 0; refused < 20; {
		if _, err := c.write(make([]byte, 4096)); err == nil {
			refused = 0
			continue
		}
		refused++
		time.Sleep(time.Millisecond)
	}
	return c, nil
}

func TestSerial150_BlockedWriteDoesNotHoldShutdown(t *testing.T) {
	far := newFarEnd(t, nil)
	far.deaf = true
	far.plug()
	n := running(t, Config{Path: far.path}, func(d *Device) { d.open = clogged })
	until(t, "a write that the port does not take", func() bool { return n.Stats().Stalls > 0 })
	n.Halt() // returns, whatever waits
	n.Do(table.Command{Part: fault.Shuffler, Kind: table.ResetOp, Op: 1})
	n.stop()
	if n.Stats().Open {
		t.Error("the port is still open")
	}
}

func TestSerial150_BlockedWriteLosesTheLink(t *testing.T) {
	far := newFarEnd(t, nil)
	far.deaf = true
	far.plug()
	first := true
	n := running(t, Config{Path: far.path}, func(d *Device) {
		d.open = func(path string, s settings) (*conn, error) {
			if first {
				first = false
				return clogged(path, s)
			}
			return open(path, s)
		}
	})
	holds(t, n.says(WriteBlocked), far.path)
	n.down(table.PortGone, 1)
	until(t, "opened again", func() bool { return n.Stats().Opens == 2 })
}

func TestSerial150_HaltGoesPastWhatWaits(t *testing.T) {
	far := newFarEnd(t, nil)
	far.deaf = true
	far.plug()
	c, err := clogged(far.path, settings{baud: protocol.Baud})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.send(0, bytes.Repeat([]byte{'o'}, 30), false); err != nil || len(c.pending) != 30 {
		t.Fatalf("waiting %d bytes, error %v; want 30", len(c.pending), err)
	}
	halt := protocol.AppendHalt(nil, 9)
	if err := c.send(0, halt, true); err != nil || !bytes.Equal(c.pending, halt) {
		t.Errorf("waiting % x (error %v), want the HALT alone", c.pending, err)
	}
	for range 100 { // a far end that takes nothing cannot make us grow
		if err := c.send(0, halt, false); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.pending) > maxPending {
		t.Errorf("%d bytes wait, at most %d", len(c.pending), maxPending)
	}
	if c.stuck(WriteStuck-1) || !c.stuck(WriteStuck) {
		t.Error("given up at another time than after WriteStuck")
	}
}

// TestSerial104_PortsAreNotEnumerated: it opens every ttyS, which resets an open
// one to 9600 baud.
func TestSerial104_PortsAreNotEnumerated(t *testing.T) {
	call := "Get" + "PortsList"
	files := 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), call) || strings.Contains(string(text), "GetDetailed"+"PortsList") {
			t.Errorf("%s calls %s", path, call)
		}
		return err
	})
	if err != nil || files < 20 {
		t.Fatalf("%d files searched, error %v", files, err)
	}
}

// TestMain lets the test binary be the second process.
func TestMain(m *testing.M) {
	if path := os.Getenv("PORT_TEST_HOLD"); path != "" {
		c, err := open(path, settings{baud: 57600})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		var b [1]byte
		_, _ = os.Stdin.Read(b[:]) // until the test ends it
		c.close()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// holderProcess is another process that has opened a port. kill ends it.
func holderProcess(t *testing.T, path string) (pid int, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PORT_TEST_HOLD="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); in.Close() }
	t.Cleanup(kill)
	word := make([]byte, 5)
	if _, err := out.Read(word); err != nil || string(word) != "held\n" {
		kill()
		t.Fatalf("the other process says %q, %v", word, err)
	}
	return cmd.Process.Pid, kill
}

func speed(t *testing.T, f *os.File) uint32 {
	t.Helper()
	tio, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS2)
	if err != nil {
		t.Fatal(err)
	}
	return tio.Ospeed
}

func TestBlueOS2324_SecondProcessIsRefused(t *testing.T) {
	far := plugged(t, shuffler(1))
	pid, kill := holderProcess(t, far.path)
	n := running(t, Config{Path: far.path})
	holds(t, n.says(Held), far.path, fmt.Sprintf("pid %d", pid))
	if got := speed(t, far.slave); got != 57600 {
		t.Errorf("the speed under the first holder is %d now, it had set 57600", got)
	}
	n.down(table.PortGone, 1)
	kill() // as kill -9: nothing is cleaned up
	n.up(1)
	if s := n.Stats(); s.Trouble != (Trouble{}) || speed(t, far.slave) != protocol.Baud {
		t.Errorf("after the other is gone: trouble %v, %d baud", s.Trouble, speed(t, far.slave))
	}
}

func TestSatpulse117_SamePortTwiceInOneProgram(t *testing.T) {
	far := plugged(t, shuffler(1))
	first := running(t, Config{Path: far.path})
	first.up(1)
	second := running(t, Config{Path: far.path})
	holds(t, second.says(Held), "this program itself")
	if d := first.downs(table.PortGone); d != 0 || !first.Stats().Up {
		t.Error("the first lost its port")
	}
}

func TestTarm100_HangupStopsReading(t *testing.T) {
	far := plugged(t, shuffler(1))
	n := running(t, Config{Path: far.path})
	n.up(1)
	tty := far.slave.Name()
	far.unplug()
	n.down(table.PortGone, 1)
	before := n.Stats()
	until(t, "tries", func() bool { return n.Stats().Tries >= before.Tries+3 })
	after := n.Stats()
	if wakes, tries := after.Wakeups-before.Wakeups, after.Tries-before.Tries; wakes > tries+1 {
		t.Errorf("%d wake-ups for %d tries: something spins", wakes, tries)
	}
	if after.Open || openOn(tty) != 0 {
		t.Errorf("the dead port is still open: %d descriptors", openOn(tty))
	}
	holds(t, n.says(Unplugged), far.path)
	if n.downs(table.PortGone) != 1 {
		t.Errorf("the table was told %d times", n.downs(table.PortGone))
	}
}

// TestEspmonitor12_OwnCloseIsNoUnplug: an end that we wanted is no event.
func TestEspmonitor12_OwnCloseIsNoUnplug(t *testing.T) {
	far := plugged(t, shuffler(1))
	n := running(t, Config{Path: far.path})
	n.up(1)
	n.stop()
	if len(n.told()) != 0 || n.downs(table.PortGone) != 0 {
		t.Errorf("stopping told %v, events %v", n.told(), n.seen())
	}
}

func TestKlipper299_ClosesBeforeReopen(t *testing.T) {
	far := plugged(t, shuffler(1))
	tty := far.slave.Name()
	var left atomic.Int32
	n := running(t, Config{Path: far.path}, func(d *Device) {
		d.open = func(path string, s settings) (*conn, error) {
			left.Add(int32(openOn(tty)))
			return open(path, s)
		}
	})
	n.up(1)
	far.slave.Close() // else the far end's own descriptor counts
	left.Store(0)
	far.unplug()
	n.down(table.PortGone, 1)
	tries := n.Stats().Tries
	until(t, "another try", func() bool { return n.Stats().Tries > tries+1 })
	n.stop()
	if left := left.Load(); left != 0 {
		t.Errorf("at a new opening %d descriptors of the dead port were open", left)
	}
}

func TestCmdMessenger9_HandshakeAfterEachOpen(t *testing.T) {
	far := plugged(t, shuffler(1)).listenIn()
	n := running(t, Config{Path: far.path}, func(d *Device) { d.wait.first = time.Millisecond })
	for i := range 3 {
		n.up(i + 1)
		if got := far.wire(); len(got) == 0 || got[0] != protocol.Delimiter {
			t.Fatalf("opening %d begins with % x, want a delimiter", i, got)
		}
		if got := far.frames(); len(got) == 0 || got[0] != protocol.TypeHello {
			t.Fatalf("opening %d begins with %v, want hello", i, got)
		}
		far.unplug()
		n.down(table.PortGone, i+1)
		far.mu.Lock()
		far.got = nil
		far.mu.Unlock()
		far.plug()
	}
}

// TestGrbl731_OpeningResetsTheDevice: a machine that restarts at each opening
// is up each time, and what was said before is gone.
func TestGrbl731_OpeningResetsTheDevice(t *testing.T) {
	far := plugged(t, shuffler(1))
	n := running(t, Config{Path: far.path, DTR: On, RTS: Off}, func(d *Device) {
		d.open = func(path string, s settings) (*conn, error) {
			c, err := open(path, s)
			if err == nil {
				far.do(func(m *sim.Machine) { m.Restart() })
			}
			return c, err
		}
	})
	n.up(1)
	far.unplug()
	n.down(table.PortGone, 1)
	far.plug()
	n.up(2)
}

func TestMeshtastic10975_JunkBetweenFrames(t *testing.T) {
	far := plugged(t, shuffler(1))
	n := running(t, Config{Path: far.path})
	n.up(1)
	good := n.Stats().Counters.OK
	for i := range 20 {
		far.say(fmt.Sprintf("I (%d) feeder: motor at 1800 rpm\r\n", i))
	}
	far.say(strings.Repeat("\xff", 5000)) // longer than any frame
	until(t, "frames behind the junk", func() bool { s := n.Stats().Counters; return s.Bad() > 0 && s.OK >= good+3 })
	if s := n.Stats(); !s.Up || n.count("table.DeviceDown") != 0 {
		t.Errorf("junk lost the link: %v", n.seen())
	}
}

func TestStratux372_OnlyJunkIsNamed(t *testing.T) {
	far := plugged(t, nil)
	n := running(t, Config{Path: far.path})
	until(t, "open", func() bool { return n.Stats().Open })
	for n.Stats().Trouble.Code != NotFrames {
		far.say("$GPGGA,123519,4807.038,N\r\n\x00")
		time.Sleep(time.Millisecond)
	}
	holds(t, n.says(NotFrames), far.path, "baud")
	if s := n.Stats(); s.Opens != 1 || s.Age >= 0 {
		t.Errorf("%d openings, age %v; want 1 and no frame", s.Opens, s.Age)
	}
}

func TestDiyTracker9_NoAutobaud(t *testing.T) {
	far := plugged(t, nil)
	n := running(t, Config{Path: far.path, Baud: 250000})
	until(t, "open", func() bool { return n.Stats().Open })
	for n.Stats().Trouble.Code != NotFrames {
		far.say("\xf8\xf0\x80\x00")
		time.Sleep(time.Millisecond)
	}
	if got := speed(t, far.slave); got != 250000 {
		t.Errorf("the line has %d baud, configured are 250000", got)
	}
}

// TestNRFSniffer15_BusyIsRetriedQuietly: ModemManager looks at each new port.
func TestNRFSniffer15_BusyIsRetriedQuietly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := running(t, Config{Path: "/dev/x"}, func(d *Device) {
			d.open = func(path string, _ settings) (*conn, error) {
				return nil, &failure{path: path, holder: "ModemManager (pid 9)", err: unix.EBUSY}
			}
		})
		time.Sleep(BusyQuiet - time.Second)
		if n.told() != nil || n.seen() != nil {
			t.Errorf("told too early: %v %v", n.told(), n.seen())
		}
		if tries := n.Stats().Tries; tries < 25 {
			t.Errorf("only %d tries", tries)
		}
		time.Sleep(time.Minute)
		if len(n.told()) != 1 || n.downs(table.PortGone) != 1 {
			t.Errorf("told %d times, the table %d times; want once each", len(n.told()), n.downs(table.PortGone))
		}
		holds(t, n.says(Busy), "/dev/x", "ModemManager (pid 9)", "udev")
	})
}

// TestBalenaOS317_ExclusiveUseBindsRootToo: the kernel lets root in beside a
// program that wants the port for itself; we look.
func TestBalenaOS317_ExclusiveUseBindsRootToo(t *testing.T) {
	far := plugged(t, nil)
	fd := int(far.slave.Fd())
	if taken(fd) || exclusively(fd) {
		t.Error("a fresh pty is taken, or its mark means something")
	}
	if err := unix.IoctlSetInt(fd, unix.TIOCEXCL, 0); err != nil {
		t.Fatal(err)
	}
	if !taken(fd) {
		t.Error("the mark is not seen")
	}
	null, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if !exclusively(int(null.Fd())) {
		t.Error("everything counts as a pty")
	}
}

// TestMavlink373_MissingForAnHour counts what an absent device costs.
func TestMavlink373_MissingForAnHour(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "by-path", "nothing")
	synctest.Test(t, func(t *testing.T) {
		n := running(t, Config{Path: missing})
		time.Sleep(time.Hour)
		s := n.Stats()
		if most := uint64(time.Hour/lastRetry) + 10; s.Tries > most || s.Tries < most-30 || s.Wakeups > s.Tries {
			t.Errorf("%d tries and %d wake-ups in an hour, want about %d of each", s.Tries, s.Wakeups, most-10)
		}
		if len(n.told()) != 1 || n.downs(table.PortGone) != 1 || len(n.seen()) != 1 {
			t.Errorf("told %v, events %v; want once each", n.told(), n.seen())
		}
		holds(t, n.says(Missing), missing, "by itself")
	})
}

func TestZigbee2mqtt17809_AnyStartOrder(t *testing.T) {
	far := newFarEnd(t, shuffler(1))
	n := running(t, Config{Path: far.path})
	n.down(table.PortGone, 1)
	until(t, "several failures", func() bool { return n.Stats().Tries >= 3 })
	n.Do(table.Command{Part: fault.Shuffler, Kind: table.ResetOp, Op: 1}) // goes nowhere
	far.plug()
	n.up(1)
	if s := n.Stats(); s.Trouble != (Trouble{}) || s.Age < 0 || s.Found.Serial.String() == "" {
		t.Errorf("up, but %+v", s)
	}
	if last := n.told()[len(n.told())-1]; last != (Trouble{}) {
		t.Errorf("the end of the trouble was not told: %v", last)
	}
}

// TestStaleBytes: what was written while nobody had the port open comes to the
// next one that opens it.
func TestStaleBytes(t *testing.T) {
	far := plugged(t, nil)
	far.say("AT\r\nERROR\r\n half a fra")
	n := running(t, Config{Path: far.path})
	until(t, "open", func() bool { return n.Stats().Open })
	far.say("\x00new\x00")
	until(t, "what came after opening", func() bool { return n.Stats().Counters.Bad() > 0 })
	if s := n.Stats(); s.Bytes != 5 || s.Stale != 22 {
		t.Errorf("%d bytes taken and %d thrown away, want the 5 that came after opening and the 22 from before", s.Bytes, s.Stale)
	}
}

// TestStaleBytesOfAnAdapter: an adapter's own buffer comes a moment later than
// the kernel's, and is not flushed with it.
func TestStaleBytesOfAnAdapter(t *testing.T) {
	far := plugged(t, nil)
	c, err := open(far.path, settings{baud: protocol.Baud})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	far.say("late")
	for c.stale < 4 {
		if err := c.drain(); err != nil {
			t.Fatal(err)
		}
	}
	far.say("new")
	var b [8]byte
	if n, err := c.file.Read(b[:]); string(b[:n]) != "new" {
		t.Errorf("read %q, %v", b[:n], err)
	}
}

func TestKlipper4975_SwappedCablesAreNamed(t *testing.T) {
	a, b := plugged(t, scanner(1)), plugged(t, shuffler(2)) // each on the other's path
	na := prepared(t, Config{Path: a.path, Part: fault.Shuffler})
	nb := prepared(t, Config{Path: b.path, Part: fault.Scanner})
	set := NewSet(na.cfg, nb.cfg)
	na.Device, nb.Device = set.devices[0], set.devices[1]
	na.run()
	nb.run()
	na.down(table.WrongRole, 1)
	nb.down(table.WrongRole, 1)
	holds(t, na.says(WrongDevice), a.path, "scanner", "serial "+na.Stats().Found.Serial.String(), "swap", b.path)
	holds(t, nb.says(WrongDevice), b.path, "shuffler", a.path)
	a.unplug()
	b.unplug()
	a.m, b.m = b.m, a.m
	a.plug()
	b.plug()
	na.up(1)
	nb.up(1)
	until(t, "no trouble", func() bool { s := set.Stats(); return s[0].Trouble == (Trouble{}) && s[1].Trouble == (Trouble{}) })
}

// TestWriteAfterClose: with the library a late frame lands in whatever file has
// got the descriptor's number since.
func TestWriteAfterClose(t *testing.T) {
	far := plugged(t, nil)
	c, err := open(far.path, settings{baud: protocol.Baud})
	if err != nil {
		t.Fatal(err)
	}
	c.close()
	var files []*os.File
	for range 20 { // one of them gets the number
		f, err := os.Create(filepath.Join(t.TempDir(), "other"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files = append(files, f)
	}
	if err := c.send(0, []byte("LATE FRAME"), true); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a late write says %v", err)
	}
	for _, f := range files {
		if st, err := f.Stat(); err != nil || st.Size() != 0 {
			t.Errorf("%d bytes landed in another file (%v)", st.Size(), err)
		}
	}
}

func TestModemLinesAreOptional(t *testing.T) {
	far := plugged(t, shuffler(1))
	running(t, Config{Path: far.path, DTR: On, RTS: On}).up(1)
}

// TestDescriptorAbove1023: the library's Read panics there.
func TestDescriptorAbove1023(t *testing.T) {
	if err := Fits(1100); err != nil {
		t.Skip(err)
	}
	for range 1050 {
		f, err := os.Open("/dev/null")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	far := plugged(t, shuffler(1))
	running(t, Config{Path: far.path}).up(1)
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		ports int
		limit uint64
		fits  bool
	}{{0, 76, true}, {1, 76, false}, {400, 1024, true}, {948, 1024, true}, {949, 1024, false}, {5, 10, false}} {
		err := fits(c.ports, c.limit)
		if (err == nil) != c.fits {
			t.Errorf("%d ports with %d files: %v", c.ports, c.limit, err)
		}
		if err != nil && !strings.Contains(err.Error(), "LimitNOFILE") {
			t.Errorf("%q does not tell what to do", err)
		}
	}
	if err := Fits(1); err != nil {
		t.Error(err)
	}
}

func TestLibraryPanicIsAnError(t *testing.T) {
	far := plugged(t, nil)
	openLine = func(string, *serial.Mode) (serial.Port, error) { panic("index out of range [17] with length 16") }
	defer func() { openLine = serial.Open }()
	c, err := open(far.path, settings{baud: 9600})
	if c != nil || !strings.Contains(isFailure(t, err).Error(), "index out of range") {
		t.Errorf("got %v, %v", c, err)
	}
	if n := openOn(far.slave.Name()); n != 1 {
		t.Errorf("%d descriptors are open, want the far end's own", n)
	}
}

func TestWhatIsNoPort(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Code{file: NotSerial, dir: NotSerial, "/dev/null": NotSerial, dir + "/x": Missing, loop: Broken} {
		_, err := open(path, settings{baud: 9600})
		tr := isFailure(t, err).trouble()
		if tr.Code != want {
			t.Errorf("%s is %s, want %s: %v", path, tr.Code, want, err)
		}
		holds(t, tr, path)
	}
	for err, want := range map[error]Code{unix.EACCES: Forbidden, unix.EMFILE: TooManyFiles, unix.EBUSY: Busy, unix.EIO: Unplugged} {
		if tr := (&failure{path: "/dev/x", err: err}).trouble(); tr.Code != want {
			t.Errorf("%v is %s, want %s", err, tr.Code, want)
		} else {
			holds(t, tr, "/dev/x")
		}
	}
}

func TestExistingReadsNamesOnly(t *testing.T) {
	root := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := existing(root); !strings.Contains(got, "no serial port") {
		t.Errorf("an empty machine has %q", got)
	}
	for _, d := range []string{"dev/serial/by-path", "dev/serial/by-id", "sys/class/tty/ttyUSB0/device", "sys/class/tty/ttyACM1/device",
		"sys/class/tty/ttyS0/device", "sys/class/tty/ttyS1/device", "sys/class/tty/tty1"} {
		must(os.MkdirAll(filepath.Join(root, d), 0o700))
	}
	must(os.Symlink("../../ttyUSB0", filepath.Join(root, "dev/serial/by-path/pci-usb-0:1")))
	must(os.Symlink("../../ttyUSB0", filepath.Join(root, "dev/serial/by-id/usb-FTDI")))
	must(os.WriteFile(filepath.Join(root, "sys/class/tty/ttyS0/type"), []byte("4\n"), 0o600))
	must(os.WriteFile(filepath.Join(root, "sys/class/tty/ttyS1/type"), []byte("0\n"), 0o600))
	if got, want := existing(root), "/dev/serial/by-path/pci-usb-0:1, /dev/ttyACM1, /dev/ttyS0"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
