// Shufflectl is the hand tool for a running shufflerd: a floor manager looks at a
// table with it, does what the table's screen can do, and an auditor checks a
// journal with it, also where no controller runs.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // small machines have no zone files
)

// version is set by the linker (-X main.version=…).
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, thisHost(), os.Args[1:]))
}

// run is the whole program with its exit code.
func run(ctx context.Context, h host, args []string) int {
	out := &checkedWriter{w: h.stdout}
	h.stdout = out
	c := &ctl{host: h}
	root := c.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if c.client != nil {
		c.client.Close()
	}
	if err == nil && out.err != nil {
		err = fmt.Errorf("write the output: %w", out.err)
	}
	if err == nil {
		return exitOK
	}
	c.tellError(err)
	return codeOf(err)
}
