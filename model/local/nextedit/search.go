package nextedit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/cut"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A search finds the places of one pattern.
type search struct {
	*follower
	pattern pattern
	split   bool // string literals are split into tokens
}

// all returns the places, the best first.
func (s *search) all() []NextEdit {
	s.left = cut.Cut{}
	own := s.file(s.path)
	i, _ := slices.BinarySearchFunc(own, s.offset, func(n NextEdit, at int) int { return n.Edit.Start - at })
	out := append(slices.Clone(own[i:]), own[:i]...)
	others := s.others()
	for i, other := range others {
		if len(out) >= maxOffers || s.ctx.Err() != nil {
			s.lacks(cut.Left(len(others)-i, "file that may have more is not searched", "files that may have more are not searched"))
			break
		}
		out = append(out, s.file(other)...)
	}
	out, left := cut.First(out, maxOffers, "more place", "more places").All()
	s.lacks(left)
	done := len(s.pattern.examples)
	e := s.pattern.evidence()
	e[inStrings] = truth(s.split)
	e[places] = log2(1 + len(out))
	e[shareDone] = float64(done) / float64(done+len(out))
	for i := range out {
		out[i].Title = fmt.Sprintf("%s: %d of %d", s.pattern.title(), done+1, done+len(out))
		out[i].Reason = fmt.Sprintf("you made this change %s", terms.Counted(done, "time"))
		out[i].Change = "repeated\x00" + s.pattern.title()
		out[i].Evidence = out[i].Evidence.plus(e).plus(s.at(out[i], s.pattern.examples, s.pattern.examples[0].edit))
	}
	return out
}

// removesUsed reports whether a pattern removes the statement that gives a variable its
// value at a place where the lines below use the variable.
func (p *pattern) removesUsed(tokens []flat, changed [2]int) bool {
	from, to := changed[0], changed[1]
	if len(p.like.new) > 0 || to-from < 3 || !isName(tokens[from]) || tokens[from+1].text != "=" && tokens[from+1].text != ":=" {
		return false
	}
	for i, lines := to, 0; i < len(tokens) && lines < aroundLines; i++ {
		if tokens[i].text == lineEnd {
			lines++
		}
		if tokens[i].text == tokens[from].text && !member(tokens, i) {
			return !(tokens[i-1].text == lineEnd && i+1 < len(tokens) && tokens[i+1].text == tokens[from+1].text) // which gives it another
		}
	}
	return false
}

// lacksName reports whether a pattern writes a name that a file does not have and cannot
// see: of a package, or of what is defined in the workspace. A name that replaces another
// one is what is being renamed.
func (s *search) lacksName(path string, tokens []flat) bool {
	p := &s.pattern
	if len(p.like.old) == 1 && len(p.like.new) == 1 {
		return false
	}
	for i, t := range p.template {
		if t.variable > 0 || !source.IsWordByte(t.text[0]) || source.IsDigit(t.text[0]) || source.Keywords[t.text] || i > 0 && dot(p.template[i-1].text) {
			continue
		}
		next := lineEnd
		switch {
		case i+1 < len(p.template):
			next = p.template[i+1].text
		case len(p.like.right) > 0:
			next = p.like.right[0].text
		}
		has := func(f flat) bool { return f.text == t.text }
		if next == "=" || next == ":=" || next == ":" || slices.ContainsFunc(p.like.old, has) || slices.ContainsFunc(tokens, has) {
			continue
		}
		if s.imports(t.text) {
			return true
		}
		defs := s.corpus.Index().Lookup(t.text)
		if next != "." && len(defs) == 0 {
			continue // of the language, or of the place
		}
		if !slices.ContainsFunc(defs, func(d index.Def) bool {
			return language.OfFile(path) == "go" && source.Folder(s.corpus.Index().Path(d.File)) == source.Folder(path)
		}) {
			return true
		}
	}
	return false
}

// imports reports whether the document that is being typed imports a name.
func (s *search) imports(name string) bool {
	id, ok := s.corpus.Index().FileID(s.path)
	return ok && slices.ContainsFunc(s.corpus.Index().Imports(id), func(im language.Import) bool { return im.Name == name || im.Alias == name })
}

func dot(text string) bool { return text == "." || text == "?." || text == "->" || text == "::" }

// hadName reports whether a change of one name makes it another that a file uses beside
// the examples.
func (p *pattern) hadName(tokens []flat) bool {
	old, now := p.like.old, p.like.new
	if len(old) != 1 || len(now) != 1 || old[0].class != source.Word || now[0].class != source.Word {
		return false
	}
	uses := 0
	for _, t := range tokens {
		uses += flagInt(t.text == now[0].text)
	}
	return uses > len(p.examples)
}

func lineEnds(tokens []flat) (n int) {
	for _, t := range tokens {
		n += flagInt(t.text == lineEnd)
	}
	return n
}

// title describes a pattern in a few words.
func (p *pattern) title() string {
	shown := func(tokens []flat) string {
		if len(tokens) == 0 {
			return ""
		}
		parts := make([]string, 0, len(tokens))
		for _, t := range tokens {
			if t.text != lineEnd {
				parts = append(parts, t.text)
			}
		}
		return source.Clip(strings.Join(parts, " "), 40)
	}
	switch {
	case len(p.like.old) == 0:
		return "Add " + shown(p.like.new)
	case len(p.like.new) == 0:
		return "Remove " + shown(p.like.old)
	case len(p.like.old) == 1 && len(p.like.new) == 1:
		return "Rename " + shown(p.like.old) + " to " + shown(p.like.new)
	}
	return "Change " + shown(p.like.old) + " to " + shown(p.like.new)
}

// file returns the places in one file, in order.
func (s *search) file(path string) []NextEdit {
	src, ok := s.corpus.Text(path)
	if !ok || len(src) > source.MaxFile || source.Written(path, src) {
		return nil
	}
	for _, t := range s.pattern.tokens { // most files lack one: to split all of them is dear
		if t.variable == 0 && t.text != lineEnd && !strings.Contains(src, t.text) {
			return nil
		}
	}
	tokens := flatten(src, s.split)
	var inFile Evidence
	if path != s.path && s.lacksName(path, tokens) {
		inFile[lacksName] = 1
	}
	inFile[hadName] = truth(s.pattern.hadName(tokens))
	var out []NextEdit
	for at := 0; at < len(tokens); at++ {
		if s.pattern.tokens[0].variable == 0 && tokens[at].text != s.pattern.tokens[0].text {
			continue
		}
		vars, changed, ok := s.pattern.match(tokens, at)
		if !ok || s.done(tokens, changed, vars) || s.pattern.removesUsed(tokens, changed) {
			continue
		}
		if n := (NextEdit{Path: path, Edit: s.pattern.edit(src, tokens, changed, vars), Evidence: inFile}); s.related(n, s.pattern.examples) {
			out = append(out, n)
		}
	}
	return out
}

// lineAround returns the text of the line that contains a token.
func lineAround(src string, tokens []flat, i int) string {
	at := len(src)
	if i < len(tokens) {
		at = tokens[i].start
	}
	from := strings.LastIndexByte(src[:at], '\n') + 1
	line, _, _ := strings.Cut(src[from:], "\n")
	return strings.TrimSpace(line)
}

// done reports whether the change is already made: the template's tokens are at
// the place.
func (s *search) done(tokens []flat, changed [2]int, vars map[int][]flat) bool {
	var want []string
	at := -1
	for _, t := range s.pattern.template {
		if t.variable > 0 && at < 0 {
			at = len(want)
		}
		switch {
		case t.run:
			for _, v := range vars[t.variable] {
				want = append(want, v.text)
			}
		case t.variable > 0:
			want = append(want, strings.Replace(t.text, "\x00", joinTokens(vars[t.variable]), 1))
		default:
			want = append(want, t.text)
		}
	}
	if at < 0 {
		at = 0
		for i := range want { // no variable: align by the first old token inside the new ones
			if changed[0] < changed[1] && want[i] == tokens[changed[0]].text {
				at = i
				break
			}
		}
	}
	from := changed[0] - at
	if from < 0 || from+len(want) > len(tokens) || len(want) == 0 {
		return false
	}
	for i, w := range want {
		if tokens[from+i].text != w {
			return false
		}
	}
	return true
}

// edit returns the change at one place.
func (p *pattern) edit(src string, tokens []flat, changed [2]int, vars map[int][]flat) edits.Edit {
	start, end := len(src), len(src)
	if changed[0] < len(tokens) {
		start, end = tokens[changed[0]].start, tokens[changed[0]].start
	}
	if changed[1] > changed[0] {
		end = tokens[changed[1]-1].end
	}
	text := p.render(src, vars, indentAt(src, start))
	switch {
	case changed[0] == changed[1]: // an insertion keeps the example's white space around it
		if before, here := blanksBefore(p.like.src, p.like.new[0].start), blanksBefore(src, start); before != here && changed[0] > 0 && tokens[changed[0]-1].end == start-len(here) {
			start, text = start-len(here), before+text
		}
		if p.template[len(p.template)-1].text == lineEnd {
			text += "\n" + indentAt(src, start)
		} else {
			text += p.after()
		}
	case text == "" && changed[1] < len(tokens): // a removal also removes the blank after it
		end = tokens[changed[1]].start
		if tokens[changed[1]].text == lineEnd && changed[0] > 0 {
			start, end = tokens[changed[0]-1].end, tokens[changed[1]-1].end
		}
	}
	return edits.Edit{Span: edits.Span{Start: start, End: end}, New: text}
}

// blanksBefore returns the blanks before a place.
func blanksBefore(src string, at int) string { return src[len(strings.TrimRight(src[:at], " \t")):at] }

// after returns the blanks after the example's new tokens.
func (p *pattern) after() string {
	rest := p.like.src[p.like.new[len(p.like.new)-1].end:]
	return rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
}

// others returns other files that hold the pattern's names, those of the same
// directory first.
func (s *search) others() []string {
	var names []string
	for _, t := range s.pattern.tokens {
		if t.variable == 0 && len(t.text) > 1 && source.IsWordByte(t.text[0]) && !source.Keywords[t.text] && !slices.Contains(names, t.text) {
			names = append(names, t.text)
		}
	}
	lang, dir := language.OfFile(s.path), source.Folder(s.path)
	var out []string
	files, left := s.files.Holding(s.corpus, s.path, names).All()
	for _, p := range files {
		if p != s.path && language.Family(language.OfFile(p)) == language.Family(lang) {
			out = append(out, p)
		}
	}
	far := func(p string) int { return 2*flagInt(source.Folder(p) != dir) + flagInt(p < s.path) }
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(far(a)-far(b), strings.Compare(a, b)) })
	return s.first(out, left)
}
