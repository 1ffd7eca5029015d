package mcp

//lint:file-ignore SA1019 The protocol of 2026-07-28 deprecates roots; its clients have them for a year more, those before it for good.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/rel"
)

const (
	rootsWait = 5 * time.Second // for a client that does not say which roots it has
	maxRoots  = 8
)

// stateless is the first version of the protocol in which a server sends no requests: it answers
// a call with the question, and the client calls again with the roots.
const stateless = "2026-07-28"

// rootsQuestion names the question in such an answer.
const rootsQuestion = "roots"

// A question is what a client was asked: its roots, once done is closed. A client without roots,
// and one that does not answer, names none.
type question struct {
	done  chan struct{}
	roots []string
}

// folders holds what is served: the client's roots, else the folder that the program was started
// for. Calls that have begun end in the folder in which they began.
type folders struct {
	server *server
	input  context.Context // ends with the client's messages: no answer arrives after them

	mu    sync.Mutex // guards what is below
	asked *question  // the latest; nil before the first
	open  map[string]*folder
}

// follow asks a client for its roots when it is ready, and when they change.
func (f *folders) follow(o *sdk.ServerOptions) {
	o.InitializedHandler = func(_ context.Context, r *sdk.InitializedRequest) { f.begin(r.Session) }
	o.RootsListChangedHandler = func(_ context.Context, r *sdk.RootsListChangedRequest) { f.ask(r.Session) }
}

// asksForRoots is the answer of a call that has to come again with the roots.
func asksForRoots() *sdk.CallToolResult {
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsQuestion: &sdk.ListRootsParams{}}, RequestState: rootsQuestion}
}

// ask asks a client for its roots, in the background.
func (f *folders) ask(session *sdk.ServerSession) *question {
	q := &question{done: make(chan struct{})}
	f.mu.Lock()
	f.asked = q
	f.mu.Unlock()
	asks := f.server.Folder == "" && hasRoots(session)
	if !asks || !f.server.Group.Go("ask the client for its roots", func(context.Context) {
		defer close(q.done)
		ctx, cancel := context.WithTimeout(f.input, rootsWait)
		defer cancel()
		if list, err := session.ListRoots(ctx, nil); err == nil { // else it names none
			q.roots = rootsOf(list)
		}
		f.prepare(ctx, q.roots)
	}) {
		close(q.done)
	}
	return q
}

// begin asks a client for its roots, unless that is done, and opens what is served, so that the
// first call does not wait for all of it.
func (f *folders) begin(session *sdk.ServerSession) {
	if q := f.ask(session); !hasRoots(session) {
		f.prepare(f.input, q.roots)
	}
}

func (f *folders) prepare(ctx context.Context, roots []string) {
	if _, done, err := f.use(ctx, roots); err == nil { // else the calls say why
		done()
	}
}

// hasRoots reports whether a client announced that it can be asked for its roots.
func hasRoots(session *sdk.ServerSession) bool {
	p := session.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.RootsV2 != nil
}

func rootsOf(list *sdk.ListRootsResult) (uris []string) {
	for _, r := range list.Roots {
		if r != nil && !slices.Contains(uris, r.URI) {
			uris = append(uris, r.URI)
		}
	}
	return uris
}

// of returns the roots of the client that makes a call; ask is true if the call is to be answered
// with the question.
func (f *folders) of(ctx context.Context, req *sdk.CallToolRequest) (roots []string, ask bool, err error) {
	if p := req.Session.InitializeParams(); p != nil && p.ProtocolVersion >= stateless {
		list, _ := req.Params.InputResponses[rootsQuestion].(*sdk.ListRootsResult)
		if list != nil {
			return rootsOf(list), false, nil
		}
		return nil, f.server.Folder == "" && hasRoots(req.Session) && req.Params.RequestState == "", nil
	}
	f.mu.Lock()
	q := f.asked
	f.mu.Unlock()
	if q == nil { // it calls before it says that it is initialized
		q = f.ask(req.Session)
	}
	select {
	case <-q.done:
		return q.roots, false, nil
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// use returns the folders that are served, until done is called. It opens those that are not open
// and closes those that are served no more.
func (f *folders) use(ctx context.Context, roots []string) (served []*folder, done func(), err error) {
	var paths []string
	var refused []error
	for _, uri := range roots {
		path, err := rootOf(f.server.Usable, uri)
		if err != nil {
			refused = append(refused, err)
		} else if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	paths = outermost(paths)
	if len(paths) > maxRoots {
		paths = paths[:maxRoots]
	}
	if len(roots) == 0 {
		path, err := f.server.Start(ctx)
		if err != nil {
			return nil, nil, err
		}
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		return nil, nil, joined(refused)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, path := range paths {
		if f.open[path] == nil {
			w, err := f.server.Open(ctx, path)
			if err != nil {
				return nil, nil, err
			}
			f.open[path] = &folder{server: f.server, Workspace: w, root: path, editing: make(chan struct{}, 1), unsaved: map[string]string{}}
		}
		served = append(served, f.open[path])
	}
	for path, w := range f.open {
		w.gone = !slices.Contains(paths, path)
	}
	for _, w := range served {
		w.calls++
	}
	f.sweep()
	return served, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, w := range served {
			w.calls--
		}
		f.sweep()
	}, nil
}

// sweep closes the folders that are served no more and in which no call runs. The caller holds mu.
func (f *folders) sweep() {
	maps.DeleteFunc(f.open, func(_ string, w *folder) bool {
		if !w.gone || w.calls > 0 {
			return false
		}
		if !f.server.Group.Go("close a folder", func(context.Context) { w.Close() }) {
			w.Close()
		}
		return true
	})
}

// close closes everything, after the last call.
func (f *folders) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.open {
		w.Close()
	}
	clear(f.open)
}

// rootOf is the path of a root that can be served.
func rootOf(usable func(string) error, uri string) (string, error) {
	path, ok := workspace.PathOf(uri)
	if !ok {
		return "", fmt.Errorf("the client's root %q is no folder of this machine", uri)
	}
	return path, usable(path)
}

// outermost leaves out the folders that lie in another one.
func outermost(paths []string) (out []string) {
	for _, path := range paths {
		if !slices.ContainsFunc(paths, func(other string) bool {
			_, below := rel.Below(other, path)
			return below && other != path
		}) {
			out = append(out, path)
		}
	}
	return out
}

// A folder is one that is served.
type folder struct {
	*server
	*Workspace
	root    string
	editing chan struct{} // one edit at a time: each opens its files

	mu      sync.Mutex        // guards what is below
	frozen  bool              // an edit runs: what it reads stays
	unsaved map[string]string // texts of the user's editor, by URI

	calls int  // that run here; folders.mu guards it and gone
	gone  bool // the client names it no more
}

// has reports whether a path of an agent leads to something in the folder.
func (w *folder) has(file string) bool {
	snap := w.Session.Snapshot()
	if path, ok := workspace.PathOf(file); ok {
		return snap.View(path) != nil
	}
	_, err := snap.File(file)
	return err == nil
}

// A part of a call is what one folder does of it.
type part[In any] struct {
	of *folder
	in In
}

// holding is the first folder that has a file, else the first of all.
func holding(all []*folder, file string) *folder {
	if i := slices.IndexFunc(all, func(w *folder) bool { return w.has(file) }); i >= 0 {
		return all[i]
	}
	return all[0]
}

// joined is one sentence of several.
func joined(errs []error) error {
	var said []string
	for _, err := range errs {
		said = append(said, err.Error())
	}
	return errors.New(strings.Join(said, "; "))
}

// answerOf is the answer of each part, with the folder's name if there are several.
func answerOf[In any](c *call, parts []part[In], do func(*folder, *call, In) (string, error)) (string, error) {
	if len(parts) == 1 {
		return do(parts[0].of, c, parts[0].in)
	}
	var out strings.Builder
	var failed []error
	for _, p := range parts {
		text, err := do(p.of, c, p.in)
		if err != nil {
			text = edits.OneLine(err.Error()) + "\n"
			failed = append(failed, fmt.Errorf("%s: %w", p.of.root, err))
		}
		fmt.Fprintf(&out, "in %s:\n%s", edits.OneLine(p.of.root), text)
	}
	if len(failed) == len(parts) {
		return "", joined(failed)
	}
	return out.String(), nil
}
