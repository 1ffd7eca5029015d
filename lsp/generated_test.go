package lsp

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tandem/model"
	"tandem/workspace"
)

// TestGeneratedMessages: whatever a client sends, each request is answered, none by an error of the
// server's own, and each message of the server is as the protocol has it, announced, and about a
// text that the client has. Messages are drawn from the protocol's description: those that it allows,
// and those with a part that it does not; while folders come and go, and requests are cancelled.
// TANDEM and SCRIPTED name programs that are driven instead of a server in this process.
func TestGeneratedMessages(t *testing.T) {
	number := func(name string, or int) int {
		n, _ := strconv.Atoi(os.Getenv(name))
		return cmp.Or(n, or)
	}
	sample := 1500
	if testing.Short() {
		sample = 300
	}
	seed, left := number("GENERATED_SEED", 1), number("GENERATED_N", sample)
	clients := clientsDrawn(t)
	names := slices.Sorted(maps.Keys(clients))
	sent := map[string]int{}
	for session := 0; left > 0; session++ {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(session)))
		name := names[r.IntN(len(names))]
		messages := min(left, 750)
		left -= messages
		t.Run(fmt.Sprintf("session %d of %d, %s", session, seed, name), func(t *testing.T) {
			g := newGenerator(t, r)
			g.begin(clients[name])
			for g.kinds.sent < messages && !t.Failed() {
				g.step()
			}
			g.end()
			for kind, n := range g.kinds.of {
				sent[kind] += n
			}
		})
		if t.Failed() {
			return
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(sent)) {
		t.Logf("%7d %s", sent[kind], kind)
	}
}

// A generator is a client that sends what it draws.
type generator struct {
	*editor
	t       *testing.T
	r       *rand.Rand
	model   *metaModel
	methods map[string]method // of the server
	folders []string
	waiting []sentRequest
	given   []object // commands that the server gave, to be run
	ids     []any    // that the server gave
	tokens  int
	kinds   struct {
		sent int
		of   map[string]int
	}
	process *exec.Cmd // of the server, unless it runs in this process
	stderr  bytes.Buffer
}

type sentRequest struct {
	id     int
	method string
	params []byte
	answer <-chan response
}

const generatedAnswer = "a.go\n<<<<<<< SEARCH\nfunc Sum() int {\n=======\n// Sum is one.\nfunc Sum() int {\n>>>>>>> REPLACE\n"

func newGenerator(t *testing.T, r *rand.Rand) *generator {
	g := &generator{t: t, r: r, methods: newMethods(t)}
	g.kinds.of = map[string]int{}
	for range 2 {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.go": clientText, "b.py": "def total(a):\n    # ?? where is total called\n    return a\n", "lib/c.ts": "export function name(a: string) { return a }\n"} {
			g.write(filepath.Join(dir, name), text)
		}
		if git, err := exec.LookPath("git"); err == nil {
			for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "a"}} {
				c := exec.Command(git, args...)
				c.Dir = dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("git: %s", out)
				}
			}
		}
		g.folders = append(g.folders, dir)
	}
	if program := os.Getenv("TANDEM"); program != "" {
		g.start(program)
	} else {
		d := deps(t, &cassette{answers: map[model.Purpose][]reply{
			model.Edit: {{text: generatedAnswer}}, model.NextEdit: {{text: strings.TrimPrefix(generatedAnswer, "a.go\n")}}, model.Complete: {{text: "one + two\n"}}, model.Ask: {{text: "Because.\n"}},
		}})
		d.Log = slog.New(noErrors{t})
		g.editor = start(t, d)
	}
	g.model = g.judge.model
	g.failOn = func(e *responseError) {
		if e.Code == -32603 {
			t.Errorf("the server answered with an error of its own: %v", e)
		}
	}
	g.onDisk = func(string) {}
	var answers sync.Mutex // guards drawn
	drawn := rand.New(rand.NewPCG(r.Uint64(), 1))
	g.instead = func(string) any {
		answers.Lock()
		defer answers.Unlock()
		switch drawn.IntN(12) {
		case 0:
			return []any{true, "applied", object{"applied": "yes"}, object{"title": 3}, []any{}, object{"success": nil}}[drawn.IntN(6)]
		case 1:
			time.Sleep(time.Duration(drawn.IntN(30)) * time.Millisecond)
		}
		return nil
	}
	return g
}

// start starts the built program, with scripted models behind it.
func (g *generator) start(program string) {
	home := g.t.TempDir()
	g.write(home+"/models.toml", "[[rules]]\ncontains = \"slowly\"\ndelay_ms = 1500\nanswer = '''\n"+generatedAnswer+"'''\n[[rules]]\ncontains = \"Request:\"\nanswer = '''\n"+generatedAnswer+"'''\n[[rules]]\nmodel = \"scripted-fast\"\nanswer = \"one + two\\n\"\n")
	models := exec.Command(os.Getenv("SCRIPTED"), "--script", home+"/models.toml")
	out, err := models.StdoutPipe()
	if err == nil {
		err = models.Start()
	}
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = models.Process.Kill(); _ = models.Wait() })
	line, _ := bufio.NewReader(out).ReadString('\n')
	address := strings.TrimSpace(strings.TrimPrefix(line, "listening "))
	config := "fast = \"scripted-fast\"\ndeep = \"scripted-deep\"\n"
	for _, name := range []string{"fast", "deep"} {
		config += fmt.Sprintf("[models.scripted-%s]\nprovider = \"scripted\"\nmodel = \"scripted-%s\"\ncontext_window = 128000\nmax_output_tokens = 4096\nedit_format = \"search_replace\"\n", name, name)
	}
	g.write(home+"/config/tandem/config.toml", config+"[providers.scripted]\nbase_url = \""+address+"/v1\"\nwire_api = \"responses\"\n")
	g.process = exec.Command(program, "serve")
	g.process.Dir, g.process.Stderr = home, &g.stderr
	g.process.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_STATE_HOME="+home+"/state", "XDG_CACHE_HOME="+home+"/cache", "DBUS_SESSION_BUS_ADDRESS=")
	in, err := g.process.StdinPipe()
	if err != nil {
		g.t.Fatal(err)
	}
	from, err := g.process.StdoutPipe()
	if err == nil {
		err = g.process.Start()
	}
	if err != nil {
		g.t.Fatal(err)
	}
	g.editor = newEditor(g.t, in)
	go func() {
		g.read(bufio.NewReader(from))
		_ = g.process.Wait()
		g.ended <- g.process.ProcessState.ExitCode()
	}()
	g.t.Cleanup(func() { _ = g.process.Process.Kill() })
}

func (g *generator) write(file, text string) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *generator) begin(client object) {
	capabilities := maps.Clone(client["capabilities"].(object))
	if g.r.IntN(3) == 0 {
		capabilities["experimental"] = object{"tandem": object{"proposals": g.r.IntN(2) == 0, "status": g.r.IntN(2) == 0, "tasks": g.r.IntN(2) == 0, "inline": g.r.IntN(2) == 0, "notices": g.r.IntN(2) == 0}}
	}
	params := object{"processId": nil, "rootUri": nil, "clientInfo": client["clientInfo"], "capabilities": capabilities, "workspaceFolders": []object{g.folder(0), g.folder(1)}}
	if _, err := g.call("initialize", params); err != nil {
		g.t.Fatal(err)
	}
	g.notify("initialized", object{})
	for _, uri := range g.keptURIs() {
		g.open(uri, languageOf(uri), g.text0(uri))
	}
}

func (g *generator) folder(i int) object {
	return object{"uri": workspace.URIOf(g.folders[i]), "name": "w"}
}

// keptURIs are the documents that are opened, changed and closed as the protocol has it; others
// are subject to whatever is drawn.
func (g *generator) keptURIs() []string {
	return []string{workspace.URIOf(filepath.Join(g.folders[0], "a.go")), workspace.URIOf(filepath.Join(g.folders[1], "b.py")), workspace.URIOf(filepath.Join(g.folders[1], "new.go")), "untitled:kept.go"}
}

func (g *generator) text0(uri string) string {
	if strings.HasSuffix(uri, ".py") {
		return "def total(a):\r\n    # ?? where is tötal called 𝄞\r\n    return a\r\n"
	}
	return clientText
}

// step sends something.
func (g *generator) step() {
	for len(g.waiting) > 40 {
		g.await()
	}
	steps := []struct {
		weight int
		kind   string
		do     func()
	}{
		{20, "changes of texts", g.editText},
		{14, "requests at a place", g.askAtPlace},
		{12, "commands", g.command},
		{16, "as the protocol has them", func() { g.drawn(false) }},
		{16, "with a part that the protocol does not have", func() { g.drawn(true) }},
		{6, "cancellations", g.cancel},
		{3, "unknown methods", g.unknown},
		{3, "odd envelopes", g.odd},
		{5, "folders, trust and settings", g.moveFolders},
		{4, "documents closed, opened, saved", g.reopen},
		{3, "files that others write", g.writeOnDisk},
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	at := g.r.IntN(total)
	for _, s := range steps {
		if at -= s.weight; at < 0 {
			g.kinds.of[s.kind]++
			g.kinds.sent++
			s.do()
			return
		}
	}
}

// ask sends a request that must be answered.
func (g *generator) ask(method string, params any) {
	raw, _ := json.Marshal(params)
	id, c := g.expect()
	var wire any = id
	if g.r.IntN(4) == 0 {
		wire = strconv.Itoa(id)
	}
	g.waiting = append(g.waiting, sentRequest{id, method, raw, c})
	g.send(object{"jsonrpc": "2.0", "id": wire, "method": method, "params": params})
}

// await takes the answer of the oldest request, and what it gave.
func (g *generator) await() {
	oldest := g.waiting[0]
	g.waiting = g.waiting[1:]
	select {
	case a := <-oldest.answer:
		var v any
		_ = json.Unmarshal(a.result, &v)
		g.remember(v)
	case <-g.ended:
		g.t.Fatalf("the server ended: %s", g.stderr.String())
	case <-time.After(time.Minute):
		if g.process != nil {
			_ = g.process.Process.Signal(syscall.SIGQUIT) // to see where it waits
			<-g.ended
		}
		g.t.Fatalf("not answered: %s %s %s", oldest.method, oldest.params, g.stderr.String())
	}
}

// remember keeps the commands and ids of an answer.
func (g *generator) remember(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			g.remember(one)
		}
	case object:
		if name, _ := v["command"].(string); name != "" {
			g.given = append(g.given[max(0, len(g.given)-30):], v)
		}
		for name, one := range v {
			if name == "id" || name == "proposalId" || name == "token" || name == "data" {
				g.ids = append(g.ids[max(0, len(g.ids)-30):], one)
			}
			g.remember(one)
		}
	}
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func (g *generator) editText() {
	uri := pick(g.r, g.keptURIs()...)
	text := g.text(uri)
	at := wireRange{g.position(text), g.position(text)}
	if at.End.Line < at.Start.Line || at.End.Line == at.Start.Line && at.End.Character < at.Start.Character {
		at.Start, at.End = at.End, at.Start
	}
	if g.r.IntN(3) > 0 {
		at.End = at.Start
	}
	if len(text) > 4000 {
		g.change(uri, wireRange{End: position{uint32(strings.Count(text, "\n")) + 1, 0}}, g.text0(uri))
		return
	}
	g.change(uri, at, pick(g.r, "", "x", "\n", "\r\n", "func Sum() int {\n", "// rename the sum to all\n", "é𝄞", "// ?? why\n", "\treturn Sum(1)\n", "}"))
}

// position is one within a text.
func (g *generator) position(text string) position {
	lines := lineEnds.Split(text, -1)
	n := g.r.IntN(len(lines))
	runes := []rune(lines[n])
	return position{uint32(n), uint32(g.judge.length(string(runes[:g.r.IntN(len(runes)+1)])))}
}

func (g *generator) token() any {
	g.tokens++
	return pick[any](g.r, fmt.Sprintf("token %d", g.tokens), g.tokens)
}

// bag is what tandem's own messages and commands take, some of it.
func (g *generator) bag() object {
	uri := g.uri()
	text := ""
	if slices.Contains(g.keptURIs(), uri) {
		text = g.text(uri)
	}
	from := g.position(text)
	id := any("p1")
	if len(g.ids) > 0 {
		id = pick(g.r, g.ids...)
	}
	all := object{
		"uri": uri, "textDocument": object{"uri": uri, "version": g.r.IntN(40)}, "range": wireRange{from, from}, "position": from,
		"instruction": pick(g.r, "say what it gives", "break it", "slowly", "", "rename Sum"), "question": "where is Sum called?", "text": "1. [FAST] a | write: a.go | done: b",
		"id": id, "action": pick(g.r, "accept", "reject", "acceptHunk", "moment", "none"), "hunk": g.r.IntN(3), "step": g.r.IntN(2), "file": "a.go", "force": g.r.IntN(2) == 0,
		"lane": pick(g.r, "fast", "deep", ""), "kind": pick(g.r, "edit", "fix", "test", ""), "alternatives": g.r.IntN(3), "budget": g.r.IntN(3000), "purpose": pick(g.r, "edit", "complete", "ask"),
		"n": g.r.IntN(3), "trusted": g.r.IntN(2) == 0, "uuid": id, "uuids": []any{id}, "minutes": 0.001, "name": "Sum", "item": object{"command": object{"arguments": []any{id}}}, "acceptedLength": 2,
		"locations": []object{{"uri": uri, "range": wireRange{from, from}}}, "version": g.r.IntN(40), "profile": "quiet", "diff": "", "base": "HEAD", "quick": true, "thread": "t",
		"added": []object{{"range": wireRange{from, from}, "severity": 1, "message": "undefined: x"}}, "removed": []object{}, "workDoneToken": g.token(), "partialResultToken": g.token(),
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if g.r.IntN(4) == 0 {
			delete(all, name)
		}
	}
	return all
}

func (g *generator) askAtPlace() {
	uri := pick(g.r, g.keptURIs()...)
	at := g.position(g.text(uri))
	p := object{"textDocument": object{"uri": uri, "version": g.r.IntN(40)}, "position": at, "range": wireRange{at, at}, "context": object{"diagnostics": []any{}, "triggerKind": 1 + g.r.IntN(2)}}
	if g.r.IntN(2) == 0 {
		p["workDoneToken"], p["partialResultToken"] = g.token(), g.token()
	}
	g.ask(pick(g.r, protocol.MethodTextDocumentHover, protocol.MethodTextDocumentCodeAction, protocol.MethodTextDocumentCodeAction, protocol.MethodTextDocumentCodeLens, protocol.MethodTextDocumentInlineCompletion, "textDocument/copilotInlineEdit"), p)
}

// command runs a command that the server gave, or any with drawn arguments.
func (g *generator) command() {
	if len(g.given) > 0 && g.r.IntN(2) == 0 {
		c := pick(g.r, g.given...)
		if inner, literal := c["command"].(object); literal {
			c = inner
		}
		g.ask(protocol.MethodWorkspaceExecuteCommand, object{"command": c["command"], "arguments": c["arguments"], "workDoneToken": g.token()})
		return
	}
	names := slices.Sorted(maps.Keys(newFeatures(&Deps{}, &scope{peer: newPeer(&Deps{})}).commandTable()))
	g.ask(protocol.MethodWorkspaceExecuteCommand, object{"command": pick(g.r, names...), "arguments": []any{g.bag()}})
}

// drawn sends any message that a client may send: one of the protocol's, or of tandem's own.
func (g *generator) drawn(faulty bool) {
	var params any
	name := pick(g.r, g.clientMethods()...)
	message, known := g.model.messages[name]
	switch {
	case !known:
		params = g.bag()
	case message.Params != nil:
		params = g.value(message.Params, 0)
	}
	if faulty {
		params = g.spoiled(params)
	}
	if strings.HasPrefix(name, "textDocument/did") || strings.HasPrefix(name, "notebookDocument/did") {
		raw, _ := json.Marshal(params)
		for _, uri := range g.keptURIs() {
			raw = bytes.ReplaceAll(raw, []byte(uri), []byte("untitled:wild.go"))
		}
		params = json.RawMessage(raw)
	}
	if notification := !known && g.methods[name].notification || known && message.notification; notification {
		g.notify(name, params)
		return
	}
	g.ask(name, params)
}

func (g *generator) clientMethods() []string {
	var out []string
	for name := range g.methods {
		if _, known := g.model.messages[name]; !known && !strings.HasPrefix(name, "test/") {
			out = append(out, name)
		}
	}
	for name, m := range g.model.messages {
		if m.MessageDirection != "serverToClient" && name != protocol.MethodShutdown && name != protocol.MethodExit {
			out = append(out, name)
		}
		if _, served := g.methods[name]; served && name != protocol.MethodShutdown && name != protocol.MethodExit {
			out = append(out, name, name) // more often
		}
	}
	slices.Sort(out)
	return out
}

func (g *generator) uri() string {
	if g.r.IntN(2) == 0 {
		return pick(g.r, g.keptURIs()...)
	}
	dir := workspace.URIOf(pick(g.r, g.folders...))
	return pick(g.r, dir+"/wild.go", dir+"/lib/c.ts", dir, "untitled:wild.go", "file:///nowhere/x.go", "vscode-notebook-cell:/w/n.ipynb#a", "", "no uri", "file://", "tandem:/x", dir+"/%2e%2e/x", "FILE:///A%20B")
}

// value is one of a type of the protocol.
func (g *generator) value(t *metaType, depth int) any {
	few := func() int {
		if depth > 5 {
			return 0
		}
		return g.r.IntN(3)
	}
	switch t.Kind {
	case "base":
		return g.base(t.Name)
	case "reference":
		return g.reference(t.Name, depth)
	case "array":
		out := []any{}
		for range few() {
			out = append(out, g.value(t.Element, depth+1))
		}
		return out
	case "map":
		var of metaType
		_ = json.Unmarshal(t.Value, &of)
		out := object{}
		for range few() {
			out[g.uri()] = g.value(&of, depth+1)
		}
		return out
	case "or":
		return g.value(pick(g.r, t.Items...), depth+1)
	case "and":
		return g.structure(metaStructure{Extends: t.Items}, depth)
	case "literal":
		var s metaStructure
		_ = json.Unmarshal(t.Value, &s)
		return g.structure(s, depth)
	case "tuple":
		var out []any
		for _, one := range t.Items {
			out = append(out, g.value(one, depth+1))
		}
		return out
	}
	var literal any
	_ = json.Unmarshal(t.Value, &literal)
	return literal
}

func (g *generator) base(name string) any {
	switch name {
	case "string", "RegExp":
		return pick(g.r, "", "a", "tandem.edit", "go", "é𝄞\r\n", "**/*.go", strings.Repeat("long ", 100))
	case "URI", "DocumentUri":
		return g.uri()
	case "integer":
		return pick(g.r, 0, 1, -1, 3, 1<<31-1, -1<<31)
	case "uinteger":
		return pick(g.r, 0, 1, 2, 7, 1<<31-1)
	case "decimal":
		return pick(g.r, 0, 0.5, 1)
	case "boolean":
		return g.r.IntN(2) == 0
	}
	return nil
}

func (g *generator) reference(name string, depth int) any {
	switch name {
	case "ProgressToken":
		return g.token()
	case "LSPAny", "LSPObject":
		return pick[any](g.r, object{}, object{"a": []any{1, nil}}, g.bag())
	case "LSPArray":
		return []any{g.bag()}
	}
	if alias, ok := g.model.aliases[name]; ok {
		return g.value(alias.Type, depth)
	}
	if enum, ok := g.model.enums[name]; ok {
		return pick(g.r, enum.Values...).Value
	}
	return g.structure(g.model.types[name], depth)
}

func (g *generator) structure(s metaStructure, depth int) any {
	has := g.model.properties(s)
	out := object{}
	for _, name := range slices.Sorted(maps.Keys(has)) {
		if p := has[name]; !p.Optional || depth < 5 && g.r.IntN(2) == 0 {
			out[name] = g.value(p.Type, depth+1)
		}
	}
	return out
}

// spoiled is a value of which one part is not as it was.
func (g *generator) spoiled(v any) any {
	switch inner := v.(type) {
	case object:
		if len(inner) > 0 && g.r.IntN(5) > 0 {
			name := pick(g.r, slices.Sorted(maps.Keys(inner))...)
			if g.r.IntN(4) == 0 {
				delete(inner, name)
				return inner
			}
			inner[name] = g.spoiled(inner[name])
			return inner
		}
	case []any:
		if len(inner) > 0 && g.r.IntN(4) > 0 {
			i := g.r.IntN(len(inner))
			inner[i] = g.spoiled(inner[i])
			return inner
		}
	}
	deep := any(1)
	for range 150 {
		deep = []any{deep}
	}
	return pick[any](g.r, nil, true, -1, 0.5, 1e300, 1<<40, "", "x", []any{}, object{}, []any{nil}, object{"a": object{}}, deep, strings.Repeat("é", 3000))
}

func (g *generator) cancel() {
	id := any(g.r.IntN(9999))
	if len(g.waiting) > 0 && g.r.IntN(5) > 0 {
		id = pick(g.r, g.waiting...).id
	}
	if g.r.IntN(6) == 0 {
		id = pick[any](g.r, "x", nil, -1, object{}, 0.5)
	}
	g.notify("$/cancelRequest", object{"id": id})
}

func (g *generator) unknown() {
	name := pick(g.r, "tandem/none", "textDocument/none", "$/none", "", "x", "\x00", strings.Repeat("m", 400), "rpc.discover", "test")
	if g.r.IntN(2) == 0 {
		g.notify(name, g.bag())
		return
	}
	g.ask(name, g.bag())
}

// odd sends what is no message.
func (g *generator) odd() {
	body := pick(g.r, `{}`, `[]`, `null`, `7`, `"x"`, `{`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":0,"method":"textDocument/hover"}`, `{"jsonrpc":"2.0","id":null,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","id":999999,"result":null}`, `{"jsonrpc":"2.0","id":"none","error":{"code":1,"message":"x"}}`, `{"jsonrpc":"2.0","id":{},"method":"x"}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}`,
		`{"jsonrpc":"2.0","method":7}`, `[{"jsonrpc":"2.0","method":"initialized"}]`, `{"jsonrpc":"2.0","id":0.5,"method":"x"}`, strings.Repeat("[", 300)+strings.Repeat("]", 300), "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":\"\xff\"}")
	g.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (g *generator) moveFolders() {
	i := g.r.IntN(2)
	inner := object{"uri": workspace.URIOf(filepath.Join(g.folders[i], "lib")), "name": "lib"}
	none := object{"uri": "file:///nowhere", "name": ""}
	switch g.r.IntN(6) {
	case 0:
		g.notify("tandem/didChangeTrust", object{"trusted": g.r.IntN(2) == 0})
	case 1:
		g.notify(protocol.MethodWorkspaceDidChangeConfiguration, object{"settings": object{"tandem": object{"next_edit": g.r.IntN(2) == 0, "none": 3}}})
	default:
		event := object{"added": []object{}, "removed": []object{}}
		for _, f := range []object{g.folder(i), pick(g.r, g.folder(i), g.folder(1-i), inner, none)} {
			key := pick(g.r, "added", "removed")
			event[key] = append(event[key].([]object), f)
		}
		g.notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, object{"event": event})
	}
}

func (g *generator) reopen() {
	uri := pick(g.r, g.keptURIs()...)
	id := object{"uri": uri}
	if g.r.IntN(2) == 0 {
		g.notify(protocol.MethodTextDocumentDidSave, object{"textDocument": id})
		return
	}
	g.changing.Lock() // no edit comes between
	defer g.changing.Unlock()
	text := g.text(uri)
	g.notify(protocol.MethodTextDocumentDidClose, object{"textDocument": id})
	g.open(uri, languageOf(uri), text)
}

func (g *generator) writeOnDisk() {
	file := filepath.Join(pick(g.r, g.folders...), pick(g.r, "a.go", "b.py", "lib/d.go", ".gitignore", "more.go"))
	kind := 2
	if g.r.IntN(4) == 0 {
		kind = 3
		_ = os.Remove(file)
	} else {
		g.write(file, pick(g.r, clientText, "package a\n\nvar Sum = 1\n", "*.py\n", ""))
	}
	g.notify(protocol.MethodWorkspaceDidChangeWatchedFiles, object{"changes": []object{{"uri": workspace.URIOf(file), "type": kind}}})
}

// end waits for all answers, compares the texts, and ends the server.
func (g *generator) end() {
	for len(g.waiting) > 0 {
		g.await()
	}
	if g.process == nil {
		for _, uri := range g.keptURIs() {
			g.changing.Lock()
			mine := g.text(uri)
			raw, err := g.call("test/text", object{"uri": uri})
			g.changing.Unlock()
			var theirs string
			if err != nil || json.Unmarshal(raw, &theirs) != nil || theirs != mine {
				g.t.Errorf("the server has %q of %s, which is %q: %v", theirs, uri, mine, err)
			}
		}
	}
	if _, err := g.call("shutdown", nil); err != nil {
		g.t.Error(err)
	}
	g.notify("exit", nil)
	select {
	case code := <-g.ended:
		if code != 0 {
			g.t.Errorf("it ended with %d", code)
		}
	case <-time.After(time.Minute):
		g.t.Error("it does not end")
	}
	if strings.Contains(g.stderr.String(), "internal error") || strings.Contains(g.stderr.String(), "panic") {
		g.t.Errorf("the log: %s", g.stderr.String())
	}
}
