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
	history := func(timing sim.Timing) (sent []byte) {
		timing.Spread = -1
		for _, make := range []func(sim.Config, *rand.Rand) *sim.Machine{sim.NewShuffler, sim.NewScanner} {
			m := make(sim.Config{Timing: timing, Caps: sim.AllCaps, Role: protocol.RoleBoth}, rand.New(rand.NewPCG(1, 1)))
			_ = m.PutIn(sim.NewPack("red"))
			at := time.Second
			for k := protocol.KindGather; k <= protocol.KindReset; k++ {
				_ = m.PressOwnButton(k)
				for end := at + 20*time.Second; at < end; at += 10 * time.Millisecond {
					sent = append(sent, m.Advance(at)...)
				}
			}
		}
		return sent
	}
	if !bytes.Equal(history(sim.Timing{}), history(rig.Typical)) {
		t.Error("times of motions differ from those of package sim")
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
