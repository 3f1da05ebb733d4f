package journal

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// applicationID marks the SQLite file as a journal: "SHJn" (FORMAT.md section 2).
const applicationID = 0x53484A6E

// schema is the list of steps that build the tables; a step is never changed once it
// shipped, and only adds. A new journal takes all of them, so old and new end alike.
type schema []string

// version is what PRAGMA user_version says after all steps.
func (s schema) version() int { return len(s) }

var currentSchema = schema{schema1}

const schema1 = `
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
  pos     INTEGER PRIMARY KEY,
  stream  TEXT    NOT NULL,
  n       INTEGER NOT NULL,
  wall    INTEGER NOT NULL,
  type    TEXT    NOT NULL,
  version INTEGER NOT NULL,
  payload BLOB    NOT NULL,
  hash    BLOB    NOT NULL,
  hand    INTEGER,
  deck    TEXT,
  actor   TEXT,
  key     TEXT,
  session TEXT
) STRICT;

CREATE INDEX record_stream ON record (stream);
CREATE INDEX record_hand ON record (stream, hand) WHERE hand IS NOT NULL;
CREATE INDEX record_deck ON record (deck) WHERE deck IS NOT NULL;
CREATE UNIQUE INDEX record_key ON record (key) WHERE key IS NOT NULL;

CREATE TRIGGER record_no_update
BEFORE UPDATE OF pos, stream, n, wall, type, version, payload, hash ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER record_no_delete BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
`

// execer is a connection or a pool.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

var background = context.Background()

// execute runs statements without results.
func execute(db execer, query string, args ...any) error {
	_, err := db.ExecContext(background, query, args...)
	return err
}

// build runs the steps behind version from in one transaction. It needs a single
// connection.
func (s schema) build(db execer, from int, extra func() error) error {
	if err := execute(db, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := func() error {
		for _, step := range s[from:] {
			if err := execute(db, step); err != nil {
				return err
			}
		}
		if extra != nil {
			if err := extra(); err != nil {
				return err
			}
		}
		return execute(db, fmt.Sprintf("PRAGMA user_version = %d; COMMIT", s.version()))
	}()
	if err != nil {
		execute(db, "ROLLBACK") // the first error tells
	}
	return err
}

// objects lists the schema as SQLite keeps it: name to text.
func objects(db execer) (map[string]string, error) {
	rows, err := db.QueryContext(background, "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]string)
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		all[name] = strings.Join(strings.Fields(text), " ")
	}
	return all, rows.Err()
}

// expected is what objects should give at that schema version: it is built in memory
// and looked at, for SQLite words it in its own way after an upgrade.
func (s schema) expected(version int) (map[string]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(background)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := s[:version].build(conn, 0, nil); err != nil {
		return nil, err
	}
	return objects(conn)
}
