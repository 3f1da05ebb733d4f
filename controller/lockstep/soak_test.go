package lockstep_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/sim/rig"
)

// mishaps are what a soak draws from, as scenario deeds for a hand.
var mishaps = []string{
	"hand %d: shuffler jam_entry@gather", "hand %d: shuffler jam_exit@release", "hand %d: shuffler motor@riffle+40%%", "hand %d: shuffler double_feed@gather",
	"hand %d: shuffler card_left@release", "hand %d: shuffler sort_mode@now", "hand %d: shuffler reboot:400ms@riffle+50%%", "hand %d: silence shuffler 3s",
	"hand %d: shuffler local:riffle", "hand %d dealt: feed early", "hand %d: call floor", "hand %d: shuffler cover_open@riffle+30%%", "hand %d: shuffler estop@strip+30%%",
	"hand %d: shuffler homing@reset", "hand %d: shuffler misfeed@gather", "hand %d: line shuffler lose 2%% flip 0.1%%", "hand %d: line shuffler lose 0%%",
	"hand %d dealt: silence scanner 4s", "hand %d dealt: service out", "hand %d dealt: service in",
}

// drawTrouble makes a scenario in which about one hand in two has a mishap.
func drawTrouble(tb testing.TB, rng *rand.Rand, hands int) rig.Scenario {
	tb.Helper()
	var text strings.Builder
	for n := 1; n <= hands; n++ {
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&text, mishaps[rng.IntN(len(mishaps))]+"\n", n)
		}
	}
	s, err := rig.ParseScenario("soak", text.String())
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestSoak_RandomTrouble plays evenings with random mishaps. Every hand comes to
// its end, and the oracle finds no broken promise in the journal.
func TestSoak_RandomTrouble(t *testing.T) {
	evenings, hands := shortOr(6, 100), 50
	for seed := range evenings {
		rng := rand.New(rand.NewPCG(uint64(seed), 77))
		plan := rig.Plan{Hands: hands, Pace: brisk, Scenario: drawTrouble(t, rng, hands), HandoffAt: map[uint64]bool{7: true, 31: true}, LevelAt: map[uint64]bool{5: true, 20: true}, Close: true}
		e := newEvening(t, uint64(seed), journal.NewMemory(), plan, nil)
		e.play(t, 100*time.Hour)
		if o := judge(t, e.journal); o.Ended != hands {
			t.Errorf("seed %d: %d hands ended, want %d", seed, o.Ended, hands)
		}
		if t.Failed() {
			t.Fatalf("seed %d is the whole report", seed)
		}
	}
}

// TestSoak_MemoryStaysFlat: what a controller holds does not grow with the hands
// that it has seen. The journal is on disk, as it is in the daemon.
func TestSoak_MemoryStaysFlat(t *testing.T) {
	hands := shortOr(120, 6000)
	j, err := journal.Open(t.TempDir(), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	e := newEvening(t, 3, j, rig.Plan{Hands: hands, Pace: brisk}, nil)
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	e.run.Until(func() bool {
		s, err := e.run.C.Snapshot("1")
		if err == nil && early == 0 && s.State.LastHand >= uint64(hands/4) {
			early = held()
		}
		return e.crew.Done()
	})
	late := held()
	t.Logf("%d hands: %d KB held after a quarter, %d KB at the end", hands, early>>10, late>>10)
	if const256K := uint64(256 << 10); late > early+const256K {
		t.Errorf("the heap grew from %d to %d bytes", early, late)
	}
}
