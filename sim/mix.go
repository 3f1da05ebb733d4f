package sim

import "math/rand/v2"

// Packets of a strip, in cards.
const (
	stripLeast = 4
	stripMost  = 12
)

// Riffle is one riffle after Gilbert, Shannon and Reeds: the pack is cut
// about the middle, then the halves fall into each other, each card from a
// half with a chance that is as large as what is left of it. A string of fair
// bits gives just that: its zeros are the cut and the places of the left half.
func (p Pack) Riffle(rng *rand.Rand) {
	from := p.Clone()
	left, right := 0, 0
	bits := make([]uint64, (len(p)+63)/64)
	for i := range bits {
		bits[i] = rng.Uint64()
	}
	one := func(i int) bool { return bits[i/64]>>(i%64)&1 != 0 }
	for i := range p {
		if !one(i) {
			right++
		}
	}
	for i := range p {
		if one(i) {
			p[i] = from[right]
			right++
		} else {
			p[i] = from[left]
			left++
		}
	}
}

// Strip takes packets off the top and lays each on the one before.
func (p Pack) Strip(rng *rand.Rand) {
	from := p.Clone()
	for end := len(p); len(from) > 0; {
		n := min(stripLeast+rng.IntN(stripMost-stripLeast+1), len(from))
		end -= n
		copy(p[end:], from[:n])
		from = from[n:]
	}
}

// Wash mixes in disorder: every order is as likely.
func (p Pack) Wash(rng *rand.Rand) {
	rng.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
}

// Cut moves depth cards from the top to the bottom. A depth outside of the
// pack moves none or all of it, which is the same.
func (p Pack) Cut(depth int) {
	if depth <= 0 || depth >= len(p) {
		return
	}
	top := p[:depth].Clone()
	copy(p, p[depth:])
	copy(p[len(p)-depth:], top)
}
