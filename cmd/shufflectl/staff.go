package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shuffler/controller/api"
)

func (c *ctl) dutyCommand() *cobra.Command {
	return c.act(deed{
		action: "change_floor", use: "duty", short: "Name another floor or deputy on duty",
		long:    "Whoever is not named stays. Another floor may act all the same; the journal says then that this one was not on duty.",
		example: "  shufflectl table duty --floor floor:8 --as floor:7 --reason \"going home\"\n  shufflectl table duty --deputy floor:9 --as floor:7",
		arguments: func(f *pflag.FlagSet) func([]string) (any, error) {
			var a api.ChangeFloor
			f.StringVar(&a.Floor, "floor", "", "floor on duty from now on, as `ROLE:ID`")
			f.StringVar(&a.Deputy, "deputy", "", "deputy from now on, as `ROLE:ID`")
			f.StringVar(&a.Reason, "reason", "", "`WHY`, in one line")
			return func([]string) (any, error) {
				if a.Floor == "" && a.Deputy == "" {
					return nil, errors.New("name a floor with --floor or a deputy with --deputy")
				}
				return a, nil
			}
		},
	})
}
