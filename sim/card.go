package sim

import (
	"fmt"
	"strings"
)

// Face is what is printed on a card: suit (♠♥♦♣) × 13 + rank (A, 2 … K), or
// Joker.
type Face uint8

// Joker is the face after the 52.
const Joker Face = 52

const (
	suitLetters = "SHDC"
	jokerText   = "JOKER"
)

var rankTexts = [13]string{"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}

// String gives "AS", "10H", "JOKER".
func (f Face) String() string {
	if f < Joker {
		return rankTexts[f%13] + suitLetters[f/13:f/13+1]
	}
	return jokerText
}

// ParseFace reads "QD", "10H", "TH" or "JOKER", in any case of letters.
func ParseFace(s string) (Face, error) {
	u := strings.ToUpper(s)
	if u == jokerText {
		return Joker, nil
	}
	if n := len(u); n >= 2 {
		rank, suit := strings.Replace(u[:n-1], "T", "10", 1), strings.IndexByte(suitLetters, u[n-1])
		for r, t := range rankTexts {
			if t == rank && suit >= 0 {
				return Face(suit*13 + r), nil
			}
		}
	}
	return 0, fmt.Errorf("no card %q: want rank A 2…10 J Q K and suit S H D C, as in QD or 10H, or JOKER", s)
}

// Card is one physical card. The zero value is an ace of spades without a
// back.
type Card struct {
	Face       Face
	Back       string // design of the back, as a colour
	Boxed      bool   // lies the wrong way round in its pack
	Unreadable bool   // dirty or worn: no reader makes it out
}
