package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"shuffler/sim/rig"
)

// flags are what the program can be told.
type flags struct {
	tables   int
	ids      []string
	seed     uint64
	speed    float64
	links    string
	control  string
	scenario string
	output   string
	stdin    bool
	crew     string
	hands    int
	pace     float64
	end      bool
}

// Words of flags.
const (
	outputHuman = "human"
	outputJSON  = "json"
	controlAuto = "auto"
	controlOff  = "off"
	crewAuto    = "auto"
	mostTables  = 1000
)

func command(do func(*cobra.Command, flags) error) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use: "shufflersim", Short: "Simulated shufflers and scanners over pseudo-terminals", Version: version,
		Long: "Runs the machines of one or more poker tables, each on a pseudo-terminal of its own that a controller opens as a\n" +
			"serial port. It prints where they are, takes orders, one a line, from its terminal and from the control socket, and\n" +
			"runs until Ctrl-C or SIGTERM. Orders put trouble into machines, cables and decks: say help for the list.\n\n" +
			"With --crew a simulated dealer and floor play at every table through the controller's API.\n\n" +
			"Scenarios: " + strings.Join(rig.Library(), ", ") + ".\n\nOrders (\"table 2: jam entry\" is for one table; without, for every table):\n" + orders(),
		Example: "  shufflersim --tables 2 --link ./ports\n" +
			"  shufflersim -o json --stdin < orders.txt\n" +
			"  shufflersim --crew auto --hands 20 --pace 10 --speed 10 --exit-when-done\n" +
			"  echo 'table 1: unplug shuffler 5s' | socat - UNIX-CONNECT:$XDG_RUNTIME_DIR/shufflersim-1234/control.sock",
		SilenceUsage: true, SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := cobra.NoArgs(cmd, args); err != nil {
				return usage("%w; see %s --help", err, cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			return do(cmd, f)
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage("%w; see %s --help", err, cmd.CommandPath()) })
	fl := cmd.Flags()
	fl.IntVar(&f.tables, "tables", 1, "how many tables, with the ids 1, 2, …")
	fl.StringSliceVar(&f.ids, "ids", nil, "ids of the tables instead, as 1,2,final; with --crew those of the controller")
	fl.Uint64Var(&f.seed, "seed", 1, "of packs and machines: the same seed gives the same hands, times differ")
	fl.Float64Var(&f.speed, "speed", 1, "times as fast as real machines in their motions, 0.05 to 100")
	fl.StringVar(&f.links, "link", "", "folder for links to the ports, table1-shuffler and so on, that stay when a cable is pulled")
	fl.StringVar(&f.control, "control", controlAuto, "path of the control socket; auto is in the runtime folder, off is none")
	fl.StringVar(&f.scenario, "scenario", "", "what goes wrong: a name from the list above, or a file")
	fl.StringVarP(&f.output, "output", "o", outputHuman, "human, or json: one object a line, the ports first")
	fl.BoolVar(&f.stdin, "stdin", false, "take orders from standard input even if it is no terminal")
	fl.StringVar(&f.crew, "crew", "", "let a dealer and a floor play: where the controller listens, or auto")
	fl.IntVar(&f.hands, "hands", 0, "hands that the crew plays at each table; 0 plays until the end")
	fl.Float64Var(&f.pace, "pace", 1, "times as fast as calm people, 0.1 to 1000")
	fl.BoolVar(&f.end, "exit-when-done", false, "end when the crew of every table has played its hands")
	return cmd
}

// orders is the vocabulary for the help text.
func orders() string {
	var s strings.Builder
	for _, v := range rig.Vocabulary() {
		fmt.Fprintf(&s, "  %-42s %s\n", v[0], v[1])
	}
	return strings.TrimSuffix(s.String(), "\n")
}

// check tells what cannot be, with the flag's name.
func (f *flags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case given("ids") && given("tables") && f.tables != len(f.ids):
		return usage("--tables %d and %d ids in --ids: say one of them", f.tables, len(f.ids))
	case !given("ids") && (f.tables < 1 || f.tables > mostTables):
		return usage("--tables %d: want 1 to %d", f.tables, mostTables)
	case f.output != outputHuman && f.output != outputJSON:
		return usage("--output %q: want %s or %s", f.output, outputHuman, outputJSON)
	case !(f.speed >= 0.05 && f.speed <= 100):
		return usage("--speed %v: want 0.05 to 100", f.speed)
	case !(f.pace >= 0.1 && f.pace <= 1000) || math.IsInf(f.pace, 0):
		return usage("--pace %v: want 0.1 to 1000", f.pace)
	case f.hands < 0:
		return usage("--hands %d: want 0 or more", f.hands)
	case f.crew == "" && (given("hands") || given("pace") || f.end):
		return usage("--hands, --pace and --exit-when-done are for a crew: say --crew too")
	case f.end && f.hands == 0:
		return usage("--exit-when-done: say how many --hands are to be played")
	}
	if !given("ids") {
		f.ids = nil
		for i := range f.tables {
			f.ids = append(f.ids, fmt.Sprint(i+1))
		}
	}
	return nil
}
