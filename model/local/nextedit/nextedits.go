package nextedit

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A NextEdit is a place where a change that the user has begun applies too.
type NextEdit struct {
	Path   string
	Edit   edits.Edit // of the file's current text
	Title  string     // "Rename oldName to newName: 3 of 12"
	Reason string     // why it is offered, as a sentence
	Change string     // identifies the user's change: the same at all of its places
	// Jump is why the user should go there, where only they can say what to write. Edit
	// then changes nothing. "" is an edit.
	Jump     string
	Evidence Evidence // what speaks for it
}

// Files finds files by their words; *complete.Engine does.
type Files interface {
	// Holding returns the files that may hold all of some words, in code, comments or
	// strings. The document except is being typed and need not be up to date.
	Holding(c source.Corpus, except string, words []string) []string
}

// An Engine finds the next edits of one session.
type Engine struct {
	files Files

	mu        sync.Mutex          // guards histories
	histories map[string]*history // by Corpus.Root
}

// New returns an engine that searches the files that files finds.
func New(files Files) *Engine { return &Engine{files: files, histories: map[string]*history{}} }

func (e *Engine) history(c source.Corpus) *history {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := e.histories[c.Root()]
	if h == nil {
		h = &history{}
		e.histories[c.Root()] = h
	}
	return h
}

// Limits on the recent edits and files that are inspected.
const (
	maxRecent    = 12
	maxExamples  = 24
	maxSiteFiles = 200 // files that are searched for further places of a change
	maxOffers    = 24
)

// Pending returns the places that the user's last changes still have to reach and that are
// probable enough, the most probable first. Places where only the user can say what to
// write come behind them: those of the definition that was changed last first.
func (e *Engine) Pending(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) iter.Seq[NextEdit] {
	return func(yield func(NextEdit) bool) {
		var list, jumps []NextEdit
		for found := range e.changes(ctx, c, &goChecks{}, recent, path, offset, maxOffers) {
			for _, n := range found.all() {
				switch {
				case n.Jump != "":
					jumps = append(jumps, n)
				case n.Evidence.Enough(n.Evidence.Chance(decisions), decisions):
					list = append(list, n)
				case n.Evidence[namedCall]+n.Evidence[byName] > 0: // the place may have to change, what to write is not sure
					n.Jump, n.Edit.New, n.Edit.End = n.Reason, "", n.Edit.Start
					jumps = append(jumps, n)
				}
			}
			if len(found.edits) > 0 && found.edits[0].Evidence.Follows() {
				break // nothing is more probable, and other definitions may take long
			}
		}
		slices.SortStableFunc(list, func(a, b NextEdit) int {
			return cmp.Compare(b.Evidence.Chance(decisions), a.Evidence.Chance(decisions))
		})
		for _, n := range append(withoutOverlaps(list), jumps...) {
			if !yield(n) {
				return
			}
		}
	}
}

// Candidates are all places that the user's last changes may have to reach, however
// improbable.
func (e *Engine) Candidates(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, path string, offset int) (out []NextEdit) {
	for found := range e.changes(ctx, c, &goChecks{}, recent, path, offset, maxOffers) {
		out = append(out, found.all()...)
	}
	return out
}

// offers are the places of one change.
type offers struct {
	edits   []NextEdit
	left    []NextEdit // must change, and only the user can say how
	related []NextEdit // may have to change
	name    string     // of what was changed: who writes it somewhere goes on with the change
}

// all are the edits, then the other places.
func (o offers) all() []NextEdit { return slices.Concat(o.edits, o.left, o.related) }

// changes returns the user's changes that have places left, at most so many places each.
func (e *Engine) changes(ctx context.Context, c source.Corpus, checks *goChecks, recent []workspace.RecentEdit, path string, offset, most int) iter.Seq[offers] {
	return func(yield func(offers) bool) {
		history := e.history(c)
		undone := history.undone(recent)
		kept := recent[max(len(recent)-maxRecent, 0):]
		f := follower{ctx: ctx, corpus: c, checks: checks, files: e.files, path: path, offset: offset, most: most, undone: undone, recent: kept}
		some := func(o offers) bool { return len(o.edits)+len(o.left)+len(o.related) == 0 || yield(o) }
		follows := func(o offers, age int) bool { return some(f.known(o, age)) }
		if len(kept) > 0 && !follows(f.definition(kept, len(kept)-1), 0) {
			return
		}
		for _, split := range []bool{false, true} {
			examples := examplesIn(c, &history.derived, recent, split)
			searched := map[string]bool{} // by title: the first has the most examples
			for _, p := range patterns(&history.derived, examples) {
				title := p.title()
				if searched[title] || most != maxOffers && p.numeric() { // versions of many things: not all at once
					continue
				}
				searched[title] = true
				if !some(offers{edits: (&search{&f, p, split}).all()}) {
					return
				}
			}
			if split || most != maxOffers {
				continue
			}
			for _, x := range examples {
				if x.edit == 0 && !some(offers{edits: f.sameText(x)}) {
					return
				}
			}
		}
		for i := len(kept) - 2; i >= 0; i-- {
			if !follows(f.definition(kept, i), len(kept)-1-i) {
				return
			}
		}
		for i := range slices.Backward(kept) {
			if !follows(f.literal(kept, i), len(kept)-1-i) {
				return
			}
		}
	}
}

// prose reports whether a file is text for people, whose sentences have no places in common.
func prose(path string) bool { return language.OfFile(path) == "markdown" }

// currentText is a file's text, "" if it cannot be read.
func currentText(c source.Corpus, path string) string {
	text, _ := c.Text(path)
	return text
}

// aroundLines is the number of lines before and after an edit that belong to the
// example.
const aroundLines = 20

// sides returns an edit's texts before and after, with the current lines around
// it, and where these begin in the file; -1 if the edit's text is gone.
func sides(c source.Corpus, r workspace.RecentEdit) (before, after string, at int) {
	src, _ := c.Text(r.Path)
	from := placeOf(src, r)
	if from < 0 {
		return r.Old, r.New, -1
	}
	above, below := src[:from], src[from+len(r.New):]
	at = linesBack(above, aroundLines)
	above = above[at:]
	below = below[:linesAhead(below, aroundLines)]
	return above + r.Old + below, above + r.New + below, at
}

// placeOf returns the current offset of an edit's new text, or -1 if the text is gone.
func placeOf(src string, r workspace.RecentEdit) int {
	if r.Placed && r.Place.Valid(len(src)) && src[r.Place.Start:r.Place.End] == r.New {
		return r.Place.Start
	}
	return -1
}

// linesBack returns the offset where the last n lines of s begin.
func linesBack(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		at = strings.LastIndexByte(s[:at-1], '\n') + 1
	}
	return at
}

// linesAhead returns the offset where the first n lines of s end.
func linesAhead(s string, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return len(s)
		}
		at += i + 1
	}
	return at
}

// A search finds the places of one pattern.
type search struct {
	*follower
	pattern pattern
	split   bool // string literals are split into tokens
}

// all returns the places, the best first.
func (s *search) all() []NextEdit {
	own := s.file(s.path)
	i, _ := slices.BinarySearchFunc(own, s.offset, func(n NextEdit, at int) int { return n.Edit.Start - at })
	out := append(slices.Clone(own[i:]), own[:i]...)
	for _, other := range s.others() {
		if len(out) >= s.most || s.ctx.Err() != nil {
			break
		}
		out = append(out, s.file(other)...)
	}
	out = out[:min(len(out), s.most)]
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
	if !ok || len(src) > source.MaxFile || locked(path) {
		return nil
	}
	tokens := flatten(src, s.split)
	var inFile Evidence
	if path != s.path && s.lacksName(path, tokens) {
		if s.most != maxOffers {
			return nil
		}
		inFile[lacksName] = 1
	}
	inFile[hadName] = truth(s.pattern.hadName(tokens))
	var out []NextEdit
	for at := 0; at < len(tokens); at++ {
		if s.pattern.tokens[0].variable == 0 && tokens[at].text != s.pattern.tokens[0].text {
			continue
		}
		vars, changed, ok := s.pattern.match(tokens, at)
		if !ok || s.done(tokens, changed, vars) || s.pattern.removesUsed(tokens, changed) || s.undone[path+"\x00"+lineAround(src, tokens, changed[0])] {
			continue
		}
		out = append(out, NextEdit{Path: path, Edit: s.pattern.edit(src, tokens, changed, vars), Evidence: inFile})
	}
	return out
}

// locked reports whether a tool writes a file: the exact versions of dependencies.
func locked(path string) bool {
	base := source.Base(path)
	return strings.HasSuffix(base, ".lock") || base == "go.sum" || base == "package-lock.json" || base == "pnpm-lock.yaml"
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
	for _, p := range s.files.Holding(s.corpus, s.path, names) {
		if p != s.path && language.Family(language.OfFile(p)) == language.Family(lang) {
			out = append(out, p)
		}
	}
	far := func(p string) int { return 2*flagInt(source.Folder(p) != dir) + flagInt(p < s.path) }
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(far(a)-far(b), strings.Compare(a, b)) })
	return out[:min(len(out), maxSiteFiles)]
}
