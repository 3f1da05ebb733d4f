package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// DataFolder tells where the journal lies and why there: data_dir (file,
// $SHUFFLERD_DATA_DIR or --data), else $STATE_DIRECTORY as systemd sets it, else
// $XDG_STATE_HOME/shuffler, else ~/.local/state/shuffler. It creates nothing.
// A nil env means that of the process.
func (c Config) DataFolder(env []string) (dir, why string, err error) {
	if env == nil {
		env = os.Environ()
	}
	v := variables(env)
	switch {
	case c.DataDir != "":
		return filepath.Clean(c.DataDir), dataKey, nil
	case v["STATE_DIRECTORY"] != "":
		// systemd gives several folders separated by colons; the first is ours.
		first, _, _ := strings.Cut(v["STATE_DIRECTORY"], ":")
		if !filepath.IsAbs(first) {
			return "", "", errors.New("$STATE_DIRECTORY is " + shown(first) + ", no absolute path; set --data")
		}
		return filepath.Clean(first), "$STATE_DIRECTORY", nil
	case filepath.IsAbs(v["XDG_STATE_HOME"]): // the XDG rules ignore a relative one
		return filepath.Join(v["XDG_STATE_HOME"], "shuffler"), "$XDG_STATE_HOME", nil
	case filepath.IsAbs(v["HOME"]):
		return filepath.Join(v["HOME"], ".local", "state", "shuffler"), "$HOME", nil
	}
	return "", "", errors.New("no data folder: neither data_dir nor $STATE_DIRECTORY, $XDG_STATE_HOME or $HOME is set; set --data")
}
