package nextedit

import (
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A lineChange is a line that the user made another one, or took away.
type lineChange struct {
	example
	was, is  string // without what is around them
	old, now []flat // of these
}

// A lineRule is what two changes of lines have in common: the tokens of a line, in which those that
// differ are variables, and what comes for them.
type lineRule struct {
	old, now  []slot
	classes   []source.Class // of old
	like      lineChange
	head      int // how many tokens stay before the changed ones
	tail      int // and behind them
	wholeLine string
}

// lineChanges are the lines of code that the recent edits changed one by one, the newest first.
func (f *follower) lineChanges(split bool) (out []lineChange) {
	for age := range f.recent {
		r := f.recent[len(f.recent)-1-age]
		src := currentText(f.corpus, r.Path)
		if lang := language.OfFile(r.Path); dataLanguages[lang] || textLanguages[lang] || source.Written(r.Path, src) {
			continue
		}
		old, now := strings.SplitAfter(r.Old, "\n"), strings.SplitAfter(r.New, "\n")
		from := placeOf(src, r)
		for _, d := range edits.DiffLines(old, now) {
			rows := d.End - d.Start
			if rows != d.NewEnd-d.NewStart && d.NewEnd > d.NewStart {
				continue
			}
			for i := range rows {
				c := lineChange{example: example{change: &change{was: r.Old, src: r.New}, path: r.Path, at: -1, edit: age}, was: strings.TrimSpace(old[d.Start+i])}
				to := d.NewStart
				if d.NewEnd > d.NewStart {
					to = d.NewStart + i
					c.is = strings.TrimSpace(now[to])
				}
				if from >= 0 {
					c.at = from + len(strings.Join(now[:to], ""))
				}
				c.old, c.now = lineTokens(c.was, split), lineTokens(c.is, split)
				c.change.old = c.old
				if len(c.old) > 0 && len(out) < maxExamples && !source.IsComment(c.was) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

func lineTokens(line string, split bool) []flat {
	tokens := flatten(line, split)
	return tokens[:max(len(tokens)-1, 0)]
}

// ruleOf generalises two changes of lines; false if they are not the same change, or if a line
// would have to share nothing but signs with them.
func ruleOf(a, b lineChange) (r lineRule, ok bool) {
	if a.path != b.path || len(a.old) != len(b.old) || len(a.now) != len(b.now) || (a.is == "") != (b.is == "") {
		return r, false
	}
	r.like = a
	words, names := 0, 0
	for i, t := range a.old {
		if t.class == source.Word {
			names++
		}
		s := slot{text: t.text}
		switch {
		case t.class != b.old[i].class:
			return r, false
		case t.text != b.old[i].text:
			s = slot{variable: i + 1}
		case isName(t) || t.class == source.Literal:
			words++
		}
		r.old, r.classes = append(r.old, s), append(r.classes, t.class)
	}
	for i, t := range a.now {
		s := slot{text: t.text}
		if t.text != b.now[i].text {
			v := slices.IndexFunc(r.old, func(o slot) bool {
				return o.variable > 0 && a.old[o.variable-1].text == t.text && b.old[o.variable-1].text == b.now[i].text
			})
			if v < 0 {
				return r, false
			}
			s = slot{variable: v + 1}
		}
		r.now = append(r.now, s)
	}
	if a.is == "" {
		r.wholeLine = a.was
		return r, a.was == b.was && words > 1 && names > 0
	}
	least := min(len(r.old), len(r.now))
	for r.head < least && r.old[r.head] == r.now[r.head] {
		r.head++
	}
	for r.tail < least-r.head && r.old[len(r.old)-1-r.tail] == r.now[len(r.now)-1-r.tail] {
		r.tail++
	}
	if old, now := r.changed(); !slices.ContainsFunc(old, isName) && !slices.ContainsFunc(now, isName) {
		words-- // signs alone: the line must tell more
	}
	return r, words > 0 && r.head+r.tail < max(len(r.old), len(r.now))
}

// changed are the tokens that go, and those that come.
func (r *lineRule) changed() (old, now []flat) {
	return r.like.old[r.head : len(r.like.old)-r.tail], r.like.now[r.head : len(r.like.now)-r.tail]
}

// names are the old and the new name of a rule that gives one for the other.
func (r *lineRule) names() string {
	if old, now := r.changed(); len(old) == 1 && len(now) == 1 {
		return old[0].text + "\x00" + now[0].text
	}
	return ""
}

// variable reports whether the rule gives one name for another that no object has before it: it may
// be a variable, and what has the name in another function is another one.
func (r *lineRule) variable() bool {
	old, now := r.changed()
	return len(old) == 1 && len(now) == 1 && old[0].class == source.Word && now[0].class == source.Word && (r.head == 0 || !dot(r.old[r.head-1].text))
}

// at is the edit of a line that the rule is about, which begins at an offset of its file.
func (r *lineRule) at(line string, start int, split bool) (e edits.Edit, ok bool) {
	lead := len(line) - len(strings.TrimLeft(line, " \t"))
	text := strings.TrimSpace(line)
	if r.wholeLine != "" {
		return edits.Edit{Span: edits.Span{Start: start, End: start + len(line)}}, text == r.wholeLine
	}
	tokens := lineTokens(text, split)
	if len(tokens) != len(r.old) {
		return e, false
	}
	for i, s := range r.old {
		if s.variable == 0 && s.text != tokens[i].text || tokens[i].class != r.classes[i] {
			return e, false
		}
	}
	var written strings.Builder
	_, middle := r.changed()
	for i, t := range middle {
		if i > 0 {
			written.WriteString(r.like.is[middle[i-1].end:t.start])
		}
		if s := r.now[r.head+i]; s.variable > 0 {
			written.WriteString(tokens[s.variable-1].text)
		} else {
			written.WriteString(t.text)
		}
	}
	last, lastNow := len(tokens)-r.tail, len(r.like.now)-r.tail // the first tokens that stay behind the changed ones
	from, to := tokens[max(r.head-1, 0)].end, tokens[min(last, len(tokens)-1)].start
	if r.head == 0 {
		from = tokens[0].start
	}
	if r.tail == 0 {
		to = tokens[len(tokens)-1].end
	}
	// The blanks become the example's too, but what these were in the example stays what it is here.
	left, right := blanks(text, tokens, r.head), blanks(text, tokens, last)
	like := func(now, here int, stay string) string {
		if b := blanks(r.like.is, r.like.now, now); b != blanks(r.like.was, r.like.old, here) {
			return b
		}
		return stay
	}
	e.New = like(r.head, r.head, left)
	if len(middle) > 0 {
		e.New += written.String() + like(lastNow, last, right)
	}
	switch {
	case left != "" && strings.HasPrefix(e.New, left):
		from, e.New = from+len(left), e.New[len(left):]
	case strings.HasSuffix(e.New, right):
		to, e.New = to-len(right), e.New[:len(e.New)-len(right)]
	}
	e.Span = edits.Span{Start: start + lead + from, End: start + lead + to}
	return e, true
}

// blanks are those between a token of a text and the one before it.
func blanks(text string, tokens []flat, i int) string {
	if i == 0 || i == len(tokens) {
		return ""
	}
	return text[tokens[i-1].end:tokens[i].start]
}

// siblings are the lines of a file that are as two others were which the user changed in the same
// way, whole tokens for whole tokens.
func (f *follower) siblings(split bool) (out []NextEdit, age int) {
	made := f.lineChanges(split)
	for i, a := range made {
		for j := i + 1; j < len(made); j++ {
			rule, ok := ruleOf(a, made[j])
			if !ok || f.renames[rule.names()] {
				continue
			}
			examples := []example{a.example}
			for _, o := range made[j:] {
				if _, same := ruleOf(a, o); same {
					examples = append(examples, o.example)
				}
			}
			if out = f.like(rule, examples, split); len(out) > 0 {
				return out, a.edit
			}
		}
	}
	return nil, 0
}

// like are the lines that a rule is about, in the file of its examples.
func (f *follower) like(r lineRule, examples []example, split bool) (out []NextEdit) {
	path, start := r.like.path, 0
	id, _ := f.corpus.Index().FileID(path)
	around := func(at int) index.DefID {
		fn, _ := functionAround(f.corpus.Index(), id, 1+strings.Count(currentText(f.corpus, path)[:at], "\n"))
		return fn.ID
	}
	variable := r.variable()
	for line := range strings.Lines(currentText(f.corpus, path)) {
		e, ok := r.at(line, start, split)
		if ok && variable {
			ok = r.like.at >= 0 && around(r.like.at) == around(e.Start)
		}
		if ok {
			out = append(out, NextEdit{Path: path, Edit: e})
		}
		start += len(line)
	}
	old, now := r.changed()
	if r.wholeLine != "" && len(out) > len(examples) {
		return nil // a line that many have
	}
	title := (&pattern{like: &change{old: old, new: now}}).title()
	for i := range out {
		n := &out[i]
		n.Title = fmt.Sprintf("%s: %d of %d", title, len(examples)+1, len(examples)+len(out))
		n.Reason = fmt.Sprintf("you made this change %s", terms.Counted(len(examples), "time"))
		n.Change = "repeated\x00" + title
		n.Evidence = f.at(*n, examples, examples[0].edit)
		n.Evidence[alike] = 1
	}
	return out
}
