package deckcheck

// Attestation is what the dealer states by name because no device measures it
// (D4). It is a person's word, not a measurement, and a [Receipt] keeps the two
// apart. Comparable; the zero value states nothing.
type Attestation struct {
	// Condition: no scratch, crease, stickiness or dirt on any card.
	Condition bool `json:"condition"`
	// Backs: all backs are alike. Needed where the device does not see backs.
	Backs bool `json:"backs"`
	// CutCard, Button, Timer: these are at hand.
	CutCard bool `json:"cut_card"`
	Button  bool `json:"button"`
	Timer   bool `json:"timer"`
	// StatedCount is the number of cards that the dealer counted, for a device
	// without a feed counter (D1); 0 = not stated.
	StatedCount uint16 `json:"stated_count,omitempty"`
}

// Complete lists what is not stated yet, by its JSON name; empty when all is.
// needBacks is false where the device measures the backs. The stated count is
// not asked for here: the verdict tells whether it was needed.
func (a Attestation) Complete(needBacks bool) (missing []string) {
	for _, s := range [...]struct {
		name   string
		stated bool
	}{
		{"condition", a.Condition}, {"backs", a.Backs || !needBacks}, {"cut_card", a.CutCard}, {"button", a.Button}, {"timer", a.Timer},
	} {
		if !s.stated {
			missing = append(missing, s.name)
		}
	}
	return missing
}
