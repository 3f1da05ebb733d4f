// Shufflersim runs simulated poker tables over real pseudo-terminals, in a
// process of its own: for each a card shuffler and a deck scanner that a
// controller opens as it opens hardware. Faults are injected from its terminal
// and from a control socket; a simulated dealer and floor can play.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// version is set by the linker (-X main.version=…).
var version = "dev"

// How the program ends.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	// Devices live on when whoever reads what is printed here is killed.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends at once
	in := terminalOrNothing(os.Stdin)
	os.Exit(run(ctx, os.Args[1:], in, os.Stdin, os.Stdout, os.Stderr))
}

// terminalOrNothing is what orders are read from unless --stdin says otherwise.
func terminalOrNothing(f *os.File) io.Reader {
	if term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// run is the whole program with its exit code. typed are orders that are read
// without being asked to, nil for none; stdin those of --stdin.
func run(ctx context.Context, args []string, typed, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := command(func(cmd *cobra.Command, f flags) error {
		if f.stdin {
			typed = stdin
		}
		return simulate(cmd.Context(), f, typed, stdout)
	})
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "shufflersim:", err)
	if errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitFailed
}

// usageError is a mistake in how the program was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
