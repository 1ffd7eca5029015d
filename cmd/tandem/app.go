package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/api"
	"tandem/workspace/deps"
	"tandem/workspace/index"
	"tandem/workspace/names"
	"tandem/workspace/run"
	"tandem/workspace/state"
	"tandem/workspace/syntax"
)

// indexWait is how long a command waits for a cold index before it goes on
// with what there is.
const indexWait = 30 * time.Second

// An app is the rooms joined for one run of the program: what a command and
// the editor's server both stand on.
type app struct {
	config  func() *config.Config
	store   *state.Store // nil where the user has no state folder
	tasks   *state.Tasks // nil without store
	group   *run.Group
	lanes   *model.Lanes
	session *workspace.Session
	engine  *assist.Engine
	changed chan struct{} // has room for one: a snapshot was published

	dependencies *deps.Resolver
	names        *names.Checker
}

// A host is who an app talks to: a terminal or an editor.
type host struct {
	folders       []string
	trusted       bool
	clientWatches bool
	onWorkspace   func(workspace.Event)
	onEngine      func(assist.Event)
	onNotice      func(string)
	mistake       func() string // what is wrong with the configuration; nil: nothing
	wrap          wrapClient    // nil leaves models' clients as they are
	forgetful     bool          // nothing is kept in the state folder
	patient       bool          // answers may wait until the built-in engine has learned the workspace
}

// newApp opens the workspace and joins everything to it. group's end ends it;
// Close releases what outlives goroutines.
func newApp(group *run.Group, live func() *config.Config, h host) (*app, error) {
	a := &app{config: live, group: group, changed: make(chan struct{}, 1)}
	a.remember(h)
	a.know()
	a.lanes = newLanes(live, a.store, group, func(n model.Notice) { h.onNotice(n.Text) }, h.wrap)
	options := workspace.Options{
		Folders: h.folders, Trusted: h.trusted, ClientWatches: h.clientWatches, Group: group,
		Notify: func(e workspace.Event) { a.hear(e); h.onWorkspace(e) },
	}
	if a.store != nil {
		options.StateDir = a.store.Dir
	}
	var err error
	if a.session, err = workspace.Open(group.Context(), options); err != nil {
		return nil, errors.Join(err, a.lanes.Close())
	}
	a.engine = assist.New(a.deps(h))
	return a, nil
}

// remember opens the user's state folder, unless the host wants nothing kept.
func (a *app) remember(h host) {
	if h.forgetful {
		return
	}
	store, err := openStore()
	if err != nil {
		h.onNotice(fmt.Sprintf("Nothing is kept between sessions: %v.", err))
		return
	}
	a.store, a.tasks = store, store.Tasks()
}

// deps gives the engine what it stands on.
func (a *app) deps(h host) assist.Deps {
	learn := a.group
	if h.patient {
		learn = nil
	}
	d := assist.Deps{Models: a.lanes, Local: local.New(learn), Group: a.group, Notify: h.onEngine, Editor: a.editor, Budget: a.budget, Mistake: h.mistake}
	if a.tasks != nil {
		d.Tasks = a.tasks
	}
	if search := newSearch(a.config().Search, a.group, h.onNotice); search != nil {
		d.Search = search
	}
	d.Dependencies = api.New(locateDependency(a.dependencies), a.group)
	d.Syntax = syntax.Parsers{}
	d.Names = func(s *workspace.Snapshot) edits.Names { return a.names.For(names.Of(s)) }
	return d
}

// know makes what suggestions are checked against.
func (a *app) know() {
	o := deps.Options{Group: a.group}
	if a.store != nil {
		o.StateDir = a.store.Dir
	}
	a.dependencies = deps.New(o)
	a.names = names.New(names.Options{Deps: a.dependencies, Group: a.group})
}

// editor is how suggestions behave in a language.
func (a *app) editor(language string) assist.Editor {
	e := a.config().Editor(language)
	return assist.Editor{Enabled: e.Enabled, Automatic: e.Automatic, NextEdits: e.NextEdits, HoverModel: e.HoverModel, Review: e.Review, Disabled: e.Disabled}
}

func (a *app) budget(p model.Purpose) int { return a.config().Budgets[p] }

// hear notes that there is a new snapshot, for whoever waits for the index.
func (a *app) hear(e workspace.Event) {
	if e.Snapshot == 0 {
		return
	}
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// Close releases what the app holds, after its group has ended.
func (a *app) Close() error {
	err := errors.Join(a.session.Close(), a.lanes.Close())
	if a.tasks != nil {
		err = errors.Join(err, a.tasks.Close())
	}
	return err
}

// indexed waits until the folders' indexes are ready.
func (a *app) indexed(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, indexWait)
	defer cancel()
	for {
		ready := true
		for _, v := range a.session.Snapshot().Views() {
			ready = ready && v.Ready()
		}
		if ready {
			return nil
		}
		select {
		case <-a.changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// withApp runs a command that is about a place: it opens the workspace around
// the working directory, waits for its index and closes everything after.
func withApp(c *cobra.Command, g *globals, at string, do func(*app, place) error) error {
	p, err := parsePlace(at)
	if err != nil {
		return err
	}
	settings, err := g.settings()
	if err != nil {
		return err
	}
	root, err := g.root()
	if err != nil {
		return err
	}
	notices := &notices{out: c.ErrOrStderr()}
	say := notices.say
	group := run.NewGroup(c.Context(), func(p *run.Panic) { say(p.Error() + "; please report it.") })
	a, err := newApp(group, func() *config.Config { return settings }, host{
		folders: []string{root}, trusted: true, patient: true, onNotice: say,
		clientWatches: true, // a command ends before files change under it
		onWorkspace: func(e workspace.Event) {
			if e.Problem != "" {
				say(e.Problem)
			}
		},
		onEngine: func(e assist.Event) {
			if e.Notice != "" {
				say(e.Notice)
			}
		},
	})
	if err != nil {
		group.Close()
		return err
	}
	err = a.indexed(c.Context())
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		err = do(a, p)
	}
	group.Close()
	if closing := a.Close(); closing != nil {
		say(closing.Error())
	}
	return notices.once(err)
}

// notices are the sentences that a command says while it is at work.
type notices struct {
	out  io.Writer
	mu   sync.Mutex // guards what follows: anything that runs may say something
	said []string
}

func (n *notices) say(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, s)
	fmt.Fprintln(n.out, "tandem: "+clean(s))
}

// once takes the words from an error that has been said already as a notice;
// its exit code stays.
func (n *notices) once(err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	var coded *exitError
	if errors.As(err, &coded) && slices.Contains(n.said, err.Error()) {
		return exit(coded.code, errors.New(""))
	}
	return err
}

// root is the workspace: --workspace, else the repository around the working
// directory, else the working directory.
func (g *globals) root() (string, error) {
	if g.workspace != "" {
		root, err := filepath.Abs(g.workspace)
		if err != nil {
			return "", exit(exitUsage, err)
		}
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return "", exit(exitUsage, fmt.Errorf("%s is no folder; name one with --workspace", g.workspace))
		}
		return root, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory cannot be found: %w", err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return dir, nil
		}
	}
}

// languageOf is an editor's language id for a file.
func languageOf(path string) string { return index.Language(filepath.Base(path)) }
