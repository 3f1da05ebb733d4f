package report

import (
	"fmt"
	"slices"

	"shuffler/controller/table/custody"
	"shuffler/controller/table/hand"
)

// Grouping says by what a hand log is divided. The zero value divides nothing.
type Grouping string

// The groupings.
const (
	ByDown    Grouping = "down"    // a dealer's time at the table
	ByLevel   Grouping = "level"   // the level tag
	BySession Grouping = "session" // an opening of the table
)

// Groupings lists them.
func Groupings() []Grouping { return []Grouping{ByDown, ByLevel, BySession} }

// ParseGrouping reads a grouping's name; empty is none.
func ParseGrouping(s string) (Grouping, error) {
	if s != "" && !slices.Contains(Groupings(), Grouping(s)) {
		return "", fmt.Errorf("grouping %q: want down, level or session", s)
	}
	return Grouping(s), nil
}

// HandGroup is the hands of one down, level or session, in their order. A level
// or a dealer that comes back makes another group.
type HandGroup struct {
	By      Grouping       `json:"by"`
	Session uint64         `json:"session"`
	Dealer  custody.Person `json:"dealer,omitzero"`
	Level   hand.Level     `json:"level,omitzero"`
	Hands   []uint64       `json:"hands"`
	// Totals are missing where they would be the statistics of a dealer and the
	// report is not the floor's (P5).
	Totals *Totals `json:"totals,omitempty"`

	entries []*HandEntry
	down    int
}

// grouped divides hands. A hand in which the dealer changed is the one's who
// began it; a level is the tag's.
func grouped(by Grouping, hands []*HandEntry, floor bool) (list []HandGroup) {
	if by == "" {
		return nil
	}
	for _, h := range hands {
		g := HandGroup{By: by, Session: h.Session}
		switch by {
		case ByDown:
			g.Dealer, g.down = h.Dealer, h.down
		case ByLevel:
			g.Level = h.Tag
		}
		if n := len(list); n == 0 || list[n-1].Session != g.Session || list[n-1].down != g.down || list[n-1].Level != g.Level {
			list = append(list, g)
		}
		last := &list[len(list)-1]
		last.Hands, last.entries = append(last.Hands, h.Hand), append(last.entries, h)
	}
	for i := range list {
		if by != ByDown || floor {
			list[i].Totals = &Totals{}
			list[i].Totals.add(list[i].entries)
		}
	}
	return list
}

// heading names a group.
func (c clock) heading(g HandGroup) string {
	switch g.By {
	case ByDown:
		return c.say("log.of_down", "dealer", g.Dealer, "session", g.Session)
	case ByLevel:
		return c.say("log.of_level", "level", g.Level)
	}
	return c.say("log.of_session", "session", g.Session)
}

// overview is a line for each hand.
func (c clock) overview(s *Section, hands []*HandEntry) {
	var rows []Row
	for _, h := range hands {
		rows = append(rows, Row{Cells: []string{fmt.Sprint(h.Hand), c.levelShort(h.Tag), c.time(h.Trigger.AtMS), c.endOrState(h), c.person(h.Dealer), h.Deck, c.odd(h)}})
	}
	s.grid([]Column{
		{Title: c.say("label.hand"), Right: true}, {Title: c.say("label.level")}, {Title: c.say("log.began")}, {Title: c.say("log.ended")}, {Title: c.say("label.dealer")},
		{Title: c.say("label.deck")}, {Title: c.say("log.odd")},
	}, rows)
}

// odd counts what a hand has beside its course; empty for most.
func (c clock) odd(h *HandEntry) string {
	var t Totals
	t.add([]*HandEntry{h})
	var list []string
	for _, o := range []struct {
		label string
		n     int
	}{
		{"label.voids", t.Voids}, {"label.breaks", t.Breaks}, {"label.counts_wrong", t.CountsWrong}, {"label.cuts_refused", t.CutsRefused}, {"label.holds", t.Holds},
		{"label.faults", t.Faults}, {"label.also", len(h.Also)},
	} {
		if o.n > 0 {
			list = append(list, c.say("log.odd_one", "what", c.say(o.label), "n", o.n))
		}
	}
	return c.list(list)
}

// levelShort is a level in a column: number and blinds.
func (w words) levelShort(l hand.Level) string {
	if !l.InForce() {
		return ""
	}
	return w.say("common.level_short", "number", l.Number, "sb", l.SmallBlind, "bb", l.BigBlind)
}

func (c clock) endOrState(h *HandEntry) string {
	if h.State == HandEnded {
		return c.time(h.EndMS)
	}
	return c.term("state", h.State)
}
