// Package journal keeps the controller's records: append-only, chained by hash,
// durable before anything moves or is answered.
//
// There is one chain for a data folder, over all tables and the room (X3). Who
// appends numbers its records by stream; the journal adds the position and the
// hash. FORMAT.md tells the bytes, so that an auditor needs no line of this code.
//
// [Open] gives the journal in SQLite, [OpenReadOnly] the same beside a running
// writer, [NewMemory] one that lives in memory and behaves alike, and [Verify]
// checks any of them. Package journaltest holds the tests that both must pass, and a
// journal that fails on command.
//
// The journal knows nothing of cards or hands: payloads are JSON objects that it
// keeps as they came. Five of their top-level names are copied into columns, to
// find records by (see [Columns]).
package journal
