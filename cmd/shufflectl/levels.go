package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
)

func (c *ctl) levelCommands() *cobra.Command {
	return group("level", "The blind level of the room",
		c.levelShowCommand(),
		c.act(deed{
			action: api.AnnounceLevelAction, inRoom: true, use: "announce NUMBER", short: "Announce a level: it is in force at once, at all tables", needs: []string{"blinds"},
			long: "A hand that has begun keeps the level it began with. What counts is when the announcement reaches the controller; a\n" +
				"clock reaching zero changes nothing.",
			example: "  shufflectl level announce 3 --blinds 300/600 --ante 600 --as floor:7",
			arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
				var a api.AnnounceLevel
				blinds := f.String("blinds", "", "small and big blind in `CHIPS`, such as 300/600")
				f.Uint32Var(&a.BigBlindAnte, "ante", 0, "big blind ante in `CHIPS`")
				return func(words []string) (_ any, err error) {
					if a.Number, err = parseLevel(words[0]); err != nil {
						return nil, err
					}
					a.SmallBlind, a.BigBlind, err = parseBlinds(*blinds)
					return a, err
				}
			},
		}),
		c.act(deed{
			action: "confirm_level", use: "confirm NUMBER", short: "Confirm at a table that this level is in force, after a restart",
			long:    "A level may have been announced while the controller was down. If it was, announce it instead.",
			example: "  shufflectl level confirm 3 --as floor:7",
			arguments: func(*pflag.FlagSet) func([]string) (any, error) {
				return func(words []string) (any, error) {
					n, err := parseLevel(words[0])
					return api.ConfirmLevel{Number: n}, err
				}
			},
		}),
	)
}

func parseLevel(s string) (uint16, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is no number of a level", s)
	}
	return uint16(n), nil
}

// parseBlinds reads 300/600.
func parseBlinds(s string) (small, big uint32, err error) {
	left, right, _ := strings.Cut(s, "/")
	a, err1 := strconv.ParseUint(left, 10, 32)
	b, err2 := strconv.ParseUint(right, 10, 32)
	if err1 != nil || err2 != nil {
		return 0, 0, fmt.Errorf("--blinds %q: want small and big blind in chips, such as 300/600", s)
	}
	return uint32(a), uint32(b), nil
}

func (c *ctl) levelShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "The level in force, and who announced it", Args: exactly, Example: "  shufflectl level show",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.controller()
			if err != nil {
				return err
			}
			a, err := client.Level(cmd.Context())
			if err != nil {
				return err
			}
			s := sheet{none: "No level has been announced.", columns: []column{
				num("number", "Level"), num("small_blind", "SB"), num("big_blind", "BB"), num("big_blind_ante", "Ante"), col("by", "Announced by"), col("at", "At"), col("head", "Journal"),
			}}
			if l := a.Level; l != nil {
				head := a.Head
				if c.forPeople() {
					head = shortHead(head)
				}
				s.add(l.Number, l.SmallBlind, l.BigBlind, l.BigBlindAnte, a.By, c.moment(a.At), head)
			}
			return c.list(a, s)
		},
	}
}
