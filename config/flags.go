package config

import "github.com/spf13/pflag"

// AddFlags adds --config and a flag for every scalar setting. The values stay
// text until Load checks them, so that a wrong flag is told like a wrong line of
// the file, together with all others.
func AddFlags(fs *pflag.FlagSet) {
	fs.String(PathFlag, "", "configuration file (default $"+PathVariable+", then "+SystemPath+")")
	for _, s := range scalars {
		f := fs.VarPF(&written{s.def, typeName(s.kind)}, flagName(s.key), "", s.note)
		if s.kind.tags[0] == tagBool {
			f.NoOptDefVal = "true"
		}
	}
}

// written is the text of a flag.
type written struct{ text, typeName string }

func (w *written) String() string     { return w.text }
func (w *written) Set(s string) error { w.text = s; return nil }
func (w *written) Type() string       { return w.typeName }

// typeName is what help shows behind a flag's name.
func typeName(k kind) string {
	switch {
	case k.tags[0] == tagBool:
		return "bool"
	case k.tags[0] == tagInt:
		return "number"
	case len(k.tags) > 1 && k.tags[1] == tagInt:
		return "duration"
	}
	return "string"
}
