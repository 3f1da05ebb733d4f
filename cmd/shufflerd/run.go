package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"shuffler/config"
	"shuffler/config/logging"
	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/device/port"
	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/controller/web"
)

// stopWithin is how long an orderly stop may take (DESIGN, "First hour").
const stopWithin = 5 * time.Second

func runCommand() *cobra.Command {
	var sim, crew bool
	var socket string
	cmd := &cobra.Command{
		Use: "run", Short: "Run the daemon",
		Long: "Drives the tables of the configuration until it is told to stop. Missing hardware is waited for, in any order and for\n" +
			"ever. SIGHUP reads the configuration again; SIGTERM or Ctrl-C stops in order, a second one at once.",
		Example: "  shufflerd run --sim --crew\n  shufflerd run --config /etc/shuffler/shufflerd.yaml",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDaemon(cmd, sim, crew, socket) },
	}
	config.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&sim, "sim", false, "attach the simulator over pseudo-terminals, for every table")
	cmd.Flags().BoolVar(&crew, "crew", false, "with --sim: a simulated dealer and floor play at every table, through the API")
	cmd.Flags().StringVar(&socket, "listen", "", "where programs connect: a unix socket's path or 127.0.0.1:PORT; else by the runtime folder")
	return cmd
}

// service is the daemon under way.
type service struct {
	cmd     *cobra.Command
	cfg     config.Config
	src     config.Sources
	log     zerolog.Logger
	journal *journal.SQLite
	ports   []*port.Set
	bell    *web.Bell
	c       *controller.Controller
}

func runDaemon(cmd *cobra.Command, sim, crew bool, socket string) error {
	if crew && !sim {
		return &exitError{exitUsage, errors.New("--crew plays at simulated machines: give --sim, too")}
	}
	if socket == "" {
		socket = api.SocketPaths(os.Getenv)[0]
	}
	// A core would hold what a scan has in memory (X1).
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("forbid core dumps: %w", err)
	}
	s := &service{cmd: cmd}
	var err error
	if s.cfg, s.src, err = config.Load(configOptions(cmd)); err != nil {
		return err
	}
	s.log = logging.New(logging.Options{W: cmd.ErrOrStderr(), Format: logging.Format(s.cfg.Log.Format), Level: s.cfg.Log.Level, Zone: s.cfg.Location()})
	dir, why, err := s.cfg.DataFolder(os.Environ())
	if err != nil {
		return err
	}
	s.log.Info().Str("version", version).Str("configuration", s.src.File()).Str("data", dir).Str("data_from", why).Msg("shufflerd starts")
	if s.journal, err = journal.Open(dir, journal.Options{WarnDiskUsed: float64(s.cfg.Journal.DiskWarnPercent) / 100}); err != nil {
		return err
	}
	defer s.journal.Close()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	if sim {
		stop, err := attachSimulator(ctx, &s.cfg, socket, crew, s.log)
		if err != nil {
			return err
		}
		defer stop()
	}
	if err := s.build(); err != nil {
		return err
	}
	return s.serve(ctx, socket)
}

// build makes ports, loops and controller. Nothing moves yet.
func (s *service) build() error {
	boot, err := controller.BootID()
	if err != nil {
		return err
	}
	session, err := newSession()
	if err != nil {
		return err
	}
	s.bell = web.NewBell()
	opt := controller.Options{
		Journal: s.journal, Clock: controller.BootClock{}, Version: version, BootID: boot, Observe: s.observe,
		Warn: func(msg string, err error) { s.log.Error().Err(err).Msg(msg) },
	}
	if err := port.Fits(2 * len(s.cfg.Tables)); err != nil {
		return err
	}
	post := func(id string) func(table.Event) { return func(ev table.Event) { s.c.Post(id, ev) } }
	for _, t := range s.cfg.Tables {
		var ports []port.Config
		for part, path := range map[fault.Part]string{fault.Shuffler: t.ShufflerPort, fault.Scanner: t.ScannerPort} {
			if path != "" {
				ports = append(ports, port.Config{
					Path: path, Part: part, Session: session, Version: "shufflerd " + version, Now: controller.BootClock{}.Mono, Post: post(t.ID), Log: s.trouble(t.ID, part),
				})
			}
		}
		settings, err := s.cfg.TableSettings(t)
		if err != nil {
			return err
		}
		set := port.NewSet(ports...)
		s.ports = append(s.ports, set)
		opt.Tables = append(opt.Tables, controller.TableOptions{ID: t.ID, Settings: settings, Devices: set})
	}
	s.c, err = controller.New(opt)
	return err
}

// trouble logs what is wrong with a port when that changes.
func (s *service) trouble(id string, p fault.Part) func(port.Trouble) {
	log := s.log.With().Str("table", id).Str("part", p.String()).Logger()
	return func(t port.Trouble) {
		if t.Code == port.NoTrouble {
			log.Info().Msg("port is well")
			return
		}
		log.Warn().Str("code", string(t.Code)).Str("cause", t.Cause).Str("next", t.Next).Msg(t.What)
	}
}

// devices gives the figures of every link: what a technician looks at first.
func (s *service) devices() (l []api.DeviceLink) {
	ids := s.c.Tables()
	for i, set := range s.ports {
		for _, st := range set.Stats() {
			d := api.DeviceLink{
				Table: ids[i], Part: st.Part.String(), Linked: st.Up, Port: st.Path, Problem: st.Trouble.String(),
				Model: st.Found.Model.String(), Serial: st.Found.Serial.String(), Firmware: st.Found.Firmware.String(),
				Frames: st.Counters.OK, BadFrames: st.Counters.Bad(), Retries: st.Retries, Halts: st.Halts,
			}
			if st.Age > 0 {
				d.HeardMS = st.Age.Milliseconds()
			}
			if st.Trouble.Code == port.NoTrouble {
				d.Problem = ""
			}
			l = append(l, d)
		}
	}
	return l
}

// newSession draws the number that names this run on every link (SPEC.md 6).
func newSession() (uint64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, fmt.Errorf("draw a session number: %w", err)
	}
	return binary.LittleEndian.Uint64(b[:]) | 1, nil
}

// observe writes one line a record: the log is a view, the journal is the
// record.
func (s *service) observe(c controller.Committed) {
	s.bell.Ring()
	for _, r := range c.Records {
		s.log.Debug().Str("table", c.Stream).Uint64("pos", c.Head.Pos).Msg(r.Type())
	}
	for _, r := range c.Room {
		s.log.Debug().Str("table", c.Stream).Uint64("pos", c.Head.Pos).Msg(r.Type())
	}
}

// serve runs until ctx ends or a signal says so, then stops in order.
func (s *service) serve(ctx context.Context, socket string) error {
	listener, err := web.Listen(socket)
	if err != nil {
		return err
	}
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	s.c.Start()
	for _, set := range s.ports {
		go set.Run(run)
	}
	server := web.NewServer(web.Options{
		Controller: s.c, Journal: s.journal, Version: version, Bell: s.bell, Devices: s.devices,
		Warn: func(msg string, err error) { s.log.Error().Err(err).Msg(msg) },
	})
	served := make(chan error, 1)
	go func() { served <- server.Serve(run, listener) }()
	s.log.Info().Str("listen", listener.Addr().String()).Msg("ready")
	go newSupervisor(s.c, s.log).watch(run)

	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	for {
		select {
		case <-ctx.Done():
			return s.stop(cancel, served)
		case err := <-served:
			return errors.Join(fmt.Errorf("the API ended by itself: %w", err), s.stop(cancel, nil))
		case sig := <-signals:
			if sig != syscall.SIGHUP {
				go func() { // a second signal ends at once
					<-signals
					os.Exit(exitFailed)
				}()
				return s.stop(cancel, served)
			}
			s.reload()
		}
	}
}

// stop refuses new work, halts, records the end of the run and lets go, within
// stopWithin.
func (s *service) stop(cancel context.CancelFunc, served <-chan error) error {
	ctx, done := context.WithTimeout(context.Background(), stopWithin)
	defer done()
	s.log.Info().Msg("stopping")
	err := s.c.Stop(ctx) // the loops halt the devices; the ports still run
	cancel()
	if served != nil {
		select {
		case <-served:
		case <-ctx.Done():
		}
	}
	if err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	s.log.Info().Msg("stopped")
	return nil
}

// reload reads the configuration anew. On any problem the former one stays in
// force; a hand or shuffle that has begun keeps what it began with.
func (s *service) reload() {
	next, src, err := config.Reload(configOptions(s.cmd), s.cfg, s.src)
	if err != nil {
		s.log.Error().Err(err).Msg("configuration not taken; the former one stays in force")
		return
	}
	if !slices.Equal(tableKeys(next), tableKeys(s.cfg)) {
		s.log.Warn().Msg("tables or ports differ: that needs a restart; everything else is taken")
		next.Tables = s.cfg.Tables
	}
	settings := make(map[string]table.Settings, len(next.Tables))
	for _, t := range next.Tables {
		if settings[t.ID], err = next.TableSettings(t); err != nil {
			s.log.Error().Err(err).Msg("configuration not taken; the former one stays in force")
			return
		}
	}
	s.cfg, s.src = next, src
	for id, set := range settings {
		s.c.Post(id, table.Configured{Settings: set})
	}
	s.log.Info().Str("configuration", src.File()).Msg("configuration taken")
}

func tableKeys(c config.Config) (l []string) {
	for _, t := range c.Tables {
		l = append(l, t.ID+" "+t.ShufflerPort+" "+t.ScannerPort)
	}
	return l
}
