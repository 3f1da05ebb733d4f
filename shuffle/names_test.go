package shuffle

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestNames_EveryValueReadsBackAndUnknownOnesFail(t *testing.T) {
	check(t, stepNames, new(Step))
	check(t, actorNames, new(Actor))
	check(t, phaseNames, new(Phase))
	check(t, cutNames, new(CutResult))
	check(t, washNames, new(WashReason))
	check(t, stopNames, new(StopReason))
	check(t, breakNames, new(BreakKind))
	check(t, stateNames, new(StepState))
	for _, r := range []StopReason{99, StopReason(len(stopNames))} {
		if got := r.String(); got != fmt.Sprintf("StopReason(%d)", uint8(r)) {
			t.Errorf("%q", got)
		}
	}
}

// check writes and reads each value of an enumeration, and one too many.
func check[T ~uint8](t *testing.T, all names, into *T) {
	t.Helper()
	for i, name := range all {
		data, err := json.Marshal(T(i))
		if err != nil || string(data) != `"`+name+`"` {
			t.Errorf("%T %d is %s, %v; want %q", *into, i, data, err, name)
		}
		if err := json.Unmarshal(data, into); err != nil || int(*into) != i {
			t.Errorf("%s reads as %d, %v; want %d", data, *into, err, i)
		}
		if got := fmt.Sprint(T(i)); got != name {
			t.Errorf("%T %d prints as %q, want %q", *into, i, got, name)
		}
	}
	if data, err := json.Marshal(T(len(all))); err == nil {
		t.Errorf("%T %d is written as %s", *into, len(all), data)
	}
	if err := json.Unmarshal([]byte(`"`+strings.Repeat("nonsense", 9)+`"`), into); err == nil || !strings.Contains(err.Error(), all[len(all)-1]) || len(err.Error()) > 400 {
		t.Errorf("nonsense: %v; want a short error that names what there is", err)
	}
}

func TestS2_WashReasonsAreASet(t *testing.T) {
	none := WashReasons(0)
	if none.Required() || none.With(NoWash) != none || none.With(200) != none || none.With(8) != none || none.Has(NoWash) || WashReasons(255).Has(NoWash) {
		t.Error("no reason counts as one")
	}
	all := none
	for r := WashNewDeck; r <= WashAlways; r++ {
		if all.Has(r) {
			t.Errorf("%v is there already", r)
		}
		if all = all.With(r); !all.Has(r) || !all.Required() {
			t.Errorf("%v is not there", r)
		}
	}
	if got := fmt.Sprint(all.List()); got != "[new_deck table_open after_break after_draw requested after_stop always]" {
		t.Errorf("%v", got)
	}
	for set := range 128 {
		w := WashReasons(set << 1)
		data, err := json.Marshal(w)
		var back WashReasons
		if err == nil {
			err = json.Unmarshal(data, &back)
		}
		if err != nil || back != w {
			t.Errorf("%s reads as %v, %v", data, back, err)
		}
	}
	if data, _ := json.Marshal(none); string(data) != "[]" {
		t.Errorf("none is written as %s", data)
	}
	if data, err := json.Marshal(WashReasons(1)); err == nil {
		t.Errorf("a bit that is no reason is written as %s", data)
	}
	for _, data := range []string{`["bored"]`, `"always"`} {
		w := all
		if err := json.Unmarshal([]byte(data), &w); err == nil || w != all {
			t.Errorf("%s reads as %v, %v", data, w, err)
		}
	}
}

func TestBreak_JSONReadsBack(t *testing.T) {
	_, res := Begin(Default(), true, 52).Apply(Report{Step: Riffle, Phase: Started, By: Machine})
	data, err := json.Marshal(res.Break)
	if err != nil || string(data) != `{"kind":"out_of_order","index":0,"want_step":"gather","want_phase":"started","want_by":"machine","got_step":"riffle","got_phase":"started","got_by":"machine"}` {
		t.Errorf("%s, %v", data, err)
	}
	var back Break
	if err := json.Unmarshal(data, &back); err != nil || back != res.Break {
		t.Errorf("%s reads as %+v, %v", data, back, err)
	}
}

func TestStateful_ValuesAreComparable(t *testing.T) {
	for _, v := range []any{Procedure{}, Progress{}, Report{}, Result{}, Break{}, CutGate{}, WashReasons(0)} {
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
