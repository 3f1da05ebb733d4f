// Package logging makes the program's logger: one line an event, for people on
// a terminal and as JSON otherwise.
//
// The log is a view and may lose lines; what must last is in the journal.
package logging

import (
	"io"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"
)

// timeLayout is RFC 3339 with as many characters in every line: milliseconds
// even when they are zero, and an offset instead of Z.
const timeLayout = "2006-01-02T15:04:05.000-07:00"

// zerolog's own time format stamps whole seconds and is read at each use, so it
// is set before anything can log. It holds for time fields; the stamp of a line
// is written by stamp below.
func init() { zerolog.TimeFieldFormat = timeLayout }

// Format is how lines look.
type Format string

// The formats. The zero value is Auto.
const (
	Auto    Format = "auto" // Console on a terminal, JSON otherwise
	Console Format = "console"
	JSON    Format = "json"
)

// Options say how to log. W is needed; the zero value of the others gives Auto,
// info and UTC.
type Options struct {
	W      io.Writer // the caller gives stderr, never stdout
	Format Format
	Level  string         // trace, debug, info, warn or error
	Zone   *time.Location // of the stamps
	Now    func() time.Time
}

// New makes a logger. It may be used by several goroutines if W may be written
// to by several. An unknown level or format counts as info and Auto: the
// configuration has refused it before.
func New(o Options) zerolog.Logger {
	level, err := zerolog.ParseLevel(o.Level)
	if err != nil || level == zerolog.NoLevel {
		level = zerolog.InfoLevel
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	var w io.Writer = oneLine{o.W}
	if o.Format == Console || o.Format != JSON && terminal(o.W) {
		w = console(o.W)
	}
	return zerolog.New(w).Level(level).Hook(stamp{o.Now, o.Zone})
}

// stamp writes the time of each line in the room's zone.
type stamp struct {
	now  func() time.Time
	zone *time.Location
}

func (s stamp) Run(e *zerolog.Event, _ zerolog.Level, _ string) {
	e.Str(zerolog.TimestampFieldName, s.now().In(s.zone).Format(timeLayout))
}

func terminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && isatty.IsTerminal(f.Fd())
}
