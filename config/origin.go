package config

import "fmt"

// layer is where a value was given. A later layer wins over an earlier one.
type layer uint8

const (
	fromDefault layer = iota
	fromFile
	fromEnvironment
	fromFlag
)

// place is one spot where something was written.
type place struct {
	layer layer
	name  string // path, variable or flag
	line  int    // in a file, 0 if not known
}

func (p place) String() string {
	switch p.layer {
	case fromFile:
		if p.line > 0 {
			return fmt.Sprintf("%s:%d", p.name, p.line)
		}
		return p.name
	case fromEnvironment:
		return "environment " + p.name
	case fromFlag:
		return "flag --" + p.name
	}
	return "default"
}

// Sources tells where a configuration came from. The zero value tells of
// defaults only.
type Sources struct {
	// Path is the file that was read, "" if there was none.
	Path string
	at   map[string]place
}

// File names the file in use, for the first line of the log.
func (s Sources) File() string {
	if s.Path == "" {
		return "none: built-in defaults"
	}
	return s.Path
}

// Of tells where the value of a key came from: "default", "FILE:LINE",
// "environment NAME" or "flag --NAME". Elements of lists have keys such as
// "tables[0].seats".
func (s Sources) Of(key string) string { return s.at[key].String() }

func (s Sources) note(key string, p place) { s.at[key] = p }
