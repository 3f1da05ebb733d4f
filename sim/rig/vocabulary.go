package rig

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"shuffler/controller/api"
	"shuffler/protocol"
	"shuffler/sim"
)

// Vocabulary lists all deeds with what they mean, two columns, for a help text.
func Vocabulary() (list [][2]string) {
	for _, v := range vocabulary() {
		list = append(list, [2]string{v.usage, v.about})
	}
	return list
}

const (
	where     = "[shuffler|scanner]"
	whereBoth = "[shuffler|scanner|both]"
)

// vocabulary is the one place that knows the words.
func vocabulary() []verb {
	list := []verb{
		{"shuffler", "shuffler FAULT", "a fault of the shuffler: jam entry, jam_exit@release#2, motor@riffle+50%, local:riffle …", faultAt(partShuffler)},
		{"scanner", "scanner FAULT", "a fault of the scanner: lighting, misread:QC>QS, frame_lost, misfeed …", faultAt(partScanner)},
		{"line", "line " + whereBoth + " ok|RATE X% …", "what is wrong with the cables, instead of what was: lose, repeat, cut, text, flip, burst", parseLine},
	}
	for _, r := range rates {
		list = append(list, verb{r.word, r.word + " X% " + whereBoth, r.about + ", beside what is wrong already; 0% ends it", parseRate(r)})
	}
	return append(list,
		verb{"silence", "silence DURATION " + whereBoth, "nothing comes through, either way", parseSilence},
		verb{"unplug", "unplug " + whereBoth + " [DURATION]", "the cable is pulled, and comes back as another terminal", parseUnplug},
		verb{"plug", "plug " + whereBoth, "the cable is put in again", parsePlug},
		verb{"swap", "swap ports", "shuffler and scanner change ports; again: back", parseSwap},
		verb{"cover", "cover open|close " + where, "somebody opens the cover, of the shuffler unless said", parseCover},
		verb{"estop", "estop press|release " + where, "somebody presses the emergency stop, of the shuffler unless said", parseEStop},
		verb{"button", "button [KIND] " + where, "somebody presses the machine's own button, for a riffle unless said", parseButton},
		verb{"fix", "fix " + whereBoth, "somebody looks after the machine: cards out, lens clean, cover closed, stop released, sort mode off", parseFix},
		verb{"put", "put A|B " + where, "the deck is put into the machine's tray, the shuffler's unless said", parsePut},
		verb{"take", "take A|B", "the deck is taken out, from wherever it can be reached", parseTake},
		verb{"mix", "mix A|B", "the deck in hand is washed", parseMix},
		verb{"mend", "mend A|B", "the deck in hand is set right: jokers out, boxed cards turned, a lost card found", parseMend},
		verb{"new", "new A|B", "a new deck is unwrapped; the old one is gone", parseNew},
		verb{"duplicate", "duplicate CARD [A|B]", "the next deck in hand has the card twice, and another one not: still 52", parseDuplicate},
		verb{"deck", "deck A|B FLAW", "the deck, once in hand, has a flaw: swap:QD>JD, missing:9H, extra:JD, joker, back:4C=red, boxed:7S, dirty:2D", parseDeck},
		verb{"feed", "feed early", "a packet of cards is put into the shuffler before its time", parseFeed},
		verb{"call", "call floor", "the dealer calls the floor; needs a crew", parseCall},
		verb{"service", "service in|out", "the floor takes the shuffler out of service, or back; needs a crew", parseService},
	)
}

func parseUnplug(a words) (Deed, error) {
	part := a.part(both)
	back, _, err := a.duration()
	if err := cmp.Or(err, a.end()); err != nil {
		return Deed{}, err
	}
	return deed(func(w *World) (string, error) {
		if w.cables == nil { // in lockstep a pulled cable is a silent one
			until := back
			if back == 0 {
				until = sim.Never
			}
			return "", w.silence(part, until)
		}
		return w.eachPort(part, func(p string) (string, error) { return w.cables.pull(p, back) })
	}), nil
}

func parsePlug(a words) (Deed, error) {
	part := a.part(both)
	if err := a.end(); err != nil {
		return Deed{}, err
	}
	return deed(func(w *World) (string, error) {
		if w.cables == nil {
			return "", w.silence(part, 0)
		}
		return w.eachPort(part, func(p string) (string, error) { return w.cables.plug(p) })
	}), nil
}

func parseSwap(a words) (Deed, error) {
	if _, err := a.of("ports"); err != nil {
		return Deed{}, err
	}
	return deed(func(w *World) (string, error) {
		if w.cables == nil {
			return "", errors.New("there are no ports here to swap")
		}
		return w.cables.swap(), nil
	}), a.end()
}

func parseCover(a words) (Deed, error) {
	part := a.part(partShuffler)
	to, err := a.of("open", "close")
	return onMachines(part, func(m *sim.Machine) error { m.SetCover(to == "open"); return nil }), cmp.Or(err, a.end())
}

func parseEStop(a words) (Deed, error) {
	part := a.part(partShuffler)
	to, err := a.of("press", "release")
	return onMachines(part, func(m *sim.Machine) error { m.SetEStop(to == "press"); return nil }), cmp.Or(err, a.end())
}

func parseButton(a words) (Deed, error) {
	part, kind, word := a.part(partShuffler), protocol.KindRiffle, a.next()
	if word != "" {
		f, err := sim.ParseFault("local:" + word) // it knows the kinds
		if err != nil {
			return Deed{}, err
		}
		kind = f.Kind
	}
	return onMachines(part, func(m *sim.Machine) error { return m.PressOwnButton(kind) }), a.end()
}

func parseFix(a words) (Deed, error) {
	part := a.part(both)
	return deed(func(w *World) (string, error) {
		for _, m := range w.machines(part) {
			w.restore(m)
		}
		return "", nil
	}), a.end()
}

func parsePut(a words) (Deed, error) {
	part := a.part(partShuffler)
	slot, err := a.slot()
	if part == both {
		err = errors.New("a deck fits into one machine")
	}
	return deed(func(w *World) (string, error) {
		if !w.put(slot, w.machines(part)[0]) {
			return "", fmt.Errorf("deck %s cannot be put into the %s now: it is held by a machine, or the tray is in use; take it, or fix the machine", slot, part)
		}
		return w.whereIs(slot), nil
	}), cmp.Or(err, a.end())
}

func parseTake(a words) (Deed, error) {
	slot, err := a.slot()
	return deed(func(w *World) (string, error) {
		if !w.take(slot) {
			return "", fmt.Errorf("deck %s cannot be reached: it is inside; release it, or fix the machine", slot)
		}
		return w.whereIs(slot), nil
	}), cmp.Or(err, a.end())
}

// inHand is a deed with a deck that is in hand.
func inHand(a words, do func(w *World, slot string)) (Deed, error) {
	slot, err := a.slot()
	return deed(func(w *World) (string, error) {
		if w.at[slot] != nil {
			return "", fmt.Errorf("deck %s is not in hand: take %s", slot, slot)
		}
		do(w, slot)
		return w.whereIs(slot), nil
	}), cmp.Or(err, a.end())
}

func parseMix(a words) (Deed, error) {
	return inHand(a, func(w *World, slot string) { w.hands[slot].Wash(w.rng) })
}

func parseMend(a words) (Deed, error) {
	return inHand(a, func(w *World, slot string) { w.mend(slot); w.wipe(slot) })
}

func parseNew(a words) (Deed, error) {
	slot, err := a.slot()
	return deed(func(w *World) (string, error) {
		w.unwrap(slot)
		return w.whereIs(slot) + " is " + w.deckID(slot), nil
	}), cmp.Or(err, a.end())
}

func parseFeed(a words) (Deed, error) {
	_, err := a.of("early")
	return deed(func(w *World) (string, error) {
		return "", w.Shuffler.PutIn(sim.NewPack(w.backs[slotB])[:10])
	}), cmp.Or(err, a.end())
}

func parseCall(a words) (Deed, error) {
	_, err := a.of("floor")
	return Deed{crew: func(c *Crew, s api.Snapshot) {
		c.ask(s.Dealer, "", "call_floor", api.Reason{Reason: "dispute at the table"})
	}}, cmp.Or(err, a.end())
}

func parseService(a words) (Deed, error) {
	to, err := a.of("in", "out")
	return Deed{crew: func(c *Crew, _ api.Snapshot) {
		c.ask(c.Floor, "", "set_service", api.SetService{Out: to == "out", Reason: "motor noise"})
	}}, cmp.Or(err, a.end())
}

// deed is one that happens at the world's present.
func deed(do func(w *World) (string, error)) Deed {
	return Deed{world: func(_ time.Duration, w *World) (string, error) { return do(w) }}
}

// onMachines is a deed at each machine that a part names.
func onMachines(part string, do func(*sim.Machine) error) Deed {
	return deed(func(w *World) (string, error) {
		for _, m := range w.machines(part) {
			if err := do(m); err != nil {
				return "", err
			}
		}
		return "", nil
	})
}

// eachPort does something at each port that a part names.
func (w *World) eachPort(part string, do func(part string) (string, error)) (string, error) {
	var said []string
	for _, p := range parts {
		if part == p || part == both {
			s, err := do(p)
			if err != nil {
				return "", err
			}
			said = append(said, s)
		}
	}
	return strings.Join(said, ", "), nil
}
