package api_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shuffler/controller/api"
)

func TestParseAddress(t *testing.T) {
	for in, want := range map[string]api.Address{
		"unix:///run/s.sock":     {Network: "unix", Address: "/run/s.sock"},
		"/run/s.sock":            {Network: "unix", Address: "/run/s.sock"},
		"./s.sock":               {Network: "unix", Address: "./s.sock"},
		"http://127.0.0.1:8080":  {Network: "tcp", Address: "127.0.0.1:8080"},
		"http://127.0.0.1:8080/": {Network: "tcp", Address: "127.0.0.1:8080"},
		"[::1]:80":               {Network: "tcp", Address: "[::1]:80"},
		"localhost:80":           {Network: "tcp", Address: "localhost:80"},
	} {
		if got, err := api.ParseAddress(in); err != nil || got != want {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "unix://", "unix://x", "https://h:1", "http://u@h:1", "http://h:1/p", "http://h:1?q", "h", "h:", ":1", "http://h"} {
		if got, err := api.ParseAddress(in); err == nil {
			t.Errorf("%q was taken as %+v", in, got)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"unix:///a", "http://[::1]:1", "a:b:c", "://", "http://%zz:1", "/\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := api.ParseAddress(s)
		if err == nil && (a.Address == "" || a.Network != "unix" && a.Network != "tcp") {
			t.Errorf("%q is %+v", s, a)
		}
	})
}

// TestFindServer: the order of DESIGN, "First hour".
func TestFindServer(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(b, "shuffler"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"RUNTIME_DIRECTORY": "relative:" + a, "XDG_RUNTIME_DIR": b}
	getenv := func(k string) string { return env[k] }
	first, second := filepath.Join(a, api.SocketName), filepath.Join(b, "shuffler", api.SocketName)
	if got := api.SocketPaths(getenv); !slices.Equal(got, []string{first, second, "/run/shuffler/" + api.SocketName}) {
		t.Errorf("places %v", got)
	}
	if got := api.SocketPaths(func(string) string { return "" }); !slices.Equal(got, []string{"/run/shuffler/" + api.SocketName}) {
		t.Errorf("places without an environment: %v", got)
	}
	for i, path := range []string{second, first} { // the earlier place wins as soon as it is there
		if i == 1 {
			if err := os.WriteFile(first, nil, 0o600); err != nil { // no socket
				t.Fatal(err)
			}
			if got, _ := api.FindServer(getenv); got != "unix://"+second {
				t.Errorf("a file was taken for a socket: %q", got)
			}
			os.Remove(first)
		}
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if got, err := api.FindServer(getenv); err != nil || got != "unix://"+path {
			t.Errorf("found %q, %v; want %s", got, err, path)
		}
	}
	if _, err := os.Stat("/run/shuffler"); os.IsNotExist(err) {
		if got, err := api.FindServer(func(string) string { return "" }); !errors.Is(err, api.ErrUnreachable) {
			t.Errorf("nowhere: %q, %v", got, err)
		}
	}
}
