package controller_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The table of packages: what each may import of ours, and which are pure. A
// pure package has no clock, no files, no network, no locks, no goroutines and
// no chance of its own. Changing a row is a decision; say why in the commit.
var packages = map[string]struct {
	pure bool
	may  []string
}{
	"deckcheck":                {pure: true},
	"shuffle":                  {pure: true},
	"protocol":                 {pure: true},
	"sim":                      {pure: true, may: []string{"protocol"}},
	"sim/rig":                  {may: []string{"sim", "protocol", "controller/api"}},
	"config":                   {may: []string{"shuffle", "deckcheck", "controller/table", "controller/table/hand"}},
	"config/logging":           {},
	"controller/table":         {pure: true, may: []string{"deckcheck", "shuffle", "controller/table/hand", "controller/table/custody", "controller/table/fault"}},
	"controller/table/hand":    {pure: true},
	"controller/table/custody": {pure: true, may: []string{"deckcheck", "shuffle"}},
	"controller/table/fault":   {pure: true},
	// A level and a person have one definition, in the leaves.
	"controller/room":                {pure: true, may: []string{"controller/table/hand", "controller/table/custody"}},
	"controller/api":                 {},
	"controller/journal":             {},
	"controller/journal/journaltest": {may: []string{"controller/journal"}},
	"controller":                     {may: []string{"controller/table", "controller/table/hand", "controller/table/custody", "controller/table/fault", "controller/room", "controller/journal"}},
	"controller/device":              {may: []string{"protocol", "controller/table", "controller/table/fault", "deckcheck", "shuffle"}},
	"controller/device/port":         {may: []string{"controller/device", "protocol", "controller/table", "controller/table/fault"}},
	"controller/device/lines":        {may: []string{"controller/device", "controller/table", "controller/table/fault"}},
	"controller/report":              {may: []string{"controller/journal", "controller/table", "controller/table/hand", "controller/table/custody", "controller/table/fault", "controller/room", "deckcheck", "shuffle"}},
	"controller/web":                 {may: []string{"controller", "controller/api", "controller/journal", "controller/report", "controller/table", "controller/table/hand", "controller/table/custody", "controller/table/fault", "controller/room", "deckcheck", "shuffle"}},
	// The virtual clock of demo and simulations: controller and links as they are.
	// A second reading of the rules: it must not lean on the first.
	"controller/oracle":   {may: []string{"controller/journal"}},
	"controller/lockstep": {may: []string{"controller", "controller/device", "controller/table", "controller/table/fault"}},
}

// Not to be touched by a pure package.
var impure = []string{"os", "net", "sync", "io/fs", "os/exec", "net/http", "syscall", "runtime", "log"}

// TestImportTable holds the table above against the code.
func TestImportTable(t *testing.T) {
	root := ".."
	found := map[string]bool{}
	for dir, rel := range goFolders(t, root) {
		pkg, err := build.ImportDir(dir, 0)
		if err != nil {
			t.Fatalf("%s: %v", rel, err)
		}
		row, known := packages[rel]
		if strings.HasPrefix(rel, "cmd/") {
			continue // wiring may import what it needs
		}
		if !known {
			t.Errorf("%s is not in the table: say what it may import", rel)
			continue
		}
		found[rel] = true
		for _, imp := range pkg.Imports {
			if ours, ok := strings.CutPrefix(imp, "shuffler/"); ok && !slices.Contains(row.may, ours) {
				t.Errorf("%s imports %s, which the table does not allow", rel, ours)
			}
			if row.pure && slices.Contains(impure, imp) {
				t.Errorf("%s is pure and imports %s", rel, imp)
			}
		}
		if row.pure {
			for _, file := range pkg.GoFiles {
				pureFile(t, filepath.Join(dir, file), rel)
			}
		}
	}
	for rel := range packages {
		if !found[rel] {
			t.Errorf("the table has %s, the tree has not", rel)
		}
	}
}

// pureFile forbids clocks, chance and goroutines in one file.
func pureFile(t *testing.T, path, rel string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	random := ""
	for _, imp := range f.Imports {
		if p, _ := strconv.Unquote(imp.Path.Value); p == "math/rand" || p == "math/rand/v2" {
			random = "rand"
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s (%s): a pure package starts a goroutine", path, rel)
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				x, _ := sel.X.(*ast.Ident)
				switch {
				case x == nil || x.Obj != nil:
				case x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "Sleep", "NewTimer", "NewTicker", "Tick", "AfterFunc"}, sel.Sel.Name):
					t.Errorf("%s (%s): a pure package calls time.%s", path, rel, sel.Sel.Name)
				case random != "" && x.Name == random && !strings.HasPrefix(sel.Sel.Name, "New"):
					t.Errorf("%s (%s): a pure package draws from the global rand.%s", path, rel, sel.Sel.Name)
				}
			}
		}
		return true
	})
}

// goFolders maps each folder with Go files to its path below the root.
func goFolders(t *testing.T, root string) map[string]string {
	t.Helper()
	folders := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			rel, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			folders[filepath.Dir(path)] = filepath.ToSlash(rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// TestTopLevelIsFixed: a newcomer finds nothing there but these.
func TestTopLevelIsFixed(t *testing.T) {
	allowed := []string{"cmd", "controller", "deckcheck", "shuffle", "protocol", "sim", "config", "go.mod", "go.sum", "README.md"}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s stands at the top level", e.Name())
		}
	}
}

// TestX1_NoTypeHasAnOrderOfCards: nothing that is stored, sent or shown has a
// list of cards. Sets and counts are all there is.
func TestX1_NoTypeHasAnOrderOfCards(t *testing.T) {
	for dir, rel := range goFolders(t, "..") {
		if strings.HasPrefix(rel, "sim") {
			continue // the physical truth: a pack has an order
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, list := range []string{"[]deckcheck.Card", "[]Card\n", "[]Card `", "[52]Card", "[DeckSize]Card"} {
				if strings.Contains(string(text), list) && !strings.Contains(path, "confusion") {
					t.Errorf("%s has %q", path, strings.TrimSpace(list))
				}
			}
		}
	}
}
