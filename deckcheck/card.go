package deckcheck

import (
	"fmt"
	"strings"
)

// DeckSize is the number of cards in a pack (D1).
const DeckSize = 52

const ranksPerSuit = 13

// Suit is one of the four suits, in the order of a [Card]'s index.
type Suit uint8

// The suits.
const (
	Spades Suit = iota
	Hearts
	Diamonds
	Clubs
)

// Rank is 0 for the ace, 1 for the two, and so on to 12 for the king. Aces are
// low here because that is how a new pack lies; it says nothing about who wins.
type Rank uint8

// The ranks that are not numbers.
const (
	Ace   Rank = 0
	Ten   Rank = 9
	Jack  Rank = 10
	Queen Rank = 11
	King  Rank = 12
)

// Card is one of the 52: suit × 13 + rank, spades, hearts, diamonds, clubs, each
// from ace to king. The zero value is the ace of spades; values from 52 up are
// no cards, and [Card.Valid] tells.
type Card uint8

var (
	rankNames   = [ranksPerSuit]string{"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}
	suitLetters = [...]string{"S", "H", "D", "C"}
	suitSymbols = [...]string{"♠", "♥", "♦", "♣"}
)

// NewCard is the card of that rank and suit.
func NewCard(r Rank, s Suit) Card { return Card(uint8(s)*ranksPerSuit + uint8(r)) }

// Valid tells whether c is one of the 52.
func (c Card) Valid() bool { return c < DeckSize }

// Rank is the rank of a valid card.
func (c Card) Rank() Rank { return Rank(c % ranksPerSuit) }

// Suit is the suit of a valid card.
func (c Card) Suit() Suit { return Suit(c / ranksPerSuit) }

// Red tells whether c is a heart or a diamond.
func (c Card) Red() bool { return c.Suit() == Hearts || c.Suit() == Diamonds }

// String is the card as logs and interfaces write it: AS, 10H.
func (c Card) String() string { return c.written(&suitLetters) }

// Symbol is the card as people like to see it: A♠, 10♥.
func (c Card) Symbol() string { return c.written(&suitSymbols) }

func (c Card) written(suits *[4]string) string {
	if !c.Valid() {
		return fmt.Sprintf("Card(%d)", uint8(c))
	}
	return rankNames[c.Rank()] + suits[c.Suit()]
}

// ParseCard reads a card: a rank (A, 2 to 10 or T, J, Q, K) and a suit (S, H, D, C
// or ♠ ♥ ♦ ♣), in either case, with blanks around it.
func ParseCard(s string) (Card, error) {
	t := strings.Map(upper, strings.TrimSpace(s))
	t = strings.TrimSuffix(t, "\ufe0f") // what keyboards add to make ♥ an emoji
	for suit := range suitLetters {
		rank, ok := strings.CutSuffix(t, suitLetters[suit])
		if !ok {
			rank, ok = strings.CutSuffix(t, suitSymbols[suit])
		}
		if !ok {
			continue
		}
		if rank == "T" {
			rank = rankNames[Ten]
		}
		for r, name := range rankNames {
			if rank == name {
				return NewCard(Rank(r), Suit(suit)), nil
			}
		}
	}
	return 0, fmt.Errorf("deckcheck: %s is no card: want a rank (A, 2 to 10 or T, J, Q, K) and a suit (S, H, D, C or ♠ ♥ ♦ ♣), as in 10H", quote(s))
}

// upper knows ASCII only: strings.ToUpper makes an S of the long s too.
func upper(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r - 'a' + 'A'
	}
	return r
}

// MarshalText writes String's form. It fails for a value that is no card.
func (c Card) MarshalText() ([]byte, error) {
	if !c.Valid() {
		return nil, fmt.Errorf("deckcheck: %v is no card: a card is 0 to %d", c, DeckSize-1)
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads what [ParseCard] reads.
func (c *Card) UnmarshalText(text []byte) error {
	parsed, err := ParseCard(string(text))
	if err == nil {
		*c = parsed
	}
	return err
}

// quote keeps a foreign text short and on one line in an error.
func quote(s string) string {
	const longest = 24
	if r := []rune(s); len(r) > longest {
		return fmt.Sprintf("%q…", string(r[:longest]))
	}
	return fmt.Sprintf("%q", s)
}
