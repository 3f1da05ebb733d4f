package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// maxFileBytes bounds the file; a configuration has a few kilobytes.
const maxFileBytes = 256 << 10

// find gives the file to read: the one that was asked for by flag or
// environment, else the system's if there is one, else "".
func find(o Options, env map[string]string) (path string, asked bool) {
	if o.Flags != nil {
		if f := o.Flags.Lookup(PathFlag); f != nil && f.Changed {
			return f.Value.String(), true
		}
	}
	switch {
	case o.Path != "":
		return o.Path, true
	case env[PathVariable] != "":
		return env[PathVariable], true
	}
	system := o.SystemPath
	if system == "" {
		system = SystemPath
	}
	if _, err := os.Stat(system); errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	return system, false
}

// parse reads a file into YAML's tree. A file that looks cut short is refused:
// its missing half would silently be replaced by defaults.
func parse(path string, rep *report) *yaml.Node {
	at := place{layer: fromFile, name: path}
	text, err := slurp(path)
	if err != nil {
		rep.add(at, "", "name an existing, readable file with --config or "+PathVariable+", or none for the defaults", "cannot be read: %v", err)
		return nil
	}
	if !whole(text, at, rep) {
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := decode(dec, &doc); err != nil && !errors.Is(err, io.EOF) {
		at.line, err = lineOf(err)
		rep.add(at, "", "YAML indents with spaces, never tabs; a text with a colon or # needs quotes", "is not YAML: %v", err)
		return nil
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind == yaml.ScalarNode && doc.Content[0].Tag == "!!null" {
		rep.add(at, "", "for the built-in defaults leave the file out", "holds no settings: it may be cut short")
		return nil
	}
	var next yaml.Node
	if err := decode(dec, &next); !errors.Is(err, io.EOF) {
		at.line = next.Line
		rep.add(at, "", "keep one; remove the line --- or ...", "holds more than one document")
		return nil
	}
	return doc.Content[0]
}

func slurp(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			return nil, p.Err // the path stands in front of the message already
		}
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if err == nil && len(text) > maxFileBytes {
		err = fmt.Errorf("it is larger than %d bytes", maxFileBytes)
	}
	return text, err
}

// whole finds what a half-written or foreign file looks like.
func whole(text []byte, at place, rep *report) bool {
	lineAt := func(i int) int { return 1 + bytes.Count(text[:i], []byte("\n")) }
	if len(text) == 0 {
		rep.add(at, "", "it may just be written: wait, or put a copy back", "is empty (0 bytes)")
		return false
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		at.line = lineAt(i)
		rep.add(at, "", "put a copy back; it must be UTF-8 text", "holds NUL bytes, as after a power cut")
		return false
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			at.line = lineAt(i)
			rep.add(at, "", "save the file as UTF-8", "is not UTF-8")
			return false
		}
		i += size
	}
	if text[len(text)-1] != '\n' {
		at.line = lineAt(len(text))
		rep.add(at, "", "if it is complete, end it with a new line", "the last line has no end, as in a file cut short")
		return false
	}
	return true
}

// decode never panics, whatever the library does with hostile bytes.
func decode(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the YAML library gives up: %v", p)
		}
	}()
	return dec.Decode(n)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// lineOf takes the line number out of a YAML error.
func lineOf(err error) (int, error) {
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, errors.New(shown(err.Error()))
	}
	line, _ := strconv.Atoi(m[1])
	return line, errors.New(m[2])
}
