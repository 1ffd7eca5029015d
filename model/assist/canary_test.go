package assist_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/ask"
	"tandem/model/assist/assisttest"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
	"tandem/model/assist/inline"
	"tandem/model/assist/next"
	"tandem/model/format"
	"tandem/model/provider"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/git/gittest"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/window"
)

// A planted secret is code, and what of it must not leave.
type planted struct {
	code     string
	canaries []string
}

func chars(r *rand.Rand, n int) string {
	const from = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	out := make([]byte, n)
	for i := range out {
		out[i] = from[r.IntN(len(from))]
	}
	out[1], out[3] = '7', 'q' // as generators do, with digits among the letters
	return string(out)
}

func one(form, secret string) planted { return planted{fmt.Sprintf(form, secret), []string{secret}} }

// canaryKinds are kinds of secrets as they stand in code.
var canaryKinds = map[string]func(r *rand.Rand) planted{
	"token":      func(r *rand.Rand) planted { return one("\"ghp_%s\"", chars(r, 36)) },
	"password":   func(r *rand.Rand) planted { return one("connect(password = \"%s\")", chars(r, 18)) },
	"address":    func(r *rand.Rand) planted { return one("\"postgres://app:%s@db.internal/app\"", chars(r, 20)) },
	"sourcename": func(r *rand.Rand) planted { return one("\"app:%s@tcp(db:3306)/app\"", chars(r, 20)) },
	"pair": func(r *rand.Rand) planted {
		id, key := strings.ToUpper(strings.NewReplacer("0", "A", "1", "B", "8", "C", "9", "D").Replace(chars(r, 16))), chars(r, 40)
		return planted{fmt.Sprintf("[]string{\"AKIA%s\", \"%s\"}", id, key), []string{id, key}}
	},
	"pem": func(r *rand.Rand) planted {
		p := planted{code: "`-----BEGIN RSA PRIVATE KEY-----\n"}
		for range 7 {
			line := chars(r, 64)
			p.code, p.canaries = p.code+line+"\n", append(p.canaries, line)
		}
		last := chars(r, 30) + "=="
		p.canaries = append(p.canaries, last)
		p.code += last + "\n-----END RSA PRIVATE KEY-----`"
		return p
	},
}

// canaries are where secrets are planted: what a part of a prompt is made of. Each stands
// beside a mark, which has to arrive where the part can hold one.
var canarySources = []string{"main", "code", "rule", "hit", "staged", "reviewed", "typed", "removed", "diagnosed", "subject", "words", "steering", "question", "more", "answered", "tested", "outcome", "file", "agent"}

// promptParts say which sources fill the parts of a prompt. A new part fails the test until
// it is here.
var promptParts = map[string]string{
	"Prompt.Window": "code", "Prompt.Files": "code", "Prompt.Path": "", "Prompt.Repository": "", "Prompt.Before": "main", "Prompt.Selected": "main", "Prompt.After": "main",
	"Prompt.Diff": "staged", "Prompt.Diagnostics": "diagnosed", "Prompt.Earlier": "subject", "Prompt.Beside": "words", "Prompt.History": "steering", "Prompt.Request": "words", "Prompt.CacheKey": "",
	"Request.Instructions": "agent", "Request.Input": "words", "Request.Fill": "main", "Request.Raw": "main", "Request.Prediction": "main", "Request.CacheKey": "",
	"Infill.Path": "", "Infill.Repository": "", "Infill.Prefix": "main", "Infill.Suffix": "main", "Infill.Extra": "code",
	"Excerpt.Path": "", "Excerpt.Text": "code", "Message.Text": "words", "Message.Call": "answered",
	"Input.Path": "", "Input.Before": "main", "Input.Region": "main", "Input.After": "main", "Input.Previous": "removed", "Input.History": "typed", "Input.Related": "code",
	"Change.Path": "", "Change.Old": "removed", "Change.New": "typed", "Change.Hunk": "typed", "Snippet.Path": "", "Snippet.Text": "code", "Fragment.Text": "code",
	"ToolCall.Arguments": "file",
}

// holdsText reports whether a type has a redact.Text in it.
func holdsText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return holdsText(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[redact.Text]() {
			return true
		}
		for i := range t.NumField() {
			if t.PkgPath() != "time" && holdsText(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// TestEachPartHasACanary: each part of a prompt is one of promptParts, and no request holds
// text of another type.
func TestEachPartHasACanary(t *testing.T) {
	for _, part := range []reflect.Type{reflect.TypeFor[model.Prompt](), reflect.TypeFor[model.Request](), reflect.TypeFor[model.Infill](), reflect.TypeFor[model.Excerpt](),
		reflect.TypeFor[model.Message](), reflect.TypeFor[model.ToolCall](), reflect.TypeFor[format.Input](), reflect.TypeFor[format.Change](), reflect.TypeFor[format.Snippet](), reflect.TypeFor[window.Fragment]()} {
		for i := range part.NumField() {
			f := part.Field(i)
			name := part.Name() + "." + f.Name
			if source, known := promptParts[name]; holdsText(f.Type) && (!known || source != "" && !slices.Contains(canarySources, source)) {
				t.Errorf("%s can hold text: plant a canary in what it is made of, and name that in promptParts", name)
			}
			if f.Type == reflect.TypeFor[string]() && !slices.Contains([]string{"Request.ID", "Request.Model", "Message.Role", "ToolCall.ID", "ToolCall.Name", "Fragment.Path", "Fragment.Reason"}, name) {
				t.Errorf("%s is a string: what is sent has the type redact.Text", name)
			}
		}
	}
}

// A proxy records what is sent to a provider, and answers.
type proxy struct {
	mu     sync.Mutex
	bodies []string
	answer func(body, said string) string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var body struct {
		Messages []struct{ Content string }
		Prompt   string
	}
	_ = json.Unmarshal(raw, &body)
	all := body.Prompt
	for _, m := range body.Messages {
		all += m.Content + "\n"
	}
	p.mu.Lock()
	p.bodies = append(p.bodies, string(raw), all)
	answer := p.answer
	p.mu.Unlock()
	text := "ok"
	if answer != nil {
		text = answer(string(raw), all)
	}
	choice := map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": "stop"}
	if body.Prompt != "" {
		choice = map[string]any{"index": 0, "text": text, "finish_reason": "stop"}
	}
	piece, _ := json.Marshal(map[string]any{"model": "m", "choices": []any{choice}})
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", piece)
}

// sent is all that was sent so far.
func (p *proxy) sent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.bodies, "\n")
}

func (p *proxy) answers(answer func(body, said string) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

// A nest is a workspace with secrets of one kind in all that prompts are made of.
type nest struct {
	*testing.T
	proxy   *proxy
	session *workspace.Session
	engine  *assist.Engine
	uri     string
	version int32
	planted map[string]planted
	store   *assisttest.KeptTasks
	start   func() *assist.Engine
}

func (n *nest) code(source string) string { return n.planted[source].code }

// Hits implements window.Search.
func (n *nest) Hits(context.Context, []string) []window.SearchHit {
	return []window.SearchHit{{Path: "other/hit.go", Line: 1, Name: "Outside", Text: "func Hit() {} // mark_hit\nvar _ = " + n.code("hit") + "\n"}}
}

// newNest builds the workspace and the use cases over lanes to the proxy.
func newNest(t *testing.T, kind string, wire model.ModelConfig) *nest {
	n := &nest{T: t, proxy: &proxy{}, planted: map[string]planted{}, store: &assisttest.KeptTasks{}, version: 1}
	random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(len(kind))))
	for _, source := range canarySources {
		n.planted[source] = canaryKinds[kind](random)
	}
	server := httptest.NewServer(n.proxy)
	t.Cleanup(server.Close)
	root := t.TempDir()
	files := map[string]string{
		"AGENTS.md": "Rules. mark_rule\n" + n.code("rule") + "\n",
		"code.go":   "package main\n\n// helper helps.\nfunc helper(mark_code ...string) string {\n\treturn " + n.code("code") + "\n}\n",
		"staged.go": "package main\n\n// mark_staged\nvar staged = " + n.code("staged") + "\n",
		"file.go":   "package main\n\n// mark_file\nvar file = " + n.code("file") + "\n",
		"main.go":   "package main\n\nvar kept = " + n.code("main") + " // mark_main\n\nfunc main() {\n\thelper()\n\tOutside()\n\tprintln(1)\n}\n" + strings.Repeat(filler, 4000) + "var removed = " + n.code("removed") + "\n",
	}
	repo := gittest.New(t, root)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := map[string]string{"main.go": "package main\n", "staged.go": strings.Replace(files["staged.go"], "mark_staged", "mark_before", 1)}
	repo.Commit("Use "+strings.ReplaceAll(n.code("subject"), "\n", " ")+" mark_subject", repo.Files(before))
	repo.Stage(map[string]string{"main.go": "package main\n", "staged.go": files["staged.go"][:len(files["staged.go"])-1] + " // more\n"})
	group := run.NewGroup(context.Background(), func(p *run.Panic) { t.Errorf("%v\n%s", p, p.Stack) })
	session, err := workspace.Open(group.Context(), workspace.Options{Folders: []string{root}, Trusted: true, ClientWatches: true, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		group.Close()
		_ = session.Close()
	})
	n.session, n.uri = session, workspace.URIOf(filepath.Join(root, "main.go"))
	wire.Name, wire.Provider, wire.ContextWindow, wire.MaxOutputTokens = "m", "p", 128000, 4000
	p := model.ProviderConfig{Name: "p", BaseURLs: []string{server.URL}, WireAPI: "chat", AllowHTTP: true, EnvKey: "CANARY_KEY"} // not the user's own server, whose speed would bound what is sent
	setup := model.Setup{Fast: "m", Deep: "m", Models: map[string]model.ModelConfig{"m": wire}, Providers: map[string]model.ProviderConfig{"p": p}}
	lanes := model.NewLanes(setup, model.Parts{Open: func(m model.ModelConfig, o model.Observer) (model.Client, error) {
		return provider.New(p, m, provider.Options{Observe: o, Group: group})
	}})
	t.Cleanup(func() { _ = lanes.Close() })
	n.start = func() *assist.Engine {
		settings := task.Settings{Running: 1, MaxSteps: 9, Review: "always", Agents: []task.Agent{{Name: "reviewer", Lane: model.Deep, Model: wire, Instructions: "Judge. mark_agent " + n.code("agent")}},
			Test: func(context.Context, string) (string, error) {
				return "FAIL mark_tested\n" + n.code("tested") + "\n", nil
			}}
		return assist.New(assist.Deps{Deps: core.Deps{Models: lanes, Group: group, Search: n}, Tasks: task.Deps{Store: n.store, Settings: func() task.Settings { return settings }}})
	}
	n.engine = n.start()
	snap := session.Update(workspace.Opened{URI: n.uri, Language: "go", Version: 1, Text: edits.NewText(files["main.go"])})
	n.engine.Opened(snap, n.uri)
	if err := session.WaitIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.diagnose()
	return n
}

func (n *nest) text() string {
	o, _ := n.session.Snapshot().Overlay(n.uri)
	return o.Text.String()
}

// typed types a text at a place of main.go, in place of another.
func (n *nest) typed(start, end int, text string) {
	steps, err := workspace.Steps(edits.NewText(n.text()), edits.Edit{Span: edits.Span{Start: start, End: end}, New: text})
	if err != nil {
		n.Fatal(err)
	}
	n.version++
	n.engine.Changed(n.session.Update(workspace.Edited{URI: n.uri, Version: n.version, Steps: steps}), n.uri, steps)
}

// diagnose reports an error about each line of a secret, quoting it.
func (n *nest) diagnose() {
	var list []workspace.Diagnostic
	for _, canary := range slices.Concat(n.planted["main"].canaries, n.planted["removed"].canaries) {
		at := strings.Index(n.text(), canary)
		list = append(list, workspace.Diagnostic{Span: edits.Span{Start: at, End: at + 4}, Severity: "error", Message: "mark_diagnosed unexpected '" + canary + "'"})
	}
	n.session.Update(workspace.Diagnosed{URI: n.uri, Diagnostics: list})
}

// filler keeps the end of main.go out of the windows about its start.
const filler = "// nothing to see\n"

// body is the span of func main.
func (n *nest) body() edits.Span {
	return edits.Span{Start: strings.Index(n.text(), "func main"), End: strings.Index(n.text(), filler)}
}

// judge compares what was sent with the secrets.
func (n *nest) judge(marks ...string) {
	n.Helper()
	sent := n.proxy.sent()
	for source, p := range n.planted {
		for i, canary := range p.canaries {
			for _, part := range []string{canary, canary[:len(canary)/2], canary[len(canary)/2:]} {
				if at := strings.Index(sent, part); at >= 0 {
					n.Errorf("secret %d of %s left: %q", i, source, sent[max(0, at-200):min(len(sent), at+120)])
				}
			}
		}
	}
	for _, mark := range marks {
		if !strings.Contains(sent, "mark_"+mark) {
			n.Errorf("nothing of %s was sent: the test measures nothing", mark)
		}
	}
}

var keptLines = regexp.MustCompile("(?s)var kept = .*? // mark_main\n")

// repeats is an edit of what the model was shown first: each secret is in its place.
func repeats(shown, note string) string {
	return fmt.Sprintf("main.go\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n", shown, strings.Replace(shown, "// mark_main", "// mark_main "+note, 1))
}

// TestNoCanaryLeaves: no secret in what prompts are made of reaches the provider, and none
// comes back in another's place.
func TestNoCanaryLeaves(t *testing.T) {
	for kind := range canaryKinds {
		t.Run(kind, func(t *testing.T) {
			t.Run("edits", func(t *testing.T) { editCanaries(newNest(t, kind, model.ModelConfig{Model: "gpt"})) })
			t.Run("rewrites", func(t *testing.T) {
				n := newNest(t, kind, model.ModelConfig{Model: "gpt", EditFormat: "rewrite", Prediction: true})
				_, _ = n.engine.Editor.Edit(t.Context(), n.session.Snapshot(), edit.Request{URI: n.uri, Span: edits.Span{End: n.body().End}, Instruction: "mark_words"})
				n.judge("words", "main", "code")
			})
			t.Run("questions", func(t *testing.T) { questionCanaries(newNest(t, kind, model.ModelConfig{Model: "gpt"})) })
			t.Run("tasks", func(t *testing.T) { taskCanaries(newNest(t, kind, model.ModelConfig{Model: "gpt"})) })
			for _, m := range []model.ModelConfig{{Model: "gpt"}, {Model: "qwen3-coder", FIM: "qwen"}} {
				t.Run("completions "+m.Model, func(t *testing.T) {
					n := newNest(t, kind, m)
					_, err := n.engine.Completer.Complete(t.Context(), n.session.Snapshot(), inline.Request{Place: core.Place{URI: n.uri, Offset: strings.Index(n.text(), "println")}, Invoked: true, N: 1})
					if err != nil {
						t.Fatal(err)
					}
					n.judge("main", "code")
				})
			}
			for _, form := range []string{"", format.Sweep, format.SweepV2, format.Zeta2, format.Mercury} {
				t.Run("next edits "+form, func(t *testing.T) { nextEditCanaries(newNest(t, kind, model.ModelConfig{Model: "next", Format: form})) })
			}
		})
	}
}

func editCanaries(n *nest) {
	shown := ""
	n.proxy.answers(func(_, said string) string {
		if shown == "" {
			shown = keptLines.FindString(said)
		}
		note := "first"
		if strings.Contains(said, "mark_steering") {
			note = "steered"
		}
		return repeats(shown, note)
	})
	snap := n.session.Snapshot()
	span := n.body()
	p, err := n.engine.Editor.Edit(n.Context(), snap, edit.Request{URI: n.uri, Span: span, Instruction: "mark_words use " + n.code("words")})
	if err != nil {
		n.Fatal(err)
	}
	restored := func(note string) {
		n.Helper()
		for n.wait(func() bool {
			p, err = n.engine.Editor.Get(p.ID)
			return err != nil || p.State != edit.Streaming && p.State != edit.Checking
		}) {
		}
		want := strings.Replace(n.text(), "// mark_main", "// mark_main "+note, 1)
		if p.State != edit.Ready {
			n.Fatalf("%s: %s, %v", note, p.State, p.Err)
		}
		if got, err := edits.Apply(p.Files[0].Base, p.Files[0].Edits); err != nil || got.String() != want {
			n.Errorf("%s: %v, the text is\n%s", note, err, got.String())
		}
	}
	restored("first")
	n.typed(0, 0, "var another = "+canaryKinds["token"](rand.New(rand.NewPCG(1, 1))).code+"\n") // would be the first placeholder of a new numbering
	if err := n.engine.Editor.Steer(n.session.Snapshot(), p.ID, "mark_steering "+n.code("steering"), false, nil); err != nil {
		n.Fatal(err)
	}
	restored("steered")
	diagnostics := n.session.Snapshot().Diagnostics(n.uri)
	for _, req := range []edit.Request{{Kind: model.KindFix, Diagnostics: diagnostics}, {Kind: model.KindFix, Diagnostics: diagnostics[:1], Instruction: n.code("more")}, {Kind: model.KindDebug, Instruction: "panic: " + n.code("more")},
		{Kind: model.KindDocument, Instruction: n.code("more")}, {Kind: model.KindTest}, {After: p.ID, Steering: n.code("more"), Instruction: "again"}} {
		req.URI, req.Span = n.uri, span
		_, _ = n.engine.Editor.Edit(n.Context(), snap, req)
	}
	n.judge("words", "steering", "main", "code", "diagnosed", "rule")
}

// wait waits a little while a condition does not hold.
func (n *nest) wait(holds func() bool) bool {
	if holds() {
		return false
	}
	time.Sleep(time.Millisecond)
	return true
}

func questionCanaries(n *nest) {
	snap, at := n.session.Snapshot(), core.Place{URI: n.uri, Offset: strings.Index(n.text(), "func main")}
	for _, q := range []string{"mark_question of helper " + n.code("question"), "and mark_more " + n.code("more")} {
		if _, err := n.engine.Asker.Ask(n.Context(), snap, ask.Request{Place: at, Question: q, Thread: "t"}); err != nil {
			n.Fatal(err)
		}
	}
	source := redact.NewSource(n.text())
	for line := 1; line <= source.LineCount(); line++ { // a selection cut at each line
		span := source.Lines(line, line+1)
		if strings.HasPrefix(n.text()[span.Start:], filler) {
			continue
		}
		if _, err := n.engine.Asker.Ask(n.Context(), snap, ask.Request{Place: core.Place{URI: n.uri, Offset: span.Start}, Explains: true, Explain: span}); err != nil {
			n.Fatal(err)
		}
	}
	if symbol, ok := n.engine.Asker.Symbol(snap, core.Place{URI: n.uri, Offset: strings.Index(n.text(), "helper") + 1}); ok {
		_, _ = n.engine.Asker.Describe(n.Context(), snap, at, symbol)
	}
	middle := len(n.planted["removed"].canaries) / 2 // one line of the secret is another one
	change := &edits.FileChange{Path: "main.go", Before: strings.Replace(n.text(), n.planted["removed"].canaries[middle], n.planted["reviewed"].canaries[middle], 1), After: n.text()}
	quoted := "@@ -3,1 +3,1 @@\n " + strings.Join(n.planted["main"].canaries, "\n ") + "\n" // without what they stand in
	for _, req := range []ask.ReviewRequest{{URIs: []string{n.uri}}, {URIs: []string{n.uri}, Change: change}, {URIs: []string{n.uri}, Diff: quoted}} {
		if _, err := n.engine.Reviewer.Review(n.Context(), snap, req); err != nil {
			n.Fatal(err)
		}
	}
	if _, err := n.engine.Asker.CommitMessage(n.Context(), snap, n.uri, nil); err != nil {
		n.Fatal(err)
	}
	n.judge("question", "more", "main", "code", "staged", "subject", "hit")
}

func taskCanaries(n *nest) {
	const plan = "1. [DEEP] keep it | write: main.go\n2. [DEEP] keep it again | write: main.go | after: 1\n"
	shown := ""
	n.proxy.answers(func(_, said string) string {
		if shown == "" && strings.Contains(said, "Do step") {
			shown = keptLines.FindString(said)
		}
		looked := strings.Contains(said, "mark_tested")
		switch {
		case strings.Contains(said, "</diff>"):
			return "none"
		case !looked && strings.Contains(said, "LOOK file"):
			tools := "LOOK tests\nLOOK diagnostics main.go\nLOOK search helper\nLOOK users helper\nLOOK step 1\n"
			if strings.Contains(said, "Do step") {
				tools = strings.Replace(tools, "LOOK users helper\n", "", 1)
			}
			for line := 4; line < 12; line += 4 {
				tools += fmt.Sprintf("LOOK file file.go %d-%d\n", line+rand.IntN(3), line+3)
			}
			return tools
		case strings.Contains(said, "Do step 2"):
			if !strings.Contains(said, "mark_main first") {
				return "I cannot."
			}
			return repeats(strings.Replace(shown, "// mark_main", "// mark_main first", 1), "again")
		case strings.Contains(said, "Do step 1"):
			return repeats(shown, "first")
		}
		return plan
	})
	started, err := n.engine.Tasks.Escalate(n.session.Snapshot(), task.Request{Instruction: "mark_words " + n.code("words"), Place: core.Place{URI: n.uri, Offset: 1}, Tests: true})
	if err != nil {
		n.Fatal(err)
	}
	over := func() task.Task {
		now := started
		for n.wait(func() bool { now, _ = n.engine.Tasks.Get(started.Record.ID); return !now.Record.Running() }) {
		}
		return now
	}
	if done := over(); done.Record.State != task.Done {
		n.Fatalf("%s: %s, %+v", done.Record.State, done.Record.Error, done.Record.Steps)
	}
	// Another process goes on with the task, with the placeholders that it had.
	n.engine = n.start()
	n.engine.Opened(n.session.Snapshot(), n.uri)
	over() // it has ended when its record says so: until then words go to the process before
	n.typed(0, 0, "var another = "+canaryKinds["token"](rand.New(rand.NewPCG(1, 1))).code+"\n")
	if _, err := n.engine.Tasks.Steer(n.session.Snapshot(), started.Record.ID, "mark_steering "+n.code("steering"), false); err != nil {
		n.Fatal(err)
	}
	done := over()
	p, err := n.engine.Tasks.Propose(n.Context(), n.session.Snapshot(), started.Record.ID)
	if err != nil {
		n.Fatalf("%s %s: %v", done.Record.State, done.Record.Error, err)
	}
	for _, f := range p.Files {
		if got, err := edits.Apply(f.Base, f.Edits); err != nil || f.Path == "main.go" && !strings.Contains(got.String(), n.code("main")) {
			n.Errorf("%v, %s is\n%s", err, f.Path, got.String())
		}
	}
	n.judge("words", "steering", "main", "code", "tested", "diagnosed", "agent")
}

func nextEditCanaries(n *nest) {
	for i, canary := range n.planted["removed"].canaries { // one key inside each line of the secret
		at := strings.Index(n.text(), canary) + len(canary)/2
		if strings.Contains(n.code("removed"), "AKIA") { // with another key in it, an identifier is none
			at = strings.Index(n.text(), "var removed")
		}
		n.typed(at, at, "x")
		if i%2 == 1 {
			line := strings.LastIndexByte(n.text()[:at], '\n') + 1
			n.typed(line, line, "\n")
		}
		for _, place := range []int{at, strings.Index(n.text(), "println")} {
			_, _, _ = n.engine.NextEdits.NextEdit(n.Context(), n.session.Snapshot(), next.Request{Place: core.Place{URI: n.uri, Offset: place}})
		}
	}
	n.judge()
}
