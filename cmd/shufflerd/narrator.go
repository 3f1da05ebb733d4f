package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"shuffler/controller"
	"shuffler/controller/journal"
	"shuffler/controller/report"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// narrator prints an evening as it happens: a sentence a record, and the
// progress of a check and of a machine's step, as a bar on a terminal and as
// plain lines elsewhere.
type narrator struct {
	out        io.Writer
	words      report.Options
	bar        bool
	controller *controller.Controller

	shown  uint16 // cards of the progress on show
	doing  string
	onLine bool // a bar is on the terminal's last line
}

// line prints one line, in place of a bar.
func (n *narrator) line(s string) {
	n.endProgress()
	fmt.Fprintln(n.out, s)
}

func (n *narrator) aside(s string) { n.line("      · " + s) }

func (n *narrator) record(wall time.Time, r any) {
	if s := report.Sentence(n.words, wall, r); s != "" {
		n.line(s)
	}
}

func (n *narrator) opening(dir string, own bool) {
	where := dir
	if own {
		where += " (removed at the end; --data keeps it)"
	}
	n.line(fmt.Sprintf("shufflerd %s demo, journal in %s", version, where))
}

func (n *narrator) verified(rep journal.Report) string {
	return fmt.Sprintf("journal verified: %d records, head %s", rep.Records, rep.Head)
}

// Constants of the progress.
const (
	barWidth  = 26 // columns for a deck of 52
	plainStep = 13 // cards between two plain lines
)

// progress shows how far a check or a step of the machine is: a count and
// nothing else (X1, X2).
func (n *narrator) progress() {
	snap, err := n.controller.Snapshot(demoTable)
	if err != nil {
		return
	}
	doing, cards := n.progressOf(snap.State)
	if doing != n.doing {
		n.endProgress()
		n.doing, n.shown = doing, 0
	}
	if doing == "" || cards == n.shown {
		return
	}
	if n.bar {
		filled := min(int(cards)*barWidth/deckcheck.DeckSize, barWidth)
		fmt.Fprintf(n.out, "\r      %-16s %s%s %2d", doing, strings.Repeat("█", filled), strings.Repeat("░", barWidth-filled), cards)
		n.shown, n.onLine = cards, true
		return
	}
	if cards/plainStep > n.shown/plainStep {
		fmt.Fprintf(n.out, "      %s: %d\n", doing, cards)
		n.shown = cards
	}
}

// progressOf is what is being done, in words, and how many cards it has moved.
func (n *narrator) progressOf(s table.State) (doing string, cards uint16) {
	switch {
	case s.Checking != custody.NoSlot && s.Scanner.Kind == table.ScanOp:
		return report.Doing(n.words, table.ScanOp, shuffle.NoStep, s.Checking), s.Scanner.Cards
	case s.Machine.Busy():
		return report.Doing(n.words, s.Machine.Kind, s.Machine.Step, s.InPlay), s.Machine.Cards
	}
	return "", 0
}

// endProgress leaves the bar's line.
func (n *narrator) endProgress() {
	if n.onLine {
		fmt.Fprint(n.out, "\r\033[K")
		n.onLine = false
	}
}

// terminalOf tells whether out is a terminal, and its width in columns (0 if
// not known).
func terminalOf(out io.Writer) (bool, int) {
	f, ok := out.(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return false, 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return true, width
}

// checkNumber is the number of the check that a record ended.
func checkNumber(r journal.Record) (uint64, error) {
	var ended struct {
		Check uint64 `json:"check"`
	}
	if err := json.Unmarshal(r.Payload, &ended); err != nil {
		return 0, fmt.Errorf("journal position %d: %w", r.Pos, err)
	}
	return ended.Check, nil
}
