package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
)

func (c *ctl) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "The versions of this program and of the controller", Args: exactly, Example: "  shufflectl version",
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := struct {
				Shufflectl string       `json:"shufflectl"`
				Controller *api.Version `json:"controller,omitempty"`
				Trouble    string       `json:"trouble,omitempty"`
			}{Shufflectl: version}
			client, err := c.controller()
			if err == nil {
				var v api.Version
				if v, err = client.Version(cmd.Context()); err == nil {
					out.Controller = &v
				}
			}
			if err != nil { // it is no failure of this command
				out.Trouble = err.Error()
			}
			s := sheet{columns: []column{col("program", "Program"), col("version", "Version"), col("head", "Journal")}}
			s.add("shufflectl", version, "")
			if v := out.Controller; v != nil {
				head := v.Head
				if c.forPeople() {
					head = shortHead(head)
				}
				s.add("shufflerd", v.Version, head)
			} else if c.forPeople() {
				s.add("shufflerd", "?", "")
				defer fmt.Fprintln(c.stderr, "shufflectl:", clean(out.Trouble))
			}
			return c.list(out, s)
		},
	}
}
