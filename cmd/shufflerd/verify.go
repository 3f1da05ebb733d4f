package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shuffler/controller/journal"
)

// verifyCommand checks a journal offline, as an auditor does.
func verifyCommand() *cobra.Command {
	var dir string
	var heads []string
	cmd := &cobra.Command{
		Use: "verify --data DIR [--head POS:HASH]…", Short: "Verify a journal offline",
		Long: "Verify walks the whole chain of a journal and names every record that was changed, removed, inserted or moved.\n" +
			"That the end is missing can only be seen against a head that a report printed: give it with --head.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return &exitError{exitUsage, errors.New("verify: say which journal: --data DIR")}
			}
			var check journal.Check
			for _, text := range heads {
				h, err := journal.ParseHead(text)
				if err != nil {
					return &exitError{exitUsage, fmt.Errorf("verify: --head %q: %w", text, err)}
				}
				check.Published = append(check.Published, h)
			}
			j, err := journal.OpenReadOnly(dir)
			if err != nil {
				return err
			}
			defer j.Close()
			rep, err := journal.Verify(j, check)
			if err != nil {
				return err
			}
			for _, p := range rep.Problems {
				fmt.Fprintln(cmd.OutOrStdout(), p)
			}
			if !rep.OK() {
				return &exitError{exitVerifyFailed, fmt.Errorf("verify: the journal in %s is not what was written: %d problems in %d records", dir, len(rep.Problems)+rep.Omitted, rep.Records)}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "journal verified: %d records, head %s\n", rep.Records, rep.Head)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "data", "", "folder of the journal")
	cmd.Flags().StringArrayVar(&heads, "head", nil, "a head from a report, which must be in the chain; may be repeated")
	return cmd
}
