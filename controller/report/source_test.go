package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The codes that need a text are read from the source of the packages that make
// them, so that a new one without a text is found.

// sources parses a package's files without its tests.
func sources(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no files, %v", dir, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// constants are the values of a package's string constants of one type.
func constants(t *testing.T, dir, typ string) (values []string) {
	t.Helper()
	for _, f := range sources(t, dir) {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if id, named := specType(spec, ok); named && id == typ {
				for _, v := range spec.Values {
					if s := literal(v); s != "" {
						values = append(values, s)
					}
				}
			}
			return true
		})
	}
	if len(values) == 0 {
		t.Fatalf("%s has no constants of type %s: the test reads it wrongly", dir, typ)
	}
	return values
}

func specType(spec *ast.ValueSpec, ok bool) (string, bool) {
	if !ok || spec.Type == nil {
		return "", false
	}
	id, ok := spec.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return id.Name, true
}

func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	return ""
}

// details are the texts that package table gives to a code: refuse(Code, "text")
// and Refusal{Code, "text"}.
func details(t *testing.T, code string) (values []string) {
	t.Helper()
	take := func(list []ast.Expr) {
		if len(list) == 2 {
			if id, ok := list[0].(*ast.Ident); ok && id.Name == code {
				if s := literal(list[1]); s != "" {
					values = append(values, s)
				}
			}
		}
	}
	for _, f := range sources(t, "../table") {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				take(n.Args)
			case *ast.CompositeLit:
				take(n.Elts)
			}
			return true
		})
	}
	return values
}

// assigned are the texts that a function of package table assigns to a variable.
func assigned(t *testing.T, variable string) (values []string) {
	t.Helper()
	for _, f := range sources(t, "../table") {
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
				if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name == variable {
					if s := literal(a.Rhs[0]); s != "" {
						values = append(values, s)
					}
				}
			}
			return true
		})
	}
	return values
}

// actions are the names of package table's actions.
func actions(t *testing.T) []string { return returned(t, "../table", "Name") }

// returned are the texts that the methods of one name return.
func returned(t *testing.T, dir, method string) (values []string) {
	t.Helper()
	for _, f := range sources(t, dir) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != method || fn.Recv == nil || len(fn.Body.List) != 1 {
				continue
			}
			if r, ok := fn.Body.List[0].(*ast.ReturnStmt); ok {
				if s := literal(r.Results[0]); s != "" {
					values = append(values, s)
				}
			}
		}
	}
	return values
}

// numbered are the names of an enumeration from 1 on, until String knows no more.
func numbered(name func(i uint8) string) (values []string) {
	for i := uint8(1); i < 255; i++ {
		s := func() (s string) {
			defer func() { _ = recover() }() // out of its table of names
			return name(i)
		}()
		if s == "" || strings.Contains(s, "(") {
			break
		}
		values = append(values, s)
	}
	return values
}

// ownLiterals are the string literals of this package's code.
func ownLiterals(t *testing.T) map[string]bool {
	t.Helper()
	set := map[string]bool{}
	for _, f := range sources(t, ".") {
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if s := literal(e); s != "" {
					set[s] = true
				}
			}
			return true
		})
	}
	return set
}

// TestSayGetsEveryPlaceholder: where a key is written out, the call names every
// placeholder of its text.
func TestSayGetsEveryPlaceholder(t *testing.T) {
	calls := 0
	for _, f := range sources(t, ".") {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "say" {
				return true
			}
			key := literal(call.Args[0])
			text, known := catalogs[English][key]
			switch {
			case key == "":
				return true // the key is put together; golden files and the tests of codes see it
			case !known:
				if !strings.HasSuffix(key, ".") {
					t.Errorf("no text %q", key)
				}
				return true
			}
			calls++
			var given []string
			for i := 1; i < len(call.Args); i += 2 {
				given = append(given, literal(call.Args[i]))
			}
			for _, name := range text.names() {
				if !slices.Contains(given, name) {
					t.Errorf("%s: {%s} gets no value", key, name)
				}
			}
			for _, name := range given {
				if !slices.Contains(text.names(), name) && !strings.HasPrefix(key, "sentence.") {
					t.Errorf("%s: value %q has no place", key, name)
				}
			}
			return true
		})
	}
	if calls < 50 {
		t.Errorf("only %d calls seen: the test reads the source wrongly", calls)
	}
}
