package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/web"
)

type document struct {
	OpenAPI    string
	Info       struct{ Title, Version string }
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	OperationID string `json:"operationId"`
	Summary     string
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   schema
	}
	RequestBody *struct {
		Content  map[string]struct{ Schema schema }
		Required bool
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema schema }
	}
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type                 any
	Properties           map[string]schema
	Required             []string
	AdditionalProperties any `json:"additionalProperties"`
}

func load(t *testing.T) (document, []byte) {
	t.Helper()
	srv, stop := served(t)
	defer stop()
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	if ct := w.Header().Get("Content-Type"); w.Code != http.StatusOK || ct != "application/openapi+json" {
		t.Fatalf("%d %s", w.Code, ct)
	}
	var d document
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return d, w.Body.Bytes()
}

// TestOpenAPI_IsWhole: version, unique operations, no dangling reference, a
// schema for every path parameter, a problem for every refusal.
func TestOpenAPI_IsWhole(t *testing.T) {
	d, text := load(t)
	if d.OpenAPI != "3.1.0" || d.Info.Title == "" || d.Info.Version != "test" {
		t.Errorf("%s %+v", d.OpenAPI, d.Info)
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	references(whole, func(ref string) {
		name, ok := strings.CutPrefix(ref, "#/components/schemas/")
		if _, known := d.Components.Schemas[name]; !ok || !known {
			t.Errorf("reference to %s, which there is not", ref)
		}
	})
	ids := map[string]bool{}
	for path, ops := range d.Paths {
		for method, op := range ops {
			where := method + " " + path
			if op.OperationID == "" || ids[op.OperationID] || op.Summary == "" {
				t.Errorf("%s: operation id %q is missing or used twice, or it has no summary", where, op.OperationID)
			}
			ids[op.OperationID] = true
			declared := map[string]bool{}
			for _, p := range op.Parameters {
				declared[p.In+" "+p.Name] = true
				if p.In == "path" && !p.Required || p.Schema.Type == nil {
					t.Errorf("%s: parameter %+v", where, p)
				}
			}
			for part := range strings.SplitSeq(path, "/") {
				if name, ok := strings.CutPrefix(part, "{"); ok && !declared["path "+strings.TrimSuffix(name, "}")] {
					t.Errorf("%s: %s is not declared", where, part)
				}
			}
			if method == "post" && (!declared["header Idempotency-Key"] || !declared["header Shuffler-As"]) {
				t.Errorf("%s: headers %v", where, declared)
			}
			if _, ok := op.Responses["200"]; !ok {
				t.Errorf("%s: no 200", where)
			}
			for status, r := range op.Responses {
				if r.Description == "" {
					t.Errorf("%s: %s has no description", where, status)
				}
				if status[0] == '4' || status[0] == '5' {
					if s := r.Content["application/problem+json"].Schema; s.Ref != "#/components/schemas/Problem" {
						t.Errorf("%s: %s is %+v", where, status, r.Content)
					}
				}
			}
		}
	}
	sameFields(t, d.Components.Schemas["Problem"], reflect.TypeFor[api.Problem](), false)
	sameFields(t, d.Components.Schemas["Snapshot"], reflect.TypeFor[api.Snapshot](), false)
	if s := d.Components.Schemas["Record"].Properties["payload"]; s.Type != "object" {
		t.Errorf("a record's payload is %v", s.Type)
	}
}

func references(v any, f func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if s, ok := x.(string); ok && k == "$ref" {
				f(s)
			}
			references(x, f)
		}
	case []any:
		for _, x := range v {
			references(x, f)
		}
	}
}

// sameFields holds a schema against a Go type.
func sameFields(t *testing.T, s schema, typ reflect.Type, strict bool) {
	t.Helper()
	var want []string
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			want = append(want, name)
		}
	}
	var got []string
	for name := range s.Properties {
		got = append(got, name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s has %v, its schema %v", typ, want, got)
	}
	if strict && s.AdditionalProperties != false {
		t.Errorf("%s lets unknown fields pass", typ)
	}
}

// TestOpenAPI_CoversEveryAction with the schema of its own arguments, and every
// other route.
func TestOpenAPI_CoversEveryAction(t *testing.T) {
	d, _ := load(t)
	expected := map[string]bool{"get /v1/tables": true, "get /v1/tables/{table}": true, "get /v1/level": true, "post /v1/level": true, "get /v1/records": true,
		"get /v1/stream": true, "get /v1/staff": true, "post /v1/staff/lift_lock": true, "get /v1/decks": true, "get /v1/devices": true, "get /v1/version": true}
	for _, name := range web.Actions() {
		path := "/v1/tables/{table}/actions/" + name
		expected["post "+path] = true
		op, ok := d.Paths[path]["post"]
		if !ok || op.RequestBody == nil || op.OperationID != name {
			t.Errorf("%s: %+v", path, op)
			continue
		}
		args := reflect.TypeOf(web.FullArgs(name))
		if args.NumField() > 0 != op.RequestBody.Required {
			t.Errorf("%s: the body is required: %v", name, op.RequestBody.Required)
		}
		ref := op.RequestBody.Content["application/json"].Schema.Ref
		s, ok := d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
		if !ok {
			t.Errorf("%s: no schema, %q", name, ref)
			continue
		}
		sameFields(t, s, args, true)
	}
	for path, ops := range d.Paths {
		for method := range ops {
			if !expected[method+" "+path] {
				t.Errorf("%s %s is new: say so here", method, path)
			}
			delete(expected, method+" "+path)
		}
	}
	for where := range expected {
		t.Errorf("%s is gone", where)
	}
}
