package window

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/go-diff/diff"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/similar"
)

const (
	mostFocus     = 6   // definitions whose relations are followed
	mostCallees   = 24  // of one definition
	mostCallers   = 6   // of one definition, and so many of its tests
	mostUserFiles = 24  // files that are searched for callers
	mostUnrelated = 400 // files that use a name: beyond it the name tells nothing
	mostChanges   = 4   // the user's last changes whose users are looked for
	declaredLines = 12  // before a cursor whose names are explained
	linesAround   = 20  // around a place in no definition whose callees are related
)

// Values of related code: what the request's code calls, what calls it, and its tests.
const worthCallee, worthCaller, worthTest = 0.8, 0.7, 0.6

// lineNames returns the names of a selection, or of the lines before a cursor without the word
// that is being typed, and the numbers of these lines.
func (f *fill) lineNames() (words []word, first, last int) {
	if p := f.place; p.at.Len() > 0 {
		lines := p.lines()
		return nearest(p.text[p.at.Start:p.at.End], 0), lines.first, lines.last
	}
	last = f.place.line()
	first = max(1, last-declaredLines)
	return nearest(f.place.before(declaredLines), last-first), first, last
}

// declared finds the declarations of what the names of a selection, or before a cursor, mean.
func declared(f *fill) (out []Fragment) {
	if !f.place.indexed || f.place.text == "" {
		return nil
	}
	words, first, last := f.lineNames()
	for _, d := range f.folder.scopeOf(f.place.file).mean(words) {
		inside := d.id.File() == f.place.file && d.StartLine >= first && d.EndLine <= last
		if !inside && !f.shows(f.folder.pathOf(d.id), d.StartLine) {
			out = append(out, f.folder.outline(d, "defines "+d.Name+", used near "+f.place.String())...)
		}
	}
	return out
}

// learned finds declarations for the window after another one.
func learned(f *fill) []Fragment {
	list := declared(f)
	return list[:min(len(list), mostLearned)]
}

// enclosing returns the definitions around the place or selection, except for local ones, the
// innermost last, and those that begin inside the selection.
func (f *fill) enclosing() (out []definition) {
	if !f.place.indexed || f.place.text == "" {
		return nil
	}
	lines := f.place.lines()
	for _, id := range f.folder.ix.DefIDs(f.place.file) {
		d := f.folder.definition(id)
		touched := d.DocLine <= lines.last && d.EndLine >= lines.first
		if touched && !d.Local && d.Kind != language.KindHeading {
			out = append(out, d)
		}
	}
	return out
}

// around finds the definitions that the request's diff changes, those around the place if the
// answer replaces them, and the types of their methods.
func around(f *fill) (out []Fragment) {
	if !f.place.indexed {
		return nil
	}
	files, _ := diff.ParseMultiFileDiff([]byte(f.req.Diff)) // what is no diff changes nothing that is known
	for _, file := range files {
		if name := strings.TrimPrefix(file.NewName, "b/"); name != "" && name != f.place.rel {
			continue
		}
		for _, h := range file.Hunks {
			for at := int(h.NewStartLine); at < int(h.NewStartLine+max(h.NewLines, 1)); at++ {
				if d, ok := f.folder.holder(f.place.file, at); ok {
					out = append(out, f.folder.body(d, "defines "+d.Name+", which the changes touch"))
					f.focus = append(f.focus, d)
					at = max(at, d.EndLine)
				}
			}
		}
	}
	for _, d := range f.enclosing() {
		out = append(out, f.receiver(d)...)
		if f.purpose.replaces {
			out = append(out, f.folder.body(d, "defines "+d.Name+", which the request is about"))
		}
	}
	return out
}

// receiver returns the type of a member: whole, or its outline if the member is inside.
func (f *fill) receiver(d definition) []Fragment {
	if d.Container == "" || d.Kind.IsType() {
		return nil
	}
	for _, t := range f.folder.scopeOf(f.place.file).mean([]word{{text: lastName(d.Container)}}) {
		own := t.id.File() == f.place.file
		switch {
		case !t.Kind.IsType() || f.req.Alone && !own:
			continue
		case own && t.StartLine <= d.StartLine && d.EndLine <= t.EndLine:
			return f.folder.outline(t, "defines "+t.Name+", which encloses "+f.place.String())
		}
		return []Fragment{f.folder.body(t, "defines "+t.Name+", the type of "+d.Name)}
	}
	return nil
}

// ownFile finds the document's imports, and the signatures of its definitions: those that the
// lines near the place use, or all if the answer may change the document.
func ownFile(f *fill) (out []Fragment) {
	if !f.place.indexed || f.place.text == "" {
		return nil
	}
	for _, im := range f.folder.ix.Imports(f.place.file) {
		if last := len(out) - 1; last >= 0 && im.Line >= out[last].StartLine && im.Line <= out[last].EndLine+1 {
			out[last].EndLine = max(im.Line, out[last].EndLine)
		} else {
			out = append(out, Fragment{Path: f.place.rel, StartLine: im.Line, EndLine: im.Line, Kind: FragmentImport, Reason: "imported by " + f.place.name})
		}
	}
	used := map[string]bool{}
	eachWord(f.place.before(2*nearLines)+f.place.after(2*nearLines), func(w word, _ int) { used[w.text] = true })
	for _, id := range f.folder.ix.DefIDs(f.place.file) {
		d := f.folder.definition(id)
		if why := "defines " + d.Name + ", used near " + f.place.String(); !d.Local && used[d.Name] {
			out = f.folder.signature(out, d, why)
		} else if !d.Local && f.purpose.replaces {
			out = f.folder.signature(out, d, "defines "+d.Name+", in the file of the request")
		}
	}
	return out
}

// A candidate is related code and its value, from 0 to 1.
type candidate struct {
	Fragment
	value float32
}

// densest returns the fragments of candidates, those of most value for their length first.
func densest(list []candidate) (out []Fragment) {
	density := func(c candidate) float32 { return c.value / float32(c.EndLine-c.StartLine+2) }
	slices.SortStableFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(density(y), density(x)), cmp.Compare(x.Path, y.Path), cmp.Compare(x.StartLine, y.StartLine))
	})
	for _, c := range list {
		out = append(out, c.Fragment)
	}
	return out
}

// related finds what the code that the request is about calls, its callers and its tests.
func related(f *fill) []Fragment {
	focus := f.focus
	for _, d := range slices.Backward(f.enclosing()) { // the method before its class
		focus = append(focus, d)
	}
	var out []candidate
	if len(focus) == 0 && f.place.indexed && f.place.text != "" {
		line := f.place.line()
		out = f.callees(f.place.file, max(1, line-linesAround), line+linesAround, "used near "+f.place.String(), 1)
	}
	for i, d := range focus[:min(len(focus), mostFocus)] {
		part := 1 / float32(1+i)
		if d.Kind.IsFunc() || d.Kind.IsType() {
			out = append(out, f.callees(d.id.File(), d.StartLine, d.EndLine, "used by "+d.Name, part)...)
		}
		out = append(out, f.callers(d, part)...)
	}
	return densest(out)
}

// callees returns the definitions that the names of some code mean, those nearest to the place
// first.
func (f *fill) callees(file index.FileID, first, last int, by string, part float32) (out []candidate) {
	source := f.folder.file(f.folder.ix.Path(file))
	if source == nil {
		return nil
	}
	near := first
	if line := f.place.line(); file == f.place.file && first <= line && line <= last {
		near = line
	}
	for _, d := range f.folder.scopeOf(file).mean(nearest(source.Raw(first, min(last, source.LineCount())), near-first)) {
		inside := d.id.File() == file && d.StartLine >= first && d.EndLine <= last
		if !inside && d.EndLine-d.DocLine <= longestBody {
			out = append(out, candidate{f.folder.body(d, "defines "+d.Name+", "+by), worthCallee * part})
		}
	}
	return out[:min(len(out), mostCallees)]
}

// callers returns the code that uses a definition, its tests included.
func (f *fill) callers(d definition, part float32) (out []candidate) {
	ix, home := f.folder.ix, f.folder.pathOf(d.id)
	uses := ix.Uses(d.Name)
	if len(uses) > mostUnrelated || d.Name == "" {
		return nil
	}
	family := f.folder.family(d.id.File())
	uses = slices.DeleteFunc(uses, func(u index.Use) bool { return f.folder.family(u.File) != family })
	far := make(map[index.FileID]int, len(uses))
	for _, u := range uses {
		far[u.File] = f.folder.distance(u.File, home)
	}
	slices.SortStableFunc(uses, func(x, y index.Use) int { return far[x.File] - far[y.File] })
	count := map[FragmentKind]int{}
	for _, u := range uses[:min(len(uses), mostUserFiles)] {
		if d.Container != "" && far[u.File] == 3 && len(ix.LookupIDs(d.Name)) > 2 {
			continue // a name of many types, in a file that does not know this one
		}
		for _, c := range f.callsIn(u.File, d) {
			worth := float32(worthCaller)
			if c.Kind == FragmentTest {
				worth = worthTest
			}
			if count[c.Kind] < mostCallers {
				count[c.Kind]++
				out = append(out, candidate{c, worth * part / float32(count[c.Kind])})
			}
		}
	}
	return out
}

// distance ranks a file by its relation to another: 0 for the same, 1 for one in its folder, 2
// for one that imports it, 3 for others.
func (f *folder) distance(id index.FileID, from string) int {
	stem, dir := strings.TrimSuffix(path.Base(from), path.Ext(from)), path.Base(path.Dir(from))
	switch rel := f.ix.Path(id); {
	case rel == from:
		return 0
	case path.Dir(rel) == path.Dir(from):
		return 1
	case slices.ContainsFunc(f.ix.Imports(id), func(im language.Import) bool {
		last := lastName(im.Path)
		return last == stem || last == dir || im.Name == stem
	}):
		return 2
	}
	return 3
}

// callsIn returns at most two definitions of a file that use a definition.
func (f *fill) callsIn(file index.FileID, d definition) (out []Fragment) {
	rel := f.folder.ix.Path(file)
	source := f.folder.file(rel)
	if source == nil {
		return nil
	}
	kind, reason := FragmentCaller, "calls "+d.Name
	switch {
	case language.IsTest(rel):
		kind, reason = FragmentTest, "test of "+d.Name
	case d.Kind.IsType():
		reason = "uses " + d.Name
	}
	last := 0
	for at := 0; len(out) < 2; {
		i := edits.IndexWord(source.Text()[at:], d.Name, 0)
		if i < 0 {
			break
		}
		line := source.LineAt(at + i)
		at += i + len(d.Name)
		if line <= last || file == d.id.File() && line >= d.DocLine && line <= d.EndLine {
			continue
		}
		c, in := f.folder.lines(file, line)
		imported := slices.ContainsFunc(f.folder.ix.Imports(file), func(im language.Import) bool { return im.Line == line })
		if in.Name == d.Name || in.Name == "" && imported {
			continue
		}
		c.Kind, c.Reason, last = kind, reason, c.EndLine
		out = append(out, c)
	}
	return out
}

// users finds the code that uses what the user changed last: the definitions around the
// changes, and the names that the changes removed.
func users(f *fill) []Fragment {
	var out []candidate
	edited := f.folder.snap.RecentEdits(f.place.uri)
	edited = edited[max(0, len(edited)-mostChanges):]
	for i, e := range slices.Backward(edited) {
		if f.folder.view == nil {
			break
		}
		at, _ := f.folder.view.Rel(f.folder.snap.Resolve(e.URI))
		file, indexed := f.folder.ix.FileID(at.String())
		if !indexed {
			continue
		}
		d, ok := f.folder.holder(file, e.Line+strings.Count(e.New, "\n")/2)
		if !ok {
			continue
		}
		part := 1 / float32(len(edited)-i)
		out = append(out, f.callers(d, part)...)
		for _, gone := range similar.NewWords(e.New, e.Old) {
			if d.Name = gone; !plainWords[strings.ToLower(gone)] {
				out = append(out, f.callers(d, part)...)
			}
		}
	}
	return densest(out)
}
