package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// given is a value with the place where it was written. The places travel
// through viper with the values, so that what Show tells cannot differ from
// what counts.
type given struct {
	text string
	at   place
}

// layers puts default, file, environment and flag over each other for every
// scalar. The environment is merged over the file here instead of being bound
// by viper: its AutomaticEnv overlooks keys without default, takes an empty
// variable for unset in some calls only, and cannot tell where a value is from.
type layers struct {
	v   *viper.Viper
	rep *report
}

func newLayers(rep *report) *layers {
	l := &layers{viper.New(), rep}
	for _, s := range scalars {
		l.v.SetDefault(s.key, given{text: s.def})
	}
	return l
}

// merge puts a value over what stands.
func (l *layers) merge(key string, g given) {
	var value any = g
	parts := strings.Split(key, ".")
	for _, p := range slices.Backward(parts) {
		value = map[string]any{p: value}
	}
	if err := l.v.MergeConfigMap(value.(map[string]any)); err != nil {
		l.rep.add(g.at, key, "", "%v", err)
	}
}

// check tells a problem of a value from environment or flag.
func (l *layers) check(s field[Config], g given) bool {
	f := s.kind.check(g.text)
	if f != nil {
		l.rep.add(g.at, s.key, f.hint, "%s %s", shown(g.text), f.what)
	}
	return f == nil
}

// environment reads all variables of ours. One that is empty counts as not set,
// as supervisors pass it on; one that nobody knows is a misspelling.
func (l *layers) environment(env map[string]string) {
	known := map[string]field[Config]{}
	names := []string{PathVariable}
	for _, s := range scalars {
		known[envName(s.key)] = s
		names = append(names, envName(s.key))
	}
	for _, name := range sortedKeys(env) {
		value := env[name]
		if !strings.HasPrefix(name, prefix) || name == PathVariable {
			continue
		}
		at := place{layer: fromEnvironment, name: shown(name)}
		s, ok := known[name]
		switch {
		case ok && value == "":
		case ok:
			if g := (given{value, at}); l.check(s, g) {
				l.merge(s.key, g)
			}
		case isList(name):
			l.rep.add(at, "", "unset it and write the list into the file", "a list can be set in the file only")
		default:
			hint := "unset it"
			if n := nearest(name, names); n != "" {
				hint = "did you mean " + n + "?"
			}
			l.rep.add(at, "", hint, "unknown variable")
		}
	}
}

func isList(env string) bool {
	return slices.ContainsFunc(lists, func(l list) bool { return envName(l.key) == env })
}

// flags binds those flags that were written on the command line. A relative
// folder is meant from where one stands, workDir.
func (l *layers) flags(fs *pflag.FlagSet, workDir string) {
	if fs == nil {
		return
	}
	for _, s := range scalars {
		f := fs.Lookup(flagName(s.key))
		if f == nil || !f.Changed {
			continue
		}
		g := given{f.Value.String(), place{layer: fromFlag, name: f.Name}}
		if s.key == dataKey {
			g.text = l.absolute(g, workDir)
		}
		if !l.check(s, g) {
			continue
		}
		if err := l.v.BindFlagValue(s.key, typed(g)); err != nil {
			l.rep.add(g.at, s.key, "", "%v", err)
		}
	}
}

func (l *layers) absolute(g given, workDir string) string {
	if g.text == "" || filepath.IsAbs(g.text) {
		return g.text
	}
	if workDir == "" {
		var err error
		if workDir, err = os.Getwd(); err != nil {
			l.rep.add(g.at, dataKey, "write the whole path", "the working directory cannot be told: %v", err)
		}
	}
	return filepath.Join(workDir, g.text)
}

// typed is a flag as viper takes it: one that was written, as text.
type typed given

func (typed) HasChanged() bool      { return true }
func (t typed) Name() string        { return t.at.name }
func (t typed) ValueString() string { return t.text }
func (typed) ValueType() string     { return "string" }

// into sets every scalar to the value that wins.
func (l *layers) into(c *Config, src Sources) {
	for _, s := range scalars {
		switch w := l.v.Get(s.key).(type) {
		case given:
			s.set(c, w.text)
			src.note(s.key, w.at)
		case string: // viper gives a flag as its bare text
			s.set(c, w)
			src.note(s.key, place{layer: fromFlag, name: flagName(s.key)})
		default:
			panic(fmt.Sprintf("config: %s is lost between the layers", s.key))
		}
	}
}

// variables makes a map of NAME=VALUE entries; the last of two counts.
func variables(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, e := range env {
		if name, value, ok := strings.Cut(e, "="); ok {
			m[name] = value
		}
	}
	return m
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
