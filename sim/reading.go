package sim

import "shuffler/protocol"

// reading is a scan that has begun: counts, and no order (X1). Which back is
// the deck's own is only known in the end, so each is counted by itself.
type reading struct {
	inside bool // the pack is read where it lies
	at     int  // cards of it that have gone by
	read   int
	fed    int // what the feed counter is wrong by
	from   Face
	to     Face // one card with face from is read so; from == to for none

	boxed, unreadable int
	backs             []backCount
}

// backCount is what was read of cards with this back.
type backCount struct {
	back   string
	cards  int
	jokers int
	faces  [52]int
}

// read counts one card. What cannot be read is nothing else, and of a boxed
// card there is no face to see.
func (m *Machine) read(c Card) {
	r := &m.motion.reading
	r.read++
	if r.from != r.to && c.Face == r.from {
		c.Face = r.to
		r.from = r.to
	}
	switch {
	case c.Unreadable || c.Face <= Joker && m.blind>>c.Face&1 != 0:
		r.unreadable++
	case c.Boxed:
		r.boxed++
	default:
		b := r.of(c.Back)
		b.cards++
		if c.Face < Joker {
			b.faces[c.Face]++
		} else {
			b.jokers++
		}
	}
}

func (r *reading) of(back string) *backCount {
	for i := range r.backs {
		if r.backs[i].back == back {
			return &r.backs[i]
		}
	}
	r.backs = append(r.backs, backCount{back: back})
	return &r.backs[len(r.backs)-1]
}

// scanEnds makes the tally of what was read, sends it, and forgets the rest.
func (m *Machine) scanEnds(stop protocol.Stop) {
	r := &m.motion.reading
	t := protocol.Tally{Session: m.session, Op: m.op.op, Stop: stop, Read: uint16(r.read), Boxed: sat(r.boxed), Unreadable: sat(r.unreadable)}
	if m.has(protocol.CapFeedCounter) {
		t.Flags |= protocol.TallyFeedCounter
		t.Fed = uint16(max(0, r.read+r.fed))
	}
	// The deck's back is the one that most cards have; of two as many, the
	// first by name, so that the order of reading decides nothing.
	var own *backCount
	foreign := 0
	for i := range r.backs {
		b := &r.backs[i]
		foreign += b.cards
		if own == nil || b.cards > own.cards || b.cards == own.cards && b.back < own.back {
			own = b
		}
	}
	if own != nil {
		t.Backs = sat(foreign - own.cards)
		t.Jokers = sat(own.jokers)
	}
	if stop == protocol.StopEnd {
		t.Flags |= protocol.TallyComplete
		if r.unreadable == 0 {
			t.Flags |= protocol.TallyFaces
			if own != nil {
				for i, n := range own.faces {
					t.Faces[i] = sat(n)
				}
			}
		}
	}
	*r = reading{backs: r.wipe()}
	m.tally, m.telling = t, true
	m.sendTally()
}

// wipe forgets what was read and keeps the room for the next.
func (r *reading) wipe() []backCount {
	clear(r.backs)
	return r.backs[:0]
}

// sat is a count in one byte, which stays at 255.
func sat(n int) uint8 { return uint8(min(n, 255)) }
