package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/report"
)

func (c *ctl) handCommands() *cobra.Command {
	resume := c.act(deed{
		action: "resume_hand", use: "resume SAID", short: "Say what became of the pack while the controller was down",
		long: "SAID is untouched: the pack lies as it was, dealing may begin; dealt: cards are out, play goes on; unsure: it is counted\n" +
			"and shuffled again. Number and level of the hand stay as they are.",
		example: "  shufflectl hand resume untouched --as dealer:12",
		arguments: func(*pflag.FlagSet) func([]string) (any, error) {
			return func(words []string) (any, error) { return api.ResumeHand{Said: words[0]}, nil }
		},
	})
	resume.ValidArgsFunction = firstWord("untouched", "dealt", "unsure")
	return group("hand", "The hand in play, and those that were played",
		c.handListCommand(),
		c.act(deed{action: "deal_begun", use: "deal", short: "The first card leaves the pack", example: "  shufflectl hand deal --as dealer:12"}),
		c.act(deed{
			action: "substantial_action", use: "action", short: "Substantial action has formed",
			long:    "Two actions in turn of which one puts chips in, or any three actions in turn. Blinds and antes are no actions.",
			example: "  shufflectl hand action --as dealer:12",
		}),
		c.act(deed{action: "end_hand", use: "end", short: "The pots are pushed: the hand is over", example: "  shufflectl hand end --as dealer:12"}),
		c.act(deed{
			action: "abandon_hand", use: "abandon", short: "Give up a hand that was begun and never dealt", needs: []string{"reason"},
			long:    "Its number is not used again.",
			example: `  shufflectl hand abandon --as floor:7 --reason "fire alarm"`, arguments: reasonFlag,
		}),
		resume,
		c.streetCommand(), c.oddMoveCommand(), c.stubCommand(), c.stubCountCommand(),
		c.exceptionCommand(),
	)
}

func (c *ctl) exceptionCommand() *cobra.Command {
	cmd := c.act(deed{
		action: "record_exception", use: "exception RULE", short: "Record that a rule is set aside for once, for fairness", needs: []string{"why"},
		long: "RULE is H4 (the level that is played), H7 (misdeal and redeal) or H8 (the stub). No other rule has an exception: what makes\n" +
			"a deck good and a shuffle whole always holds. It stands with the hand in play, or the last one, in every report.",
		example: `  shufflectl hand exception H7 --as floor:7 --why "both players agree, no card was seen"`,
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			why := f.String("why", "", "`WHY` it is fair, in one line")
			return func(words []string) (any, error) {
				return api.RecordException{Rule: strings.ToUpper(words[0]), Why: *why}, nil
			}
		},
	})
	cmd.ValidArgsFunction = firstWord("H4", "H7", "H8")
	return cmd
}

func (c *ctl) handListCommand() *cobra.Command {
	var from source
	var q report.HandQuery
	var full bool
	cmd := &cobra.Command{
		Use: "list", Short: "The hands of a table: number, level, what began it", Args: exactly,
		Long: "Of the newest session, unless --session, --from or --to say otherwise. --full prints the whole log: the shuffle step by\n" +
			"step, and what went wrong. -o json has all of it.",
		Example: "  shufflectl hand list\n  shufflectl hand list --from 120 --to 140 --full\n  shufflectl hand list --data /backup/shuffler --table 1 -o csv > hands.csv",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if full && c.output == asCSV {
				return usageOf(cmd, "--full has no rows: print it with -o table or -o json")
			}
			return c.report(cmd.Context(), from, func(j journal.Reader, id string) (paper, error) {
				log, err := report.HandLog(j, id, q)
				if err != nil || full || c.output == asJSON {
					return log, err
				}
				return handSheet{c, log}, nil
			})
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&q.From, "from", 0, "first `HAND`")
	f.Uint64Var(&q.To, "to", 0, "last `HAND`")
	f.Uint64Var(&q.Session, "session", 0, "`NUMBER` of one opening of the table")
	f.BoolVar(&full, "full", false, "the whole log")
	from.flag(cmd)
	return cmd
}

// handSheet is the log with a line for each hand.
type handSheet struct {
	c   *ctl
	log report.HandLogReport
}

// text is the list with the journal's place.
func (h handSheet) text() string {
	s := h.sheet()
	return s.text(h.c.label) + h.c.label("journal") + " " + shortHead(fmt.Sprintf("%d:%s", h.log.Journal.Pos, h.log.Journal.Hash)) + "\n"
}

func (h handSheet) sheet() sheet {
	c := h.c
	s := sheet{none: "There is no hand.", columns: []column{
		num("hand", "Hand"), num("session", "Session"), col("state", "State"), num("level", "Level"), num("small_blind", "SB"), num("big_blind", "BB"), num("big_blind_ante", "Ante"),
		col("trigger", "Begun by"), col("begun", "At"), col("ended", "Ended"), col("dealer", "Dealer"), col("deck", "Deck"), num("button", "Button"), col("seats", "Seats"),
		num("shuffles", "Shuffles"), num("faults", "Faults"), num("holds", "Holds"),
	}}
	for _, e := range h.log.Hands {
		var seats []string
		for _, n := range e.Seats {
			seats = append(seats, strconv.Itoa(n))
		}
		s.add(e.Hand, e.Session, c.named(e.State), e.Tag.Number, e.Tag.SmallBlind, e.Tag.BigBlind, e.Tag.BigBlindAnte,
			c.named(e.Trigger.Trigger.String()), c.moment(e.Trigger.AtMS), c.moment(e.EndMS), e.Dealer.String(), e.Deck, e.Button, strings.Join(seats, " "),
			len(e.Shuffles), len(e.Faults), len(e.Holds))
	}
	return s
}
