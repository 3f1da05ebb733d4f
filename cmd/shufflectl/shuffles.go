package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
	"shuffler/shuffle"
)

func (c *ctl) shuffleCommands() *cobra.Command {
	step := c.act(deed{
		action: "dealer_step", use: "step STEP [PHASE]", short: "Report a dealer's step: wash, cut, cut_card",
		long: "PHASE is started, done, or performed for both at once, which is what holds if it is left out. Only the next step of\n" +
			"the procedure is accepted: any other one is a sequence break, and the shuffle starts again. Nobody can skip a step.",
		example: "  shufflectl shuffle step wash started --as dealer:12\n  shufflectl shuffle step wash done --as dealer:12\n  shufflectl shuffle step cut --as dealer:12",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.DealerStep
			f.Uint16Var(&a.Cards, "cards", 0, "`CARDS` counted, where the step counts (gather by hand)")
			f.BoolVar(&a.Sensor, "sensor", false, "a sensor saw it, not a person")
			return func(words []string) (any, error) {
				a.Step, a.Phase = words[0], "performed"
				if len(words) > 1 {
					a.Phase = words[1]
				}
				var s shuffle.Step // a misspelt step is no sequence break
				return a, s.UnmarshalText([]byte(a.Step))
			}
		},
	})
	step.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		words := [][]string{{"gather", "wash", "riffle", "strip", "square", "cut", "cut_card"}, {"started", "done", "performed"}}
		if len(args) >= len(words) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words[len(args)], cobra.ShellCompDirectiveNoFileComp
	}
	void := c.act(deed{
		action: "void_shuffle", use: "void REASON", short: "Void the shuffle: it starts again from its first step",
		long: "Dealer: face_exposed, touched, sticking, suspicious_order, jam, missing_card, noise, cover_open. The floor may void it\n" +
			"for any reason: floor_void.",
		example: "  shufflectl shuffle void face_exposed --as dealer:12",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.VoidShuffle
			f.StringVar(&a.Slot, "slot", "", "A or B, `WHICH` of two decks under way; the one in the hand if not given")
			return func(words []string) (any, error) {
				var why shuffle.StopReason
				a.Reason, a.Slot = words[0], slot(a.Slot)
				return a, why.UnmarshalText([]byte(words[0]))
			}
		},
	})
	void.ValidArgsFunction = firstWord("face_exposed", "touched", "sticking", "suspicious_order", "jam", "missing_card", "noise", "cover_open", "floor_void")
	return group("shuffle", "The shuffle under way",
		c.act(deed{
			action: "begin_shuffle", use: "begin", short: "Begin a shuffle by hand; the shuffler is out of service",
			long:    "With the machine in service a shuffle begins by itself when the pack lies in it.",
			example: "  shufflectl shuffle begin --as dealer:12",
		}),
		step, void,
		c.act(deed{
			action: "request_wash", use: "wash", short: "Have the next shuffle begin with a wash",
			long:      "Dealer or floor may ask for it, a player never.",
			example:   `  shufflectl shuffle wash --as floor:7 --reason "cards fell to the floor"`,
			arguments: reasonFlag,
		}),
	)
}
