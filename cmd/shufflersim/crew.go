package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"shuffler/controller/api"
	"shuffler/sim/rig"
)

// What an evening of the crew is like.
const (
	levelEvery   = 10     // hands
	dealersEvery = 15     // hands
	planned      = 10_000 // hands
)

// levels are announced one after the other; the controller's own are not known
// here.
var levels = []rig.Level{
	{Number: 1, SmallBlind: 100, BigBlind: 200, BigBlindAnte: 200}, {Number: 2, SmallBlind: 200, BigBlind: 400, BigBlindAnte: 400},
	{Number: 3, SmallBlind: 300, BigBlind: 600, BigBlindAnte: 600}, {Number: 4, SmallBlind: 400, BigBlind: 800, BigBlindAnte: 800},
	{Number: 5, SmallBlind: 500, BigBlind: 1000, BigBlindAnte: 1000}, {Number: 6, SmallBlind: 600, BigBlind: 1200, BigBlindAnte: 1200},
}

// play sends a dealer and a floor to every table. done is closed when all have
// played their hands.
func play(ctx context.Context, crews *sync.WaitGroup, f flags, s rig.Scenario, bench *rig.Bench, out *printer) (done <-chan struct{}, err error) {
	server := f.crew
	if server == crewAuto {
		if server, err = api.FindServer(os.Getenv); err != nil {
			return nil, err
		}
	}
	client, err := api.Dial(server)
	if err != nil {
		return nil, usageError{err}
	}
	all := make(chan struct{})
	var left sync.WaitGroup
	for i, t := range bench.Tables() {
		left.Add(1)
		crews.Go(func() {
			if err := t.Play(ctx, api.Remote{Client: client, Context: ctx}, plan(f, s, i)); err == nil {
				out.note(t.ID, fmt.Sprintf("the crew has played its %d hands", f.hands))
				left.Done()
			}
		})
	}
	go func() { left.Wait(); close(all) }() // never, if ctx ends first
	return all, nil
}

// plan is the evening of the i-th table. The level is the room's: the floor of the
// first table announces it.
func plan(f flags, s rig.Scenario, i int) rig.Plan {
	p := rig.Plan{Hands: f.hands, Levels: levels, Pace: rig.DefaultPace.Faster(f.pace), Scenario: s, HandoffAt: map[uint64]bool{}, LevelAt: map[uint64]bool{},
		Dealers: []string{fmt.Sprintf("dealer:%d", 2*i+101), fmt.Sprintf("dealer:%d", 2*i+102)}}
	for n := uint64(dealersEvery); n <= planned; n += dealersEvery {
		p.HandoffAt[n] = true
	}
	for n := 1; i == 0 && n < len(levels); n++ {
		p.LevelAt[uint64(n*levelEvery)] = true
	}
	return p
}
