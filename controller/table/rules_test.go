package table

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ruleIDs are the ids that a rule book has, in its order.
func ruleIDs() (ids []string) {
	for _, part := range []struct {
		letter string
		last   int
	}{{"D", 11}, {"S", 8}, {"H", 14}, {"P", 6}, {"M", 4}, {"X", 4}} {
		for n := 1; n <= part.last; n++ {
			ids = append(ids, part.letter+strconv.Itoa(n))
		}
	}
	return ids
}

var (
	ruleHeading = regexp.MustCompile(`^### ([A-Z]\d+) (\S.*)$`)
	ruleState   = regexp.MustCompile(`(?m)^\*\*(Held|Partly|Not yet)\.\*\*`)
	ruleSource  = regexp.MustCompile(`(?m)^\[[^\]]+\] \S`)
	ruleID      = regexp.MustCompile(`\b[DSHPMX]\d{1,2}\b`)
	quoted      = regexp.MustCompile("`([^`]+)`")
	ruleInName  = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark|Example)([DSHPMX]\d{1,2})_`)
)

// rule is one section of RULES.md.
type rule struct{ id, text string }

func rulesOf(t *testing.T) (rules []rule) {
	t.Helper()
	book, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for line := range strings.SplitSeq(string(book), "\n") {
		switch m := ruleHeading.FindStringSubmatch(line); {
		case m != nil:
			rules, open = append(rules, rule{id: m[1]}), true
		case strings.HasPrefix(line, "#"):
			open = false
			if strings.HasPrefix(line, "###") {
				t.Errorf("the heading %q is no rule", line)
			}
		case open:
			rules[len(rules)-1].text += line + "\n"
		}
	}
	return rules
}

// item is what stands in backquotes in the list item of that name.
func (r rule) item(name string) (all []string) {
	_, rest, ok := strings.Cut(r.text, "\n- "+name+": ")
	if !ok {
		return nil
	}
	rest, _, _ = strings.Cut(rest, "\n- ")
	rest, _, _ = strings.Cut(rest, "\n\n")
	for _, m := range quoted.FindAllStringSubmatch(rest, -1) {
		all = append(all, m[1])
	}
	return all
}

// tree is what the module's Go files hold of interest here.
type tree struct {
	root  string
	tests map[string]bool
	cited map[string]string // id → one place where a comment or a test's name cites it
}

func moduleTree(t *testing.T) tree {
	t.Helper()
	root, err := filepath.Abs(".")
	for err == nil {
		if _, e := os.Stat(filepath.Join(root, "go.mod")); e == nil {
			break
		}
		if root == filepath.Dir(root) {
			t.Fatal("no go.mod above this package")
		}
		root = filepath.Dir(root)
	}
	m := tree{root, map[string]bool{}, map[string]string{}}
	files := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since its folder was read
			return nil
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "vendor"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		files++
		return m.read(path)
	})
	if err != nil || files < 50 {
		t.Fatalf("read %d Go files below %s: %v", files, root, err)
	}
	return m
}

func (m tree) read(path string) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for _, id := range ruleID.FindAllString(group.Text(), -1) {
			m.cited[id] = set.Position(group.Pos()).String()
		}
	}
	if !strings.HasSuffix(path, "_test.go") {
		return nil
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		m.tests[f.Name.Name] = true
		if id := ruleInName.FindStringSubmatch(f.Name.Name); id != nil {
			m.cited[id[1]] = set.Position(f.Pos()).String()
		}
	}
	return nil
}

func TestRules_EachIDIsAHeadingOnce(t *testing.T) {
	var got []string
	for _, r := range rulesOf(t) {
		got = append(got, r.id)
	}
	if want := ruleIDs(); !slices.Equal(got, want) {
		t.Errorf("headings of RULES.md\ngot  %v\nwant %v", got, want)
	}
}

// A rule that is said to be held names what would notice if it were not, and
// all that is named is there.
func TestRules_WhatHoldsThemIsThere(t *testing.T) {
	m := moduleTree(t)
	for _, r := range rulesOf(t) {
		states := ruleState.FindAllStringSubmatch(r.text, -1)
		if len(states) != 1 {
			t.Errorf("%s: %d states, want one of **Held.**, **Partly.**, **Not yet.** at the beginning of a line", r.id, len(states))
			continue
		}
		if !ruleSource.MatchString(r.text) {
			t.Errorf("%s: no source in brackets", r.id)
		}
		holders, places := r.item("Held by"), r.item("Code")
		if states[0][1] != "Not yet" && len(holders) == 0 {
			t.Errorf("%s: %s, and no test or session is named", r.id, states[0][1])
		}
		if len(places) == 0 {
			t.Errorf("%s: no place in the code is named", r.id)
		}
		for _, h := range holders {
			if !m.holds(h) {
				t.Errorf("%s is held by %s, which is no test of the module and no script in testdata", r.id, h)
			}
		}
		for _, p := range places {
			if _, err := os.Stat(filepath.Join(m.root, p)); err != nil {
				t.Errorf("%s: %v", r.id, err)
			}
		}
	}
}

// holds tells whether there is such a test, or such a session here.
func (m tree) holds(name string) bool {
	if !strings.HasSuffix(name, ".txt") {
		return strings.HasPrefix(name, "Test") && m.tests[name]
	}
	_, err := os.Stat(filepath.Join("testdata", name))
	return err == nil
}

// Comments cite rules by their ids; an id that nobody can look up is a slip of
// the pen.
func TestRules_EveryIDThatIsCitedIsThere(t *testing.T) {
	m := moduleTree(t)
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if strings.HasPrefix(line, "#") {
				for _, id := range ruleID.FindAllString(line, -1) {
					m.cited[id] = s
				}
			}
		}
	}
	ids := ruleIDs()
	for id, place := range m.cited {
		if !slices.Contains(ids, id) {
			t.Errorf("%s cites %s, which is no rule", place, id)
		}
	}
	if len(m.cited) < len(ids)/2 {
		t.Errorf("only %d rules are cited: the comments were not read", len(m.cited))
	}
}
