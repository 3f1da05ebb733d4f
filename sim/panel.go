package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Edge is a change of level at a contact.
type Edge struct {
	At    time.Duration
	Level bool // true: closed, pressed
}

// mostBounces is how often a contact closes again at the most.
const mostBounces = 5

// Press gives the edges of a contact that is pressed at a time and held so
// long. It bounces for up to bounce after each change; the last edge of each
// is the level that stays. A hold that is shorter than the bounce is one
// chatter, which ends open.
func Press(at, hold, bounce time.Duration, rng *rand.Rand) []Edge {
	e := settleEdges(nil, at, true, bounce, rng)
	release := at + hold
	if cut := slices.IndexFunc(e, func(e Edge) bool { return e.At >= release }); cut >= 0 {
		e = e[:cut]
		if len(e) > 0 && !e[len(e)-1].Level {
			e = e[:len(e)-1]
		}
		if len(e) == 0 {
			e = append(e, Edge{at, true})
		}
	}
	return settleEdges(e, max(release, e[len(e)-1].At+1), false, bounce, rng)
}

// settleEdges appends a change of level with its bounces.
func settleEdges(e []Edge, at time.Duration, level bool, bounce time.Duration, rng *rand.Rand) []Edge {
	e = append(e, Edge{at, level})
	if bounce <= 0 {
		return e
	}
	offsets := make([]time.Duration, 2*rng.IntN(mostBounces+1))
	for i := range offsets {
		offsets[i] = 1 + time.Duration(rng.Int64N(int64(bounce)))
	}
	slices.Sort(offsets)
	offsets = slices.Compact(offsets)
	offsets = offsets[:len(offsets)&^1]
	for _, o := range offsets {
		level = !level
		e = append(e, Edge{at + o, level})
	}
	return e
}

// PanelLine is one contact of the panel at a table.
type PanelLine uint8

// Lines of a panel.
const (
	PanelCover  PanelLine = iota // closed: the cover is open
	PanelEStop                   // the emergency stop is pressed
	PanelButton                  // the dealer's green button
	PanelWash                    // somebody washes
	PanelCut                     // somebody cuts
	panelLines
)

// String gives the line's name.
func (l PanelLine) String() string {
	if l < panelLines {
		return [panelLines]string{"cover", "estop", "button", "wash", "cut"}[l]
	}
	return fmt.Sprintf("panel line %d", uint8(l))
}

// PanelEdge is an edge of one line.
type PanelEdge struct {
	Edge
	Line PanelLine
}

// Panel is the contacts at a table, in virtual time. Make one with NewPanel.
// Not to be shared between goroutines.
type Panel struct {
	rng    *rand.Rand
	bounce time.Duration
	coming []PanelEdge
	level  [panelLines]bool
	gone   []PanelEdge
}

// NewPanel makes a panel whose contacts are open and bounce for up to bounce.
func NewPanel(bounce time.Duration, rng *rand.Rand) *Panel { return &Panel{rng: rng, bounce: bounce} }

// Press closes a contact at a time and opens it after hold.
func (p *Panel) Press(l PanelLine, at, hold time.Duration) {
	p.add(l, Press(at, hold, p.bounce, p.rng))
}

// Set closes or opens a contact at a time, to stay so.
func (p *Panel) Set(l PanelLine, at time.Duration, level bool) {
	p.add(l, settleEdges(nil, at, level, p.bounce, p.rng))
}

func (p *Panel) add(l PanelLine, edges []Edge) {
	if l >= panelLines {
		return
	}
	for _, e := range edges {
		p.coming = append(p.coming, PanelEdge{e, l})
	}
	slices.SortStableFunc(p.coming, func(a, b PanelEdge) int { return int(min(1, max(-1, a.At-b.At))) })
}

// Next is when the next edge comes; Never if none does.
func (p *Panel) Next() time.Duration {
	if len(p.coming) == 0 {
		return Never
	}
	return p.coming[0].At
}

// Advance gives the edges up to now, by time, each of which changes its line;
// valid until the next call.
func (p *Panel) Advance(now time.Duration) []PanelEdge {
	p.gone = p.gone[:0]
	n := 0
	for ; n < len(p.coming) && p.coming[n].At <= now; n++ {
		if e := p.coming[n]; e.Level != p.level[e.Line] {
			p.level[e.Line] = e.Level
			p.gone = append(p.gone, e)
		}
	}
	p.coming = slices.Delete(p.coming, 0, n)
	return p.gone
}

// Level tells whether a contact is closed now.
func (p *Panel) Level(l PanelLine) bool { return l < panelLines && p.level[l] }
