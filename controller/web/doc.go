// Package web is where programs and people meet the controller: it turns the
// wire types of package api into actions of a table, and states into snapshots.
// Local does so within one process; the HTTP API stands on the same two
// functions.
package web
