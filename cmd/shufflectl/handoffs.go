package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/report"
)

func (c *ctl) handoffCommands() *cobra.Command {
	settle := c.act(deed{
		action: "settle_handoff", use: "settle complete|keep", short: "The floor decides after a refusal", needs: []string{"reason"},
		long:    "complete: the incoming dealer takes over all the same. keep: the outgoing dealer stays. Also where nobody answers.",
		example: `  shufflectl handoff settle complete --as floor:7 --reason "counted again, 52"`,
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.SettleHandoff
			f.StringVar(&a.Reason, "reason", "", "`WHY`")
			return func(words []string) (any, error) {
				switch words[0] {
				case "complete", "keep":
					a.Complete = words[0] == "complete"
					return a, nil
				}
				return nil, fmt.Errorf("%q: want complete or keep", words[0])
			}
		},
	})
	settle.ValidArgsFunction = firstWord("complete", "keep")
	return group("handoff", "One dealer leaves, the next takes over",
		c.handoffShowCommand(),
		c.act(deed{
			action: "propose_handoff", use: "propose DEALER", short: "The outgoing dealer signs and names the next one",
			long:    "Until it is accepted nothing is dealt. In the middle of a hand it needs the floor: --approved-by floor:7.",
			example: "  shufflectl handoff propose dealer:15 --as dealer:12",
			arguments: func(*pflag.FlagSet) func([]string) (any, error) {
				return func(words []string) (any, error) { return api.ProposeHandoff{To: words[0]}, nil }
			},
		}),
		c.act(deed{
			action: "accept_handoff", use: "accept", short: "The incoming dealer has read the report and takes over",
			long:    "Read it with \"handoff show\". With --head, the journal's place that stands on it, the record proves which one was read.",
			example: "  shufflectl handoff accept --as dealer:15",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.AcceptHandoff
				f.StringVar(&a.Head, "head", "", "the journal's place on the report that was read, as `POS:HASH`")
				return func([]string) (any, error) {
					if a.Head == "" {
						return a, nil
					}
					_, err := journal.ParseHead(a.Head)
					return a, err
				}
			},
		}),
		c.act(deed{
			action: "refuse_handoff", use: "refuse", short: "The incoming dealer refuses, with a reason; the floor decides", needs: []string{"reason"},
			example: `  shufflectl handoff refuse --as dealer:15 --reason "the count differs"`, arguments: reasonFlag,
		}),
		settle,
	)
}

func (c *ctl) handoffShowCommand() *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use: "show [NUMBER]", Short: "The handoff report that the incoming dealer reads and signs", Args: exactly,
		Long: "NUMBER counts the handoffs of the table from 1; without it, the newest. One that is under way is shown as things stand now.",
		Example: "  shufflectl handoff show\n  shufflectl handoff show 4 --lang zh-CN\n" +
			"  shufflectl handoff show --data /backup/shuffler --table 1 -o json",
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := c.noCSV("a handoff report"); err != nil {
				return err
			}
			n, err := number("NUMBER", words)
			if err != nil {
				return err
			}
			return c.report(cmd.Context(), from, func(j journal.Reader, id string) (paper, error) {
				return report.Handoff(j, id, report.HandoffQuery{Number: n})
			})
		},
	}
	from.flag(cmd)
	return cmd
}
