package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/report"
	"shuffler/controller/table"
	"shuffler/deckcheck"
)

func (c *ctl) deckCommands() *cobra.Command {
	return group("deck", "Decks: bring, check, attest, change, quarantine",
		c.deckListCommand(), c.deckReceiptCommand(), c.deckCheckCommand(),
		slots(c.act(deed{
			action: "place_deck", use: "place SLOT DECK", short: "Bring a deck to slot A or B", needs: []string{"back"},
			long:    "DECK is the id on the box. The two decks of a table have different backs. A deck is checked and washed before it is\nplayed. A change while the table is open needs a reason.",
			example: "  shufflectl deck place A D-17 --back red --new --seal 90211 --as floor:7",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.PlaceDeck
				f.StringVar(&a.Back, "back", "", "`BACK` design, such as red")
				f.BoolVar(&a.New, "new", false, "a new deck: the floor countersigns its attestation")
				f.StringVar(&a.Seal, "seal", "", "`NUMBER` of the seal that was broken at the table, for a new deck")
				causeFlag(f, &a.Cause)
				f.StringVar(&a.Reason, "reason", "", "in your words")
				return func(words []string) (any, error) {
					a.Slot, a.Deck = slot(words[0]), words[1]
					return a, nil
				}
			},
		})),
		slots(c.act(deed{
			action: "remove_deck", use: "remove SLOT", short: "Take a deck back to the store",
			long:    changeHelp,
			example: `  shufflectl deck remove B --as floor:7 --cause sticky --reason "two hearts stick"`, arguments: changeFlags,
		})),
		slots(c.act(deed{
			action: "use_deck", use: "use SLOT", short: "Change the deck in play",
			long:    changeHelp + " A hand that\nhas begun keeps its number and level.",
			example: `  shufflectl deck use B --as floor:7 --cause marked`, arguments: changeFlags,
		})),
		c.act(deed{
			action: "set_rotation", use: "rotation on|off", short: "Let two decks take turns, or play with one", needs: []string{"reason"},
			long: "From the next hand on. While two decks take turns, the machine shuffles the one that rests, and the green button\n" +
				"releases it and begins the next hand. The same deck twice in a row needs \"deck use\" with a reason.",
			example: "  shufflectl deck rotation on --as floor:7 --reason \"two decks checked\"",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.SetRotation
				f.StringVar(&a.Reason, "reason", "", "`WHY`, in one line")
				return func(words []string) (any, error) {
					on, err := onOff(words[0])
					a.On = on
					return a, err
				}
			},
		}),
		c.deckDrawCommand(),
		slots(c.act(deed{
			action: "attest_deck", use: "attest SLOT", short: "Attest by eye what no machine sees",
			long: "After a good check the dealer attests five things: --condition, --backs, --cut-card, --button and --timer, or --all of\n" +
				"them. A new deck is countersigned by the floor: in the same command with --approved-by floor:7, or by\n" +
				"\"deck attest SLOT --as floor:7\" afterwards.",
			example: "  shufflectl deck attest A --all --as dealer:12 --approved-by floor:7",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.AttestDeck
				f.BoolVar(&a.Condition, "condition", false, "no scratch, crease, dirt or stickiness")
				f.BoolVar(&a.Backs, "backs", false, "all backs are the same")
				f.BoolVar(&a.CutCard, "cut-card", false, "the cut card is at hand")
				f.BoolVar(&a.Button, "button", false, "the dealer button is at hand")
				f.BoolVar(&a.Timer, "timer", false, "the timer is at hand")
				f.Uint16Var(&a.StatedCount, "stated-count", 0, "`CARDS` counted by hand, where the scanner has no counter")
				all := f.Bool("all", false, "all five")
				return func(words []string) (any, error) {
					a.Slot = slot(words[0])
					if *all {
						a.Condition, a.Backs, a.CutCard, a.Button, a.Timer = true, true, true, true, true
					}
					return a, nil
				}
			},
		})),
		slots(c.act(deed{
			action: "quarantine_deck", use: "quarantine SLOT", short: "Send a deck away for good", needs: []string{"envelope"},
			long:    "The deck goes into a numbered envelope and never comes back into play at any table. Two people sign: --as and\n--approved-by.",
			example: `  shufflectl deck quarantine A --as floor:7 --approved-by dealer:12 --envelope E-31 --reason "second jack of diamonds"`,
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.QuarantineDeck
				f.StringVar(&a.Envelope, "envelope", "", "`NUMBER` of the envelope")
				f.StringVar(&a.Cause, "cause", "", "`CAUSE`: duplicate_confirmed, foreign_back_confirmed, joker_in_play, duplicate_in_play or floor_order;\nleft out: what two checks have found, else the floor's order")
				f.StringVar(&a.Reason, "reason", "", "in your words; must be given with the floor's order")
				return func(words []string) (any, error) {
					a.Slot = slot(words[0])
					return a, nil
				}
			},
		})),
	)
}

func (c *ctl) deckDrawCommand() *cobra.Command {
	cmd := c.act(deed{
		action: "use_for_draw", use: "draw KIND", short: "Use a deck for a draw or a chip race",
		long: "KIND is seat_draw, button_draw or chip_race. What was shuffled of the deck is void; before the next hand it is gathered,\n" +
			"counted (or checked, where the room wants that) and washed. Not for a deck that a hand has begun with.",
		example: "  shufflectl deck draw button_draw --as dealer:12\n  shufflectl deck draw chip_race --slot B --as floor:7",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			from := f.String("slot", "", "`SLOT` of the deck; left out: the deck in play")
			return func(words []string) (any, error) { return api.UseForDraw{Slot: slot(*from), Kind: words[0]}, nil }
		},
	})
	cmd.ValidArgsFunction = firstWord("seat_draw", "button_draw", "chip_race")
	return cmd
}

// changeHelp is said of every change of a deck.
const changeHelp = "The floor decides it, or the dealer on duty with --approved-by floor:7, and says why: --cause names it, --reason adds words.\n" +
	"Without a cause it is the floor's order, and the reason must be given. Players cannot ask for another deck."

// causeFlag is why a deck is changed.
func causeFlag(f *pflag.FlagSet, into *string) {
	f.StringVar(into, "cause", "", "`CAUSE`: damaged, dirty, sticky, marked, backs_differ, incomplete, fouled, not_good, check_due, scheduled or\nfloor_order; left out: the floor's order")
}

// slot takes a and b for A and B.
func slot(word string) string { return strings.ToUpper(word) }

// slots tells the shell what the first word may be.
func slots(cmd *cobra.Command) *cobra.Command {
	cmd.ValidArgsFunction = firstWord("A", "B")
	return cmd
}

// firstWord completes the first word of a command, and nothing after it.
func firstWord(words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func changeFlags(f *pflag.FlagSet) func([]string) (any, error) {
	var a api.ChangeDeck
	causeFlag(f, &a.Cause)
	f.StringVar(&a.Reason, "reason", "", "in your words; must be given with the floor's order")
	return func(words []string) (any, error) {
		a.Slot = slot(words[0])
		return a, nil
	}
}

func (c *ctl) deckReceiptCommand() *cobra.Command {
	var from source
	cmd := &cobra.Command{
		Use: "receipt [CHECK]", Short: "The receipt of a deck check, to print and sign", Args: exactly,
		Long: "CHECK is the number of the check; without it, the newest of the table. The receipt tells what was measured apart from\n" +
			"what was attested, and names the journal's place that it rests on.",
		Example: "  shufflectl deck receipt\n  shufflectl deck receipt 12 --data /backup/shuffler --table 1",
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := c.noCSV("a receipt"); err != nil {
				return err
			}
			check, err := number("CHECK", words)
			if err != nil {
				return err
			}
			return c.report(cmd.Context(), from, func(j journal.Reader, id string) (paper, error) { return report.Receipt(j, id, check) })
		},
	}
	from.flag(cmd)
	return cmd
}

func (c *ctl) deckListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "The decks that the room knows, and where they are", Args: exactly, Example: "  shufflectl deck list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.controller()
			if err != nil {
				return err
			}
			all, err := client.Decks(cmd.Context())
			if err != nil {
				return err
			}
			s := sheet{none: "No deck is registered.", columns: []column{
				col("deck", "Deck"), col("back", "Back"), col("table", "Table"), col("quarantined", "Quarantine"), col("envelope", "Envelope"),
			}}
			for _, d := range all {
				quarantined := strconv.FormatBool(d.Quarantined)
				if c.forPeople() {
					quarantined = ""
					if d.Quarantined {
						quarantined = c.label("quarantined")
					}
				}
				s.add(d.ID, d.Back, d.Table, quarantined, d.Envelope)
			}
			return c.list(all, s)
		},
	}
}

// Tuning of waiting for a verdict.
const (
	lookEvery    = 100 * time.Millisecond
	verdictAfter = 10 * time.Minute // the controller ends a check sooner
	commitAtMost = 1024             // records that one commit may hold
)

func (c *ctl) deckCheckCommand() *cobra.Command {
	var noWait bool
	cmd := c.act(deed{
		action: "start_check", use: "check SLOT", short: "Check a deck: the pack lies in the scanner",
		long: "Waits for the verdict and prints it. Good means: 52 different cards, no joker, no foreign back, and the feed's own count\n" +
			"agrees. Anything else locks the deck, and the command ends with exit code 3; \"unread\" is nobody's fault: scan again.",
		example: "  shufflectl deck check A --as dealer:12",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.Slot
			f.Uint16Var(&a.StatedCount, "stated-count", 0, "`CARDS` counted by hand, where the scanner has no counter")
			f.BoolVar(&noWait, "no-wait", false, "do not wait for the verdict")
			return func(words []string) (any, error) {
				a.Slot = slot(words[0])
				return a, nil
			}
		},
		after: func(cmd *cobra.Command, id string, a api.Answer) error {
			if noWait {
				return c.tellAnswer(a)
			}
			return c.awaitVerdict(cmd.Context(), id, a)
		},
	})
	return slots(cmd)
}

// awaitVerdict waits for the record that ends the check which a began: the first
// of the table behind a's state number. What the journal commits together with
// it may stand before a's place, so the search begins a little earlier.
func (c *ctl) awaitVerdict(ctx context.Context, id string, a api.Answer) error {
	place, _, _ := strings.Cut(a.Head, ":")
	pos, err := strconv.ParseUint(place, 10, 64)
	if err != nil {
		return fmt.Errorf("the check began, but its place in the journal is not understood: %q", a.Head)
	}
	from := pos - min(pos, commitAtMost)
	ctx, cancel := context.WithTimeout(ctx, verdictAfter)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		page, err := c.client.Records(ctx, api.Query{After: from, Table: id, Types: []string{table.CheckEnded{}.Type()}})
		if err != nil {
			return fmt.Errorf("the check is under way, its verdict is not known: %w", err)
		}
		for _, r := range page.Records {
			if r.N > a.N {
				return c.tellVerdict(r)
			}
		}
		from = page.Next
		if err := c.tellProgress(ctx, id); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the check is under way, its verdict is not known: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// tellProgress shows on a terminal how many cards have passed.
func (c *ctl) tellProgress(ctx context.Context, id string) error {
	if c.screen == nil || !c.forPeople() {
		return nil
	}
	s, err := c.client.Table(ctx, id)
	if err != nil {
		return fmt.Errorf("the check is under way, its verdict is not known: %w", err)
	}
	if s.Check != nil {
		_, err = fmt.Fprint(c.stdout, clip(c.bar(s.Check.Cards), c.width()-1), clearLine, "\r")
	}
	return err
}

func (c *ctl) tellVerdict(r api.Record) error {
	var end table.CheckEnded
	if err := json.Unmarshal(r.Payload, &end); err != nil {
		return fmt.Errorf("the verdict at %d is not understood: %w", r.Pos, err)
	}
	if err := c.printVerdict(r, end); err != nil {
		return err
	}
	switch end.Verdict.Outcome {
	case deckcheck.Good:
		return nil
	case deckcheck.Unread: // that says nothing about the deck (D2)
		return &exitError{exitRefused, errors.New("the deck was not read: scan it again")}
	}
	return &exitError{exitRefused, errors.New("the deck is not good: it is locked until a fresh check is")}
}

func (c *ctl) printVerdict(r api.Record, end table.CheckEnded) error {
	if c.output == asJSON {
		return c.json(r)
	}
	var findings []string
	for _, f := range end.Verdict.Findings() {
		findings = append(findings, f.String())
	}
	if c.output == asCSV {
		s := sheet{columns: []column{num("check", ""), col("slot", ""), col("deck", ""), col("verdict", ""), col("findings", ""), col("head", "")}}
		s.add(end.Check, end.Slot.String(), end.Deck, end.Verdict.Outcome.String(), strings.Join(findings, "; "), fmt.Sprintf("%d:%s", r.Pos, r.Hash))
		return s.writeCSV(c.stdout)
	}
	if c.screen != nil { // the progress stands there
		if _, err := io.WriteString(c.stdout, clearLine); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c.stdout, "%s\n(%s %s)\n", c.sentence(r), c.label("journal"), shortHead(fmt.Sprintf("%d:%s", r.Pos, r.Hash)))
	return err
}

// onOff reads a word that switches something.
func onOff(word string) (bool, error) {
	switch word {
	case "on", "off":
		return word == "on", nil
	}
	return false, fmt.Errorf("%q: want on or off", word)
}
