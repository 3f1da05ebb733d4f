package deckcheck_test

import (
	"encoding/json"
	"fmt"

	"shuffler/deckcheck"
)

// A pack of 52 cards that is none: a second jack of diamonds stands in for the
// queen.
func Example() {
	queen, _ := deckcheck.ParseCard("Q♦")
	scan := deckcheck.NewScan(true) // numbered lines, one card each
	for i := range uint32(deckcheck.DeckSize) {
		c := deckcheck.Card(i)
		if c == queen {
			c = deckcheck.NewCard(deckcheck.Jack, deckcheck.Diamonds)
		}
		scan.Read(i+1, deckcheck.Face(c))
	}
	v := deckcheck.Judge(scan.End(deckcheck.DeckSize, false), deckcheck.Confusions{})
	fmt.Println(v.Outcome, v.Findings())
	data, _ := json.Marshal(v)
	fmt.Println(string(data))
	// Output:
	// bad [missing(QD) duplicate(JD)]
	// {"outcome":"bad","fed":52,"read":52,"findings":[{"kind":"missing","cards":["QD"]},{"kind":"duplicate","cards":["JD"]}]}
}
