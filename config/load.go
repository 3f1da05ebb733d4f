package config

import (
	"os"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Options are where Load looks. The zero value reads the process environment
// and the system's file.
type Options struct {
	// Path is the file to read, over $SHUFFLERD_CONFIG and SystemPath; a flag
	// --config in Flags goes before it. "" searches.
	Path string
	// Env are NAME=VALUE entries; nil means those of the process.
	Env []string
	// Flags are parsed flags, from AddFlags or a part of them. May be nil.
	Flags *pflag.FlagSet
	// WorkDir is what a relative --data starts from; "" means the process's
	// working directory.
	WorkDir string
	// SystemPath stands in for the constant of the same name; "" means that.
	SystemPath string
}

func (o Options) environment() map[string]string {
	if o.Env == nil {
		return variables(os.Environ())
	}
	return variables(o.Env)
}

// Load gives the configuration and where each value came from. The error is an
// *Error with every problem; the Config is the zero value then.
func Load(o Options) (Config, Sources, error) {
	env := o.environment()
	path, _ := find(o, env)
	return load(o, env, path)
}

// Reload reads again for a running program. It gives a fresh value; on any
// problem it gives prev back, with the error, and prev is never written to. A
// file that was in use must still be there: its absence is an error, not the
// defaults. (viper's WatchConfig reads a file in the middle of being written as
// empty and falls back to defaults.)
func Reload(o Options, prev Config, from Sources) (Config, Sources, error) {
	env := o.environment()
	path := from.Path
	if path == "" {
		path, _ = find(o, env)
	}
	next, src, err := load(o, env, path)
	if err != nil {
		return prev, from, err
	}
	return next, src, nil
}

func load(o Options, env map[string]string, path string) (Config, Sources, error) {
	rep := &report{}
	src := Sources{Path: path, at: map[string]place{}}
	c := Default()
	all := newLayers(rep)
	// Without a readable file a second round of complaints, about the defaults,
	// would only confuse.
	readable := path == "" || readFile(path, &c, all, rep, src)
	all.environment(env)
	all.flags(o.Flags, o.WorkDir)
	all.into(&c, src)
	if readable {
		validate(c, src, rep)
	}
	if err := rep.err(); err != nil {
		return Config{}, Sources{Path: path}, err
	}
	if p, err := c.ShuffleProcedure(); err == nil {
		c.Procedure.Steps = p.List() // with the usual actors filled in
	}
	return c, src, nil
}

func readFile(path string, c *Config, all *layers, rep *report, src Sources) bool {
	root := parse(path, rep)
	if root == nil {
		return false
	}
	r := &reading{path: path, rep: rep, src: src, known: keys()}
	r.leaves(root, "", r.known, func(key string, n *yaml.Node) {
		for _, l := range lists {
			if l.key == key {
				l.read(r, n, c)
			}
		}
		for _, s := range scalars {
			if s.key != key {
				continue
			}
			if text, ok := r.scalar(n, key, s.kind); ok {
				all.merge(key, given{text, r.at(n)})
			}
		}
	})
	return true
}

// keys are all keys that a file may have.
func keys() []string {
	var out []string
	for _, s := range scalars {
		out = append(out, s.key)
	}
	for _, l := range lists {
		out = append(out, l.key)
	}
	return out
}
