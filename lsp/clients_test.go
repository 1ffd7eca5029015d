package lsp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tandem/edits"
	"tandem/lsp/client"
	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/syntax"
)

// clientsDrawn is 36 clients: the initialize parameters of editors, recorded from each, by name of
// the file, and as many more in which a seed has taken some capabilities away and added others';
// with -short those of the editors alone.
func clientsDrawn(t *testing.T) map[string]object {
	seed, _ := strconv.ParseUint(cmp.Or(os.Getenv("CLIENTS_SEED"), "1"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 0))
	model, err := official()
	if err != nil {
		t.Fatal(err)
	}
	out := recordedClients(t)
	recorded := slices.Sorted(maps.Keys(out))
	most := 36
	if testing.Short() {
		most = len(recorded)
	}
	for n := len(recorded); n < most; n++ {
		own, donor := recorded[r.IntN(len(recorded))], recorded[r.IntN(len(recorded))]
		capabilities := drawnCapabilities(r, model, &metaType{Kind: "reference", Name: "ClientCapabilities"}, out[own]["capabilities"].(object), out[donor]["capabilities"].(object))
		out[fmt.Sprintf("%s with %s, %d of %d", own, donor, n, seed)] = object{"clientInfo": out[own]["clientInfo"], "capabilities": capabilities}
	}
	return out
}

// drawnCapabilities is a client's own, of which some are gone, and some of another's. What the
// protocol requires stays.
func drawnCapabilities(r *rand.Rand, m *metaModel, t *metaType, own, donor object) object {
	has := map[string]metaProperty{}
	if t != nil && t.Kind == "reference" {
		has = m.properties(m.types[t.Name])
	}
	out := object{}
	for _, name := range slices.Sorted(maps.Keys(has)) {
		mine, others := own[name], donor[name]
		inner, isObject := mine.(object)
		theirs, _ := others.(object)
		draw := r.IntN(10)
		switch {
		case !has[name].Optional && mine != nil:
			out[name] = mine
		case mine == nil && others != nil && draw < 3:
			out[name] = others
		case mine == nil || draw < 1:
		case isObject:
			out[name] = drawnCapabilities(r, m, has[name].Type, inner, theirs)
		default:
			out[name] = mine
		}
	}
	return out
}

// recordedClients are the initialize parameters of editors, recorded from each, by name of the file.
func recordedClients(t *testing.T) map[string]object {
	files, err := filepath.Glob("../testdata/clients/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no clients", err)
	}
	out := map[string]object{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c object
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(file, err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".json")] = c
	}
	return out
}

const clientText = "package a\n\n// rename the sum to all\nfunc Sum() int {\n\treturn 1\n}\n"

// A real client is one of the editors, driven by what it announced.
type realClient struct {
	*editor
	can     client.Client
	uri     string
	models  *cassette
	created []string // files that it was to create
	offered struct { // by the server
		Capabilities struct{ CodeActionProvider json.RawMessage }
	}
}

func startClient(t *testing.T, recorded object) *realClient {
	c := &realClient{models: &cassette{judge: &judge.Judge{Syntax: syntax.Parsers{}}, answers: map[model.Purpose][]reply{
		model.Ask: {{text: "It gives one."}},
		model.Edit: {
			{when: "test", text: "a_test.go\n<<<<<<< SEARCH\n=======\npackage a\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {}\n>>>>>>> REPLACE\n"},
			{when: "break", text: "a.go\n<<<<<<< SEARCH\n\treturn 1\n=======\n\treturn (\n>>>>>>> REPLACE\n"},
			{text: "a.go\n<<<<<<< SEARCH\nfunc Sum() int {\n=======\n// Sum is one.\nfunc Sum() int {\n>>>>>>> REPLACE\n"},
		}}}}
	c.editor = start(t, deps(t, c.models))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(clientText), 0o644); err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(recorded)
	var p initializeParams
	if err := json.Unmarshal(raw, &p); err != nil {
		t.Fatal(err)
	}
	c.can, c.uri = client.Of(p.ClientInfo.Name, p.Capabilities), workspace.URIOf(filepath.Join(dir, "a.go"))
	raw, err := c.call("initialize", object{"processId": nil, "rootUri": nil, "clientInfo": recorded["clientInfo"], "capabilities": recorded["capabilities"], "workspaceFolders": []object{{"uri": workspace.URIOf(dir), "name": "w"}}})
	if err != nil || json.Unmarshal(raw, &c.offered) != nil {
		t.Fatal(err, string(raw))
	}
	c.notify("initialized", object{})
	c.onDisk = func(uri string) { // as Vim opens a new file: as one empty line, before the edit
		if uri == "" { // the operation
			return
		}
		c.created = append(c.created, uri)
		go func() {
			c.open(uri, "go", "\n")
			c.change(uri, wireRange{}, "package a\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {}\n")
		}()
	}
	c.open(c.uri, "go", clientText)
	c.untilIndexed()
	return c
}

// menu is the actions on the function's line, by title.
func (c *realClient) menu() map[string]object {
	return c.menuAt(wireRange{position{3, 5}, position{3, 8}})
}

func (c *realClient) menuAt(at wireRange) map[string]object {
	raw, err := c.call("textDocument/codeAction", object{"textDocument": object{"uri": c.uri}, "range": at, "context": object{"diagnostics": []any{}}})
	if err != nil {
		c.t.Fatal(err)
	}
	var list []object
	if err := json.Unmarshal(raw, &list); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]object{}
	for _, a := range list {
		title, _, _ := strings.Cut(a["title"].(string), ":")
		out[title] = a
	}
	return out
}

// run runs a command on the function.
func (c *realClient) run(name, instruction string) error {
	_, err := c.call("workspace/executeCommand", object{"command": name, "arguments": []object{{"uri": c.uri, "range": wireRange{position{3, 0}, position{3, 0}}, "instruction": instruction}}})
	return err
}

// choose takes an action as this client does: it resolves it where it can, makes its edit, and
// runs its command.
func (c *realClient) choose(action object) error {
	if action["edit"] == nil && action["data"] != nil {
		raw, err := c.call("codeAction/resolve", action)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &action); err != nil {
			return err
		}
	}
	if edit := action["edit"]; edit != nil {
		raw, _ := json.Marshal(object{"edit": edit})
		c.apply(raw)
		return nil
	}
	command := action
	if inner, literal := action["command"].(object); literal {
		command = inner
	}
	_, err := c.call("workspace/executeCommand", object{"command": command["command"], "arguments": command["arguments"]})
	return err
}

// TestProposalsInEveryClient: in each recorded editor what a model writes reaches the text, at once or
// by the menu, and what failed its checks can be applied anyway, shown and rejected there. Each
// message on the way is judged by the protocol's description and by what the editor announced.
func TestProposalsInEveryClient(t *testing.T) {
	for name, recorded := range clientsDrawn(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startClient(t, recorded)
			if err := c.run("tandem.edit", "say what it gives"); err != nil {
				t.Fatal(err)
			}
			if !c.can.AppliesEdits() {
				accept, offered := c.menu()["Accept"]
				if !offered {
					t.Fatal("nothing to accept")
				}
				err := c.choose(accept)
				if !c.can.HasActionLiterals() { // its menu has commands alone, and nobody can change its text
					if err == nil || !strings.Contains(err.Error(), "applies no edits") {
						t.Error("accepted in a client that takes no edits:", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if got := c.text(c.uri); !strings.Contains(got, "// Sum is one.\nfunc Sum") {
				t.Errorf("the text is %q", got)
			}
			err := c.run("tandem.edit", "break it")
			if c.can.AppliesEdits() && err == nil {
				t.Error("applied although it failed")
			}
			menu := c.menu()
			for _, way := range []string{"Apply anyway", "Show", "Reject"} {
				if menu[way] == nil {
					t.Errorf("a proposal that failed has no %s: %v", way, menu)
				}
			}
			if err := c.choose(menu["Apply anyway"]); err != nil || !strings.Contains(c.text(c.uri), "return (") {
				t.Errorf("applied anyway: %v, %q", err, c.text(c.uri))
			}
			if left := c.menu(); left["Reject"] != nil {
				t.Error("what was applied still waits:", left)
			}
		})
	}
}

// TestNewFilesInEveryClient: a new file is sent as an operation only to a client that announced it,
// as an edit to those that make files of one, and else the error says what to do.
func TestNewFilesInEveryClient(t *testing.T) {
	for name, recorded := range clientsDrawn(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startClient(t, recorded)
			err := c.run("tandem.test", "")
			switch {
			case !c.can.AppliesEdits():
				if err != nil || c.menu()["Show"] == nil {
					t.Errorf("shown: %v, %v", err, c.menu())
				}
				if !c.can.AppliesOperation("create") && !c.can.CreatesByEdit() {
					c.until("window/showMessage", func(raw json.RawMessage) bool {
						return strings.Contains(string(raw), "tandem edit FILE INSTRUCTION --write")
					})
				}
			case c.can.AppliesOperation("create") || c.can.CreatesByEdit():
				if err != nil || len(c.created) != 1 {
					t.Errorf("created %v: %v", c.created, err)
				}
			case err == nil || !strings.Contains(err.Error(), "tandem edit FILE INSTRUCTION --write"):
				t.Errorf("a client that creates nothing: %v", err)
			}
		})
	}
}

// TestAnswersInEveryClient: an explanation is opened, or it is the next hover at its line, in the
// format that the client likes best.
func TestAnswersInEveryClient(t *testing.T) {
	for name, recorded := range clientsDrawn(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startClient(t, recorded)
			if err := c.run("tandem.explain", ""); err != nil {
				t.Fatal(err)
			}
			var hover hoverResult
			raw, err := c.call("textDocument/hover", object{"textDocument": object{"uri": c.uri}, "position": position{3, 6}})
			if err != nil || json.Unmarshal(raw, &hover) != nil {
				t.Fatal(err, string(raw))
			}
			if read := strings.Contains(hover.Contents.Value, "It gives one."); read == c.can.OpensDocuments() {
				t.Errorf("opens documents: %v; the hover is %q", c.can.OpensDocuments(), hover.Contents.Value)
			}
			if markdown := hover.Contents.Kind == "markdown"; markdown != c.can.PrefersMarkdown() {
				t.Errorf("the hover is %s", hover.Contents.Kind)
			}
			for title, a := range c.menu() {
				if kind, _ := a["kind"].(string); c.can.HasActionLiterals() && !strings.HasPrefix(kind, "refactor") && kind != "quickfix" {
					t.Errorf("%s is of the kind %q, which menus leave out", title, kind)
				}
			}
		})
	}
}

// TestActionsAreOfferedInEveryClient: a client that knows commands alone is offered actions without options,
// and one that resolves an action is asked to only where it accepts by an action's edit: kakoune-lsp runs
// what it has resolved at the first server that answers. The words of a comment are offered for a
// selection of one character, unless that is the client's cursor.
func TestActionsAreOfferedInEveryClient(t *testing.T) {
	for name, recorded := range clientsDrawn(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startClient(t, recorded)
			var options struct{ ResolveProvider bool }
			offered := c.offered.Capabilities.CodeActionProvider
			literals := json.Unmarshal(offered, &options) == nil
			if literals != c.can.HasActionLiterals() || !literals && string(offered) != "true" {
				t.Errorf("offered %s to a client with literals: %v", offered, c.can.HasActionLiterals())
			}
			if options.ResolveProvider && (c.can.AppliesEdits() || !c.can.ResolvesEdits()) {
				t.Errorf("offered %s to a client that applies edits or does not resolve them", offered)
			}
			one := c.menuAt(wireRange{position{2, 8}, position{2, 9}})
			if words := one["Edit with tandem"] != nil; words == c.can.SelectsCursor() {
				t.Errorf("for one character of the comment: %v", one)
			}
		})
	}
}

// TestNothingIsReadAheadUnasked: resting the cursor asks a model for text only where the client can
// ask for that text.
func TestNothingIsReadAheadUnasked(t *testing.T) {
	for name, recorded := range clientsDrawn(t) {
		c := startClient(t, recorded)
		for range 3 {
			c.menu()
		}
		c.models.mu.Lock()
		asked := slices.ContainsFunc(c.models.requests, func(r *model.Request) bool { return r.Purpose == model.Complete })
		c.models.mu.Unlock()
		if asked && !c.can.AsksForInline() {
			t.Errorf("%s: a prompt for text that it does not ask for", name)
		}
	}
}

// TestEveryRoadInEveryClient: what each client can ask for is answered, and each message on the way
// is as the protocol has it, announced, and about a text that the client has.
func TestEveryRoadInEveryClient(t *testing.T) {
	for name, recorded := range clientsDrawn(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startClient(t, recorded)
			c.failOn = func(e *responseError) {
				if e.Code == -32603 {
					t.Error(e)
				}
			}
			for _, command := range []string{"tandem.document", "tandem.test", "tandem.explain", "tandem.review", "tandem.edit"} {
				if err := c.run(command, "break it"); err != nil { // one that fails leaves its proposal in the menu
					t.Logf("%s: %v", command, err)
				}
				for title, action := range c.menu() {
					if strings.HasPrefix(title, "Reject") || strings.HasPrefix(title, "Show") {
						if err := c.choose(action); err != nil {
							t.Errorf("%s: %v", title, err)
						}
					}
				}
			}
			id := object{"uri": c.uri}
			for _, at := range []position{{2, 5}, {3, 6}} {
				if _, err := c.call("textDocument/hover", object{"textDocument": id, "position": at}); err != nil {
					t.Error(err)
				}
			}
			if _, err := c.call("textDocument/codeLens", object{"textDocument": id}); err != nil {
				t.Error(err)
			}
			for _, command := range []string{"tandem.status", "tandem.tasks", "tandem.showWindow"} {
				if err := c.run(command, ""); err != nil && !strings.Contains(err.Error(), "This server") {
					t.Errorf("%s: %v", command, err)
				}
			}
			if _, err := c.call("shutdown", nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestACommandIsAnsweredSoon: where the model takes long, the answer says what has begun; the edit
// comes when it is ready, and a failure is told in one message.
func TestACommandIsAnsweredSoon(t *testing.T) {
	for _, fails := range []bool{false, true} {
		hold := make(chan struct{})
		answer := reply{text: "a.go\n<<<<<<< SEARCH\npackage a\n=======\npackage b\n>>>>>>> REPLACE\n"}
		if fails {
			answer = reply{err: &model.Error{Code: model.CodeUnreachable, Message: "Start the server: nothing listens."}}
		}
		o := observe(t, deps(t, &cassette{hold: hold, answers: map[model.Purpose][]reply{model.Edit: {answer}}}), nil)
		o.initialize(fullClient())
		o.settled()
		o.server.features.commands.begun = answeredAfter
		o.open("untitled:a.go", "go", "package a\n")
		raw, err := o.command("tandem.edit", "mine", object{"uri": "untitled:a.go", "instruction": "another name"})
		if err != nil || asJSON(t, raw) != `{"begun":"tandem: another name"}` {
			t.Fatalf("%s, %v", raw, err)
		}
		close(hold)
		if fails {
			o.until("window/showMessage", func(raw json.RawMessage) bool { return strings.Contains(string(raw), "nothing listens") })
			continue
		}
		o.requested("workspace/applyEdit")
		for o.text("untitled:a.go") != "package b\n" { // the editor makes it beside its answers
			o.settled()
		}
	}
}

// TestStoppedCommandSaysNothing: a command that was answered and is stopped by its progress ends
// without a message.
func TestStoppedCommandSaysNothing(t *testing.T) {
	hold := make(chan struct{})
	o := observe(t, deps(t, &cassette{hold: hold, answers: map[model.Purpose][]reply{model.Edit: {{text: "none"}}}}), nil)
	o.initialize(fullClient())
	o.settled()
	o.server.features.commands.begun = time.Millisecond
	o.open("untitled:a.go", "go", "package a\n")
	if _, err := o.command("tandem.edit", nil, object{"uri": "untitled:a.go", "instruction": "another name"}); err != nil {
		t.Fatal(err)
	}
	var begun struct{ Token string }
	o.until("$/progress", func(raw json.RawMessage) bool {
		return json.Unmarshal(raw, &begun) == nil && strings.Contains(string(raw), `"begin"`)
	})
	o.notify("window/workDoneProgress/cancel", object{"token": begun.Token})
	o.until("$/progress", func(raw json.RawMessage) bool { return strings.Contains(string(raw), `"end"`) })
	o.settled()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, m := range o.received {
		if m.Method == "window/showMessage" {
			t.Errorf("the user is told %s", m.Params)
		}
	}
}

// TestUnversionedEditsFitTheirBase: to a client that compares no versions an edit goes only while
// the text is the one that it was made for.
func TestUnversionedEditsFitTheirBase(t *testing.T) {
	o := observe(t, deps(t, &cassette{}), nil)
	capabilities := fullClient()
	capabilities["workspace"] = object{"applyEdit": true}
	o.initialize(capabilities)
	o.open("untitled:a.go", "go", "package a\n")
	o.settled()
	s := o.server.features.proposals
	d := documentEditOf("untitled:a.go", "package a\n", edits.Edit{Span: edits.Span{Start: 8, End: 9}, New: "b"})
	if _, err := s.workspaceEdit(d); err != nil {
		t.Error(err)
	}
	o.change("untitled:a.go", wireRange{}, "// typed\n")
	o.settled()
	if _, err := s.workspaceEdit(d); err == nil || !strings.Contains(err.Error(), "has changed since") {
		t.Errorf("sent for another text: %v", err)
	}
}
