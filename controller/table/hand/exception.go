package hand

import "fmt"

// Exception is a rule that the floor may set aside for once, for the sake of
// fairness (H14, F0 §1.2). A rule without a value here has no exception: nothing
// reaches round what makes a deck good (D1, D5) or a shuffle whole (S3). The zero
// value is none.
type Exception uint8

// The rules that may be set aside.
const (
	NoException  Exception = iota
	ExceptLevel            // H4: the level that is played after substantial action
	ExceptRedeal           // H7: a redeal after substantial action, or for another reason
	ExceptStub             // H8: what becomes of the stub
)

var exceptionNames = [...]string{"", "H4", "H7", "H8"}

func (e Exception) String() string {
	if int(e) < len(exceptionNames) {
		return exceptionNames[e]
	}
	return fmt.Sprintf("exception(%d)", uint8(e))
}

// Exceptions lists the rules that may be set aside.
func Exceptions() []Exception { return []Exception{ExceptLevel, ExceptRedeal, ExceptStub} }

// ParseException reads a rule's id, such as H7. An id of any other rule is an
// error; an empty text is none.
func ParseException(s string) (Exception, error) {
	for i, n := range exceptionNames {
		if n == s {
			return Exception(i), nil
		}
	}
	return NoException, fmt.Errorf("rule %q has no exception: only H4, H7 and H8 have (H14)", s)
}

// MarshalText writes the rule's id, none as an empty text.
func (e Exception) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (e *Exception) UnmarshalText(b []byte) (err error) {
	*e, err = ParseException(string(b))
	return err
}
