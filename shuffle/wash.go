package shuffle

import (
	"encoding/json"
	"fmt"
)

// WashReason is why a wash is required (S2). The zero value is none.
type WashReason uint8

// The reasons.
const (
	NoWash         WashReason = iota
	WashNewDeck               // a new deck
	WashTableOpen             // the table opens
	WashAfterBreak            // after a break
	WashAfterDraw             // after a draw for seats or the button, or a chip race (D9)
	WashRequested             // dealer or floor re-randomises, never a player
	WashAfterStop             // after a stop (S5), the house's default
	WashAlways                // the procedure always washes
)

var washNames = names{"none", "new_deck", "table_open", "after_break", "after_draw", "requested", "after_stop", "always"}

// String is the reason's name.
func (r WashReason) String() string { return washNames.of("WashReason", uint8(r)) }

// MarshalText writes the reason's name.
func (r WashReason) MarshalText() ([]byte, error) { return washNames.marshal("wash reason", uint8(r)) }

// UnmarshalText reads what MarshalText writes.
func (r *WashReason) UnmarshalText(text []byte) error {
	v, err := washNames.parse("wash reason", text)
	if err == nil {
		*r = WashReason(v)
	}
	return err
}

// WashReasons is a set of reasons. The zero value is empty: no wash is required.
type WashReasons uint8

// With is the set with r in it; NoWash and unknown values are left out.
func (w WashReasons) With(r WashReason) WashReasons {
	if r == NoWash || int(r) >= len(washNames) {
		return w
	}
	return w | 1<<r
}

// Has tells whether r is in the set.
func (w WashReasons) Has(r WashReason) bool { return r != NoWash && w>>r&1 == 1 }

// Required tells whether there is any reason (S2).
func (w WashReasons) Required() bool { return w != 0 }

// List names the reasons in a fixed order.
func (w WashReasons) List() []string {
	list := []string{}
	for i, name := range washNames {
		if w.Has(WashReason(i)) {
			list = append(list, name)
		}
	}
	return list
}

// MarshalJSON writes List. It fails for a value with bits that are no reasons.
func (w WashReasons) MarshalJSON() ([]byte, error) {
	if w&1 != 0 { // bit 0 would be "none"
		return nil, fmt.Errorf("shuffle: wash reasons %#x have bits that are no reasons", uint8(w))
	}
	return json.Marshal(w.List())
}

// UnmarshalJSON reads what MarshalJSON writes, in any order.
func (w *WashReasons) UnmarshalJSON(data []byte) error {
	var list []WashReason
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("shuffle: wash reasons: %w", err)
	}
	var set WashReasons
	for _, r := range list {
		set = set.With(r)
	}
	*w = set
	return nil
}
