package hand

import "fmt"

// Level is a blind level in force since an announcement (H2). Amounts are in
// chips. Announcement numbers the announcement that put it in force, so that
// one delivered twice is known. The zero value is no level.
type Level struct {
	Number       uint16 `json:"number"`
	SmallBlind   uint32 `json:"small_blind"`
	BigBlind     uint32 `json:"big_blind"`
	BigBlindAnte uint32 `json:"big_blind_ante,omitempty"`
	Announcement uint64 `json:"announcement,omitempty"`
}

// InForce tells whether there is a level at all.
func (l Level) InForce() bool { return l.Number != 0 }

// Check refuses a level that no table could play.
func (l Level) Check() error {
	switch {
	case l.Number == 0:
		return fmt.Errorf("level number is 0, want 1 or more")
	case l.BigBlind == 0:
		return fmt.Errorf("level %d has no big blind", l.Number)
	case l.SmallBlind > l.BigBlind:
		return fmt.Errorf("level %d: small blind %d is over big blind %d", l.Number, l.SmallBlind, l.BigBlind)
	}
	return nil
}

func (l Level) String() string {
	if !l.InForce() {
		return "none"
	}
	s := fmt.Sprintf("%d (%d/%d", l.Number, l.SmallBlind, l.BigBlind)
	if l.BigBlindAnte > 0 {
		s += fmt.Sprintf(" BBA %d", l.BigBlindAnte)
	}
	return s + ")"
}
