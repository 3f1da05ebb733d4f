package port

import (
	"context"
	"errors"
	"sync"
	"time"

	"shuffler/controller/device"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/protocol"
)

// Config says what a Device is. Path, Part, Session and Post are required.
type Config struct {
	Path     string // stable: /dev/serial/by-path/…
	Baud     int    // 0 is protocol.Baud
	DTR, RTS Modem
	Part     fault.Part // Shuffler or Scanner
	Session  uint64     // random for each run of the controller, not 0
	Version  string     // of the controller, for the device's log

	// Now is the time since any fixed point; nil is the time since New.
	Now func() time.Duration
	// Post takes what the device tells, in order. It must not block.
	Post func(table.Event)
	// Log is told when the trouble changes; the zero Trouble says that it is over.
	// May be nil.
	Log func(Trouble)
	// Others are the other ports of the configuration, to name a swap. A Set fills
	// in its own.
	Others []Other
}

// Other is what another port is for.
type Other struct {
	Part fault.Part
	Path string
}

// Stats are figures for the technician, since the program began.
type Stats struct {
	device.Stats // all openings together; Heard is the link's own time
	Part         fault.Part
	Path         string
	Open         bool
	Tries        uint64 // openings tried
	Opens        uint64 // that succeeded
	Bytes        uint64 // received
	Stale        uint64 // bytes thrown away after opening
	Stalls       uint64 // writes that the port did not take whole
	Wakeups      uint64 // times Run had something to do
	Trouble      Trouble
	Age          time.Duration  // since the last good frame; negative: none yet
	Found        protocol.Ident // who answered last on this port, the right one or not
}

// Device runs one link over one port. Make one with New; then Run. All methods
// may be called from any goroutine.
type Device struct {
	cfg   Config
	open  func(path string, s settings) (*conn, error)
	wait  backoff
	wake  chan struct{} // something is new for Run
	start time.Time

	mu   sync.Mutex // held for no longer than a write that does not block
	conn *conn      // nil while the port is closed
	link *device.Link
	err  error // a write failed: Run is to close the port

	halted bool // the last word of the table to this device was HALT
	gone   bool // the table knows that the port is gone
	watch  watch
	past   device.Stats // of the links before this one
	stats  Stats
	events []table.Event // scratch of Run
}

// New makes a device. Nothing is opened before Run.
func New(c Config) *Device {
	d := &Device{cfg: c, open: open, wake: make(chan struct{}, 1), start: time.Now()}
	if d.cfg.Baud == 0 {
		d.cfg.Baud = protocol.Baud
	}
	if d.cfg.Now == nil {
		d.cfg.Now = func() time.Duration { return time.Since(d.start) }
	}
	if d.cfg.Log == nil {
		d.cfg.Log = func(Trouble) {}
	}
	d.watch = newWatch(d.cfg)
	d.stats.Part, d.stats.Path, d.stats.Age = c.Part, c.Path, -1
	return d
}

// Part is the part that the device serves.
func (d *Device) Part() fault.Part { return d.cfg.Part }

// Halt stops the device. The bytes are with the kernel when it returns, whoever
// calls and whatever else waits; it does not wait itself. Where the port takes
// nothing, or is closed, the device stops by its own watch over the host's
// silence (SPEC.md 8); a port that opens later begins with HALT, unless the
// table has ordered something since.
func (d *Device) Halt() {
	d.mu.Lock()
	d.halted = true
	if d.link != nil {
		now := d.cfg.Now()
		d.link.Halt(now)
		d.flush(now, true)
	}
	d.mu.Unlock()
	d.nudge()
}

// Do sends an order, and repeats it until the device has decided it. One for a
// device that is not there is dropped: the event that says so is on its way.
func (d *Device) Do(c table.Command) {
	d.mu.Lock()
	if c.Kind != table.TallyAck {
		d.halted = false
	}
	if d.link != nil {
		now := d.cfg.Now()
		d.link.Do(now, c)
		d.flush(now, false)
	}
	d.mu.Unlock()
	d.nudge()
}

// Stats gives the figures so far.
func (d *Device) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.stats
	s.Stats = d.past
	if d.link != nil {
		s.Stats = sum(d.past, d.link.Stats())
	}
	if d.conn != nil {
		s.Stalls += d.conn.stalls
	}
	s.Open, s.Trouble, s.Found = d.conn != nil, d.watch.trouble, d.watch.found
	s.Age = d.watch.age(d.cfg.Now())
	return s
}

// flush gives to the port what the link wants to send. A failed write ends the
// opening: Run finds it.
func (d *Device) flush(now time.Duration, urgent bool) {
	if err := d.conn.send(now, d.link.Write(), urgent); err != nil && d.err == nil {
		d.err = err
	}
}

// nudge lets Run look again.
func (d *Device) nudge() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run opens the port and reopens it for ever, until ctx is done. It returns
// soon then, whatever the port does. It is to be called once.
func (d *Device) Run(ctx context.Context) {
	for ctx.Err() == nil {
		c, err := d.opened(ctx)
		if err == nil {
			var up bool
			since := d.cfg.Now()
			if up, err = d.serve(ctx, c); up || d.cfg.Now()-since > lastRetry {
				d.wait.reset()
			}
		}
		if ctx.Err() != nil {
			return
		}
		pause := d.wait.next()
		if d.failed(err) {
			pause = min(pause, busyRetry)
		}
		d.pause(ctx, pause)
	}
}

// opened opens the port in a goroutine of its own: an adapter that hangs can
// hold open(2) for seconds, and shutdown does not wait for it.
func (d *Device) opened(ctx context.Context) (*conn, error) {
	d.mu.Lock()
	d.stats.Tries++
	d.mu.Unlock()
	type result struct {
		c   *conn
		err error
	}
	done := make(chan result)
	go func() {
		c, err := d.open(d.cfg.Path, settings{d.cfg.Baud, d.cfg.DTR, d.cfg.RTS})
		select {
		case done <- result{c, err}:
		case <-ctx.Done():
			if c != nil {
				c.close()
			}
		}
	}()
	select {
	case r := <-done:
		return r.c, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve runs a link over an open port until one of them ends, closes the port
// and tells why, and whether the device ever answered. The port is closed when
// it returns: a descriptor that is still open would make the kernel give the
// adapter another number (Klipper#299).
func (d *Device) serve(ctx context.Context, c *conn) (up bool, err error) {
	d.begin(c)
	chunks, stop := make(chan []byte), make(chan struct{})
	ended := make(chan error, 1)
	go func() { ended <- c.read(chunks, stop) }()
	defer func() {
		close(stop)
		d.finish(c)
		settle(c, ended, errors.Is(err, errStuck))
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		var chunk []byte
		select {
		case <-ctx.Done():
			return up, ctx.Err()
		case err := <-ended:
			ended <- err // for settle
			return up, &failure{path: d.cfg.Path, err: err}
		case chunk = <-chunks:
		case <-timer.C:
		case <-d.wake:
		}
		next, isUp, err := d.pass(chunk)
		up = up || isUp
		if err != nil {
			return up, &failure{path: d.cfg.Path, err: err}
		}
		timer.Reset(next)
	}
}

// settleMost bounds how long the end of an opening waits for a port to close.
const settleMost = time.Second

// settle closes the port and waits for its reader; not for ever, because a
// driver may want to get rid of its bytes first.
func settle(c *conn, ended chan error, stuck bool) {
	if stuck {
		c.discard()
	}
	done := make(chan struct{})
	go func() {
		c.close()
		<-ended
		close(done)
	}()
	t := time.NewTimer(settleMost)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

// begin puts a new link on a port that has just been opened. Its first frame
// asks who is there: what the device holds is unknown (PyCmdMessenger#9).
func (d *Device) begin(c *conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.cfg.Now()
	d.conn, d.err = c, nil
	d.link = device.NewLink(now, device.Config{Part: d.cfg.Part, Session: d.cfg.Session, Version: d.cfg.Version})
	if d.halted {
		d.link.Halt(now)
	}
	d.stats.Opens++
	d.stats.Stale += c.stale
	d.watch.opened(now)
	d.flush(now, false)
}

// finish takes the link off the port. From here on nothing is written to it.
func (d *Device) finish(c *conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.past = sum(d.past, d.link.Stats())
	d.past.Up = false
	d.stats.Stalls += c.stalls
	d.conn, d.link = nil, nil
}

// pass does all that is due at an open port and tells when to come again.
func (d *Device) pass(chunk []byte) (next time.Duration, up bool, err error) {
	d.mu.Lock()
	now := d.cfg.Now()
	d.stats.Wakeups++
	d.stats.Bytes += uint64(len(chunk))
	d.events = d.events[:0]
	if len(chunk) > 0 {
		d.watch.listen(chunk)
		d.events = append(d.events, d.link.Receive(now, chunk)...)
	}
	d.events = append(d.events, d.link.Advance(now)...)
	d.flush(now, false)
	if err = d.err; err == nil && d.conn.stuck(now) {
		err = errStuck
	}
	st := d.link.Stats()
	told, trouble := d.watch.look(now, st)
	next = max(0, d.link.Next()-now)
	d.mu.Unlock()

	for _, e := range d.events {
		if _, here := e.(table.DeviceUp); here {
			d.gone = false
		}
		d.cfg.Post(e)
	}
	if told {
		d.cfg.Log(trouble)
	}
	return next, st.Up, err
}

// failed notes why there is no port, and tells whether that may be over soon.
// The table is told once.
func (d *Device) failed(err error) (soon bool) {
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{path: d.cfg.Path, err: err}
	}
	d.mu.Lock()
	soon = f.waits()
	quiet := d.watch.closed(d.cfg.Now(), soon)
	told, trouble := false, Trouble{}
	if now := d.cfg.Now(); !quiet && d.watch.news(now, f.Error()) {
		told, trouble = d.watch.tell(f.trouble())
	}
	d.mu.Unlock()
	if told {
		d.cfg.Log(trouble)
	}
	if !quiet && !d.gone {
		d.gone = true
		d.cfg.Post(table.DeviceDown{Part: d.cfg.Part, Reason: table.PortGone})
	}
	return soon
}

// pause waits. Orders and halts meanwhile have nowhere to go.
func (d *Device) pause(ctx context.Context, wait time.Duration) {
	d.mu.Lock()
	d.stats.Wakeups++
	d.mu.Unlock()
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// sum adds the figures of a link to those of the links before it.
func sum(a, b device.Stats) device.Stats {
	c, x := &b.Counters, a.Counters
	c.OK += x.OK
	c.TooLong += x.TooLong
	c.BadCOBS += x.BadCOBS
	c.TooShort += x.TooShort
	c.BadCRC += x.BadCRC
	c.BadVersion += x.BadVersion
	c.WrongWay += x.WrongWay
	c.UnknownType += x.UnknownType
	c.BadPayload += x.BadPayload
	c.Repeats += x.Repeats
	c.SeqGaps += x.SeqGaps
	c.Lost += x.Lost
	c.Restarts += x.Restarts
	c.Resyncs += x.Resyncs
	b.Hellos += a.Hellos
	b.Retries += a.Retries
	b.Halts += a.Halts
	b.Naks += a.Naks
	b.Losses += a.Losses
	b.Restarts += a.Restarts
	return b
}
