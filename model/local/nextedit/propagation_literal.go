package nextedit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/language"
)

// Limits on the copies of a literal.
const (
	minCopied  = 12 // bytes of a text whose copies are taken for the same text
	minDigits  = 4  // of a number whose copies may be the same number
	maxCopies  = 24 // more copies are a word of the language, not one value
	minWords   = 2
	maxLiteral = 400
)

// literal are the copies of a string or number that an edit changed where it is the value
// of a constant or the text of an error.
func (f *follower) literal(recent []workspace.RecentEdit, i int) (out offers) {
	r := recent[i]
	src, ok := f.corpus.Text(r.Path)
	at := placeOf(src, r)
	if !ok || at < 0 || len(src) > source.MaxFile || language.IsTest(r.Path) {
		return out
	}
	for _, h := range changesOf(r.Old, r.New, false) {
		if len(h.old) != 1 || len(h.new) != 1 || h.old[0].class != h.new[0].class {
			continue
		}
		old, now := h.old[0].text, h.new[0].text
		line := lineAround(src, []flat{{start: at + h.newStart()}}, 0)
		switch {
		case h.old[0].class == source.Number && len(old) >= minDigits && f.constantAt(r):
			out = f.copies(r, old, now, false)
		case h.old[0].class != source.Literal || len(old) > maxLiteral:
			continue
		case raisesError.MatchString(line) || f.constantAt(r):
			out = f.messages(r, old[1:len(old)-1], now[1:len(now)-1])
		}
		if len(out.edits)+len(out.left)+len(out.related) > 0 {
			return out
		}
	}
	return out
}

// raisesError matches a line that makes an error with a message.
var raisesError = regexp.MustCompile(`\b(?:errors\.New|Errorf|Error|Exception|raise|throw|panic|bail|anyhow|Err)\b[^"'` + "`" + `]*[("'` + "`" + ` ]`)

// constantAt reports whether an edit is in the definition of a constant or variable outside
// functions.
func (f *follower) constantAt(r workspace.RecentEdit) bool {
	id, ok := f.corpus.Index().FileID(r.Path)
	if !ok {
		return false
	}
	last := r.Line + strings.Count(r.New, "\n")
	for _, d := range f.corpus.Index().Between(id, r.Line, last) {
		if (d.Kind == language.KindConst || d.Kind == language.KindVar || d.Kind == language.KindEnumMember) && !d.Local && d.StartLine >= r.Line && d.EndLine <= last {
			return true
		}
	}
	return false
}

// verbs are the parts of a message that stand for values.
var verbs = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z]|\$?\{[^{}]*\}`)

// messages are the copies of a text, or of the part between two values that changed in it.
func (f *follower) messages(r workspace.RecentEdit, old, now string) offers {
	was, is := verbs.Split(old, -1), verbs.Split(now, -1)
	if len(was) != len(is) || !slices.Equal(verbs.FindAllString(old, -1), verbs.FindAllString(now, -1)) {
		return offers{}
	}
	changed := -1
	for i := range was {
		if was[i] != is[i] {
			if changed >= 0 {
				return offers{}
			}
			changed = i
		}
	}
	if changed < 0 {
		return offers{}
	}
	lead, trail := len(was[changed])-len(strings.TrimLeft(was[changed], " :")), len(was[changed])-len(strings.TrimRight(was[changed], " :"))
	if lead+trail >= len(was[changed]) || !strings.HasPrefix(is[changed], was[changed][:lead]) || !strings.HasSuffix(is[changed][lead:], was[changed][len(was[changed])-trail:]) {
		lead, trail = 0, 0
	}
	return f.copies(r, was[changed][lead:len(was[changed])-trail], is[changed][lead:len(is[changed])-trail], true)
}

// copies are the places of a literal's text in the workspace. Where the text is long enough
// to be this one, it is written in tests; elsewhere, and where it is short, only the user
// can say whether the value is the same.
func (f *follower) copies(r workspace.RecentEdit, old, now string, message bool) (out offers) {
	words := wordsOf(old)
	certain := message && len(old) >= minCopied && len(words) >= minWords
	if !certain && (message || len(words) == 0) {
		return out
	}
	var tests, others []NextEdit
	title := fmt.Sprintf("Change %s to %s", source.Clip(old, 40), source.Clip(now, 40))
	change := strings.Join([]string{"literal", r.Path, old, now}, "\x00")
	why := fmt.Sprintf("%s:%d has the same text, which you changed", r.Path, r.Line)
	for _, path := range f.holding(r.Path, words) {
		src, ok := f.corpus.Text(path)
		if !ok || len(src) > source.MaxFile || locked(path) || f.ctx.Err() != nil {
			continue
		}
		for _, t := range flatten(src, false) {
			if message != (t.class == source.Literal) || !message && t.text != old || message && !strings.Contains(t.text, old) || f.undone[path+"\x00"+lineAround(src, []flat{t}, 0)] {
				continue
			}
			start := t.start + strings.Index(t.text, old)
			n := NextEdit{Path: path, Edit: edits.Edit{Span: edits.Span{Start: start, End: start + len(old)}, New: now}, Title: title, Reason: why, Change: change, Evidence: evidenceOf(literalCopy, 0, 1)}
			if certain && language.IsTest(path) {
				tests = append(tests, n)
				continue
			}
			n.Jump, n.Edit.New, n.Edit.End = why, "", start
			others = append(others, n)
		}
	}
	if len(tests)+len(others) > maxCopies {
		return out
	}
	return offers{edits: tests, related: others, name: now}
}

// wordsOf are the words of a text that files are searched for, the longest first.
func wordsOf(text string) []string {
	var out []string
	for _, t := range source.Lex(text, nil) {
		if len(t.Text) > 2 && source.IsWordByte(t.Text[0]) {
			out = append(out, t.Text)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// holding are the files that may hold some words: that of the edit, then those of its
// folder, then the others.
func (f *follower) holding(path string, words []string) []string {
	lang, dir := language.OfFile(path), source.Folder(path)
	out := []string{path}
	var far []string
	for _, p := range f.files.Holding(f.corpus, f.path, words) {
		switch {
		case p == path || language.Family(language.OfFile(p)) != language.Family(lang):
		case source.Folder(p) == dir:
			out = append(out, p)
		default:
			far = append(far, p)
		}
	}
	out = append(out, far...)
	return out[:min(len(out), maxSiteFiles)]
}
