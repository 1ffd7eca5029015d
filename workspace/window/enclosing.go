package window

import (
	"path"
	"slices"
	"strings"

	"github.com/sourcegraph/go-diff/diff"

	"tandem/workspace/language"
	"tandem/workspace/redact"
)

// An outliner shows what the place and the changes belong to, and what the place uses of its
// document.
type outliner struct {
	place   *place
	folder  *folder
	purpose purpose
	alone   bool // nothing of other files is shown
	window  *builder
}

// addChanged shows the definitions that a unified diff changes, whole. What a request is about are they
// and those that the place is in, after those that it was about before.
func (o *outliner) addChanged(changes string, focus []definition) []definition {
	if !o.place.indexed {
		return focus
	}
	add := func(d definition) {
		if !slices.ContainsFunc(focus, func(old definition) bool { return old.id == d.id }) {
			focus = append(focus, d)
		}
	}
	for _, lines := range changedLines(changes, o.place.rel) {
		for line := lines.first; line <= lines.last; line++ {
			d, ok := o.folder.holder(o.place.file, line)
			if !ok {
				continue
			}
			o.window.showBody(d, "defines "+d.Name+", which the changes touch", o.window.left/2)
			add(d)
			line = max(line, d.EndLine)
		}
	}
	if o.purpose.related && len(focus) < mostFocus {
		for _, d := range innermostFirst(o.enclosing()) {
			add(d)
		}
	}
	return focus
}

// changedLines are the lines of a file that a diff has changed.
func changedLines(text, rel string) (out []lineRange) {
	files, err := diff.ParseMultiFileDiff([]byte(text))
	if err != nil {
		return nil
	}
	for _, f := range files {
		if name := strings.TrimPrefix(f.NewName, "b/"); name != "" && name != rel {
			continue
		}
		for _, h := range f.Hunks {
			out = append(out, lineRange{int(h.NewStartLine), int(h.NewStartLine + max(h.NewLines-1, 0))})
		}
	}
	return out
}

// innermostFirst moves each definition that holds the one after it behind all that
// hold none: a request inside a method is about the method before its class.
func innermostFirst(list []definition) []definition {
	var out, outer []definition
	for i, d := range list {
		if i+1 < len(list) && list[i+1].StartLine >= d.StartLine && list[i+1].EndLine <= d.EndLine {
			outer = append(outer, d)
		} else {
			out = append(out, d)
		}
	}
	slices.Reverse(outer)
	return append(out, outer...)
}

// enclosing are the definitions that hold the place or the selection and are no
// local ones, the innermost last, and those that begin inside the selection.
func (o *outliner) enclosing() []definition {
	if !o.place.indexed || o.place.text == "" {
		return nil
	}
	lines := o.place.lines()
	var out []definition
	for _, id := range o.folder.ix.DefIDs(o.place.file) {
		d := o.folder.definition(id)
		if d.StartLine > lines.last+longestComment {
			break
		}
		if !d.Local && d.Kind != language.KindHeading && d.DocLine <= lines.last && d.EndLine >= lines.first {
			out = append(out, d)
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
func (o *outliner) addEnclosing() {
	if !o.place.indexed || o.place.text == "" {
		return
	}
	f := o.folder.file(o.place.rel)
	if f == nil {
		return
	}
	for _, d := range o.enclosing() {
		o.showReceiver(d)
		if o.purpose.replaces {
			o.window.showBody(d, "defines "+d.Name+", which the request is about", o.window.left/2)
		}
	}
	left := min(o.window.budget*o.purpose.own/100, 3000)
	left -= o.showImports(f, left/2)
	o.showUsed(left)
}

// showReceiver shows the type that a member belongs to, whole where it is short.
func (o *outliner) showReceiver(d definition) {
	if d.Container == "" || d.Kind.IsType() {
		return
	}
	owner := lastDotted(d.Container)
	for _, id := range o.folder.definitions(owner, o.place.rel) {
		t := o.folder.definition(id)
		own := id.File() == o.place.file
		rel := o.folder.pathOf(id)
		if !t.Kind.IsType() || !o.folder.reaches(o.place.file, t) || o.alone && !own || path.Dir(rel) != path.Dir(o.place.rel) && o.folder.ix.Language(o.place.file) == "go" {
			continue
		}
		if own && t.StartLine <= d.StartLine && d.EndLine <= t.EndLine {
			o.window.showOutline(t, "defines "+owner+", which encloses "+o.place.String(), o.window.budget*o.purpose.own/100)
		} else {
			o.window.showBody(t, "defines "+owner+", the type of "+d.Name, o.window.budget/6)
		}
		return
	}
}

func lastDotted(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// showImports shows the lines with the document's imports.
func (o *outliner) showImports(f *redact.Source, most int) (taken int) {
	first, last := 0, 0
	put := func() {
		if first > 0 {
			n, _ := o.window.chooseLines(o.place.rel, choice{first: first, last: last, kind: FragmentImport, reason: "imported by " + o.place.name}, most-taken)
			taken += n
		}
	}
	for _, im := range o.folder.ix.Imports(o.place.file) {
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

// showUsed shows the signatures of the document's own definitions that the lines
// near the place use; where an answer may change the document, of all of them.
func (o *outliner) showUsed(most int) {
	names := map[string]bool{}
	text, _ := o.place.near(largeMargin)
	eachWordIn(text, func(w string) { names[w] = true })
	for _, id := range o.folder.ix.DefIDs(o.place.file) {
		d := o.folder.definition(id)
		if d.Local || d.StartLine < 1 || o.window.shows(o.place.rel, d.StartLine) || !o.purpose.replaces && !names[d.Name] {
			continue
		}
		why := "defines " + d.Name + ", in the file of the request"
		if names[d.Name] {
			why = "defines " + d.Name + ", used near " + o.place.String()
		}
		taken, _ := o.window.showSignature(d, why, most)
		if most -= taken; most < overhead {
			return
		}
	}
}

// showDeclared shows how what the names of a selection, or before a cursor, mean is declared in
// other files, with at most so many tokens.
func (o *outliner) showDeclared(most int) {
	if !o.place.indexed || o.place.text == "" {
		return
	}
	r := relations{o.folder, o.place}
	u := r.callsHere()
	u.lines = lineRange{max(1, u.near-declaredLines), u.near}
	if chosen := strings.TrimRight(o.place.text[o.place.at.Start:o.place.at.End], "\n"); chosen != "" {
		u.lines = lineRange{u.near, u.near + strings.Count(chosen, "\n")}
	}
	for _, m := range r.callees(u) {
		if most < leastLeft {
			return
		}
		if m.id.File() == o.place.file {
			continue
		}
		taken, _ := o.window.showOutline(m.definition, "defines "+m.Name+", "+u.by, most)
		most -= taken
	}
}

// declaredLines is how many lines before a cursor have the names whose declarations are shown.
const declaredLines = 12
