package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"shuffler/controller/journal"
	"shuffler/controller/room"
	"shuffler/controller/table/custody"
)

// Names in a data folder (controller/journal/FORMAT.md, section 1).
const (
	databaseName = "journal.db"
	lockName     = "lock"
)

// forked tells what a restored journal is.
const forked = "The journal says now that it was restored (record restored_from). What the former controller recorded behind the\n" +
	"backup's end is not in it: keep the former folder, and start the controller on the new one."

func (c *ctl) restoreCommand() *cobra.Command {
	var to source
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Make a data folder of a backup", Args: exactly,
		Long: "FILE is verified, copied into the empty folder DIR, and verified again there. A folder with anything in it is left\n" +
			"alone: move the former journal away first, and keep it.\n\n" +
			"What was recorded after the backup is not in the restored journal. A record restored_from, with who restored it (--as),\n" +
			"declares the fork. A report printed in that time will not agree with the journal.",
		Example: "  shufflectl journal restore /mnt/usb/2026-12-01.db --data /var/lib/shuffler",
		RunE: func(cmd *cobra.Command, words []string) error {
			if to.data == "" {
				return usageOf(cmd, "where to? give an empty folder with --data")
			}
			by, err := custody.ParsePerson(c.as)
			if err != nil {
				return usageOf(cmd, "--as: %v", err)
			}
			k, err := restore(words[0], to.data, by, time.Now())
			if err != nil {
				return err
			}
			return c.tellCopy(k)
		},
	}
	cmd.Flags().StringVar(&to.data, "data", "", "the folder `DIR` to make; it must be empty, or not there")
	if err := cmd.MarkFlagDirname("data"); err != nil {
		panic(err) // the flag stands in the line above
	}
	return cmd
}

// restore copies a backup into an empty folder and lets the journal's own opening
// judge it, as the controller's next start will.
func restore(file, dir string, by custody.Person, now time.Time) (copied, error) {
	if err := emptyFolder(dir); err != nil {
		return copied{}, err
	}
	backup, err := journal.OpenFile(file)
	if err != nil {
		return copied{}, err
	}
	defer backup.Close()
	rep, err := journal.Verify(backup, journal.Check{})
	if err != nil {
		return copied{}, err
	}
	if !rep.OK() {
		return copied{}, &exitError{exitVerifyFailed, fmt.Errorf("%s is not what was written: %d problems, the first: %s; nothing was restored", file, len(rep.Problems)+rep.Omitted, rep.Problems[0])}
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return copied{}, fmt.Errorf("restore: %w", err)
	}
	if rep, err = backup.Backup(filepath.Join(dir, databaseName)); err != nil {
		return copied{}, err
	}
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		return copied{}, fmt.Errorf("the copy is there, but the controller would not take it: %w", err)
	}
	head, err := j.Head()
	if err == nil && head != rep.Head {
		err = &exitError{exitVerifyFailed, fmt.Errorf("restore: the copy ends at %s, the backup at %s", head, rep.Head)}
	}
	if err == nil {
		head, err = declare(j, rep.Head, by, now)
	}
	if err = errors.Join(err, j.Close()); err != nil {
		return copied{}, err
	}
	return copied{File: filepath.Join(dir, databaseName), Chain: head.Chain, Head: head.String(), Records: rep.Records + 1, Note: forked}, nil
}

// declare lets a restored journal say that it is one (DESIGN rule 9).
func declare(j journal.Journal, end journal.Head, by custody.Person, now time.Time) (journal.Head, error) {
	n, err := j.StreamHead(room.Stream)
	if err != nil {
		return journal.Head{}, err
	}
	rec := room.RestoredFrom{Act: room.Act{By: by, Auth: "none"}, Head: end.String()}
	payload, err := json.Marshal(rec)
	if err != nil {
		return journal.Head{}, err
	}
	return j.Append([]journal.Entry{{
		Stream: room.Stream, N: n + 1, Wall: now.UnixMilli(), Type: rec.Type(), Version: room.RecordVersion, Payload: payload,
	}})
}

// emptyFolder refuses a folder with anything in it, and names the process that
// uses it.
func emptyFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("restore: %w", err)
	case len(entries) == 0:
		return nil
	}
	if err := inUse(filepath.Join(dir, lockName)); err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return fmt.Errorf("restore: %s is not empty (%s): move what is there to a safe place first, and keep it", dir, strings.Join(names, ", "))
}

// inUse tells whether a process holds the lock of a data folder.
func inUse(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // no lock, nobody who holds it
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); !errors.Is(err, syscall.EWOULDBLOCK) {
		return nil // closing gives it back
	}
	text, _ := io.ReadAll(io.LimitReader(f, 32)) // without a number it is an unknown process
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return &journal.LockedError{Path: path, PID: pid}
}
