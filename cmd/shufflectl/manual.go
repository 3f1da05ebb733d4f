package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (c *ctl) manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write the manual pages into a folder", Args: exactly,
		Long:    "A page for each command, as man reads them: shufflectl.1, shufflectl-table-status.1 and so on.",
		Example: "  shufflectl man /usr/local/share/man/man1",
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := os.MkdirAll(words[0], 0o755); err != nil {
				return fmt.Errorf("manual: %w", err)
			}
			return writeManual(root, words[0])
		},
	}
}

// writeManual writes the page of a command and of all under it.
func writeManual(cmd *cobra.Command, dir string) error {
	name := filepath.Join(dir, pageName(cmd)+".1")
	if err := os.WriteFile(name, []byte(manualPage(cmd)), 0o644); err != nil {
		return fmt.Errorf("manual: %w", err)
	}
	for _, sub := range shown(cmd) {
		if err := writeManual(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// shown are the commands under one that a manual tells of.
func shown(cmd *cobra.Command) (l []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
			l = append(l, sub)
		}
	}
	return l
}

// manualPage is the page of one command in the language of man(7). It depends on
// nothing but the command, so that the same program writes the same page.
func manualPage(cmd *cobra.Command) string {
	p := &manual{}
	p.macro("TH", strings.ToUpper(pageName(cmd)), "1", "", "shufflectl "+version, "Shuffler")
	p.macro("SH", "NAME")
	p.text(pageName(cmd) + " - " + cmd.Short)
	p.macro("SH", "SYNOPSIS")
	p.macro("B", cmd.CommandPath())
	use := strings.Fields(cmd.Use)[1:]
	if len(shown(cmd)) > 0 {
		use = []string{"COMMAND"}
	}
	p.text(strings.Join(append(use, "[FLAGS]"), " "))
	p.macro("SH", "DESCRIPTION")
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	p.paragraphs(long)
	if subs := shown(cmd); len(subs) > 0 {
		p.macro("SH", "COMMANDS")
		for _, sub := range subs {
			p.macro("TP")
			p.macro("B", sub.Name())
			p.text(sub.Short + ". See " + pageName(sub) + "(1).")
		}
	}
	p.flags("OPTIONS", cmd.NonInheritedFlags())
	p.flags("GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.macro("nf")
		for l := range strings.SplitSeq(cmd.Example, "\n") {
			p.text(strings.TrimPrefix(l, "  "))
		}
		p.macro("fi")
	}
	if cmd.HasParent() {
		p.macro("SH", "SEE ALSO")
		p.macro("BR", pageName(cmd.Parent()), "(1)")
	}
	return p.b.String()
}

// manual is a page as it is written.
type manual struct{ b strings.Builder }

// macro writes a request with its arguments.
func (p *manual) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, a := range args {
		p.b.WriteString(` "` + strings.ReplaceAll(roff(a), `"`, `\(dq`) + `"`)
	}
	p.b.WriteByte('\n')
}

// text writes one line that is no request, whatever it begins with.
func (p *manual) text(s string) {
	s = roff(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	p.b.WriteString(s + "\n")
}

// paragraphs writes texts with blank lines between them.
func (p *manual) paragraphs(s string) {
	for i, para := range strings.Split(s, "\n\n") {
		if i > 0 {
			p.macro("PP")
		}
		for l := range strings.SplitSeq(para, "\n") {
			p.text(l)
		}
	}
}

func (p *manual) flags(heading string, fs *pflag.FlagSet) {
	first := true
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			p.macro("SH", heading)
			first = false
		}
		p.macro("TP")
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, about := pflag.UnquoteUsage(f)
		if kind != "" {
			name += " " + strings.ToUpper(kind)
		}
		p.macro("B", name)
		p.text(about)
	})
}

// roff keeps a text what it is: a backslash begins a request, a hyphen that may be
// typed is written \-, and what is not ASCII by its number.
func roff(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > 0x7e:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
