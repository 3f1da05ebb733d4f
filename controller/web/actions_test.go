package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/table"
	"shuffler/controller/table/custody"
)

// fullArgs are arguments that every action understands.
var fullArgs = map[string]any{
	"open_table":   api.OpenTable{ActivityCard: "AC-1", Manual: "V0.2", Floor: "floor:7", Deputy: "floor:8"},
	"change_floor": api.ChangeFloor{Floor: "floor:8", Deputy: "floor:9", Reason: "going home"},
	"place_deck":   api.PlaceDeck{Slot: "A", Deck: "D-1", Back: "red", New: true, Reason: "from the store"},
	"remove_deck":  api.ChangeDeck{Slot: "A", Cause: "damaged", Reason: "worn"}, "use_deck": api.ChangeDeck{Slot: "A", Reason: "rotation"}, "start_check": api.Slot{Slot: "A"},
	"quarantine_deck": api.QuarantineDeck{Slot: "A", Envelope: "E-1", Reason: "second jack"},
	"attest_deck":     api.AttestDeck{Slot: "A", Condition: true, Backs: true, CutCard: true, Button: true, Timer: true},
	"confirm_seats":   api.ConfirmSeats{Button: 1, Seats: []int{1, 2, 3}}, "confirm_level": api.ConfirmLevel{Number: 1},
	"request_wash": api.Reason{Reason: "players asked the floor"}, "dealer_step": api.DealerStep{Step: "wash", Phase: "started"},
	"void_shuffle": api.VoidShuffle{Reason: "floor_void", Slot: "A"}, "set_rotation": api.SetRotation{On: true, Reason: "two decks"}, "set_break": api.SetBreak{On: true, Reason: "dinner"}, "abandon_hand": api.Reason{Reason: "fire alarm"}, "resume_hand": api.ResumeHand{Said: "untouched"},
	"street_dealt":     api.DealStreet{Street: "flop"},
	"odd_move":         api.OddMove{Kind: "ruled", Cards: 1, From: "board", To: "stub", Reason: "five cards"},
	"reshuffle_stub":   api.ReshuffleStub{Outcome: "restored", Street: "flop", Cards: 36, Reason: "dropped", Exception: "nobody saw a card"},
	"count_stub":       api.CountStub{Street: "river", Cards: 32},
	"record_exception": api.RecordException{Rule: "H7", Why: "fairness"},
	"use_for_draw":     api.UseForDraw{Slot: "A", Kind: "button_draw"},
	"call_floor":       api.Reason{Reason: "dispute"}, "lift_hold": api.LiftHold{Ruling: "play on", Basis: "F0 1.2", ReadBack: true},
	"propose_handoff": api.ProposeHandoff{To: "dealer:5"}, "accept_handoff": api.AcceptHandoff{}, "refuse_handoff": api.Reason{Reason: "count differs"},
	"settle_handoff": api.SettleHandoff{Complete: true, Reason: "recounted"}, "clear_fault": api.ClearFault{Part: "shuffler", Code: "jam_entry"},
	"set_service": api.SetService{Out: true, Reason: "noise"},
	"close_table": struct{}{}, "sign_in": struct{}{}, "begin_shuffle": struct{}{}, "deal_begun": struct{}{}, "substantial_action": struct{}{}, "end_hand": struct{}{},
}

// FullArgs lends them to the tests of the other package.
func FullArgs(action string) any { return fullArgs[action] }

// TestActions_NamesAreTheTablesOwn: a request is recorded under the name by
// which it was asked for, and every action of the table can be asked for.
func TestActions_NamesAreTheTablesOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range actions {
		if seen[a.name] || a.about == "" {
			t.Errorf("%s: twice, or without a word about it", a.name)
		}
		seen[a.name] = true
		made, err := read(api.Request{Action: a.name, Args: api.Args(fullArgs[a.name])}, table.Act{By: custody.Person{Role: custody.Floor, ID: "7"}, ApprovedBy: custody.Person{Role: custody.Dealer, ID: "3"}, Auth: custody.AuthPIN, ApprovedAuth: custody.AuthPIN, Key: "k"})
		if err != nil {
			t.Errorf("%s: %v", a.name, err)
			continue
		}
		act := made.Acting()
		if made.Name() != a.name || act.By.String() != "floor:7" || act.ApprovedBy.String() != "dealer:3" || act.Key != "k" || act.Auth != "pin" || act.ApprovedAuth != "pin" {
			t.Errorf("%s made a %s by %+v", a.name, made.Name(), act)
		}
	}
	for _, name := range namesInPackage(t, "../table") {
		if !seen[name] {
			t.Errorf("package table has the action %s, the API has not", name)
		}
	}
}

// namesInPackage reads what the methods Name() string of a package return.
func namesInPackage(t *testing.T, dir string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			fn, ok := n.(*ast.FuncDecl)
			if !ok || fn.Name.Name != "Name" || fn.Recv == nil || len(fn.Body.List) != 1 {
				return true
			}
			ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(ret.Results) != 1 {
				return true
			}
			if lit, ok := ret.Results[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, _ := strconv.Unquote(lit.Value)
				names = append(names, s)
			}
			return true
		})
	}
	if len(names) < 20 {
		t.Fatalf("found the actions %v only: has Name() changed its form?", names)
	}
	return names
}

// TestTexts_EveryCodeHasOne reads the codes from the source, so that a new one is
// not forgotten.
func TestTexts_EveryCodeHasOne(t *testing.T) {
	codes := append(constants(t, "../table/refusal.go", "Code"), constants(t, "../room/room.go", "Code")...)
	codes = append(codes, constants(t, "../room/staff.go", "Code")...)
	codes = append(codes, constants(t, "../api/problem.go", "")...)
	if len(codes) < 60 {
		t.Fatalf("found %d codes only", len(codes))
	}
	for _, c := range codes {
		if x, ok := texts[c]; !ok || x.what == "" || x.hint == "" {
			t.Errorf("code %q has no text", c)
		}
	}
	if s := statusOf(string(table.NeedsRole)); s != 403 {
		t.Errorf("needs_role has status %d", s)
	}
}

// constants lists the string constants of a file, of one type if typ is given.
func constants(t *testing.T, path, typ string) (values []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			id, _ := v.Type.(*ast.Ident)
			if typ != "" && (id == nil || id.Name != typ) || typ == "" && !ast.IsExported(v.Names[0].Name) {
				continue
			}
			if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, _ := strconv.Unquote(lit.Value); s != "" && s != api.CodeUnexpected {
					values = append(values, s)
				}
			}
		}
	}
	return values
}
