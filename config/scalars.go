package config

import (
	"strings"
	"time"

	"shuffler/shuffle"
)

// Where the configuration lies and what its variables begin with.
const (
	SystemPath     = "/etc/shuffler/shufflerd.yaml"
	PathVariable   = "SHUFFLERD_CONFIG"
	PathFlag       = "config"
	prefix         = "SHUFFLERD_"
	dataKey        = "data_dir"
	washAlways     = "always"
	checkAfterDraw = "check"
)

// Bounds of the waiting times. Nothing here is a rule: a wait below the least
// would cut off a healthy device or person, one above the most would hide a
// dead one from the table.
const (
	leastWait   = 5 * time.Second
	longestWait = 30 * time.Minute
	longRecheck = 72 * time.Hour
)

// scalars are all settings with one value, in the order in which people read
// them. Key, variable, flag, default, check and help text stand here only.
var scalars = []field[Config]{
	stringField("room.name", "Poker room", neededKind(), "name of the room on reports",
		func(c *Config) *string { return &c.Room.Name }),
	stringField("room.time_zone", "Asia/Shanghai", zoneKind(), "time zone of the room, an IANA name",
		func(c *Config) *string { return &c.Room.TimeZone }),
	stringField("room.language", "en", choiceKind("en", "zh-CN", "zh-TW"), "language of faults, prompts and reports: en, zh-CN or zh-TW",
		func(c *Config) *string { return &c.Room.Language }),
	stringField("room.activity_card", "", textKind(), "activity card in force, stated at opening",
		func(c *Config) *string { return &c.Room.ActivityCard }),
	stringField("room.manual_version", "V0.2 draft", textKind(), "version of the room's manual, stated at opening",
		func(c *Config) *string { return &c.Room.ManualVersion }),

	stringField(dataKey, "", pathKind("/var/lib/shuffler"), "folder of the journal; empty: $STATE_DIRECTORY, then $XDG_STATE_HOME/shuffler",
		func(c *Config) *string { return &c.DataDir }),

	stringField("log.level", "info", choiceKind("trace", "debug", "info", "warn", "error"), "least level that is logged: trace, debug, info, warn or error",
		func(c *Config) *string { return &c.Log.Level }),
	stringField("log.format", "auto", choiceKind("auto", "console", "json"), "auto (console on a terminal, else json), console or json",
		func(c *Config) *string { return &c.Log.Format }),

	stringField("procedure.version", shuffle.Default().Version, neededKind(), "version of the shuffle procedure, on every report",
		func(c *Config) *string { return &c.Procedure.Version }),
	stringField("procedure.wash", "when_required", choiceKind("when_required", washAlways), "when_required (new deck, opening, break, draw) or always",
		func(c *Config) *string { return &c.Procedure.Wash }),
	truthField("procedure.wash_after_stop", true, "a shuffle that was stopped begins again with a wash",
		func(c *Config) *bool { return &c.Procedure.WashAfterStop }),
	countField("procedure.min_cut_cards", shuffle.DefaultMinCut, shuffle.LeastMinCut, shuffle.MostMinCut, "fewest cards that a cut moves, on either side",
		func(c *Config) *int { return &c.Procedure.MinCutCards }),
	stringField("procedure.approved_by", "", textKind(), "who approved the procedure; with approved_at, or both empty for a draft",
		func(c *Config) *string { return &c.Procedure.ApprovedBy }),
	stringField("procedure.approved_at", "", dateKind(), "day of the approval, as 2026-03-31",
		func(c *Config) *string { return &c.Procedure.ApprovedAt }),

	truthField("hand.confirm_button_and_blinds", true, "button, blinds and seats are confirmed before each hand",
		func(c *Config) *bool { return &c.Hand.ConfirmButtonAndBlinds }),

	truthField("check.countersign_new_deck", true, "a new deck needs the floor's countersignature",
		func(c *Config) *bool { return &c.Check.CountersignNewDeck }),
	countField("check.recheck_every_hands", 0, 0, 1000, "hands after which an identity check is due again, 0 for never",
		func(c *Config) *int { return &c.Check.RecheckEveryHands }),
	spanField("check.recheck_after", 0, 0, longRecheck, "time after which an identity check is due again, 0s for never",
		func(c *Config) *time.Duration { return &c.Check.RecheckAfter }),
	stringField("check.after_draw", "count", choiceKind("count", checkAfterDraw), "what a deck owes beside the wash after a draw or chip race: count or check",
		func(c *Config) *string { return &c.Check.AfterDraw }),
	spanField("check.scan_timeout", time.Minute, leastWait, longestWait, "longest time of a whole deck check",
		func(c *Config) *time.Duration { return &c.Check.ScanTimeout }),

	spanField("machine.step_timeout", time.Minute, leastWait, longestWait, "longest time of one motion of the machine",
		func(c *Config) *time.Duration { return &c.Machine.StepTimeout }),

	countField("journal.disk_warn_percent", 80, 1, 99, "warn when the journal's disk is this full",
		func(c *Config) *int { return &c.Journal.DiskWarnPercent }),
}

// Variable is one scalar setting as documentation and help need it.
type Variable struct {
	Key     string // check.scan_timeout
	Env     string // SHUFFLERD_CHECK_SCAN_TIMEOUT
	Flag    string // check-scan-timeout, without dashes before it
	Default string
	Wants   string
	Note    string
}

// Variables are all scalar settings in the order of the example file.
func Variables() []Variable {
	all := make([]Variable, len(scalars))
	for i, s := range scalars {
		all[i] = Variable{Key: s.key, Env: envName(s.key), Flag: flagName(s.key), Default: s.def, Wants: s.kind.wants, Note: s.note}
	}
	return all
}

func envName(key string) string { return prefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_")) }

func flagName(key string) string {
	if key == dataKey {
		return "data" // the name that the other commands use for the same folder
	}
	return strings.NewReplacer(".", "-", "_", "-").Replace(key)
}
