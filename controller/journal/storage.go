package journal

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// checkLines bounds what SQLite tells about a broken file.
const checkLines = 100

// StorageProblems is described at Source: SQLite's own check of pages and indexes,
// the schema, and the acknowledged head of the folder.
func (r *SQLiteReader) StorageProblems() ([]Problem, error) {
	const op = "check storage"
	// The acknowledged head first: a writer beside us may go on, and it sets that
	// file after each commit.
	problems := r.anchorProblems()
	lines, err := checkPages(r.db, "integrity_check")
	if err != nil {
		return append(problems, Problem{KindStorage, 0, err.Error(), hintRestore}), r.fault(op, err)
	}
	for _, line := range lines {
		problems = append(problems, Problem{KindStorage, 0, line, hintRestore})
	}
	more, err := r.schemaProblems()
	if err != nil {
		return problems, r.fault(op, err)
	}
	return append(problems, more...), nil
}

// checkPages runs SQLite's quick_check or integrity_check; no lines means sound.
func checkPages(db execer, pragma string) ([]string, error) {
	rows, err := db.QueryContext(background, fmt.Sprintf("PRAGMA %s(%d)", pragma, checkLines))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		if line != "ok" {
			lines = append(lines, line)
		}
	}
	return lines, rows.Err()
}

func (r *SQLiteReader) schemaProblems() ([]Problem, error) {
	want, err := r.steps.expected(r.version)
	if err != nil {
		return nil, err
	}
	got, err := objects(r.db)
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch text, ok := got[name]; {
		case !ok:
			problems = append(problems, Problem{KindStorage, 0, "schema: " + name + " is missing", hintCompare})
		case text != want[name]:
			problems = append(problems, Problem{KindStorage, 0, "schema: " + name + " was changed", hintCompare})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			problems = append(problems, Problem{KindStorage, 0, "schema: " + name + " does not belong here", hintCompare})
		}
	}
	return problems, nil
}

func (r *SQLiteReader) anchorProblems() []Problem {
	if filepath.Base(r.path) != fileName {
		return nil // a backup has no such file of its own
	}
	want, ok, err := readAnchor(filepath.Join(r.dir, anchorName))
	if err != nil {
		return []Problem{{KindStorage, 0, err.Error(), "it is written anew when the controller starts"}}
	}
	if !ok {
		return nil
	}
	if p, err := r.compareAnchor(want); err == nil && p != nil {
		return []Problem{*p}
	}
	return nil
}

// compareAnchor tells how the journal contradicts the head that its folder
// acknowledged, or nil.
func (r *SQLiteReader) compareAnchor(want Head) (*Problem, error) {
	const hint = "copy the folder as it is, look for a whole journal.db-wal or the newest backup; to go on without them accept the loss, which is recorded"
	_, last, err := r.Extent()
	if err != nil {
		return nil, err
	}
	if last < want.Pos {
		return &Problem{KindTruncated, int64(want.Pos), fmt.Sprintf(
			"it ends at record %d, but %d was acknowledged: the end was cut off, or an older copy was put in place", last, want.Pos), hint}, nil
	}
	have := Genesis(r.chain)
	if want.Pos > 0 {
		found, err := r.batch("read head", " WHERE pos = ?", []any{int64(want.Pos)})
		if err != nil {
			return nil, err
		}
		have = Hash{}
		if len(found) == 1 {
			have = found[0].Record.Hash
		}
	}
	if have != want.Hash {
		return &Problem{KindFork, int64(want.Pos), fmt.Sprintf(
			"record %d is not the one that was acknowledged: another journal was put in place, or records were rewritten", want.Pos), hint}, nil
	}
	return nil, nil
}
