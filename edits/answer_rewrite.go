package edits

import (
	"slices"
	"strings"
)

// withoutRest leaves of the texts in fences those that are meant: an answer may also have
// commands, the text before the change, and the same text twice. What is left is one text
// for each file, or the answer is refused.
func (a *applier) withoutRest(blocks []Block) ([]Block, *Error) {
	var out []Block
	for i, b := range blocks {
		if b.Action != Rewrite {
			out = append(out, b)
			continue
		}
		name, known := a.find(&b)
		old := ""
		if known {
			old = a.before[name]
		}
		if b.longer != nil {
			long, refusal := b.goesOn(lineTexts(a.marked(name)))
			if refusal != nil {
				return nil, refusal
			}
			if long {
				b.Lines = b.longer
				return append(out, b), nil
			}
		}
		same := func(other Block) bool {
			return other.Action == Rewrite && other.Path == b.Path && other.NewText() == b.NewText()
		}
		if len(blocks) > 1 && (b.shell && b.Path == "" || known && trimmedEqual(b.NewText(), a.marked(name)) || trimmedEqual(b.NewText(), old)) || slices.ContainsFunc(out, same) {
			continue
		}
		if b.Path == "" && b.auto && a.options.Marked.Len() == 0 {
			return nil, refuse(CodeParse, "the answer has a fenced text that names no file, and may be an example")
		}
		if slices.ContainsFunc(out, func(o Block) bool { return o.Action == Rewrite && (o.Path == b.Path || o.Path == "" || b.Path == "") }) {
			return nil, blocks[i].refuse(CodeAmbiguous, "the answer has several texts for one place, and does not say which is meant")
		}
		out = append(out, b)
	}
	if len(out) == 0 && len(blocks) > 0 {
		return nil, refuse(CodeUnchanged, "the answer changes nothing: what it puts in is what is there")
	}
	return out, nil
}

func trimmedEqual(a, b string) bool {
	return strings.TrimSpace(plainText(a)) == strings.TrimSpace(plainText(b))
}

// marked is the part of a file that a new text replaces.
func (a *applier) marked(name string) string {
	text := a.before[name]
	if m := a.options.Marked; name == a.options.Here && m.Len() > 0 && m.Valid(len(text)) {
		return text[m.Start:m.End]
	}
	return text
}

// goesOn reports whether a text goes on beyond the first line that may close its fence, as
// one does that has fences of its own. The text that it replaces shows it.
func (b *Block) goesOn(old []string) (bool, *Error) {
	fences := func(lines []string) int {
		n := 0
		for _, l := range lines {
			if ok, _ := fenceOf(l, "```"); ok {
				n++
			}
		}
		return n
	}
	end := func(lines []string) string {
		i := lastNonBlank(lines)
		if i < 0 {
			return ""
		}
		return strings.TrimSpace(lines[i])
	}
	short, long := texts(b.Lines), texts(b.longer)
	has := fences(old)
	switch s, l := fences(short) == has, fences(long) == has; {
	case s != l:
		return l, nil
	case end(short) == end(old) != (end(long) == end(old)):
		return end(long) == end(old), nil
	}
	return false, b.refuse(CodeAmbiguous, "it has fences inside its fence, so that its end is not certain")
}

// nonBlank is the index of the first line that is not blank, or -1.
func nonBlank(lines []string) int {
	return slices.IndexFunc(lines, func(l string) bool { return !blank(l) })
}

func lastNonBlank(lines []string) int {
	i := len(lines) - 1
	for i >= 0 && blank(lines[i]) {
		i--
	}
	return i
}

// givenTwice reports whether a block repeats one before it, word for word, where the text
// that they change is there once. Two that differ are alternatives.
func (a *applier) givenTwice(blocks []Block, i int) (bool, *Error) {
	b := &blocks[i]
	if b.Action != Change || b.tool || b.All || strings.TrimSpace(b.OldText()) == "" {
		return false, nil
	}
	for j := range i {
		o := &blocks[j]
		if o.Action != Change || o.Path != b.Path || o.LineHint != b.LineHint || !slices.Equal(o.Context, b.Context) || o.OldText() != b.OldText() {
			continue
		}
		name, ok := a.find(b)
		if !ok || strings.Count(plainText(a.before[name]), strings.TrimSuffix(b.OldText(), "\n")) != 1 {
			continue
		}
		if o.NewText() == b.NewText() {
			return true, nil
		}
		return false, b.refuse(CodeAmbiguous, "it changes the same text as block %d to another; it may be an alternative", o.Number)
	}
	return false, nil
}

// meansHere reports whether a block that names a file which does not exist is about the
// file of the request: its old text, or the ends of its new one, are there.
func (a *applier) meansHere(b *Block) bool {
	if b.Action == Rewrite {
		old := strings.Split(plainText(a.marked(a.options.Here)), "\n")
		return a.options.Marked.Len() > 0 && sharesEnd(old, texts(b.Lines))
	}
	if b.Action != Change || b.fromNone || b.OldText() == "" {
		return false
	}
	l := &locator{doc: a.open(a.options.Here), block: b}
	return len(l.hits(hunkOf(b.Lines), trimming)) > 0 || b.Literal && strings.Contains(plainText(a.before[a.options.Here]), plainText(b.Old))
}

// sharesEnd reports whether two texts have the first or the last line that is not blank in
// common.
func sharesEnd(old, new []string) bool {
	at := func(lines []string, i int) string {
		if i < 0 {
			return ""
		}
		return strings.TrimSpace(lines[i])
	}
	return at(old, nonBlank(old)) == at(new, nonBlank(new)) || at(old, lastNonBlank(old)) == at(new, lastNonBlank(new))
}

// rewrite gives a file, or the marked part of it, a whole new text. Lines that the new text
// shares with the old keep their bytes.
func (a *applier) rewrite(b *Block) (Tier, *Error) {
	name, ok := a.find(b)
	if !ok {
		return a.create(b)
	}
	if refusal := a.allow(b, name); refusal != nil {
		return "", refusal
	}
	d := a.open(name)
	defer func() { d.fit = FitAll }()
	if d.bom != "" {
		b = b.withoutMark()
	}
	if len(d.lines) == 0 {
		return a.fill(b, d)
	}
	r := a.regionIn(name, d)
	new, refusal := r.fit(b, d)
	if refusal != nil {
		return "", refusal
	}
	whole := *b
	whole.verbatim = true
	h, tier := keepingType(d.lines[r.from:r.to], new)
	p := place{hit: consecutive(r.from, r.to-r.from), variant: variant{hunk: h}, tier: tier}
	return TierExact, a.put(&whole, d, p)
}

// regionIn is the lines of a file that a new text replaces.
func (a *applier) regionIn(name string, d *doc) draftRegion {
	text, m := a.before[name], a.options.Marked
	if name != a.options.Here || m.Len() == 0 || !m.Valid(len(text)) {
		return draftRegion{to: len(d.lines)}
	}
	r := regionOf(text, nil, m)
	r.prefix = strings.TrimPrefix(r.prefix, byteOrderMark)
	r.to = min(r.to, len(d.lines))
	return r
}

// fit makes lines of a new text that take the place of a region: at its indentation, with
// its blank ends, and without the lines around it. It moves the region's ends where the
// text goes beyond them.
func (r *draftRegion) fit(b *Block, d *doc) ([]string, *Error) {
	new := withoutNumbers(texts(b.Lines), d.lines[r.from:r.to])
	first := nonBlank(new)
	if first < 0 {
		if r.from == 0 && r.to == len(d.lines) {
			return nil, b.refuse(CodeUnsafe, "the new text is empty")
		}
		return new[:0], nil
	}
	old := d.lines[r.from:r.to]
	all := new
	new = new[first : lastNonBlank(new)+1]
	if b.bare {
		if reason := notOnlyCode(old, new); reason != "" {
			return nil, b.refuse(CodeParse, "%s", reason)
		}
	}
	if blank(r.prefix) && r.prefix != "" && indentOf(new[0]) == "" && (len(new) == 1 || sameIndents(old[1:], new[1:])) {
		new = slices.Concat([]string{r.prefix + new[0]}, new[1:])
	}
	switch {
	case !blank(r.prefix) || !blank(r.suffix):
		new = slices.Clone(new)
		if !strings.HasPrefix(strings.TrimSpace(new[0]), strings.TrimSpace(r.prefix)) || blank(r.prefix) {
			new[0] = r.prefix + strings.TrimPrefix(new[0], r.prefix)
		}
		if last := len(new) - 1; !strings.HasSuffix(new[last], strings.TrimRight(r.suffix, " \t")) || blank(r.suffix) {
			new[last] += r.suffix
		}
		return new, nil
	case r.isWhole(d, new):
		r.from, r.to = 0, len(d.lines)
	}
	new, refusal := reindented(b, d.lines[r.from:r.to], new)
	if refusal != nil {
		return nil, refusal
	}
	r.extend(d, new)
	old = d.lines[r.from:r.to]
	if refusal := isPart(b, old, new); refusal != nil {
		return nil, refusal
	}
	if len(old) == len(d.lines) && !b.bare {
		return slices.Concat(all[:first], new, all[first+len(new):]), nil
	}
	if i := nonBlank(old); i >= 0 {
		return slices.Concat(old[:i], new, old[lastNonBlank(old)+1:]), nil
	}
	return new, nil
}

// isWhole reports whether a text that should replace a region is all of the file: it has
// most of the lines outside of the region.
func (r *draftRegion) isWhole(d *doc, new []string) bool {
	outside, shared, at := 0, 0, 0
	for _, l := range appendDiff(nil, d.lines, new) {
		if l.Op == Add {
			continue
		}
		if (at < r.from || at >= r.to) && len(strings.TrimSpace(l.Text)) > 3 {
			outside++
			if l.Op == Keep {
				shared++
			}
		}
		at++
	}
	return shared*2 > outside && shared > 1
}

// extend takes into a region the lines around it that a text begins or ends with beside
// the region's own first and last line.
func (r *draftRegion) extend(d *doc, new []string) {
	old := d.lines[r.from:r.to]
	first := nonBlank(old)
	if first < 0 {
		return
	}
	if j := slices.Index(new, old[first]); j > 0 && j <= r.from && slices.Equal(new[:j], d.lines[r.from-j:r.from]) {
		r.from -= j
	}
	last := old[lastNonBlank(old)]
	for j := len(new) - 1; j > 0; j-- {
		if n := len(new) - j; new[j-1] == last && r.to+n <= len(d.lines) && slices.Equal(new[j:], d.lines[r.to:r.to+n]) && new[len(new)-1] != last {
			r.to += n
			return
		}
	}
}

// sameIndents reports whether the lines that both texts have are indented alike.
func sameIndents(old, new []string) bool {
	at := map[string]string{}
	for _, l := range old {
		at[strings.TrimSpace(l)] = indentOf(l)
	}
	for _, l := range new {
		if was, ok := at[strings.TrimSpace(l)]; ok && !blank(l) && was != indentOf(l) {
			return false
		}
	}
	return true
}

// reindented indents a text as the lines that it replaces: by the lines that both have, or
// by their first lines.
func reindented(b *Block, old, new []string) ([]string, *Error) {
	var pairs []indentPair
	i, j := 0, 0
	for _, l := range appendDiff(nil, trimming.all(old), trimming.all(new)) {
		if l.Op == Keep && l.Text != "" {
			pairs = append(pairs, indentPair{indentOf(new[j]), indentOf(old[i])})
		}
		if l.Op != Add {
			i++
		}
		if l.Op != Remove {
			j++
		}
	}
	if len(pairs) == 0 {
		if k := nonBlank(old); k >= 0 {
			pairs = []indentPair{{indentOf(new[0]), indentOf(old[k])}}
		}
	}
	equal := 0
	for _, p := range pairs {
		if p.model == p.file {
			equal++
		}
	}
	if equal*2 > len(pairs) || len(pairs) == 0 || equal > 0 && sameSteps(old, new) {
		return new, nil // a line that is indented otherwise is the change
	}
	shift, ok := pairs[0].difference()
	ok = ok && shift.explains(pairs, nil, spelt)
	out := make([]string, len(new))
	for i, line := range new {
		ok = ok && (blank(line) || strings.HasPrefix(line, shift.remove))
		if out[i] = shift.apply(line); blank(line) {
			out[i] = ""
		}
	}
	if !ok {
		return nil, b.refuse(CodeAmbiguous, "it is indented in a way that the lines it replaces do not explain")
	}
	return out, nil
}

// sameSteps reports whether two texts begin at the same indentation and go in by the same
// step first.
func sameSteps(old, new []string) bool {
	base, step, ok := firstStep(old)
	otherBase, otherStep, otherOK := firstStep(new)
	return ok && otherOK && base == otherBase && step == otherStep
}

// firstStep is the indentation of the first line of a text and the least that another line
// has more.
func firstStep(lines []string) (base, step string, ok bool) {
	first := nonBlank(lines)
	if first < 0 {
		return "", "", false
	}
	base = indentOf(lines[first])
	for _, l := range lines[first:] {
		if more, in := strings.CutPrefix(indentOf(l), base); in && !blank(l) && more != "" && (step == "" || len(more) < len(step)) {
			step = more
		}
	}
	return base, step, step != ""
}

// withoutNumbers drops the line numbers that all lines of a text begin with.
func withoutNumbers(lines, old []string) []string {
	all, _, ok := stripNumbers(appendAll(nil, Add, lines), func(Line) bool { return true })
	if !ok || slices.ContainsFunc(old, func(l string) bool { _, _, is := numbered(l); return is }) {
		return lines
	}
	return texts(all)
}

// fewLines is how many lines a text has at least whose ends say something about it.
const fewLines = 4

// isPart refuses a text that is only the changed part of what it should replace: it has
// neither the first nor the last line of it, and few of those between.
func isPart(b *Block, old, new []string) *Error {
	n, kept := 0, 0
	for _, l := range appendDiff(nil, old, new) {
		if l.Op == Add || blank(l.Text) {
			continue
		}
		n++
		if l.Op == Keep {
			kept++
		}
	}
	written := len(slices.DeleteFunc(slices.Clone(new), blank))
	if n < fewLines || written*4 > n*3 || sharesEnd(old, new) || beginAlike(old, new) {
		return nil
	}
	return b.refuse(CodeUnsafe, "it seems to be a part of the text that it should replace, and %d of %d lines would be lost", n-kept, n)
}

// beginAlike reports whether the first lines of two texts begin with the same word and are
// similar.
func beginAlike(old, new []string) bool {
	i := nonBlank(old)
	j := nonBlank(new)
	if i < 0 || j < 0 {
		return false
	}
	c := &comparer{left: fuzzyCells}
	return c.similarity(strings.TrimSpace(old[i]), strings.TrimSpace(new[j])) > 0.5
}

// notOnlyCode is why a text without a fence is not taken for the new text, or "": it begins
// or ends with a sentence, or has nothing of the old text.
func notOnlyCode(old, new []string) string {
	for _, line := range []string{new[0], new[len(new)-1]} {
		if sentence(line) && !slices.Contains(old, line) && !slices.ContainsFunc(old, sentence) || introduces(line) {
			return "the answer is text without a fence, and " + `"` + short(line) + `"` + " may be said about it"
		}
	}
	if len(old) >= fewLines && !sharesEnd(old, new) && !beginAlike(old, new) {
		return "the answer is text without a fence that has neither the first nor the last line of what it should replace"
	}
	return ""
}

// sentence reports whether a line reads as prose: words, a capital, a full stop.
func sentence(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] >= 'A' && line[0] <= 'Z' && strings.Count(line, " ") > 1 && strings.ContainsAny(line[len(line)-1:], ".:!?") &&
		!strings.ContainsAny(line, "{}();=<>")
}

func introduces(line string) bool {
	for _, start := range []string{"Here is", "Here's", "Here are", "Sure", "Certainly", "Of course", "I ", "I'", "This change", "Note that", "Note:", "The updated", "Below is", "Hope "} {
		if strings.HasPrefix(strings.TrimSpace(line), start) {
			return true
		}
	}
	return false
}
