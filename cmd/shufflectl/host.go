package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// host is what the program finds around it. Tests make their own.
type host struct {
	stdout, stderr io.Writer
	getenv         func(string) string
	local          *time.Location
	now            func() time.Time
	patience       time.Duration // with a connection that broke
	// screen is the terminal behind stdout, nil where there is none.
	screen *terminal
}

// terminal is a screen that can be redrawn.
type terminal struct {
	size    func() (columns, rows int)
	changes func(context.Context) <-chan struct{} // of the size, until the context ends
}

// patience is how long a request whose connection broke is tried again.
const patience = 10 * time.Second

func thisHost() host {
	h := host{stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, local: time.Local, now: time.Now, patience: patience}
	if isatty.IsTerminal(os.Stdout.Fd()) && os.Getenv("TERM") != "dumb" {
		h.screen = &terminal{size: stdoutSize, changes: windowChanges}
	}
	return h
}

// Size of a terminal that does not tell its own.
const (
	usualColumns = 80
	usualRows    = 24
)

func stdoutSize() (columns, rows int) {
	columns, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || columns < 1 || rows < 1 {
		return usualColumns, usualRows
	}
	return columns, rows
}

func windowChanges(ctx context.Context) <-chan struct{} {
	signals, changed := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGWINCH)
	go func() {
		defer signal.Stop(signals)
		for {
			select {
			case <-signals:
				select {
				case changed <- struct{}{}:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return changed
}

// checkedWriter remembers the first failure, so that a full disk is no success.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(b)
	c.err = err
	return n, err
}
