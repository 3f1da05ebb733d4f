package config

import (
	"fmt"
	"regexp"
	"strings"
)

// Check loads the configuration and tells in plain words what it comes to and
// what looks odd though it is allowed. The error is Load's; the text is empty
// then.
func Check(o Options) (string, error) {
	c, src, err := Load(o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "configuration: %s\n", src.File())
	fmt.Fprintf(&b, "room: %s, %s, language %s\n", c.Room.Name, c.Room.TimeZone, c.Room.Language)
	fmt.Fprintf(&b, "tables: %s\n", strings.Join(tableNames(c), ", "))
	first, last := c.Levels[0], c.Levels[len(c.Levels)-1]
	fmt.Fprintf(&b, "levels: %d, from %d/%d to %d/%d\n", len(c.Levels), first.SmallBlind, first.BigBlind, last.SmallBlind, last.BigBlind)
	fmt.Fprintf(&b, "procedure: %s, %s\n", c.Procedure.Version, approval(c.Procedure))
	fmt.Fprintf(&b, "steps: %s\n", strings.Join(c.Procedure.Steps, " → "))
	for _, o := range oddities(c) {
		fmt.Fprintf(&b, "note: %s\n", o)
	}
	b.WriteString("valid\n")
	return b.String(), nil
}

func tableNames(c Config) []string {
	var out []string
	for _, t := range c.Tables {
		s := t.ID
		if t.Name != "" {
			s += " (" + t.Name + ")"
		}
		out = append(out, s)
	}
	return out
}

func approval(p Procedure) string {
	if p.Draft() {
		return "draft"
	}
	return "approved by " + p.ApprovedBy + " on " + p.ApprovedAt
}

// unstablePort is a device name that the kernel gives out anew at each plug.
var unstablePort = regexp.MustCompile(`^/dev/tty(USB|ACM)\d+$`)

// oddities are things that are allowed and often a mistake.
func oddities(c Config) []string {
	var out []string
	if c.Procedure.Draft() {
		out = append(out, "nobody has approved the shuffle procedure; every report will say draft (procedure.approved_by, approved_at)")
	}
	for i, l := range c.Levels {
		if l.BigBlindAnte > l.BigBlind {
			out = append(out, fmt.Sprintf("levels[%d].big_blind_ante: %d is more than the big blind %d", i, l.BigBlindAnte, l.BigBlind))
		}
	}
	for i, t := range c.Tables {
		for _, p := range []struct{ device, port string }{{"shuffler", t.ShufflerPort}, {"scanner", t.ScannerPort}} {
			switch {
			case p.port == "":
				out = append(out, fmt.Sprintf("tables[%d]: no %s", i, p.device))
			case unstablePort.MatchString(p.port):
				out = append(out, fmt.Sprintf("tables[%d].%s.port: %s may be another device after the next plug; take its name under /dev/serial/by-path", i, p.device, p.port))
			case strings.HasPrefix(p.port, "/dev/serial/by-id/"):
				out = append(out, fmt.Sprintf("tables[%d].%s.port: identical adapters share one name under by-id; take the one under /dev/serial/by-path", i, p.device))
			}
		}
	}
	return out
}
