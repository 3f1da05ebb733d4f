package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/sim/rig"
)

// patience bounds what a test waits for; nothing is measured by it.
const patience = 30 * time.Second

// binaries is the folder that built made, if it did.
var binaries string

// built is the daemon's binary, made once.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "shufflerd-test-")
	if err != nil {
		return "", err
	}
	binaries = dir
	out, err := exec.Command("go", "build", "-o", dir, "shuffler/cmd/...").CombinedOutput()
	if err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if binaries != "" {
		_ = os.RemoveAll(binaries)
	}
	os.Exit(code)
}

// daemonProcess is shufflerd as a process of its own.
type daemonProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	dir    string
	socket string
	notify chan string
	log    *logLines

	forgets func() // the service manager goes away
}

// logLines collects what the daemon writes.
type logLines struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{}
}

func (l *logLines) read(r *bufio.Scanner) {
	for r.Scan() {
		l.mu.Lock()
		l.lines = append(l.lines, r.Text())
		l.mu.Unlock()
		select {
		case l.more <- struct{}{}:
		default:
		}
	}
}

func (l *logLines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// start runs the daemon in dir, with a service manager that listens.
func start(t *testing.T, dir string, env []string, args ...string) *daemonProcess {
	t.Helper()
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	d := &daemonProcess{t: t, dir: dir, socket: filepath.Join(dir, "run", "shufflerd.sock"), notify: make(chan string, 64), log: &logLines{more: make(chan struct{}, 1)}}
	if err := os.MkdirAll(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	d.forgets = func() { manager.Close(); os.Remove(filepath.Join(dir, "notify")) }
	t.Cleanup(d.forgets)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := manager.Read(buf)
			if err != nil {
				return
			}
			d.notify <- string(buf[:n])
		}
	}()
	d.cmd = exec.Command(filepath.Join(bin, "shufflerd"), append([]string{"run", "--data", filepath.Join(dir, "data"), "--listen", d.socket, "--log-format", "json"}, args...)...)
	d.cmd.Env = append(os.Environ(), append([]string{"NOTIFY_SOCKET=" + filepath.Join(dir, "notify")}, env...)...)
	stderr, err := d.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go d.log.read(bufio.NewScanner(stderr))
	t.Cleanup(func() {
		if d.cmd.ProcessState == nil {
			_ = d.cmd.Process.Kill()
			_ = d.cmd.Wait()
		}
	})
	return d
}

// hears waits until the service manager is told something.
func (d *daemonProcess) hears(want string) string {
	d.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case s := <-d.notify:
			if strings.Contains(s, want) {
				return s
			}
		case <-deadline:
			d.t.Fatalf("the service manager was never told %q; the log:\n%s", want, d.log.text())
		}
	}
}

// logs waits until the log has a text.
func (d *daemonProcess) logs(want string) {
	d.t.Helper()
	deadline := time.After(patience)
	for !strings.Contains(d.log.text(), want) {
		select {
		case <-d.log.more:
		case <-deadline:
			d.t.Fatalf("the log never says %q:\n%s", want, d.log.text())
		}
	}
}

// ends waits for the daemon's end and gives its exit code.
func (d *daemonProcess) ends() int {
	d.t.Helper()
	done := make(chan struct{})
	go func() { _ = d.cmd.Wait(); close(done) }()
	select {
	case <-done:
		return d.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		d.t.Fatalf("the daemon does not end; the log:\n%s", d.log.text())
		return -1
	}
}

func (d *daemonProcess) signal(s os.Signal) {
	d.t.Helper()
	if err := d.cmd.Process.Signal(s); err != nil {
		d.t.Fatal(err)
	}
}

// get reads from the API.
func (d *daemonProcess) get(path string) (v map[string]any) {
	d.t.Helper()
	d.read(path, &v)
	return v
}

// read is get into a value of its kind.
func (d *daemonProcess) read(path string, into any) {
	d.t.Helper()
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", d.socket)
	}}}
	resp, err := client.Get("http://shufflerd" + path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		d.t.Fatal(err)
	}
}

// records counts a type in the journal that the daemon left.
func (d *daemonProcess) records(typ string) (n int) {
	d.t.Helper()
	j, err := journal.OpenReadOnly(filepath.Join(d.dir, "data"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer j.Close()
	for _, err := range j.Records(0, journal.Filter{Types: []string{typ}}) {
		if err != nil {
			d.t.Fatal(err)
		}
		n++
	}
	return n
}

// TestRun_Containerd5142_ReadyWithoutHardware: READY when loops run, STATUS names
// what is missing, and it never exits for missing hardware.
func TestRun_Containerd5142_ReadyWithoutHardware(t *testing.T) {
	d := start(t, t.TempDir(), nil)
	d.hears("READY=1")
	status := d.hears("STATUS=")
	if !strings.Contains(status, "no shuffler") || !strings.Contains(status, "no scanner") {
		t.Errorf("status %q does not name what is missing", status)
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", d.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`Max core file size +0 +0 `).Match(limits) {
		t.Errorf("X1: a core dump could be written:\n%s", limits)
	}
	if next := d.get("/v1/tables/1")["next"].(map[string]any)["do"]; next != "open_table" {
		t.Errorf("next action %v, want open_table", next)
	}
	d.signal(syscall.SIGTERM)
	if code := d.ends(); code != exitOK {
		t.Errorf("exit %d after SIGTERM; the log:\n%s", code, d.log.text())
	}
	if n := d.records("stopped"); n != 1 {
		t.Errorf("%d records stopped, want 1", n)
	}
	if _, err := os.Stat(d.socket); err == nil {
		t.Error("the socket is left behind")
	}
}

// TestRun_DevicesNameWhatIsWrong: a port that is not there is named, with what to
// do.
func TestRun_DevicesNameWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := tableFile(t, dir, rig.Ports{Shuffler: "/dev/serial/by-path/nothing-1", Scanner: "/dev/serial/by-path/nothing-2"})
	d := start(t, dir, nil, "--config", file)
	d.hears("READY=1")
	d.logs("port_missing")
	var list struct {
		Devices []api.DeviceLink `json:"devices"`
	}
	d.read("/v1/devices", &list)
	if len(list.Devices) != 2 {
		t.Fatalf("%d devices, want 2: %+v", len(list.Devices), list)
	}
	for _, l := range list.Devices {
		if l.Linked || !strings.Contains(l.Problem, "nothing-") || l.Table != "1" {
			t.Errorf("device %+v does not say what is wrong", l)
		}
	}
}

// TestRun_WatchdogIsFedByTheLoops: the manager's watchdog is fed while they run.
func TestRun_WatchdogIsFedByTheLoops(t *testing.T) {
	d := start(t, t.TempDir(), []string{"WATCHDOG_USEC=2000000"})
	d.hears("READY=1")
	d.hears("WATCHDOG=1")
}

// TestRun_SecondDaemonIsRefused: one writer a data folder.
func TestRun_SecondDaemonIsRefused(t *testing.T) {
	dir := t.TempDir()
	first := start(t, dir, nil)
	first.hears("READY=1")
	bin, _ := built()
	var errs bytes.Buffer
	second := exec.Command(filepath.Join(bin, "shufflerd"), "run", "--data", filepath.Join(dir, "data"), "--listen", filepath.Join(dir, "run", "other.sock"))
	second.Stderr = &errs
	_ = second.Run()
	if code := second.ProcessState.ExitCode(); code != exitLockHeld || !strings.Contains(errs.String(), "held by process") {
		t.Errorf("exit %d, want %d; it says %s", code, exitLockHeld, errs.String())
	}
	if first.get("/v1/tables/1")["table"] != "1" {
		t.Error("the first daemon does not answer any more")
	}
}

// TestRun_ViperWatchConfig_ReloadTakesGoodAndKeepsLast: SIGHUP reads anew; an
// empty, misspelt or broken file leaves the former configuration in force.
func TestRun_ViperWatchConfig_ReloadTakesGoodAndKeepsLast(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("machine:\n  step_timeout: 50s\n")
	d := start(t, dir, nil, "--config", file)
	d.hears("READY=1")
	for _, broken := range []string{"", "machine:\n  step_timeuot: 40s\n", "machine: [\n", "machine:\n  step_timeout: 5\n"} {
		write(broken)
		d.signal(syscall.SIGHUP)
	}
	d.logs("has no unit")
	write("machine:\n  step_timeout: 40s\n")
	d.signal(syscall.SIGHUP)
	d.logs("configuration taken")
	d.signal(syscall.SIGTERM)
	if code := d.ends(); code != exitOK {
		t.Fatalf("exit %d", code)
	}
	if n := d.records("settings"); n != 2 {
		t.Errorf("%d records of settings, want the first and the one good change", n)
	}
}

// TestRun_StaleSocketAndRestart: a socket left by a killed daemon is taken over,
// and everything acknowledged is there again.
func TestRun_StaleSocketAndRestart(t *testing.T) {
	dir := t.TempDir()
	d := start(t, dir, nil)
	d.hears("READY=1")
	n := d.get("/v1/tables/1")["n"].(float64)
	d.signal(syscall.SIGKILL)
	d.ends()
	d.forgets()
	again := start(t, dir, nil)
	again.hears("READY=1")
	if m := again.get("/v1/tables/1")["n"].(float64); m <= n {
		t.Errorf("state number %v after the restart, %v before it", m, n)
	}
}
