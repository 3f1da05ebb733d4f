package deckcheck

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pack is the reads of a whole pack.
func pack() []Read {
	var reads []Read
	for c := Card(0); c < DeckSize; c++ {
		reads = append(reads, Face(c))
	}
	return reads
}

// readAll reads numbered lines from 1.
func readAll(s *Scan, reads []Read) {
	for i, r := range reads {
		s.Read(uint32(i+1), r)
	}
}

func TestX1_AnyPermutationOfTheSameReadsGivesTheSameTally(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reads := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, int(firstFace)+DeckSize-1), func(i int) Read { return Read(i) }), 0, 120).Draw(t, "reads")
		shuffled := rapid.Permutation(reads).Draw(t, "shuffled")
		numbered := rapid.Bool().Draw(t, "numbered")
		a, b := NewScan(numbered), NewScan(numbered)
		readAll(&a, reads)
		readAll(&b, shuffled)
		if a != b {
			t.Fatalf("the scans differ: %+v and %+v", a, b)
		}
		fed := uint16(rapid.IntRange(0, 130).Draw(t, "fed"))
		if a.End(fed, false) != b.End(fed, false) || a.Abort(UnreadTimeout) != b.Abort(UnreadTimeout) {
			t.Fatal("the tallies differ")
		}
		one, _ := json.Marshal(Judge(a.End(fed, false), Confusions{}))
		other, _ := json.Marshal(Judge(b.End(fed, false), Confusions{}))
		if string(one) != string(other) {
			t.Fatalf("%s and %s", one, other)
		}
	})
}

func TestX1_EveryCardThatPassesIsCountedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Scan
		n := 0
		for _, r := range rapid.SliceOfN(rapid.Uint8(), 0, 200).Draw(t, "reads") {
			s.Read(0, Read(r)) // unknown classes too
			if n++; s.Count() != n {
				t.Fatalf("%d cards, counted %d", n, s.Count())
			}
		}
		if got := s.End(uint16(n), false).Reads(); got != n {
			t.Fatalf("%d cards, tally of %d", n, got)
		}
	})
}

func TestScan_AWholePackIsGood(t *testing.T) {
	s := NewScan(true)
	reads := pack()
	slices.Reverse(reads)
	readAll(&s, reads)
	s.EndLine(53)
	if v := Judge(s.End(52, false), Confusions{}); v.Outcome != Good {
		t.Errorf("a whole pack: %v", text(v))
	}
}

func TestScan_ClassesAreCountedApart(t *testing.T) {
	var s Scan
	for _, r := range []Read{Joker, ForeignBack, ForeignBack, Boxed, Boxed, Boxed, Unreadable, Face(7), Face(DeckSize), Read(200)} {
		s.Read(0, r)
	}
	want := Tally{Fed: 10, FedAttested: true, Jokers: 1, Backs: 2, Boxed: 3, Unreadable: 3}
	want.Faces[7] = 1
	if got := s.End(10, true); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c, ok := Face(51).Card(); !ok || c != 51 {
		t.Errorf("the face of card 51 is %v, %v", c, ok)
	}
	if c, ok := Joker.Card(); ok {
		t.Errorf("a joker has the face %v", c)
	}
}

func TestD2_LinesThatGetLostAreNeverAVerdict(t *testing.T) {
	reads := pack()
	for lost := range reads {
		s := NewScan(true)
		for i, r := range reads {
			if i != lost {
				s.Read(uint32(i+1), r)
			}
		}
		s.EndLine(53)
		v := Judge(s.End(52, false), Confusions{})
		if v != (Verdict{Outcome: Unread, Reason: UnreadLostFrame, Fed: 52, Read: 51}) {
			t.Errorf("line %d lost: %v", lost+1, text(v))
		}
	}
}

func TestD2_ALineThatComesTwiceIsOneCard(t *testing.T) {
	reads := pack()
	for twice := range reads {
		s := NewScan(true)
		for i, r := range reads {
			s.Read(uint32(i+1), r)
			if i == twice {
				s.Read(uint32(i+1), r)
			}
		}
		s.EndLine(53)
		s.EndLine(53)
		if v := Judge(s.End(52, false), Confusions{}); v.Outcome != Good {
			t.Errorf("line %d twice: %v", twice+1, text(v))
		}
	}
}

func TestD2_NumbersThatDoNotCountAreNotRead(t *testing.T) {
	for name, numbers := range map[string][]uint32{
		"from 0": {0, 1, 2}, "from 2": {2, 3, 4}, "back": {1, 2, 3, 2}, "stands still": {1, 1, 1}, "back to 0": {1, 2, 0},
		"a jump to the end": {1, math.MaxUint32, 0},
	} {
		s := NewScan(true)
		for _, n := range numbers {
			s.Read(n, Joker)
		}
		if got := s.End(uint16(s.Count()), false); got.Stop != UnreadLostFrame {
			t.Errorf("%s: %+v", name, got)
		}
	}
	s := NewScan(false)
	for range 3 {
		s.Read(1, Joker)
	}
	if got := s.End(3, false); got.Stop != NotStopped || got.Jokers != 3 {
		t.Errorf("unnumbered lines: %+v", got)
	}
}

func TestD2_ARepeatThatMayHaveBeenACardIsNotBlamedOnTheDeck(t *testing.T) {
	s := NewScan(true)
	for i, r := range pack() {
		s.Read(uint32(i+1)-uint32(i/51), r) // the last two lines bear the same number
	}
	if got := s.End(52, false); got.Stop != UnreadLostFrame {
		t.Errorf("feed of 52, 51 read, one line ignored: stop %v", got.Stop)
	}
	if got := s.End(52, true); got.Stop != NotStopped {
		t.Errorf("the dealer's word is no sensor that could tell: stop %v", got.Stop)
	}
}

func TestD10_AScanThatWasStoppedKeepsCountsOnly(t *testing.T) {
	s := NewScan(true)
	readAll(&s, []Read{Face(1), Face(2), Face(2), Joker})
	if got := s.Abort(UnreadCoverOpen); got != (Tally{Fed: 4, Unnamed: 3, Jokers: 1, Stop: UnreadCoverOpen}) {
		t.Errorf("%+v", got)
	}
	if again := s.Abort(UnreadTimeout); again.Stop != UnreadCoverOpen {
		t.Errorf("the first reason is gone: %v", again.Stop)
	}
	var unnamed Scan
	if got := unnamed.Abort(NotStopped); got.Stop != UnreadDeviceFault {
		t.Errorf("an abort without a reason: %+v", got)
	}
	lost := NewScan(true)
	lost.Read(1, Face(1))
	lost.Read(3, Face(3))
	if got := lost.End(3, false); got != (Tally{Fed: 3, Unnamed: 2, Stop: UnreadLostFrame}) {
		t.Errorf("%+v", got)
	}
}
