package port

import (
	"os"
	"path/filepath"
	"strings"
)

// existing lists the serial ports of this machine for help texts, from names
// that the kernel and udev give; no port is opened for it (satpulse#394). Names
// under by-path come first: they stay with the socket. root is "/".
func existing(root string) string {
	named := map[string]bool{}
	var list []string
	for _, dir := range []string{"dev/serial/by-path", "dev/serial/by-id"} {
		links, _ := os.ReadDir(filepath.Join(root, dir))
		for _, l := range links {
			path := filepath.Join("/", dir, l.Name())
			to, _ := os.Readlink(filepath.Join(root, path))
			if tty := filepath.Base(to); !named[tty] {
				named[tty] = true
				list = append(list, path)
			}
		}
	}
	ttys, _ := os.ReadDir(filepath.Join(root, "sys/class/tty"))
	for _, t := range ttys {
		if named[t.Name()] || !wired(filepath.Join(root, "sys/class/tty", t.Name())) {
			continue
		}
		list = append(list, "/dev/"+t.Name())
	}
	if len(list) == 0 {
		return "(no serial port is there)"
	}
	return strings.Join(list, ", ")
}

// wired tells whether a tty of sysfs has hardware, and is not only a place that
// the kernel keeps for a UART that a board might have: type 0.
func wired(tty string) bool {
	if _, err := os.Stat(filepath.Join(tty, "device")); err != nil {
		return false
	}
	kind, err := os.ReadFile(filepath.Join(tty, "type"))
	return err != nil || strings.TrimSpace(string(kind)) != "0"
}
