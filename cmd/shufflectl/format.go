package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shuffler/controller/report"
)

// format is how a command prints. The zero value is the table for people.
type format string

// The formats.
const (
	asTable format = "table"
	asJSON  format = "json"
	asCSV   format = "csv"
)

func formats() []string { return []string{string(asTable), string(asJSON), string(asCSV)} }

// String, Set and Type make format a flag.
func (f *format) String() string {
	if *f == "" {
		return string(asTable)
	}
	return string(*f)
}

func (f *format) Set(s string) error {
	if !slices.Contains(formats(), s) {
		return fmt.Errorf("%q: want %s", s, strings.Join(formats(), ", "))
	}
	*f = format(s)
	return nil
}

func (f *format) Type() string { return "format" }

// forPeople tells whether people read what is printed, not programs.
func (c *ctl) forPeople() bool { return c.output == "" || c.output == asTable }

// named is a code for people, and itself for programs.
func (c *ctl) named(code string) string {
	if c.forPeople() {
		return c.label(code)
	}
	return code
}

// list prints a list: the value itself as JSON, else its rows.
func (c *ctl) list(v any, s sheet) error {
	switch c.output {
	case asJSON:
		return c.json(v)
	case asCSV:
		return s.writeCSV(c.stdout)
	}
	_, err := io.WriteString(c.stdout, s.text(c.label))
	return err
}

func (c *ctl) json(v any) error {
	b, err := report.JSON(v)
	if err != nil {
		return err
	}
	_, err = c.stdout.Write(b)
	return err
}

// noCSV refuses a format that would lose the meaning of what is printed.
func (c *ctl) noCSV(what string) error {
	if c.output == asCSV {
		return usage("%s has no rows: print it with -o table or -o json", what)
	}
	return nil
}
