package port

import (
	"fmt"
	"time"

	"shuffler/controller/device"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
)

// Tuning constants of the watch.
const (
	answerDue  = 2 * time.Second // no answer for so long is a trouble
	helpEvery  = 30 * time.Second
	noiseSpan  = 10 * time.Second
	noiseLeast = 10 // rejected chunks in a span, and
	noiseShare = 5  // more than one in so many, is noise
)

// watch finds what is wrong with an open port and remembers what was told of
// it. It has no clock and does no I/O.
type watch struct {
	cfg     Config
	trouble Trouble

	openedAt time.Duration
	heard    time.Duration
	everOK   bool
	bytes    uint64

	dec   protocol.Decoder // while the right device is not there, to see who is
	up    bool
	found protocol.Ident
	wrong bool

	noisy    bool
	spanFrom time.Duration
	spanAt   protocol.Counters

	busy      bool
	busySince time.Duration

	failure   string // the last one put into words
	failureAt time.Duration
}

func newWatch(c Config) watch { return watch{cfg: c} }

// opened begins anew.
func (w *watch) opened(now time.Duration) {
	w.failure = ""
	w.openedAt, w.up, w.wrong, w.noisy, w.busy, w.bytes = now, false, false, false, false, 0
	w.dec = protocol.Decoder{From: protocol.FromDevice}
	w.spanFrom, w.spanAt = now, protocol.Counters{}
}

// closed tells whether the port's state is kept quiet for now. Only a port that
// was not ours before is: one that we lose is lost.
func (w *watch) closed(now time.Duration, busy bool) (quiet bool) {
	if busy && !w.busy {
		w.busySince = now
	}
	w.up, w.busy = false, busy
	return busy && now-w.busySince < BusyQuiet
}

// news tells whether a failure is to be put into words: looking for ports and
// holders costs more than trying again. What they say may change meanwhile.
func (w *watch) news(now time.Duration, failure string) bool {
	if failure == w.failure && now-w.failureAt < helpEvery {
		return false
	}
	w.failure, w.failureAt = failure, now
	return true
}

// tell takes a trouble and tells whether it is a new one.
func (w *watch) tell(t Trouble) (bool, Trouble) {
	is := t != w.trouble
	w.trouble = t
	return is, t
}

// age is how long ago the last good frame came; negative if none has.
func (w *watch) age(now time.Duration) time.Duration {
	if !w.everOK {
		return -1
	}
	return max(0, now-w.heard)
}

// listen looks who answers, as long as the right device is not there.
func (w *watch) listen(b []byte) {
	w.bytes += uint64(len(b))
	if w.up {
		return
	}
	w.dec.Feed(b, func(f protocol.Frame) {
		if f.Type != protocol.TypeIdent || f.Protected {
			return
		}
		if m, err := protocol.DecodeIdent(f.Payload); err == nil && m.Session == w.cfg.Session {
			w.found, w.wrong = m, true // unless the link takes it, which look sees
		}
	})
}

// look judges the port by what the link counts.
func (w *watch) look(now time.Duration, st device.Stats) (told bool, t Trouble) {
	if st.Heard > w.openedAt {
		w.heard, w.everOK = st.Heard, true
	}
	if w.up = st.Up; w.up {
		w.wrong = false
	}
	w.noise(now, st.Counters)
	silent := now - w.openedAt
	if w.everOK {
		silent = min(silent, now-w.heard)
	}
	switch {
	case w.noisy:
		return w.tell(w.noiseTrouble())
	case w.up:
		return w.tell(Trouble{})
	case silent < answerDue && !w.foreign():
		return false, w.trouble // not known yet
	case w.wrong:
		return w.tell(w.wrongTrouble())
	case st.Counters.OK == 0 && w.bytes > 0:
		return w.tell(Trouble{NotFrames, fmt.Sprintf("%s: bytes come, but no valid frame", w.cfg.Path), "another baud rate, or another kind of device",
			fmt.Sprintf("see that the %s is on this port and set to %d baud", w.cfg.Part, w.cfg.Baud)})
	}
	return w.tell(Trouble{NoAnswer, fmt.Sprintf("the %s at %s does not answer", w.cfg.Part, w.cfg.Path), "it is switched off, or its cable is loose",
		"switch it on, look at the cable; it is asked again by itself"})
}

// noise judges the rate of bad frames over spans of time, not each one: junk
// between frames is normal (meshtastic#10975).
func (w *watch) noise(now time.Duration, c protocol.Counters) {
	if now-w.spanFrom < noiseSpan {
		return
	}
	bad, good := c.Bad()-w.spanAt.Bad(), c.OK-w.spanAt.OK
	w.noisy = bad >= noiseLeast && bad*noiseShare > good+bad && good > 0
	w.spanFrom, w.spanAt = now, c
}

func (w *watch) noiseTrouble() Trouble {
	return Trouble{Noisy, w.cfg.Path + ": many frames arrive damaged", "wiring, or a second reader on the port",
		"change the cable, keep it away from motors; look for another program with `fuser " + w.cfg.Path + "`"}
}

// foreign tells whether somebody else than the right device has answered.
func (w *watch) foreign() bool { return w.wrong && !w.serves() }

// serves tells whether who has answered has the role that the port is for.
func (w *watch) serves() bool {
	want := protocol.RoleShuffler
	if w.cfg.Part == fault.Scanner {
		want = protocol.RoleScanner
	}
	return w.found.Role&want != 0
}

// part is what the device that has answered is, NoPart where it is no single one.
func (w *watch) part() fault.Part {
	switch w.found.Role {
	case protocol.RoleShuffler:
		return fault.Shuffler
	case protocol.RoleScanner:
		return fault.Scanner
	}
	return fault.NoPart
}

// wrongTrouble names who answers instead, and where it belongs.
func (w *watch) wrongTrouble() Trouble {
	who := fmt.Sprintf("%s %s %s, serial %s, role %s", w.found.Maker, w.found.Model, w.found.Firmware, w.found.Serial, w.found.Role)
	t := Trouble{WrongDevice, fmt.Sprintf("%s is the %s's port, and answered by %s", w.cfg.Path, w.cfg.Part, who),
		"the cable is in another socket", fmt.Sprintf("connect the %s to %s, or correct the configuration", w.cfg.Part, w.cfg.Path)}
	if w.serves() {
		t.Cause, t.Next = "this model or firmware lacks what the controller needs", "update its firmware, or use another model"
		return t
	}
	for _, o := range w.cfg.Others {
		if o.Part == w.part() {
			t.Cause = "two cables are swapped"
			t.Next = fmt.Sprintf("swap this cable with the one at %s, which is the %s's port", o.Path, o.Part)
			break
		}
	}
	return t
}
