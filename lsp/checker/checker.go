package checker

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/judge"
	"tandem/workspace/names"
	"tandem/workspace/run"
	"tandem/workspace/syntax"
)

// How long a child may take, and lives.
const (
	warmWait  = 2 * time.Second        // for the answers of one that runs
	ColdWait  = 10 * time.Second       // for those of one that starts
	idleEnd   = 10 * time.Minute       // after which one that nobody asked ends
	watchEach = 250 * time.Millisecond // its memory, while it may work
	watchFor  = 30 * time.Second       // after it was asked
	hurry     = 200 * time.Millisecond // how much time whoever types has at most
)

// A Host starts programs.
type Host interface {
	// Find returns the program of a checker, or as an error why there is none, such as
	// "ty is not installed".
	Find(a *Adapter) (program string, err error)
	// Start starts a program in a folder.
	Start(program string, a *Adapter, root string) (Process, error)
	// Asked reports whether a checker is asked only for what the user asks, and not while typing.
	Asked(a *Adapter) bool
	// Patience is how long a judgement in a folder waits for a checker that does not run yet.
	Patience(a *Adapter, root string) time.Duration
	// Began is told how long a start took until the first answers.
	Began(a *Adapter, root string, took time.Duration)
	// Memory is how many bytes all children may have together.
	Memory() int64
	// Environment is where a project in a workspace folder has its packages installed, "" if that is
	// not known, and the state of it: when others are installed, it is another one.
	Environment(a *Adapter, root, folder string) (dir, state string)
}

// Options configure checkers.
type Options struct {
	Host  Host
	Group *run.Group
}

// Checkers are the children that run, one for each folder and environment.
type Checkers struct {
	o Options

	mu       sync.Mutex // guards all below
	children map[place]*child
	failed   map[place]failure
}

// A place is what one child serves.
type place struct {
	adapter                   *Adapter
	root, folder, environment string
	state                     string // of the environment: when packages are installed, it is another one
}

// A failure is why a child of a place ended.
type failure struct {
	err   error
	times int
	at    time.Time
}

// A child is a process and the connection to it.
type child struct {
	place
	ready  chan struct{} // closed when client or err is set
	client *client
	err    error
	turn   run.Turn
	asked  chan struct{} // gets a value when it is asked
	end    context.CancelCauseFunc
	memory func() int64

	last    time.Time // when it was asked, guarded by Checkers.mu
	started time.Time
	warm    bool // it has answered, guarded by Checkers.mu
}

// New returns checkers none of which runs yet.
func New(o Options) *Checkers {
	return &Checkers{o: o, children: map[place]*child{}, failed: map[place]failure{}}
}

// All are the checkers as the judge asks them, by language.
func (c *Checkers) All() map[string]judge.Checker {
	out := map[string]judge.Checker{}
	for _, a := range Adapters {
		for _, lang := range a.Languages {
			out[lang] = one{c, a}
		}
	}
	return out
}

// one is a checker as the judge asks it.
type one struct {
	c *Checkers
	a *Adapter
}

// Missing implements judge.Checker.
func (o one) Missing(snap *workspace.Snapshot) string {
	if !snap.Trusted() {
		return "the folder is not trusted"
	}
	if _, err := o.c.o.Host.Find(o.a); err != nil {
		return err.Error()
	}
	return ""
}

// Errors implements judge.Checker.
func (o one) Errors(ctx context.Context, snap *workspace.Snapshot, files []names.File) (found []edits.Finding, unknown []string) {
	end, ok := ctx.Deadline()
	typed := ok && time.Until(end) <= hurry
	if typed && o.c.o.Host.Asked(o.a) {
		return nil, nil
	}
	world, looked := map[string]names.File{}, map[place][]names.File{}
	for _, f := range files {
		abs, isFile := snap.FileOf(f.Path)
		if !isFile || !(&client{adapter: o.a}).speaks(abs) {
			continue
		}
		world[abs] = f
		if len(f.Look) > 0 && !f.Absent {
			at, ok := o.c.placeOf(snap, o.a, abs)
			if !ok {
				unknown = append(unknown, fmt.Sprintf("%s is not judged by %s: it lies outside the workspace", f.Path, o.a.Name))
				continue
			}
			looked[at] = append(looked[at], f)
		}
	}
	for _, f := range world {
		if !f.Absent && len(f.Look) == 0 && !sound(f.Path, f.Text) {
			return nil, []string{fmt.Sprintf("the change is not judged by %s: %s does not parse", o.a.Name, f.Path)}
		}
	}
	for at, list := range looked {
		some, err := o.c.ask(ctx, typed, snap, at, world, list)
		if err != nil {
			unknown = append(unknown, fmt.Sprintf("%s is not judged by %s: %v", list[0].Path, o.a.Name, err))
		}
		found = append(found, some...)
	}
	return found, unknown
}

func sound(path, text string) bool {
	found, _ := syntax.Parsers{}.Errors(path, text)
	return len(found) == 0
}

// placeOf is the child that serves a file: of the nearest folder that is a project of its own.
func (c *Checkers) placeOf(snap *workspace.Snapshot, a *Adapter, abs string) (place, bool) {
	v := snap.View(abs)
	if v == nil {
		return place{}, false
	}
	at := place{adapter: a, root: v.Root, folder: v.Root}
	for dir := filepath.Dir(abs); len(a.markers) > 0; dir = filepath.Dir(dir) {
		if _, below := v.Rel(dir); !below || dir == filepath.Dir(dir) {
			break
		}
		if slices.ContainsFunc(a.markers, func(name string) bool {
			return disk.IsFile(filepath.Join(dir, name)) || disk.IsDir(filepath.Join(dir, name))
		}) {
			at.root = dir
			break
		}
	}
	at.environment, at.state = c.o.Host.Environment(a, at.root, v.Root)
	return at, true
}

var (
	errStarting = errors.New("it is still starting")
	errLate     = errors.New("it did not answer in time")
	errEnded    = errors.New("it has ended")
	errIdle     = errors.New("nobody asked it")
)

// ask asks the child of a place, which is started if it does not run.
func (c *Checkers) ask(ctx context.Context, typed bool, snap *workspace.Snapshot, at place, world map[string]names.File, looked []names.File) ([]edits.Finding, error) {
	ch, warm, err := c.child(at)
	if err != nil {
		return nil, err
	}
	wait := warmWait
	if !warm {
		if wait = c.o.Host.Patience(at.adapter, at.root); wait <= 0 {
			return nil, errStarting
		}
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-ch.ready:
	case <-ctx.Done():
		return nil, errStarting
	}
	if ch.err != nil {
		return nil, ch.err
	}
	if !ch.turn.Take(ctx, typed) {
		return nil, errLate
	}
	defer ch.turn.Give()
	c.askedNow(ch)
	out, err := ch.client.errors(ctx, snap, world, looked, sound)
	switch {
	case err == nil:
		c.answered(ch)
		return out, nil
	case ctx.Err() != nil && !warm:
		return nil, errStarting
	case ctx.Err() != nil:
		return nil, errLate
	}
	if _, answered := errors.AsType[*jsonrpc2.Error](err); !answered {
		return nil, errEnded
	}
	return nil, errors.New("it answered with an error")
}

// child returns the child of a place; warm is false for one that has answered nothing yet.
func (c *Checkers) child(at place) (ch *child, warm bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch := c.children[at]; ch != nil {
		return ch, ch.warm, nil
	}
	if f := c.failed[at]; f.times > 1 && time.Since(f.at) < idleEnd {
		return nil, false, f.err
	}
	for other, old := range c.children { // of an environment that has changed since
		if other.adapter == at.adapter && other.root == at.root {
			old.end(errIdle)
		}
	}
	ctx, cancel := context.WithCancelCause(c.o.Group.Context())
	ch = &child{place: at, ready: make(chan struct{}), turn: run.NewTurn(), asked: make(chan struct{}, 1), end: cancel, last: time.Now(), started: time.Now(), memory: func() int64 { return 0 }}
	if !c.o.Group.Go("run "+at.adapter.Name, func(context.Context) { c.tend(ctx, ch) }) {
		cancel(nil)
		return nil, false, errEnded
	}
	c.children[at] = ch
	return ch, false, nil
}

func (c *Checkers) askedNow(ch *child) {
	c.mu.Lock()
	ch.last = time.Now()
	c.mu.Unlock()
	select {
	case ch.asked <- struct{}{}:
	default:
	}
}

func (c *Checkers) answered(ch *child) {
	c.mu.Lock()
	first := !ch.warm
	ch.warm = true
	c.mu.Unlock()
	if first {
		c.o.Host.Began(ch.adapter, ch.root, time.Since(ch.started))
	}
}

// tend starts a child and stays with it until it has ended.
func (c *Checkers) tend(ctx context.Context, ch *child) {
	defer ch.end(nil)
	var p Process
	err := errEnded // unless it ends otherwise
	if panicked := run.Call("run "+ch.adapter.Name, func() {
		if err = c.begin(ctx, ch, &p); err == nil {
			err = c.watch(ctx, ch)
		}
	}); panicked != nil {
		err = panicked
	}
	c.mu.Lock()
	delete(c.children, ch.place)
	if !errors.Is(err, errIdle) && ctx.Err() == nil || errors.Is(err, errTooMuch) {
		c.failed[ch.place] = failure{err, c.failed[ch.place].times + 1, time.Now()}
	}
	c.mu.Unlock()
	if p != nil {
		_ = p.Close() // how it ends does not matter any more
	}
	if ch.client != nil {
		_ = ch.client.conn.Close()
	}
}

// begin starts the process, which the caller closes, and says that the child is ready.
func (c *Checkers) begin(ctx context.Context, ch *child, started *Process) error {
	ch.err = errEnded // until it is known to run
	defer close(ch.ready)
	program, err := c.o.Host.Find(ch.adapter)
	if err == nil {
		*started, err = c.o.Host.Start(program, ch.adapter, ch.root)
	}
	if err != nil {
		ch.err = err
		return err
	}
	c.mu.Lock()
	ch.memory = (*started).Memory
	c.mu.Unlock()
	within, cancel := context.WithTimeout(ctx, 2*ColdWait)
	defer cancel()
	ch.client, err = dial(within, ch.adapter, *started, ch.root, ch.folder, ch.environment)
	if err != nil && !errors.Is(err, errOld) && within.Err() == nil {
		err = fmt.Errorf("%s does not speak LSP as it should, maybe its version is too old: `%s`", program, ch.adapter.Install)
	}
	ch.err = err
	return err
}

// watch returns why a child is to end.
func (c *Checkers) watch(ctx context.Context, ch *child) error {
	timer := time.NewTimer(watchEach)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ch.client.conn.Done():
			return errEnded
		case <-ch.asked:
			timer.Reset(watchEach)
			continue
		case <-timer.C:
		}
		if err := c.tooMuch(ch); err != nil {
			return err
		}
		c.mu.Lock()
		idle := time.Since(ch.last)
		c.mu.Unlock()
		switch {
		case idle >= idleEnd:
			return errIdle
		case idle < watchFor:
			timer.Reset(watchEach)
		default:
			timer.Reset(idleEnd - idle)
		}
	}
}

// errTooMuch is a child that takes more memory than all may.
var errTooMuch = errors.New("it takes more memory than checker.memory_mb allows")

// tooMuch looks whether all children together take too much memory. Then the one that was not
// asked for the longest time ends; the last one is not started again.
func (c *Checkers) tooMuch(ch *child) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var total int64
	oldest := ch
	for _, other := range c.children {
		total += other.memory()
		if other.last.Before(oldest.last) {
			oldest = other
		}
	}
	if total <= c.o.Host.Memory() {
		return nil
	}
	if oldest != ch {
		oldest.end(errIdle)
		return nil
	}
	if len(c.children) > 1 {
		return errIdle
	}
	c.failed[ch.place] = failure{errTooMuch, 1, time.Now()}
	return errTooMuch
}
