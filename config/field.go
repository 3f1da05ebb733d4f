package config

import (
	"strconv"
	"time"
)

// field is one scalar of T: its key, its default as one would write it, and how
// it gets in and out of T. set is called only with text that passed kind.check.
type field[T any] struct {
	key      string
	def      string
	required bool // must be written; def is empty
	kind     kind
	note     string
	set      func(*T, string)
	get      func(T) string
}

func stringField[T any](key, def string, k kind, note string, at func(*T) *string) field[T] {
	return field[T]{key: key, def: def, kind: k, note: note,
		set: func(t *T, s string) { *at(t) = s },
		get: func(t T) string { return *at(&t) },
	}
}

func countField[T any](key string, def, least, most int, note string, at func(*T) *int) field[T] {
	return field[T]{key: key, def: strconv.Itoa(def), kind: countKind(least, most), note: note,
		set: func(t *T, s string) { *at(t), _ = strconv.Atoi(s) },
		get: func(t T) string { return strconv.Itoa(*at(&t)) },
	}
}

func truthField[T any](key string, def bool, note string, at func(*T) *bool) field[T] {
	return field[T]{key: key, def: strconv.FormatBool(def), kind: truthKind(), note: note,
		set: func(t *T, s string) { *at(t), _ = truthOf(s) },
		get: func(t T) string { return strconv.FormatBool(*at(&t)) },
	}
}

func spanField[T any](key string, def, least, most time.Duration, note string, at func(*T) *time.Duration) field[T] {
	return field[T]{key: key, def: short(def), kind: spanKind(least, most), note: note,
		set: func(t *T, s string) { *at(t), _ = time.ParseDuration(s) },
		get: func(t T) string { return short(*at(&t)) },
	}
}

// must marks a field that has no default.
func must[T any](f field[T]) field[T] {
	f.required, f.def = true, ""
	return f
}

// yaml is the value as it stands in a file.
func (f field[T]) yaml(t T) string {
	if f.kind.quoted {
		return strconv.Quote(f.get(t))
	}
	return f.get(t)
}
