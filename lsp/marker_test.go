package lsp

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"tandem/model"
	"tandem/model/assist/core"
	"tandem/workspace"
)

var update = flag.Bool("update", false, "write the marker tests' transcripts")

// Line ends of the documents of a marker test.
const (
	lineFeeds       = "\n"
	carriageReturns = "\r\n"
)

// TestMarkers runs every testdata/marker/*.txtar through real frames. An
// archive begins with prose and contains
//
//	settings         lines: client plain|full|tandem, encoding utf-8, untrusted, no-model,
//	                 built-in (the engine, and no model), hover-model, judged (names too)
//	answer/PURPOSE   what the model answers: to requests that contain the text of
//	                 a first line "when TEXT"; a line "error CODE MESSAGE" fails
//	                 the request
//	script           what the editor does, one step a line; "asked PURPOSE" writes the parts
//	                 of the last prompt
//	transcript       what the user gets; -update writes it
//	anything else    a file of the workspace, with marks in the text:
//	                 «name|» is a place and «name:text» a range
//
// Each runs with documents whose lines end with LF and with CRLF; the transcripts
// are equal but for the line ends.
func TestMarkers(t *testing.T) {
	files, err := filepath.Glob("../testdata/marker/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no marker tests: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) { runMarker(t, file, lineFeeds) })
		t.Run(name+", CRLF", func(t *testing.T) { runMarker(t, file, carriageReturns) })
	}
}

// A marker is one archive while it runs.
type marker struct {
	*editor
	tape     *cassette
	dir      string
	lineEnd  string
	uris     map[string]string // by file name
	places   map[string]place  // by mark
	awaited  map[string]int    // notifications awaited so far, by method
	seen     int               // notifications already in the transcript
	lastID   string            // of the last inline item or next edit
	offered  *nextEditItem     // the last next edit
	undo     []inverse         // of the changes by type and apply, the last one last
	redo     []inverse         // of those that undo made
	proposal string
	actions  []codeAction
	out      strings.Builder
	known    map[string][]object // the diagnostics that diagnose steps set, by place
}

type place struct {
	file string
	at   wireRange
}

func runMarker(t *testing.T, file, lineEnd string) {
	t.Parallel() // some wait for an editor that does not answer
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := &marker{dir: t.TempDir(), lineEnd: lineEnd, uris: map[string]string{}, places: map[string]place{}, awaited: map[string]int{}}
	tape := &cassette{answers: map[model.Purpose][]reply{}, t: t}
	var script, want string
	capabilities := fullClient()
	trusted := true
	texts := map[string]string{}
	var order []string
	for _, f := range archive.Files {
		data := string(f.Data)
		switch purpose, isAnswer := strings.CutPrefix(f.Name, "answer/"); {
		case f.Name == "settings":
			capabilities, trusted = settingsOf(t, data, tape)
		case f.Name == "script":
			script = data
		case f.Name == "transcript":
			want = data
		case isAnswer:
			tape.answers[model.Purpose(purpose)] = append(tape.answers[model.Purpose(purpose)], replyOf(data))
		default:
			texts[f.Name] = m.unmark(f.Name, strings.ReplaceAll(data, "\n", lineEnd))
			order = append(order, f.Name)
		}
	}
	for _, name := range order {
		m.write(t, name, texts[name])
	}
	m.tape = tape
	m.editor = start(t, depsWith(t, tape, func(string) core.Preferences {
		return core.Preferences{Enabled: true, Automatic: true, NextEdits: true, HoverModel: tape.describe, HoverDocumentation: tape.describe, Review: tape.review}
	}))
	m.handshake(capabilities, trusted)
	for _, name := range order {
		m.open(m.uris[name], languageOf(name), texts[name])
	}
	for step := range strings.Lines(script) {
		if step = strings.TrimSpace(step); step != "" && step[0] != '#' {
			m.step(step)
		}
	}
	got := m.out.String()
	if lineEnd == carriageReturns {
		got = asLineFeeds(got)
	}
	if *update && lineEnd == lineFeeds {
		save(t, file, archive, got)
	} else if got != want {
		t.Errorf("the transcript is\n%s\nwant\n%s", got, want)
	}
}

// asLineFeeds is a transcript with CRLF, plain or as JSON writes it, as LF.
func asLineFeeds(transcript string) string {
	return strings.NewReplacer("\r\n", "\n", `\r\n`, `\n`).Replace(transcript)
}

func (m *marker) write(t *testing.T, name, text string) {
	if strings.HasPrefix(name, "untitled:") {
		m.uris[name] = name
		return
	}
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	m.uris[name] = workspace.URIOf(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (m *marker) handshake(capabilities object, trusted bool) {
	_, err := m.call("initialize", object{
		"processId": nil, "rootUri": workspace.URIOf(m.dir), "capabilities": capabilities, "initializationOptions": object{"trusted": trusted},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.notify("initialized", object{})
}

var markPattern = regexp.MustCompile(`«(\w*)(?:\||:((?s:.*?)))»`)

// step runs one line of the script and writes its result.
func (m *marker) step(line string) {
	fmt.Fprintf(&m.out, "> %s\n", line)
	args := fields(line)
	p := m.places[arg(args, 1)]
	uri := m.uris[p.file]
	switch args[0] {
	case "complete", "invoke":
		m.complete(uri, p, map[string]int{"invoke": 1, "complete": 2}[args[0]])
	case "take":
		m.execute("github.copilot.didAcceptCompletionItem", m.lastID)
	case "reject":
		m.execute("github.copilot.didRejectNextEditSuggestionItem", m.lastID)
	case "next":
		m.next(uri, p)
	case "type":
		typed := strings.ReplaceAll(arg(args, 2), "\n", m.lineEnd)
		m.replace(uri, p.at, typed)
		m.move(p, typed)
	case "apply":
		m.apply(arg(args, 1) == "silently")
	case "undo":
		m.redo = append(m.redo, m.takeBack(&m.undo))
	case "redo":
		m.undo = append(m.undo, m.takeBack(&m.redo))
	case "parts":
		m.parts = true
	case "hover":
		m.sendAndWrite("textDocument/hover", object{"textDocument": object{"uri": uri}, "position": p.at.Start})
	case "actions":
		m.menu(uri, p, args[2:])
	case "do":
		m.choose(arg(args, 1))
	case "command":
		_, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "command")), " ")
		m.execute(arg(args, 1), m.arguments(rest)...)
	case "request":
		var params any
		m.unmarshal([]byte(m.expand(arg(args, 2))), &params)
		m.sendAndWrite(arg(args, 1), params)
	case "tell":
		var params any
		m.unmarshal([]byte(m.expand(arg(args, 2))), &params)
		m.notify(arg(args, 1), params)
	case "lenses":
		m.lenses(m.uris[arg(args, 1)])
	case "show":
		text := m.text(m.uris[arg(args, 1)])
		if m.lineEnd == carriageReturns && strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
			m.t.Errorf("the document has other line ends than its own: %q", text)
		}
		m.out.WriteString(text)
	case "await":
		m.await(arg(args, 1), arg(args, 2))
	case "indexed":
		m.untilIndexed()
	case "asked":
		m.out.WriteString(m.tape.asked(model.Purpose(arg(args, 1))))
	case "stubborn":
		m.refuse = true
	case "diagnose":
		m.diagnose(uri, p, arg(args, 2))
	default:
		m.t.Fatalf("unknown step %q", line)
	}
	if arg(args, 1) != "tandem.escalate" { // a task reports at any time: an await step waits for it
		m.writeMessages()
	}
}

// await waits for a notification with this text after those awaited before,
// and writes it if it is diagnostics.
func (m *marker) await(method, text string) {
	at := 0
	raw := m.until(method, func(raw json.RawMessage) bool {
		at++
		return at > m.awaited[method] && strings.Contains(string(raw), text)
	})
	m.awaited[method] = at
	if method == "textDocument/publishDiagnostics" {
		m.diagnostics(raw)
	}
}

func (m *marker) diagnostics(raw json.RawMessage) {
	var p struct {
		Diagnostics []struct {
			Range    wireRange
			Severity int
			Code     string
			Message  string
		}
	}
	m.unmarshal(raw, &p)
	for _, d := range p.Diagnostics {
		fmt.Fprintf(&m.out, "diagnostic %s %d %s: %s\n", rangeText(d.Range), d.Severity, d.Code, d.Message)
	}
	if len(p.Diagnostics) == 0 {
		m.out.WriteString("no diagnostics\n")
	}
}

func (m *marker) unmarshal(raw []byte, v any) {
	if err := json.Unmarshal(raw, v); err != nil {
		m.t.Fatalf("%s: %v", raw, err)
	}
}

// sendAndWrite sends a request and writes its result.
func (m *marker) sendAndWrite(method string, params any) json.RawMessage {
	raw, err := m.call(method, params)
	if err != nil {
		fmt.Fprintf(&m.out, "error %s\n", m.clean(err.Error()))
		return nil
	}
	var v any
	m.unmarshal(raw, &v)
	if o, ok := v.(object); ok {
		if id, ok := o["proposalId"].(string); ok {
			m.proposal = id
		}
	}
	m.value(v)
	return raw
}

// value writes a result: text as it is, the rest as JSON.
func (m *marker) value(v any) {
	switch v := v.(type) {
	case nil:
		m.out.WriteString("nothing\n")
	case object:
		if contents, ok := v["contents"].(object); ok {
			fmt.Fprintf(&m.out, "%s:\n%s\n", contents["kind"], m.clean(fmt.Sprint(contents["value"])))
			return
		}
		raw, _ := json.Marshal(v)
		fmt.Fprintf(&m.out, "%s\n", m.clean(string(raw)))
	default:
		raw, _ := json.Marshal(v)
		fmt.Fprintf(&m.out, "%s\n", m.clean(string(raw)))
	}
}

// clean replaces what differs from run to run in a text.
func (m *marker) clean(s string) string {
	s = strings.ReplaceAll(s, workspace.URIOf(m.dir), "file://DIR")
	s = strings.ReplaceAll(s, m.dir, "DIR")
	s = regexp.MustCompile(`"taskId":"\w+"`).ReplaceAllString(s, `"taskId":"TASK"`)
	s = strings.ReplaceAll(s, `"busy":true`, `"busy":false`)
	s = regexp.MustCompile(`(\n|\\n)working on a suggestion`).ReplaceAllString(s, "")
	s = regexp.MustCompile(`"until":"[^"]*"`).ReplaceAllString(s, `"until":"THEN"`)
	return regexp.MustCompile(`\b[csl][0-9]+\b`).ReplaceAllString(s, "ID")
}

func (m *marker) complete(uri string, p place, trigger int) {
	raw, err := m.call("textDocument/inlineCompletion", object{
		"textDocument": object{"uri": uri}, "position": p.at.Start, "context": object{"triggerKind": trigger},
	})
	if err != nil {
		fmt.Fprintf(&m.out, "error %s\n", m.clean(err.Error()))
		return
	}
	var list inlineList
	m.unmarshal(raw, &list)
	for _, item := range list.Items {
		fmt.Fprintf(&m.out, "%s %q\n", rangeText(*item.Range), item.InsertText)
		m.lastID, _ = item.Command.Arguments[0].(string)
		m.notify("textDocument/didShowCompletion", object{"item": item})
	}
	if len(list.Items) == 0 {
		m.out.WriteString("no suggestion\n")
	}
}

func rangeText(r wireRange) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
}

func (m *marker) next(uri string, p place) {
	m.mu.Lock()
	version := m.docs[uri].version
	m.mu.Unlock()
	raw, err := m.call("textDocument/copilotInlineEdit", object{"textDocument": object{"uri": uri, "version": version}, "position": p.at.Start})
	if err != nil {
		fmt.Fprintf(&m.out, "error %s\n", m.clean(err.Error()))
		return
	}
	var list nextEditList
	m.unmarshal(raw, &list)
	for _, e := range list.Edits {
		target := ""
		if e.TargetLine != nil {
			target = fmt.Sprintf(" in %s at line %d", filepath.Base(e.TextDocument.URI), *e.TargetLine)
		} else if *e.TextDocument.Version != int32(version) {
			target = " for another version"
		}
		if e.Jump != "" {
			target += " to go to: " + e.Jump
		}
		fmt.Fprintf(&m.out, "%s %q%s\n", rangeText(e.Range), e.Text, target)
		m.lastID, _ = e.Command.Arguments[0].(string)
		m.offered = &e
	}
	if len(list.Edits) == 0 {
		m.offered = nil
		m.out.WriteString("no edit\n")
	}
}

// An inverse takes a change back as an editor's undo does.
type inverse struct {
	uri    string
	at     wireRange
	text   string
	places map[string]place // as they were
}

// replace makes one change, which an undo step takes back.
func (m *marker) replace(uri string, at wireRange, text string) {
	m.undo, m.redo = append(m.undo, m.replaced(uri, at, text)), nil
}

// takeBack makes the last change of a list of inverses, and returns its own inverse.
func (m *marker) takeBack(list *[]inverse) inverse {
	n := len(*list) - 1
	if n < 0 {
		m.t.Fatal("nothing to take back")
	}
	last := (*list)[n]
	*list = (*list)[:n]
	back := m.replaced(last.uri, last.at, last.text)
	m.places = last.places
	return back
}

// replaced makes one change and returns its inverse.
func (m *marker) replaced(uri string, at wireRange, text string) inverse {
	before := m.text(uri)
	from := lineStart(before, at.Start.Line)
	units := utf16.Encode([]rune(before[from:]))
	start, end := unitOffset(units, position{0, at.Start.Character}), unitOffset(units, position{at.End.Line - at.Start.Line, at.End.Character})
	to := at.Start
	if n := strings.Count(text, "\n"); n > 0 {
		to = position{at.Start.Line + uint32(n), endOf(text).Character}
	} else {
		to.Character += endOf(text).Character
	}
	back := inverse{uri, wireRange{at.Start, to}, string(utf16.Decode(units[start:end])), maps.Clone(m.places)}
	m.change(uri, at, text)
	return back
}

// apply writes the next edit that was offered last, as a client that speaks of what it does:
// the edit, and then that it was accepted, unless silently.
func (m *marker) apply(silently bool) {
	if m.offered == nil {
		m.out.WriteString("nothing to apply\n")
		return
	}
	m.replace(m.offered.TextDocument.URI, m.offered.Range, m.offered.Text)
	if !silently {
		m.execute(m.offered.Command.Command, m.offered.Command.Arguments...)
	}
	m.offered = nil
}

// move moves the mark along with what was typed at it.
func (m *marker) move(p place, typed string) {
	for name, q := range m.places {
		if q == p {
			end := p.at.Start
			if n := strings.Count(typed, "\n"); n > 0 {
				end = position{end.Line + uint32(n), endOf(typed).Character}
			} else {
				end.Character += endOf(typed).Character
			}
			m.places[name] = place{p.file, wireRange{end, end}}
		}
	}
}

func (m *marker) menu(uri string, p place, only []string) {
	context := object{"diagnostics": m.diagnosticsAt(p), "triggerKind": 1}
	if len(only) > 0 {
		context["only"] = only
	}
	raw, err := m.call("textDocument/codeAction", object{"textDocument": object{"uri": uri}, "range": p.at, "context": context})
	if err != nil {
		fmt.Fprintf(&m.out, "error %s\n", m.clean(err.Error()))
		return
	}
	m.unmarshal(raw, &m.actions)
	for _, a := range m.actions {
		fmt.Fprintf(&m.out, "[%s] %s\n", a.Kind, a.Title)
	}
}

func (m *marker) diagnosticsAt(p place) []object { return m.known[p.file+rangeText(p.at)] }

func (m *marker) diagnose(_ string, p place, message string) {
	key := p.file + rangeText(p.at)
	if m.known == nil {
		m.known = map[string][]object{}
	}
	m.known[key] = append(m.known[key], object{"range": p.at, "severity": 1, "source": "compiler", "code": "E1", "message": message})
}

// choose resolves and runs the first action whose title has this text.
func (m *marker) choose(text string) {
	i := slices.IndexFunc(m.actions, func(a codeAction) bool { return strings.Contains(a.Title, text) })
	if i < 0 {
		m.t.Fatalf("there is no action %q", text)
	}
	a := m.actions[i]
	if a.Command == nil {
		raw, err := m.call("codeAction/resolve", a)
		if err != nil {
			m.t.Fatal(err)
		}
		m.unmarshal(raw, &a)
	}
	m.execute(a.Command.Command, a.Command.Arguments...)
}

func (m *marker) execute(name string, args ...any) {
	m.sendAndWrite("workspace/executeCommand", object{"command": name, "arguments": args})
}

func (m *marker) lenses(uri string) {
	raw, err := m.call("textDocument/codeLens", object{"textDocument": object{"uri": uri}})
	if err != nil {
		m.t.Fatal(err)
	}
	var list []codeLens
	m.unmarshal(raw, &list)
	for _, l := range list {
		fmt.Fprintf(&m.out, "line %d: %s\n", l.Range.Start.Line, l.Command.Title)
	}
	if len(list) == 0 {
		m.out.WriteString("no lenses\n")
	}
}

// writeMessages writes the messages and documents that the step produced.
// Notifications that may come later are awaited by an await step.
func (m *marker) writeMessages() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.received[m.seen:] {
		switch n.Method {
		case "window/showMessage":
			var p struct {
				Type    int
				Message string
			}
			m.unmarshal(n.Params, &p)
			fmt.Fprintf(&m.out, "message %d: %s\n", p.Type, m.clean(p.Message))
		}
	}
	m.seen = len(m.received)
	for uri, text := range m.contentOf {
		fmt.Fprintf(&m.out, "document %s:\n%s\n", uri, m.clean(text))
		delete(m.contentOf, uri)
	}
}
