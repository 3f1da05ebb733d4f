// Package web is where programs and people meet the controller: it turns the
// wire types of package api into actions of a table, and states into snapshots.
// Local does so within one process; Server is the HTTP API over the same
// functions.
//
//	GET  /v1/tables                           a line for each table
//	GET  /v1/tables/{table}                   api.Snapshot; ETag, If-None-Match
//	POST /v1/tables/{table}/actions/{name}    one operation for each row of actions
//	GET  /v1/level, POST /v1/level            the level in force for the room (H2)
//	GET  /v1/records                          the journal in pages
//	GET  /v1/stream                           records and states as they come
//	GET  /v1/decks, /v1/devices, /v1/version
//	GET  /openapi.json                        OpenAPI 3.1 of all of these
//
// An answer comes when its outcome is durable; where the journal keeps it
// waiting, the answer after 10 s is the problem no_answer_yet and the same
// Idempotency-Key tells later. A client that goes away does not undo what it
// asked for. A key stands for an action, a table and a person: with other
// arguments it gets the recorded answer, for anything else key_reused.
//
// If-Match carries the state number that a screen shows. It is held against
// the durable state; requests with a condition are taken one at a time, so of
// several for one state only one is done. A device's report or a request
// without a condition may still come between: the table judges each action by
// its own rules in any case.
//
// The stream is read from the journal for each reader: events "record" have
// their position as id and are resumed by Last-Event-ID or ?after= without
// loss or repeat; events "state" have no id, and only the newest is told. A
// reader that does not take what it is sent within 10 s is dropped.
//
// Identity is asserted by headers and recorded as not proven, so Listen takes
// only unix sockets and loopback addresses, and what a browser does for a page
// of another site is refused. All limits are in limits.go.
package web
