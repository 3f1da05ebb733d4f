package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shuffler/controller/journal"
)

func (c *ctl) journalCommands() *cobra.Command {
	return group("journal", "Verify, export, back up and restore the record",
		c.verifyCommand(), c.headCommand(), c.exportCommand(), c.backupCommand(), c.restoreCommand(),
	)
}

// verified is what verifying found, for programs.
type verified struct {
	OK       bool         `json:"ok"`
	Chain    string       `json:"chain"`
	Head     string       `json:"head"`
	Records  uint64       `json:"records"`
	Problems []badFinding `json:"problems"`
	Omitted  int          `json:"problems_omitted,omitempty"`
}

type badFinding struct {
	Kind   string `json:"kind"`
	Pos    int64  `json:"pos,omitempty"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
}

func (c *ctl) verifyCommand() *cobra.Command {
	var from source
	var file string
	var heads []string
	cmd := &cobra.Command{
		Use: "verify", Short: "Walk the whole chain: was anything changed, removed, inserted or moved?", Args: exactly,
		Long: "With --data or --file the database itself is checked, without any controller and also while one writes it. Else the\n" +
			"records are checked as the running controller tells them.\n\n" +
			"That the end is missing, or that everything was rewritten, can only be seen against a place that a report printed:\n" +
			"give it with --head. Exit code 5 says that the journal is not what was written.",
		Example: "  shufflectl journal verify --data /var/lib/shuffler\n  shufflectl journal verify --file evening.db --head 1204:9f31…",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from.data != "" && file != "" {
				return usageOf(cmd, "--data and --file are two journals: give one")
			}
			var check journal.Check
			for _, text := range heads {
				h, err := journal.ParseHead(text)
				if err != nil {
					return usageOf(cmd, "--head %q: %w", text, err)
				}
				check.Published = append(check.Published, h)
			}
			src, done, err := c.evidence(cmd.Context(), from, file)
			if err != nil {
				return err
			}
			rep, err := journal.Verify(src, check)
			return c.tellVerified(rep, errors.Join(err, done()))
		},
	}
	from.flag(cmd)
	cmd.Flags().StringVar(&file, "file", "", "a single `FILE`: a backup")
	cmd.Flags().StringArrayVar(&heads, "head", nil, "a place that a report printed, as `POS:HASH`; may be repeated")
	return cmd
}

// evidence is what verify reads.
func (c *ctl) evidence(ctx context.Context, from source, file string) (journal.Source, func() error, error) {
	if file != "" {
		r, err := journal.OpenFile(file)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	j, done, err := c.open(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	return j.(journal.Source), done, nil // both that open gives are
}

// tellVerified prints what was found; err is for a journal that could not be read
// to its end.
func (c *ctl) tellVerified(rep journal.Report, err error) error {
	v := verified{OK: rep.OK() && err == nil, Chain: rep.Head.Chain, Head: rep.Head.String(), Records: rep.Records, Problems: []badFinding{}, Omitted: rep.Omitted}
	s := sheet{columns: []column{col("kind", "Kind"), num("pos", "Record"), col("detail", "What"), col("hint", "What to do")}}
	for _, p := range rep.Problems {
		v.Problems = append(v.Problems, badFinding{string(p.Kind), p.Pos, p.Detail, p.Hint})
		s.add(string(p.Kind), p.Pos, p.Detail, p.Hint)
	}
	var told error
	switch {
	case c.output == asJSON:
		told = c.json(v)
	case c.output == asCSV:
		told = s.writeCSV(c.stdout)
	default:
		for _, p := range rep.Problems {
			if _, told = fmt.Fprintln(c.stdout, clean(p.String())); told != nil {
				break
			}
		}
		if v.OK && told == nil {
			_, told = fmt.Fprintf(c.stdout, "journal verified: %d records, head %s\n", rep.Records, rep.Head)
		}
	}
	switch {
	case told != nil:
		return told
	case err != nil && !rep.OK():
		return &exitError{exitVerifyFailed, fmt.Errorf("the journal is not what was written: %w", err)}
	case err != nil:
		return err
	case !rep.OK():
		return &exitError{exitVerifyFailed, fmt.Errorf("the journal is not what was written: %d problems in %d records", len(rep.Problems)+rep.Omitted, rep.Records)}
	}
	return nil
}

func (c *ctl) headCommand() *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use: "head", Short: "Where the journal ends: write it down, and nobody can change what is before it", Args: exactly,
		Example: "  shufflectl journal head\n  shufflectl journal head --data /var/lib/shuffler",
		RunE: func(cmd *cobra.Command, _ []string) error {
			j, done, err := c.open(cmd.Context(), from)
			if err != nil {
				return err
			}
			h, err := j.Head()
			if err = errors.Join(err, done()); err != nil {
				return err
			}
			if c.forPeople() {
				_, err := fmt.Fprintf(c.stdout, "%s\n%s %s\n", h, c.label("journal"), clean(h.Chain))
				return err
			}
			s := sheet{columns: []column{col("chain", ""), num("pos", ""), col("hash", ""), col("head", "")}}
			s.add(h.Chain, h.Pos, h.Hash.String(), h.String())
			return c.list(struct {
				Chain string `json:"chain"`
				Pos   uint64 `json:"pos"`
				Hash  string `json:"hash"`
				Head  string `json:"head"`
			}{h.Chain, h.Pos, h.Hash.String(), h.String()}, s)
		},
	}
	from.flag(cmd)
	return cmd
}

func (c *ctl) backupCommand() *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Copy the journal into one new file, also while the controller writes it", Args: exactly,
		Long:    "The copy is verified, and its place in the chain is printed: write it down. FILE must not exist.",
		Example: "  shufflectl journal backup /mnt/usb/2026-12-01.db --data /var/lib/shuffler",
		RunE: func(cmd *cobra.Command, words []string) error {
			if from.data == "" {
				return usageOf(cmd, "which journal? give its folder with --data: a backup is made of the files, beside the controller")
			}
			r, err := journal.OpenReadOnly(from.data)
			if err != nil {
				return err
			}
			rep, err := r.Backup(words[0])
			if err = errors.Join(err, r.Close()); err != nil {
				return err
			}
			return c.tellCopy(copied{File: words[0], Chain: rep.Head.Chain, Head: rep.Head.String(), Records: rep.Records})
		},
	}
	from.flag(cmd)
	return cmd
}

// copied is a copy of a journal, verified.
type copied struct {
	File    string `json:"file"`
	Chain   string `json:"chain"`
	Head    string `json:"head"`
	Records uint64 `json:"records"`
	Note    string `json:"note,omitempty"`
}

func (c *ctl) tellCopy(k copied) error {
	switch c.output {
	case asJSON:
		return c.json(k)
	case asCSV:
		s := sheet{columns: []column{col("file", ""), col("chain", ""), col("head", ""), num("records", ""), col("note", "")}}
		s.add(k.File, k.Chain, k.Head, k.Records, k.Note)
		return s.writeCSV(c.stdout)
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %d records, verified\nhead %s\n", clean(k.File), k.Records, k.Head)
	if err == nil && k.Note != "" {
		_, err = fmt.Fprintln(c.stdout, k.Note)
	}
	return err
}
