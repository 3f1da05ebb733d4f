package config

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Show prints the configuration in force as YAML, each value with its source.
// What it prints can be loaded again.
func Show(w io.Writer, c Config, src Sources) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# file: %s\n", src.File())
	section := ""
	for _, e := range entries() {
		s, name, nested := cutLast(e.key)
		switch {
		case nested && s != section:
			fmt.Fprintf(b, "\n%s:\n", s)
		case !nested:
			fmt.Fprintln(b)
		}
		section = s
		indent := ""
		if nested {
			indent = "  "
		}
		from := "  # " + src.Of(e.key)
		switch {
		case e.scalar != nil:
			fmt.Fprintf(b, "%s%s: %s%s\n", indent, name, e.scalar.yaml(c), from)
		case len(e.list.show(c)) == 0:
			fmt.Fprintf(b, "%s%s: []%s\n", indent, name, from)
		default:
			fmt.Fprintf(b, "%s%s:%s\n", indent, name, from)
			for _, v := range e.list.show(c) {
				fmt.Fprintf(b, "%s  - %s\n", indent, v)
			}
		}
	}
	return b.Flush()
}

// entry is one key with its scalar or its list.
type entry struct {
	key    string
	scalar *field[Config]
	list   *list
}

// entries are all keys in the order of printing: a section's lists follow its
// scalars, whole sections of lists come last.
func entries() []entry {
	var out []entry
	for i := range scalars {
		s := &scalars[i]
		out = append(out, entry{key: s.key, scalar: s})
		section, _, nested := cutLast(s.key)
		if !nested || i+1 < len(scalars) && strings.HasPrefix(scalars[i+1].key, section+".") {
			continue
		}
		for j := range lists {
			if strings.HasPrefix(lists[j].key, section+".") {
				out = append(out, entry{key: lists[j].key, list: &lists[j]})
			}
		}
	}
	for j := range lists {
		if !strings.Contains(lists[j].key, ".") {
			out = append(out, entry{key: lists[j].key, list: &lists[j]})
		}
	}
	return out
}
