package custody

import (
	"fmt"
	"strings"
)

// MaxID is the longest identifier (person, deck, back, seal) in bytes. It
// bounds what a State can reference, so that a copy of it stays a snapshot.
const MaxID = 48

// Role says what a person may do (P6). The zero value is nobody.
type Role uint8

// The roles of P6. Auditors read; they act on nothing.
const (
	Nobody Role = iota
	Dealer
	Floor
	Technician
	Auditor
)

var roleNames = [...]string{"nobody", "dealer", "floor", "technician", "auditor"}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return fmt.Sprintf("role(%d)", uint8(r))
}

// ParseRole reads the name of a role.
func ParseRole(s string) (Role, error) {
	for r, name := range roleNames {
		if name == s && Role(r) != Nobody {
			return Role(r), nil
		}
	}
	return Nobody, fmt.Errorf("unknown role %q, want dealer, floor, technician or auditor", s)
}

// MarshalText writes the role's name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Role) UnmarshalText(b []byte) (err error) {
	*r, err = ParseRole(string(b))
	return err
}

// Person is a member of staff by role and id, never by name (P5). The zero
// value is nobody. It is comparable and may be shared.
type Person struct {
	Role Role
	ID   string
}

// ParsePerson reads "floor:7". An empty text is nobody.
func ParsePerson(s string) (Person, error) {
	if s == "" {
		return Person{}, nil
	}
	role, id, ok := strings.Cut(s, ":")
	if !ok {
		return Person{}, fmt.Errorf("person %q: want role:id, such as floor:7", s)
	}
	r, err := ParseRole(role)
	if err == nil {
		err = CheckID(id)
	}
	if err != nil {
		return Person{}, fmt.Errorf("person %q: %w", s, err)
	}
	return Person{r, id}, nil
}

// CheckID refuses an identifier that is empty, longer than MaxID bytes, or that
// has white space at its ends or control characters in it.
func CheckID(id string) error {
	switch {
	case id == "":
		return fmt.Errorf("id is empty")
	case len(id) > MaxID:
		return fmt.Errorf("id of %d bytes is too long, at most %d", len(id), MaxID)
	case strings.TrimSpace(id) != id:
		return fmt.Errorf("id %q begins or ends with white space", id)
	}
	if !Plain(id) {
		return fmt.Errorf("id %q has a control or broken character", id)
	}
	return nil
}

// Plain tells whether a text is one line that shows what it says: no control
// character, no broken one, none that turns the reading direction.
func Plain(s string) bool {
	for _, r := range s {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r == '\ufffd', r == '\u2028', r == '\u2029', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
			return false
		}
	}
	return true
}

// Known tells whether this is somebody.
func (p Person) Known() bool { return p.Role != Nobody }

func (p Person) String() string {
	if !p.Known() {
		return ""
	}
	return p.Role.String() + ":" + p.ID
}

// MarshalText writes "floor:7", nobody as an empty text.
func (p Person) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (p *Person) UnmarshalText(b []byte) (err error) {
	*p, err = ParsePerson(string(b))
	return err
}
