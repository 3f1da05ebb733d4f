package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
)

func (c *ctl) tableCommands() *cobra.Command {
	return group("table", "Look at a table, open and close it, hold it for a ruling",
		c.tableListCommand(), c.tableStatusCommand(), c.tableWatchCommand(),
		c.act(deed{
			action: "open_table", use: "open", short: "Open the table: activity card, manual, floor and deputy on duty", needs: []string{"activity-card", "manual", "deputy"},
			long:    "From then on every deck at the table is to be checked and washed before it is played. The floor on duty is whoever\nacts, unless --floor names another.",
			example: "  shufflectl table open --as floor:7 --activity-card AC-12 --manual V0.2 --deputy floor:8",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.OpenTable
				f.StringVar(&a.ActivityCard, "activity-card", "", "`CARD`: number or version of the activity card that holds today")
				f.StringVar(&a.Manual, "manual", "", "`VERSION` of the operating manual")
				f.StringVar(&a.Floor, "floor", "", "floor on duty, as `ROLE:ID`")
				f.StringVar(&a.Deputy, "deputy", "", "deputy, who rules when the floor is away, as `ROLE:ID`")
				return func([]string) (any, error) {
					if a.Floor == "" {
						a.Floor = c.as
					}
					return a, nil
				}
			},
		}),
		c.dutyCommand(),
		c.act(deed{action: "close_table", use: "close", short: "Close the table; no hand, shuffle, check, hold or handoff may be under way", example: "  shufflectl table close --as floor:7"}),
		c.act(deed{
			action: "call_floor", use: "hold", short: "Call the floor: the table is frozen for a ruling", needs: []string{"reason"},
			long:      "Nothing is gathered, fed into the machine, released or dealt until the floor lifts the hold. A motion of the machine\nthat has begun may finish.",
			example:   `  shufflectl table hold --as dealer:12 --reason "seat 4 disputes the pot"`,
			arguments: reasonFlag,
		}),
		c.act(deed{
			action: "lift_hold", use: "lift", short: "Lift the hold by a ruling", needs: []string{"ruling", "basis", "read-back"},
			long:    "The ruling names its basis and is read back by the dealer.",
			example: `  shufflectl table lift --as floor:7 --ruling "pot to seat 4" --basis "manual 11.2" --read-back`,
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.LiftHold
				f.StringVar(&a.Ruling, "ruling", "", "`WHAT` was ruled")
				f.StringVar(&a.Basis, "basis", "", "the `RULE` that it rests on")
				f.BoolVar(&a.ReadBack, "read-back", false, "the dealer has read the ruling back")
				return func([]string) (any, error) { return a, nil }
			},
		}),
		c.breakCommand(),
		c.act(deed{
			action: "set_service", use: "service in|out", short: "Take the shuffler out of service, or return it to play",
			long:    "Out: the dealer shuffles by hand. Cards left in the machine are asked for. Only the floor returns it to play.",
			example: "  shufflectl table service out --as floor:7 --reason \"noise at the exit\"\n  shufflectl table service in --as floor:7",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.SetService
				f.StringVar(&a.Reason, "reason", "", "`WHY`")
				return func(words []string) (any, error) {
					switch words[0] {
					case "in", "out":
						a.Out = words[0] == "out"
						return a, nil
					}
					return nil, fmt.Errorf("%q: want in or out", words[0])
				}
			},
		}),
	)
}

func (c *ctl) breakCommand() *cobra.Command {
	cmd := c.act(deed{
		action: "set_break", use: "break begin|end", short: "Begin a break, or end it",
		long: "The hand that has begun is finished, and no other begins before the end. What is shuffled for the next hand is void;\n" +
			"after the break every deck is washed.",
		example: "  shufflectl table break begin --as floor:7\n  shufflectl table break end --as floor:7",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.SetBreak
			f.StringVar(&a.Reason, "reason", "", "`WHY`, in one line")
			return func(words []string) (any, error) {
				switch words[0] {
				case "begin", "end":
					a.On = words[0] == "begin"
					return a, nil
				}
				return nil, fmt.Errorf("%q: want begin or end", words[0])
			}
		},
	})
	cmd.ValidArgsFunction = firstWord("begin", "end")
	return cmd
}

// reasonFlag is the argument of the actions that want a reason and nothing else.
func reasonFlag(f *pflag.FlagSet) func([]string) (any, error) {
	var a api.Reason
	f.StringVar(&a.Reason, "reason", "", "`WHY`, in one line")
	return func([]string) (any, error) { return a, nil }
}

func (c *ctl) dealerCommands() *cobra.Command {
	return group("dealer", "The dealer at the table",
		c.act(deed{
			action: "sign_in", use: "sign-in", short: "A dealer takes a table that nobody deals at",
			long:    "Leaving a table, and taking it over from somebody, goes through a handoff.",
			example: "  shufflectl dealer sign-in --as dealer:12",
		}),
	)
}

func (c *ctl) seatsCommands() *cobra.Command {
	return group("seats", "Button and seats of the next hand",
		c.act(deed{
			action: "confirm_seats", use: "confirm", short: "Confirm the button and the seats that are dealt in", needs: []string{"button", "seats"},
			long:    "The list is frozen when the hand begins.",
			example: "  shufflectl seats confirm --as dealer:12 --button 3 --seats 1-4,6,8",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.ConfirmSeats
				f.IntVar(&a.Button, "button", 0, "`SEAT` of the button; it may be an empty one")
				seats := f.String("seats", "", "`SEATS` dealt in, such as 1-4,6,8")
				return func([]string) (_ any, err error) {
					a.Seats, err = parseSeats(*seats)
					return a, err
				}
			},
		}),
	)
}

func (c *ctl) tableListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "A line for each table", Args: exactly, Example: "  shufflectl table list\n  shufflectl table list -o csv > tables.csv",
		RunE: func(cmd *cobra.Command, _ []string) error { return c.listTables(cmd.Context()) },
	}
}

func (c *ctl) listTables(ctx context.Context) error {
	client, err := c.controller()
	if err != nil {
		return err
	}
	all, err := client.Tables(ctx)
	if err != nil {
		return err
	}
	return c.list(all, c.tableSheet(all))
}

func (c *ctl) tableSheet(all []api.TableSummary) sheet {
	s := sheet{none: "There is no table.", columns: []column{
		col("table", "Table"), col("state", "State"), col("dealer", "Dealer"), col("level", "Level"), num("hand", "Hand"), col("stage", "Stage"),
		col("hold", "Hold"), col("faults", "Faults"), col("next", "Next"),
	}}
	for _, t := range all {
		state := "closed"
		if t.Open {
			state = "open"
		}
		level, hand, hold := "", "", ""
		if t.Level != nil {
			level = c.levelText(*t.Level)
		}
		if t.Hand != 0 {
			hand = fmt.Sprint(t.Hand)
		}
		if t.Hold {
			hold = "hold"
		}
		var faults []string
		for _, f := range t.Faults {
			faults = append(faults, f.Part+"/"+f.Code)
		}
		s.add(t.Table, c.named(state), t.Dealer, level, hand, c.named(t.Stage), c.named(hold), strings.Join(faults, " "), c.prompt(t.Next))
	}
	return s
}

// levelText is number and blinds: "3: 300/600 ante 600".
func (c *ctl) levelText(l api.Level) string {
	ante := ""
	if l.BigBlindAnte != 0 {
		ante = fmt.Sprintf(" %s %d", c.named("ante"), l.BigBlindAnte)
	}
	return fmt.Sprintf("%d: %d/%d%s", l.Number, l.SmallBlind, l.BigBlind, ante)
}

func (c *ctl) tableStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "What is at the table now, and what happens next", Args: exactly,
		Long: "Shows the table as the journal has it: the one next action and who does it, the hand with its level tag, the decks with\n" +
			"their last check, the shuffle step by step, holds, faults with what to do, and the machines.\n" +
			"Without --table, where there are several, a line for each.",
		Example: "  shufflectl table status\n  shufflectl table status --table 4 -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.noCSV("a table's status"); err != nil {
				return fmt.Errorf("%w; rows are in: shufflectl table list -o csv", err)
			}
			client, err := c.controller()
			if err != nil {
				return err
			}
			if c.table == "" {
				all, err := client.Tables(cmd.Context())
				if err != nil {
					return err
				}
				if len(all) != 1 {
					return c.list(all, c.tableSheet(all))
				}
				c.table = all[0].Table
			}
			s, err := client.Table(cmd.Context(), c.table)
			if err != nil {
				return err
			}
			if c.output == asJSON {
				return c.json(s)
			}
			return c.print(c.view(s))
		},
	}
}
