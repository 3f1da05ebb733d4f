// Package config reads the controller's settings into one typed, validated
// value.
//
// # Where settings come from
//
// One file, the process environment and the command line; the later of these
// wins over the earlier, and all win over the built-in defaults:
//
//	default < file < environment < flag
//
// The file is the first of --config, $SHUFFLERD_CONFIG and
// /etc/shuffler/shufflerd.yaml; without any the defaults serve. Scalars can be
// given in all three places: the key check.scan_timeout is SHUFFLERD_CHECK_SCAN_TIMEOUT
// in the environment and --check-scan-timeout on the command line. Lists
// (steps, triggers, levels, tables, ...) are given in the file only. No map has
// data for keys, so every key is known beforehand and a misspelt one is found.
//
// # What is refused
//
// Unknown keys, values of the wrong type, durations without a unit, ids without
// quotes, a file that is empty or cut short, numbers out of range, and whatever
// the packages that own a rule refuse. All problems are reported together, each
// with place, key, what was found and what to do ([Error]).
//
// # Reload
//
// Nothing here watches a file. [Reload] reads into a fresh value, and on any
// problem the former value stays as it was.
//
// viper decides the precedence and nothing else: its own reading of files and
// environment would cast wrong types in silence and ignore unknown keys.
package config
