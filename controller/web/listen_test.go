package web_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/web"
)

func TestListen_Unix(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run", api.SocketName)
	old := syscall.Umask(0o077)
	l, err := web.Listen("unix://" + path)
	syscall.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(path)
	if err != nil || fi.Mode() != os.ModeSocket|0o660 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	if di, _ := os.Stat(filepath.Dir(path)); di.Mode().Perm()&0o007 != 0 {
		t.Errorf("folder %v", di.Mode())
	}
	if _, err := web.Listen(path); err == nil || !strings.Contains(err.Error(), "another controller answers") {
		t.Errorf("a second one: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the first one's socket is gone: %v", err)
	}
	// A kill leaves the socket behind.
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	l, err = web.Listen(path)
	if err != nil {
		t.Fatalf("in the place of one that was left behind: %v", err)
	}
	found, err := api.FindServer(func(k string) string { return map[string]string{"RUNTIME_DIRECTORY": filepath.Dir(path)}[k] })
	if err != nil || found != "unix://"+path {
		t.Errorf("found %q, %v", found, err)
	}
	l.Close()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("after the end the socket is there: %v", err)
	}
}

func TestListen_RefusesWhatWouldHarm(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "precious")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[string]string{
		file:                              "something else of that name",
		link:                              "something else of that name",
		filepath.Join(open, "s"):          "everybody may write",
		filepath.Join(dir, "a", "b", "s"): "make the folder",
		filepath.Join(file, "s"):          "",
		filepath.Join(dir, strings.Repeat("x", 120)): "107",
		"unix://relative":      "slash",
		"0.0.0.0:0":            "other machines",
		"[::]:0":               "other machines",
		":0":                   "missing",
		"192.0.2.1:80":         "other machines",
		"example.org:80":       "other machines",
		"https://127.0.0.1:1":  "not spoken",
		"http://127.0.0.1:1/x": "more than host and port",
		"127.0.0.1":            "missing",
		"127.0.0.1:":           "missing",
		"":                     "missing",
	} {
		l, err := web.Listen(addr)
		if err == nil {
			l.Close()
			t.Errorf("%s was taken", addr)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something of %q", addr, err, want)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "x" {
		t.Errorf("the file is %q, %v", b, err)
	}
}

// TestListen_OverARealSocket: the client finds the server, over a unix socket and
// over loopback.
func TestListen_OverARealSocket(t *testing.T) {
	srv, stop := served(t)
	defer stop()
	for _, addr := range []string{"unix://" + filepath.Join(t.TempDir(), "s"), "127.0.0.1:0", "localhost:0"} {
		l, err := web.Listen(addr)
		if err != nil {
			t.Fatal(err)
		}
		server := addr
		if l.Addr().Network() == "tcp" {
			server = "http://" + l.Addr().String()
			if _, err := web.Listen(l.Addr().String()); err == nil || !strings.Contains(err.Error(), "another controller") {
				t.Errorf("the port twice: %v", err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- srv.Serve(ctx, l) }()
		c, err := api.Dial(server)
		if err != nil {
			t.Fatal(err)
		}
		v, err := c.Version(t.Context())
		if err != nil || v.Version != "test" || v.API != "v1" || v.Chain == "" || !strings.Contains(v.Head, ":") {
			t.Errorf("%s: %+v, %v", addr, v, err)
		}
		c.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
