package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/mcp"
	"tandem/workspace"
	"tandem/workspace/names"
	"tandem/workspace/run"
	"tandem/workspace/terms"
)

func mcpCommand(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent: MCP on stdin and stdout, with the tools context, check and edit",
		Args:  takes(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return serveAgent(c.Context(), g) },
	}
}

// serveAgent serves an agent until it closes stdin. Nothing else may write to stdout, so the
// rest of the program gets stderr in its place.
func serveAgent(ctx context.Context, g *globals) error {
	limitMemory()
	out, err := claimStdout()
	if err != nil {
		return fmt.Errorf("take over stdout: %w", err)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return g.agent(ctx, os.Stdin, out)
}

// agent serves one agent on two streams.
func (g *globals) agent(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	policy := config.ReadPolicy(g.options())
	if err := policy.Feature(config.MCP); err != nil {
		return exit(exitRefused, err)
	}
	root, err := g.root()
	if err != nil {
		return err
	}
	report := (&notices{out: &shared{w: os.Stderr}}).report
	var client, mistake atomic.Pointer[string]
	live := config.NewLive(g.options(), config.Watch{
		Changed: func(*config.Config) { mistake.Store(nil) },
		Failed:  func(err error) { m := err.Error(); mistake.Store(&m); report(m) },
	})
	group := run.NewGroup(ctx, func(p *run.Panic) { report(p.Error() + "; please report it.") })
	h := withoutEditor(root, report)
	h.mistake, h.asker = func() string { return loaded(&mistake) }, func() string { return loaded(&client) }
	a, err := newApp(group, live.Config, h)
	if err != nil {
		group.Close()
		return err
	}
	group.Go("watch the configuration", live.Watch)
	group.Go("return memory in pauses", releaseWhenIdle)
	checkers := map[bool]*names.Checker{} // by whether files are checked as they are
	for _, whole := range []bool{false, true} {
		checkers[whole] = names.New(names.Options{Deps: a.dependencies, Many: true, Whole: whole})
	}
	err = mcp.Serve(ctx, mcp.Deps{
		Version: version(), Session: a.session, Engine: a.engine, Search: a.made.Search, Indexed: a.indexed,
		Check: func(ctx context.Context, c mcp.Checked) (string, error) {
			return a.checkForAgent(ctx, checkers[len(c.Files) > 0], c)
		},
		Allow:  func() error { return allowFeature(live.Config)(config.MCP) },
		Writes: func() bool { return live.Config().MCP.Write },
		Unsaved: func(ctx context.Context) []mcp.Unsaved {
			if !live.Config().MCP.Socket {
				return nil
			}
			documents, err := askUnsaved(ctx, root)
			if err != nil {
				report(err.Error())
			}
			return documents
		},
		Asker: func(name string) { client.Store(&name) },
	}, in, out)
	group.Close()
	return errors.Join(err, a.Close())
}

func loaded(p *atomic.Pointer[string]) string {
	if s := p.Load(); s != nil {
		return *s
	}
	return ""
}

// checkForAgent is `tandem check` for a reader that is a model: it reads and names only what
// models may be shown.
func (a *app) checkForAgent(ctx context.Context, checker *names.Checker, c mcp.Checked) (string, error) {
	snap := a.session.Snapshot()
	root := snap.Views()[0]
	r := newCheckReport()
	var changes []edits.FileChange
	add := func(list []edits.FileChange, err error) error { changes = append(changes, list...); return err }
	var err error
	if c.Patch != "" {
		err = add(patchedChanges(root.Root, strings.NewReader(c.Patch)))
	}
	if len(c.Files) > 0 && err == nil {
		var files []string
		for _, file := range c.Files {
			if path, ok := workspace.PathOf(snap.Resolve(file)); ok {
				files = append(files, path)
			}
		}
		err = add(wantedFiles(snap, files, r))
	}
	for path, text := range c.Texts {
		f := edits.FileChange{Path: snap.Name(snap.Resolve(path)), After: text, AbsentBefore: true}
		if now, err := snap.File(path); err == nil {
			f.Before, f.AbsentBefore = now.Raw().String(), false
		}
		changes = append(changes, f)
	}
	if c.Patch == "" && len(c.Files)+len(c.Texts) == 0 {
		var since *checkReport
		if changes, since, err = a.toCheck(ctx, nil, nil, checkOptions{rev: "HEAD"}); since != nil {
			r = since
		}
	}
	if err != nil {
		return "", err
	}
	changes = r.readable(r.shown(snap, changes))
	a.judge(changes, r, checker)
	var out strings.Builder
	if len(r.found) == 0 {
		fmt.Fprintf(&out, "nothing found in %s\n", terms.Counted(len(changes), "file"))
	}
	err = r.print(&out, &out, checkOptions{verbose: true, format: formatText})
	return out.String(), err
}

// shown returns the changes of files that models may be shown, and records the others.
func (r *checkReport) shown(snap *workspace.Snapshot, changes []edits.FileChange) []edits.FileChange {
	var out []edits.FileChange
	for _, f := range changes {
		key := snap.Resolve(f.Path)
		ok, why := snap.Allowed(key)
		switch {
		case snap.View(key) == nil:
			r.fail(f.Path, errors.New("it lies outside the workspace"))
		case !ok:
			r.fail(f.Path, errors.New("no model may see it: "+why))
		default:
			out = append(out, f)
		}
	}
	return out
}
