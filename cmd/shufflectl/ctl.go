package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shuffler/controller/api"
	"shuffler/controller/report"
	"shuffler/controller/table/custody"
)

// Environment variables that stand for a flag which is not given.
const (
	envServer = "SHUFFLECTL_SERVER"
	envTable  = "SHUFFLECTL_TABLE"
	envAs     = "SHUFFLECTL_AS"
)

// ctl is one run of the program: what it was told, and the controller it talks to.
type ctl struct {
	host

	server, table, as, approvedBy, key string
	output                             format
	lang, zone                         string

	words  report.Options // by lang and zone
	client *api.Client    // made when first needed
}

const about = `Shufflectl talks to the shufflerd that runs beside the poker tables: look at a table, do what the dealer's or the
floor's screen can do, read the hands, and check the journal.

Commands are a thing and what to do with it: "table status", "deck check A", "handoff accept". Those that change something
need to know who acts: --as dealer:12 or --as floor:7. The controller writes that name down as it is given.

The controller is found by itself on the machine it runs on. The commands under "journal", and the reports of hands, decks
and handoffs, also read a data folder without any controller: --data DIR.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by a rule of the room, 4 the controller does not answer, 5 the
journal is not what was written, 75 another process has the data folder.

Environment: ` + envServer + `, ` + envTable + ` and ` + envAs + ` stand for --server, --table and --as. LANG chooses the
language of faults, refusals, next actions and reports.`

// root makes the command with everything under it.
func (c *ctl) root() *cobra.Command {
	root := &cobra.Command{
		Use: "shufflectl", Short: "Look at poker tables, act at them, and check their journal", Long: about,
		SilenceUsage: true, SilenceErrors: true,
		Args: unknownCommand, RunE: showHelp,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return c.prepare(cmd) },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageOf(cmd, "%w", err) })
	f := root.PersistentFlags()
	f.StringVar(&c.server, "server", "", "`ADDRESS` where the controller listens: unix:///path, a path, or http://127.0.0.1:PORT (else it is searched for)")
	f.StringVarP(&c.table, "table", "t", "", "the `TABLE` that is meant (not needed where there is only one)")
	f.StringVar(&c.as, "as", "", "who acts, as `ROLE:ID`: dealer:12, floor:7, technician:2")
	f.StringVar(&c.approvedBy, "approved-by", "", "the second person, as `ROLE:ID`, where a rule wants one: floor:7")
	f.StringVar(&c.key, "key", "", "repeat a request whose outcome is not known, with the `KEY` that was told then")
	f.VarP(&c.output, "output", "o", "how to print, a `FORMAT` of table, json or csv (csv opens in Excel)")
	f.StringVar(&c.lang, "lang", "", "`LANGUAGE` of faults, refusals, next actions and reports: en, zh-CN or zh-TW (else by LANG)")
	f.StringVar(&c.zone, "zone", "", "time `ZONE` of what is printed, such as Asia/Shanghai (else the machine's)")
	complete(root, "output", formats()...)
	complete(root, "lang", "en", "zh-CN", "zh-TW")
	_ = root.RegisterFlagCompletionFunc("table", c.completeTables)
	root.AddCommand(
		c.tableCommands(), c.dealerCommands(), c.deckCommands(), c.seatsCommands(), c.levelCommands(), c.shuffleCommands(), c.handCommands(),
		c.handoffCommands(), c.faultCommands(), c.deviceCommands(), c.journalCommands(), c.versionCommand(), c.manCommand(root),
	)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.InitDefaultCompletionCmd() // keeps where the output went at that time
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args, cmd.RunE = unknownCommand, showHelp
		}
	}
	return root
}

// group is a noun: it only holds verbs.
func group(noun, short string, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: noun, Short: short, Args: unknownCommand, RunE: showHelp}
	cmd.AddCommand(verbs...)
	return cmd
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// unknownCommand refuses a word that is no command, and names those that it may
// have been meant for.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	meant := ""
	if cmd.SuggestionsMinimumDistance == 0 {
		cmd.SuggestionsMinimumDistance = 2
	}
	if s := cmd.SuggestionsFor(args[0]); len(s) > 0 {
		meant = ", did you mean " + strings.Join(s, " or ") + "?"
	}
	return usageOf(cmd, "%s has no command %q%s", cmd.CommandPath(), args[0], meant)
}

// exactly takes the words that a command's use names in capitals, optional ones
// in brackets.
func exactly(cmd *cobra.Command, args []string) error {
	words := strings.Fields(cmd.Use)[1:]
	least := 0
	for _, w := range words {
		if !strings.HasPrefix(w, "[") {
			least++
		}
	}
	switch {
	case len(args) < least:
		return usageOf(cmd, "%s: %s is missing", cmd.CommandPath(), words[len(args)])
	case len(args) > len(words):
		return usageOf(cmd, "%s: %q is too much", cmd.CommandPath(), args[len(words)])
	}
	return nil
}

// prepare reads what holds for every command.
func (c *ctl) prepare(cmd *cobra.Command) error {
	for _, v := range []struct {
		into *string
		name string
	}{{&c.server, envServer}, {&c.table, envTable}, {&c.as, envAs}} {
		if *v.into == "" {
			*v.into = c.getenv(v.name)
		}
	}
	for flag, who := range map[string]string{"as": c.as, "approved-by": c.approvedBy} {
		if _, err := custody.ParsePerson(who); err != nil {
			return usageOf(cmd, "--%s: %w", flag, err)
		}
	}
	zone := c.local
	if c.zone != "" {
		var err error
		if zone, err = time.LoadLocation(c.zone); err != nil {
			return usageOf(cmd, "--zone: %w: want a name such as Asia/Shanghai", err)
		}
	}
	lang, err := c.language()
	if err != nil {
		return usageOf(cmd, "--lang: %w", err)
	}
	c.words = report.Options{Lang: lang, Zone: zone}
	if c.screen != nil {
		c.words.Width, _ = c.screen.size()
	}
	return nil
}

// language is the flag's, else the environment's where there are texts in it.
func (c *ctl) language() (report.Lang, error) {
	if c.lang != "" {
		return report.ParseLang(c.lang)
	}
	return cmp.Or(report.LangOfEnvironment(c.getenv), report.English), nil
}

// controller is the client of the running controller. It does not connect yet.
func (c *ctl) controller() (*api.Client, error) {
	if c.client != nil {
		return c.client, nil
	}
	if c.server == "" {
		found, err := api.FindServer(c.getenv)
		if err != nil {
			return nil, err
		}
		c.server = found
	}
	client, err := api.Dial(c.server)
	if err != nil {
		return nil, usage("--server: %w", err)
	}
	client.Patience = c.patience
	c.client = client
	return client, nil
}

// oneTable is the table that was asked for, or the only one there is.
func (c *ctl) oneTable(ctx context.Context) (string, error) {
	if c.table != "" {
		return c.table, nil
	}
	client, err := c.controller()
	if err != nil {
		return "", err
	}
	all, err := client.Tables(ctx)
	if err != nil {
		return "", err
	}
	switch len(all) {
	case 0:
		return "", fmt.Errorf("the controller has no table: its configuration lists them")
	case 1:
		return all[0].Table, nil
	}
	var names []string
	for _, t := range all {
		names = append(names, t.Table)
	}
	return "", usage("which table? give --table: there are %s", strings.Join(names, ", "))
}

// complete lists the values that a flag may have, for the shell.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is not there: a mistake in this package
	}
}

// completionWithin is how long a shell is kept waiting for the names of tables.
const completionWithin = time.Second

func (c *ctl) completeTables(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(context.Background(), completionWithin)
	defer cancel()
	if err := c.prepare(cmd); err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	client, err := c.controller()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	all, err := client.Tables(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, t := range all {
		names = append(names, t.Table)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
