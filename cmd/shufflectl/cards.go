package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
)

func (c *ctl) streetCommand() *cobra.Command {
	cmd := c.act(deed{
		action: "street_dealt", use: "street STREET", short: "Flop, turn or river lie on the table",
		long: "Optional: a hand ends without it. Stated street by street, the size of the stub is known,\n" +
			"and a count of it can be held against it.",
		example: "  shufflectl hand street flop --as dealer:12",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			noBurn := f.Bool("no-burn", false, "it was dealt without its burn")
			return func(words []string) (any, error) { return api.DealStreet{Street: words[0], NoBurn: *noBurn}, nil }
		},
	})
	cmd.ValidArgsFunction = firstWord("flop", "turn", "river")
	return cmd
}

func (c *ctl) oddMoveCommand() *cobra.Command {
	cmd := c.act(deed{
		action: "odd_move", use: "move KIND", short: "Cards moved otherwise than by deal, burn and board",
		long: "KIND is exposed_card (--seat), four_card_flop, flop_burn_missing (--acted if any action followed, a check too),\n" +
			"premature_board, boxed_card (--cards), button_completed, short_hand_dead or long_hand_dead (--seat); or ruled, with\n" +
			"--cards, --from, --to and --reason, for what no repair is written for. The floor does it, or the dealer on duty with\n" +
			"--approved-by floor:7; one exposed card the dealer replaces alone.",
		example: "  shufflectl hand move exposed_card --seat 4 --as dealer:12\n  shufflectl hand move flop_burn_missing --acted --as floor:7",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var m api.OddMove
			f.IntVar(&m.Seat, "seat", 0, "`SEAT` of the hand that it is about")
			f.IntVar(&m.Cards, "cards", 0, "`NUMBER` of cards")
			f.BoolVar(&m.Acted, "acted", false, "an action followed the flop without a burn")
			f.StringVar(&m.From, "from", "", "`AREA` that the cards leave: stub, hands, board, burns, muck, scrap")
			f.StringVar(&m.To, "to", "", "`AREA` that they come to")
			f.StringVar(&m.Reason, "reason", "", "`REASON` of the ruling, in one line")
			return func(words []string) (any, error) {
				m.Kind = words[0]
				return m, nil
			}
		},
	})
	cmd.ValidArgsFunction = firstWord("exposed_card", "four_card_flop", "flop_burn_missing", "premature_board", "boxed_card",
		"button_completed", "short_hand_dead", "long_hand_dead", "ruled")
	return cmd
}
