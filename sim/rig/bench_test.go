package rig_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"shuffler/controller/device"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
	"shuffler/sim"
	"shuffler/sim/rig"
)

func goroutines() int { return runtime.NumGoroutine() }

// TestTerminal_NobodyListens: the device goes on, what was sent first is kept, and
// every byte goes through as it is.
func TestTerminal_NobodyListens(t *testing.T) {
	chunk := make([]byte, 256)
	for i := range chunk {
		chunk[i] = byte(i)
	}
	took, first, err := rig.TerminalTakes(chunk)
	if err != nil || !bytes.Equal(first, chunk) {
		t.Errorf("%x, %v, want all bytes as they are", first, err)
	}
	if took < 1000 || took > 1<<20 {
		t.Errorf("it took %d bytes", took)
	}
}

// TestMotions_TypicalIsTheSimulatorsOwn: a bench at natural speed has the times of
// package sim, which does not tell them.
func TestMotions_TypicalIsTheSimulatorsOwn(t *testing.T) {
	steps := func(timing sim.Timing) (took []time.Duration) { // by the machine's own button
		timing.Spread = -1
		m := sim.NewShuffler(sim.Config{Timing: timing, Caps: sim.AllCaps}, seeded(1))
		_ = m.PutIn(sim.NewPack("red"))
		at := time.Second
		for k := protocol.KindGather; k <= protocol.KindRelease; k++ {
			if !k.IsStep() && k != protocol.KindRelease {
				continue
			}
			m.Advance(at)
			if err := m.PressOwnButton(k); err != nil {
				t.Fatal(err)
			}
			from := at
			for ; m.Moving(); at += time.Millisecond {
				m.Advance(at)
			}
			took = append(took, at-from)
		}
		return took
	}
	orders := func(timing sim.Timing) (sent []byte) { // what no button starts
		timing.Spread = -1
		m := sim.NewScanner(sim.Config{Timing: timing}, seeded(1))
		_ = m.PutIn(sim.NewPack("red"))
		link := device.NewLink(0, device.Config{Part: fault.Scanner, Session: 1, Version: "test"})
		todo := []table.Command{{Part: fault.Scanner, Op: 1, Kind: table.ScanOp, Expect: 52}, {Part: fault.Scanner, Kind: table.TallyAck, Op: 1}, {Part: fault.Scanner, Op: 2, Kind: table.ResetOp}}
		for at := time.Duration(0); at < 10*time.Second; at += time.Millisecond {
			out := m.Advance(at)
			sent = append(sent, out...)
			for _, e := range link.Receive(at, out) {
				_, isUp := e.(table.DeviceUp)
				_, isEnd := e.(table.ScanEnded)
				switch {
				case isUp:
					link.Do(at, todo[0])
				case isEnd:
					link.Do(at, todo[1])
					link.Do(at, todo[2])
				}
			}
			link.Advance(at)
			m.Receive(at, link.Write())
		}
		return sent
	}
	if own, ours := steps(sim.Timing{}), steps(rig.Typical); !slices.Equal(own, ours) {
		t.Errorf("motions take %v, in package sim %v", ours, own)
	}
	if !bytes.Equal(orders(sim.Timing{}), orders(rig.Typical)) {
		t.Error("scan and reset take another time than in package sim")
	}
	if got := rig.Motions(2); got.Riffle != rig.Typical.Riffle/2 || got.Halt != 0 || got.Boot != 0 {
		t.Errorf("twice as fast: %+v", got)
	}
	if rig.Motions(1) != (sim.Timing{}) {
		t.Error("natural speed is not the simulator's own")
	}
}

func TestBench_RefusesWhatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]rig.Options{
		"an id twice":          {IDs: []string{"1", "1"}},
		"an id with a slash":   {IDs: []string{"../1"}},
		"an empty id":          {IDs: []string{""}},
		"a negative speed":     {Speed: -1},
		"far too fast":         {Speed: 1e9},
		"a file for the links": {Links: file},
	} {
		if b, err := rig.StartBench(o); err == nil {
			b.Close()
			t.Errorf("%s is taken", name)
		}
	}
}

// TestLinks_OneBenchAtATime: a second one is refused, a killed one's links are
// cleared away, and what is no link stays.
func TestLinks_OneBenchAtATime(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, "table9-scanner")
	if err := os.Symlink("/dev/pts/9999", left); err != nil {
		t.Fatal(err)
	}
	b := bench(t, rig.Options{Links: dir})
	if _, err := os.Lstat(left); err == nil {
		t.Error("a link of a killed bench leads to somebody's terminal")
	}
	if to, err := os.Readlink(filepath.Join(dir, "table1-scanner")); err != nil || !strings.HasPrefix(to, "/dev/pts/") {
		t.Errorf("link to %q, %v", to, err)
	}
	if _, err := rig.StartBench(rig.Options{Links: dir}); err == nil || !strings.Contains(err.Error(), "another simulator") {
		t.Errorf("a second bench: %v", err)
	}
	b.Close()
	if list, _ := filepath.Glob(filepath.Join(dir, "*")); list != nil {
		t.Errorf("left behind: %v", list)
	}
	mine := filepath.Join(dir, "table1-shuffler")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rig.StartBench(rig.Options{Links: dir}); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Errorf("over a file: %v", err)
	}
	if text, _ := os.ReadFile(mine); string(text) != "mine" {
		t.Error("a file was overwritten")
	}
}

// TestBench_SameSeedSamePacks: the world follows from the seed, whatever the time.
func TestBench_SameSeedSamePacks(t *testing.T) {
	mixed := func(seed uint64, table int) (p sim.Pack) {
		b := bench(t, rig.Options{IDs: []string{"1", "2"}, Seed: seed})
		defer b.Close()
		b.Answer("mix A")
		b.Answer("put A")
		b.Tables()[table].Do(func(_ time.Duration, w *rig.World) { p = w.Shuffler.Places().All() })
		return p
	}
	one := mixed(1, 0)
	if !slices.Equal(one, mixed(1, 0)) {
		t.Error("the same seed gave other cards")
	}
	if slices.Equal(one, mixed(2, 0)) || slices.Equal(one, mixed(1, 1)) {
		t.Error("another seed or table gave the same cards")
	}
	if len(one) != 52 {
		t.Errorf("%d cards", len(one))
	}
}

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, ^n)) }
