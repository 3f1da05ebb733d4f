package shuffle

// CutGate is the rule of the cut (S7): it moves a real part of the pack, at least
// Min cards and at most Size − Min. Size is 52, or a stub's size (H8). A Min below
// [LeastMinCut] counts as LeastMinCut, since one or two cards are no cut;
// so the zero value passes nothing.
//
// A pack of fewer than twice Min cards cannot be cut by the rule: nothing passes,
// and [CutGate.Possible] tells so beforehand. What then becomes of a stub that
// small is the floor's ruling, not this gate's.
type CutGate struct {
	Min, Size uint8
}

// Bounds gives the least and the most cards that a cut may move; lo is above hi
// where no cut is possible.
func (g CutGate) Bounds() (lo, hi int) {
	lo = max(int(g.Min), LeastMinCut)
	return lo, int(g.Size) - lo
}

// Possible tells whether any cut passes.
func (g CutGate) Possible() bool {
	lo, hi := g.Bounds()
	return lo <= hi
}

// Pass tells whether a cut that moves n cards is one. The answer is all that may
// be kept: the depth is a secret of the game (S7).
func (g CutGate) Pass(n int) bool {
	lo, hi := g.Bounds()
	return lo <= n && n <= hi
}
