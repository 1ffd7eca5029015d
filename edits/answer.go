package edits

import (
	"maps"
	"strings"
)

// Options are facts about an answer that the caller knows and the answer does not state.
type Options struct {
	// IgnoreNames applies the answer to the one file there is, whatever it calls it.
	IgnoreNames bool
	// AnyName applies a diff to the one file there is where the names in it are
	// neither that file's nor any other's.
	AnyName bool
	// Here is the file that is meant where the answer names none, or one that does not
	// exist, and Marked the part of it that a whole new text replaces; empty is all of it.
	Here   string
	Marked Span
	// Exact allows only exact matches at the lines that the answer names.
	Exact bool
	// Verbatim writes what a block puts in place as it stands, line by line:
	// not re-indented where the text it replaces was found at another
	// indentation, and each line with its end, the last of a file too. Cline
	// asks models for whole lines and means this.
	Verbatim bool
	// Replaces lets an addition or a move replace a file that there is, as the tools of some formats do
	// whose rules the answer's writer was given.
	Replaces bool
	// Request are the words that were answered; "" is none, as where an answer is applied alone.
	Request string
	// Refuse returns why a path may not be written: CodeProtected or CodeOutside
	// and a reason, or "" if it may. If it is nil, paths outside the workspace
	// that the caller did not pass in, and protected files, are refused.
	Refuse func(path string) (code Code, reason string)
	// Placeholders, if not nil, finds the redaction placeholders in a text.
	Placeholders func(text string) []Span
}

// An Applied is what blocks make of files.
type Applied struct {
	After map[string]string // every file that exists afterwards
	Forms map[string]Form   // what is said of some of them beside their text
	Fits  map[string]Fitting
	Tiers []string // how each block was located, in order
}

// ApplyBlocks applies parsed blocks to before, which maps paths to texts. On an error, always an
// *Error, nothing is applied: it is all or nothing.
func ApplyBlocks(blocks []Block, before map[string]string, o Options) (*Applied, error) {
	a := &applier{before: before, options: o, docs: map[string]*doc{}, gone: map[string]bool{}, forms: map[string]Form{}}
	blocks, refusal := a.withoutRest(blocks)
	if refusal != nil {
		return nil, refusal
	}
	var tiers []string
	for i := range blocks {
		given, refusal := a.givenTwice(blocks, i)
		if given {
			tiers = append(tiers, string(TierExact))
			continue
		}
		tier := TierExact
		if refusal == nil {
			tier, refusal = a.apply(&blocks[i])
		}
		if refusal != nil {
			return nil, refusal
		}
		tiers = append(tiers, string(tier))
	}
	a.finishMove()
	out := &Applied{After: a.result(), Forms: a.forms, Fits: map[string]Fitting{}, Tiers: tiers}
	if refusal := a.check(blocks, out.After); refusal != nil {
		return nil, refusal
	}
	for path, d := range a.docs {
		out.Fits[path] = d.fit
	}
	return out, nil
}

// An applier holds the files while the blocks of one answer are applied.
type applier struct {
	before  map[string]string
	options Options
	docs    map[string]*doc // the files that blocks touched
	gone    map[string]bool // the files of before that do not exist any more
	forms   map[string]Form // what blocks say of files beside their text
	moving  string          // a file whose blocks ask for it to be moved
	to      string          // where to
}

// apply applies one block.
func (a *applier) apply(b *Block) (Tier, *Error) {
	b, refusal := a.cleaned(b)
	if refusal != nil {
		return "", refusal
	}
	if a.moving != "" && (b.Path != a.moving || b.Action == Create) {
		a.finishMove()
	}
	switch b.Action {
	case Create:
		return a.create(b)
	case Delete:
		return a.remove(b)
	case Rewrite:
		return a.rewrite(b)
	}
	path, ok := a.find(b)
	if !ok {
		if b.OldText() == "" && b.NewText() != "" && (!b.sorted || b.fromNone) {
			return a.create(b)
		}
		return "", a.missing(b)
	}
	if refusal := a.allow(b, path); refusal != nil {
		return "", refusal
	}
	if b.MoveTo == "" {
		a.forms[path] = a.forms[path].under(Form{Mode: b.Mode})
		return a.change(b, a.open(path))
	}
	return a.changeMoved(b, path)
}

// changeMoved applies a block to a file that it moves or copies, where nothing is in the way.
func (a *applier) changeMoved(b *Block, path string) (Tier, *Error) {
	to := b.destination()
	if refusal := a.allow(b, to); refusal != nil {
		return "", refusal
	}
	again := b.Copied && a.docs[to] != nil && a.forms[to].From == path // a further hunk of the copy
	if a.exists(to) && to != path && !again && !a.options.Replaces {
		return "", b.refuse(CodeNotFound, "it moves or copies a file to %s, which exists already", to)
	}
	if !b.Copied {
		a.forms[path] = a.forms[path].under(Form{Mode: b.Mode})
		a.moving, a.to = b.Path, to
		return a.change(b, a.open(path))
	}
	if !again {
		a.docs[to] = newDoc(a.before[path]) // a diff copies what was there before it
		a.forms[to] = Form{From: path, Mode: b.Mode}
	}
	return a.change(b, a.docs[to])
}

// change applies a block to a file that exists.
func (a *applier) change(b *Block, d *doc) (Tier, *Error) {
	tier, refusal := a.replace(b, d)
	switch {
	case tier != TierExact:
		d.fit = FitAll
	case !b.git:
		d.fit = min(d.fit, FitHead)
	}
	return tier, refusal
}

// replace puts what a block adds in the place of what it removes.
func (a *applier) replace(b *Block, d *doc) (Tier, *Error) {
	if b.Literal {
		return a.literal(b, d)
	}
	if d.bom != "" {
		b = b.withoutMark()
	}
	if b.search && elided(b) {
		if tier, refusal := a.pieces(b, d); refusal == nil || refusal.Code != CodeNotFound {
			return tier, refusal
		}
	}
	h := hunkOf(b.Lines)
	switch {
	case len(b.Lines) == 0 && (b.MoveTo != "" || b.Mode != Unsaid):
		return TierExact, nil // nothing in it changes
	case len(h.old) == 0:
		return a.insert(b, d, h)
	}
	l := &locator{doc: d, block: b, strict: a.options.Exact}
	p, refusal := l.locate()
	found := refusal == nil || b.Idle() && refusal.Code == CodeAmbiguous && len(l.hits(h, trimming)) > 0
	before := &locator{doc: newDoc(d.before), block: b}
	if line, lost := before.lostSign(h); found && lost {
		return "", b.refuse(CodeParse, "%q has no sign before it, and the lines around it also stand without it; it may be context or an added line", short(line))
	}
	switch {
	case found && refusal != nil:
		return TierExact, nil // what changes nothing changes nothing anywhere
	case refusal != nil:
		return "", refusal
	}
	return p.tier, a.put(b, d, p)
}

// put writes a located hunk into the file.
func (a *applier) put(b *Block, d *doc, p place) *Error {
	in := a.indenter(b, d, p)
	escapes, refusal := a.escapesOf(b, d, p)
	if refusal != nil {
		return refusal
	}
	spelt, refusal := p.spelling(b, d, a.options.Request)
	if refusal != nil {
		return refusal
	}
	from, to := p.span()
	w := lineWriter{doc: d, next: from}
	moved := p.repeated(d)
	for i, k := 0, 0; i < len(p.lines); i++ {
		line := p.lines[i]
		if line.Op == Add {
			next := from
			if k > 0 {
				next = p.at[k-1] + 1
			}
			if b.signed() && next < len(d.lines) && d.lines[next] == "+"+line.Text {
				return b.refuse(CodeAmbiguous, "%q is a line of the file as it stands, and may be context that lost its sign", short("+"+line.Text))
			}
			if text, ok := moved[line.Text]; ok {
				w.add(text)
				continue
			}
			if text, ok := spelt[i]; ok {
				line.Text = text
			}
			text, known := in.line(escapes.undo(line.Text))
			if !known {
				return b.refuse(CodeAmbiguous, "%q is indented in a way that the lines around it do not explain", short(line.Text))
			}
			w.add(text)
			continue
		}
		w.old(p.at[k], line.Op == Keep)
		k++
	}
	grew := len(w.lines) > to-from && b.sorted && !b.noEOL
	d.splice(from, to, w.lines, w.ends, grew || a.options.Verbatim)
	d.setEnd(b, from+len(w.lines))
	return nil
}

// repeated maps the removed lines that a tier found with errors in them to the file's
// lines: where the hunk adds such a line again, it moves the file's.
func (p place) repeated(d *doc) map[string]string {
	if p.tier != TierFuzzy && p.tier != TierUnicode && p.tier != TierTrailing {
		return nil
	}
	out := map[string]string{}
	for i, text := range p.old {
		at := p.at[i]
		if p.ops[i] != Remove {
			continue
		}
		if at < 0 || blank(text) || p.tier != TierTrailing && letters(text) < fewLetters || d.lines[at] == text {
			continue
		}
		if had, ok := out[text]; ok && had != d.lines[at] {
			return nil
		}
		out[text] = d.lines[at]
	}
	return out
}

// indenter is how the added lines of a located hunk are indented.
func (a *applier) indenter(b *Block, d *doc, p place) *indenter {
	switch {
	case p.tier == TierWhitespace || b.verbatim || a.options.Verbatim:
		return &indenter{same: true}
	case p.tier == TierEscapes:
		old := make([]string, len(p.old))
		for i, text := range p.old {
			old[i] = unescapeTabs(text)
		}
		p.old = old
	}
	in := newIndenter(p.hunk, p.at, d.lines, b.signed())
	if in.same && len(in.shifts) > 0 && !b.tool {
		in.learnStyle(p.hunk, d.lines)
		in.open = in.open || b.git && len(in.respell) > 0 // a diff may well be meant as it stands
	}
	return in
}

// A lineWriter collects the lines that replace a span of a doc. A line that is added ends as
// the old one before it in the hunk does, which it replaces or follows.
type lineWriter struct {
	doc   *doc
	next  int // the next line of the doc that has not been passed
	end   string
	lines []string
	ends  []string
}

func (w *lineWriter) add(text string) {
	if w.end == "" {
		w.end = w.doc.endAt(w.next)
	}
	w.lines, w.ends = append(w.lines, text), append(w.ends, w.end)
}

// old passes the doc's line at, and everything before it that the hunk does
// not mention, which is kept.
func (w *lineWriter) old(at int, keep bool) {
	if at < 0 {
		return
	}
	end := at
	if keep {
		end = at + 1
	}
	w.lines = append(w.lines, w.doc.lines[w.next:end]...)
	w.ends = append(w.ends, w.doc.ends[w.next:end]...)
	w.next = at + 1
	w.end = w.doc.endAt(at)
}

// insert adds the lines of a block that has no old line: below their @@ context, at
// the hinted line, or at the end of the file.
func (a *applier) insert(b *Block, d *doc, h hunk) (Tier, *Error) {
	if b.search {
		return a.fill(b, d)
	}
	at := len(d.lines)
	l := &locator{doc: d, block: b}
	context, refusal := l.contexts(variant{hunk: h}, TierExact)
	switch {
	case refusal != nil:
		return "", refusal
	case b.fromNone && len(d.lines) > 0:
		return "", b.refuse(CodeStale, "it takes the file to be empty, and it is not")
	case b.AtEnd && !b.git:
	case len(context) == 1:
		at = context[0] + 1
	case len(context) > 1:
		return "", b.refuse(CodeAmbiguous, "the line below which it adds is there %d times", len(context))
	case b.git && b.LineHint > 0:
		at = d.current(b.LineHint)
	case b.git && len(d.lines) > 0:
		return "", b.refuse(CodeNotFound, "it adds lines without saying where")
	}
	if at < 0 || at > len(d.lines) {
		return "", b.refuse(CodeNotFound, "it adds lines at line %d, which the file does not have", b.LineHint)
	}
	p := place{hit: hit{}, variant: variant{hunk: h}, tier: TierExact}
	escapes, refusal := a.escapesOf(b, d, p)
	if refusal != nil {
		return "", refusal
	}
	w := lineWriter{doc: d, next: at}
	for _, line := range p.lines {
		w.add(escapes.undo(line.Text))
	}
	d.splice(at, at, w.lines, w.ends, !b.noEOL)
	d.setEnd(b, at+len(w.lines))
	return p.tier, nil
}

// fill gives an empty file its text. A block without old text does not state
// where in a text it belongs.
func (a *applier) fill(b *Block, d *doc) (Tier, *Error) {
	if !blank(strings.Join(d.lines, "")) {
		return "", b.refuse(CodeNotFound, "it has no old text to find, and the file is not empty")
	}
	text := newDoc(b.NewText())
	text.bom = d.bom
	*d = *text
	return TierExact, nil
}

// result is every file that exists now.
func (a *applier) result() map[string]string {
	after := maps.Clone(a.before)
	if after == nil {
		after = map[string]string{}
	}
	for path := range a.gone {
		delete(after, path)
	}
	for path, d := range a.docs {
		after[path] = d.String()
	}
	maps.DeleteFunc(a.forms, func(path string, f Form) bool {
		_, exists := after[path]
		return f == Form{} || !exists
	})
	return after
}

// check judges the answer as a whole.
func (a *applier) check(blocks []Block, after map[string]string) *Error {
	if len(blocks) > 0 && len(a.forms) == 0 && maps.Equal(a.before, after) {
		return refuse(CodeUnchanged, "the answer changes nothing: what it puts in is what is there")
	}
	if a.options.Placeholders == nil {
		return nil
	}
	return checkPlaceholders(a.before, after, a.options.Placeholders)
}
