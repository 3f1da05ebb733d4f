package web

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"shuffler/controller/api"
)

// reading is an operation that changes nothing.
func reading(path, id, about string, statuses ...int) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: http.MethodGet, Path: path, Summary: about,
		Errors: append(statuses, http.StatusBadRequest, http.StatusServiceUnavailable),
	}
}

// registerTables makes the operations that show tables.
func (s *Server) registerTables(h huma.API) {
	type tables struct{ Body api.Tables }
	huma.Register(h, reading("/v1/tables", "list_tables", "A line for each table"), func(context.Context, *struct{}) (*tables, error) {
		out := &tables{api.Tables{Tables: []api.TableSummary{}}}
		for _, id := range s.opt.Controller.Tables() {
			t, err := s.local.Snapshot(id)
			if err != nil {
				return nil, problemOf(api.CodeNoTable, "", err.Error())
			}
			out.Body.Tables = append(out.Body.Tables, summary(t))
		}
		return out, nil
	})
	type one struct {
		Table       string `path:"table" doc:"id of the table"`
		IfNoneMatch string `header:"If-None-Match" doc:"an ETag: 304 when the table is still as it was"`
	}
	type shown struct {
		Status int
		ETag   string `header:"ETag" doc:"begins with the state number: it may be used as If-Match"`
		Body   api.Snapshot
	}
	op := reading("/v1/tables/{table}", "get_table", "A table as the journal has it", http.StatusNotFound)
	op.Responses = map[string]*huma.Response{"304": {Description: "the table is as it was"}}
	huma.Register(h, op, func(_ context.Context, in *one) (*shown, error) {
		t, err := s.local.Snapshot(in.Table)
		if err != nil {
			return nil, problemOf(api.CodeNoTable, "", "there is no table "+quote(in.Table))
		}
		out := &shown{Status: http.StatusOK, ETag: etag(t), Body: t}
		if matches(in.IfNoneMatch, out.ETag) {
			out.Status = http.StatusNotModified
		}
		return out, nil
	})
}

// etag names what a snapshot shows: its state number, and a hash for what moves
// without a record, such as the cards counted in a check.
func etag(t api.Snapshot) string {
	h := fnv.New64a()
	h.Write(api.Args(t))
	return fmt.Sprintf(`"%d-%x"`, t.N, h.Sum64())
}

func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == tag || one == "*" {
			return true
		}
	}
	return false
}

func summary(t api.Snapshot) api.TableSummary {
	out := api.TableSummary{Table: t.Table, N: t.N, Open: t.Open, Dealer: t.Dealer, Level: t.Level, Hold: t.Hold, Next: t.Next, Faults: t.Faults}
	if t.Hand != nil {
		out.Hand, out.Stage = t.Hand.Number, t.Hand.Stage
	}
	return out
}

// registerRest makes the operations that show the room and the program.
func (s *Server) registerRest(h huma.API) {
	type decks struct{ Body api.Registry }
	huma.Register(h, reading("/v1/decks", "list_decks", "The decks that the room knows"), func(ctx context.Context, _ *struct{}) (*decks, error) {
		out := &decks{}
		err := s.readJournal(ctx, func() (err error) { out.Body.Decks, err = s.registry.decks(); return err })
		return out, err
	})
	type devices struct{ Body api.Devices }
	huma.Register(h, reading("/v1/devices", "list_devices", "The machines of all tables and their links"), func(context.Context, *struct{}) (*devices, error) {
		return &devices{api.Devices{Devices: s.devices()}}, nil
	})
	type version struct{ Body api.Version }
	huma.Register(h, reading("/v1/version", "get_version", "Which program answers, and where its journal stands"), func(ctx context.Context, _ *struct{}) (*version, error) {
		out := &version{api.Version{Version: s.opt.Version, API: "v1", Now: s.opt.Now().UnixMilli()}}
		err := s.readJournal(ctx, func() error {
			head, err := s.opt.Journal.Head()
			out.Body.Chain, out.Body.Head = head.Chain, head.String()
			return err
		})
		return out, err
	})
}

func (s *Server) devices() []api.DeviceLink {
	if s.opt.Devices != nil {
		return slices.Clone(s.opt.Devices())
	}
	l := []api.DeviceLink{}
	for _, id := range s.opt.Controller.Tables() {
		t, err := s.local.Snapshot(id)
		if err != nil {
			continue // the list of tables never shrinks
		}
		for _, d := range t.Devices {
			l = append(l, api.DeviceLink{Table: id, Part: d.Part, Linked: d.Linked, Model: d.Model, Serial: d.Serial, Authenticated: d.Authenticated})
		}
	}
	return l
}

// document is the OpenAPI document of what has been registered.
func document(h huma.API) []byte {
	schemas := h.OpenAPI().Components.Schemas.Map()
	// A payload is an object that depends on the record's type; to huma it is bytes.
	schemas["Record"].Properties["payload"] = &huma.Schema{Type: huma.TypeObject, Description: "the fact, by type; see the journal's format", AdditionalProperties: true}
	b, err := json.Marshal(h.OpenAPI())
	if err != nil {
		panic("web: openapi: " + err.Error()) // it is the same at every start, and tested
	}
	return b
}

func (s *Server) serveDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/openapi+json")
	_, _ = w.Write(s.openapi) // whoever has gone does not want it
}
