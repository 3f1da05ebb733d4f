package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"shuffler/controller/api"
	"shuffler/controller/report"
	"shuffler/controller/table/fault"
	"shuffler/deckcheck"
)

// Widths of a table's view, in columns.
const (
	labelWidth = 10
	barWidth   = 26
	leastWidth = 40
)

// print writes lines to stdout, with styles on a terminal only. What is wider than
// the terminal is wrapped by it.
func (c *ctl) print(lines []line) error {
	for _, l := range lines {
		text := l.text()
		if c.screen != nil {
			text = l.drawn(math.MaxInt, c.styles())
		}
		if _, err := io.WriteString(c.stdout, text+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// width is how much fits in a line.
func (c *ctl) width() int {
	if c.words.Width == 0 {
		return usualColumns
	}
	return max(c.words.Width, leastWidth)
}

// styles tells whether to use bold and colour (no-color.org).
func (c *ctl) styles() bool { return c.screen != nil && c.getenv("NO_COLOR") == "" }

// view shows a table: what it is, the one next action, and all that bears on it.
func (c *ctl) view(s api.Snapshot) []line {
	v := view{c: c}
	v.heading(s)
	v.next(s.Next)
	if s.Hold {
		v.row("Hold", piece{c.label("the table is frozen until the floor rules"), alarm})
	}
	if s.Break {
		v.row("Break", piece{c.label("no hand begins before it ends"), plain}, piece{fmt.Sprintf("  %s %d", c.label("last hand"), s.Before), plain})
	}
	v.faults(s.Faults)
	v.hand(s)
	if s.Handoff != nil {
		v.handoff(*s.Handoff)
	}
	v.shuffle(s.Shuffle)
	v.check(s.Check)
	v.decks(s)
	v.devices(s)
	if s.Head != "" {
		v.row("Journal", piece{shortHead(s.Head), faint})
	}
	return v.lines
}

// view collects the lines.
type view struct {
	c     *ctl
	lines []line
}

// row adds a line that begins with its name; further lines of the same name
// begin with blanks.
func (v *view) row(name string, pieces ...piece) {
	if name != "" {
		name = v.c.label(name)
	}
	v.lines = append(v.lines, append(line{{pad(name, labelWidth), bold}}, pieces...))
}

// wrapped adds a text in as many lines as it takes.
func (v *view) wrapped(name, text string, st style) {
	for _, l := range wrap(clean(text), v.c.width()-labelWidth) {
		v.row(name, piece{l, st})
		name = ""
	}
}

func (v *view) heading(s api.Snapshot) {
	state := "closed"
	if s.Open {
		state = "open"
	}
	l := line{{v.c.label("Table") + " " + clean(s.Table), bold}, {"  " + v.c.label(state), plain}}
	if s.Session != 0 {
		l = append(l, piece{fmt.Sprintf("  %s %d", v.c.label("session"), s.Session), plain})
	}
	if s.Dealer != "" {
		l = append(l, piece{"  " + clean(s.Dealer), plain})
	}
	v.lines = append(v.lines, l)
}

// next is the one next action, large: on a terminal in a band of its own.
func (v *view) next(n api.Next) {
	text := v.c.prompt(n)
	if v.c.screen == nil {
		v.wrapped("Next", text, plain)
		return
	}
	width := v.c.width()
	band := func(text string) { v.lines = append(v.lines, line{{pad(text, width), loud}}) }
	v.lines = append(v.lines, nil)
	band("")
	for _, l := range wrap(text, width-4) {
		band("  " + l)
	}
	band("")
	v.lines = append(v.lines, nil)
}

func (v *view) faults(faults []api.Fault) {
	for _, f := range faults {
		v.row("Fault", piece{clean(f.Part + "/" + f.Code), alarm})
		code, err := fault.ParseCode(f.Code)
		if err != nil { // a newer controller has more of them
			code = fault.UnknownFault
		}
		what, cause, next := report.Fault(v.c.words, code)
		for _, text := range []string{what, cause, next} {
			v.wrapped("", text, plain)
		}
	}
}

func (v *view) hand(s api.Snapshot) {
	if s.Level != nil {
		v.row("Level", piece{v.c.levelText(*s.Level), plain})
	}
	if s.Hand == nil {
		if s.LastHand != 0 {
			v.row("Hand", piece{v.c.label("none in play, the last was") + " " + strconv.FormatUint(s.LastHand, 10), plain})
		}
		return
	}
	h := s.Hand
	text := fmt.Sprintf("%d  %s", h.Number, v.c.label(h.Stage))
	if h.Street != "" {
		text += "  " + v.c.label(h.Street)
	}
	if h.SA {
		text += "  " + v.c.label("substantial action")
	}
	v.row("Hand", piece{clean(text), plain})
	v.row("", piece{v.c.label("level tag") + " " + v.c.levelText(h.Tag), plain})
	var seats []string
	for _, n := range h.Seats {
		seats = append(seats, strconv.Itoa(n))
	}
	v.row("", piece{fmt.Sprintf("%s %d  %s %s", v.c.label("button"), h.Button, v.c.label("seats"), strings.Join(seats, " ")), plain})
}

func (v *view) handoff(h api.Handoff) {
	text := clean(h.From) + " > " + clean(h.To)
	if h.MidHand {
		text += "  " + v.c.label("in the middle of a hand")
	}
	st, state := plain, "waits for acceptance"
	if h.Refused {
		st, state = alarm, "refused: the floor decides"
	}
	v.row("Handoff", piece{text + "  ", plain}, piece{v.c.label(state), st})
}

// marks of a step's state, in ASCII: they are one column wide on every terminal.
var marks = map[string]string{"done": "[x]", "running": "[>]", "waiting": "[ ]", "skipped": "[-]"}

func (v *view) shuffle(s *api.Shuffle) {
	if s == nil {
		return
	}
	text := fmt.Sprintf("%d  %s %s", s.ID, v.c.label("deck"), clean(s.Slot))
	if s.ByHand {
		text += "  " + v.c.label("by hand")
	}
	v.row("Shuffle", piece{text, plain})
	track, used := line{{pad("", labelWidth), plain}}, labelWidth
	running, starred := false, false
	add := func(text string, st style) {
		if used > labelWidth && used+columns(text) > v.c.width() {
			v.lines = append(v.lines, track)
			track, used = line{{pad("", labelWidth), plain}}, labelWidth
		}
		track = append(track, piece{text, st}, piece{"  ", plain})
		used += columns(text) + 2
	}
	for _, step := range s.Steps {
		mark, known := marks[step.State]
		if !known {
			mark = "[?]"
		}
		st := plain
		switch step.State {
		case "running":
			st, running = bold, true
		case "skipped", "waiting":
			st = faint
		}
		name := mark + " " + v.c.label(clean(step.Step))
		if step.Actor == "dealer" && !s.ByHand {
			name, starred = name+"*", true
		}
		add(name, st)
	}
	if starred {
		add("(* "+v.c.label("by the dealer")+")", faint)
	}
	v.lines = append(v.lines, track)
	if running && s.Cards != 0 {
		v.row("", piece{v.c.bar(s.Cards), plain})
	}
}

func (v *view) check(k *api.Check) {
	if k != nil {
		v.row("Check", piece{fmt.Sprintf("%s %s  %s", v.c.label("deck"), clean(k.Slot), v.c.bar(k.Cards)), plain})
	}
}

// bar shows how many cards have moved.
func (c *ctl) bar(cards uint16) string {
	full := min(int(cards)*barWidth/deckcheck.DeckSize, barWidth)
	return fmt.Sprintf("|%s%s| %d/%d %s", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), cards, deckcheck.DeckSize, c.label("cards"))
}

func (v *view) decks(s api.Snapshot) {
	for i, d := range s.Decks {
		name := ""
		if i == 0 {
			name = "Decks"
		}
		pieces := []piece{{fmt.Sprintf("%s  %s  %s", clean(d.Slot), clean(d.ID), clean(d.Back)), plain}}
		if d.Slot == s.InPlay {
			pieces = append(pieces, piece{"  " + v.c.label("in play"), bold})
		}
		if d.Verdict != "" {
			pieces = append(pieces, piece{"  " + v.c.label("check") + ": " + v.c.label(clean(d.Verdict)), plain})
		}
		if d.Lock != "" {
			pieces = append(pieces, piece{"  " + v.c.label("locked") + ": " + v.c.label(clean(d.Lock)), alarm})
		}
		pieces = append(pieces, piece{fmt.Sprintf("  %s: %d", v.c.label("shuffles"), d.Shuffles), faint})
		v.row(name, pieces...)
		if len(d.Findings) > 0 {
			for _, l := range wrap(clean(strings.Join(d.Findings, "; ")), v.c.width()-labelWidth-3) {
				v.row("", piece{"   " + l, alarm})
			}
		}
	}
}

func (v *view) devices(s api.Snapshot) {
	for i, d := range s.Devices {
		name := ""
		if i == 0 {
			name = "Machines"
		}
		v.row(name, v.device(d)...)
	}
	if !s.Service {
		v.row("", piece{v.c.label("the shuffler is out of service: shuffle by hand"), alarm})
	}
}

func (v *view) device(d api.Device) []piece {
	pieces := []piece{{v.c.label(clean(d.Part)) + "  ", plain}}
	if !d.Linked {
		return append(pieces, piece{v.c.label("not connected"), alarm})
	}
	pieces = append(pieces, piece{v.c.label("connected"), plain}, piece{"  " + clean(strings.TrimSpace(d.Model+" "+d.Serial)), plain})
	if !d.Authenticated { // X4
		pieces = append(pieces, piece{"  " + v.c.label("not authenticated"), faint})
	}
	return pieces
}
