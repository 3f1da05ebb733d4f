package main

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"shuffler/controller/journal"
	"shuffler/controller/report"
)

// source is where a command reads the journal: a data folder, or else the running
// controller.
type source struct{ data string }

func (s *source) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.data, "data", "", "read the data folder `DIR`, without any controller")
	if err := cmd.MarkFlagDirname("data"); err != nil {
		panic(err) // the flag stands in the line above
	}
}

// open gives the journal; done lets it go.
func (c *ctl) open(ctx context.Context, s source) (j journal.Reader, done func() error, err error) {
	if s.data != "" {
		r, err := journal.OpenReadOnly(s.data)
		if err != nil {
			return nil, nil, err
		}
		return r, r.Close, nil
	}
	client, err := c.controller()
	if err != nil {
		return nil, nil, err
	}
	return &remoteJournal{ctx: ctx, client: client}, func() error { return nil }, nil
}

// paper is a report.Report, or a list with text.
type paper any

// report makes a report of one table and prints it.
func (c *ctl) report(ctx context.Context, from source, write func(j journal.Reader, table string) (paper, error)) error {
	if from.data != "" && c.table == "" {
		return usage("which table? give --table: a data folder may hold many")
	}
	table := c.table
	if table == "" {
		var err error
		if table, err = c.oneTable(ctx); err != nil {
			return err
		}
	}
	j, done, err := c.open(ctx, from)
	if err != nil {
		return err
	}
	p, err := write(j, table)
	if err = errors.Join(err, done()); err != nil {
		return err
	}
	if c.output == asJSON {
		return c.json(p)
	}
	if rows, ok := p.(interface{ sheet() sheet }); ok && c.output == asCSV {
		s := rows.sheet()
		return s.writeCSV(c.stdout)
	}
	text := ""
	switch p := p.(type) {
	case report.Report:
		text = p.Document(c.words).Text(c.words.Width)
	case handSheet:
		text = p.text()
	}
	_, err = io.WriteString(c.stdout, text)
	return err
}

// number reads the optional number of a report; 0 is the newest.
func number(name string, words []string) (uint64, error) {
	if len(words) == 0 {
		return 0, nil
	}
	n, err := strconv.ParseUint(words[0], 10, 64)
	if err != nil || n == 0 {
		return 0, usage("%s %q: want a number from 1 on", name, words[0])
	}
	return n, nil
}
