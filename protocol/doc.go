// Package protocol turns bytes of the link between controller and card machine
// into frames and messages, and back. SPEC.md is the text that both ends are
// built to; this package is one reading of it, and testdata/vectors.txt the
// judge between readings.
//
// Sending: [AppendFrame] (or [Sealer.AppendFrame]) appends one whole frame.
// Receiving: a [Decoder] per direction is fed with whatever the line gives and
// hands out frames; Decode functions turn a frame's payload into a message.
//
// The package does no I/O, has no clock and starts nothing. Messages are
// comparable values. There is no order of cards in any of them (X1).
package protocol
