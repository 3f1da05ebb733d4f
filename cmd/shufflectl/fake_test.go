package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"shuffler/controller/api"
)

// fixed is what a controller tells that never changes.
type fixed struct {
	tables  map[string]api.Snapshot
	list    []api.TableSummary
	level   api.Announcement
	decks   []api.RegisteredDeck
	devices []api.DeviceLink
	problem *api.Problem  // the answer to every request
	answer  api.Answer    // to every action
	pages   []api.Records // of the journal, one for each time it is asked for; the last stays
	asked   []*http.Request
	bodies  []string
}

// serve gives the address of a server that tells it.
func (f *fixed) serve(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	say := func(route string, v func(*http.Request) any) {
		mux.HandleFunc(route, func(w http.ResponseWriter, r *http.Request) {
			var body json.RawMessage
			if r.Method == http.MethodPost {
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Errorf("%s: %v", r.URL, err)
				}
				f.asked, f.bodies = append(f.asked, r), append(f.bodies, string(body))
			}
			if p := f.problem; p != nil {
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(p.Status)
				_ = json.NewEncoder(w).Encode(p)
				return
			}
			_ = json.NewEncoder(w).Encode(v(r))
		})
	}
	say("GET /v1/tables", func(*http.Request) any { return api.Tables{Tables: f.list} })
	say("GET /v1/tables/{table}", func(r *http.Request) any { return f.tables[r.PathValue("table")] })
	say("POST /v1/tables/{table}/actions/{name}", func(*http.Request) any { return f.answer })
	say("POST /v1/level", func(*http.Request) any { return f.answer })
	say("GET /v1/level", func(*http.Request) any { return f.level })
	say("GET /v1/records", func(*http.Request) any {
		page := f.pages[0]
		f.pages = f.pages[min(1, len(f.pages)-1):]
		return page
	})
	say("GET /v1/decks", func(*http.Request) any { return api.Registry{Decks: f.decks} })
	say("GET /v1/devices", func(*http.Request) any { return api.Devices{Devices: f.devices} })
	say("GET /v1/version", func(*http.Request) any {
		return api.Version{Version: "1.2.3", API: "v1", Chain: "c", Head: "812:00ff00ff00ff00ff", Now: noon.UnixMilli()}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// cardRoom is a room with a table in trouble, one that waits, and one that is closed;
// what people and devices wrote is as bad as it can be.
func cardRoom() *fixed {
	level := api.Level{Number: 3, SmallBlind: 300, BigBlind: 600, BigBlindAnte: 600}
	busy := api.Snapshot{
		Table: "1", N: 400, Head: "812:00ff00ff00ff00ff00ff", Open: true, Session: 7, Dealer: "dealer:12", Level: &api.Level{Number: 4, SmallBlind: 400, BigBlind: 800},
		Hand: &api.Hand{Number: 57, Stage: "begun", Tag: level, Button: 4, Seats: []int{1, 2, 4, 9}}, LastHand: 57, LastCheck: 12,
		Next: api.Next{Do: "clear_fault", Who: "floor", Arg: "shuffler/jam_exit"},
		Decks: []api.Deck{
			{Slot: "A", ID: "D-17", Back: "red", Verdict: "good", Shuffles: 31},
			{Slot: "B", ID: "牌-18", Back: "蓝", Lock: "check_not_good", Verdict: "bad", Findings: []string{"missing: Qd", "duplicate: Jd"}, Shuffles: 2},
		},
		InPlay: "A",
		Shuffle: &api.Shuffle{ID: 90, Slot: "A", Cards: 23, Steps: []api.Step{
			{Step: "gather", Actor: "machine", State: "done"}, {Step: "wash", Actor: "dealer", State: "skipped"}, {Step: "riffle", Actor: "machine", State: "done"},
			{Step: "riffle", Actor: "machine", State: "running"}, {Step: "strip", Actor: "machine", State: "waiting"}, {Step: "riffle", Actor: "machine", State: "waiting"},
			{Step: "square", Actor: "machine", State: "waiting"}, {Step: "cut", Actor: "dealer", State: "waiting"}, {Step: "cut_card", Actor: "dealer", State: "waiting"},
		}},
		Hold: true, Handoff: &api.Handoff{From: "dealer:12", To: "dealer:15", Refused: true, MidHand: true},
		Faults: []api.Fault{{Part: "shuffler", Code: "jam_exit"}, {Part: "scanner", Code: "from_the_future"}},
		Devices: []api.Device{
			{Part: "shuffler", Linked: true, Model: "Shark\x1b[2J", Serial: "S1"}, {Part: "scanner"},
		},
	}
	waiting := api.Snapshot{
		Table: "2", N: 12, Head: "300:abababababababab", Open: true, Session: 1, Dealer: "dealer:3", Next: api.Next{Do: "wait_check", Who: "machine", Slot: "A"},
		Decks: []api.Deck{{Slot: "A", ID: "D-2", Back: "red", Lock: "unchecked"}}, Check: &api.Check{Slot: "A", Cards: 52}, Service: true,
		Devices: []api.Device{{Part: "shuffler", Linked: true, Model: "M", Serial: "S2", Authenticated: true}, {Part: "scanner", Linked: true, Model: "C", Serial: "C2"}},
	}
	closed := api.Snapshot{Table: "=HYPERLINK(1)", Next: api.Next{Do: "open_table", Who: "floor"}, Service: true, LastHand: 3}
	f := &fixed{tables: map[string]api.Snapshot{}, answer: api.Answer{Done: true, N: 13, Head: "301:cdcdcdcdcdcdcdcdcdcd"}}
	for _, s := range []api.Snapshot{busy, waiting, closed} {
		f.tables[s.Table] = s
		one := api.TableSummary{Table: s.Table, N: s.N, Open: s.Open, Dealer: s.Dealer, Level: s.Level, Hold: s.Hold, Next: s.Next, Faults: s.Faults}
		if s.Hand != nil {
			one.Hand, one.Stage = s.Hand.Number, s.Hand.Stage
		}
		f.list = append(f.list, one)
	}
	f.level = api.Announcement{Level: &level, Count: 3, By: "floor:7", Source: "floor", At: noon.UnixMilli(), Head: "200:efefefefefefefefefef"}
	f.decks = []api.RegisteredDeck{{ID: "@SUM(A1)", Back: "red", Table: "1"}, {ID: "D-9", Back: "\"blue\", old", Quarantined: true, Envelope: "-31"}}
	f.devices = []api.DeviceLink{
		{Table: "1", Part: "shuffler", Linked: true, Model: "Shark\x1b[2J", Serial: "S1", Firmware: "1.0", Port: "/dev/serial/by-path/x", HeardMS: 180, Frames: 900, BadFrames: 2, Retries: 1, Opens: 1},
		{Table: "1", Part: "scanner", Port: "/dev/serial/by-path/y", Problem: "the port is gone\r\nunplugged?", Losses: 3, Opens: 4},
		{Table: "2", Part: "scanner", Linked: true, Authenticated: true, Model: "验牌机", Serial: "C2", HeardMS: 40, Frames: 10, Opens: 1},
	}
	return f
}
