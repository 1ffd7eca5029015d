package next

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/language"
)

// uses are the references that a language server finds: the places of name behind marks, by
// file.
func (b *bench) uses(name string, marks map[string][]string) (out []Reference) {
	snap := b.Session.Snapshot()
	for file, list := range marks {
		f, err := snap.File(file)
		if err != nil {
			panic(err)
		}
		for _, mark := range list {
			i := strings.Index(f.Content(), mark)
			if i < 0 {
				panic(mark + " is not in " + file)
			}
			at := i + strings.Index(mark, name)
			out = append(out, Reference{URI: f.URI(), Span: edits.Span{Start: at, End: at + len(name)}})
		}
	}
	return out
}

// next is the next edit from the document's place on, as path:line old>new, or a jump.
func (b *bench) next(t *testing.T, at int) (*Offer, string) {
	t.Helper()
	if err := b.Session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	snap := b.Session.Snapshot()
	next, _, err := b.engine.NextEdits.NextEdit(context.Background(), snap, Request{Place: core.Place{URI: b.URI, Offset: at}, Version: b.Version, Jumps: true})
	if err != nil {
		t.Fatal(err)
	}
	if next == nil {
		return nil, ""
	}
	f, err := snap.File(next.URI)
	if err != nil {
		t.Fatal(err)
	}
	what := "jump"
	if next.Jump == "" {
		what = f.Content()[next.Edit.Start:next.Edit.End] + ">" + next.Edit.New
	}
	return next, fmt.Sprintf("%s:%d %s", path.Base(next.URI), next.Line+1, what)
}

// take accepts a next edit of any document as an editor does.
func (b *bench) take(t *testing.T, next *Offer) {
	t.Helper()
	switch {
	case next.Jump != "":
	case next.URI == b.URI:
		b.Edit(next.Edit.Start, next.Edit.End, next.Edit.New)
	default:
		f, err := b.Session.Snapshot().File(next.URI)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Open() {
			b.Follow.Opened(b.Session.Update(workspace.Opened{URI: next.URI, Language: language.OfFile(next.URI), Version: 1, Text: f.Raw()}), next.URI)
		}
		steps := []workspace.Step{{Edit: next.Edit, After: f.Raw().Replace(next.Edit.Span, next.Edit.New), Accepted: true}}
		b.Follow.Changed(b.Session.Update(workspace.Edited{URI: next.URI, Version: f.Version() + 2, Steps: steps}), next.URI, steps)
	}
	b.engine.NextEdits.Open.Accepted(next.ID)
}

// walk takes all next edits, and lists them.
func (b *bench) walk(t *testing.T, at int) (out []string) {
	t.Helper()
	for range 30 {
		next, what := b.next(t, at)
		if next == nil {
			break
		}
		out = append(out, what)
		b.take(t, next)
	}
	return out
}

const runs = `package m

type A struct{}

func (A) Run() {}

type B struct{}

func (B) Run() {}

func use(a A, b B, any interface{ Run() }) {
	a.Run()
	b.Run()
	any.Run()
}
`

const runsElsewhere = "package m\n\nfunc more(a A, b B) {\n\tb.Run()\n\ta.Run()\n\ta.Run()\n}\n"

// TestRenameByReferences: where the editor's language servers know the uses of a declaration,
// a rename reaches these and no other thing of that name, in all files.
func TestRenameByReferences(t *testing.T) {
	b := newBench(t, lanes{}, runs, map[string]string{"go.mod": "module m\n", "more.go": runsElsewhere})
	b.engine.NextEdits.Local = local.New(nil)
	n := b.engine.NextEdits
	at := b.At("func (A) ")
	here := b.uses("Run", map[string][]string{"main.go": {"a.Run()\n\tb", "(A) Run"}, "more.go": {"a.Run()\n\ta", "a.Run()\n}"}})
	n.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 3}}, Name: "Run", Uses: here})
	b.Edit(0, 0, "// Package m.\n") // all places move
	at += len("// Package m.\n")
	for i, c := range []string{"W", "a", "l", "k"} { // typed
		if i == 0 {
			b.Edit(at, at+3, c)
		} else {
			b.Edit(at+i, at+i, c)
		}
	}
	got := b.walk(t, at)
	if want := []string{"main.go:13 Run>Walk", "more.go:5 Run>Walk", "more.go:6 Run>Walk"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReferencesReplaceEarlierOnes: an answer about a name takes the place of the earlier one
// about it, and of none about another name, however often it comes.
func TestReferencesReplaceEarlierOnes(t *testing.T) {
	b := newBench(t, lanes{}, runs, map[string]string{"go.mod": "module m\n", "more.go": runsElsewhere})
	n := b.engine.NextEdits
	n.Local = local.New(nil)
	know := func(mark, name string, uses []Reference) {
		at := b.At(mark)
		n.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + len(name)}}, Name: name, Uses: uses})
	}
	at := b.At("type ")
	if got := n.Declarations(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: at}); len(got) != 1 {
		t.Fatalf("before any answer, the line declares %v", got)
	}
	know("type ", "A", nil)
	for range maxReferenceSets {
		know("func (A) ", "Run", b.uses("Run", map[string][]string{"more.go": {"a.Run()\n\ta"}}))
	}
	know("func (A) ", "Run", b.uses("Run", map[string][]string{"main.go": {"(A) Run"}, "more.go": {"a.Run()\n}"}}))
	if got := n.Declarations(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: at}); len(got) != 0 {
		t.Errorf("the references of %v are asked for again", got)
	}
	at = b.At("func (A) ")
	b.Edit(at, at+3, "Walk")
	if got, want := b.walk(t, at), []string{"more.go:6 Run>Walk"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLateReferences: what language servers answer about the text before the user began to
// type counts as that about the text now; about any other text nothing is known.
func TestLateReferences(t *testing.T) {
	b := newBench(t, lanes{}, runs, map[string]string{"go.mod": "module m\n", "more.go": runsElsewhere})
	n := b.engine.NextEdits
	n.Local = local.New(nil)
	at := b.At("func (A) ")
	n.Declarations(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: at})
	open := func() *workspace.Overlay {
		o, _ := b.Session.Snapshot().Overlay(b.URI)
		return o
	}
	asked := open().Version
	uses := b.uses("Run", map[string][]string{"main.go": {"a.Run()\n\tb", "(A) Run"}, "more.go": {"a.Run()\n\ta"}})
	b.Edit(at, at+3, "Walk")
	if _, ok := n.Asked(open(), asked+1); ok {
		t.Error("a text is known for which nothing was asked")
	}
	before, ok := n.Asked(open(), asked)
	if !ok {
		t.Fatal("the text is not known for which the declarations were asked")
	}
	n.Know(b.Session.Snapshot(), References{Document: before, Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 3}}, Name: "Run", Uses: uses})
	if got, want := b.walk(t, at), []string{"main.go:12 Run>Walk", "more.go:5 Run>Walk"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCallsByReferences: after a change of its parameters the calls that language servers know
// are visited, no other, and nothing is written there.
func TestCallsByReferences(t *testing.T) {
	b := newBench(t, lanes{}, runs, map[string]string{"go.mod": "module m\n", "more.go": runsElsewhere})
	b.engine.NextEdits.Local = local.New(nil)
	at := b.At("func (A) ")
	uses := b.uses("Run", map[string][]string{"main.go": {"a.Run()\n\tb"}, "more.go": {"a.Run()\n\ta", "a.Run()\n}"}})
	b.engine.NextEdits.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 3}}, Name: "Run", Uses: uses})
	in := b.At("func (A) Run(")
	b.Edit(in, in, "n int")
	got := b.walk(t, in)
	if want := []string{"main.go:12 jump", "more.go:5 jump", "more.go:6 jump"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRenameStaysWithItsUses: a rename is no pattern for what else has the name, however many of
// its places were accepted, whether language servers know its uses or not.
func TestRenameStaysWithItsUses(t *testing.T) {
	const body = "(page int) {\n\tfirst(page, 1)\n\n\n\n\tsecond(page, 2)\n}\n\n"
	for _, known := range []bool{false, true} {
		b := newBench(t, lanes{}, "package m\n\nfunc one"+body+"func two"+body+"func three"+body, map[string]string{"go.mod": "module m\n"})
		b.engine.NextEdits.Local = local.New(nil)
		at := b.At("func one(")
		if known {
			b.engine.NextEdits.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 4}}, Name: "page", Uses: b.uses("page", map[string][]string{"main.go": {"page, 1", "page, 2"}})})
		}
		b.Edit(at, at+4, "pageNext")
		got := b.walk(t, at)
		if want := []string{"main.go:4 page>pageNext", "main.go:8 page>pageNext"}; !slices.Equal(got, want) {
			t.Errorf("known %v: %q, want %q", known, got, want)
		}
	}
}

// TestRenameOfManyPlaces: a rename reaches all places that language servers know, although the
// declaration is not among the last edits any more.
func TestRenameOfManyPlaces(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n\nvar count = 1\n\n"+strings.Repeat("func _() {\n\tprintln(count)\n}\n\n", 60), map[string]string{"go.mod": "module m\n"})
	n := b.engine.NextEdits
	n.Local = local.New(nil)
	text, at := b.Session.Snapshot(), b.At("var ")
	f, err := text.File(b.URI)
	if err != nil {
		t.Fatal(err)
	}
	uses := []Reference{}
	for i, line := range strings.Split(f.Content(), "\n") {
		if start := f.Raw().LineStart(i) + len("\tprintln("); strings.HasPrefix(line, "\tprintln(count") {
			uses = append(uses, Reference{URI: b.URI, Span: edits.Span{Start: start, End: start + 5}})
		}
	}
	n.Know(text, References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 5}}, Name: "count", Uses: uses})
	b.Edit(at, at+5, "counted")
	done := 0
	for next, _ := b.next(t, at); next != nil; next, _ = b.next(t, next.Edit.Start) {
		done++
		b.take(t, next)
	}
	if done != 60 {
		t.Errorf("%d places of 60", done)
	}
}

// TestRenameAfterOldErrors: the error of a place that is done already, which a server has not taken
// back yet, renames nothing else in its line.
func TestRenameAfterOldErrors(t *testing.T) {
	const text = "export function f() {\n  const resume = () => {\n  }\n\n  const start = () => {\n  }\n\n  return {\n    start,\n    resume,\n  }\n}\n"
	b := newBench(t, lanes{}, "package m\n", nil)
	n := b.engine.NextEdits
	n.Local = local.New(nil)
	b.URI = strings.Replace(b.URI, "main.go", "m.ts", 1)
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: b.URI, Language: "typescript", Version: 1, Text: edits.NewText(text)}), b.URI)
	uses := b.uses("resume", map[string][]string{"m.ts": {"resume =", "resume,"}})
	n.Know(b.Session.Snapshot(), References{Declaration: uses[0], Name: "resume", Uses: uses})
	at := uses[0].Span
	b.Edit(at.Start, at.End, "resumeNext")
	line := strings.Index(b.Text(), "    resume,")
	n.Caused(b.URI, []workspace.Diagnostic{{Span: edits.Span{Start: line, End: line + 8}, Severity: "error", Message: "no resume"}}, nil)
	if got, want := b.walk(t, at.Start), []string{"m.ts:10 resume>resume: resumeNext"}; len(got) == 0 || got[0] != want[0] || slices.ContainsFunc(got[1:], func(s string) bool { return !strings.HasSuffix(s, " jump") }) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRenameAsServersWriteIt: what a server's rename writes beside the new name is written, and
// nothing where it writes the name alone; the first of several answers for a place counts. A
// reference that the rename leaves as it is keeps its name.
func TestRenameAsServersWriteIt(t *testing.T) {
	const text = "const size = 1\nexport const a = { size, }\nexport const b = [{ size }]\nb[0].size\n"
	b := newBench(t, lanes{}, "package m\n", nil)
	n := b.engine.NextEdits
	n.Local = local.New(nil)
	b.URI = strings.Replace(b.URI, "main.go", "m.ts", 1)
	b.Follow.Opened(b.Session.Update(workspace.Opened{URI: b.URI, Language: "typescript", Version: 1, Text: edits.NewText(text)}), b.URI)
	uses := b.uses("size", map[string][]string{"m.ts": {"size =", "size,", "size }", "size\n"}})
	written := slices.Clone(uses[:3])
	written[0].Affixes, written[1].Affixes, written[2].Affixes = &Affixes{}, &Affixes{}, &Affixes{Prefix: "size: ", Suffix: " as number"}
	n.Know(b.Session.Snapshot(), References{Declaration: uses[0], Name: "size", Uses: slices.Concat(written, uses)})
	at := uses[0].Span
	b.Edit(at.Start, at.End, "width")
	if got, want := b.walk(t, at.Start), []string{"m.ts:2 size>width", "m.ts:3 size>size: width as number"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRenameEndsAtItsPlaces: an accepted place renames nothing by itself: a re-export is where
// other files import the name from, and which of them follow is what the servers know.
func TestRenameEndsAtItsPlaces(t *testing.T) {
	for _, list := range []string{"export { other, size } from './m'\n", "import { size } from './m'\nexport { size }\n", "import { size } from './m'\nexport const larger = size\n"} {
		b := newBench(t, lanes{}, "package m\n", map[string]string{"lib/index.ts": list, "lib/m.ts": "export const size = 1\nexport const other = 2\n", "tests/a.ts": "import { size } from '../lib'\n\nsize()\n"})
		n := b.engine.NextEdits
		n.Local = local.New(nil)
		if err := b.Session.WaitIdle(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.URI = strings.Replace(b.URI, "main.go", "lib/m.ts", 1)
		b.Follow.Opened(b.Session.Update(workspace.Opened{URI: b.URI, Language: "typescript", Version: 1, Text: edits.NewText("export const size = 1\nexport const other = 2\n")}), b.URI)
		var places []string
		want := []string{}
		for i, line := range strings.Split(list, "\n") {
			if at := strings.Index(line, "size"); at >= 0 {
				places, want = append(places, line[at:]), append(want, fmt.Sprintf("lib/index.ts:%d size>width", i+1))
			}
		}
		uses := b.uses("size", map[string][]string{"lib/m.ts": {"size ="}, "lib/index.ts": places})
		i := slices.IndexFunc(uses, func(r Reference) bool { return r.URI == b.URI })
		n.Know(b.Session.Snapshot(), References{Declaration: uses[i], Name: "size", Uses: uses})
		at := uses[i].Span
		b.Edit(at.Start, at.End, "width")
		got := []string{}
		for here := b.URI; len(got) < 30; {
			next, _, err := n.NextEdit(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: here, Offset: at.Start}, Jumps: true})
			if err != nil {
				t.Fatal(err)
			}
			if next == nil {
				break
			}
			f, err := b.Session.Snapshot().File(next.URI)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s:%d %s>%s", b.Session.Snapshot().Name(next.URI), next.Line+1, f.Content()[next.Edit.Start:next.Edit.End], next.Edit.New))
			b.take(t, next)
			here, at.Start = next.URI, next.Edit.Start // where the cursor is now
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}

// TestCallsOfLocalFunction: the calls of a function inside another are visited where language
// servers know them, and not by its name.
func TestCallsOfLocalFunction(t *testing.T) {
	const text = "def outer():\n    def inner(a):\n        pass\n\n    inner(1)\n\n\ninner(2)\n"
	for _, known := range []bool{false, true} {
		b := newBench(t, lanes{}, "package m\n", nil)
		b.engine.NextEdits.Local = local.New(nil)
		b.URI = strings.Replace(b.URI, "main.go", "m.py", 1)
		b.Follow.Opened(b.Session.Update(workspace.Opened{URI: b.URI, Language: "python", Version: 1, Text: edits.NewText(text)}), b.URI)
		var want []string
		if at := strings.Index(text, "inner"); known {
			b.engine.NextEdits.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 5}}, Name: "inner", Uses: b.uses("inner", map[string][]string{"m.py": {"inner(1)"}})})
			want = []string{"m.py:5 jump"}
		}
		in := strings.Index(text, "a):")
		b.Edit(in, in, "extra, ")
		if got := b.walk(t, in); !slices.Equal(got, want) {
			t.Errorf("known %v: %q, want %q", known, got, want)
		}
	}
}

// TestDeclarations: the names that a line declares are asked about once for a text.
func TestDeclarations(t *testing.T) {
	b := newBench(t, lanes{}, runs, map[string]string{"go.mod": "module m\n"})
	b.engine.NextEdits.Local = local.New(nil)
	if err := b.Session.WaitIdle(context.Background()); err != nil {
		t.Fatal(err)
	}
	names := func(mark string) string {
		var out []string
		for _, s := range b.engine.NextEdits.Declarations(b.Session.Snapshot(), core.Place{URI: b.URI, Offset: b.At(mark)}) {
			out = append(out, b.Text()[s.Start:s.End])
		}
		return strings.Join(out, " ")
	}
	for mark, want := range map[string]string{"func (A": "Run", "func use": "use a b any", "type B": "B", "\ta.R": ""} {
		if got := names(mark); got != want {
			t.Errorf("on the line of %q: %q, want %q", mark, got, want)
		}
	}
	at := b.At("func use") - len("use")
	b.engine.NextEdits.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: b.URI, Span: edits.Span{Start: at, End: at + 3}}, Name: "use"})
	if got := names("func use"); got != "a b any" {
		t.Errorf("known already: %q", got)
	}
	b.Edit(0, 0, "\n")
	if got := names("func use"); got != "use a b any" {
		t.Errorf("after an edit: %q", got)
	}
}

// TestDeclarationsOfOneFolder: a path is the file of one folder, whatever is known of a longer one of
// that name in another.
func TestDeclarationsOfOneFolder(t *testing.T) {
	b := newBench(t, lanes{}, "package m\n", nil)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "main.go"), []byte(runs), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := b.Session.AddFolders(other); err != nil {
		t.Fatal(err)
	}
	n, at := b.engine.NextEdits, strings.Index(runs, "Run")
	n.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: workspace.URIOf(filepath.Join(other, "main.go")), Span: edits.Span{Start: at, End: at + 3}}, Name: "Run"})
	b.Session.Update(workspace.Opened{URI: "untitled:runs.go", Language: "go", Text: edits.NewText(runs)})
	n.Know(b.Session.Snapshot(), References{Declaration: Reference{URI: "untitled:runs.go", Span: edits.Span{Start: at, End: at + 3}}, Name: "Run"})
	known := n.corpus(b.Session.Snapshot(), b.URI)
	for _, path := range []string{"main.go", "untitled:runs.go"} { // of the second the corpus has no text
		if got := known.Declared(path, edits.Span{End: len(runs)}); len(got) != 0 {
			t.Errorf("%s declares %+v", path, got)
		}
	}
}
