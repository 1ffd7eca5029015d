package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/lsp/checker"
	"tandem/model"
	"tandem/model/assist"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/model/task"
	"tandem/workspace"
	"tandem/workspace/deps"
	"tandem/workspace/judge"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/state"
)

// unattendedWait is how long a command without a terminal waits until the workspace is read.
const unattendedWait = 10 * time.Minute

// An app connects the layers for one run of the program. A command and the
// editor's server both use it.
type app struct {
	config  func() *config.Config
	store   *state.Store // nil where the user has no state folder
	tasks   *state.Tasks // nil without store
	group   *run.Group
	lanes   *model.Lanes
	session *workspace.Session
	engine  *assist.Engine
	made    assist.Deps // that the engine is made of

	dependencies *deps.Resolver
	judge        *judge.Judge
	checkers     *checker.Checkers
	checkerHost  *checkerHost
}

// A host is the user of an app: a terminal or an editor.
type host struct {
	folders         []string
	trusted         bool
	clientWatches   bool
	onWorkspace     func(workspace.Event)
	onEngine        func(core.Event)
	onNotice        func(string)
	onModel         func(model.Notice) // nil: onNotice
	mistake         func() string      // the error in the configuration, "" if it has none; nil: it has none
	unattended      bool               // nobody can be asked while a task runs
	life            string             // see assist.Deps
	asker           func() string      // who asks, for the ledger; nil leaves it out
	waitForTraining bool               // answers wait until the built-in engine is trained on the workspace
}

// withoutEditor is the host of a command or an agent, where nobody can be asked.
func withoutEditor(root string, report func(string)) host {
	return host{
		folders: []string{root}, trusted: true, unattended: true, waitForTraining: true, onNotice: report,
		onWorkspace: func(e workspace.Event) {
			if e.Problem != "" {
				report(e.Problem)
			}
		},
		onEngine: func(e core.Event) {
			if sentence, ok := e.(core.Notice); ok {
				report(string(sentence))
			}
		},
	}
}

// newApp opens the workspace and connects everything to it. The app ends when
// group ends; Close releases what is not a goroutine.
func newApp(group *run.Group, live func() *config.Config, h host) (*app, error) {
	a := &app{config: live, group: group}
	unkept := a.openState(h)
	a.initJudge()
	if h.onModel == nil {
		h.onModel = func(n model.Notice) { h.onNotice(n.Text) }
	}
	a.lanes = newLanes(live, a.store, unkept, group, h.onModel, h.asker)
	options := workspace.Options{
		Folders: h.folders, Deny: live().Policy.DenyGlobs, Trusted: h.trusted, ClientWatches: h.clientWatches, Group: group,
		Notify: h.onWorkspace,
	}
	if a.store != nil {
		options.StateDir = a.store.Dir
	}
	var err error
	if a.session, err = workspace.Open(group.Context(), options); err != nil {
		return nil, errors.Join(err, a.lanes.Close())
	}
	a.made = a.deps(h)
	a.engine = assist.New(a.made)
	group.Go("count use for the administrator", a.exportUse)
	return a, nil
}

// openState opens the user's state folder. Its error was reported to the user.
func (a *app) openState(h host) error {
	store, err := openStore()
	if err != nil {
		h.onNotice(fmt.Sprintf("Check the disk and the rights of the state folder: nothing is kept between sessions (%v).", err))
		return err
	}
	a.store, a.tasks = store, store.Tasks()
	a.group.Go("remove what killed processes left", func(ctx context.Context) {
		_ = store.Clean(ctx) // what cannot be removed only takes disk space
	})
	return nil
}

// deps returns the dependencies of the engine.
func (a *app) deps(h host) assist.Deps {
	training := a.group
	if h.waitForTraining {
		training = nil
	}
	builtIn := local.New(training)
	if a.store != nil {
		builtIn.KeepIn(func(root string) string { return workspace.LearnedDir(a.store.Dir, root) })
	}
	d := assist.Deps{Life: h.life, Deps: core.Deps{Models: a.lanes, Local: builtIn, Group: a.group, Notify: h.onEngine, Preferences: a.preferences, Budget: a.budget, Mistake: h.mistake, Allow: allowFeature(a.config)}}
	d.Tasks.Indexed = a.whenIndexed
	d.Tasks.Settings = func() task.Settings { return taskSettings(a.config(), h.unattended) }
	if a.tasks != nil {
		d.Tasks.Store = a.tasks
	}
	if a.store != nil {
		counts := a.store.Filtered()
		d.Filtered = func(reason string) {
			a.group.Go("counting a filtered next edit", func(context.Context) { _ = counts.Change(func(all map[string]int) { all[reason]++ }) }) // a lost count costs nothing
		}
	}
	if search := newSearch(a.config, a.group, h.onNotice); search != nil {
		d.Search = search
	}
	d.Judge, d.CountUse = a.judge, func() bool { p := a.config().Policy; return p.CountUse && p.LedgerFile != "" }
	return d
}

// initJudge creates the resolver and the judge of changes.
func (a *app) initJudge() {
	o := deps.Options{Group: a.group, Gate: a.gate}
	if a.store != nil {
		o.StateDir = a.store.Dir
	}
	a.dependencies = deps.New(o)
	a.judge = judge.New(a.dependencies, a.group)
	a.checkerHost = &checkerHost{config: a.config, folders: a.folders, deps: a.dependencies, store: a.store}
	a.checkers = checker.New(checker.Options{Host: a.checkerHost, Group: a.group})
	a.judge.Others = a.checkers.All()
}

// root is the folder of a command or an agent, which have one.
func (a *app) root() string { return a.session.Snapshot().Views()[0].Root }

// folders are those of the workspace, with the repositories around them.
func (a *app) folders() (out []string) {
	for _, v := range a.session.Snapshot().Views() {
		out = append(out, v.Root)
		if around, err := repositoryAround(v.Root); err == nil {
			out = append(out, around)
		}
	}
	return out
}

// gate is what the workspace shows of its folders now.
func (a *app) gate() deps.Gate { return a.session.Snapshot().Installed() }

// preferences returns the suggestion settings for a language.
func (a *app) preferences(language string) core.Preferences {
	c := a.config()
	e := c.Editor(language)
	if n := paid(c); n > 0 && e.TokensPerKey > 0 { // prompts that are smaller for what they cost do not become more
		e.TokensPerKey = max(e.TokensPerKey*n/c.Budgets["complete"], 1)
	}
	return core.Preferences{Enabled: e.Enabled, Automatic: e.Automatic, Subtle: e.Subtle, Lines: e.Lines, NextEdits: e.NextEdits, HoverModel: e.HoverModel, HoverDocumentation: e.HoverDocumentation, Review: e.Review, Disabled: e.Disabled,
		Debounce: e.Debounce, Timeout: e.InlineTimeout, FirstText: e.FirstText, TokensPerKey: e.TokensPerKey, KeepGuesses: !e.ReplaceGuesses}
}

// budget is how many tokens of context a window for a purpose gets.
func (a *app) budget(name string) int {
	c := a.config()
	if name == string(model.Complete) {
		return cmp.Or(paid(c), c.Budgets[name])
	}
	return c.Budgets[name]
}

// Close releases what the app holds, after its group has ended.
func (a *app) Close() error {
	err := errors.Join(a.session.Close(), a.lanes.Close(), writeUse(a.config().Policy, a.engine.Used(true)))
	if a.tasks != nil {
		err = errors.Join(err, a.tasks.Close())
	}
	return err
}

// indexed waits until the folders' indexes are ready. Several may wait.
func (a *app) indexed(ctx context.Context) error { return a.awaitIndex(ctx, func() {}) }

// awaitIndex is indexed, and calls waiting meanwhile.
func (a *app) awaitIndex(ctx context.Context, waiting func()) error {
	const interval = 10 * time.Millisecond
	for slices.ContainsFunc(a.session.Snapshot().Views(), func(v *workspace.View) bool { return !v.Ready() }) {
		select {
		case <-time.After(interval):
			waiting()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// read waits until the folders are read. If the user stops that, or after g.wait, the index is of
// what was read by then; that is kept, so that the next command goes on.
func (a *app) read(ctx context.Context, g *globals, progress io.Writer) error {
	waiting, end := readingOn(progress, a.session.Snapshot)
	defer end()
	enough, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	if limited := g.wait >= 0 || !isTerminal(progress); limited {
		wait := g.wait
		if wait < 0 {
			wait = unattendedWait
		}
		var cancel context.CancelFunc
		enough, cancel = context.WithTimeout(enough, wait)
		defer cancel()
	}
	if a.awaitIndex(enough, waiting) == nil {
		return nil
	}
	return cmp.Or(ctx.Err(), a.session.Enough(ctx))
}

// partial is the error of a command that answered before the workspace was read.
func (a *app) partial() error {
	if left := a.session.Snapshot().Unread(); !left.None() {
		return exit(exitUnchecked, fmt.Errorf("this is of a part of the workspace: %s; what was read is kept, so run it again and it goes on from there", left))
	}
	return nil
}

// whenIndexed returns the files once the folders are indexed.
func (a *app) whenIndexed(ctx context.Context) *workspace.Snapshot {
	_ = a.indexed(ctx) // the files are there all the same
	return a.session.Snapshot()
}

// prepare learns how much the servers on this machine take, before a first request to them
// is written.
func prepare(ctx context.Context, a *app) {
	c := a.config()
	if slices.ContainsFunc([]string{c.Fast, c.Deep}, func(name string) bool {
		return c.Providers[c.Models[name].Provider].Plain()
	}) {
		a.lanes.Warm(ctx, model.Fast)
	}
}

// withApp runs a command that takes a place: it opens the workspace around
// the working directory, waits for its index and closes everything afterwards.
func withApp(c *cobra.Command, g *globals, at string, do func(*app, place) error) error {
	p, err := parsePlace(at)
	if err != nil {
		return err
	}
	settings, mistake, err := g.usable()
	if err != nil {
		return err
	}
	root, err := g.root()
	if err != nil {
		return err
	}
	c.SetErr(&shared{w: c.ErrOrStderr()})
	notices := &notices{out: c.ErrOrStderr()}
	report := notices.report
	if mistake != "" {
		report(settings.Policy.Fault)
	}
	group := run.NewGroup(c.Context(), func(p *run.Panic) { report(p.Error() + "; please report it.") })
	h := withoutEditor(root, report)
	h.mistake, h.asker = func() string { return mistake }, c.CommandPath
	h.clientWatches = true // a command ends before its files change
	a, err := newApp(group, func() *config.Config { return settings }, h)
	if err != nil {
		group.Close()
		return err
	}
	if err = a.read(c.Context(), g, c.ErrOrStderr()); err == nil {
		err = cmp.Or(do(a, p), a.partial())
	}
	group.Close()
	if closing := a.Close(); closing != nil {
		report(closing.Error())
	}
	return notices.once(err)
}

// shared is a writer for many goroutines: a command prints its progress while background
// work reports. Each call to Write is one line or more.
type shared struct {
	mu sync.Mutex // guards w
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// notices prints messages while a command runs and remembers them.
type notices struct {
	out     io.Writer
	mu      sync.Mutex // guards printed: any goroutine may report
	printed []string
}

func (n *notices) report(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.printed = append(n.printed, s)
	tell(n.out, s)
}

// once removes the text from an error that was already printed as a notice and
// keeps its exit code.
func (n *notices) once(err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	var coded *exitError
	if errors.As(err, &coded) && slices.Contains(n.printed, err.Error()) {
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
	return repositoryAround(dir)
}

// languageOf is an editor's language id for a file.
func languageOf(path string) string { return language.OfFile(filepath.Base(path)) }
