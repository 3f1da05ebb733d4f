package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reading is one pass through a file. It goes on after a problem, so that all
// are told at once.
type reading struct {
	path  string
	rep   *report
	src   Sources
	known []string // every key of the file, to find a misplaced one
}

func (r *reading) at(n *yaml.Node) place {
	return place{layer: fromFile, name: r.path, line: n.Line}
}

// leaves goes through a mapping and calls visit for every known key that holds
// a value. keys are full names below prefix, which is empty or ends in a dot.
func (r *reading) leaves(n *yaml.Node, prefix string, keys []string, visit func(key string, n *yaml.Node)) {
	if !r.mapping(n, strings.TrimSuffix(prefix, ".")) {
		return
	}
	siblings, seen := names(keys), map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		name := k.Value
		full := prefix + name
		if k.Kind != yaml.ScalarNode {
			r.rep.add(r.at(k), strings.TrimSuffix(prefix, "."), "write a plain word before the colon", "a key that is no word")
			continue
		}
		if !slices.Contains(siblings, name) {
			hint := ""
			if len(r.rep.problems) < maxShown { // a file of another kind has nothing but unknown keys
				hint = didYouMean(prefix, name, siblings, r.candidates(prefix, keys))
			}
			r.rep.add(r.at(k), prefix+shown(name), hint, "unknown key")
			continue
		}
		if line, twice := seen[name]; twice {
			r.rep.add(r.at(k), full, "keep one", "the key stands twice, first in line %d", line)
			continue
		}
		seen[name] = k.Line
		if v.Kind != yaml.ScalarNode {
			v.Line = k.Line // people look for the key, YAML tells of the first line below it
		}
		switch {
		case v.Kind == yaml.AliasNode || v.Anchor != "":
			r.rep.add(r.at(v), full, "write the value out", "anchors and aliases are not read here")
		case slices.Contains(keys, name):
			visit(full, v)
		default:
			r.leaves(v, full+".", below(keys, name), visit)
		}
	}
}

// candidates are the keys that a misspelt one may have meant: those below the
// same prefix, then all.
func (r *reading) candidates(prefix string, keys []string) []string {
	var out []string
	for _, k := range keys {
		out = append(out, prefix+k)
	}
	return append(out, r.known...)
}

// names are the first parts of keys, each once.
func names(keys []string) []string {
	var out []string
	for _, k := range keys {
		first, _, _ := strings.Cut(k, ".")
		if !slices.Contains(out, first) {
			out = append(out, first)
		}
	}
	return out
}

// below are the keys of a section, without its name.
func below(keys []string, section string) []string {
	var out []string
	for _, k := range keys {
		if rest, ok := strings.CutPrefix(k, section+"."); ok {
			out = append(out, rest)
		}
	}
	return out
}

// mapping refuses what holds no keys.
func (r *reading) mapping(n *yaml.Node, key string) bool {
	switch {
	case n.Kind == yaml.MappingNode:
		return true
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		r.rep.add(r.at(n), key, "remove it, or write keys under it, two spaces further in", "nothing stands under it")
	case n.Kind == yaml.ScalarNode && strings.ContainsRune(n.Value, '：'):
		r.rep.add(r.at(n), key, "write : and a space", "'：' is the full-width colon, which YAML takes for a letter: %s", shown(n.Value))
	default:
		r.rep.add(r.at(n), key, "write key: value", "found %s, want keys with values", described(n))
	}
	return false
}

// scalar checks one value and gives its text.
func (r *reading) scalar(n *yaml.Node, key string, k kind) (string, bool) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.rep.add(r.at(n), key, "write the value out", "anchors and aliases are not read here")
		return "", false
	}
	if n.Kind != yaml.ScalarNode {
		r.rep.add(r.at(n), key, "", "found %s, want %s", described(n), k.wants)
		return "", false
	}
	if !slices.Contains(k.tags, n.Tag) {
		f := wrongType(n, k)
		r.rep.add(r.at(n), key, f.hint, "%s", f.what)
		return "", false
	}
	if f := k.check(n.Value); f != nil {
		r.rep.add(r.at(n), key, f.hint, "%s %s", shown(n.Value), f.what)
		return "", false
	}
	r.src.note(key, r.at(n))
	return n.Value, true
}

// wrongType says what is wrong with a scalar that YAML takes for another type.
func wrongType(n *yaml.Node, k kind) fault {
	v := shown(n.Value)
	switch {
	case n.Tag == "!!null":
		return fault{"has no value, want " + k.wants, "write one, or remove the key for the default"}
	case n.Style&yaml.TaggedStyle != 0:
		return fault{"carries the type mark " + shown(n.Tag), "remove the mark"}
	case k.tags[0] == tagText:
		return fault{v + " is " + described(n) + ", want " + k.wants, "put it in quotes: " + fmt.Sprintf("%q", n.Value)}
	case n.Tag == tagText && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && k.check(n.Value) == nil:
		return fault{v + " in quotes is text, want " + k.wants, "write it without quotes"}
	}
	return fault{v + " is " + described(n) + ", want " + k.wants, ""}
}

// described names what YAML takes a node for.
func described(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.Tag {
	case tagInt, tagFloat:
		return "a number"
	case tagBool:
		return "a truth value"
	case tagDate:
		return "a date"
	case "!!null":
		return "nothing"
	case tagText:
		return "text"
	}
	return "a value of type " + shown(n.Tag)
}

// elements gives the elements of a list.
func (r *reading) elements(n *yaml.Node, key string, needed bool) ([]*yaml.Node, bool) {
	switch {
	case n.Kind != yaml.SequenceNode:
		r.rep.add(r.at(n), key, "write each element on a line that begins with -", "found %s, want a list", described(n))
	case len(n.Content) == 0 && needed:
		r.rep.add(r.at(n), key, "add an element, or remove the key for the default", "the list is empty")
	case len(n.Content) > maxElements:
		r.rep.add(r.at(n), key, fmt.Sprintf("at most %d", maxElements), "the list has %d elements", len(n.Content))
	default:
		r.src.note(key, r.at(n))
		return n.Content, true
	}
	return nil, false
}

// words reads a list of words.
func (r *reading) words(n *yaml.Node, key string, k kind, needed bool) ([]string, bool) {
	nodes, ok := r.elements(n, key, needed)
	words := make([]string, 0, len(nodes))
	for i, e := range nodes {
		w, good := r.scalar(e, fmt.Sprintf("%s[%d]", key, i), k)
		words, ok = append(words, w), ok && good
	}
	return words, ok
}

// readStruct reads the fields of one element of a list; what is not written
// takes its default.
func readStruct[T any](r *reading, n *yaml.Node, key string, fields []field[T], t *T) {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
		if !f.required {
			f.set(t, f.def)
		}
	}
	written := map[string]bool{}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.rep.add(r.at(n), key, "write the value out", "anchors and aliases are not read here")
		return
	}
	r.leaves(n, key+".", keys, func(full string, v *yaml.Node) {
		for _, f := range fields {
			if full != key+"."+f.key {
				continue
			}
			written[f.key] = true
			if s, ok := r.scalar(v, full, f.kind); ok {
				f.set(t, s)
			}
		}
	})
	for _, f := range fields {
		if f.required && !written[f.key] && n.Kind == yaml.MappingNode {
			r.rep.add(r.at(n), key+"."+f.key, "add it: "+f.note, "is missing")
		}
	}
}
