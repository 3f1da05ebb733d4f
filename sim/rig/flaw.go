package rig

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"shuffler/sim"
)

// coming is what is wrong with a pack once it is in hand.
type coming struct {
	slot  string // empty: whichever is in hand first
	text  string
	spoil func(sim.Pack) (sim.Pack, error)
}

func parseDeck(a words) (Deed, error) {
	slot, err := a.slot()
	if err != nil {
		return Deed{}, err
	}
	flaw, err := sim.ParseFlaw(strings.Join(a.all, ""))
	if err != nil {
		return Deed{}, err
	}
	return deed(func(w *World) (string, error) {
		return w.spoilDeck(coming{slot, flaw.String(), func(p sim.Pack) (sim.Pack, error) { return p.With(flaw) }})
	}), nil
}

func parseDuplicate(a words) (Deed, error) {
	card, err := sim.ParseFace(a.next())
	if err == nil && card == sim.Joker {
		err = errors.New("a joker is no card of a deck; deck A joker adds one")
	}
	if err != nil {
		return Deed{}, err
	}
	slot := ""
	if len(a.all) > 0 {
		slot, err = a.slot()
	}
	return deed(func(w *World) (string, error) {
		return w.spoilDeck(coming{slot, card.String() + " twice", func(p sim.Pack) (sim.Pack, error) { return duplicated(p, card) }})
	}), cmp.Or(err, a.end())
}

// duplicated puts a second one of a card in the place of its neighbour in the
// suit, which no camera takes it for.
func duplicated(p sim.Pack, card sim.Face) (sim.Pack, error) {
	has := func(f sim.Face) bool {
		for _, c := range p {
			if c.Face == f {
				return true
			}
		}
		return false
	}
	if !has(card) {
		return nil, fmt.Errorf("the pack has no %s", card)
	}
	suit, rank := card/13*13, card%13
	for i := sim.Face(12); i > 0; i-- {
		if other := suit + (rank+i)%13; has(other) {
			return p.With(sim.Flaw{Kind: sim.FlawSwap, Card: other, As: card})
		}
	}
	return nil, fmt.Errorf("the pack has no card that %s could replace", card)
}

// spoilDeck lets a flaw be in a pack: now if it is in hand, else once it is.
func (w *World) spoilDeck(c coming) (string, error) {
	for _, slot := range []string{slotA, slotB} {
		if (c.slot == slot || c.slot == "") && w.inHand(slot) {
			p, err := c.spoil(w.hands[slot])
			if err != nil {
				return "", err
			}
			w.hands[slot] = p
			return "deck " + slot + ": " + c.text, nil
		}
	}
	w.coming = append(w.coming, c)
	return c.text + " in the next deck in hand", nil
}

// spoilComing lets the flaws be that waited for a pack in hand.
func (w *World) spoilComing() {
	waiting := w.coming
	w.coming = nil
	for _, c := range waiting {
		if said, err := w.spoilDeck(c); err != nil {
			w.say(c.text + ": " + err.Error())
		} else if w.inHand(slotA) || w.inHand(slotB) {
			w.say(said)
		}
	}
}

func (w *World) inHand(slot string) bool { return w.at[slot] == nil && len(w.hands[slot]) > 0 }

func (w *World) say(what string) {
	if w.tell != nil {
		w.tell(what)
	}
}
