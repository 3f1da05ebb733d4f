package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"shuffler/controller/api"
	"shuffler/controller/journal"
	"shuffler/controller/oracle"
	"shuffler/sim/rig"
)

// long tells whether the full figures are wanted (.ci/long).
var long = os.Getenv("SHUFFLER_LONG") != ""

// party is a table's people, who play through public calls only, and its
// simulated machines on real pseudo-terminals. Both outlive the daemon.
type party struct {
	t      *testing.T
	bench  *rig.Bench
	table  *rig.Table
	crew   *rig.Crew
	client *api.Client
	posts  chan func()
	stop   chan struct{}
	ended  chan struct{}

	mu    sync.Mutex
	snap  api.Snapshot
	heads map[string]bool // every journal head that the daemon answered with
}

// newParty sets a table up, for a daemon that will listen at socket.
func newParty(t *testing.T, dir, socket string, plan rig.Plan) *party {
	t.Helper()
	bench, err := rig.StartBench(rig.Options{Seed: 1, Speed: 25, Links: filepath.Join(dir, "ports")})
	if err != nil {
		t.Fatal(err)
	}
	client, err := api.Dial("unix://" + socket)
	if err != nil {
		t.Fatal(err)
	}
	p := &party{t: t, bench: bench, table: bench.Tables()[0], client: client, posts: make(chan func(), 64), stop: make(chan struct{}), ended: make(chan struct{}), heads: map[string]bool{}}
	p.table.Do(func(_ time.Duration, w *rig.World) { p.crew = rig.NewCrew("1", p, w, plan, nil) })
	go p.play()
	t.Cleanup(func() {
		close(p.stop)
		<-p.ended
		bench.Close()
	})
	return p
}

// Snapshot is what was last read from the daemon: a deed at the table must not
// wait for it.
func (p *party) Snapshot(string) (api.Snapshot, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.snap.Table == "" {
		return api.Snapshot{}, api.ErrUnreachable
	}
	return p.snap, nil
}

// Ask is described at api.Room.
func (p *party) Ask(table string, r api.Request, reply func(api.Answer)) {
	remote := api.Remote{Client: p.client, Post: func(f func()) { p.posts <- f }}
	remote.Ask(table, r, func(a api.Answer) {
		p.note(a.Head)
		reply(a)
	})
}

func (p *party) note(head string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if head != "" && head[0] != '0' {
		p.heads[head] = true
	}
}

// play lets the people look at the screen and act, until stopped.
func (p *party) play() {
	defer close(p.ended)
	for {
		select {
		case <-p.stop:
			return
		case f := <-p.posts:
			p.table.Do(func(time.Duration, *rig.World) { f() })
			continue
		case <-time.After(15 * time.Millisecond):
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		snap, err := p.client.Table(ctx, "1")
		cancel()
		if err != nil {
			continue // killed, or not there yet
		}
		p.note(snap.Head)
		p.mu.Lock()
		p.snap = snap
		p.mu.Unlock()
		p.table.Do(func(now time.Duration, _ *rig.World) { p.crew.Advance(now) })
	}
}

// published are the heads that people have seen.
func (p *party) published(t *testing.T) (l []journal.Head) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for text := range p.heads {
		h, err := journal.ParseHead(text)
		if err != nil {
			t.Fatal(err)
		}
		l = append(l, h)
	}
	return l
}

// hands is how many hands have ended by the screen.
func (p *party) hands() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.snap.LastHand
	if p.snap.Hand != nil && n > 0 {
		n--
	}
	return n
}

// hasty people: a hand takes about two seconds.
var hasty = rig.Pace{Deed: 15 * time.Millisecond, Move: 20 * time.Millisecond, Wash: 40 * time.Millisecond, Play: 150 * time.Millisecond}

func tableFile(t *testing.T, dir string, p rig.Ports) string {
	t.Helper()
	text := fmt.Sprintf("tables:\n  - id: \"1\"\n    name: \"One\"\n    seats: 9\n    mode: one_deck\n    shuffler: {port: %q}\n    scanner: {port: %q}\n", p.Shuffler, p.Scanner)
	path := filepath.Join(dir, "tables.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKill9_AtAnyMoment kills the daemon at random moments of a running evening.
// The simulated devices live on. Everything acknowledged is there, the chain
// verifies, numbers and tags never change or repeat, a hand in play goes on, and
// an unfinished shuffle is void (M3).
func TestKill9_AtAnyMoment(t *testing.T) {
	kills := 20
	if long {
		kills = 200
	}
	dir := t.TempDir()
	socket := filepath.Join(dir, "run", "shufflerd.sock")
	plan := rig.Plan{Pace: hasty, Levels: []rig.Level{{Number: 1, SmallBlind: 100, BigBlind: 200}, {Number: 2, SmallBlind: 200, BigBlind: 400}}, LevelAt: map[uint64]bool{2: true}, HandoffAt: map[uint64]bool{3: true, 9: true}}
	p := newParty(t, dir, socket, plan)
	file := tableFile(t, dir, p.table.Ports())
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for k := range kills {
		d := start(t, dir, nil, "--config", file)
		d.hears("READY=1")
		time.Sleep(time.Duration(rng.IntN(2500)) * time.Millisecond) // the moment is the point
		d.signal(syscall.SIGKILL)
		d.ends()
		d.forgets()
		verifyHeads(t, dir, p, k)
	}
	d := start(t, dir, nil, "--config", file)
	d.hears("READY=1")
	before := p.hands()
	for end := time.Now().Add(2 * patience); p.hands() < before+2; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the evening does not go on after %d kills: %s\n%s", kills, p.crew.Stuck(), d.log.text())
		}
	}
	d.signal(syscall.SIGTERM)
	if code := d.ends(); code != exitOK {
		t.Errorf("exit %d after SIGTERM", code)
	}
	verifyHeads(t, dir, p, kills)
	judgeEvening(t, dir, kills)
}

// verifyHeads wants the journal whole, with every head that was answered in it.
func verifyHeads(t *testing.T, dir string, p *party, kill int) {
	t.Helper()
	j, err := journal.OpenReadOnly(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatalf("kill %d: %v", kill, err)
	}
	defer j.Close()
	rep, err := journal.Verify(j, journal.Check{Published: p.published(t)})
	if err != nil || !rep.OK() {
		t.Fatalf("kill %d: %v %v", kill, rep.Problems, err)
	}
}

func judgeEvening(t *testing.T, dir string, kills int) {
	t.Helper()
	j, err := journal.OpenReadOnly(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	e, err := oracle.Judge(j, "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Findings {
		t.Error(f)
	}
	if e.Records["boot"] != kills+1 || e.Records["verdict bad"] != 0 {
		t.Errorf("%d boots and %d bad verdicts, want %d and none", e.Records["boot"], e.Records["verdict bad"], kills+1)
	}
	t.Logf("%d kills: %d hands ended, %d shuffles void, %d hands resumed, %d checks not read", kills, e.Ended, e.Records["shuffle_void"], e.Records["hand_resumed"], e.Records["verdict unread"])
}
