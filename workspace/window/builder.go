package window

import (
	"tandem/workspace/redact"
)

// A builder holds what a window shows so far, within its budget. It decides how code is shown
// and whether it fits, and not what is worth showing.
type builder struct {
	folder   *folder
	costs    *costs
	secrets  *redact.Redactor
	numbered bool // every line has its number before it
	typing   bool // of choices, the file that was chosen first stands next to the region
	ranked   bool // or it comes first, and not in the order of paths

	budget, left int
	reserved     int // for what is typed after this window
	region       region
	chosen       choices

	rules, maps, recent, diagnostics section
}

// setRegion takes the text around the place.
func (b *builder) setRegion(r region) {
	b.region = r
	b.left -= r.tokens
}

// showBody shows a definition with its comment and body, or its outline where the
// body does not fit into most tokens.
func (b *builder) showBody(d definition, reason string, most int) (ok bool) {
	rel := b.folder.pathOf(d.id)
	if b.folder.file(rel) == nil || d.DocLine < 1 {
		return false
	}
	if _, ok = b.chooseLines(rel, choice{first: d.DocLine, last: d.EndLine, kind: FragmentDefinition, reason: reason, named: true}, most); !ok {
		_, ok = b.showOutline(d, reason, most)
	}
	return ok
}

// showOutline shows a definition's signature and, of a type, those of its members.
func (b *builder) showOutline(d definition, reason string, most int) (taken int, ok bool) {
	add := func(d definition, reason string) {
		if b.shows(b.folder.pathOf(d.id), d.StartLine) {
			return
		}
		n, chosen := b.showSignature(d, reason, most-taken)
		taken += n
		ok = ok || chosen
	}
	add(d, reason)
	if !d.Kind.IsType() {
		return taken, ok
	}
	for _, id := range b.folder.ix.DefIDs(d.id.File()) {
		m := b.folder.definition(id)
		if m.StartLine > d.StartLine && m.EndLine <= d.EndLine && !m.Local && taken < most {
			add(m, "defines "+m.Name+", of "+d.Name)
		}
	}
	return taken, ok
}

// showSignature shows the signature of a definition.
func (b *builder) showSignature(d definition, reason string, most int) (taken int, ok bool) {
	return b.chooseText(b.folder.pathOf(d.id), d.StartLine, clip(b.folder.ix.SigText(d.id)), FragmentDefinition, reason, most)
}

// chooseText chooses whole lines that are not read from a file here.
func (b *builder) chooseText(path string, line int, text string, kind FragmentKind, reason string, most int) (taken int, ok bool) {
	return b.choose(path, choice{first: line, last: line + countLines(text) - 1, kind: kind, reason: reason, text: b.secrets.Redact(text)}, most)
}

// chooseLines chooses lines of a file of the folder.
func (b *builder) chooseLines(rel string, c choice, most int) (taken int, ok bool) {
	if ok = b.readLines(rel, &c); !ok {
		return 0, false
	}
	return b.choose(rel, c, most)
}

// readLines gives a choice its text. It is false where the file has no such lines to show.
func (b *builder) readLines(rel string, c *choice) (ok bool) {
	f := b.folder.file(rel)
	if f == nil || c.first > f.LineCount() {
		return false
	}
	c.last = min(c.last, f.LineCount())
	c.text = b.secrets.Lines(f, c.first, c.last)
	return true
}

// window puts the parts together: those that seldom change come first.
func (b *builder) window() *Window {
	b.putChoices()
	w := b.newWindow()
	var text []redact.Text
	for _, s := range []*section{&b.rules, &b.maps, &b.chosen.section, &b.recent, &b.diagnostics} {
		text = append(text, b.written(s)...)
		w.Fragments = append(w.Fragments, s.fragments...)
	}
	w.context = redact.Join("", text...)
	w.Fragments = append(w.Fragments, b.region.fragment(b.costs))
	w.Tokens = b.budget - b.left - b.reserved
	return w
}

// newWindow is a window with the region alone.
func (b *builder) newWindow() *Window {
	return &Window{Budget: b.budget, Encoding: b.costs.counter.Name(), Exact: b.costs.counter.Exact(), Secrets: b.secrets,
		Before: b.region.before, Selected: b.region.selected, After: b.region.after, region: b.region.heading}
}
