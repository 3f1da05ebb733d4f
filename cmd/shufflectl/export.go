package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/report"
	"shuffler/controller/room"
	"shuffler/controller/table"
)

func (c *ctl) exportCommand() *cobra.Command {
	var from source
	var after uint64
	var f journal.Filter
	var to string
	cmd := &cobra.Command{
		Use: "export", Short: "Write the records out, all or some", Args: exactly,
		Long: "-o json writes a JSON object a line, -o csv a file for Excel, and without -o a sentence a line. Payload and hash are as the\n" +
			"journal has them, so that the chain can be checked from an export of all records (FORMAT.md). --table and the flags\n" +
			"below pick records; hands are numbered by table, so --hand wants --table.",
		Example: "  shufflectl journal export -o json --to evening.jsonl\n  shufflectl journal export --data /var/lib/shuffler --table 1 --hand 57\n" +
			"  shufflectl journal export --type level_announced -o csv > levels.csv",
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.Stream = ""
			if cmd.Flags().Changed("table") { // the environment's table would leave records out in silence
				f.Stream = c.table
			}
			if f.Hand != 0 && f.Stream == "" {
				return usageOf(cmd, "--hand wants --table: hands are numbered by table")
			}
			j, done, err := c.open(cmd.Context(), from)
			if err != nil {
				return err
			}
			err = c.exportTo(to, func(w io.Writer) error { return c.export(w, j, after, f) })
			return errors.Join(err, done())
		},
	}
	from.flag(cmd)
	fl := cmd.Flags()
	fl.Uint64Var(&after, "after", 0, "only records behind position `POS`")
	fl.StringSliceVar(&f.Types, "type", nil, "only records of these `TYPES`, such as hand_started,hand_ended")
	fl.Uint64Var(&f.Hand, "hand", 0, "only records of hand `N`")
	fl.StringVar(&f.Deck, "deck", "", "only records of the deck with this `ID`")
	fl.StringVar(&f.Actor, "by", "", "only records of this person, as `ROLE:ID`")
	fl.StringVar(&to, "to", "", "write into the new `FILE`")
	return cmd
}

// exportTo gives stdout, or a new file that is whole when there is no error.
func (c *ctl) exportTo(path string, write func(io.Writer) error) error {
	if path == "" {
		b := bufio.NewWriter(c.stdout)
		return errors.Join(write(b), b.Flush())
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	b := bufio.NewWriter(file)
	if err := errors.Join(write(b), b.Flush(), file.Sync(), file.Close()); err != nil {
		return errors.Join(fmt.Errorf("export into %s: %w", path, err), os.Remove(path))
	}
	return nil
}

func (c *ctl) export(w io.Writer, j journal.Reader, after uint64, f journal.Filter) error {
	var one func(journal.Record) error
	end := func() error { return nil }
	switch c.output {
	case asJSON:
		one = func(r journal.Record) error { return c.exportObject(w, r) }
	case asCSV:
		out, err := newCSV(w, []string{"pos", "stream", "n", "wall", "time", "type", "version", "payload", "hash"})
		if err != nil {
			return err
		}
		one = func(r journal.Record) error {
			return out.write(r.Pos, r.Stream, r.N, r.Wall, c.moment(r.Wall), r.Type, r.Version, string(r.Payload), r.Hash.String())
		}
		end = out.flush
	default:
		one = func(r journal.Record) error { return c.exportLine(w, r) }
	}
	for r, err := range j.Records(after, f) {
		if err != nil {
			return err
		}
		if err := one(r); err != nil {
			return err
		}
	}
	return end()
}

func wireRecord(r journal.Record) api.Record {
	return api.Record{Pos: r.Pos, Stream: r.Stream, N: r.N, Wall: r.Wall, Type: r.Type, Version: r.Version, Payload: r.Payload, Hash: r.Hash.String()}
}

// exportObject is a record for programs. Its payload stays as it is, but for a
// terminal, which would take some characters for commands.
func (c *ctl) exportObject(w io.Writer, r journal.Record) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(wireRecord(r)); err != nil {
		return fmt.Errorf("record %d: %w", r.Pos, err)
	}
	text := b.Bytes()
	if c.screen != nil {
		text = escaped(text)
	}
	_, err := w.Write(text)
	return err
}

// exportLine is a record for people: every record, also one that needs no words.
func (c *ctl) exportLine(w io.Writer, r journal.Record) error {
	text := c.sentence(wireRecord(r))
	if text == "" {
		text = c.moment(r.Wall) + "  " + clean(r.Type)
	}
	_, err := fmt.Fprintf(w, "%d  %s  %s\n", r.Pos, clean(r.Stream), text)
	return err
}

// sentence is a record in words, empty where nobody needs to hear of it. A record
// of a newer version is told by its type.
func (c *ctl) sentence(r api.Record) string {
	wall := unixMilli(r.Wall)
	var rec any
	var err error
	if r.Stream == room.Stream {
		rec, err = room.Decode(r.Type, r.Version, r.Payload)
	} else {
		rec, err = table.Decode(r.Type, r.Version, r.Payload)
	}
	if err != nil {
		return wall.In(c.words.Zone).Format("15:04:05") + "  " + clean(r.Type)
	}
	return report.Sentence(c.words, wall, rec)
}
