package device

import (
	"fmt"
	"testing"
	"time"

	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
)

const (
	session = 0x1122334455667788
	ms      = time.Millisecond
)

var shufflerCaps = protocol.CapGatherCounter | protocol.CapExitCounter | protocol.CapGather | protocol.CapRiffle | protocol.CapStrip |
	protocol.CapSquare | protocol.CapRelease | protocol.CapCoverLine | protocol.CapEStopLine | protocol.CapTrayLine | protocol.CapChamberLine

// line is a Link with a hand-made device at the far end: the test says which
// frames it sends, and which bytes get lost.
type line struct {
	t    *testing.T
	now  time.Duration
	link *Link
	dec  protocol.Decoder
	host []protocol.Message // what the device has received
	raw  []byte             // all bytes of the host
	deaf bool               // the device gets nothing

	seq   uint32
	st    protocol.Status
	ident protocol.Ident
}

func newLine(t *testing.T, part fault.Part) *line {
	l := &line{t: t, now: time.Hour, dec: protocol.Decoder{From: protocol.FromHost}}
	l.st = protocol.Status{Boot: 7, Tick: 1000}
	l.ident = protocol.Ident{
		Boot: 7, Role: protocol.RoleShuffler, Caps: shufflerCaps, Maker: protocol.TextOf("ACME"),
		Model: protocol.TextOf("S1"), Serial: protocol.TextOf("42"), Firmware: protocol.TextOf("1.0"),
	}
	if part == fault.Scanner {
		l.ident.Role, l.ident.Caps = protocol.RoleScanner, protocol.CapScan|protocol.CapFeedCounter
	}
	l.link = NewLink(l.now, Config{Part: part, Session: session, Version: "test"})
	l.flush()
	return l
}

// flush lets the device read what the host writes, and holds the bounds of the
// host's end.
func (l *line) flush() {
	l.t.Helper()
	b := l.link.Write()
	l.raw = append(l.raw, b...)
	if n := l.link.out.underWay(); n > protocol.MaxUnacked {
		l.t.Fatalf("%d bytes are under way", n)
	}
	if l.deaf {
		return
	}
	l.dec.Feed(b, func(f protocol.Frame) {
		m, err := f.Message()
		if err != nil {
			l.t.Fatal(err)
		}
		l.host = append(l.host, m)
		l.st.RxSeq = f.Seq
	})
}

// got gives what the device has received since the last call.
func (l *line) got() []protocol.Message {
	m := l.host
	l.host = nil
	return m
}

// pass lets time go by in small steps and gives the events of it.
func (l *line) pass(d time.Duration) (events []table.Event) {
	l.t.Helper()
	for end := l.now + d; l.now < end; {
		l.now += 5 * ms
		l.st.Tick += 5
		events = append(events, l.link.Advance(l.now)...)
		if next := l.link.Next(); next <= l.now {
			l.t.Fatalf("at %v, right after Advance, the link wants to be advanced at %v", l.now, next)
		}
		l.flush()
	}
	return events
}

// send sends a message of the device and gives the events of it.
func (l *line) send(m protocol.Message) []table.Event {
	l.t.Helper()
	l.seq++
	ev := append([]table.Event(nil), l.link.Receive(l.now, protocol.AppendFrame(nil, l.seq, m))...)
	l.flush()
	return ev
}

// status sends the status as it stands.
func (l *line) status() []table.Event {
	l.t.Helper()
	l.st.Tick++
	return l.send(l.st)
}

// greet makes the link come up.
func (l *line) greet() []table.Event {
	l.t.Helper()
	l.ident.Session, l.st.Session = session, session
	ev := l.send(l.ident)
	return append(ev, l.status()...)
}

func upLine(t *testing.T, part fault.Part) *line {
	t.Helper()
	l := newLine(t, part)
	if ev := l.greet(); len(ev) != 1 {
		t.Fatalf("greeting gives %s", text(ev))
	}
	l.got()
	return l
}

func (l *line) do(c table.Command) {
	l.t.Helper()
	c.Part = l.link.Part()
	l.link.Do(l.now, c)
	l.flush()
}

func text(ev []table.Event) (s string) {
	for _, e := range ev {
		s += fmt.Sprintf("%T%+v ", e, e)
	}
	return s
}

// want compares events.
func want(t *testing.T, got []table.Event, want ...table.Event) {
	t.Helper()
	if text(got) != text(want) {
		t.Fatalf("events\n got %s\nwant %s", text(got), text(want))
	}
}

// count counts messages of one kind.
func count[M protocol.Message](l []protocol.Message) (n int) {
	for _, m := range l {
		if _, ok := m.(M); ok {
			n++
		}
	}
	return n
}

var (
	riffle = table.Command{Kind: table.StepOp, Op: 5, Step: 3, Index: 2, Expect: 52}
	reset  = table.Command{Kind: table.ResetOp, Op: 6}
	scan   = table.Command{Kind: table.ScanOp, Op: 5, Expect: 52, Timeout: time.Minute}
)
