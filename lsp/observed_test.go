package lsp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/edit"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/state"
)

// An observed server is one whose session and use cases a test can look at and replace.
type observed struct {
	*editor
	server  *Server
	session *workspace.Session
	setup   Setup
	use     UseCases
}

// names are the server's names of documents; the server must be settled.
func (o *observed) names() *names { return &o.server.names }

func observe(t *testing.T, d Deps, replace func(*UseCases)) *observed {
	o := &observed{}
	open := d.Open
	d.Open = func(ctx context.Context, s Setup) (*workspace.Session, UseCases, error) {
		session, use, err := open(ctx, s)
		o.session, o.setup = session, s
		if replace != nil {
			replace(&use)
		}
		o.use = use
		return session, use, err
	}
	o.editor = startAfter(t, d, func(s *Server) { o.server = s })
	return o
}

// settled waits until the server has handled all notifications sent before, and the
// session all changes that they were about.
func (o *observed) settled() {
	o.t.Helper()
	if _, err := o.call("test/status", nil); err != nil {
		o.t.Fatal(err)
	}
	if o.session == nil {
		return
	}
	if err := o.session.WaitIdle(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
}

// caused records the diagnostics that the next edits are notified of.
type caused struct {
	NextEdits
	mu             sync.Mutex
	added, removed []string
}

func (c *caused) Caused(_ string, added, removed []workspace.Diagnostic) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.added, c.removed = messagesOf(added), messagesOf(removed)
}

func messagesOf(list []workspace.Diagnostic) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Message)
	}
	return out
}

// TestDiagnosticsAreKept: what the editor reports is added and removed one by one, a
// message that only moved is the same one, and an error counts as caused by the
// user's typing only if it is new and there was typing.
func TestDiagnosticsAreKept(t *testing.T) {
	errors := &caused{}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { errors.NextEdits = use.NextEdits; use.NextEdits = errors })
	o.initialize(fullClient(), t.TempDir())
	o.open("untitled:a.go", "go", "package a\n\none\ntwo\nthree\n")
	at := func(line int, message string) object {
		return object{"range": object{"start": object{"line": line, "character": 0}, "end": object{"line": line, "character": 3}}, "severity": 1, "message": message}
	}
	type list = []object
	for _, step := range []struct {
		name           string
		typed          bool
		removed, added list
		want           []string // message@line
		caused, gone   []string
	}{
		{"there before typing", false, nil, list{at(2, "a"), at(3, "b")}, []string{"a@2", "b@3"}, nil, nil},
		{"new after typing", true, nil, list{at(3, "a")}, []string{"a@2", "b@3", "a@3"}, []string{"a"}, nil},
		{"the one at its place goes", false, list{at(3, "a")}, nil, []string{"a@2", "b@3"}, nil, []string{"a"}},
		{"one that moved goes by its message", false, list{at(4, "b")}, nil, []string{"a@2"}, nil, []string{"b"}},
		{"one that is not there takes no other", false, list{at(2, "c")}, nil, []string{"a@2"}, nil, []string{"c"}},
		{"moved is neither new nor gone", false, list{at(2, "a")}, list{at(4, "a"), at(4, "d")}, []string{"a@4", "d@4"}, []string{"d"}, nil},
	} {
		if step.typed {
			o.change("untitled:a.go", wireRange{position{4, 5}, position{4, 5}}, "x")
		}
		o.notify("tandem/didChangeDiagnostics", object{"textDocument": object{"uri": "untitled:a.go"}, "removed": step.removed, "added": step.added})
		o.settled()
		snap := o.session.Snapshot()
		overlay, _ := snap.Overlay("untitled:a.go")
		var got []string
		for _, d := range snap.Diagnostics("untitled:a.go") {
			got = append(got, d.Message+"@"+string(rune('0'+overlay.Text.LineOf(d.Span.Start))))
		}
		if !slices.Equal(got, step.want) || !slices.Equal(errors.added, step.caused) || !slices.Equal(errors.removed, step.gone) {
			t.Errorf("%s: kept %v, caused %v, gone %v; want %v, %v, %v", step.name, got, errors.added, errors.removed, step.want, step.caused, step.gone)
		}
	}
	o.notify("tandem/didChangeDiagnostics", object{"textDocument": object{"uri": "untitled:closed.go"}, "added": list{at(2, "a")}})
	o.settled() // a document that is not open is no error
}

// TestWhatAClientCanShow: a text is a document only where the client can show one and get
// its text; else it is a file, or a message.
func TestWhatAClientCanShow(t *testing.T) {
	for _, c := range []struct {
		name               string
		content, documents bool
		preview            bool
		want               string // scheme of the document shown, "" for a message
	}{
		{"both", true, true, true, "tandem"},
		{"content alone", true, false, true, ""},
		{"documents and a file", false, true, true, "file"},
		{"documents and no file", false, true, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := deps(t, &cassette{})
			d.Window = func(context.Context, *workspace.Snapshot, WindowQuery) (any, error) {
				return map[string]string{"text": "what the model is shown"}, nil
			}
			file := filepath.Join(t.TempDir(), "window.txt")
			if c.preview {
				d.Preview = func(name, text string) (string, error) { return file, os.WriteFile(file, []byte(text), 0o600) }
			}
			e := start(t, d)
			capabilities := object{"workspace": object{}}
			if c.content {
				capabilities["workspace"] = object{"textDocumentContent": object{}}
			}
			if c.documents {
				capabilities["window"] = object{"showDocument": object{"support": true}}
			}
			e.initialize(capabilities)
			e.open("untitled:a.go", "go", "package a\n")
			if _, err := e.call("workspace/executeCommand", object{"command": "tandem.showWindow", "arguments": []object{{"uri": "untitled:a.go", "position": position{}}}}); err != nil {
				t.Fatal(err)
			}
			shown := ""
			e.mu.Lock()
			for _, m := range e.asked {
				var p struct{ URI string }
				if m.Method == "window/showDocument" && json.Unmarshal(m.Params, &p) == nil {
					shown, _, _ = strings.Cut(p.URI, ":")
				}
			}
			e.mu.Unlock()
			if shown != c.want {
				t.Errorf("shown as %q, want %q", shown, c.want)
			}
			if c.want == "" {
				e.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "what the model is shown") })
			}
			if text, _ := os.ReadFile(file); (string(text) == "what the model is shown") != (c.want == "file") {
				t.Errorf("the file holds %q", text)
			}
		})
	}
}

// decisions records what the tasks are notified of.
type decisions struct {
	Tasks
	made chan string
}

func (d *decisions) Resolved(id, decision string) { d.made <- id + " " + decision }
func (d *decisions) Cancel(id string) error       { d.made <- id + " cancelled"; return nil }
func (d *decisions) Resume(_ *workspace.Snapshot, id string) (task.Task, error) {
	d.made <- id + " resumed"
	return task.Task{}, nil
}

// TestTasksAreNotified: a task that cannot go on is reported in words, and learns what the user
// decided about its result, but nothing about other suggestions or undecided ones.
func TestTasksAreNotified(t *testing.T) {
	tasks := &decisions{made: make(chan string, 10)}
	o := observe(t, deps(t, &cassette{}), func(use *UseCases) { tasks.Tasks = use.Tasks; use.Tasks = tasks })
	o.initialize(fullClient(), t.TempDir())
	o.settled()
	for _, p := range []edit.Proposal{
		{Proposal: edits.Proposal{ID: "p1"}, State: edit.Accepted},
		{Proposal: edits.Proposal{ID: "p2"}, Task: edit.TaskResult{ID: "t2"}, State: edit.Stale},
		{Proposal: edits.Proposal{ID: "p3"}, Task: edit.TaskResult{ID: "t3"}, State: edit.Failed},
		{Proposal: edits.Proposal{ID: "p4"}, Task: edit.TaskResult{ID: "t4"}, State: edit.Accepted},
		{Proposal: edits.Proposal{ID: "p5"}, Task: edit.TaskResult{ID: "t5"}, State: edit.Rejected},
	} {
		o.setup.OnEngine(&p)
	}
	for _, want := range []string{"t4 accepted", "t5 rejected"} {
		if got := <-tasks.made; got != want {
			t.Errorf("notified of %q, want %q", got, want)
		}
	}
	for _, c := range []struct {
		state string
		want  string
	}{
		{task.Failed, `The task \"rename\" failed: no quota`},
		{task.Interrupted, `The task \"rename\" was interrupted: no quota`},
	} {
		o.setup.OnEngine(&task.Task{Record: state.Task{ID: "t1", Title: "rename", State: c.state, Error: "no quota"}})
		o.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), c.want) })
	}
}

// TestPlanIsAskedAbout: a client without a view of tasks is shown the plan, and its answer
// runs or cancels the task; closing the question does neither.
func TestPlanIsAskedAbout(t *testing.T) {
	for answer, want := range map[string]string{"Run": "t1 resumed", "Cancel": "t1 cancelled"} {
		t.Run(answer, func(t *testing.T) {
			tasks := &decisions{made: make(chan string, 10)}
			o := observe(t, deps(t, &cassette{}), func(use *UseCases) { tasks.Tasks = use.Tasks; use.Tasks = tasks })
			o.answer = answer
			o.initialize(fullClient(), t.TempDir())
			o.settled()
			o.setup.OnEngine(&task.Task{Record: state.Task{ID: "t1", Title: "rename", State: task.Planned, Steps: []state.Step{{Lane: task.Fast, Title: "a"}, {Lane: task.Fast, Title: "b"}, {Lane: task.Deep, Title: "c"}}}})
			if got := <-tasks.made; got != want {
				t.Errorf("notified of %q, want %q", got, want)
			}
			o.mu.Lock()
			defer o.mu.Unlock()
			if shown := o.contentOf["tandem:/plan-t1.txt"]; shown != "1. [FAST] a\n2. [FAST] b\n3. [DEEP] c\n" {
				t.Errorf("the plan is shown as %q", shown)
			}
			for _, m := range o.asked {
				if m.Method == protocol.MethodWindowShowMessageRequest && !strings.Contains(string(m.Params), `the plan of \"rename\" has 3 steps`) {
					t.Errorf("asked %s", m.Params)
				}
			}
		})
	}
}

// TestFoldersFollowTheEditor: folders that the editor adds are served, those that it
// removes are not, trust is what the editor says, and files changed by others are read.
func TestFoldersFollowTheEditor(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	o := observe(t, deps(t, &cassette{}), nil)
	t.Cleanup(runtime.GC) // it closes what was removed, or Windows keeps it
	file := filepath.Join(first, "a.go")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("package before\n")
	o.initialize(fullClient(), first)
	o.settled()
	read := func() string {
		f, err := o.session.Snapshot().File(workspace.URIOf(file))
		if err != nil {
			t.Fatal(err)
		}
		return f.Raw().String()
	}
	if got := read(); got != "package before\n" {
		t.Fatalf("the file is read as %q", got)
	}
	write("package now, and longer\n")
	o.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": workspace.URIOf(file), "type": 2}}})
	o.settled()
	if got := read(); got != "package now, and longer\n" {
		t.Errorf("after a change it is read as %q", got)
	}
	o.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []object{{"uri": workspace.URIOf(second), "name": "b"}}, "removed": []object{{"uri": workspace.URIOf(first), "name": "a"}}}})
	o.settled()
	snap := o.session.Snapshot()
	if snap.View(workspace.URIOf(filepath.Join(second, "b.go"))) == nil || snap.View(workspace.URIOf(file)) != nil {
		t.Errorf("%d folders are served, and not the added one alone", len(snap.Views()))
	}
}

// TestLargeDocumentIsLeftAlone: it is not served, and the user reads why once.
func TestLargeDocumentIsLeftAlone(t *testing.T) {
	o := observe(t, deps(t, &cassette{answers: map[model.Purpose][]reply{}}), nil)
	o.initialize(fullClient(), t.TempDir())
	o.open("untitled:big.go", "go", strings.Repeat("0123456789abcde\n", maxDocument/16)+"x")
	o.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "leaves this one alone") })
	if _, open := o.session.Snapshot().Overlay("untitled:big.go"); open {
		t.Error("it is served")
	}
	fits := strings.Repeat("0123456789abcde\n", maxDocument/16)
	o.open("untitled:fits.go", "go", fits)
	o.settled()
	if d, open := o.session.Snapshot().Overlay("untitled:fits.go"); !open || !d.Text.Equal(edits.NewText(fits)) {
		t.Error("a document of the largest size is not served")
	}
}
