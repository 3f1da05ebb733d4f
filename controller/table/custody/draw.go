package custody

import (
	"fmt"

	"shuffler/shuffle"
)

// DrawKind is what cards are drawn for besides a hand (D9). The zero value is
// nothing.
type DrawKind uint8

// The draws of F0 §3.7 and §16.5.
const (
	NoDraw     DrawKind = iota
	SeatDraw            // a card for each player's seat
	ButtonDraw          // a card for each seat: who begins with the button
	ChipRace            // a card for each odd chip that leaves play
)

var drawNames = [...]string{"", "seat_draw", "button_draw", "chip_race"}

func (k DrawKind) String() string {
	if int(k) < len(drawNames) {
		return drawNames[k]
	}
	return fmt.Sprintf("draw(%d)", uint8(k))
}

// ParseDrawKind reads a draw's name.
func ParseDrawKind(s string) (DrawKind, error) {
	for i, n := range drawNames {
		if n == s && i > 0 {
			return DrawKind(i), nil
		}
	}
	return NoDraw, fmt.Errorf("kind %q: want seat_draw, button_draw or chip_race", s)
}

// MarshalText writes the draw's name, none as an empty text.
func (k DrawKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (k *DrawKind) UnmarshalText(b []byte) (err error) {
	*k = NoDraw
	if len(b) > 0 {
		*k, err = ParseDrawKind(string(b))
	}
	return err
}

// Drawn is the deck after its cards were drawn from: it owes a wash (S2), and a
// fresh check where the room wants one or nothing else would count it (D9).
func (d Deck) Drawn(check bool) Deck {
	d.WashDue = d.WashDue.With(shuffle.WashAfterDraw)
	if check && d.Lock != Quarantined {
		d.Lock = UsedForDraw
	}
	return d
}

// Drawable tells whether cards may be drawn from the deck: it was found whole.
// One whose check is only due again, or that was drawn from just now, will do.
func (d Deck) Drawable() bool {
	return d.Usable() || d.Present() && (d.Lock == CheckDue || d.Lock == UsedForDraw)
}
