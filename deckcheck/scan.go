package deckcheck

import "math"

// Scan folds a scanner that sends one card a line into a [Tally], line by line,
// so that no order reaches the rest of the program (X1). It keeps counts, the
// last line's number and whether lines were lost; nothing else. It is
// comparable. The zero value is a scan of unnumbered lines. Not for use by two
// goroutines at once.
//
// Numbered lines count 1, 2, 3, … A number that comes again is the same line
// sent twice and is ignored, once: three of a kind mean that the numbering
// stands still. A number that is left out, or one that goes back, means that
// lines were lost, and the scan is not read (D2).
type Scan struct {
	tally    Tally
	numbered bool
	last     uint32 // number of the last line
	again    bool   // the last line came twice
	repeats  bool   // any line came twice
}

// NewScan begins a scan. With expectIndex the lines are numbered, and numbers
// are checked.
func NewScan(expectIndex bool) Scan { return Scan{numbered: expectIndex} }

// Read takes one line: its number (ignored for unnumbered lines) and what was
// read.
func (s *Scan) Read(index uint32, r Read) {
	if s.numbered && !s.next(index) {
		return
	}
	s.tally.with(r)
}

// EndLine takes the number of the line that ends the scan, for scanners that
// number it too: only so are lines noticed that were lost just before the end.
func (s *Scan) EndLine(index uint32) {
	if s.numbered {
		s.next(index)
	}
}

// next tells whether a line is to be counted.
func (s *Scan) next(index uint32) bool {
	switch {
	case s.last != math.MaxUint32 && index == s.last+1:
		s.last, s.again = index, false
	case index == s.last && index != 0 && !s.again:
		s.again, s.repeats = true, true
		return false
	default: // still counted: the number of cards is shown while it goes
		s.stop(UnreadLostFrame)
		s.last, s.again = max(index, s.last), false
	}
	return true
}

// Count is the number of cards read so far: all that may be shown of a scan
// that is under way (D10).
func (s *Scan) Count() int { return s.tally.Reads() }

// End closes a scan that ran to its end. fed is the feed's own count; attested
// says that it is the dealer's word (D1).
//
// A line that was ignored as a repeat while fed does not fit what was read may
// have been a card of its own: then lines were lost, and the pack is not blamed.
func (s *Scan) End(fed uint16, attested bool) Tally {
	t := s.tally
	if s.repeats && !attested && int(fed) != t.Reads() && t.Stop == NotStopped {
		t.Stop = UnreadLostFrame
	}
	t.Fed, t.FedAttested = fed, attested
	if t.Stop != NotStopped {
		t = t.unnamed()
	}
	return t
}

// Abort closes a scan that was stopped. It is unread in any case: without a
// reason it counts as a device fault. What was lost before stays the reason.
// The tally has counts and no faces, and as many fed as were read.
func (s *Scan) Abort(why UnreadReason) Tally {
	if why == NotStopped {
		why = UnreadDeviceFault
	}
	s.stop(why)
	t := s.tally.unnamed()
	t.Fed = clip(t.Reads())
	return t
}

func (s *Scan) stop(why UnreadReason) {
	if s.tally.Stop == NotStopped {
		s.tally.Stop = why
	}
}
