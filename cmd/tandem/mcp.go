package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"tandem/cmd/tandem/config"
	"tandem/edits"
	"tandem/mcp"
	"tandem/workspace"
	"tandem/workspace/disk"
	"tandem/workspace/judge"
	"tandem/workspace/redact"
	"tandem/workspace/rel"
	"tandem/workspace/role"
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
	if g.workspace != "" {
		if _, err := g.root(); err != nil {
			return err
		}
	}
	report := (&notices{out: &shared{w: newScreen(os.Stderr)}}).report
	var client, mistake atomic.Pointer[string]
	live := config.NewLive(g.options(), config.Watch{
		Changed: func(*config.Config) { mistake.Store(nil) },
		Failed:  func(err error) { m := err.Error(); mistake.Store(&m); report(m) },
	})
	group := run.NewGroup(ctx, func(p *run.Panic) { report(p.Error() + "; please report it.") })
	defer group.Close()
	group.Go("watch the configuration", live.Watch)
	group.Go("return memory in pauses", releaseWhenIdle)
	return mcp.Serve(ctx, mcp.Deps{
		Version: version(), Group: group, Folder: g.workspace, Start: g.agentFolder, Usable: usableFolder,
		Open: func(_ context.Context, root string) (*mcp.Workspace, error) {
			h := withoutEditor(root, report)
			h.mistake, h.asker = func() string { return loaded(&mistake) }, func() string { return loaded(&client) }
			return openForAgent(ctx, root, live, h)
		},
		Allow:  func() error { return allowFeature(live.Config)(config.MCP) },
		Writes: func() bool { return live.Config().MCP.Write },
		Asker:  func(name string) { client.Store(&name) },
	}, in, out)
}

// openForAgent opens one folder for an agent.
func openForAgent(ctx context.Context, root string, live *config.Live, h host) (*mcp.Workspace, error) {
	report := h.onNotice
	group := run.NewGroup(ctx, func(p *run.Panic) { report(p.Error() + "; please report it.") })
	a, err := newApp(group, live.Config, h)
	if err != nil {
		group.Close()
		return nil, err
	}
	group.Go("judge the hooks of agents", func(ctx context.Context) { a.judgeHooks(ctx, root, report) })
	return &mcp.Workspace{
		Session: a.session, Engine: a.engine, Search: a.made.Search, Indexed: a.indexed, Check: a.checkForAgent,
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
		Close: func() {
			group.Close()
			if err := a.Close(); err != nil {
				report(err.Error())
			}
		},
	}, nil
}

// agentFolder is the folder that an agent without roots is served: the one that the user named,
// else the repository around the working directory, or that directory if a package begins there.
func (g *globals) agentFolder(ctx context.Context) (string, error) {
	root, err := g.root()
	if err != nil {
		return "", err
	}
	if g.workspace != "" {
		return root, usableFolder(root)
	}
	if hasRepository(root) && usableFolder(root) == nil {
		return root, nil
	}
	dir, err := os.Getwd()
	if err == nil {
		err = usableFolder(dir)
	}
	if err == nil && !hasManifest(ctx, dir) {
		err = fmt.Errorf("%s, where tandem was started, has no repository and no manifest of a package", dir)
	}
	if err != nil {
		return "", fmt.Errorf("no folder is served: %w; start it in a repository, or name a folder with `tandem mcp --workspace DIR`", err)
	}
	return dir, nil
}

// usableFolder says why a folder is served to no agent: it is none, or holds everything that the
// user or the machine has.
func usableFolder(dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	real := disk.Real(dir)
	if filepath.Dir(real) == real {
		return fmt.Errorf("%s is the whole disk", dir)
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return nil
	}
	if _, holds := rel.Below(real, disk.Real(home)); holds {
		return fmt.Errorf("%s holds your home folder, so it is no workspace", dir)
	}
	return nil
}

func hasManifest(ctx context.Context, dir string) bool {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()                          //nolint:errcheck // only read from
	entries, _ := root.ReadDir(ctx, rel.Path{}) // one that is too large has no manifest among what was read
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return role.Manifests[strings.ToLower(e.Name())] })
}

func loaded(p *atomic.Pointer[string]) string {
	if s := p.Load(); s != nil {
		return *s
	}
	return ""
}

// checkForAgent is `tandem check` for a reader that is a model: it reads and names only what
// models may be shown.
func (a *app) checkForAgent(ctx context.Context, c mcp.Checked) (string, error) {
	snap := a.session.Snapshot()
	r := newCheckReport()
	var secrets []string // of the files that the answer may quote
	changes, files, err := a.changesOfAgent(ctx, snap, c, &r, &secrets)
	hide := func(text string) string { return new(redact.Redactor).Redact(text, secrets...).String() }
	if err != nil {
		return "", errors.New(hide(err.Error()))
	}
	changes, files = r.readable(r.shown(snap, changes)), r.readable(r.shown(snap, files))
	r.take(snap, changes, a.judge.Report(ctx, snap, changes, judge.Users))
	r.take(snap, files, a.judge.Standing(ctx, snap, files))
	r.forModels(snap)
	changes = append(changes, files...)
	if len(changes)+len(r.unchecked) == 0 && c.Nothing() {
		return "nothing has changed since the last commit\n", nil
	}
	for _, f := range changes {
		if slices.ContainsFunc(r.found, func(found edits.Finding) bool { return found.Path == f.Path }) {
			secrets = append(secrets, secretsOf(f.After)...)
		}
	}
	if more := len(r.unknown) - mostUnknown; more > 0 {
		r.unknown = append(r.unknown[:mostUnknown], fmt.Sprintf("%d more like these", more))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s in %s\n", terms.Counted(len(r.found), "finding"), terms.Counted(len(changes), "file"))
	err = r.print(&out, &out, checkOptions{verbose: true, format: formatText})
	return hide(out.String()), err
}

// changesOfAgent are the changes that an agent wants checked, the files that it wants checked as
// they are, and the secrets of the files that its patch is of.
func (a *app) changesOfAgent(ctx context.Context, snap *workspace.Snapshot, c mcp.Checked, r **checkReport, secrets *[]string) (changes, files []edits.FileChange, err error) {
	if c.Nothing() {
		changes, since, err := a.toCheck(ctx, nil, nil, checkOptions{rev: "HEAD"})
		*r = cmp.Or(since, *r)
		return changes, nil, err
	}
	if c.Patch != "" {
		changes, err = patchedChanges(a.root(), strings.NewReader(c.Patch), func(name string) error {
			f, err := snap.File(name)
			if err == nil {
				*secrets = append(*secrets, secretsOf(f.Content())...)
			} else if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		})
		if err != nil {
			return nil, nil, err
		}
	}
	var named []string
	for _, file := range c.Files {
		path, ok := workspace.PathOf(snap.Resolve(file))
		if !ok || strings.TrimSpace(file) == "" {
			return nil, nil, fmt.Errorf("%q is no file or folder of the workspace", file)
		}
		named = append(named, path)
	}
	if files, err = wantedFiles(snap, named, *r); err != nil {
		return nil, nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(c.Texts)) {
		f := edits.FileChange{Path: snap.Name(snap.Resolve(path)), After: c.Texts[path], AbsentBefore: true}
		if now, err := snap.File(path); err == nil {
			f.Before, f.AbsentBefore = now.Content(), false
		}
		changes = append(changes, f)
	}
	return changes, files, nil
}

func secretsOf(text string) []string {
	return redact.NewSource(text).Secrets(edits.Span{End: len(text)})
}

// mostUnknown is how many sentences on what is not judged an agent reads.
const mostUnknown = 10

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
