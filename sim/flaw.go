package sim

import (
	"fmt"
	"strings"
)

// FlawKind is what is wrong with a pack.
type FlawKind uint8

// Kinds of flaws; each gives a finding of D2.
const (
	FlawSwap    FlawKind = iota + 1 // Card is replaced by another As: one missing, one duplicate
	FlawMissing                     // Card is taken away: missing, short
	FlawExtra                       // another Card is added: duplicate, long
	FlawJoker                       // a joker is added: joker, long
	FlawBack                        // Card is replaced by its like from the deck with another Back: foreign back
	FlawBoxed                       // Card is turned round: boxed
	FlawDirty                       // Card cannot be read: no verdict
)

var flawNames = [...]string{FlawSwap: "swap", FlawMissing: "missing", FlawExtra: "extra", FlawJoker: "joker",
	FlawBack: "back", FlawBoxed: "boxed", FlawDirty: "dirty"}

// Flaw is one thing that is wrong with a pack.
type Flaw struct {
	Kind FlawKind
	Card Face   // all but FlawJoker
	As   Face   // only FlawSwap
	Back string // only FlawBack
}

// String gives what ParseFlaw reads.
func (f Flaw) String() string {
	if f.Kind == 0 || int(f.Kind) >= len(flawNames) {
		return fmt.Sprintf("flaw %d", f.Kind)
	}
	name := flawNames[f.Kind]
	switch f.Kind {
	case FlawSwap:
		return fmt.Sprintf("%s:%s>%s", name, f.Card, f.As)
	case FlawBack:
		return fmt.Sprintf("%s:%s=%s", name, f.Card, f.Back)
	case FlawJoker:
		return name
	}
	return name + ":" + f.Card.String()
}

// ParseFlaw reads swap:QD>JD, missing:QD, extra:JD, joker, back:QD=blue,
// boxed:7S or dirty:7S.
func ParseFlaw(s string) (f Flaw, err error) {
	name, arg, _ := strings.Cut(strings.TrimSpace(s), ":")
	for k, n := range flawNames {
		if n != "" && n == name {
			f.Kind = FlawKind(k)
		}
	}
	card := arg
	switch f.Kind {
	case 0:
		return Flaw{}, fmt.Errorf("flaw %q: unknown; there are %s", s, strings.Join(flawNames[1:], ", "))
	case FlawJoker:
		if arg != "" {
			return Flaw{}, fmt.Errorf("flaw %q: a joker takes no argument", s)
		}
		return f, nil
	case FlawSwap:
		var as string
		card, as, _ = strings.Cut(arg, ">")
		if f.As, err = ParseFace(as); err != nil {
			return Flaw{}, fmt.Errorf("flaw %q: want swap:CARD>CARD: %w", s, err)
		}
	case FlawBack:
		card, f.Back, _ = strings.Cut(arg, "=")
		if f.Back == "" {
			return Flaw{}, fmt.Errorf("flaw %q: want back:CARD=COLOUR", s)
		}
	}
	if f.Card, err = ParseFace(card); err != nil {
		return Flaw{}, fmt.Errorf("flaw %q: %w", s, err)
	}
	return f, nil
}

// With gives a copy of the pack with these flaws, one after the other. The
// error names a card that is not there.
func (p Pack) With(flaws ...Flaw) (Pack, error) {
	p = p.Clone()
	for _, f := range flaws {
		at := p.find(f.Card)
		if at < 0 && f.Kind != FlawJoker && f.Kind != FlawExtra {
			return nil, fmt.Errorf("flaw %s: the pack has no %s", f, f.Card)
		}
		switch f.Kind {
		case FlawSwap:
			p[at].Face = f.As
		case FlawMissing:
			p = append(p[:at], p[at+1:]...)
		case FlawExtra:
			p = append(p, Card{Face: f.Card, Back: p.back()})
		case FlawJoker:
			p = append(p, Card{Face: Joker, Back: p.back()})
		case FlawBack:
			p[at].Back = f.Back
		case FlawBoxed:
			p[at].Boxed = true
		case FlawDirty:
			p[at].Unreadable = true
		default:
			return nil, fmt.Errorf("flaw %s: unknown", f)
		}
	}
	return p, nil
}

// back is the design that a card of the same deck has.
func (p Pack) back() string {
	if len(p) == 0 {
		return ""
	}
	return p[0].Back
}
