package rig

import (
	"fmt"
	"math/rand/v2"
	"time"

	"shuffler/sim"
)

// Slots of a table, as the API names them.
const (
	slotA = "A"
	slotB = "B"
)

// World is the equipment of one table and its packs. A pack is in a machine or
// in somebody's hands.
type World struct {
	Shuffler, Scanner         *sim.Machine
	ShufflerLine, ScannerLine *sim.Line

	rng   *rand.Rand
	hands map[string]sim.Pack // by slot; nil while the pack is in a machine
	at    map[string]*sim.Machine
	backs map[string]string
	ids   map[string]int // packs unwrapped so far, by slot

	deckPrefix string           // of the numbers on the boxes, different at each table
	faults     [2]sim.WayFaults // of the cables, by part
	coming     []coming         // what is wrong with a pack once it is in hand
	cables     cables           // nil in lockstep
	tell       func(string)     // may be nil
}

// NewWorld sets up a shuffler and a scanner with good cables and a pack for
// each slot, all drawn from rng.
func NewWorld(serial string, rng *rand.Rand) *World { return newWorld(serial, sim.Timing{}, rng) }

func newWorld(serial string, t sim.Timing, rng *rand.Rand) *World {
	fork := func() *rand.Rand { return rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64())) }
	w := &World{
		Shuffler: sim.NewShuffler(sim.Config{Maker: "OpenTable", Model: "SimShuffler", Serial: "S" + serial, Firmware: "sim-1", Timing: t}, fork()),
		Scanner:  sim.NewScanner(sim.Config{Maker: "OpenTable", Model: "SimScanner", Serial: "C" + serial, Firmware: "sim-1", Timing: t}, fork()),
		rng:      fork(), hands: map[string]sim.Pack{}, at: map[string]*sim.Machine{}, backs: map[string]string{slotA: "red", slotB: "blue"}, ids: map[string]int{}, deckPrefix: "D-",
	}
	w.ShufflerLine = sim.NewLine(w.Shuffler, sim.LineFaults{}, fork())
	w.ScannerLine = sim.NewLine(w.Scanner, sim.LineFaults{}, fork())
	for _, slot := range []string{slotA, slotB} {
		w.unwrap(slot)
	}
	return w
}

// unwrap takes a new pack for the slot out of its box.
func (w *World) unwrap(slot string) {
	w.ids[slot]++
	w.hands[slot], w.at[slot] = sim.NewPack(w.backs[slot]), nil
	w.spoilComing()
}

// Disorder mixes the packs in hand, as if they came out of their boxes in
// another order.
func (w *World) Disorder(rng *rand.Rand) {
	w.hands[slotA].Wash(rng)
	w.hands[slotB].Wash(rng)
}

// deckID is the number on the box of the slot's pack.
func (w *World) deckID(slot string) string {
	return fmt.Sprintf("%s%s%d", w.deckPrefix, slot, w.ids[slot])
}

// Advance brings the machines to the present: a person's deed happens then.
func (w *World) Advance(now time.Duration) {
	w.ShufflerLine.Advance(now)
	w.ScannerLine.Advance(now)
}

// take brings the slot's pack into the dealer's hands, from wherever it lies. It
// tells whether all of it that can be reached is there.
func (w *World) take(slot string) bool {
	m := w.at[slot]
	if m == nil {
		return true
	}
	if p, ok := m.TakeBack(); ok {
		w.hands[slot] = append(w.hands[slot], p...)
	}
	if p, ok := m.TakeOut(); ok {
		w.hands[slot] = append(w.hands[slot], p...)
	}
	if len(w.hands[slot]) == 0 {
		return false
	}
	if len(m.Places().All()) == 0 {
		w.at[slot] = nil
		w.spoilComing()
	}
	return true
}

// clear takes every card out of a machine by hand, after it has been opened.
func (w *World) clear(m *sim.Machine) {
	found := m.Fix()
	rest, err := m.Empty()
	if err != nil {
		rest = nil // it moves: its own exit gives them
	}
	for slot, at := range w.at {
		if at == m {
			w.hands[slot] = append(append(w.hands[slot], found...), rest...)
			if len(m.Places().All()) == 0 {
				w.at[slot] = nil
				w.spoilComing()
			}
			return
		}
	}
}

// restore sets a machine right and empties it.
func (w *World) restore(m *sim.Machine) {
	m.SetCover(false)
	m.SetEStop(false)
	_ = m.SetSortMode(false) // one that has none is not in it
	w.clear(m)
}

// whereIs says where a pack lies, for people: a count and nothing else (X1).
func (w *World) whereIs(slot string) string {
	text := fmt.Sprintf("deck %s: ", slot)
	switch n := len(w.hands[slot]); {
	case w.at[slot] == w.Shuffler && n == 0:
		return text + "in the shuffler"
	case w.at[slot] == w.Scanner && n == 0:
		return text + "in the scanner"
	case w.at[slot] != nil:
		return text + fmt.Sprintf("%d in hand, the rest in a machine", n)
	default:
		return text + fmt.Sprintf("%d in hand", n)
	}
}

// put lays the slot's pack into a machine's tray. A pack that still lies there is
// taken out first.
func (w *World) put(slot string, m *sim.Machine) bool {
	for other, at := range w.at {
		if other != slot && at == m && !w.take(other) {
			return false
		}
	}
	if !w.take(slot) || m.PutIn(w.hands[slot]) != nil {
		return false
	}
	w.hands[slot], w.at[slot] = nil, m
	return true
}

// wipe cleans the scanner's glass and the cards in hand.
func (w *World) wipe(slot string) {
	w.Scanner.Fix()
	for i := range w.hands[slot] {
		w.hands[slot][i].Unreadable = false
	}
}

// mend sets right what a dealer can set right: jokers taken out, boxed cards
// turned, a card found again. A foreign card stays: nobody
// at the table can know which one it is.
func (w *World) mend(slot string) {
	good := sim.NewPack(w.backs[slot])
	var have [sim.Joker + 1]bool
	kept := w.hands[slot][:0]
	for _, c := range w.hands[slot] {
		if c.Face == sim.Joker || c.Back == w.backs[slot] && have[c.Face] && len(w.hands[slot]) > len(good) {
			continue
		}
		have[c.Face] = true
		c.Boxed = false
		kept = append(kept, c)
	}
	for _, c := range good {
		if len(kept) < len(good) && !have[c.Face] {
			kept = append(kept, c)
		}
	}
	w.hands[slot] = kept
}
