package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
)

// Tuning of the live view.
const (
	lastSentences = 6           // shown below the table
	clockEvery    = time.Second // the screen shows that it lives
)

func (c *ctl) tableWatchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "watch", Short: "A live view of one table: the next action, the shuffle, faults, links", Args: exactly,
		Long: "Redraws in place whenever something changes, and goes on by itself after the controller was restarted. Ctrl-C ends it.\n" +
			"Where the output is no terminal it prints a line for each event; -o json prints a JSON object a line, as the API's stream\n" +
			"tells it. NO_COLOR=1 leaves colours out.",
		Example: "  shufflectl table watch --table 4\n  shufflectl table watch -o json | jq .state.next",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.noCSV("a live view"); err != nil {
				return err
			}
			id, err := c.oneTable(cmd.Context())
			if err != nil {
				return err
			}
			return c.watch(cmd.Context(), id)
		},
	}
}

// watch shows the table until ctx ends, which is how it is meant to end.
func (c *ctl) watch(ctx context.Context, id string) error {
	if _, err := c.controller(); err != nil { // finds the server
		return err
	}
	life := newLifeline()
	client, err := life.client(c.server)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := c.watcher(id)
	events := make(chan api.Event)
	ended := make(chan error, 1)
	go func() { ended <- follow(ctx, client, id, events) }()
	err = w.run(ctx, events, life, ended)
	return errors.Join(err, w.close())
}

// follow feeds the events of a table until ctx ends. A controller that comes back
// with another journal is followed from where that one stands.
func follow(ctx context.Context, client *api.Client, id string, into chan<- api.Event) error {
	for {
		err := client.Stream(ctx, api.Query{Table: id, After: api.FromNow}, func(e api.Event) error {
			select {
			case into <- e:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		if p, ok := errors.AsType[*api.Problem](err); !ok || p.Code != api.CodeAhead {
			return err
		}
	}
}

// watcher is what a watched table is told to.
type watcher struct {
	c     *ctl
	table string
	tell  teller

	state     *api.Snapshot
	sentences []string
	lost      time.Time // since when the controller is not heard; zero while it is
}

// teller shows what a watcher knows: a screen, or a printer of lines.
type teller interface {
	event(w *watcher, e api.Event) error
	link(w *watcher) error // lost has changed
	clock(w *watcher) error
	close() error
}

func (c *ctl) watcher(id string) *watcher {
	w := &watcher{c: c, table: id}
	switch {
	case c.output == asJSON:
		w.tell = jsonLines{}
	case c.screen != nil:
		w.tell = &liveView{screen: screen{w: c.stdout, styles: c.styles()}}
	default:
		w.tell = &plainLines{}
	}
	return w
}

func (w *watcher) close() error { return w.tell.close() }

// run takes events as they come, until ctx or the stream ends.
func (w *watcher) run(ctx context.Context, events <-chan api.Event, life *lifeline, ended <-chan error) error {
	tick := time.NewTicker(clockEvery)
	defer tick.Stop()
	var resized <-chan struct{}
	if w.c.screen != nil {
		resized = w.c.screen.changes(ctx)
	}
	for {
		var err error
		select {
		case e := <-events:
			err = w.take(e)
		case <-life.broken:
			if w.state != nil && w.lost.IsZero() && !life.connected() {
				w.lost = w.c.now()
				err = w.tell.link(w)
			}
		case <-tick.C:
			err = w.tell.clock(w)
		case <-resized:
			w.c.words.Width, _ = w.c.screen.size()
			err = w.tell.clock(w)
		case err := <-ended:
			if ctx.Err() != nil {
				return nil
			}
			return err
		case <-ctx.Done():
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (w *watcher) take(e api.Event) error {
	if !w.lost.IsZero() {
		w.lost = time.Time{}
		if err := w.tell.link(w); err != nil {
			return err
		}
	}
	if e.State != nil {
		w.state = e.State
	}
	if e.Record != nil {
		if s := w.c.sentence(*e.Record); s != "" {
			w.sentences = append(w.sentences, s)
			w.sentences = w.sentences[max(0, len(w.sentences)-lastSentences):]
		}
	}
	return w.tell.event(w, e)
}

// liveView draws on a terminal.
type liveView struct{ screen screen }

func (l *liveView) event(w *watcher, _ api.Event) error { return l.clock(w) }
func (l *liveView) link(w *watcher) error               { return l.clock(w) }
func (l *liveView) close() error                        { return l.screen.close() }

func (l *liveView) clock(w *watcher) error {
	width, height := w.c.screen.size()
	return l.screen.draw(w.lines(), width, height)
}

// lines are the whole view.
func (w *watcher) lines() []line {
	c := w.c
	now := c.now().In(c.words.Zone).Format("15:04:05")
	if w.state == nil {
		return []line{{{now + "  ", faint}, {c.label("waiting for the controller"), plain}}}
	}
	lines := c.view(*w.state)
	link := piece{"  " + now, faint}
	if !w.lost.IsZero() {
		link = piece{fmt.Sprintf("  %s  %s %s", now, c.label("NO CONTROLLER since"), w.lost.In(c.words.Zone).Format("15:04:05")), alarm}
	}
	lines[0] = append(lines[0], link)
	for i, s := range w.sentences {
		if i == 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, line{{s, faint}})
	}
	return lines
}

// jsonLines prints the API's events, one a line.
type jsonLines struct{}

func (jsonLines) event(w *watcher, e api.Event) error {
	b, err := json.Marshal(struct {
		Record *api.Record   `json:"record,omitempty"`
		State  *api.Snapshot `json:"state,omitempty"`
	}{e.Record, e.State})
	if err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	_, err = w.c.stdout.Write(append(escaped(b), '\n'))
	return err
}

func (jsonLines) link(*watcher) error  { return nil }
func (jsonLines) clock(*watcher) error { return nil }
func (jsonLines) close() error         { return nil }

// plainLines prints what happens, for a log or a pipe.
type plainLines struct {
	next string // told last
}

func (p *plainLines) event(w *watcher, e api.Event) error {
	if e.Record != nil {
		if s := w.c.sentence(*e.Record); s != "" {
			return p.print(w, s)
		}
		return nil
	}
	next := w.c.prompt(e.State.Next)
	if next == p.next {
		return nil
	}
	p.next = next
	return p.print(w, w.c.now().In(w.c.words.Zone).Format("15:04:05")+"  "+w.c.label("Next:")+" "+next)
}

func (p *plainLines) link(w *watcher) error {
	if w.lost.IsZero() {
		return p.print(w, w.c.now().In(w.c.words.Zone).Format("15:04:05")+"  "+w.c.label("The controller is back."))
	}
	return p.print(w, w.lost.In(w.c.words.Zone).Format("15:04:05")+"  "+w.c.label("The controller is gone; waiting for it."))
}

func (p *plainLines) clock(*watcher) error { return nil }
func (p *plainLines) close() error         { return nil }

func (p *plainLines) print(w *watcher, s string) error {
	_, err := fmt.Fprintln(w.c.stdout, s)
	return err
}
