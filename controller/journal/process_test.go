package journal

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var kills = flag.Int("kills", 20, "how often TestKill9 kills the writer; .ci/long takes 200")

// The test binary serves as the other process when this variable names a duty.
const dutyVariable = "JOURNAL_TEST_DUTY"

func TestMain(m *testing.M) {
	duties := map[string]func(dir string) error{"append": appendForEver, "hold": holdLock, "limit": fillToLimit}
	if duty, dir, ok := strings.Cut(os.Getenv(dutyVariable), " "); ok {
		if err := duties[duty](dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Set("rapid.checks", "30") // each opens files; the command line may say more
	flag.Parse()
	os.Exit(m.Run())
}

// process is a child with its output.
type process struct {
	*exec.Cmd
	out *bufio.Reader
	in  io.WriteCloser
}

func start(t *testing.T, duty, dir string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Env = append(os.Environ(), dutyVariable+"="+duty+" "+dir)
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// appendForEver appends groups of random size and says each head after it was given.
func appendForEver(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	n, err := s.StreamHead("table/1")
	if err != nil {
		return err
	}
	for {
		size := 1 + rand.IntN(20)
		h, err := s.Append(many(int(n), size))
		if err != nil {
			return err
		}
		n += uint64(size)
		fmt.Println(h)
	}
}

// Whatever the moment of a kill: each head that was said is in the journal, whole
// groups only, and the chain goes on from there.
func TestX3_Kill9(t *testing.T) {
	dir := t.TempDir()
	var said []Head
	for round := range *kills {
		p := start(t, "append", dir)
		// Some die before their first word, in opening or in recovery.
		for range rand.IntN(40) {
			line, err := p.out.ReadString('\n')
			if err != nil {
				t.Fatalf("round %d: the writer ended: %v", round, err)
			}
			said = append(said, mustParse(t, line))
		}
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for { // what it said before it died counts
			line, err := p.out.ReadString('\n')
			if err != nil {
				break
			}
			said = append(said, mustParse(t, line))
		}
		p.Wait()
	}
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := Verify(s, Check{Published: said})
	if err != nil || !r.OK() {
		t.Fatalf("%v, %v", err, r.Problems)
	}
	if len(said) == 0 || r.Head.Pos < said[len(said)-1].Pos {
		t.Errorf("said %d heads, the journal ends at %v", len(said), r.Head)
	}
	t.Logf("%d kills, %d acknowledged groups, %d records", *kills, len(said), r.Records)
}

func mustParse(t *testing.T, line string) Head {
	t.Helper()
	h, err := ParseHead(strings.TrimSuffix(line, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// holdLock opens, says so, and waits.
func holdLock(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	fmt.Println("open")
	io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

func TestTwoWritersAreRefused(t *testing.T) {
	dir := folder(t, 3)
	p := start(t, "hold", dir)
	if _, err := p.out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, Options{})
	var locked *LockedError
	if !errors.Is(err, ErrLocked) || !errors.As(err, &locked) || locked.PID != p.Process.Pid {
		t.Fatalf("Open = %v, want a lock of process %d", err, p.Process.Pid)
	}
	if !strings.Contains(err.Error(), strconv.Itoa(p.Process.Pid)) || !strings.Contains(err.Error(), dir) {
		t.Errorf("%v: does not say who and where", err)
	}
	r, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatalf("reading beside a writer: %v", err)
	}
	defer r.Close()
	if h, err := r.Head(); err != nil || h.Pos != 3 {
		t.Errorf("Head = %v, %v", h, err)
	}
	p.Process.Kill()
	p.Wait()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	defer s.Close()
	if _, err := Open(dir, Options{}); !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("a second time in this process: %v", err)
	}
}

// A reader in another process sees what is appended meanwhile, and harms nothing.
func TestSqlite3274_ReaderBesideWriterProcess(t *testing.T) {
	dir := t.TempDir()
	p := start(t, "append", dir)
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	said := []Head{mustParse(t, line)}
	for range 3 {
		for range 20 {
			if line, err = p.out.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			said = append(said, mustParse(t, line))
		}
		report, err := Verify(r, Check{Published: said})
		if err != nil || !report.OK() {
			t.Fatalf("%v, %v", err, report.Problems)
		}
	}
	p.Process.Kill()
	p.Wait()
}

// fillToLimit makes the kernel refuse to let files grow, as a full disk does, and says
// what happens then.
func fillToLimit(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 300 << 10, Max: old.Max}); err != nil {
		return err
	}
	n := 0
	var want Head
	for {
		h, err := s.Append(many(n, 7))
		if err != nil {
			fmt.Println("refused as write:", errors.Is(err, ErrWrite), "damaged:", errors.Is(err, ErrDamaged))
			break
		}
		want = h
		n += 7
	}
	h, err := s.Head()
	fmt.Println("read:", h == want, err)
	if _, err := s.Append(many(n, 1)); !errors.Is(err, ErrWrite) {
		return fmt.Errorf("Append before Reopen: %v", err)
	}
	// Reopening must fail or tell the truth; with room it must work.
	if h, err = s.Reopen(); err == nil && h != want || err != nil && !errors.Is(err, ErrWrite) {
		return fmt.Errorf("Reopen at the limit = %v, %v, want %v", h, err, want)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1, Max: old.Max}); err != nil {
		return err
	}
	if s.failed == nil { // Reopen found room for its own small write
		s.Append(many(n, 1))
	}
	_, err = s.Reopen()
	fmt.Println("reopening without room refused:", errors.Is(err, ErrWrite))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	h, err = s.Reopen()
	fmt.Println("reopened:", h == want, err)
	if _, err := s.Append(many(n, 7)); err != nil {
		return err
	}
	r, err := Verify(s, Check{Published: []Head{want}})
	fmt.Println("verified:", r.OK() && r.Records == uint64(n+7), err)
	return s.Close()
}

func TestKernelRefusesToWrite(t *testing.T) {
	p := start(t, "limit", t.TempDir())
	all, err := io.ReadAll(p.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	want := []string{"refused as write: true damaged: false", "read: true <nil>", "reopening without room refused: true", "reopened: true <nil>", "verified: true <nil>", ""}
	if got := strings.Split(string(all), "\n"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
