package web_test

import (
	"reflect"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/journal"
)

// TestRoom_IsShown: tables, level, decks and devices, as the journal has them.
func TestRoom_IsShown(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		ctx := t.Context()
		if l, err := h.client.Level(ctx); err != nil || !reflect.DeepEqual(l, api.Announcement{}) {
			t.Errorf("before the first level: %+v, %v", l, err)
		}
		if d, err := h.client.Decks(ctx); err != nil || len(d) != 0 {
			t.Errorf("before the first deck: %+v, %v", d, err)
		}
		h.announce(1)
		h.announce(2)
		rec, _, _ := h.journal.Last(journal.Filter{Stream: "room", Types: []string{"level_announced"}})
		want := api.Announcement{Level: &api.Level{Number: 2, SmallBlind: 100, BigBlind: 200}, Count: 2, By: "floor:7", Source: "floor", At: rec.Wall,
			Head: journal.Head{Pos: rec.Pos, Hash: rec.Hash}.String()}
		if l, err := h.client.Level(ctx); err != nil || !reflect.DeepEqual(l, want) {
			t.Errorf("level %+v, %v; want %+v", l, err, want)
		}
		h.do("1", opening(""))
		place := func(table, slot, deck, back string) {
			h.do(table, api.Request{Action: "place_deck", By: "floor:7", Args: api.Args(api.PlaceDeck{Slot: slot, Deck: deck, Back: back, New: true, Reason: "store"})})
		}
		place("1", "B", "D-2", "blue")
		if d, err := h.client.Decks(ctx); err != nil || !reflect.DeepEqual(d, []api.RegisteredDeck{{ID: "D-2", Back: "blue", Table: "1"}}) {
			t.Errorf("decks %+v, %v", d, err)
		}
		place("1", "A", "D-1", "red")
		for range 2 { // the second time nothing is new
			if d, err := h.client.Decks(ctx); err != nil || !reflect.DeepEqual(d, []api.RegisteredDeck{{ID: "D-1", Back: "red", Table: "1"}, {ID: "D-2", Back: "blue", Table: "1"}}) {
				t.Errorf("decks %+v, %v", d, err)
			}
		}
		l, err := h.client.Tables(ctx)
		if err != nil || len(l) != 2 || l[0].Table != "1" || l[1].Table != "2" || !l[0].Open || l[1].Open || l[1].Level.Number != 2 {
			t.Errorf("tables %+v, %v", l, err)
		}
		d, err := h.client.Devices(ctx)
		if err != nil || len(d) != 4 || d[0] != (api.DeviceLink{Table: "1", Part: "shuffler"}) || d[3] != (api.DeviceLink{Table: "2", Part: "scanner"}) {
			t.Errorf("devices %+v, %v", d, err)
		}
	})
}

// TestActions_ManyInARow: what a request takes it gives back.
func TestActions_ManyInARow(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		for range 400 {
			if p := h.post("/v1/tables/1/actions/sign_in", "", "Shuffler-As: dealer:3").problem(t); p.Code != "table_closed" {
				t.Fatalf("%+v", p)
			}
		}
	})
}
