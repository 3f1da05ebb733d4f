package deckcheck

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestD4_WhatIsNotStatedIsNamed(t *testing.T) {
	all := Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true}
	if got := all.Complete(true); got != nil {
		t.Errorf("all stated, and yet %v", got)
	}
	if got := (Attestation{}).Complete(true); fmt.Sprint(got) != "[condition backs cut_card button timer]" {
		t.Errorf("nothing stated: %v", got)
	}
	if got := (Attestation{}).Complete(false); slices.Contains(got, "backs") {
		t.Errorf("a device that sees the backs: %v", got)
	}
	all.Backs = false
	if got := all.Complete(true); fmt.Sprint(got) != "[backs]" {
		t.Errorf("backs not stated: %v", got)
	}
}

// complete is a receipt with nothing left out.
func complete() Receipt {
	return Receipt{
		Devices:    []ReceiptDevice{{Role: "scanner", Maker: "Acme", Model: "S1", Serial: "7", Firmware: "1.2"}},
		Controller: "0.1", Table: "1", Session: "s", ActivityCard: "a", Manual: "m", Deck: "d1", Back: "red", Slot: "A",
		Dealer: "dealer:3", Floor: "floor:7", StartMS: 1, EndMS: 2,
		Measured: Measured{Verdict: Verdict{Outcome: Good, Fed: 52, Read: 52, CountAttested: true}},
		Attested: Attested{
			Dealer:      Attestation{Condition: true, Backs: true, CutCard: true, Button: true, Timer: true, StatedCount: 52},
			Countersign: true, CountersignedBy: "floor:7",
		},
		Procedure: ReceiptProcedure{Version: "house-1", Approved: true, ApprovedBy: "floor:7", ApprovedAt: "2025-01-01"},
		Journal:   ReceiptJournal{Pos: 9, Hash: "ab"},
	}
}

func TestD8_EverythingThatIsEmptyIsMissed(t *testing.T) {
	if got := complete().Missing(); len(got) != 0 {
		t.Fatalf("complete, and yet %v", got)
	}
	// Every field in turn is emptied, so a field that is added later and
	// forgotten in Missing shows up here.
	optional := []string{"new_deck", "devices[0].authenticated", "measured.backs_seen", "procedure.approved", "attested.countersign"}
	var walk func(at string, field func(*Receipt) reflect.Value)
	walk = func(at string, field func(*Receipt) reflect.Value) {
		r := complete()
		v := field(&r)
		if _, whole := v.Interface().(Verdict); v.Kind() == reflect.Struct && !whole {
			for i := range v.NumField() {
				tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
				if tag == "" {
					t.Errorf("%s.%s has no JSON name", at, v.Type().Field(i).Name)
				}
				walk(join(at, tag), func(r *Receipt) reflect.Value { return field(r).Field(i) })
			}
			return
		}
		v.SetZero()
		want := []string{at}
		if slices.Contains(optional, at) {
			want = nil
		}
		if got := r.Missing(); !slices.Equal(got, want) {
			t.Errorf("without %s: missing %v, want %v", at, got, want)
		}
	}
	walk("", func(r *Receipt) reflect.Value { return reflect.ValueOf(r).Elem() })
	walk("devices[0]", func(r *Receipt) reflect.Value { return reflect.ValueOf(&r.Devices[0]).Elem() })
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func TestD8_WhatIsNotNeededIsNotMissed(t *testing.T) {
	for name, change := range map[string]func(*Receipt){
		"a draft needs no approval":        func(r *Receipt) { r.Procedure = ReceiptProcedure{Version: "house-1"} },
		"a counter needs no stated count":  func(r *Receipt) { r.Measured.Verdict.CountAttested, r.Attested.Dealer.StatedCount = false, 0 },
		"a deck in use no second signer":   func(r *Receipt) { r.Attested.Countersign, r.Attested.CountersignedBy = false, "" },
		"a device that sees backs no word": func(r *Receipt) { r.Measured.BacksSeen, r.Attested.Dealer.Backs = true, false },
	} {
		r := complete()
		change(&r)
		if got := r.Missing(); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestD4_NobodyCountersignsForThemselves(t *testing.T) {
	r := complete()
	r.Attested.CountersignedBy = r.Dealer
	if got := r.Missing(); fmt.Sprint(got) != "[attested.countersigned_by]" {
		t.Errorf("signed twice by the dealer: %v", got)
	}
}

func TestD8_ACheckEndsAfterItsStart(t *testing.T) {
	for _, c := range []struct {
		start, end int64
		want       string
	}{{5, 2, "[end_unix_ms]"}, {2, 2, "[]"}, {0, 0, "[start_unix_ms end_unix_ms]"}, {-5, -2, "[start_unix_ms end_unix_ms]"}} {
		r := complete()
		r.StartMS, r.EndMS = c.start, c.end
		if got := r.Missing(); fmt.Sprint(got) != c.want {
			t.Errorf("from %d to %d: %v, want %v", c.start, c.end, got, c.want)
		}
	}
}

func TestD8_TheReceiptReadsBack(t *testing.T) {
	data, err := json.Marshal(complete())
	if err != nil {
		t.Fatal(err)
	}
	var back Receipt
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, complete()) {
		t.Errorf("%s reads back as %+v, %v", data, back, err)
	}
}

func TestX1_ValuesInStateAreComparable(t *testing.T) {
	for _, v := range []any{Tally{}, Scan{}, Verdict{}, Confusions{}, Attestation{}, CardSet(0)} {
		if !reflect.TypeOf(v).Comparable() {
			t.Errorf("%T is not comparable", v)
		}
		plain(t, reflect.TypeOf(v), reflect.TypeOf(v).String())
	}
}

// plain forbids what a copy would share.
func plain(t *testing.T, typ reflect.Type, at string) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			plain(t, typ.Field(i).Type, at+"."+typ.Field(i).Name)
		}
	case reflect.Array:
		plain(t, typ.Elem(), at+"[]")
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Chan, reflect.Func:
		t.Errorf("%s is a %v", at, typ.Kind())
	}
}
