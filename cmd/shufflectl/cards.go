package main

import (
	"fmt"
	"strconv"

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

func (c *ctl) stubCommand() *cobra.Command {
	cmd := c.act(deed{
		action: "reshuffle_stub", use: "stub OUTCOME", short: "Confirm what becomes of a stub in the middle of a hand", needs: []string{"street", "reason"},
		long: "OUTCOME is restored (every card is where it was), stub_only, or rebuilt (it was mixed with other cards; state those that\n" +
			"moved before, with 'hand move ruled'). But for the first, the stub is counted face down (--cards) and held against the\n" +
			"ledger; then the dealer washes and cuts it by hand, step by step. No hand begins, and the level stays.",
		example: `  shufflectl hand stub stub_only --street flop --cards 35 --as floor:7 --reason "premature turn"`,
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.ReshuffleStub
			f.StringVar(&a.Street, "street", "", "`STREET` that the board has come to: preflop, flop, turn, river")
			f.IntVar(&a.Cards, "cards", 0, "`NUMBER` of cards in the stub")
			f.StringVar(&a.Reason, "reason", "", "`REASON`, in one line")
			f.StringVar(&a.Exception, "exception", "", "`WHY` it is fair to leave a stub as it is although a card went back into it")
			return func(words []string) (any, error) {
				a.Outcome = words[0]
				return a, nil
			}
		},
	})
	cmd.ValidArgsFunction = firstWord("restored", "stub_only", "rebuilt")
	return cmd
}

func (c *ctl) stubCountCommand() *cobra.Command {
	return c.act(deed{
		action: "count_stub", use: "count-stub CARDS", short: "The stub is counted face down: once in a dealer's down", needs: []string{"street"},
		long: "CARDS is held against the ledger; the journal keeps whether it agrees and by how much it does not. A wrong count holds the\n" +
			"table. State the streets first, with 'hand street'.",
		example: "  shufflectl hand count-stub 32 --street river --as dealer:12",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			street := f.String("street", "", "`STREET` that the board has come to: preflop, flop, turn, river")
			return func(words []string) (any, error) {
				n, err := strconv.Atoi(words[0])
				if err != nil {
					return nil, fmt.Errorf("%q: want a number of cards", words[0])
				}
				return api.CountStub{Street: *street, Cards: n}, nil
			}
		},
	})
}
