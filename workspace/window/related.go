package window

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/redact"
	"tandem/workspace/similar"
)

const (
	mostFocus     = 6  // definitions whose relations are followed
	mostCallees   = 10 // of one definition
	mostCallers   = 6  // of one definition, and so many of its tests
	mostSiblings  = 3
	mostUserFiles = 24  // files that are searched for callers
	aroundCall    = 8   // lines on either side of a call in code that is too long to be shown
	mostUnrelated = 400 // files that use a name: beyond it the name tells nothing
)

// What related code is worth, in names that it is expected to explain.
const (
	worthCallee  = 0.9
	worthCaller  = 0.7
	worthTest    = 0.6
	worthSibling = 0.4
)

// An outliner shows what belongs to the place, the selection or the changes.
type outliner struct{ *builder }

// A focus is a definition that a request is about.
type focus struct {
	id index.DefID
	index.Brief
}

// enclosing are the definitions that hold the place or the selection and are no
// local ones, the innermost last, and those that begin inside the selection.
func (b *builder) enclosing() []focus {
	if !b.known || b.text == "" {
		return nil
	}
	first := 1 + strings.Count(b.text[:b.at.Start], "\n")
	last := first + strings.Count(strings.TrimSuffix(b.text[b.at.Start:b.at.End], "\n"), "\n")
	var out []focus
	for _, id := range b.ix.DefIDs(b.self) {
		d := b.ix.Brief(id)
		if d.StartLine > last+longestComment {
			break
		}
		if !d.Local && d.Kind != language.KindHeading && d.DocLine <= last && d.EndLine >= first {
			out = append(out, focus{id, d})
		}
	}
	return out
}

// longestComment is how many lines a comment above a definition may have that belongs
// to it.
const longestComment = 100

// addEnclosing shows the type that the place's method belongs to, the document's imports and
// what else of the document the place uses, as far as it lies outside the
// region.
func (b *outliner) addEnclosing() {
	if !b.known || b.view == nil || b.text == "" {
		return
	}
	f := b.file(b.rel)
	if f == nil {
		return
	}
	for _, d := range b.enclosing() {
		b.showReceiver(d)
		if b.purpose.replaces {
			b.showBody(d, "defines "+d.Name+", which the request is about", FragmentDefinition, b.left/2)
		}
	}
	left := min(b.budget*b.purpose.own/100, 3000)
	left -= b.showImports(f, left/2)
	b.showUsed(f, left)
}

// showReceiver shows the type that a member belongs to, whole where it is short.
func (b *outliner) showReceiver(d focus) {
	if d.Container == "" || d.Kind.IsType() {
		return
	}
	owner := lastDotted(d.Container)
	for _, id := range b.definitions(owner) {
		t := b.ix.Brief(id)
		if !t.Kind.IsType() || !b.reachable(id, t) || b.req.Alone && id.File() != b.self || path.Dir(b.ix.Path(id.File())) != path.Dir(b.rel) && b.language == "go" {
			continue
		}
		if id.File() == b.self && t.StartLine <= d.StartLine && d.EndLine <= t.EndLine {
			b.showOutline(focus{id, t}, "defines "+owner+", which encloses "+b.place(), b.budget*b.purpose.own/100)
		} else {
			b.showBody(focus{id, t}, "defines "+owner+", the type of "+d.Name, FragmentDefinition, b.budget/6)
		}
		return
	}
}

func lastDotted(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// definitions are those of a name, those near the place first.
func (b *builder) definitions(name string) []index.DefID {
	ids := b.ix.LookupIDs(name, nil)
	near := func(id index.DefID) int {
		switch rel := b.ix.Path(id.File()); {
		case rel == b.rel:
			return 0
		case b.rel != "" && path.Dir(rel) == path.Dir(b.rel):
			return 1
		case language.IsTest(rel):
			return 3
		}
		return 2
	}
	slices.SortStableFunc(ids, func(x, y index.DefID) int { return near(x) - near(y) })
	return ids
}

// showBody shows a definition with its comment and body, or its outline where the
// body does not fit into most tokens.
func (b *builder) showBody(d focus, reason string, kind FragmentKind, most int) (taken int, ok bool) {
	rel := b.ix.Path(d.id.File())
	f := b.file(rel)
	if f == nil || d.DocLine < 1 {
		return 0, false
	}
	last := min(d.EndLine, f.LineCount())
	if taken, ok = b.choose(rel, choice{first: d.DocLine, last: last, kind: kind, reason: reason, asked: true, text: b.secrets.Lines(f, d.DocLine, last)}, most); ok {
		return taken, true
	}
	return b.showOutline(d, reason, most)
}

// showOutline shows a definition's signature and, of a type, those of its members.
func (b *builder) showOutline(d focus, reason string, most int) (taken int, ok bool) {
	rel := b.ix.Path(d.id.File())
	add := func(id index.DefID, line int, why string) {
		text := clip(b.ix.SigText(id))
		if text == "" || b.shows(rel, line) {
			return
		}
		n, chosen := b.choose(rel, choice{first: line, last: line + countLines(text) - 1, kind: FragmentDefinition, reason: why, text: b.secrets.Redact(text)}, most-taken)
		taken += n
		ok = ok || chosen
	}
	add(d.id, d.StartLine, reason)
	if !d.Kind.IsType() {
		return taken, ok
	}
	for _, id := range b.ix.DefIDs(d.id.File()) {
		m := b.ix.Brief(id)
		if m.StartLine > d.StartLine && m.EndLine <= d.EndLine && !m.Local && taken < most {
			add(id, m.StartLine, "defines "+m.Name+", of "+d.Name)
		}
	}
	return taken, ok
}

// place is the place as path:line.
func (b *builder) place() string {
	return b.name + ":" + strconv.Itoa(1+strings.Count(b.text[:b.at.Start], "\n"))
}

// showImports shows the lines with the document's imports.
func (b *outliner) showImports(f *redact.Source, most int) (taken int) {
	first, last := 0, 0
	put := func() {
		if first > 0 {
			n, _ := b.choose(b.name, choice{first: first, last: last, kind: FragmentImport, reason: "imported by " + b.name, text: b.secrets.Lines(f, first, last)}, most-taken)
			taken += n
		}
	}
	for _, im := range b.ix.Imports(b.self) {
		sp := f.Lines(im.Line, im.Line)
		switch {
		case im.Line < 1 || im.Line <= last || sp.Len() == 0 || sp.Len() > longSignature:
		case im.Line == last+1 && first > 0:
			last = im.Line
		default:
			put()
			first, last = im.Line, im.Line
		}
	}
	put()
	return taken
}

// nearLines is how far from the place a use of the document's own definitions
// counts.
const nearLines = 40

// showUsed shows the signatures of the document's own definitions that the lines
// near the place use; where an answer may change the document, of all of them.
func (b *outliner) showUsed(f *redact.Source, most int) {
	at := f.LineAt(b.at.Start)
	names := map[string]bool{}
	text, place := b.query()
	eachWordIn(text[max(0, place-largeMargin):min(len(text), place+largeMargin)], func(w string) { names[w] = true })
	for _, id := range b.ix.DefIDs(b.self) {
		d := b.ix.Brief(id)
		if d.Local || d.StartLine < 1 || b.shows(b.name, d.StartLine) || !b.purpose.replaces && !names[d.Name] {
			continue
		}
		why := "defines " + d.Name + ", in the file of the request"
		if names[d.Name] {
			why = "defines " + d.Name + ", used near " + b.name + ":" + strconv.Itoa(at)
		}
		text := clip(b.ix.SigText(id))
		taken, _ := b.choose(b.name, choice{first: d.StartLine, last: d.StartLine + countLines(text) - 1, kind: FragmentDefinition, reason: why, text: b.secrets.Redact(text)}, most)
		if most -= taken; most < overhead {
			return
		}
	}
}

// relations finds code that is related to what a request is about, and makes it candidates.
type relations struct{ *picker }

// addRelated makes candidates of what the request's definitions call, of who
// calls them, of their tests and of their siblings.
func (p relations) addRelated() {
	list := p.focus[:min(len(p.focus), mostFocus)]
	if len(list) == 0 && p.known && p.text != "" {
		p.addCallees(p.callsHere(), 1)
	}
	for i, d := range list {
		part := 1 / float32(1+i)
		if d.Kind.IsFunc() || d.Kind.IsType() {
			p.addCallees(p.callsOf(d), part)
		}
		p.addCallers(d, part)
		p.addSiblings(d, part)
	}
}

// addUsers makes candidates of the code that uses what the user changed last: the
// definitions around the changes, and the names that the changes took away.
func (p relations) addUsers() {
	list := p.recentEdits()
	for i, e := range slices.Backward(list[max(0, len(list)-mostChanges):]) {
		rel, ok := p.view.Rel(p.snap.Resolve(e.URI))
		file, known := p.ix.FileID(rel)
		if !ok || !known {
			continue
		}
		part := 1 / float32(len(list)-i)
		d, ok := p.holder(file, e.Line+strings.Count(e.New, "\n")/2)
		if !ok {
			continue
		}
		p.addCallers(d, part)
		for _, gone := range similar.NewWords(e.New, e.Old) {
			if n := p.ix.DocFreq(gone); n > 0 && n <= mostUnrelated && !plainWords[strings.ToLower(gone)] {
				d.Name = gone
				p.addCallers(d, part)
			}
		}
	}
}

// mostChanges is how many of the last changes' users are looked for.
const mostChanges = 4

// addCallers makes candidates of the code that uses a definition: its tests and
// its other callers.
func (p relations) addCallers(d focus, part float32) {
	uses := p.ix.Uses(d.Name)
	if len(uses) > mostUnrelated || d.Name == "" {
		return
	}
	home := p.ix.Path(d.id.File())
	own := language.Family(p.ix.Language(d.id.File()))
	near := func(u index.Use) int {
		rel := p.ix.Path(u.File)
		switch {
		case rel == home:
			return 0
		case path.Dir(rel) == path.Dir(home):
			return 1
		case p.imports(u.File, home):
			return 2
		}
		return 3
	}
	uses = slices.DeleteFunc(uses, func(u index.Use) bool { return language.Family(p.ix.Language(u.File)) != own })
	distance := make(map[index.FileID]int, len(uses))
	for _, u := range uses {
		distance[u.File] = near(u)
	}
	slices.SortStableFunc(uses, func(x, y index.Use) int { return distance[x.File] - distance[y.File] })
	callers, tests := 0, 0
	for _, u := range uses[:min(len(uses), mostUserFiles)] {
		if d.Container != "" && distance[u.File] == 3 && len(p.ix.LookupIDs(d.Name, nil)) > 2 {
			continue // a method of many types: the file knows nothing of this one
		}
		for _, x := range p.callsIn(u.File, d) {
			count, most, worth := &callers, mostCallers, float32(worthCaller)
			if x.kind == FragmentTest {
				count, worth = &tests, worthTest
			}
			if *count == most {
				continue
			}
			*count++
			x.value = worth * part / float32(*count)
			p.list = append(p.list, x)
		}
		if callers == mostCallers && tests == mostCallers {
			return
		}
	}
}

// imports reports whether a file imports what another file is part of.
func (b relations) imports(file index.FileID, rel string) bool {
	stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	dir := path.Base(path.Dir(rel))
	for _, im := range b.ix.Imports(file) {
		last := im.Path
		if i := strings.LastIndexAny(last, "/.:"); i >= 0 {
			last = last[i+1:]
		}
		if last == stem || last == dir || im.Name == stem || strings.Contains(im.Path, stem) && len(stem) > 3 {
			return true
		}
	}
	return false
}

// callsIn are the definitions of a file that use a name outside its own
// definition, at most two of them.
func (p relations) callsIn(file index.FileID, d focus) []candidate {
	rel := p.ix.Path(file)
	f := p.file(rel)
	if f == nil {
		return nil
	}
	var out []candidate
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
		first, end, in := p.around(file, line)
		if in == d.Name || in == "" && importLine(p.ix, file, line) {
			continue
		}
		last = end
		x := candidate{file: file, first: first, last: end, kind: FragmentCaller, reason: "calls " + d.Name, lines: end - first + 1}
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

func importLine(ix *index.Index, file index.FileID, line int) bool {
	return slices.ContainsFunc(ix.Imports(file), func(im language.Import) bool { return im.Line == line })
}

// around is the definition that holds a line, or some lines around it where that
// is too long or where there is none; in is its name.
func (b *builder) around(file index.FileID, line int) (first, last int, in string) {
	d, ok := b.holder(file, line)
	if ok && d.EndLine-d.DocLine <= longestBody {
		return d.DocLine, d.EndLine, d.Name
	}
	return max(1, line-aroundCall), line + aroundCall, d.Name
}

// holder is the innermost function, or else the innermost definition, that has a line.
func (b *builder) holder(file index.FileID, line int) (focus, bool) {
	var best focus
	found := false
	for id, d := range b.outline(file).Around(line) {
		switch {
		case d.Local || d.Kind == language.KindField || d.Kind == language.KindEnumMember:
		case d.Kind.IsFunc():
			return focus{id, d}, true
		case !found:
			best, found = focus{id, d}, true
		}
	}
	return best, found
}

// outline is a file's outline, made once for a window.
func (b *builder) outline(file index.FileID) *index.Outline {
	o := b.outlines[file]
	if o == nil {
		o = index.NewOutline(b.ix, file)
		b.outlines[file] = o
	}
	return o
}

// addSiblings makes candidates of other implementations of a method.
func (p relations) addSiblings(d focus, part float32) {
	if d.Kind != language.KindMethod {
		return
	}
	n := 0
	for _, id := range p.definitions(d.Name) {
		t := p.ix.Brief(id)
		if n == mostSiblings {
			return
		}
		if t.Container == "" || t.Container == d.Container || id == d.id || !t.Kind.IsFunc() || t.EndLine-t.DocLine > longestBody ||
			language.Family(p.ix.Language(id.File())) != language.Family(p.ix.Language(d.id.File())) || language.IsTest(p.ix.Path(id.File())) {
			continue
		}
		n++
		p.list = append(p.list, candidate{file: id.File(), first: t.DocLine, last: t.EndLine, kind: FragmentCode,
			reason: "sibling: also implements " + d.Name, value: worthSibling * part / float32(n), lines: t.EndLine - t.DocLine + 1})
	}
}
