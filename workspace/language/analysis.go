package language

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"tandem/edits"
)

// An Analysis is the scan of one text, from which that of the next text is made by scanning
// only the definitions that an edit touches. It never changes and is safe for concurrent use.
type Analysis struct {
	lang, path, text string
	language         string // that the text is read as
	idents           int    // about how many names it has

	scanned sync.Once // guards file, where parts make up the text
	file    *FileScan

	once      sync.Once   // guards parts
	divided   atomic.Bool // parts are final
	parts     []part      // they make up the text; nil: it can only be scanned whole
	divisible *Analysis   // the last one that had parts, if this one has none: what was opened may be closed again
}

// A part of a text begins with a definition of the top, the first with the text; it is
// scanned by itself.
type part struct {
	at, line int // its offset, and how many lines are above it
	lines    int // line ends
	text     string
	file     *FileScan
	vars     []int32 // numbers of its definitions that are variables of Python
	hidden   []int32 // those of them that a part above has too
	derived  *Derived
}

func (p *part) size() int { return len(p.text) }

// A Part is a piece of a text that was scanned by itself. Most parts of a text are those of
// the text before it, at another place.
type Part struct {
	At, Line int       // its offset, and how many lines are above it
	Text     string    // as long as no edit touched it, it keeps the first text alive
	Scan     *FileScan // its lines are counted from the part's first
	Hidden   []int32   // numbers of its definitions that are none, since a part above has them; in order
	Derived  *Derived
}

// Derived is what a reader of texts has made of one part. It lives as long as the part, and is
// safe for concurrent use.
type Derived struct {
	once  sync.Once
	value any
}

// Get returns what is kept, which make makes at the first use. There is one reader only.
func (k *Derived) Get(make func() any) any {
	k.once.Do(func() { k.value = make() })
	return k.value
}

// Shares are the parts that make up the text; one that was read whole is one.
func (a *Analysis) Shares() []Part {
	if parts := a.Parts(); parts != nil {
		return parts
	}
	return []Part{{Text: a.text, Scan: a.Scan()}}
}

// Parts are the parts that make up the text, nil where it was read whole.
func (a *Analysis) Parts() []Part {
	if !a.divided.Load() || a.parts == nil {
		return nil
	}
	out := make([]Part, len(a.parts))
	for i := range a.parts {
		p := &a.parts[i]
		out[i] = Part{At: p.at, Line: p.line, Text: p.text, Scan: p.file, Hidden: p.hidden, Derived: p.derived}
	}
	return out
}

// Language is the language that the text is read as.
func (a *Analysis) Language() string { return a.language }

// partSize is the least size of a part in bytes, except for the last: many small parts
// would take longer to put together than a few to scan.
var partSize = 4 << 10 // less in tests

// Analyze scans a text, as Scan does.
func Analyze(lang, path, text string) *Analysis {
	file := Scan(lang, path, text)
	a := &Analysis{lang: lang, path: path, text: text, language: file.Language, idents: len(file.Idents), file: file}
	a.scanned.Do(func() {})
	return a
}

// Scan is the scan of the text. Idents are in no order. It must not be changed.
func (a *Analysis) Scan() *FileScan {
	a.scanned.Do(func() { a.file = a.compose(a.parts) })
	return a.file
}

// Text is the text that was scanned.
func (a *Analysis) Text() string { return a.text }

// Next returns the analysis of another text of the same file. It takes time in proportion
// to the parts that differ, or to the text where what differs may mean something for the
// other parts.
func (a *Analysis) Next(text string) *Analysis {
	if text == a.text {
		return a
	}
	a.once.Do(a.split)
	if next := a.edited(text); next != nil {
		return next
	}
	if a.divisible != nil {
		if next := a.divisible.edited(text); next != nil {
			return next
		}
	}
	next := Analyze(a.lang, a.path, text)
	if next.divisible = a; a.parts == nil {
		next.divisible = a.divisible
	}
	return next
}

// part makes a part of its scan.
func (a *Analysis) part(at, line int, text string, scan *FileScan) part {
	p := part{at: at, line: line, text: text, lines: strings.Count(text, "\n"), file: scan, derived: &Derived{}}
	if a.language == "python" {
		for i := range scan.Defs {
			if scan.Defs[i].variable() != "" {
				p.vars = append(p.vars, int32(i))
			}
		}
	}
	return p
}

// hide notes the variables of each part that a part above has: only the first assignment to one
// is its definition.
func hide(parts []part) {
	seen := map[string]bool{}
	for i := range parts {
		p := &parts[i]
		p.hidden = nil
		for _, number := range p.vars {
			if !p.file.Defs[number].First(seen) {
				p.hidden = append(p.hidden, number)
			}
		}
	}
}

// inherit hides of parts that follow others what those hid, and reports whether they have the same
// variables: then no other part hides anything else.
func inherit(before, now []part) bool {
	if len(before) != len(now) {
		return false
	}
	for i := range now {
		old, p := &before[i], &now[i]
		if !slices.EqualFunc(old.vars, p.vars, func(a, b int32) bool { return old.file.Defs[a].variable() == p.file.Defs[b].variable() }) {
			return false
		}
		for k, number := range old.vars {
			if slices.Contains(old.hidden, number) {
				p.hidden = append(p.hidden, p.vars[k])
			}
		}
	}
	return true
}

// isolated scans a part of a text by itself. ok is false where what is open at its end, or
// what it closes or names, means something for other parts.
func (a *Analysis) isolated(text string) (file *FileScan, ok bool) {
	s := scanners.Get().(*Scanner)
	defer scanners.Put(s)
	file = s.read(a.language, a.path, text)
	return file, !s.scan.entangled()
}

// entangled reports whether the text that was scanned cannot be understood without what is
// around it.
func (s *scan) entangled() bool {
	return s.stray || s.far || len(s.stack) > 0 || len(s.ifs) > 0 || len(s.resume) > 0
}

// split divides the text, if its parts can be scanned by themselves with the same result.
func (a *Analysis) split() {
	defer a.divided.Store(true)
	if strings.HasSuffix(a.path, ".h") || languageOf(a.language) == plain { // whether a header is C++ depends on all of it
		return
	}
	parts, ok := a.divide(a.text, a.file, 0, 0)
	if ok && len(parts) > 1 && same(a.compose(parts), a.file) {
		hide(parts)
		a.parts, a.divisible = parts, nil
	}
}

// divide scans the parts of a text, which begins at an offset of the whole, below some lines.
func (a *Analysis) divide(text string, file *FileScan, offset, line int) (parts []part, ok bool) {
	starts := append(LineStarts(text), len(text))
	from, end := 0, 0 // of the part; the last line that a definition before reaches
	add := func(to int) bool {
		share := text[starts[from]:starts[to]]
		scan, ok := a.isolated(share)
		parts = append(parts, a.part(offset+starts[from], line+from, share, scan))
		from = to
		return ok
	}
	for i := range file.Defs {
		d := &file.Defs[i]
		if first := d.DocLine - 1; d.Container == "" && !d.Local && d.DocLine > end && starts[first]-starts[from] >= partSize && !add(first) {
			return nil, false
		}
		end = max(end, d.EndLine)
	}
	return parts, add(len(starts) - 1)
}

// LineStarts are the offsets at which lines begin.
func LineStarts(text string) []int {
	starts := []int{0}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return starts
		}
		at += i + 1
		starts = append(starts, at)
	}
}

// edited is the analysis of a text in which some parts differ; nil if it has to be scanned
// whole.
func (a *Analysis) edited(text string) *Analysis {
	if a.parts == nil || Of(a.lang, a.path, text) != a.language {
		return nil
	}
	front := edits.CommonPrefix(a.text, text)
	back := min(edits.CommonSuffix(a.text, text), len(a.text)-front, len(text)-front)
	first := a.partAt(front)
	last := a.partAt(len(a.text) - back)
	if first > 0 && a.parts[first].at == front {
		first-- // an edit between two parts is one of both
	}
	from, to := a.parts[first].at, a.parts[last].at+a.parts[last].size()+len(text)-len(a.text)
	below := a.parts[last+1:]
	if to <= from || len(below) > 0 && text[to-1] != '\n' {
		return nil
	}
	changed := strings.Clone(text[from:to]) // the parts that stay must not keep this text alive
	scan, ok := a.isolated(changed)
	if !ok {
		return nil
	}
	renewed := []part{a.part(from, a.parts[first].line, changed, scan)}
	if len(changed) > 2*partSize {
		if renewed, ok = a.divide(changed, scan, from, a.parts[first].line); !ok {
			return nil
		}
	}
	lines := renewed[len(renewed)-1].line + renewed[len(renewed)-1].lines
	moved, shift := len(text)-len(a.text), lines
	if len(below) > 0 {
		shift -= below[0].line
	}
	parts := slices.Concat(a.parts[:first], renewed, below)
	for i := first + len(renewed); i < len(parts); i++ {
		parts[i].at, parts[i].line = parts[i].at+moved, parts[i].line+shift
	}
	if !a.agrees(text, parts, max(first-1, 0), min(first+len(renewed), len(parts)-1)) {
		return nil
	}
	if !inherit(a.parts[first:last+1], parts[first:first+len(renewed)]) {
		hide(parts)
	}
	return a.withParts(text, parts)
}

func (a *Analysis) withParts(text string, parts []part) *Analysis {
	next := &Analysis{lang: a.lang, path: a.path, text: text, language: a.language, idents: a.idents, parts: parts}
	next.once.Do(func() {}) // it is divided already
	next.divided.Store(true)
	return next
}

// agrees reports whether some parts, from one to another, are the same where they are
// scanned together: a part that changed means nothing for the one above and the one below.
func (a *Analysis) agrees(text string, parts []part, first, last int) bool {
	around := slices.Clone(parts[first : last+1])
	at, line := around[0].at, around[0].line
	for i := range around {
		around[i].line -= line
	}
	together, ok := a.isolated(text[at : parts[last].at+parts[last].size()])
	return ok && same(a.compose(around), together)
}

// partAt is the part that holds an offset; between two it is the second.
func (a *Analysis) partAt(offset int) int {
	i, found := slices.BinarySearchFunc(a.parts, offset, func(p part, offset int) int { return p.at - offset })
	if found {
		return i
	}
	return i - 1
}

// compose puts the scans of parts together.
func (a *Analysis) compose(parts []part) *FileScan {
	out := &FileScan{Language: a.language}
	defs := 0
	for _, p := range parts {
		defs += len(p.file.Defs)
	}
	out.Defs = make([]Def, 0, defs)
	places := make(map[string]int, min(2*a.idents, 32*defs+64))
	seen := map[string]bool{}
	for _, p := range parts {
		out.Package = cmp.Or(out.Package, p.file.Package)
		for _, d := range p.file.Defs {
			if a.language == "python" && !d.First(seen) {
				continue
			}
			out.Defs = append(out.Defs, d.Below(p.line))
		}
		for _, im := range p.file.Imports {
			im.Line += p.line
			out.Imports = append(out.Imports, im)
		}
		for _, id := range p.file.Idents {
			at, known := places[id.Name]
			if !known {
				places[id.Name] = len(out.Idents)
				out.Idents = append(out.Idents, id)
				continue
			}
			out.Idents[at].Count += id.Count
		}
		if p.size() > 0 || len(parts) == 1 {
			out.Lines = p.line + p.file.Lines
		}
	}
	return out
}

// Below is the definition in a text that has some lines above it.
func (d Def) Below(lines int) Def {
	d.DocLine, d.StartLine, d.SigEndLine, d.EndLine = d.DocLine+lines, d.StartLine+lines, d.SigEndLine+lines, d.EndLine+lines
	return d
}

// First reports whether a definition of Python is no variable, or the first assignment to
// one: only that is its definition. seen are the variables of the parts above.
func (d *Def) First(seen map[string]bool) bool {
	key := d.variable()
	if seen[key] {
		return false
	}
	seen[key] = key != ""
	return true
}

// variable distinguishes a variable from the others of a file of Python; it is "" for anything else.
func (d *Def) variable() string {
	if d.Kind != KindVar && d.Kind != KindConst && d.Kind != KindField && d.Kind != KindEnumMember {
		return ""
	}
	return d.Container + "." + d.Name
}

// same reports whether two scans have the same content; the order of Idents is none.
func same(x, y *FileScan) bool {
	if x.Package != y.Package || x.Lines != y.Lines || len(x.Idents) != len(y.Idents) || !slices.Equal(x.Imports, y.Imports) || !slices.EqualFunc(x.Defs, y.Defs, sameDef) {
		return false
	}
	counts := make(map[string]int, len(x.Idents))
	for _, id := range x.Idents {
		counts[id.Name] = id.Count
	}
	return !slices.ContainsFunc(y.Idents, func(id Ident) bool { return counts[id.Name] != id.Count })
}

func sameDef(a, b Def) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Container == b.Container && a.DocLine == b.DocLine && a.StartLine == b.StartLine &&
		a.SigEndLine == b.SigEndLine && a.EndLine == b.EndLine && a.Exported == b.Exported && a.Local == b.Local && slices.Equal(a.Params, b.Params) &&
		a.MinParams == b.MinParams && a.MaxParams == b.MaxParams && a.Type == b.Type
}
