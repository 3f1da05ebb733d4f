package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
)

// actionNote is where a command says which action of the API it carries out.
const actionNote = "action"

// deed is a command that carries out one action at a table.
type deed struct {
	action  string // a name of the API
	use     string // words in capitals are wanted, those in brackets may be left out
	short   string
	long    string // more than short, if there is more to say
	example string
	needs   []string // flags that must be given
	// arguments declares the flags and gives what makes the action's arguments of
	// the words. Nil: the action has none.
	arguments func(*pflag.FlagSet) func(words []string) (any, error)
	// after goes on once it is done. Nil: the next action is told.
	after func(cmd *cobra.Command, table string, a api.Answer) error
	// inRoom: for all tables, none is named.
	inRoom bool
}

// act makes the command.
func (c *ctl) act(d deed) *cobra.Command {
	cmd := &cobra.Command{
		Use: d.use, Short: d.short, Long: d.long, Example: d.example, Annotations: map[string]string{actionNote: d.action},
	}
	if d.long != "" {
		cmd.Long = d.short + ".\n\n" + d.long
	}
	read := func([]string) (any, error) { return struct{}{}, nil }
	if d.arguments != nil {
		read = d.arguments(cmd.Flags())
	}
	for _, name := range d.needs {
		f := cmd.Flags().Lookup(name)
		f.Usage += " (must be given)"
	}
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		if err := exactly(cmd, words); err != nil {
			return err
		}
		for _, name := range d.needs {
			if !cmd.Flags().Changed(name) {
				return usageOf(cmd, "%s: --%s is missing", cmd.CommandPath(), name)
			}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		args, err := read(words)
		if err != nil {
			return usageOf(cmd, "%s: %w", cmd.CommandPath(), err)
		}
		if c.as == "" {
			return usageOf(cmd, "%s: who acts? give --as, such as --as dealer:12 or --as floor:7", cmd.CommandPath())
		}
		return c.do(cmd, d, args)
	}
	return cmd
}

// do asks the controller and tells what became of it.
func (c *ctl) do(cmd *cobra.Command, d deed, args any) error {
	ctx := cmd.Context()
	client, err := c.controller()
	if err != nil {
		return err
	}
	table := ""
	if !d.inRoom {
		if table, err = c.oneTable(ctx); err != nil {
			return err
		}
	}
	key := c.key
	if key == "" {
		key = newKey()
	}
	var sent atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	a, err := client.Do(traced, table, api.Request{Action: d.action, By: c.as, ApprovedBy: c.approvedBy, Key: key, Args: api.Args(args)})
	if p, refused := errors.AsType[*api.Problem](err); refused && !c.forPeople() {
		if err := c.tellAnswer(api.Answer{Problem: p.Code, Arg: p.Arg, Detail: p.Detail, N: p.N, Head: p.Head}); err != nil {
			return err
		}
	}
	if err != nil {
		return &doubtful{err: err, key: key, sent: sent.Load()}
	}
	if d.after != nil {
		return d.after(cmd, table, a)
	}
	if err := c.tellAnswer(a); err != nil {
		return err
	}
	if table != "" && c.forPeople() {
		return c.tellNext(ctx, table)
	}
	return nil
}

// newKey is an idempotency key: with it a request may be repeated after its
// connection broke, and nothing is done twice.
func newKey() string {
	var b [12]byte
	rand.Read(b[:]) // never fails
	return "ctl-" + hex.EncodeToString(b[:])
}

// doubtful is a request that failed, with the key that tells what became of it.
type doubtful struct {
	err  error
	key  string
	sent bool
}

func (d *doubtful) Error() string {
	if !d.unknown() {
		return d.err.Error()
	}
	return fmt.Sprintf("%v\nIt may have been done all the same. To learn it, run the same command again with --key %s: nothing is done twice.", d.err, d.key)
}

func (d *doubtful) Unwrap() error { return d.err }

// unknown tells whether the request may have been carried out: it was sent, and
// no answer came.
func (d *doubtful) unknown() bool {
	if p, ok := errors.AsType[*api.Problem](d.err); ok {
		return p.Code == api.CodeNoAnswerYet || p.Code == api.CodeUnexpected || p.Code == api.CodeDefect
	}
	return d.sent
}
