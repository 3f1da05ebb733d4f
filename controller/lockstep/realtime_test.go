package lockstep_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"shuffler/controller"
	"shuffler/controller/device"
	"shuffler/controller/journal"
	"shuffler/controller/table"
	"shuffler/controller/table/fault"
	"shuffler/controller/web"
	"shuffler/sim"
	"shuffler/sim/rig"
)

// liveTable is a table's equipment and people in real time over memory links:
// the controller runs as in the daemon, a goroutine a table.
type liveTable struct {
	mu    sync.Mutex // of all below
	world *rig.World
	links [2]*device.Link
	lines [2]*sim.Line
	crew  *rig.Crew
	post  func(table.Event)
	wake  chan struct{}
	began time.Time
}

func (t *liveTable) now() time.Duration { return time.Since(t.began) }

func (t *liveTable) part(p fault.Part) int {
	if p == fault.Scanner {
		return 1
	}
	return 0
}

// Halt is described at controller.Devices.
func (t *liveTable) Halt(p fault.Part) { t.send(p, func(l *device.Link) { l.Halt(t.now()) }) }

// Do is described at controller.Devices.
func (t *liveTable) Do(c table.Command) { t.send(c.Part, func(l *device.Link) { l.Do(t.now(), c) }) }

func (t *liveTable) send(p fault.Part, f func(*device.Link)) {
	t.mu.Lock()
	i := t.part(p)
	f(t.links[i])
	if b := t.links[i].Write(); len(b) > 0 {
		t.lines[i].Write(t.now(), b)
	}
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// peoplePoll is how often the people look at the screen.
const peoplePoll = 100 * time.Millisecond

func (t *liveTable) run(stop <-chan struct{}) {
	people := time.NewTicker(peoplePoll)
	defer people.Stop()
	for {
		t.mu.Lock()
		now, next := t.now(), time.Duration(sim.Never)
		var events []table.Event
		for i, l := range t.links {
			events = append(events, l.Receive(now, t.lines[i].Read(now))...)
			events = append(events, l.Advance(now)...)
			if b := l.Write(); len(b) > 0 {
				t.lines[i].Write(now, b)
			}
			next = min(next, l.Next(), t.lines[i].Next())
		}
		t.mu.Unlock()
		for _, e := range events {
			t.post(e)
		}
		select {
		case <-stop:
			return
		case <-t.wake:
		case <-people.C:
			t.mu.Lock()
			t.crew.Advance(t.now())
			t.mu.Unlock()
		case <-time.After(max(next-t.now(), time.Millisecond)):
		}
	}
}

// BenchmarkTables runs many tables in one started controller for some seconds and
// reports what that costs: processor, memory, and how long a turn takes to be
// durable. Not a test: it measures.
func BenchmarkTables(b *testing.B) {
	for _, n := range []int{1, 50, 200} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for range b.N {
				manyTables(b, n, 15*time.Second)
			}
		})
	}
}

func manyTables(b *testing.B, n int, d time.Duration) {
	disk, err := journal.Open(b.TempDir(), journal.Options{})
	if err != nil {
		b.Fatal(err)
	}
	timed := &timedJournal{Journal: disk}
	opt := controller.Options{Journal: timed, Clock: controller.BootClock{}, Version: "bench", BootID: "b"}
	tables := make([]*liveTable, n)
	for i := range tables {
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		w := rig.NewWorld(strconv.Itoa(i), rng)
		t := &liveTable{world: w, lines: [2]*sim.Line{w.ShufflerLine, w.ScannerLine}, wake: make(chan struct{}, 1), began: time.Now()}
		for k, p := range []fault.Part{fault.Shuffler, fault.Scanner} {
			t.links[k] = device.NewLink(0, device.Config{Part: p, Session: uint64(i)<<8 | uint64(k) | 1, Version: "bench"})
		}
		tables[i] = t
		opt.Tables = append(opt.Tables, controller.TableOptions{ID: strconv.Itoa(i + 1), Settings: table.DefaultSettings(), Devices: t})
	}
	c, err := controller.New(opt)
	if err != nil {
		b.Fatal(err)
	}
	c.Start()
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i, t := range tables {
		id := strconv.Itoa(i + 1)
		t.post = func(e table.Event) { c.Post(id, e) }
		t.crew = rig.NewCrew(id, web.Local{C: c}, t.world, rig.Plan{Levels: levels[:1], Pace: rig.Pace{Deed: time.Second, Move: time.Second, Wash: 2 * time.Second, Play: 20 * time.Second}}, nil)
		all.Go(func() { t.run(stop) })
	}
	cpu, began := processor(), time.Now()
	time.Sleep(d)
	used, took := processor()-cpu, time.Since(began)
	rss := residentKB()
	close(stop)
	all.Wait()
	_ = c.Stop(b.Context())
	_ = disk.Close()
	commits := timed.figures()
	b.ReportMetric(100*used.Seconds()/took.Seconds(), "%cpu-of-a-core")
	b.ReportMetric(float64(rss)/1024, "MB-resident")
	if len(commits) > 0 {
		b.ReportMetric(float64(len(commits))/took.Seconds(), "commits/s")
		b.ReportMetric(float64(commits[len(commits)/2].Microseconds()), "us-commit-p50")
		b.ReportMetric(float64(commits[len(commits)*99/100].Microseconds()), "us-commit-p99")
	}
}

// timedJournal notes how long each commit takes.
type timedJournal struct {
	journal.Journal
	mu   sync.Mutex
	took []time.Duration
}

func (j *timedJournal) Append(es []journal.Entry) (journal.Head, error) {
	began := time.Now()
	h, err := j.Journal.Append(es)
	j.mu.Lock()
	j.took = append(j.took, time.Since(began))
	j.mu.Unlock()
	return h, err
}

func (j *timedJournal) figures() []time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	slices.Sort(j.took)
	return j.took
}

func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func residentKB() (kb int) {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			_, _ = fmt.Sscan(rest, &kb)
		}
	}
	return kb
}
