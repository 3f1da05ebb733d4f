package lockstep_test

import (
	"os"
	"testing"
	"time"

	"shuffler/controller/journal"
	"shuffler/protocol"
	"shuffler/sim"
	"shuffler/sim/rig"
)

// long tells whether the full figures are wanted (.ci/long).
var long = os.Getenv("SHUFFLER_LONG") != ""

func shortOr(short, full int) int {
	if long {
		return full
	}
	return short
}

// brisk people: a hand takes little time on the line.
var brisk = rig.Pace{Deed: 200 * time.Millisecond, Move: 300 * time.Millisecond, Wash: 500 * time.Millisecond, Play: time.Second}

// TestBadLink_OneInAThousand: 0.1 % of frames lost and 0.1 % repeated, both ways
// and at both devices. Nobody notices: no verdict is wrong, no shuffle is void,
// no fault stands, no person is needed beyond the normal deeds.
func TestBadLink_OneInAThousand(t *testing.T) {
	hands := shortOr(150, 4000)
	e := newEvening(t, 42, journal.NewMemory(), rig.Plan{Hands: hands, Pace: brisk, HandoffAt: map[uint64]bool{3: true, 100: true}, LevelAt: map[uint64]bool{2: true, 70: true}}, nil)
	faults := sim.SymmetricFaults(sim.WayFaults{Lose: 0.001, Repeat: 0.001})
	e.world.ShufflerLine.SetFaults(faults)
	e.world.ScannerLine.SetFaults(faults)
	e.play(t, time.Duration(hands+100)*10*time.Minute)
	o := judge(t, e.journal)
	if o.Records["hand_ended"] != hands {
		t.Errorf("%d hands ended, want %d", o.Records["hand_ended"], hands)
	}
	for _, never := range []string{"shuffle_void", "fault", "sequence_break", "count_wrong", "refused", "device_down"} {
		if o.Records[never] != 0 {
			t.Errorf("%d records %s", o.Records[never], never)
		}
	}
	if o.Records["verdict good"] != 2 || o.Records["check_ended"] != 2 {
		t.Errorf("%d checks, %d good, want two good", o.Records["check_ended"], o.Records["verdict good"])
	}
	c := e.world.ShufflerLine.Counts()
	lost, repeated := c.ToDevice.Lost+c.ToHost.Lost, c.ToDevice.Repeated+c.ToHost.Repeated
	if lost == 0 || repeated == 0 {
		t.Errorf("the line lost %d and repeated %d frames: nothing was tried", lost, repeated)
	}
	t.Logf("%d hands, %d frames lost and %d repeated of %d", hands, lost, repeated, c.ToDevice.Frames+c.ToHost.Frames)
}

// TestBadLink_NoSingleFrameMatters loses each frame of an evening once, one in a
// run, and wants the same facts each time.
func TestBadLink_NoSingleFrameMatters(t *testing.T) {
	frames := 0
	run := func(lose int) (seen int) {
		e := newEvening(t, 7, journal.NewMemory(), rig.Plan{Hands: 1, Pace: brisk}, nil)
		pick := func(protocol.Direction, []byte) bool { seen++; return seen == lose }
		e.world.ShufflerLine.Lose(pick)
		e.world.ScannerLine.Lose(pick)
		e.play(t, time.Hour)
		o := judge(t, e.journal)
		if o.Records["hand_ended"] != 1 || o.Records["shuffle_void"]+o.Records["fault"]+o.Records["refused"]+o.Records["verdict bad"]+o.Records["verdict unread"] != 0 {
			t.Fatalf("frame %d lost: %v", lose, o.Records)
		}
		return seen
	}
	frames = run(0)
	every := shortOr(frames/100, 1)
	for k := 1; k <= frames; k += every {
		run(k)
	}
	t.Logf("%d frames in an evening of one hand, every %dth lost once", frames, every)
}

// TestBadLink_NoiseNeverMakesAVerdict: a hundredth of all bytes is wrong, with
// bursts. Faults are named and cleared by the floor; no good deck is called bad
// and no bad one good.
func TestBadLink_NoiseNeverMakesAVerdict(t *testing.T) {
	noise := sim.SymmetricFaults(sim.WayFaults{Flip: 0.01, Burst: 0.005, Text: 0.01, Cut: 0.005})
	runs, good, bad := shortOr(12, 120), 0, 0
	for seed := range runs {
		flawed := seed%2 == 1
		text := ""
		if flawed {
			text = "start: deck A " + []string{"swap:QD>JD", "missing:7C", "joker", "back:4C=blue", "boxed:9H", "extra:2S"}[seed/2%6]
		}
		s, err := rig.ParseScenario("noise", text)
		if err != nil {
			t.Fatal(err)
		}
		e := newEvening(t, uint64(seed), journal.NewMemory(), rig.Plan{Hands: 2, Pace: brisk, Scenario: s}, nil)
		e.world.ShufflerLine.SetFaults(noise)
		e.world.ScannerLine.SetFaults(noise)
		e.play(t, 24*time.Hour)
		o := judge(t, e.journal)
		if !flawed && o.Records["verdict bad"] > 0 {
			t.Errorf("seed %d: a good deck is called bad", seed)
		}
		if flawed && o.Records["verdict bad"] == 0 {
			t.Errorf("seed %d: the bad deck was not found: %v", seed, o.Records)
		}
		good, bad = good+o.Records["verdict good"], bad+o.Records["verdict bad"]
	}
	t.Logf("%d evenings: %d verdicts good, %d bad", runs, good, bad)
}
