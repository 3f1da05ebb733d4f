package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"shuffler/config"
)

// configCommand is `shufflerd config`: it tells what the configuration is
// without starting anything.
func configCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Check or show the configuration",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	config.AddFlags(c.PersistentFlags())
	c.AddCommand(configCheckCommand(), configShowCommand(), configExampleCommand())
	return c
}

func configCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Tell every problem of the configuration, or that there is none",
		Long: "Reads the configuration as the daemon would and tells every problem with its\n" +
			"place and what to write instead. Exit code 78 if there is one, else 0.",
		Example: "  shufflerd config check --config new.yaml",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := config.Check(configOptions(c))
			if err != nil {
				return &exitError{exitConfiguration, err}
			}
			_, err = fmt.Fprint(c.OutOrStdout(), text)
			return err
		},
	}
}

func configShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show the configuration in force and where each value comes from",
		Long: "Prints the configuration that the daemon would use as YAML, each value with its\n" +
			"source: default, file and line, environment variable or flag.",
		Example: "  SHUFFLERD_LOG_LEVEL=debug shufflerd config show",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, src, err := config.Load(configOptions(c))
			if err != nil {
				return &exitError{exitConfiguration, err}
			}
			return config.Show(c.OutOrStdout(), cfg, src)
		},
	}
}

func configExampleCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "example",
		Short:   "Print a commented configuration file with every key at its default",
		Example: "  shufflerd config example > /etc/shuffler/shufflerd.yaml",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), config.Example())
			return err
		},
	}
}

// configOptions are the places to read for a command with config's flags.
func configOptions(c *cobra.Command) config.Options { return config.Options{Flags: c.Flags()} }
