package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/judge"
)

// An editor is a client that sends real frames over pipes and does what an
// editor does: it keeps documents, applies edits and notifies the server.
type editor struct {
	t     testing.TB
	judge *specJudge
	out   io.WriteCloser
	ended chan int // the server's exit code

	changing sync.Mutex // held while a text changes and the server is told

	mu        sync.Mutex // guards all below
	serial    int
	waiting   map[int]chan response
	docs      map[string]*document
	received  []message // notifications, in order
	arrived   chan struct{}
	asked     []message // requests of the server
	failOn    func(*responseError)
	parts     bool              // report each change as a deletion and an insertion
	silent    bool              // answer nothing, applyEdit included, which is done
	refuse    bool              // answer applyEdit with applied: true and do nothing
	onDisk    func(uri string)  // writes the change of a document that is not open, if it is not nil
	books     map[string]string // the notebooks of cells
	instead   func(string) any  // answers a request of the server another way, if it gives anything
	skip      string            // the document whose changes are answered with applied: true and not made
	contentOf map[string]string
	answer    string // the action that the user takes of a question, "" for none
}

type document struct {
	version int
	text    string
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *responseError  `json:"error"`
}

type response struct {
	result json.RawMessage
	err    *responseError
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *responseError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

type object = map[string]any

// start runs a server over pipes and connects an editor to it.
func start(t testing.TB, d Deps) *editor {
	t.Helper()
	return startAfter(t, d, func(*Server) {})
}

// startAfter is start after the server was prepared.
func startAfter(t testing.TB, d Deps, prepare func(*Server)) *editor {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	e := newEditor(t, inWrite)
	go func() {
		s := newServer(d, inRead, outWrite)
		addTestMethods(s)
		s.features.commands.begun = time.Minute // a slow machine is no slow model
		prepare(s)
		e.ended <- s.run(context.Background())
		outWrite.Close()
	}()
	read := make(chan struct{})
	go func() { defer close(read); e.read(bufio.NewReader(outRead)) }()
	t.Cleanup(func() {
		inWrite.Close()
		<-read
		outRead.Close()
	})
	return e
}

func newEditor(t testing.TB, out io.WriteCloser) *editor {
	return &editor{t: t, judge: newSpecJudge(t), out: out, ended: make(chan int, 1), waiting: map[int]chan response{}, docs: map[string]*document{}, books: map[string]string{}, arrived: make(chan struct{}), contentOf: map[string]string{}}
}

// addTestMethods adds what tests ask a server for.
func addTestMethods(s *Server) {
	on := s.features.documents
	s.methods["test/sync"] = inOrder(func(context.Context, *none) (any, error) { return nil, nil })
	s.methods["test/text"] = inOrder(func(_ context.Context, p *documentID) (any, error) {
		if o, ok := on.session.Snapshot().Overlay(p.URI); ok {
			return o.Text.String(), nil
		}
		return nil, nil
	})
	s.methods["test/status"] = inOrder(func(context.Context, *none) (any, error) {
		return wireStatus(StatusOf(on.use.Engine.State(), on.session.Snapshot())), nil
	})
}

// newMethods are the methods of a server that is not running.
func newMethods(t *testing.T) map[string]method {
	t.Helper()
	return newFeatures(&Deps{}, &scope{peer: newPeer(&Deps{})}).methods()
}

func (e *editor) read(r *bufio.Reader) {
	for {
		length := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			e.t.Errorf("the server wrote %q: %v", body, err)
			return
		}
		e.take(m)
	}
}

// take handles one message of the server.
func (e *editor) take(m message) {
	e.judge.took(m)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case m.Method == "":
		if m.Error != nil && e.failOn != nil {
			e.failOn(m.Error)
		}
		id, _ := strconv.Atoi(strings.Trim(string(m.ID), `"`))
		if c := e.waiting[id]; c != nil {
			delete(e.waiting, id)
			c <- response{m.Result, m.Error}
		}
	case m.ID == nil:
		e.received = append(e.received, m)
		close(e.arrived)
		e.arrived = make(chan struct{})
	default:
		e.asked = append(e.asked, m)
		go e.serve(m)
	}
}

// serve answers a request of the server as an editor does.
func (e *editor) serve(m message) {
	var result any
	switch m.Method {
	case "workspace/applyEdit":
		result = e.apply(m.Params)
	case "window/showMessageRequest":
		if e.answer != "" {
			result = object{"title": e.answer}
		}
	case "window/showDocument":
		result = object{"success": true}
		var p struct{ URI string }
		_ = json.Unmarshal(m.Params, &p)
		if strings.HasPrefix(p.URI, "tandem:") {
			if raw, err := e.call("workspace/textDocumentContent", object{"uri": p.URI}); err == nil {
				var c struct{ Text string }
				_ = json.Unmarshal(raw, &c)
				e.mu.Lock()
				e.contentOf[p.URI] = c.Text
				e.mu.Unlock()
			}
		}
	}
	if e.instead != nil {
		if other := e.instead(m.Method); other != nil {
			result = other
		}
	}
	if !e.silent {
		e.send(object{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}
}

// apply applies an applyEdit to the documents whose version it names.
func (e *editor) apply(raw json.RawMessage) any {
	var p struct {
		Edit struct {
			DocumentChanges []struct {
				TextDocument struct {
					URI     string
					Version *int
				}
				Edits []textEdit
			}
			Changes map[string][]textEdit
		}
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		e.t.Errorf("applyEdit %s: %v", raw, err)
	}
	if e.refuse {
		return object{"applied": true}
	}
	e.changing.Lock()
	defer e.changing.Unlock()
	for _, c := range p.Edit.DocumentChanges {
		if e.skip != "" && c.TextDocument.URI == e.skip {
			continue
		}
		e.mu.Lock()
		d := e.docs[c.TextDocument.URI]
		if d == nil && e.onDisk != nil {
			e.onDisk(c.TextDocument.URI)
			e.mu.Unlock()
			continue
		}
		stale := d == nil || c.TextDocument.Version != nil && *c.TextDocument.Version != d.version
		e.mu.Unlock()
		if stale {
			return object{"applied": false, "failureReason": "stale"}
		}
		for i := len(c.Edits) - 1; i >= 0; i-- {
			e.changeNow(c.TextDocument.URI, c.Edits[i].Range, c.Edits[i].NewText)
		}
	}
	for uri, list := range p.Edit.Changes {
		e.mu.Lock()
		closed := e.docs[uri] == nil
		if closed && e.onDisk != nil {
			e.onDisk(uri)
		}
		e.mu.Unlock()
		if closed {
			continue
		}
		for i := len(list) - 1; i >= 0; i-- {
			e.changeNow(uri, list[i].Range, list[i].NewText)
		}
	}
	return object{"applied": true}
}

func (e *editor) send(m any) {
	body, err := json.Marshal(m)
	e.judge.sent(body)
	if err != nil {
		e.t.Error(err)
	}
	e.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (e *editor) raw(frames string) {
	if _, err := io.WriteString(e.out, frames); err != nil && !slices.ContainsFunc([]error{io.ErrClosedPipe, os.ErrClosed, syscall.EPIPE}, func(ended error) bool { return errors.Is(err, ended) }) {
		e.t.Error(err)
	}
}

// request sends a request and returns the channel of its response.
func (e *editor) request(method string, params any) (id int, c <-chan response) {
	id, c = e.expect()
	e.send(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return id, c
}

// expect makes an id and returns the channel of its response.
func (e *editor) expect() (id int, c <-chan response) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.serial++
	back := make(chan response, 1)
	e.waiting[e.serial] = back
	return e.serial, back
}

func (e *editor) call(method string, params any) (json.RawMessage, error) {
	_, c := e.request(method, params)
	var a response
	select {
	case a = <-c:
	case <-time.After(2 * time.Minute):
		return nil, fmt.Errorf("%s was not answered", method)
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.result, nil
}

func (e *editor) notify(method string, params any) {
	e.send(object{"jsonrpc": "2.0", "method": method, "params": params})
}

func (e *editor) open(uri, language, text string) {
	e.mu.Lock()
	e.docs[uri] = &document{1, text}
	e.mu.Unlock()
	e.judge.holdsText(uri, 1, text)
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": language, "version": 1, "text": text}})
}

// change replaces a range of a document and notifies the server.
func (e *editor) change(uri string, r wireRange, text string) {
	e.changing.Lock()
	defer e.changing.Unlock()
	e.changeNow(uri, r, text)
}

func (e *editor) changeNow(uri string, r wireRange, text string) {
	e.mu.Lock()
	d := e.docs[uri]
	from, to := lineStart(d.text, r.Start.Line), lineStart(d.text, r.End.Line+1) // a large text is converted in parts: it changes with each key
	e.judge.holdsText(uri, d.version, d.text)
	part := d.text[from:to]
	d.text = d.text[:from] + part[:e.judge.offset(part, position{0, r.Start.Character})] + text + part[e.judge.offset(part, position{r.End.Line - r.Start.Line, r.End.Character}):] + d.text[to:]
	d.version++
	version := d.version
	e.judge.holdsText(uri, version, d.text)
	e.mu.Unlock()
	changes := []object{{"range": r, "text": text}}
	if e.parts {
		changes = []object{{"range": r, "text": ""}, {"range": wireRange{r.Start, r.Start}, "text": text}}
	}
	document := object{"uri": uri, "version": version}
	if book := e.books[uri]; book != "" {
		e.notify("notebookDocument/didChange", object{"notebookDocument": object{"uri": book, "version": version}, "change": object{"cells": object{"textContent": []object{{"document": document, "changes": changes}}}}})
		return
	}
	e.notify("textDocument/didChange", object{"textDocument": document, "contentChanges": changes})
}

// text is a document's text as the editor has it.
func (e *editor) text(uri string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.docs[uri].text
}

// lineStart is where a line begins, or the end of the text.
func lineStart(text string, line uint32) int {
	at := 0
	for ; line > 0; line-- {
		i := strings.IndexAny(text[at:], "\r\n")
		if i < 0 {
			return len(text)
		}
		at += i + 1
		if text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
			at++
		}
	}
	return at
}

// unitOffset is the index of a position in UTF-16 units.
func unitOffset(units []uint16, p position) int {
	at := 0
	for line := uint32(0); line < p.Line; line++ {
		for at < len(units) && units[at] != '\n' && units[at] != '\r' {
			at++
		}
		if at == len(units) {
			return at
		}
		if units[at] == '\r' && at+1 < len(units) && units[at+1] == '\n' {
			at++
		}
		at++
	}
	end := at
	for end < len(units) && units[end] != '\n' && units[end] != '\r' {
		end++
	}
	return min(at+int(p.Character), end)
}

// until waits for a notification that fits; one received earlier counts too.
func (e *editor) until(method string, fits func(json.RawMessage) bool) json.RawMessage {
	e.t.Helper()
	deadline := time.After(2 * time.Minute)
	for at := 0; ; {
		e.mu.Lock()
		received, arrived := e.received[at:], e.arrived
		e.mu.Unlock()
		at += len(received)
		for _, m := range received {
			if m.Method == method && (fits == nil || fits(m.Params)) {
				return m.Params
			}
		}
		select {
		case <-arrived:
		case <-deadline:
			e.t.Fatalf("no %s arrived", method)
		}
	}
}

// untilIndexed waits until the workspace is indexed.
func (e *editor) untilIndexed() {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); { // ends a failing test alone
		var st struct{ Index struct{ Ready bool } }
		raw, err := e.call("test/status", nil)
		if err == nil {
			err = json.Unmarshal(raw, &st)
		}
		if err != nil {
			e.t.Fatal(err)
		}
		if st.Index.Ready {
			return
		}
		time.Sleep(time.Millisecond)
	}
	e.t.Fatal("the workspace was not indexed")
}

// A cassette is the scripted models of a test: a request gets the first answer
// for its purpose whose text "when" is in the request.
type cassette struct {
	mu       sync.Mutex // guards all below
	answers  map[model.Purpose][]reply
	requests []*model.Request
	hold     chan struct{} // when set, answers wait until it is closed
	none     bool          // no model is configured
	describe bool          // the user wants a model's paragraph on hover
	review   bool          // the user wants a review on save
	builtIn  bool          // the built-in engine answers beside the models
	judge    *judge.Judge  // of what the models write
	t        testing.TB    // logs each request, when set
}

type reply struct {
	when string // must be in the request; "" fits all
	text string
	err  *model.Error
}

// find returns the answer to a request.
func (c *cassette) find(req *model.Request) (reply, bool) {
	asked := ""
	if req.Fill != nil {
		asked = req.Fill.Prefix.String()[strings.LastIndexByte(req.Fill.Prefix.String(), '\n')+1:]
	} else {
		for _, m := range req.Input {
			asked += m.Text.String()
		}
	}
	for _, r := range c.answers[req.Purpose] {
		if strings.Contains(asked, r.when) {
			return r, true
		}
	}
	return reply{}, false
}

var promptPart = regexp.MustCompile(`(?m)^<\w[^<>|\n]*>$|^Request:(?:.|\n)*`)

// asked outlines the last request for a purpose: its messages in their order, of each the tags
// of its parts and what is requested, or all of a message that has neither.
func (c *cassette) asked(purpose model.Purpose) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := ""
	for _, req := range c.requests {
		if req.Purpose != purpose {
			continue
		}
		out = ""
		for _, m := range req.Input {
			text := strings.ReplaceAll(m.Text.String(), "\r\n", "\n")
			if parts := promptPart.FindAllString(text, -1); parts != nil {
				text = strings.Join(parts, "\n")
			}
			out += m.Role + ":\n" + indentLines(strings.TrimSpace(text)) + "\n"
		}
	}
	return out
}

func indentLines(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func (c *cassette) Stream(ctx context.Context, lane model.Lane, req *model.Request) model.Stream {
	return func(yield func(model.Delta, error) bool) {
		c.mu.Lock()
		c.requests = append(c.requests, req)
		if c.t != nil {
			c.t.Logf("the %s model was asked to %s", lane, req.Purpose)
		}
		r, found := c.find(req)
		hold := c.hold
		c.mu.Unlock()
		if hold != nil {
			select {
			case <-hold:
			case <-ctx.Done():
			}
		}
		switch {
		case ctx.Err() != nil:
			yield(model.Delta{}, &model.Error{Code: model.CodeCancelled, Message: "Cancelled.", Err: ctx.Err()})
		case !found:
			yield(model.Delta{}, &model.Error{Code: model.CodeUnreachable, Message: "The cassette has no answer for " + string(req.Purpose) + "."})
		case r.err != nil:
			yield(model.Delta{}, r.err)
		default:
			for piece := range strings.SplitAfterSeq(r.text, " ") {
				if !yield(model.Delta{Text: piece}, nil) {
					return
				}
			}
			yield(model.Delta{Final: &model.Final{End: model.Ended(model.WhyWhole, "stop")}}, nil)
		}
	}
}

func (c *cassette) Config(lane model.Lane) (model.ModelConfig, bool) {
	return model.ModelConfig{Name: "scripted-" + string(lane), Model: "scripted-" + string(lane), ContextWindow: 128_000, MaxOutputTokens: 4096, EditFormat: "search_replace"}, !c.none
}
func (c *cassette) BackoffFor(model.Purpose) float64                  { return 1 }
func (c *cassette) ConfigFor(model.Purpose) (model.ModelConfig, bool) { return c.Config(model.Fast) }
func (c *cassette) Usage(string) (edits.Provenance, bool)             { return edits.Provenance{}, false }
func (c *cassette) Warm(context.Context, model.Lane)                  {}
func (c *cassette) Status() model.Status {
	return model.Status{Lanes: []model.LaneStatus{{Lane: model.Fast, Provider: "cassette", Model: "scripted-fast", State: model.LaneReady}}}
}

// deps connects a server with a cassette over real folders.
func deps(t testing.TB, models core.Models) Deps { return depsWith(t, models, nil) }

func depsWith(t testing.TB, models core.Models, preferences func(string) core.Preferences) Deps {
	return Deps{
		Version: "test",
		Log:     slog.New(slog.NewTextHandler(t.Output(), nil)),
		Open: func(_ context.Context, setup Setup) (*workspace.Session, UseCases, error) {
			session, err := workspace.Open(setup.Group.Context(), workspace.Options{
				Folders: setup.Folders, Trusted: setup.Trusted, ClientWatches: true, Group: setup.Group, Notify: setup.OnWorkspace,
			})
			if err != nil {
				return nil, UseCases{}, err
			}
			t.Cleanup(func() { _ = session.Close() })
			d := assist.Deps{Deps: core.Deps{Models: models, Preferences: preferences, Group: setup.Group, Notify: setup.OnEngine}}
			if c, ok := models.(*cassette); ok && c.builtIn {
				d.Local = local.New(setup.Group)
			}
			if c, ok := models.(*cassette); ok {
				d.Judge = c.judge
			}
			return session, Of(assist.New(d)), nil
		},
	}
}

// fullClient is the capabilities of a client that supports everything.
func fullClient() object {
	return object{
		"workspace": object{"applyEdit": true, "workspaceEdit": object{"documentChanges": true, "resourceOperations": []string{"create", "rename", "delete"}}, "textDocumentContent": object{}, "codeLens": object{"refreshSupport": true}},
		"textDocument": object{
			"hover":      object{"contentFormat": []string{"markdown"}},
			"codeLens":   object{},
			"codeAction": object{"codeActionLiteralSupport": object{}, "isPreferredSupport": true, "dataSupport": true, "resolveSupport": object{"properties": []string{"edit", "command"}}},
		},
		"window": object{"workDoneProgress": true, "showDocument": object{"support": true}},
	}
}

// initialize does the handshake of a client with these capabilities.
func (e *editor) initialize(capabilities object, folders ...string) json.RawMessage {
	e.t.Helper()
	var list []object
	for _, f := range folders {
		list = append(list, object{"uri": workspace.URIOf(f), "name": "w"})
	}
	raw, err := e.call("initialize", object{"processId": nil, "rootUri": nil, "capabilities": capabilities, "workspaceFolders": list})
	if err != nil {
		e.t.Fatal(err)
	}
	e.notify("initialized", object{})
	return raw
}
