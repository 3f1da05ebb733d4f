package journal

import (
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"
)

// identify tells the schema version, or why the file is no journal for us.
func identify(db execer, path string, s schema) (version int, err error) {
	var application int64
	if err := db.QueryRowContext(background, "PRAGMA application_id").Scan(&application); err != nil {
		return 0, readError("open", path, err)
	}
	if application != applicationID {
		return 0, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("an SQLite file, but no journal (application_id %d)", application), Hint: hintRestore}
	}
	if err := db.QueryRowContext(background, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, readError("open", path, err)
	}
	if version > s.version() {
		return 0, &Error{Op: "open", Path: path, Kinds: []error{ErrNewer},
			What: fmt.Sprintf("schema version %d, this program knows %d", version, s.version()), Hint: "use the newer program"}
	}
	if version < 1 {
		return 0, &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("schema version %d does not exist", version), Hint: hintRestore}
	}
	return version, nil
}

// chainOf reads the chain id and refuses hash rules that are not known here.
func chainOf(db execer, path string) (string, error) {
	var format, chain string
	err := db.QueryRowContext(background, `SELECT
		coalesce((SELECT value FROM meta WHERE name = 'format'), ''),
		coalesce((SELECT value FROM meta WHERE name = 'chain'), '')`).Scan(&format, &chain)
	if err != nil {
		e := readError("open", path, err).(*Error)
		if code(err) == sqlite3.SQLITE_ERROR { // no such table or column
			e.Kinds, e.Hint = []error{ErrDamaged, ErrRead}, hintRestore
		}
		return "", e
	}
	var n int
	if _, err := fmt.Sscanf(format, "%d", &n); err != nil || checkChain(chain) != nil {
		return "", &Error{Op: "open", Path: path, Kinds: []error{ErrDamaged},
			What: fmt.Sprintf("table meta says format %q, chain %q", format, chain), Hint: hintRestore}
	}
	if n != hashFormat {
		return "", &Error{Op: "open", Path: path, Kinds: []error{ErrNewer},
			What: fmt.Sprintf("hash format %d, this program knows %d", n, hashFormat), Hint: "use the newer program"}
	}
	return chain, nil
}

// soundTail finds the end of the journal and checks the chain of the last records:
// nothing may be appended to an end that was tampered with.
func soundTail(db execer, path string) (Head, error) {
	chain, err := chainOf(db, path)
	if err != nil {
		return Head{}, err
	}
	rows, err := db.QueryContext(background, fmt.Sprintf(
		"SELECT * FROM (%s ORDER BY pos DESC LIMIT %d) ORDER BY pos", storedColumns, tailRecords+1))
	if err != nil {
		return Head{}, readError("open", path, err)
	}
	defer rows.Close()
	h := Head{Chain: chain, Hash: Genesis(chain)}
	for first := true; rows.Next(); first = false {
		var st Stored
		st.scan(rows)
		if st.Defect != "" {
			return Head{}, damagedAt("open", path, st.Pos, st.Defect)
		}
		r := &st.Record
		known := !first || r.Pos == 1 // the hash before the first of the tail is not at hand
		if known && (r.Pos != h.Pos+1 || r.Chain(h.Hash) != r.Hash) {
			return Head{}, damagedAt("open", path, st.Pos, "it does not continue the chain: records were changed or removed")
		}
		h.Pos, h.Hash = r.Pos, r.Hash
	}
	if err := rows.Err(); err != nil {
		return Head{}, readError("open", path, err)
	}
	return h, nil
}
