package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"shuffler/config"
	"shuffler/config/logging"
	"shuffler/controller"
	"shuffler/controller/journal"
	"shuffler/controller/lockstep"
	"shuffler/controller/report"
	"shuffler/controller/table"
	"shuffler/controller/web"
	"shuffler/sim/rig"
)

// Tuning constants of the demo.
const (
	demoSpeed    = 25              // times as fast as people
	demoNotice   = 2 * time.Second // longest sleep of a step, so that Ctrl-C is heard
	levelChange  = 2               // the hand in whose shuffle the level changes
	dealersSwap  = 3               // the hand after which the dealers swap
	demoTable    = "1"
	simulatedDay = "2026-12-01T20:00:00+08:00" // when an evening at full speed begins
)

// demoFlags are what the demo can be told.
type demoFlags struct {
	hands    int
	seed     uint64
	speed    string
	scenario string
	lang     string
}

// demoCommand plays an evening on the simulator.
func demoCommand() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use: "demo", Short: "Play an evening on the built-in simulator",
		Long: "Starts a simulated shuffler, scanner, dealer and floor manager, opens a table, checks two decks, plays hands and\n" +
			"prints what happens, then the hand log, the deck-check receipt and the handoff report, and verifies its own journal.\n" +
			"The code of the controller is the one that drives real machines; only wires and people are simulated.\n\n" +
			"Scenarios: " + strings.Join(rig.Library(), ", ") + ".",
		Example: "  shufflerd demo --hands 5\n  shufflerd demo --hands 5 --speed max --scenario jam\n  shufflerd demo --lang zh-CN --data ./evening",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return demo(cmd, f) },
	}
	config.AddFlags(cmd.Flags())
	cmd.Flags().IntVar(&f.hands, "hands", 0, "hands to play; 0 plays until Ctrl-C")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "the same seed gives the same evening; with --speed max the same journal head")
	cmd.Flags().StringVar(&f.speed, "speed", strconv.Itoa(demoSpeed), "times as fast as people, or max for a virtual clock")
	cmd.Flags().StringVar(&f.scenario, "scenario", "", "what goes wrong: a name from the list above, or a file")
	cmd.Flags().StringVar(&f.lang, "lang", "", "language of what is printed: en, zh-CN or zh-TW; else from the configuration or LANG")
	return cmd
}

// evening is a demo under way.
type evening struct {
	flags   demoFlags
	cfg     config.Config
	words   report.Options
	journal *journal.SQLite
	run     *lockstep.Run
	crew    *rig.Crew
	speed   float64 // 0 = as fast as it goes
	say     *narrator
	log     zerolog.Logger
}

func demo(cmd *cobra.Command, f demoFlags) error {
	e := &evening{flags: f}
	if err := e.settle(cmd); err != nil {
		return err
	}
	dir, own, err := e.folder(cmd)
	if err != nil {
		return err
	}
	if own {
		defer os.RemoveAll(dir)
	}
	e.journal, err = journal.Open(dir, journal.Options{Chain: e.chain()})
	if err != nil {
		return err
	}
	defer e.journal.Close()
	if err := e.setUp(); err != nil {
		return err
	}
	e.say.opening(dir, own)
	if err := e.play(cmd.Context()); err != nil {
		return err
	}
	return e.reports(cmd.OutOrStdout())
}

// settle reads flags and configuration.
func (e *evening) settle(cmd *cobra.Command) (err error) {
	f := e.flags
	if f.hands < 0 {
		return &exitError{exitUsage, fmt.Errorf("--hands %d: want 0 or more", f.hands)}
	}
	if f.speed != "max" {
		if e.speed, err = strconv.ParseFloat(strings.TrimSuffix(f.speed, "x"), 64); err != nil || !(e.speed > 0 && e.speed <= 1e6) {
			return &exitError{exitUsage, fmt.Errorf("--speed %q: want a number such as 25, or max", f.speed)}
		}
	}
	var src config.Sources
	if e.cfg, src, err = config.Load(configOptions(cmd)); err != nil {
		return err
	}
	lang, err := e.language()
	if err != nil {
		return &exitError{exitUsage, err}
	}
	e.words = report.Options{Lang: lang, Zone: e.cfg.Location()}
	terminal, width := terminalOf(cmd.OutOrStdout())
	e.words.Width = width
	e.say = &narrator{out: cmd.OutOrStdout(), words: e.words, bar: terminal && e.speed > 0}
	e.log = logging.New(logging.Options{W: cmd.ErrOrStderr(), Format: logging.Format(e.cfg.Log.Format), Level: demoLevel(e.cfg, src), Zone: e.cfg.Location()})
	return nil
}

// demoLevel keeps the log quiet beside the narration unless a level is asked for.
func demoLevel(cfg config.Config, src config.Sources) string {
	if src.Of("log.level") == "default" {
		return zerolog.LevelWarnValue
	}
	return cfg.Log.Level
}

// language: the flag, else the environment's, else the room's.
func (e *evening) language() (report.Lang, error) {
	if e.flags.lang != "" {
		return report.ParseLang(e.flags.lang)
	}
	if l := report.LangOfEnvironment(os.Getenv); l != "" {
		return l, nil
	}
	return report.ParseLang(e.cfg.Room.Language)
}

// folder is where the journal goes: --data, or a folder of the demo's own that
// is removed afterwards.
func (e *evening) folder(cmd *cobra.Command) (dir string, own bool, err error) {
	if fl := cmd.Flags().Lookup("data"); fl != nil && fl.Changed {
		dir, err = filepath.Abs(fl.Value.String())
		return dir, false, err
	}
	dir, err = os.MkdirTemp("", "shuffler-demo-")
	return dir, true, err
}

// chain names the journal after the seed where the whole evening follows from it.
func (e *evening) chain() string {
	if e.speed > 0 {
		return ""
	}
	return fmt.Sprintf("demo-%d", e.flags.seed)
}

// setUp builds table, machines, people and controller on one virtual clock.
func (e *evening) setUp() error {
	scenario := rig.Scenario{}
	if e.flags.scenario != "" {
		var err error
		if scenario, err = rig.LoadScenario(e.flags.scenario); err != nil {
			return &exitError{exitUsage, err}
		}
	}
	settings, err := e.cfg.TableSettings(config.Table{})
	if err != nil {
		return err
	}
	start, err := e.start()
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(e.flags.seed, 0))
	clock := lockstep.NewClock(start)
	world := rig.NewWorld(demoTable, rng)
	wires := lockstep.NewTable(demoTable, clock, rng.Uint64()|1, "shufflerd "+version, world.ShufflerLine, world.ScannerLine)
	c, err := controller.New(controller.Options{
		Journal: e.journal, Clock: clock, Version: version, BootID: "simulated",
		Tables:  []controller.TableOptions{{ID: demoTable, Settings: settings, Devices: wires}},
		Observe: e.observe,
		Warn:    func(msg string, err error) { e.log.Error().Err(err).Msg(msg) },
	})
	if err != nil {
		return err
	}
	e.say.controller = c
	e.crew = rig.NewCrew(demoTable, web.Local{C: c}, world, e.plan(scenario), e.say.aside)
	e.run = &lockstep.Run{Clock: clock, C: c, Tables: []*lockstep.Table{wires}, Actors: []lockstep.Actor{e.crew}, Rand: rng}
	return nil
}

// start is the evening's first moment: always the same where the clock is
// virtual, and never before what the journal holds.
func (e *evening) start() (time.Time, error) {
	start := time.Now()
	if e.speed == 0 {
		start, _ = time.Parse(time.RFC3339, simulatedDay)
	}
	last, found, err := e.journal.Last(journal.Filter{})
	if err != nil {
		return start, err
	}
	if at := time.UnixMilli(last.Wall).Add(time.Minute); found && at.After(start) {
		start = at
	}
	return start, nil
}

func (e *evening) plan(s rig.Scenario) rig.Plan {
	p := rig.Plan{Hands: e.flags.hands, Scenario: s, LevelAt: map[uint64]bool{levelChange: true}, HandoffAt: map[uint64]bool{dealersSwap: true}, Close: true}
	for _, l := range e.cfg.Levels {
		tag := l.Tag()
		p.Levels = append(p.Levels, rig.Level{Number: tag.Number, SmallBlind: tag.SmallBlind, BigBlind: tag.BigBlind, BigBlindAnte: tag.BigBlindAnte})
	}
	return p
}

// observe is told of every durable turn: the narration and the log are views of
// the journal.
func (e *evening) observe(c controller.Committed) {
	for _, r := range c.Records {
		e.say.record(c.Wall, r)
		e.log.Info().Str("table", c.Stream).Uint64("pos", c.Head.Pos).Msg(r.Type())
	}
	for _, r := range c.Room {
		e.say.record(c.Wall, r)
		e.log.Info().Str("table", c.Stream).Uint64("pos", c.Head.Pos).Msg(r.Type())
	}
}

// play runs the evening until its hands are played or ctx ends.
func (e *evening) play(ctx context.Context) error {
	e.run.Pace = func(d time.Duration) bool {
		e.say.progress()
		return e.pace(ctx, d)
	}
	done := e.run.Until(e.crew.Done)
	e.say.endProgress()
	switch {
	case done:
		return nil
	case ctx.Err() != nil:
		e.say.line("…")
		return e.stop()
	}
	return fmt.Errorf("the evening came to a standstill: %s", e.crew.Stuck())
}

// pace sleeps a step of virtual time; false ends the run.
func (e *evening) pace(ctx context.Context, d time.Duration) bool {
	if e.speed == 0 || d == 0 {
		return ctx.Err() == nil
	}
	for wait := time.Duration(float64(d) / e.speed); wait > 0; wait -= demoNotice {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(min(wait, demoNotice)):
		}
	}
	return ctx.Err() == nil
}

// stop records the end of a run that was broken off.
func (e *evening) stop() error {
	e.run.C.Post(demoTable, table.Stopped{})
	e.run.Pace = nil
	e.run.Settle()
	return nil
}

// reports prints what people sign, from the journal alone, and verifies it.
func (e *evening) reports(out io.Writer) error {
	hands, err := report.HandLog(e.journal, demoTable, report.HandQuery{})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s", hands.Document(e.words).Text(e.words.Width))
	if last, found, err := e.journal.Last(journal.Filter{Stream: demoTable, Types: []string{"check_ended"}}); err != nil {
		return err
	} else if found {
		n, err := checkNumber(last)
		if err != nil {
			return err
		}
		receipt, err := report.Receipt(e.journal, demoTable, n)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s", receipt.Document(e.words).Text(e.words.Width))
	}
	if _, found, err := e.journal.Last(journal.Filter{Stream: demoTable, Types: []string{"handoff_proposed"}}); err != nil {
		return err
	} else if found {
		handoff, err := report.Handoff(e.journal, demoTable, report.HandoffQuery{})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s", handoff.Document(e.words).Text(e.words.Width))
	}
	return e.verify(out)
}

func (e *evening) verify(out io.Writer) error {
	head, err := e.journal.Head()
	if err != nil {
		return err
	}
	rep, err := journal.Verify(e.journal, journal.Check{Published: []journal.Head{head}})
	if err != nil {
		return err
	}
	for _, p := range rep.Problems {
		fmt.Fprintln(out, p)
	}
	if !rep.OK() {
		return &exitError{exitVerifyFailed, errors.New("the journal is not what was written")}
	}
	fmt.Fprintf(out, "\n%s\n", e.say.verified(rep))
	return nil
}
