package main

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
)

func (c *ctl) deviceCommands() *cobra.Command {
	return group("device", "The machines at the tables", &cobra.Command{
		Use: "list", Short: "Each machine with its link: is it there, since when was it heard, what went wrong", Args: exactly,
		Long: "For a technician. A machine that has proven nothing about itself is called not authenticated. -o csv and -o json have all\n" +
			"counters of the link.",
		Example: "  shufflectl device list\n  shufflectl device list --table 4 -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.controller()
			if err != nil {
				return err
			}
			all, err := client.Devices(cmd.Context())
			if err != nil {
				return err
			}
			kept := []api.DeviceLink{}
			for _, d := range all {
				if c.table == "" || d.Table == c.table {
					kept = append(kept, d)
				}
			}
			if len(kept) == 0 && c.table != "" {
				return usage("there is no machine at a table %q: see shufflectl table list", c.table)
			}
			return c.list(kept, c.deviceSheet(kept))
		},
	})
}

func (c *ctl) deviceSheet(all []api.DeviceLink) sheet {
	s := sheet{none: "There is no machine.", columns: []column{
		col("table", "Table"), col("part", "Part"), col("linked", "Link"), num("heard_ms", "Heard"), col("model", "Model"), col("serial", "Serial"), col("firmware", "Firmware"),
		col("authenticated", "Identity"), col("port", "Port"), col("problem", "Trouble"),
	}}
	if !c.forPeople() {
		for _, name := range []string{"frames", "bad_frames", "retries", "halts", "losses", "restarts", "opens"} {
			s.columns = append(s.columns, num(name, name))
		}
	}
	for _, d := range all {
		linked, heard, identity := strconv.FormatBool(d.Linked), strconv.FormatInt(d.HeardMS, 10), strconv.FormatBool(d.Authenticated)
		if c.forPeople() {
			linked, identity = c.label("not connected"), ""
			if d.Linked {
				linked, identity = c.label("connected"), c.label("not authenticated")
			}
			if d.Authenticated {
				identity = c.label("authenticated")
			}
			heard = ""
			if d.HeardMS != 0 {
				heard = (time.Duration(d.HeardMS) * time.Millisecond).Round(10 * time.Millisecond).String()
			}
		}
		row := []any{d.Table, c.named(d.Part), linked, heard, d.Model, d.Serial, d.Firmware, identity, d.Port, d.Problem}
		if !c.forPeople() {
			row = append(row, d.Frames, d.BadFrames, d.Retries, d.Halts, d.Losses, d.Restarts, d.Opens)
		}
		s.add(row...)
	}
	return s
}
