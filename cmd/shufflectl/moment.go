package main

import "time"

func unixMilli(ms int64) time.Time { return time.UnixMilli(ms) }

// moment is an instant for people, and for programs with its zone (RFC 3339). 0 is
// none.
func (c *ctl) moment(unixMS int64) string {
	if unixMS == 0 {
		return ""
	}
	t := time.UnixMilli(unixMS).In(c.words.Zone)
	if c.forPeople() {
		return t.Format("2006-01-02 15:04:05")
	}
	return t.Format("2006-01-02T15:04:05.000Z07:00")
}
