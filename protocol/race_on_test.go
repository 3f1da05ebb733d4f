//go:build race

package protocol

// raceEnabled: the race detector allocates on its own.
const raceEnabled = true
