package window

import (
	"path"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/similar"
)

const (
	mostFocus     = 6  // definitions whose relations are followed
	mostCallees   = 10 // of one definition
	mostCallers   = 6  // of one definition, and so many of its tests
	mostSiblings  = 3
	mostUserFiles = 24  // files that are searched for callers
	mostUnrelated = 400 // files that use a name: beyond it the name tells nothing
	mostChanges   = 4   // of the user's last ones, whose users are looked for
)

// What related code is worth, in names that it is expected to explain.
const (
	worthCallee  = 0.9
	worthCaller  = 0.7
	worthTest    = 0.6
	worthSibling = 0.4
)

// A candidate is some code that the window may show because it is related to what the
// request is about.
type candidate struct {
	file index.FileID
	lineRange
	kind   FragmentKind
	reason string
	value  float32 // how sure it is of use, from 0 to 1
}

// relations finds code that is related to what a request is about. It shows nothing.
type relations struct {
	folder *folder
	place  *place
}

// related is what the definitions that a request is about call, who calls them, their tests and
// their siblings.
func (r relations) related(focus []definition) (out []candidate) {
	focus = focus[:min(len(focus), mostFocus)]
	if len(focus) == 0 && r.place.indexed && r.place.text != "" {
		return r.called(r.callsHere(), 1)
	}
	for i, d := range focus {
		part := 1 / float32(1+i)
		if d.Kind.IsFunc() || d.Kind.IsType() {
			out = append(out, r.called(r.callsOf(d), part)...)
		}
		out = append(out, r.callers(d, part)...)
		out = append(out, r.siblings(d, part)...)
	}
	return out
}

// called are the definitions that the names of code mean by the language's rules.
func (r relations) called(u use, part float32) (out []candidate) {
	list := r.callees(u)
	for _, m := range list[:min(len(list), mostCallees)] {
		out = append(out, candidate{file: m.id.File(), lineRange: m.lines(), kind: FragmentDefinition,
			reason: "defines " + m.Name + ", " + u.by, value: worthCallee * part * m.sure})
	}
	return out
}

// users is the code that uses what the user changed last: the definitions around the changes,
// and the names that the changes took away.
func (r relations) users(edited []workspace.RecentEdit) (out []candidate) {
	for i, e := range slices.Backward(edited[max(0, len(edited)-mostChanges):]) {
		rel, ok := r.folder.view.Rel(r.folder.snap.Resolve(e.URI))
		file, indexed := r.folder.ix.FileID(rel)
		if !ok || !indexed {
			continue
		}
		part := 1 / float32(len(edited)-i)
		d, ok := r.folder.holder(file, e.Line+strings.Count(e.New, "\n")/2)
		if !ok {
			continue
		}
		out = append(out, r.callers(d, part)...)
		for _, gone := range similar.NewWords(e.New, e.Old) {
			if n := r.folder.ix.DocFreq(gone); n > 0 && n <= mostUnrelated && !plainWords[strings.ToLower(gone)] {
				d.Name = gone
				out = append(out, r.callers(d, part)...)
			}
		}
	}
	return out
}

// callers is the code that uses a definition: its tests and its other callers.
func (r relations) callers(d definition, part float32) (out []candidate) {
	ix := r.folder.ix
	uses := ix.Uses(d.Name)
	if len(uses) > mostUnrelated || d.Name == "" {
		return nil
	}
	home := r.folder.pathOf(d.id)
	near := func(u index.Use) int {
		rel := ix.Path(u.File)
		switch {
		case rel == home:
			return 0
		case path.Dir(rel) == path.Dir(home):
			return 1
		case imports(ix.Imports(u.File), home):
			return 2
		}
		return 3
	}
	own := r.folder.family(d.id.File())
	uses = slices.DeleteFunc(uses, func(u index.Use) bool { return r.folder.family(u.File) != own })
	distance := make(map[index.FileID]int, len(uses))
	for _, u := range uses {
		distance[u.File] = near(u)
	}
	slices.SortStableFunc(uses, func(x, y index.Use) int { return distance[x.File] - distance[y.File] })
	callers, tests := 0, 0
	for _, u := range uses[:min(len(uses), mostUserFiles)] {
		if d.Container != "" && distance[u.File] == 3 && len(ix.LookupIDs(d.Name)) > 2 {
			continue // a method of many types: the file knows nothing of this one
		}
		for _, x := range r.callsIn(u.File, d) {
			count, worth := &callers, float32(worthCaller)
			if x.kind == FragmentTest {
				count, worth = &tests, worthTest
			}
			if *count == mostCallers {
				continue
			}
			*count++
			x.value = worth * part / float32(*count)
			out = append(out, x)
		}
		if callers == mostCallers && tests == mostCallers {
			break
		}
	}
	return out
}

// imports reports whether imports mean what a file is part of.
func imports(list []language.Import, rel string) bool {
	stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	dir := path.Base(path.Dir(rel))
	return slices.ContainsFunc(list, func(im language.Import) bool {
		last := lastName(im.Path)
		return last == stem || last == dir || im.Name == stem || strings.Contains(im.Path, stem) && len(stem) > 3
	})
}

// callsIn are the definitions of a file that use a name outside its own
// definition, at most two of them.
func (r relations) callsIn(file index.FileID, d definition) (out []candidate) {
	rel := r.folder.ix.Path(file)
	f := r.folder.file(rel)
	if f == nil {
		return nil
	}
	last := 0
	for at := 0; len(out) < 2; {
		i := edits.IndexWord(f.Text()[at:], d.Name, 0)
		if i < 0 {
			break
		}
		line := f.LineAt(at + i)
		at += i + len(d.Name)
		if line <= last || file == d.id.File() && line >= d.DocLine && line <= d.EndLine {
			continue
		}
		lines, in := r.folder.around(file, line)
		if in == d.Name || in == "" && slices.ContainsFunc(r.folder.ix.Imports(file), func(im language.Import) bool { return im.Line == line }) {
			continue
		}
		last = lines.last
		x := candidate{file: file, lineRange: lines, kind: FragmentCaller, reason: "calls " + d.Name}
		if d.Kind.IsType() {
			x.reason = "uses " + d.Name
		}
		if language.IsTest(rel) {
			x.kind, x.reason = FragmentTest, "test of "+d.Name
		}
		out = append(out, x)
	}
	return out
}

// siblings are other implementations of a method.
func (r relations) siblings(d definition, part float32) (out []candidate) {
	if d.Kind != language.KindMethod {
		return nil
	}
	for _, id := range r.folder.definitions(d.Name, r.place.rel) {
		t := r.folder.definition(id)
		if len(out) == mostSiblings {
			break
		}
		if t.Container == "" || t.Container == d.Container || id == d.id || !t.Kind.IsFunc() || t.EndLine-t.DocLine > longestBody ||
			r.folder.family(id.File()) != r.folder.family(d.id.File()) || language.IsTest(r.folder.pathOf(id)) {
			continue
		}
		out = append(out, candidate{file: id.File(), lineRange: t.lines(), kind: FragmentCode,
			reason: "sibling: also implements " + d.Name, value: worthSibling * part / float32(len(out)+1)})
	}
	return out
}
