package nextedit

import (
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/language"
)

// A pattern is the common part of two examples of a change: literal tokens and
// variables. Where it matches, the tokens from index from up to index to are
// replaced by the template.
type pattern struct {
	tokens   []slot // the context before, the changed ones, the context after
	from, to int    // the changed tokens, as indexes
	template []slot
	like     *change   // the example that gives spacing and line breaks
	examples []example // the newest first
}

// A slot is a literal token, or a variable: one token, or a run of them.
type slot struct {
	text     string // a literal; for a variable in a template: the token that contains it, with the variable as \x00
	variable int    // counted from 1; 0 is a literal
	run      bool
}

// How much context two examples may have in common.
const (
	contextTokens   = 2 // on each side of a change of something
	insertionTokens = 5 // on each side of an insertion
	maxContext      = 90
	maxRun          = 24
)

// unify generalises two examples. It returns false if they are not the same
// change. The context is as short as possible, but long enough to contain every
// name that the template needs.
func unify(a, b *change) (pattern, bool) {
	if !derivable(a, b) {
		return pattern{}, false
	}
	n := contextTokens
	if len(a.old) == 0 {
		n = insertionTokens
	}
	for far := n; far <= maxContext; far += insertionTokens {
		for _, reach := range [][2]int{{n, far}, {far, n}} {
			if p, ok := unifyWithin(a, b, reach[0], reach[1]); ok {
				return p, p.particular()
			}
		}
	}
	return pattern{}, false
}

// derivable reports whether the new tokens of two examples can be the same ones but for
// names that also differ around the change. It needs no slots, and most pairs fail here.
func derivable(a, b *change) bool {
	if len(a.old) != len(b.old) {
		return true // a run, which may stand for any number of new tokens
	}
	if len(a.new) != len(b.new) {
		return false
	}
	left, right := min(len(a.left), len(b.left), maxContext), min(len(a.right), len(b.right), maxContext)
	for i := range a.new {
		x, y := a.new[i].text, b.new[i].text
		if x != y && !differAs(a.old, b.old, x, y) && !differAs(a.right[:right], b.right[:right], x, y) &&
			!differAs(a.left[len(a.left)-left:], b.left[len(b.left)-left:], x, y) {
			return false
		}
	}
	return true
}

// differAs reports whether two lists of tokens differ somewhere in what two names differ in.
func differAs(a, b []flat, x, y string) bool {
	for i := range a {
		if replacedAt(x, y, a[i].text, b[i].text) >= 0 {
			return true
		}
	}
	return false
}

// unifyWithin generalises two examples with so many tokens of context before
// and after the change.
func unifyWithin(a, b *change, before, after int) (pattern, bool) {
	var u unifier
	old, ok := u.old(a.old, b.old)
	if !ok {
		return pattern{}, false
	}
	left, right := u.leftOf(a, b, before), u.rightOf(a, b, after)
	template, ok := u.template(a.new, b.new)
	if !ok {
		return pattern{}, false
	}
	if forgets(old, template) {
		return pattern{}, false
	}
	p := pattern{template: template, like: a, from: len(left), to: len(left) + len(old)}
	p.tokens = append(append(left, old...), right...)
	return p, true
}

// forgets reports whether a change replaces any text by the same text: two examples do
// not say which texts are meant.
func forgets(old, template []slot) bool {
	used := func(v int) bool {
		return slices.ContainsFunc(template, func(s slot) bool { return s.variable == v })
	}
	return len(old) > 0 && len(template) > 0 && !slices.ContainsFunc(old, func(s slot) bool { return s.variable == 0 || used(s.variable) })
}

// leftOf returns the common context before the change, at most n tokens. The
// nearest tokens must be the same; more distant ones may be different names.
func (u *unifier) leftOf(a, b *change, n int) (left []slot) {
	for i := 1; i <= n && i <= len(a.left) && i <= len(b.left); i++ {
		s, ok := u.context(a.left[len(a.left)-i], b.left[len(b.left)-i], i)
		if !ok {
			break
		}
		left = append(left, s)
	}
	slices.Reverse(left)
	return left
}

// rightOf returns the common context after the change.
func (u *unifier) rightOf(a, b *change, n int) (right []slot) {
	for i := 0; i < n && i < len(a.right) && i < len(b.right); i++ {
		s, ok := u.context(a.right[i], b.right[i], i+1)
		if !ok {
			break
		}
		right = append(right, s)
	}
	return right
}

// context generalises one token at a distance from the change. At a large
// distance any string matches, even if both examples have the same one.
func (u *unifier) context(x, y flat, distance int) (slot, bool) {
	free := x.class == y.class && (x.class == source.Word || x.class == source.Literal || x.class == source.Number)
	switch {
	case free && x.class == source.Literal && distance > insertionTokens:
		return slot{variable: u.variable(x.text, y.text)}, true
	case x.text == y.text:
		return slot{text: x.text}, true
	case free && distance > contextTokens:
		return slot{variable: u.variable(x.text, y.text)}, true
	}
	return slot{}, false
}

// particular reports whether a pattern contains a name or a string: one with only
// brackets and variables would match everywhere.
func (p *pattern) particular() bool {
	if len(p.like.old) == 0 && !slices.ContainsFunc(p.like.new, func(t flat) bool { return t.class != source.Punct }) {
		return false // punctuation alone belongs to what was typed around it
	}
	if len(p.like.old) > 0 && !slices.ContainsFunc(p.like.old, func(t flat) bool {
		return t.class != source.Punct && t.class != source.Keyword && t.class != source.Gap && t.text != "_"
	}) {
		return false // keywords and punctuation are part of a larger change
	}
	for _, s := range p.tokens {
		if s.variable == 0 && len(s.text) > 1 && source.IsWordByte(s.text[0]) && !source.Keywords[s.text] || len(s.text) > 3 && strings.IndexByte("\"'`", s.text[0]) >= 0 {
			return true
		}
	}
	return false
}

// numeric reports whether all that a pattern changes is numbers, or numbers in names and
// strings where nothing around them says which are meant: versions of many things.
func (p *pattern) numeric() bool {
	if len(p.like.old) == 0 {
		return false
	}
	if !slices.ContainsFunc(p.like.old, func(t flat) bool { return strings.Trim(t.text, "0123456789.-") != "" }) {
		return true
	}
	return unnumbered(p.like.old) == unnumbered(p.like.new) && !slices.ContainsFunc(append(slices.Clone(p.tokens[:p.from]), p.tokens[p.to:]...), func(s slot) bool {
		return s.variable == 0 && source.IsWordByte(s.text[0]) && !source.Keywords[s.text]
	})
}

// ofNumbers reports whether a pattern changes a number of a file without code, where nothing says which
// of those that are the same is meant: a year, a version, a count.
func (p *pattern) ofNumbers() bool {
	lang := language.OfFile(p.examples[0].path)
	return (dataLanguages[lang] || textLanguages[lang]) && p.numeric()
}

// unnumbered is a text without its digits.
func unnumbered(tokens []flat) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, joinTokens(tokens))
}

// A unifier numbers the differences between two examples as variables.
type unifier struct{ pairs [][2]string }

func (u *unifier) variable(x, y string) int {
	for i, p := range u.pairs {
		if p == [2]string{x, y} {
			return i + 1
		}
	}
	u.pairs = append(u.pairs, [2]string{x, y})
	return len(u.pairs)
}

// old generalises the changed tokens: one by one if both examples have the same
// number, else as one run between their common ends.
func (u *unifier) old(a, b []flat) ([]slot, bool) {
	if len(a) == len(b) {
		out := make([]slot, len(a))
		for i := range a {
			switch {
			case a[i].text == b[i].text:
				out[i] = slot{text: a[i].text}
			case a[i].class == b[i].class && a[i].class != source.Punct && a[i].class != source.Gap && a[i].class != source.Keyword:
				out[i] = slot{variable: u.variable(a[i].text, b[i].text)}
			default:
				return nil, false
			}
		}
		return out, true
	}
	head, tail := commonEnds(a, b)
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x) == 0 || len(y) == 0 || len(x) > maxRun || len(y) > maxRun || !balanced(x, nil) || !balanced(y, nil) || hasLineEnd(x) || hasLineEnd(y) {
		return nil, false
	}
	out := literals(a[:head])
	out = append(out, slot{variable: u.variable(joinTokens(x), joinTokens(y)), run: true})
	return append(out, literals(a[len(a)-tail:])...), true
}

func commonEnds(a, b []flat) (head, tail int) {
	for head < len(a) && head < len(b) && a[head].text == b[head].text {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail].text == b[len(b)-1-tail].text {
		tail++
	}
	return head, tail
}

func hasLineEnd(tokens []flat) bool {
	return slices.ContainsFunc(tokens, func(t flat) bool { return t.text == lineEnd })
}

func literals(tokens []flat) []slot {
	out := make([]slot, len(tokens))
	for i, t := range tokens {
		out[i] = slot{text: t.text}
	}
	return out
}

// joinTokens joins tokens into one string, with a separator.
func joinTokens(tokens []flat) string {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		parts[i] = t.text
	}
	return strings.Join(parts, "\x01")
}

// template generalises the new tokens with the variables of the old ones.
func (u *unifier) template(a, b []flat) ([]slot, bool) {
	var out []slot
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if v, n, m := u.runAt(a[i:], b[j:]); v > 0 {
			out = append(out, slot{variable: v, run: true})
			i, j = i+n, j+m
			continue
		}
		s, ok := u.slot(a[i].text, b[j].text)
		if !ok {
			return nil, false
		}
		out = append(out, s)
		i, j = i+1, j+1
	}
	return out, i == len(a) && j == len(b)
}

// runAt finds a variable that both token lists begin with.
func (u *unifier) runAt(a, b []flat) (variable, n, m int) {
	for v, p := range u.pairs {
		x, y := strings.Count(p[0], "\x01")+1, strings.Count(p[1], "\x01")+1
		if x == 1 && y == 1 || x > len(a) || y > len(b) {
			continue
		}
		if joinTokens(a[:x]) == p[0] && joinTokens(b[:y]) == p[1] {
			return v + 1, x, y
		}
	}
	return 0, 0, 0
}

// slot generalises one token of the new text.
func (u *unifier) slot(x, y string) (slot, bool) {
	if x == y {
		return slot{text: x}, true
	}
	for v, p := range u.pairs {
		if p[0] == x && p[1] == y {
			return slot{text: "\x00", variable: v + 1}, true
		}
	}
	for v, p := range u.pairs {
		if i := replacedAt(x, y, p[0], p[1]); i >= 0 && len(p[0]) > 1 {
			return slot{text: x[:i] + "\x00" + x[i+len(p[0]):], variable: v + 1}, true
		}
	}
	return slot{}, false
}

// replacedAt returns where y has q instead of the first p of x, -1 if they differ otherwise.
func replacedAt(x, y, p, q string) int {
	if len(x)-len(p)+len(q) != len(y) {
		return -1
	}
	i := strings.Index(x, p)
	if i < 0 || y[:i] != x[:i] || y[i:i+len(q)] != q || y[i+len(q):] != x[i+len(p):] {
		return -1
	}
	return i
}

// match reports whether the pattern matches at a token, and returns the values of
// its variables and the range of the changed tokens.
func (p *pattern) match(tokens []flat, at int) (vars map[int][]flat, changed [2]int, ok bool) {
	vars = map[int][]flat{}
	i := at
	for k, s := range p.tokens {
		if k == p.from {
			changed[0] = i
		}
		if k == p.to {
			changed[1] = i
		}
		n, fits := p.fit(s, k, tokens[min(i, len(tokens)):], vars)
		if !fits {
			return nil, changed, false
		}
		i += n
	}
	if p.from == len(p.tokens) {
		changed[0] = i
	}
	if p.to == len(p.tokens) {
		changed[1] = i
	}
	return vars, changed, true
}

// fit returns how many of the next tokens a slot matches.
func (p *pattern) fit(s slot, k int, ahead []flat, vars map[int][]flat) (int, bool) {
	if len(ahead) == 0 {
		return 0, false
	}
	if s.variable == 0 {
		return 1, ahead[0].text == s.text
	}
	n := 1
	if s.run {
		if n = runLength(ahead, p.tokens[k+1:]); n == 0 {
			return 0, false
		}
	} else if c := ahead[0].class; c == source.Punct || c == source.Gap || c == source.Keyword {
		return 0, false
	}
	if was, known := vars[s.variable]; known {
		return n, joinTokens(was) == joinTokens(ahead[:n])
	}
	vars[s.variable] = ahead[:n]
	return n, true
}

// runLength returns the length of the shortest balanced run before the next slot.
func runLength(ahead []flat, next []slot) int {
	stop := lineEnd
	if len(next) > 0 && next[0].variable == 0 {
		stop = next[0].text
	}
	depth := 0
	for n, t := range ahead[:min(len(ahead), maxRun)] {
		if depth == 0 && t.text == stop && n > 0 {
			return n
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case lineEnd:
			return 0
		}
		if depth < 0 {
			return 0
		}
	}
	return 0
}

// render writes the template in the example's format, with a site's own names and
// indentation.
func (p *pattern) render(src string, vars map[int][]flat, indent string) string {
	var b strings.Builder
	k := 0
	for i, s := range p.template {
		if i > 0 {
			b.WriteString(p.space(k, indent))
		}
		n := 1
		switch {
		case s.run:
			v := vars[s.variable]
			b.WriteString(src[v[0].start:v[len(v)-1].end])
			n = p.runOf(k, s)
		case s.variable > 0:
			b.WriteString(strings.Replace(s.text, "\x00", joinTokens(vars[s.variable]), 1))
		case s.text != lineEnd:
			b.WriteString(s.text)
		}
		k += n
	}
	return b.String()
}

// runOf returns how many tokens of the example a run of the template represents.
func (p *pattern) runOf(k int, s slot) int {
	rest := 0
	for i := len(p.template) - 1; i >= 0 && p.template[i] != s; i-- {
		rest++
	}
	return max(len(p.like.new)-k-rest, 1)
}

// space returns the white space before the example's k-th new token, with the
// site's indentation instead of the example's after a line end.
func (p *pattern) space(k int, indent string) string {
	if k == 0 || k >= len(p.like.new) {
		return ""
	}
	between := p.like.src[p.like.new[k-1].start+len(p.like.new[k-1].text)*flagInt(p.like.new[k-1].text != lineEnd) : p.like.new[k].start]
	if i := strings.LastIndexByte(between, '\n'); i >= 0 {
		return between[:i+1] + indent + strings.TrimPrefix(between[i+1:], p.like.indent)
	}
	return between
}

func flagInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
