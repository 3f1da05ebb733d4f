package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
	"shuffler/controller/report"
	"shuffler/controller/table/fault"
)

func (c *ctl) faultCommands() *cobra.Command {
	clear := c.act(deed{
		action: "clear_fault", use: "clear PART CODE", short: "Clear a latched fault whose cause is gone",
		long: "PART and CODE are what \"fault list\" shows. A fault stays until a named person clears it, and cannot be cleared while\n" +
			"its cause is still there. What was under way is checked or shuffled again.",
		example: `  shufflectl fault clear shuffler jam_exit --as floor:7 --note "one card taken out, 52 counted"`,
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.ClearFault
			f.StringVar(&a.Note, "note", "", "`WHAT` was done")
			return func(words []string) (any, error) {
				a.Part, a.Code = words[0], words[1]
				if _, err := fault.ParsePart(a.Part); err != nil {
					return nil, err
				}
				_, err := fault.ParseCode(a.Code)
				return a, err
			}
		},
	})
	clear.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) (words []cobra.Completion, _ cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			for p := fault.Shuffler; p < fault.Parts; p++ {
				words = append(words, p.String())
			}
		case 1:
			for _, code := range fault.All() {
				words = append(words, code.String())
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	return group("fault", "What is wrong with a table's parts, and what to do", c.faultListCommand(), clear)
}

// latched is a fault with its table and what to do.
type latched struct {
	Table string `json:"table"`
	Part  string `json:"part"`
	Code  string `json:"code"`
	What  string `json:"what"`
	Cause string `json:"cause"`
	Next  string `json:"next"`
}

func (c *ctl) faultListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "The faults that stand, at all tables or at one", Args: exactly, Example: "  shufflectl fault list\n  shufflectl fault list --table 4 --lang zh-CN",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.controller()
			if err != nil {
				return err
			}
			tables, err := client.Tables(cmd.Context())
			if err != nil {
				return err
			}
			found, all := false, []latched{}
			for _, t := range tables {
				if c.table != "" && t.Table != c.table {
					continue
				}
				found = true
				for _, f := range t.Faults {
					all = append(all, c.latched(t.Table, f))
				}
			}
			if !found && c.table != "" {
				return usage("there is no table %q: see shufflectl table list", c.table)
			}
			return c.tellFaults(all)
		},
	}
}

func (c *ctl) latched(id string, f api.Fault) latched {
	code, err := fault.ParseCode(f.Code)
	if err != nil { // a newer controller has more of them
		code = fault.UnknownFault
	}
	l := latched{Table: id, Part: f.Part, Code: f.Code}
	l.What, l.Cause, l.Next = report.Fault(c.words, code)
	return l
}

func (c *ctl) tellFaults(all []latched) error {
	s := sheet{none: "No fault.", columns: []column{
		col("table", "Table"), col("part", "Part"), col("code", "Code"), col("what", "What"), col("cause", "Cause"), col("next", "Next"),
	}}
	for _, f := range all {
		s.add(f.Table, f.Part, f.Code, f.What, f.Cause, f.Next)
	}
	if !c.forPeople() || len(all) == 0 {
		return c.list(all, s)
	}
	// Three sentences side by side fit no screen.
	var lines []line
	for i, f := range all {
		if i > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, line{{c.label("Table") + " " + clean(f.Table) + "  ", bold}, {clean(fmt.Sprintf("%s %s", f.Part, f.Code)), alarm}})
		for _, text := range []string{f.What, f.Cause, f.Next} {
			for _, l := range wrap(clean(text), c.width()-2) {
				lines = append(lines, line{{"  " + l, plain}})
			}
		}
	}
	return c.print(lines)
}
