package main

import (
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/room"
	"shuffler/controller/table"
)

// TestExit_Usage: bad input is code 2, says what is wrong and where to read more,
// and asks nothing of a controller.
func TestExit_Usage(t *testing.T) {
	f := cardRoom()
	server := f.serve(t)
	for _, c := range []struct{ line, want string }{
		{"tabel", "did you mean table?"},
		{"table stauts", "did you mean status?"},
		{"table frobnicate", "frobnicate"},
		{"table status extra", `"extra" is too much`},
		{"deck check", "SLOT is missing"},
		{"deck place A", "DECK is missing"},
		{"deck place A D-1 --as floor:7", "--back is missing"},
		{"table status --colour", "--colour"},
		{"table status -o yaml", "want table, json, csv"},
		{"table status -o csv", "table list -o csv"},
		{"table watch -o csv --table 1", "-o json"},
		{"table status --lang fr", "fr"},
		{"table status --zone Mars/Olympus", "Asia/Shanghai"},
		{"hand deal --table 2", "--as"},
		{"hand deal --table 2 --as king:1", "unknown role"},
		{"hand deal --table 2 --as 7", "role:id"},
		{"hand deal --table 2 --as floor:7 --approved-by 8", "--approved-by"},
		{"hand deal --as dealer:3", "there are 1, 2"},
		{"hand list", "there are 1, 2"},
		{"seats confirm --button 1 --seats 1,x --as dealer:3", `"x" is no seat`},
		{"seats confirm --button 1 --seats 11 --as dealer:3", "is no seat"},
		{"seats confirm --button 1 --seats 4-2 --as dealer:3", "backwards"},
		{"seats confirm --button x --seats 1,2 --as dealer:3", "button"},
		{"level announce 0 --blinds 1/2 --as floor:7", "no number of a level"},
		{"level announce 70000 --blinds 1/2 --as floor:7", "no number of a level"},
		{"level announce 3 --blinds 100 --as floor:7", "300/600"},
		{"level announce 3 --blinds 1/9999999999 --as floor:7", "300/600"},
		{"shuffle step riffel --as dealer:3", "riffel"},
		{"shuffle void because --as dealer:3", "because"},
		{"table service maybe --as floor:7", "in or out"},
		{"handoff settle maybe --as floor:7 --reason x", "complete or keep"},
		{"handoff accept --head 12 --as dealer:3", "pos:hash"},
		{"fault clear engine jam_exit --as floor:7", "engine"},
		{"fault clear shuffler jam --as floor:7", "jam"},
		{"fault list --table 9", "no table"},
		{"device list --table 9", "no machine"},
		{"deck receipt x --table 1", "CHECK"},
		{"deck receipt --table 1 -o csv", "-o json"},
		{"hand list --table 1 --full -o csv", "--full"},
		{"handoff show 0 --table 1", "NUMBER"},
		{"hand list --data /tmp", "may hold many"},
		{"journal verify --data a --file b", "give one"},
		{"journal verify --head 12", "--head"},
		{"journal backup x.db", "--data"},
		{"journal restore x.db", "--data"},
		{"journal export --hand 5", "--table"},
		{"completion tcsh", "tcsh"},
	} {
		words := append(strings.Fields(c.line), "--server", server)
		r := ctlIn(t, nil, words...)
		if r.code != exitUsage || !strings.Contains(r.err, c.want) || !strings.HasPrefix(r.err, "shufflectl: ") {
			t.Errorf("%s: exit %d: %s", c.line, r.code, r.err)
		}
		if r.out != "" {
			t.Errorf("%s: printed %q", c.line, r.out)
		}
	}
	if len(f.asked) != 0 {
		t.Errorf("%d requests came through", len(f.asked))
	}
	if r := ctlIn(t, nil, "table", "status", "--server", "gopher://x"); r.code != exitUsage {
		t.Errorf("server: exit %d: %s", r.code, r.err)
	}
}

// TestExit_OfProblems: each kind of answer has its code.
func TestExit_OfProblems(t *testing.T) {
	for _, c := range []struct {
		status int
		code   string
		exit   int
	}{
		{http.StatusConflict, string(table.TableIsClosed), exitRefused},
		{http.StatusForbidden, string(table.NeedsRole), exitRefused},
		{http.StatusBadRequest, string(table.BadInput), exitRefused},
		{http.StatusBadRequest, string(table.ReasonMissing), exitRefused},
		{http.StatusConflict, string(room.DeckElsewhere), exitRefused},
		{http.StatusConflict, "a_rule_of_tomorrow", exitRefused},
		{http.StatusPreconditionFailed, api.CodeStale, exitRefused},
		{http.StatusBadRequest, api.CodeBadRequest, exitUsage},
		{http.StatusNotFound, api.CodeNoTable, exitUsage},
		{http.StatusUnprocessableEntity, api.CodeKeyReused, exitUsage},
		{http.StatusNotFound, api.CodeNoAction, exitFailed},
		{http.StatusServiceUnavailable, api.CodeNotRecorded, exitFailed},
		{http.StatusServiceUnavailable, api.CodeStalled, exitFailed},
		{http.StatusConflict, api.CodeStopping, exitFailed},
		{http.StatusServiceUnavailable, api.CodeStopping, exitFailed},
		{http.StatusInternalServerError, api.CodeDefect, exitFailed},
	} {
		f := cardRoom()
		f.problem = &api.Problem{Title: "t", Status: c.status, Code: c.code, Detail: "what happened", Hint: "what to do about it"}
		for _, lang := range []string{"en", "zh-CN"} {
			r := ctlIn(t, nil, "hand", "deal", "--as", "dealer:3", "--table", "2", "--server", f.serve(t), "--lang", lang)
			if r.code != c.exit || !strings.Contains(r.err, c.code) || r.out != "" {
				t.Errorf("%s: exit %d, want %d: %s%s", c.code, r.code, c.exit, r.out, r.err)
			}
			if strings.Count(r.err, "\n") < 3 && c.exit == exitRefused {
				t.Errorf("%s: says not what, what to do, and the code: %s", c.code, r.err)
			}
		}
	}
}

// TestRefusal_SaysWhatWhyAndWhatToDo, in both languages; a program gets the
// answer as JSON.
func TestRefusal_SaysWhatWhyAndWhatToDo(t *testing.T) {
	h := open(t, "1")
	r := h.ctl("hand", "deal", "--as", "dealer:3")
	zh := h.ctl("hand", "deal", "--as", "dealer:3", "--lang", "zh-CN")
	js := h.ctl("hand", "deal", "--as", "dealer:3", "-o", "json")
	csv := h.ctl("hand", "deal", "--as", "dealer:3", "-o", "csv")
	for _, one := range []told{r, zh, js, csv} {
		if one.code != exitRefused || !strings.Contains(one.err, "not_on_duty") {
			t.Errorf("exit %d: %s%s", one.code, one.out, one.err)
		}
	}
	if !strings.HasPrefix(r.err, "shufflectl: refused: ") || !strings.Contains(r.err, "what to do: ") {
		t.Errorf("%s", r.err)
	}
	if !strings.Contains(zh.err, "拒绝：") || !strings.Contains(zh.err, "该怎么做：") || strings.Contains(zh.err, "refused") {
		t.Errorf("%s", zh.err)
	}
	if !strings.Contains(js.out, `"done": false`) || !strings.Contains(js.out, `"problem": "not_on_duty"`) {
		t.Errorf("%s", js.out)
	}
	if !strings.Contains(csv.out, "\r\nfalse,not_on_duty,") {
		t.Errorf("%q", csv.out)
	}
}

// TestExit_Unreachable: no controller is code 4, and says where it was looked for.
func TestExit_Unreachable(t *testing.T) {
	dir := shortTemp(t)
	for _, args := range [][]string{{"table", "list"}, {"hand", "deal", "--as", "dealer:3"}, {"table", "watch", "--table", "1"}, {"journal", "head"}, {"journal", "verify"}} {
		r := ctlIn(t, map[string]string{"XDG_RUNTIME_DIR": dir}, args...)
		if r.code != exitUnreachable || !strings.Contains(r.err, filepath.Join(dir, "shuffler", api.SocketName)) {
			t.Errorf("%q: exit %d: %s", args, r.code, r.err)
		}
		r = ctlIn(t, nil, append(args, "--server", filepath.Join(dir, "gone.sock"))...)
		if r.code != exitUnreachable || !strings.Contains(r.err, "gone.sock") {
			t.Errorf("%q: exit %d: %s", args, r.code, r.err)
		}
		if strings.Contains(r.err, "--key") {
			t.Errorf("nothing was sent: %s", r.err)
		}
	}
}

// TestServer_IsFound: in the folders of DESIGN's order, the environment's variable
// before them, the flag before that.
func TestServer_IsFound(t *testing.T) {
	dir := shortTemp(t)
	newHouse(t, t.TempDir(), filepath.Join(dir, "shuffler", api.SocketName), "in-runtime-dir")
	other := open(t, "by-name")
	third := open(t, "by-flag")
	env := map[string]string{"XDG_RUNTIME_DIR": dir}
	if r := ctlIn(t, env, "table", "list"); !strings.Contains(r.out, "in-runtime-dir") {
		t.Errorf("%+v", r)
	}
	env[envServer] = other.socket
	if r := ctlIn(t, env, "table", "list"); !strings.Contains(r.out, "by-name") {
		t.Errorf("%+v", r)
	}
	if r := ctlIn(t, env, "table", "list", "--server", third.socket); !strings.Contains(r.out, "by-flag") {
		t.Errorf("%+v", r)
	}
}

// TestOutcomeUnknown_TellsTheKey: a request that was sent and not answered may
// have been carried out. Its key is told, so that asking again does nothing twice.
func TestOutcomeUnknown_TellsTheKey(t *testing.T) {
	f := cardRoom()
	f.problem = &api.Problem{Title: "t", Status: http.StatusServiceUnavailable, Code: api.CodeNoAnswerYet, Detail: "d", Hint: "h"}
	r := ctlIn(t, nil, "hand", "deal", "--as", "dealer:3", "--table", "2", "--server", f.serve(t))
	if key := f.asked[0].Header.Get(api.HeaderKey); r.code != exitFailed || !strings.Contains(r.err, "--key "+key) {
		t.Errorf("exit %d: %s", r.code, r.err)
	}

	h := open(t, "1")
	first := h.must("table", "hold", "--as", "floor:7", "--reason", "x", "-o", "json", "--key", "once", "--help")
	if !strings.Contains(first, "Usage:") {
		t.Error("help did something")
	}
	opening := []string{"table", "open", "--activity-card", "A", "--manual", "V", "--deputy", "floor:8", "--as", "floor:7", "--key", "once", "-o", "json"}
	if a, b := h.must(opening...), h.must(opening...); a != b {
		t.Errorf("the same key was answered with\n%s\nand\n%s", a, b)
	}
}

// TestOutcomeUnknown_ConnectionCut: the same where the connection breaks.
func TestOutcomeUnknown_ConnectionCut(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = c.Read(make([]byte, 4096))
		l.Close() // gone for good: it is not waited for any longer
		c.Close()
	}()
	r := ctlIn(t, nil, "hand", "deal", "--as", "dealer:3", "--table", "2", "--server", l.Addr().String(), "--key", "mine")
	if r.code != exitUnreachable || !strings.Contains(r.err, "--key mine") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}

// TestOutput_ThatCannotBeWritten is a failure, whatever was done.
func TestOutput_ThatCannotBeWritten(t *testing.T) {
	server := cardRoom().serve(t)
	for _, args := range [][]string{{"table", "list"}, {"table", "status", "--table", "1"}, {"table", "--help"}, {"completion", "bash"}, {"hand", "deal", "--as", "dealer:3", "--table", "2"}} {
		h := testHost(nil)
		h.stdout = fullDisk{}
		if code := run(t.Context(), h, append(args, "--server", server)); code != exitFailed {
			t.Errorf("%q: exit %d", args, code)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, net.ErrClosed }
