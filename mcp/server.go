// Package mcp serves agents: three tools of the engine over the Model Context Protocol, on
// two streams.
//
// Invariant: a result is text that passed the gate and the redactor and that clients show
// whole; nothing is written unless the user's own configuration allows it. Deliberately
// absent: HTTP, resources, prompts, sampling, and what a tool finds or asks a model for,
// which the use cases do.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tandem/edits"
	"tandem/model/assist"
	"tandem/workspace"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/run"
	"tandem/workspace/tokens"
	"tandem/workspace/window"
)

// Deps are what a server works with.
type Deps struct {
	Version string
	Group   *run.Group
	Folder  string                                // that the user named: the client's roots are not asked for
	Start   func(context.Context) (string, error) // the folder that is served without roots, or why there is none
	Usable  func(folder string) error             // why a folder is served to nobody
	Open    func(ctx context.Context, root string) (*Workspace, error)
	Allow   func() error        // the administrator's policy, asked at each call
	Writes  func() bool         // whether the user allows edit to write
	Asker   func(client string) // is told who asks, before each call
}

// A Workspace is what serves one folder.
type Workspace struct {
	Session *workspace.Session
	Engine  *assist.Engine
	Search  window.Search                                  // may be nil
	Indexed func(context.Context) error                    // waits for the index
	Check   func(context.Context, Checked) (string, error) // what `tandem check` says, for a model to read
	Unsaved func(context.Context) []Unsaved                // what the user's editor shows and has not saved
	Close   func()
}

// An Unsaved document is open in the user's editor, with another text than the file's.
type Unsaved struct {
	Path    string `json:"path"` // absolute
	Version int32  `json:"version"`
	Text    string `json:"text"`
}

// instructions tell a model when a tool is worth a call. Some clients show it the first 512
// bytes alone.
const instructions = "`context` finds code: give it a question, search words or FILE and LINE instead of grepping and reading around, " +
	"and it returns the whole functions that answer, with path and lines, in 2,000 tokens or the budget you name. " +
	"`check` verifies changes without running anything: call it after editing, and it names syntax errors and every name, member, argument or import " +
	"that does not exist in this workspace, the standard library or the installed versions of the dependencies. " +
	"`edit` is for typing, not thinking: say a change in a sentence, name the files, and a fast model writes a checked patch for a fraction of your price. " +
	"All three see files as they are now, leave out ignored files and hide secrets."

// Serve serves one client until its stream ends or ctx does.
func Serve(ctx context.Context, d Deps, in io.ReadCloser, out io.WriteCloser) error {
	input, end := context.WithCancel(ctx)
	defer end()
	s := &server{Deps: d}
	s.folders = &folders{server: s, input: input, open: map[string]*folder{}}
	defer s.folders.close()
	o := &sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}}
	s.folders.follow(o)
	server := sdk.NewServer(&sdk.Implementation{Name: "tandem", Title: "tandem", Version: d.Version}, o)
	add(s, server, "context", "Search the codebase: whole functions for a question or a place, with path and lines. "+
		"Use it to find where and how something is done, or with file and line for a function with what it calls, its callers and its tests.",
		effects{}, (*folder).context)
	add(s, server, "check", "Check code without running it: syntax, and every name against the workspace, the standard library and the installed dependencies. "+
		"Without arguments it checks what changed since the last commit; or name files, or give a patch or texts that are not written yet.",
		effects{}, (*folder).check)
	add(s, server, "edit", "Let a fast model change files as one sentence says, and get a unified diff that was checked, with its verdict and price. "+
		"With write it is also applied, if it passed and the user's configuration allows it.",
		effects{writes: d.Writes(), sends: true}, (*folder).edit)
	answers := &answerWriter{WriteCloser: out, way: &underWay{}}
	err := server.Run(ctx, &sdk.IOTransport{Reader: newMessages(in, answers, end), Writer: answers, MaxLineLength: -1})
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// A server is one client's.
type server struct {
	Deps
	folders *folders
}

// see takes over what the user's editor has not saved.
func (s *folder) see(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen {
		return
	}
	snap, now := s.Session.Snapshot(), map[string]string{}
	var changes []workspace.Change
	for _, d := range s.Unsaved(c) {
		uri := workspace.URIOf(d.Path)
		if snap.View(d.Path) == nil {
			continue
		}
		now[uri] = d.Text
		switch before, open := s.unsaved[uri]; {
		case !open:
			changes = append(changes, workspace.Opened{URI: uri, Version: d.Version, Language: language.OfFile(path.Base(uri)), Text: edits.NewText(d.Text)})
		case before != d.Text:
			changes = append(changes, workspace.Edited{URI: uri, Version: d.Version, Text: edits.NewText(d.Text)})
		}
	}
	for uri := range s.unsaved {
		if _, open := now[uri]; !open {
			changes = append(changes, workspace.Closed{URI: uri})
		}
	}
	s.unsaved = now
	if len(changes) > 0 {
		s.Session.Update(changes...)
	}
}

// freeze leaves what the editor has not saved as it is, while an edit runs.
func (s *folder) freeze(frozen bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = frozen
}

// The effects of a tool, for clients that ask their user before some calls.
type effects struct{ writes, sends bool }

func (e effects) annotations() *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{ReadOnlyHint: !e.writes, DestructiveHint: &e.writes, IdempotentHint: !e.sends, OpenWorldHint: &e.sends}
}

// add offers a tool. A tool that fails answers with a sentence.
func add[In divisible[In]](s *server, to *sdk.Server, name, description string, e effects, do func(*folder, *call, In) (string, error)) {
	schema := schemaOf[In]()
	handler := func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		roots, ask, err := s.folders.of(ctx, req)
		if ask {
			return asksForRoots(), nil
		}
		var text string
		if err == nil {
			text, err = s.answer(name, ctx, req, func(c *call) (string, error) {
				in, err := arguments[In](name, schema, req.Params.Arguments)
				if err != nil {
					return "", err
				}
				all, done, err := s.folders.use(c, roots)
				if err != nil {
					return "", err
				}
				defer done()
				parts, err := in.divide(all)
				if err != nil {
					return "", err
				}
				return answerOf(c, parts, do)
			})
		}
		result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: presentable(text)}}}
		if err != nil {
			result = &sdk.CallToolResult{}
			result.SetError(errors.New(presentable(edits.OneLine(err.Error()))))
		}
		return result, nil
	}
	to.AddTool(&sdk.Tool{Name: name, Description: description, Annotations: e.annotations(), InputSchema: schema}, handler)
}

// divisible are arguments whose call is divided among the folders that are served.
type divisible[In any] interface {
	divide(all []*folder) ([]part[In], error)
}

// answer is the text of a call, or why there is none.
func (s *server) answer(name string, ctx context.Context, req *sdk.CallToolRequest, do func(*call) (string, error)) (text string, err error) {
	if err := s.Allow(); err != nil {
		return "", err
	}
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		s.Asker(p.ClientInfo.Name)
	}
	if p := run.Call("mcp "+name, func() { text, err = do(&call{Context: ctx, request: req}) }); p != nil {
		return "", p
	}
	return text, err
}

// schemaOf is the schema of arguments. The SDK lets lists be null as well, and several clients
// read no list of types.
func schemaOf[In any]() *jsonschema.Schema {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // the type has no schema
	}
	schema.AdditionalProperties = nil // clients add arguments of their own
	for _, p := range schema.Properties {
		if len(p.Types) == 2 {
			p.Type, p.Types = p.Types[1], nil
		}
	}
	return schema
}

// maxTokens is what a result has at most: clients cut or hide what is longer than 10,000.
const maxTokens = 7_500

// presentable is a text without secrets, without what clients would cut, and without what would
// control the terminal of a client.
func presentable(text string) string {
	text = edits.Visible(new(redact.Redactor).Redact(tokens.Valid(text)).String())
	if len(text) <= maxTokens || tokens.Count(text) <= maxTokens { // a token has a byte or more
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	shown, left := 0, maxTokens-50 // for the sentence
	for shown < len(lines) {
		if left -= tokens.Count(lines[shown]) + 1; left < 0 {
			break
		}
		shown++
	}
	if shown == 0 { // a byte is a token at most
		return tokens.Valid(text[:maxTokens-50]) + fmt.Sprintf("\n[the first %d of %d bytes are shown]\n", maxTokens-50, len(text))
	}
	return strings.Join(lines[:shown], "") + fmt.Sprintf("[%d of %d lines are shown: ask for less at once]\n", shown, len(lines))
}

// A call is one call of a tool.
type call struct {
	context.Context
	request *sdk.CallToolRequest

	mu    sync.Mutex // guards what is below: pieces of an answer come from other goroutines
	steps float64
	last  time.Time
}

// progressInterval is how often a client is told about progress at most.
const progressInterval = 500 * time.Millisecond

// progress tells a client that asked for it what is being done.
func (c *call) progress(doing string) {
	token := c.request.Params.GetProgressToken()
	c.mu.Lock()
	defer c.mu.Unlock()
	if token == nil || time.Since(c.last) < progressInterval {
		return
	}
	c.last = time.Now()
	c.steps++
	// A client that cannot be told ends the call by itself.
	_ = c.request.Session.NotifyProgress(c, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: c.steps, Message: doing})
}

// patience is how long a call waits until the workspace is read: clients end one after a minute.
const patience = 30 * time.Second

// ready waits for the index, and returns the files as they are now: what the agent names it
// may just have written.
func (s *folder) ready(c *call, files ...string) (*workspace.Snapshot, error) {
	c.progress("reading the workspace")
	waiting, stop := context.WithTimeout(c, patience)
	defer stop()
	err := s.Indexed(waiting)
	snap := s.Session.Snapshot()
	if err != nil {
		return nil, fmt.Errorf("the workspace is still being read: %s; ask again in a moment", snap.Unread())
	}
	var paths []string
	for _, file := range files {
		if path, ok := workspace.PathOf(snap.Resolve(file)); ok && file != "" { // "" would be the whole folder
			paths = append(paths, path)
		}
	}
	s.Session.Reread(c, paths...)
	s.see(c)
	return s.Session.Snapshot(), c.Err()
}

// refusal is why a file may not be shown to the agent's model, or nil.
func refusal(snap *workspace.Snapshot, file string) error {
	key := snap.Resolve(file)
	if snap.View(key) == nil {
		return &edits.Error{Code: edits.CodeOutside, Message: file + " lies outside the workspace, which is all that tandem shows to models"}
	}
	if ok, why := snap.Allowed(key); !ok {
		return fmt.Errorf("tandem shows %s to no model: %s", file, why)
	}
	return nil
}
