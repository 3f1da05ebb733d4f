package sim

import (
	"testing"
	"time"
)

func TestPress_BouncesAndSettles(t *testing.T) {
	rng := seeded(1)
	bounced := false
	for range 500 {
		at, hold, bounce := time.Second, time.Duration(1+rng.IntN(int(300*ms))), time.Duration(rng.IntN(int(20*ms)))
		e := Press(at, hold, bounce, rng)
		if len(e) < 2 || e[0] != (Edge{at, true}) || e[len(e)-1].Level {
			t.Fatalf("hold %v, bounce %v: %v", hold, bounce, e)
		}
		for i := 1; i < len(e); i++ {
			if e[i].At <= e[i-1].At || e[i].Level == e[i-1].Level {
				t.Fatalf("hold %v, bounce %v: %v", hold, bounce, e)
			}
		}
		if end := e[len(e)-1].At - at; end < hold || end > hold+bounce+1 {
			t.Fatalf("hold %v, bounce %v: ends after %v", hold, bounce, end)
		}
		bounced = bounced || len(e) > 4
	}
	if !bounced {
		t.Error("never bounced")
	}
	if e := Press(5, 10, 0, rng); len(e) != 2 || e[1] != (Edge{15, false}) {
		t.Errorf("%v", e)
	}
}

func TestPanel(t *testing.T) {
	p := NewPanel(5*ms, seeded(1))
	p.Press(PanelButton, time.Second, 100*ms)
	p.Set(PanelCover, 500*ms, true)
	if p.Next() != 500*ms || len(p.Advance(499*ms)) != 0 {
		t.Errorf("next is %v", p.Next())
	}
	for now := time.Duration(0); p.Next() != Never; now = p.Next() {
		for _, e := range p.Advance(now) {
			if e.At > now || e.Line != PanelButton && e.Line != PanelCover {
				t.Errorf("%+v at %v", e, now)
			}
		}
		if now > 1010*ms && now < 1100*ms && !p.Level(PanelButton) {
			t.Error("not held")
		}
	}
	if !p.Level(PanelCover) || p.Level(PanelButton) || p.Level(99) {
		t.Error("wrong level in the end")
	}
	if PanelWash.String() != "wash" {
		t.Error(PanelWash)
	}
}
