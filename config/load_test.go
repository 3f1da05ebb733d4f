package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// in writes text to a file and gives options that read it and nothing else.
func in(t testing.TB, text string) Options {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shufflerd.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Options{Path: path, Env: []string{}, SystemPath: filepath.Join(t.TempDir(), "absent.yaml")}
}

// with adds written flags.
func with(t testing.TB, o Options, args ...string) Options {
	t.Helper()
	o.Flags = pflag.NewFlagSet("test", pflag.ContinueOnError)
	AddFlags(o.Flags)
	if err := o.Flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return o
}

func good(t testing.TB, o Options) (Config, Sources) {
	t.Helper()
	c, src, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, src
}

// problems loads what must fail, and gives the report without folder names.
func problems(t testing.TB, o Options) string {
	t.Helper()
	c, _, err := Load(o)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("Load gave %v, want problems", err)
	}
	if !reflect.DeepEqual(c, Config{}) {
		t.Error("Load gave a configuration together with problems")
	}
	return strings.ReplaceAll(err.Error(), filepath.Dir(o.Path)+"/", "")
}

func wants(t testing.TB, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("no %q in:\n%s", p, got)
		}
	}
}

// The demo needs no file: without one, the defaults are whole and valid.
func TestDefaultsAloneAreValid(t *testing.T) {
	c, src := good(t, Options{Env: []string{}, SystemPath: filepath.Join(t.TempDir(), "absent")})
	if !reflect.DeepEqual(c, Default()) {
		t.Errorf("without file: %+v", c)
	}
	if src.File() != "none: built-in defaults" {
		t.Errorf("file: %s", src.File())
	}
	for _, k := range keys() {
		if src.Of(k) != "default" {
			t.Errorf("%s comes from %s", k, src.Of(k))
		}
	}
	if c.Check.ScanTimeout != time.Minute || len(c.Levels) != 8 || c.Tables[0].ID != "1" || !c.Procedure.Draft() || c.Location().String() != "Asia/Shanghai" {
		t.Errorf("defaults: %+v", c)
	}
}

func TestSearchOrder(t *testing.T) {
	file := func(name string) string {
		p := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(p, []byte("room: {name: "+name+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	system, variable, option, flag := file("system"), file("variable"), file("option"), file("flag")
	o := Options{Env: []string{}, SystemPath: system}
	check := func(want string) {
		t.Helper()
		c, src := good(t, o)
		if c.Room.Name != want || filepath.Base(src.Path) != want {
			t.Errorf("read %s from %s, want %s", c.Room.Name, src.Path, want)
		}
	}
	check("system")
	o.Env = []string{"SHUFFLERD_CONFIG=" + variable}
	check("variable")
	o.Path = option
	check("option")
	o = with(t, o, "--config", flag)
	check("flag")
}

// A file that was asked for must be there; the defaults are no stand-in.
func TestMissingFileIsAnError(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.yaml")
	for name, o := range map[string]Options{
		"option":   {Path: gone, Env: []string{}},
		"variable": {Env: []string{"SHUFFLERD_CONFIG=" + gone}},
		"flag":     with(t, Options{Env: []string{}}, "--config", gone),
		"folder":   {Path: filepath.Dir(gone), Env: []string{}},
	} {
		_, _, err := Load(o)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		wants(t, err.Error(), filepath.Dir(gone), "cannot be read", "--config")
	}
}

// alternatives are a valid value other than the default for every scalar.
var alternatives = map[string]string{
	"room.name": "Hall 2", "room.time_zone": "Europe/Paris", "room.language": "zh-CN", "room.activity_card": "A-7", "room.manual_version": "V1",
	"data_dir": "/srv/shuffler", "log.level": "debug", "log.format": "json",
	"procedure.version": "house-2", "procedure.wash": "always", "procedure.min_cut_cards": "12",
	"procedure.approved_by": "floor:7", "procedure.approved_at": "2026-03-31",
	"procedure.wash_after_stop": "false", "hand.confirm_button_and_blinds": "false",
	"check.countersign_new_deck": "false", "check.recheck_every_hands": "40", "check.recheck_after": "4h", "check.scan_timeout": "90s",
	"check.after_draw":          "check",
	"machine.step_timeout":      "45s",
	"journal.disk_warn_percent": "70",
}

// companions keep a configuration valid in which only one key was changed.
var companions = map[string]string{"procedure.approved_by": "procedure.approved_at", "procedure.approved_at": "procedure.approved_by"}

func line(s field[Config], value string) string {
	if s.kind.quoted {
		value = `"` + value + `"`
	}
	section, name, nested := cutLast(s.key)
	if nested {
		return section + ": {" + name + ": " + value + "}\n"
	}
	return name + ": " + value + "\n"
}

// viper#761, #1895: variables of keys without a default were ignored. Every
// documented key is set alone in each of the three places.
func TestViper761_EveryVariableAndFlagAndKeyCounts(t *testing.T) {
	for i, v := range Variables() {
		s, value := scalars[i], alternatives[v.Key]
		if value == "" || value == v.Default {
			t.Fatalf("no alternative for %s", v.Key)
		}
		text, env, flags := line(s, value), []string{v.Env + "=" + value}, []string{"--" + v.Flag + "=" + value}
		if other := companions[v.Key]; other != "" {
			text = "procedure: {approved_by: floor:7, approved_at: 2026-03-31}\n"
			env = append(env, envName(other)+"="+alternatives[other])
			flags = append(flags, "--"+flagName(other)+"="+alternatives[other])
		}
		none := Options{Env: []string{}, SystemPath: "/nonexistent/x"}
		fromEnv := none
		fromEnv.Env = env
		for from, o := range map[string]Options{
			"shufflerd.yaml:1":     in(t, text),
			"environment " + v.Env: fromEnv,
			"flag --" + v.Flag:     with(t, none, flags...),
		} {
			c, src := good(t, o)
			if s.get(c) != canonical(s, value) {
				t.Errorf("%s by %s is %q, want %q", v.Key, from, s.get(c), value)
			}
			if got := src.Of(v.Key); !strings.HasSuffix(got, from) {
				t.Errorf("%s comes from %q, want %q", v.Key, got, from)
			}
			if reflect.DeepEqual(c, Default()) {
				t.Errorf("%s by %s changed nothing", v.Key, from)
			}
		}
	}
}

func canonical(s field[Config], text string) string {
	var c Config
	s.set(&c, text)
	return s.get(c)
}

func TestFlagOverEnvironmentOverFileOverDefault(t *testing.T) {
	o := in(t, "check:\n  scan_timeout: 61s\n")
	expect := func(want time.Duration, from string) {
		t.Helper()
		c, src := good(t, o)
		if c.Check.ScanTimeout != want || !strings.HasSuffix(src.Of("check.scan_timeout"), from) {
			t.Errorf("%v from %s, want %v from %s", c.Check.ScanTimeout, src.Of("check.scan_timeout"), want, from)
		}
	}
	expect(61*time.Second, "shufflerd.yaml:2")
	o.Env = []string{"SHUFFLERD_CHECK_SCAN_TIMEOUT=62s"}
	expect(62*time.Second, "environment SHUFFLERD_CHECK_SCAN_TIMEOUT")
	o = with(t, o, "--check-scan-timeout=63s")
	expect(63*time.Second, "flag --check-scan-timeout")
	o = with(t, o)
	expect(62*time.Second, "environment SHUFFLERD_CHECK_SCAN_TIMEOUT")
	o.Env = []string{"SHUFFLERD_CHECK_SCAN_TIMEOUT="} // a supervisor passes on an empty variable
	expect(61*time.Second, "shufflerd.yaml:2")
}

// A value that another place overrides is still checked: it would count again
// as soon as the other is gone.
func TestOverriddenValueIsChecked(t *testing.T) {
	o := with(t, in(t, "check: {scan_timeout: 500}\n"), "--check-scan-timeout=63s")
	wants(t, problems(t, o), "shufflerd.yaml:1: check.scan_timeout: 500 has no unit; write 500s")
}

func TestRelativeDataFlagIsMeantFromTheWorkingDirectory(t *testing.T) {
	o := with(t, Options{Env: []string{}, WorkDir: "/srv", SystemPath: "/nonexistent/x"}, "--data", "evening")
	for range 2 { // a second reading sees the same flag
		if c, _ := good(t, o); c.DataDir != "/srv/evening" {
			t.Errorf("data_dir %q", c.DataDir)
		}
	}
	wants(t, problems(t, in(t, "data_dir: evening\n")), "shufflerd.yaml:1: data_dir: evening is not an absolute path")
}

func TestDataFolder(t *testing.T) {
	for _, c := range []struct {
		name, dataDir string
		env           []string
		dir, why      string
	}{
		{"set", "/a", []string{"STATE_DIRECTORY=/b"}, "/a", "data_dir"},
		{"systemd", "", []string{"STATE_DIRECTORY=/b:/c", "XDG_STATE_HOME=/d"}, "/b", "$STATE_DIRECTORY"},
		{"xdg", "", []string{"XDG_STATE_HOME=/d", "HOME=/h"}, "/d/shuffler", "$XDG_STATE_HOME"},
		{"relative xdg", "", []string{"XDG_STATE_HOME=d", "HOME=/h"}, "/h/.local/state/shuffler", "$HOME"},
		{"relative systemd", "", []string{"STATE_DIRECTORY=b"}, "", ""},
		{"nothing", "", []string{}, "", ""},
	} {
		cfg := Default()
		cfg.DataDir = c.dataDir
		dir, why, err := cfg.DataFolder(c.env)
		if dir != c.dir || why != c.why || (err != nil) != (c.dir == "") {
			t.Errorf("%s: %q because of %q, %v", c.name, dir, why, err)
		}
		if err != nil {
			wants(t, err.Error(), "--data")
		}
	}
}
