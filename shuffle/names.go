package shuffle

import (
	"fmt"
	"slices"
	"strings"
)

// names are the words of an enumeration, by value: what its texts and JSON show.
type names []string

func (n names) of(kind string, v uint8) string {
	if int(v) >= len(n) {
		return fmt.Sprintf("%s(%d)", kind, v)
	}
	return n[v]
}

func (n names) marshal(kind string, v uint8) ([]byte, error) {
	if int(v) >= len(n) {
		return nil, fmt.Errorf("shuffle: %d is no %s: the last one is %d", v, kind, len(n)-1)
	}
	return []byte(n[v]), nil
}

func (n names) parse(kind string, text []byte) (uint8, error) {
	i := slices.Index(n, string(text))
	if i < 0 {
		return 0, fmt.Errorf("shuffle: unknown %s %s: want one of %s", kind, quote(string(text)), strings.Join(n, ", "))
	}
	return uint8(i), nil
}

// quote keeps a foreign text short and on one line in an error.
func quote(s string) string {
	const longest = 24
	if r := []rune(s); len(r) > longest {
		return fmt.Sprintf("%q…", string(r[:longest]))
	}
	return fmt.Sprintf("%q", s)
}
