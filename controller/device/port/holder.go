package port

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// holderIf names who has a port open, if the error is of that kind.
func holderIf(err error, path string) string {
	if errors.Is(err, errHeld) || errors.Is(err, errExclusive) || errors.Is(err, unix.EBUSY) {
		return holder(path)
	}
	return ""
}

// holder names the programs that have a port open, as far as /proc shows them
// to this user; empty if it shows none.
func holder(path string) string {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	var names []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, proc := range procs {
		pid, _ := strconv.Atoi(filepath.Base(proc))
		if pid == 0 || !hasOpen(proc, target) {
			continue
		}
		if pid == os.Getpid() {
			names = append(names, "this program itself")
			continue
		}
		comm, _ := os.ReadFile(proc + "/comm")
		names = append(names, fmt.Sprintf("%s (pid %d)", strings.TrimSpace(string(comm)), pid))
	}
	return strings.Join(names, ", ")
}

func hasOpen(proc, target string) bool {
	fds, _ := os.ReadDir(proc + "/fd")
	for _, fd := range fds {
		if to, err := os.Readlink(proc + "/fd/" + fd.Name()); err == nil && to == target {
			return true
		}
	}
	return false
}
