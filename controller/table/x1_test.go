package table

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"shuffler/deckcheck"
)

// TestX1_AnyOrderOfReadsGivesTheSameRecords: a scanner that sends one card a
// line is folded before the core; the records of a check do not differ by a byte
// whatever the order of the cards was, for a good deck, a bad and an unread one.
func TestX1_AnyOrderOfReadsGivesTheSameRecords(t *testing.T) {
	decks := map[string]func([]deckcheck.Read) []deckcheck.Read{
		"good":   func(r []deckcheck.Read) []deckcheck.Read { return r },
		"short":  func(r []deckcheck.Read) []deckcheck.Read { return r[:50] },
		"joker":  func(r []deckcheck.Read) []deckcheck.Read { return append(r, deckcheck.Joker) },
		"twice":  func(r []deckcheck.Read) []deckcheck.Read { r[3] = r[4]; return r },
		"dirty":  func(r []deckcheck.Read) []deckcheck.Read { r[9] = deckcheck.Unreadable; return r },
		"boxed":  func(r []deckcheck.Read) []deckcheck.Read { r[0] = deckcheck.Boxed; return r },
		"others": func(r []deckcheck.Read) []deckcheck.Read { r[7] = deckcheck.ForeignBack; return r },
	}
	for name, flaw := range decks {
		var reads []deckcheck.Read
		for c := range deckcheck.Card(deckcheck.DeckSize) {
			reads = append(reads, deckcheck.Face(c))
		}
		reads = flaw(reads)
		var first []byte
		for order := range 50 {
			rng := rand.New(rand.NewPCG(uint64(order), 1))
			rng.Shuffle(len(reads), func(i, j int) { reads[i], reads[j] = reads[j], reads[i] })
			scan := deckcheck.NewScan(true)
			for i, r := range reads {
				scan.Read(uint32(i+1), r)
			}
			got := recordsOfCheck(t, scan.End(uint16(len(reads)), false))
			if first == nil {
				first = got
			}
			if !bytes.Equal(first, got) {
				t.Fatalf("%s: two orders, two records:\n%s\n%s", name, first, got)
			}
		}
	}
}

// recordsOfCheck gives the stored bytes that one check makes.
func recordsOfCheck(t *testing.T, tally deckcheck.Tally) []byte {
	t.Helper()
	ss := newSession()
	ss.quietly(t, "opening")
	var out bytes.Buffer
	for _, line := range []string{"dealer:3 check A"} {
		ev, err := ss.parse(line)
		if err != nil {
			t.Fatal(err)
		}
		ss.s, _ = ss.s.Apply(ss.at, ev)
	}
	var o Output
	ss.s, o = ss.s.Apply(ss.at, ScanEnded{Op: ss.s.Scanner.Op, Tally: tally})
	for _, r := range o.Records {
		typ, payload, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(typ)
		out.Write(payload)
	}
	if out.Len() == 0 {
		t.Fatal("the check made no record")
	}
	return out.Bytes()
}
