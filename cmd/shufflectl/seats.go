package main

import (
	"fmt"
	"strconv"
	"strings"

	"shuffler/controller/table/hand"
)

// parseSeats reads 1-4,6,8.
func parseSeats(s string) (seats []int, err error) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := parseSeat(from)
		if err != nil {
			return nil, fmt.Errorf("--seats %q: %w", s, err)
		}
		last := first
		if isRange {
			if last, err = parseSeat(to); err != nil {
				return nil, fmt.Errorf("--seats %q: %w", s, err)
			}
		}
		if last < first {
			return nil, fmt.Errorf("--seats %q: %d-%d goes backwards", s, first, last)
		}
		for n := first; n <= last; n++ {
			seats = append(seats, n)
		}
	}
	return seats, nil
}

func parseSeat(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > hand.MaxSeats {
		return 0, fmt.Errorf("%q is no seat: want 1 to %d, such as 1-4,6,8", s, hand.MaxSeats)
	}
	return n, nil
}
