// Shufflerd drives a card shuffler and a deck scanner beside a poker table: it
// checks decks, enforces the shuffle, tags each hand's blind level and keeps a
// record that a dispute can rest on.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"shuffler/config"
	"shuffler/controller/journal"
)

// version is set by the linker (-X main.version=…).
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program with its exit code.
func run(ctx context.Context, args []string, stdout, stderr interface{ Write([]byte) (int, error) }) int {
	root := &cobra.Command{
		Use: "shufflerd", Short: "The open controller for a poker room's card machine", Version: version,
		SilenceUsage: true, SilenceErrors: true, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &exitError{exitUsage, fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
	})
	root.AddCommand(runCommand(), demoCommand(), configCommand(), verifyCommand())
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "shufflerd:", err)
	return codeOf(err)
}

// noArgs refuses words that no command takes, as a mistake of usage.
func noArgs(cmd *cobra.Command, args []string) error {
	if err := cobra.NoArgs(cmd, args); err != nil {
		return &exitError{exitUsage, fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
	}
	return nil
}

// codeOf maps an error to the exit code that scripts and systemd see.
func codeOf(err error) int {
	var exit *exitError
	var wrong *config.Error
	switch {
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &wrong):
		return exitConfiguration
	case errors.Is(err, journal.ErrLocked):
		return exitLockHeld
	case errors.Is(err, journal.ErrDamaged):
		return exitVerifyFailed
	}
	return exitFailed
}
