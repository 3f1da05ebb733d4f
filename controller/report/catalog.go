package report

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

//go:embed catalog/*.json
var catalogFiles embed.FS

// catalog is one language's texts by key: "fault.jam_exit.next".
type catalog map[string]text

// catalogs are read once; a broken one is a mistake in this package, which its
// tests find before anybody starts the program.
var catalogs, untranslated = func() (map[Lang]catalog, []string) {
	all, lent, err := loadCatalogs(catalogFiles)
	if err != nil {
		panic(err)
	}
	return all, lent
}()

// loadCatalogs reads every language and checks that each has the texts of the
// others, with the same placeholders. The Taiwanese one may lag behind while new
// texts come in daily: what it lacks is lent by the Chinese one, and the keys are
// told, so that a test can list them.
func loadCatalogs(files fs.FS) (all map[Lang]catalog, lent []string, err error) {
	all = map[Lang]catalog{}
	for _, l := range Languages() {
		name := "catalog/" + string(l) + ".json"
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, nil, fmt.Errorf("language catalogue: %w", err)
		}
		if all[l], err = readCatalog(data); err != nil {
			return nil, nil, fmt.Errorf("language catalogue %s: %w", name, err)
		}
	}
	lent = all[Taiwanese].borrow(all[Chinese])
	for _, l := range Languages()[1:] {
		if err := sameTexts(all[English], all[l]); err != nil {
			return nil, nil, fmt.Errorf("language catalogues %s and %s: %w", English, l, err)
		}
	}
	return all, lent, nil
}

// borrow takes the texts of another catalogue that this one lacks or has with
// other placeholders, and drops those that the other does not have. It gives
// their keys.
func (c catalog) borrow(from catalog) (keys []string) {
	for key, t := range from {
		if own, ok := c[key]; !ok || !slices.Equal(own.names(), t.names()) {
			c[key] = t
			keys = append(keys, key)
		}
	}
	for key := range c {
		if _, ok := from[key]; !ok {
			delete(c, key)
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func readCatalog(data []byte) (catalog, error) {
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	c := catalog{}
	return c, c.grow("", tree)
}

// grow takes a section of the file into the catalogue.
func (c catalog) grow(prefix string, tree map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key := prefix + name
		switch v := tree[name].(type) {
		case map[string]any:
			if err := c.grow(key+".", v); err != nil {
				return err
			}
		case string:
			t, err := parseText(v)
			if err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			c[key] = t
		default:
			return fmt.Errorf("%s: want a text or a section", key)
		}
	}
	return nil
}

// sameTexts tells the first text that only one has, or whose placeholders differ.
func sameTexts(a, b catalog) error {
	for _, key := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[key]
		switch {
		case !ok:
			return fmt.Errorf("%s stands only in the first", key)
		case !slices.Equal(a[key].names(), other.names()):
			return fmt.Errorf("%s has placeholders %v and %v", key, a[key].names(), other.names())
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[key]; !ok {
			return fmt.Errorf("%s stands only in the second", key)
		}
	}
	return nil
}

// text is a parsed text: literal pieces and placeholders.
type text []piece

// piece is a literal, a placeholder (name, with two forms to choose from by
// number, or none), or an optional part.
type piece struct {
	literal   string
	name      string
	one, many string
	optional  text
}

// parseText reads the form that the package comment tells.
func parseText(s string) (text, error) {
	if strings.TrimSpace(s) == "" && s != " " && s != "" {
		return nil, fmt.Errorf("is blank")
	}
	var t text
	for s != "" {
		i := strings.IndexAny(s, "{}[]")
		if i < 0 {
			return append(t, piece{literal: s}), nil
		}
		if i > 0 {
			t = append(t, piece{literal: s[:i]})
		}
		open, closing := s[i], map[byte]string{'{': "}", '[': "]"}[s[i]]
		end := strings.Index(s, closing)
		if closing == "" || end < i {
			return nil, fmt.Errorf("%q stands alone in %q", open, s)
		}
		inner := s[i+1 : end]
		s = s[end+1:]
		if open == '[' {
			part, err := parseText(inner)
			if err != nil {
				return nil, err
			}
			if len(part.names()) == 0 {
				return nil, fmt.Errorf("the part [%s] has no placeholder", inner)
			}
			t = append(t, piece{optional: part})
			continue
		}
		p, err := parsePlaceholder(inner)
		if err != nil {
			return nil, err
		}
		t = append(t, p)
	}
	return t, nil
}

func parsePlaceholder(inner string) (piece, error) {
	f := strings.Split(inner, "|")
	if f[0] == "" || strings.ContainsAny(inner, "{[ ") && len(f) == 1 || len(f) != 1 && len(f) != 3 {
		return piece{}, fmt.Errorf("placeholder {%s}: want {name} or {name|one|many}", inner)
	}
	p := piece{name: f[0]}
	if len(f) == 3 {
		p.one, p.many = f[1], f[2]
	}
	return p, nil
}

// names are the placeholders, each once, sorted.
func (t text) names() []string {
	seen := map[string]bool{}
	for _, p := range t {
		if p.name != "" {
			seen[p.name] = true
		}
		for _, n := range p.optional.names() {
			seen[n] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// fill puts values into the placeholders; empty tells whether one had none.
func (t text) fill(values map[string]string) (s string, empty bool) {
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.optional != nil:
			if part, missing := p.optional.fill(values); !missing {
				b.WriteString(part)
			}
		case p.name == "":
			b.WriteString(p.literal)
		case p.many != "":
			form := p.many
			if values[p.name] == "1" {
				form = p.one
			}
			b.WriteString(form)
			empty = empty || values[p.name] == ""
		default:
			b.WriteString(values[p.name])
			empty = empty || values[p.name] == ""
		}
	}
	return b.String(), empty
}
