package ask

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// How many items of each kind a Symbol lists.
const (
	maxDefined = 3
	maxUsers   = 4
)

// historyTime bounds how long the history is searched for a symbol.
const historyTime = 300 * time.Millisecond

// Symbol returns at once what the index holds about the name at a place. It is false if
// there is no name or the index does not have it; a Symbol with a Name says which. What the language's own hover shows, too,
// is there only where the user wants it.
func (a *Asker) Symbol(snap *workspace.Snapshot, p core.Place) (Symbol, bool) {
	o, err := core.OpenAt(snap, p)
	if err != nil || snap.View(p.URI) == nil {
		return Symbol{}, false
	}
	span := nameAt(o.Text, p.Offset)
	name := o.Text.Slice(span)
	folders := snap.Around(p.URI)
	at := slices.IndexFunc(folders, func(v *workspace.View) bool { return len(v.Index().LookupIDs(name)) > 0 })
	if name == "" || at < 0 {
		return Symbol{Name: name}, false
	}
	view := folders[at]
	ix := view.Index()
	defs := ix.Lookup(name)
	abs, _ := workspace.PathOf(p.URI)
	here, _ := view.Rel(abs) // the root for a document of another folder
	qualifier := qualifierBefore(o.Text, span.Start)
	rankDefs(ix, defs, here.String(), qualifier)
	best := defs[0]
	s := Symbol{
		Name: name, Span: span, Kind: best.Kind.String(), Language: ix.Language(best.File), first: best.StartLine, last: best.EndLine,
	}
	if a.Wanted.Preferences(o.Language).HoverDocumentation {
		s.Signature, s.Doc = strings.TrimRight(ix.SigText(best.ID), "\n"), docOf(snap, view, ix, best)
	}
	for _, d := range defs[:min(len(defs), maxDefined)] {
		s.Defined = append(s.Defined, place(snap, view, d.File, d.StartLine))
	}
	for _, v := range folders {
		s.count(snap, v)
	}
	return s, true
}

// LastChange tells which commit changed the definition of a symbol last; "" where that is not
// known: it has changed since, or its history is too long to be read while a person waits.
func (a *Asker) LastChange(ctx context.Context, snap *workspace.Snapshot, s Symbol) string {
	if len(s.Defined) == 0 {
		return ""
	}
	f, err := snap.File(s.Defined[0].URI)
	if err != nil {
		return ""
	}
	text := f.Raw()
	if s.first < 1 || s.last < s.first || s.last > text.LineCount() {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	file, _ := workspace.PathOf(s.Defined[0].URI)
	repo, err := git.Open(ctx, filepath.Dir(file))
	if err != nil {
		return ""
	}
	defer repo.Close()
	name, err := filepath.Rel(repo.Root, file)
	if err != nil {
		return ""
	}
	c, ok := repo.LastChange(ctx, filepath.ToSlash(name), text.Slice(edits.Span{Start: text.LineStart(s.first - 1), End: text.LineEnd(s.last - 1)}))
	if !ok {
		return ""
	}
	return c.Time.Format(time.DateOnly) + ": " + c.Subject
}

// nameAt returns the span of the identifier around an offset, or an empty span.
func nameAt(text edits.Text, at int) edits.Span {
	line := text.LineOf(at)
	start, end := text.LineStart(line), text.LineEnd(line)
	s := text.Slice(edits.Span{Start: start, End: end})
	from := min(at-start, len(s))
	to := from
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:from])
		if !inName(r) {
			break
		}
		from -= n
	}
	for to < len(s) {
		r, n := utf8.DecodeRuneInString(s[to:])
		if !inName(r) {
			break
		}
		to += n
	}
	return edits.Span{Start: start + from, End: start + to}
}

func inName(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// qualifierBefore returns the name before a dot in front of start.
func qualifierBefore(text edits.Text, start int) string {
	line := text.LineStart(text.LineOf(start))
	before := text.Slice(edits.Span{Start: line, End: start})
	before, ok := strings.CutSuffix(before, ".")
	if !ok {
		return ""
	}
	from := strings.LastIndexFunc(before, func(r rune) bool { return !inName(r) })
	return before[from+1:]
}

// rankDefs orders the definitions of a name by how likely the code means them: members of the
// name before the dot, then those of the same file and folder, then as they rank anywhere.
func rankDefs(ix *index.Index, defs []index.Def, here, qualifier string) {
	score := func(d index.Def) int {
		file, n := ix.Path(d.File), remoteness(ix, d)
		if qualifier != "" && (strings.EqualFold(d.Owner(), qualifier) || strings.EqualFold(path.Base(path.Dir(file)), qualifier)) {
			n -= 128
		}
		switch {
		case file == here:
			n -= 64
		case path.Dir(file) == path.Dir(here):
			n -= 32
		}
		return n
	}
	slices.SortStableFunc(defs, func(a, b index.Def) int { return cmp.Compare(score(a), score(b)) })
}

// docOf returns the comment above a definition, without its comment marks.
func docOf(snap *workspace.Snapshot, view *workspace.View, ix *index.Index, d index.Def) string {
	if d.DocLine >= d.StartLine {
		return ""
	}
	f, err := snap.File(view.Abs(ix.Path(d.File)))
	if err != nil {
		return ""
	}
	text := f.Raw()
	doc := text.Slice(edits.Span{Start: text.LineStart(d.DocLine - 1), End: text.LineStart(d.StartLine - 1)})
	var out []string
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#[") {
			continue
		}
		line = strings.TrimSpace(strings.Trim(strings.TrimPrefix(strings.TrimLeft(line, "/*#"), "!"), "*/"))
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// count adds the uses of the name in a folder outside of tests and in them, its definitions not
// counted, and its implementations. The file of the definition is counted, and not named.
func (s *Symbol) count(snap *workspace.Snapshot, view *workspace.View) {
	ix := view.Index()
	defined := map[index.FileID]int{}
	for _, d := range ix.Lookup(s.Name) {
		defined[d.File]++
	}
	for _, u := range ix.Uses(s.Name) {
		into := &s.Used
		if language.IsTest(ix.Path(u.File)) {
			into = &s.Tested
		}
		into.add(u.Count-defined[u.File], func() (Citation, bool) {
			line, ok := firstUse(snap, view.Abs(ix.Path(u.File)), s.Name)
			at := place(snap, view, u.File, line)
			return at, ok && at.URI != s.Defined[0].URI
		})
	}
	for _, d := range index.Implementations(ix, s.Name) {
		s.Implementations.add(1, func() (Citation, bool) { return place(snap, view, d.File, d.StartLine), true })
	}
}

// add counts places of one file; first is the first of them, false where it is not named.
func (u *Uses) add(places int, first func() (Citation, bool)) {
	if places <= 0 {
		return
	}
	u.Places += places
	u.Files++
	if len(u.First) == maxUsers {
		return
	}
	if c, ok := first(); ok {
		u.First = append(u.First, c)
	}
}

// firstUse returns the first line whose code has a name.
func firstUse(snap *workspace.Snapshot, file, name string) (int, bool) {
	f, err := snap.File(file)
	if err != nil {
		return 0, false
	}
	for u := range usesIn(f.Content(), name) {
		return u.line, true
	}
	return 0, false
}

func place(snap *workspace.Snapshot, view *workspace.View, f index.FileID, line int) Citation {
	abs := view.Abs(view.Index().Path(f))
	return Citation{Path: snap.Name(abs), URI: workspace.URIOf(abs), Line: line}
}
