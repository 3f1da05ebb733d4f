package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"shuffler/controller/api"
	"shuffler/controller/report"
	"shuffler/controller/table"
)

// tellAnswer prints what became of a request.
func (c *ctl) tellAnswer(a api.Answer) error {
	switch c.output {
	case asJSON:
		return c.json(a)
	case asCSV:
		s := sheet{columns: []column{col("done", ""), col("problem", ""), col("arg", ""), col("detail", ""), num("n", ""), col("head", "")}}
		s.add(a.Done, a.Problem, a.Arg, a.Detail, a.N, a.Head)
		return s.writeCSV(c.stdout)
	}
	_, err := fmt.Fprintf(c.stdout, "%s  (%s %s)\n", c.label("Done."), c.label("journal"), shortHead(a.Head))
	return err
}

// tellNext prints the one thing that should happen next at the table.
func (c *ctl) tellNext(ctx context.Context, id string) error {
	s, err := c.client.Table(ctx, id)
	if err != nil {
		return fmt.Errorf("it was done, but the table cannot be shown: %w", err)
	}
	_, err = fmt.Fprintln(c.stdout, c.label("Next:")+" "+c.prompt(s.Next))
	return err
}

// prompt is the next action in words.
func (c *ctl) prompt(n api.Next) string {
	return clean(report.Prompt(c.words, table.Prompt{Do: table.PromptCode(n.Do), Who: n.Who, Slot: n.Slot, Step: n.Step, Arg: n.Arg}))
}

// tellError says what went wrong, in the operator's language where a rule said
// no, and what to do about it.
func (c *ctl) tellError(err error) {
	text := clean1(err.Error())
	if p, ok := errors.AsType[*api.Problem](err); ok {
		text = c.problem(p)
		if d, ok := errors.AsType[*doubtful](err); ok && d.unknown() {
			_, rest, _ := strings.Cut(d.Error(), "\n")
			text += "\n" + rest
		}
	}
	_, _ = io.WriteString(c.stderr, "shufflectl: "+text+"\n") // where stderr is gone there is nobody to tell
}

// clean1 cleans each line of a text.
func clean1(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = clean(l)
	}
	return strings.Join(lines, "\n")
}

// problem words a refusal: what, why, and what to do.
func (c *ctl) problem(p *api.Problem) string {
	if codeOfProblem(p) != exitRefused {
		return clean(p.Error())
	}
	what, todo := report.Refusal(c.words, table.Refusal{Code: table.Code(p.Code), Arg: p.Arg})
	if todo == "" { // no text of the table's: the controller's own, in English
		what, todo = p.Detail, p.Hint
	}
	var b strings.Builder
	b.WriteString(c.label("refused:") + " " + clean(what))
	if todo != "" {
		b.WriteString("\n  " + c.label("what to do:") + " " + clean(todo))
	}
	b.WriteString("\n  " + c.label("code") + " " + clean(p.Code))
	if p.Arg != "" {
		b.WriteString(" (" + clean(p.Arg) + ")")
	}
	if p.Head != "" {
		b.WriteString(", " + c.label("journal") + " " + shortHead(p.Head))
	}
	return b.String()
}

// shortHead is a journal place for people: its position and the begin of its
// hash.
func shortHead(head string) string {
	pos, hash, ok := strings.Cut(clean(head), ":")
	if !ok || len(hash) <= 12 {
		return clean(head)
	}
	return pos + ":" + hash[:12] + "…"
}
