package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tandem/edits"
	"tandem/model/assist/ask"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/judge"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

func demoCommand(g *globals) *cobra.Command {
	copyTo := ""
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show on your own code, without a model: a rename to its last place, a made-up name, a question; nothing is written",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			alone := *g
			alone.offline = true
			if copyTo == "" {
				return withApp(c, &alone, "", func(a *app, _ place) error { return a.demo(c.Context(), c.OutOrStdout()) })
			}
			var err error
			if alone.workspace, err = g.copyProject(c.Context(), copyTo); err != nil {
				return err
			}
			return withApp(c, &alone, "", func(a *app, _ place) error { return a.tour(c) })
		},
	}
	c.Flags().StringVar(&copyTo, "copy", "", "copy the project into this empty folder, and print as JSON what an editor can show there")
	return c
}

// mostTried is how many functions are renamed at most until one of them shows what a rename is.
const mostTried = 40

// demo changes texts that it has opened, in memory alone.
func (a *app) demo(ctx context.Context, out io.Writer) error {
	t, err := a.telling(ctx)
	if err != nil {
		return err
	}
	t.print(out)
	number := 2
	if t.finding != "" {
		number++
		fmt.Fprintf(out, "\n2. A model or an agent writes a name that does not exist, and tandem check says so:\n\n   %s:%d: %s\n   %s\n", t.wrong.Path, t.wrong.Line, t.finding, t.wrong.text)
	}
	if err := a.printQuestion(ctx, out, number, t); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nNothing of the project was written. In an editor you do the first by Tab, and Review Changes (Neovim: :Tandem changes) underlines the second. tandem check --diff HEAD looks for such names in what you have not committed. tandem setup finds a model.")
	return nil
}

// telling returns the first rename that has a few places and a made-up name that is found, else
// the first one of all.
func (a *app) telling(ctx context.Context) (first *trial, err error) {
	for _, v := range a.session.Snapshot().Views() {
		for _, d := range candidates(v) {
			t, err := a.try(ctx, v, d)
			if err != nil {
				return nil, err
			}
			if t == nil {
				continue
			}
			a.makeUp(ctx, t)
			if n := len(t.places); n > 1 && n < 9 && t.finding != "" {
				return t, nil
			}
			first = cmp.Or(first, t)
		}
	}
	if first == nil {
		return nil, exit(exitFailed, errors.New("nothing here shows much: no function is used in a second file; try --workspace DIR with a larger project"))
	}
	return first, nil
}

// candidates are functions whose names are declared once and used in a second file: those of the
// program before those of examples, and those of few files first.
func candidates(v *workspace.View) []index.Def {
	ix := v.Index()
	users := map[index.DefID]int{}
	var out []index.Def
	for _, f := range ix.Files() {
		if path := ix.Path(f); language.IsTest(path) || language.OfFile(path) == "shellscript" { // where a function's name is a word as any other
			continue
		}
		for _, d := range ix.Defs(f) {
			if showsRename(ix, d) {
				users[d.ID] = len(ix.Users(d.Name))
				out = append(out, d)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b index.Def) int {
		return cmp.Or(cmp.Compare(aside(ix.Path(a.File)), aside(ix.Path(b.File))), cmp.Compare(users[a.ID], users[b.ID]))
	})
	return out[:min(len(out), mostTried)]
}

// showsRename reports whether a definition is a function that is declared once, and used in so few
// files that all can be shown. A short name is often a word of comments too.
func showsRename(ix *index.Index, d index.Def) bool {
	function := d.Kind == language.KindFunc || d.Kind == language.KindMethod
	if !function || len(d.Name) <= 3 || len(ix.LookupIDs(d.Name)) != 1 {
		return false
	}
	users := len(ix.Users(d.Name))
	return users > 1 && users < 9
}

// aside is 1 for a file beside the program: an example, a tool, a page.
func aside(path string) int {
	for _, folder := range []string{"example", "sample", "docs", "build", "tools", "scripts", "."} {
		if strings.HasPrefix(path, folder) {
			return 1
		}
	}
	return 0
}

// A trial is a rename that was tried: of a name at its declaration, and what it leads to.
type trial struct {
	name, renamed string
	madeUp        string // a name that nothing declares
	declared      placed
	places        []placed // the rest
	files         []edits.ProposedFile
	wrong         placed // where the name that nothing declares stands
	finding       string // what is said of it; "" where nothing is
}

// try renames a function at its declaration, as a user would, and has the rest of its places
// found. It returns nil where that shows nothing. The text is then as it was.
func (a *app) try(ctx context.Context, v *workspace.View, d index.Def) (*trial, error) {
	path := v.Abs(v.Index().Path(d.File))
	_, o, err := a.openFile(path)
	if err != nil {
		return nil, nil //nolint:nilerr // another file may do
	}
	defer func() { a.engine.Closed(o.URI); a.session.Update(workspace.Closed{URI: o.URI}) }()
	from := o.Text.LineStart(d.StartLine - 1)
	at := strings.Index(o.Text.Slice(edits.Span{Start: from, End: o.Text.LineEnd(d.SigEndLine - 1)}), d.Name)
	if at < 0 {
		return nil, nil
	}
	t := &trial{name: d.Name, renamed: d.Name + "V2", madeUp: d.Name + "OrDefault"}
	if strings.Contains(d.Name, "_") || slices.Contains(snakes, o.Language) {
		t.renamed, t.madeUp = d.Name+"_v2", d.Name+"_or_default"
	}
	start := from + at
	e := edits.Edit{Span: edits.Span{Start: start, End: start + len(d.Name)}, New: t.renamed}
	after, err := edits.Apply(o.Text, []edits.Edit{e})
	if err != nil {
		return nil, fmt.Errorf("rename %s: %w", d.Name, err)
	}
	steps := []workspace.Step{{Edit: e, After: after}}
	snap := a.session.Update(workspace.Edited{URI: o.URI, Version: 2, Steps: steps, Text: after})
	a.engine.Changed(snap, o.URI, steps)
	t.declared = lineAt(snap.Name(o.URI), after, start)
	rest, err := a.engine.NextEdits.NextEverywhere(ctx, snap, core.Place{URI: o.URI, Offset: start}, 2)
	if err != nil || rest.Verdict.Failed() || !slices.ContainsFunc(rest.Files, func(f edits.ProposedFile) bool { return f.Path != snap.Name(o.URI) }) {
		return nil, ctx.Err()
	}
	t.files = rest.Files
	for _, f := range t.files {
		after, err := f.After()
		if err != nil {
			return nil, fmt.Errorf("rename %s in %s: %w", d.Name, f.Path, err)
		}
		moved := 0
		for _, e := range f.Edits {
			t.places = append(t.places, lineAt(f.Path, after, e.Start+moved))
			moved += len(e.New) - (e.End - e.Start)
		}
	}
	return t, nil
}

// snakes are languages whose names have underscores.
var snakes = []string{"python", "rust", "ruby", "c", "lua", "elixir", "php"}

// A placed line is a line of a file as it is shown: its place and its text.
type placed struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
	text string
}

func (p placed) String() string { return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.text) }

func lineAt(path string, t edits.Text, offset int) placed {
	line := t.LineOf(offset)
	return placed{path, line + 1, strings.TrimSpace(t.Line(line))}
}

// print shows the rename, place by place.
func (t *trial) print(out io.Writer) {
	fmt.Fprintf(out, "1. Rename %s to %s where it is declared, and Tab does the rest:\n\n", t.name, t.renamed)
	fmt.Fprintf(out, "   you    %s\n", t.declared)
	for i, l := range t.places {
		fmt.Fprintf(out, "   Tab %2d %s\n", i+1, l)
	}
}

// makeUp writes a name that does not exist where the function is used, as models do, and keeps
// what tandem check says.
func (a *app) makeUp(ctx context.Context, t *trial) {
	snap := a.session.Snapshot()
	for _, f := range t.files {
		for _, e := range f.Edits {
			start := e.End - len(t.name) // the edit may change the end of the name alone
			if start < 0 || f.Base.Slice(edits.Span{Start: start, End: e.End}) != t.name {
				continue // another place may do
			}
			wrong := edits.Edit{Span: edits.Span{Start: start, End: e.End}, New: t.madeUp}
			after, err := edits.Apply(f.Base, []edits.Edit{wrong})
			if err != nil {
				continue
			}
			changes := []edits.FileChange{{Path: f.Path, Before: f.Base.String(), After: after.String(), Edits: []edits.Edit{wrong}}}
			found := a.judge.Report(ctx, snap, changes, judge.Typed).Found()
			if i := slices.IndexFunc(found, func(f edits.Finding) bool { return f.Name == t.madeUp }); i >= 0 {
				t.wrong, t.finding = lineAt(f.Path, after, start), edits.OneLine(found[i].Told())
				return
			}
		}
	}
}

func (t *trial) question() string { return fmt.Sprintf("What does %s do?", t.name) }

// mostShown is how many lines of the answer are shown.
const mostShown = 24

// printQuestion asks what the function does.
func (a *app) printQuestion(ctx context.Context, out io.Writer, number int, t *trial) error {
	question := t.question()
	answer, err := a.engine.Asker.Ask(ctx, a.session.Snapshot(), ask.Request{Question: question})
	if err != nil {
		return coded(err)
	}
	fmt.Fprintf(out, "\n%d. tandem ask %q, answered without a model:\n\n", number, question)
	lines := strings.Split(strings.TrimRight(answer.Text, "\n"), "\n")
	for _, line := range lines[:min(len(lines), mostShown)] {
		fmt.Fprintln(out, strings.TrimRight("   "+line, " "))
	}
	if left := len(lines) - mostShown; left > 0 {
		fmt.Fprintf(out, "   … and %s, which the command prints\n", terms.Counted(left, "line"))
	}
	return nil
}
