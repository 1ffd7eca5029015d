package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// An edit is a change in one format, while a kind of error is being made in it.
type edit struct {
	change
	format     string
	header     string // of a unified diff, instead of the plain one
	unnumbered bool   // hunks of a unified diff have no line numbers
	miscount   int    // what a unified diff's counts are off by
	guess      bool   // the answer does not say enough: whatever is applied is a guess
}

// A kind is one kind of error. lines makes it in the lines of the hunks, text in the
// written answer; both report whether the edit has a place for it.
type kind struct {
	name    string
	only    []string // the formats that can have it; nil for all
	created bool     // a new file can have it too
	lines   func(*edit, *rand.Rand) bool
	text    func(*edit, string, *rand.Rand) (string, bool)
}

var (
	inHunks  = []string{"apply_patch", "unified_diff"}
	inBlocks = []string{"apply_patch", "unified_diff", "search_replace", "str_replace"}
	inText   = []string{"apply_patch", "unified_diff", "search_replace", "rewrite"}
	inSearch = []string{"search_replace", "str_replace"}
	inDiffs  = []string{"unified_diff"}
)

var kinds = []kind{
	{name: "clean", created: true},
	{name: "context lost its space", only: inHunks, lines: bareContext(1)},
	{name: "some of it did", only: inHunks, lines: bareContext(0.5)},
	{name: "added line without +", only: inHunks, lines: bareAddition},
	{name: "trailing space added", only: inBlocks, lines: onOld(trailing)},
	{name: "trailing space gone", only: inBlocks, lines: onOld(func(s string) string { return strings.TrimRight(s, " \t") })},
	{name: "a level deeper", only: inBlocks, lines: deeper},
	{name: "a level shallower", only: inBlocks, lines: shallower},
	{name: "at the margin", only: inBlocks, lines: atMargin},
	{name: "margin, space lost", only: inHunks, lines: both(atMargin, bareContext(1))},
	{name: "tabs for spaces", only: inBlocks, lines: tabsForSpaces(false)},
	{name: "tabs in added lines", only: inBlocks, lines: tabsForSpaces(true)},
	{name: "spaces for tabs", only: inBlocks, lines: spacesForTabs(false)},
	{name: "spaces in added lines", only: inBlocks, lines: spacesForTabs(true)},
	{name: "answer in CRLF", created: true, text: func(_ *edit, s string, _ *rand.Rand) (string, bool) {
		return strings.ReplaceAll(s, "\n", "\r\n"), true
	}},
	{name: "file in CRLF", lines: fileInCRLF},
	{name: "wrong line numbers", only: inDiffs, lines: wrongNumbers},
	{name: "wrong counts", only: inDiffs, lines: wrongCounts},
	{name: "no line numbers", only: inDiffs, lines: func(e *edit, _ *rand.Rand) bool { e.unnumbered = true; return true }},
	{name: "less context", only: inBlocks, lines: lessContext(1)},
	{name: "no context", only: inBlocks, lines: lessContext(0)},
	{name: "context line left out", only: inBlocks, lines: leaveOut},
	{name: "context line invented", only: inBlocks, lines: invent},
	{name: "context line misspelt", only: inBlocks, lines: misspell},
	{name: "context elided", only: inBlocks, lines: elide},
	{name: "in a fence", only: inText, created: true, text: fenced},
	{name: "prose around", created: true, only: inText, text: func(_ *edit, s string, _ *rand.Rand) (string, bool) {
		return "I'll make the change now:\n\n" + s + "\nThis keeps the behaviour; run the tests - they should pass.\n", true
	}},
	{name: "in a here-document", only: []string{"apply_patch"}, created: true, text: func(_ *edit, s string, _ *rand.Rand) (string, bool) {
		return "apply_patch <<'EOF'\n" + s + "EOF\n", true
	}},
	{name: "typographic quotes", only: inBlocks, lines: onOld(typographic.Replace)},
	{name: "typographic to plain", only: inBlocks, lines: onOld(plain.Replace)},
	{name: "entities", only: inBlocks, lines: asEntities},
	{name: "line numbers in text", only: inSearch, lines: numberedOld},
	{name: "blank lines around", only: inBlocks, lines: blankAround},
	{name: "answer's last newline gone", created: true, text: func(_ *edit, s string, _ *rand.Rand) (string, bool) {
		return strings.TrimSuffix(s, "\n"), true
	}},
	{name: "file's last newline gone", lines: noFinalNewline},
	{name: "cut short", created: true, text: cutShort},
	{name: "hunks in other order", only: inBlocks, lines: otherOrder},
	{name: "path without folders", lines: shortPath},
	{name: "git format-patch", only: inDiffs, created: true, lines: gitHeader, text: mail},
	{name: "diff -ruN", only: inDiffs, created: true, lines: ruN},
	{name: "text there twice", only: inBlocks, lines: twice},
	{name: "code left out", only: []string{"rewrite"}, text: leftOut},
}

// on makes a case of a change; ok is false where the kind has no place in it.
func (k kind) on(c change, format string, random *rand.Rand) (one testCase, ok bool) {
	if c.created && !k.created || k.only != nil && !slices.Contains(k.only, format) || format == "rewrite" && strings.Contains(c.after, "````") {
		return one, false
	}
	e := &edit{change: c, format: format}
	e.hunks = slices.Clone(c.hunks)
	for i := range e.hunks {
		e.hunks[i].lines = slices.Clone(e.hunks[i].lines)
	}
	if k.lines != nil && !k.lines(e, random) || merges(c.hunks, e.hunks, slices.Contains(inSearch, format)) {
		return one, false
	}
	if format != "unified_diff" && e.elsewhere(c.hunks) {
		return one, false
	}
	answer := e.render()
	if k.text != nil {
		if answer, ok = k.text(e, answer, random); !ok {
			return one, false
		}
	}
	one = testCase{Format: format, Patch: answer, Before: map[string]string{}, After: map[string]string{c.path: e.after}, kind: k.name, path: c.path}
	if !c.created {
		one.Before[c.path] = e.before
	}
	if e.guess {
		one.After = nil
	}
	return one, true
}

// elsewhere reports whether an error made old lines those of another place in the
// file, exactly: without line numbers, that place is meant.
func (e *edit) elsewhere(before []hunk) bool {
	for i := range e.hunks {
		old := e.hunks[i].side('+')
		if len(e.hunks) == len(before) && old != before[i].side('+') && old != "" && strings.Contains("\n"+e.before, "\n"+old) && strings.Count(old, "\n") == strings.Count(before[i].side('+'), "\n") {
			return true
		}
	}
	return false
}

// merges reports whether an error made a removed line equal to an added one that
// it differed from: the change between them is then not in the answer any more. Where
// lines have no signs, the same holds for a kept line, which of the two is the old one.
func merges(before, after []hunk, unsigned bool) bool {
	added := func(h hunk, text string) bool {
		return slices.ContainsFunc(h.lines, func(l line) bool { return l.op == '+' && l.text == text })
	}
	for i, h := range after {
		if unsigned && len(h.lines) == len(before[i].lines) && distinct(h) < distinct(before[i]) {
			return true
		}
		known := map[string]bool{} // old lines that an added one was equal to
		for _, l := range before[i].lines {
			if l.op != '+' && added(before[i], l.text) {
				known[strings.TrimSpace(l.text)] = true
			}
		}
		for j, l := range h.lines {
			old := l.op == '-' || l.op == ' ' && unsigned
			if !old || !added(h, l.text) {
				continue
			}
			if same := len(h.lines) == len(before[i].lines); same && !added(before[i], before[i].lines[j].text) || !same && !known[strings.TrimSpace(l.text)] {
				return true
			}
		}
	}
	return false
}

// distinct counts the different old lines of a hunk.
func distinct(h hunk) int {
	texts := map[string]bool{}
	for _, l := range h.lines {
		if l.op != '+' {
			texts[l.text] = true
		}
	}
	return len(texts)
}

// each calls do for every line and reports whether one changed.
func (e *edit) each(do func(*line)) bool {
	changed := false
	for i := range e.hunks {
		for j := range e.hunks[i].lines {
			l := &e.hunks[i].lines[j]
			was := *l
			do(l)
			changed = changed || *l != was
		}
	}
	return changed
}

// trailing adds space at the end of a line, but of a blank one: that would be another.
func trailing(s string) string {
	if strings.TrimSpace(s) == "" {
		return s
	}
	return s + "  "
}

func onOld(do func(string) string) func(*edit, *rand.Rand) bool {
	return func(e *edit, _ *rand.Rand) bool {
		return e.each(func(l *line) {
			if l.op != '+' {
				l.text = do(l.text)
			}
		})
	}
}

func both(a, b func(*edit, *rand.Rand) bool) func(*edit, *rand.Rand) bool {
	return func(e *edit, random *rand.Rand) bool { return a(e, random) && b(e, random) }
}

func bareContext(share float64) func(*edit, *rand.Rand) bool {
	return func(e *edit, random *rand.Rand) bool {
		return e.each(func(l *line) { l.bare = l.op == ' ' && random.Float64() < share })
	}
}

// bareAddition takes the + off one added line.
func bareAddition(e *edit, random *rand.Rand) bool {
	var at []*line
	e.each(func(l *line) {
		if l.op == '+' && strings.TrimSpace(l.text) != "" {
			at = append(at, l)
		}
	})
	if len(at) == 0 {
		return false
	}
	at[random.IntN(len(at))].bare = true
	return true
}

func indented(s string) bool { return strings.TrimSpace(s) != "" && (s[0] == ' ' || s[0] == '\t') }

// step is one level of the file's indentation, "" where it has none or mixes them.
func (e *edit) step() string {
	tabs, steps, last := 0, map[int]int{}, 0
	for text := range strings.Lines(e.before) {
		if strings.TrimSpace(text) == "" {
			continue
		}
		if text[0] == '\t' {
			tabs++
			continue
		}
		n := len(text) - len(strings.TrimLeft(text, " "))
		if n > last {
			steps[n-last]++
		}
		last = n
	}
	best := 0
	for n, times := range steps {
		if n > 1 && (times > steps[best] || times == steps[best] && n < best) {
			best = n
		}
	}
	switch {
	case tabs > 0 && len(steps) == 0:
		return "\t"
	case tabs == 0 && best > 0:
		return strings.Repeat(" ", best)
	}
	return ""
}

func deeper(e *edit, _ *rand.Rand) bool {
	step := e.step()
	return step != "" && e.each(func(l *line) {
		if strings.TrimSpace(l.text) != "" {
			l.text = step + l.text
		}
	})
}

func shallower(e *edit, _ *rand.Rand) bool { return e.less(e.step()) }

// less takes a prefix off every line; all lines must have it.
func (e *edit) less(prefix string) bool {
	fits := prefix != ""
	e.each(func(l *line) {
		if strings.TrimSpace(l.text) == "" {
			fits = fits && (l.op == ' ' || l.text == "") // nobody could put its space back
		} else {
			fits = fits && strings.HasPrefix(l.text, prefix)
		}
	})
	return fits && e.each(func(l *line) { l.text = strings.TrimPrefix(l.text, prefix) })
}

// atMargin takes off each hunk the indentation that all its lines share.
func atMargin(e *edit, _ *rand.Rand) bool {
	changed := false
	for i := range e.hunks {
		one := &edit{change: change{hunks: e.hunks[i : i+1]}}
		shared, first := "", true
		one.each(func(l *line) {
			indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))]
			switch {
			case strings.TrimSpace(l.text) == "":
			case first:
				shared, first = indent, false
			default:
				for !strings.HasPrefix(indent, shared) {
					shared = shared[:len(shared)-1]
				}
			}
		})
		changed = one.less(shared) || changed
	}
	return changed
}

func tabsForSpaces(addedOnly bool) func(*edit, *rand.Rand) bool {
	return func(e *edit, _ *rand.Rand) bool {
		step := e.step()
		if !strings.HasPrefix(step, " ") {
			return false
		}
		if (addedOnly || !e.indents('-')) && e.reindents() || e.adds("\t") {
			return false
		}
		return e.each(func(l *line) {
			if addedOnly && l.op != '+' || !indented(l.text) {
				return
			}
			n := 0
			for strings.HasPrefix(l.text[n*len(step):], step) {
				n++
			}
			l.text = strings.Repeat("\t", n) + l.text[n*len(step):]
		})
	}
}

func spacesForTabs(addedOnly bool) func(*edit, *rand.Rand) bool {
	return func(e *edit, random *rand.Rand) bool {
		if e.step() != "\t" {
			return false
		}
		if addedOnly && e.reindents() || e.adds(" ") {
			return false
		}
		width := strings.Repeat(" ", 2<<random.IntN(2))
		return e.each(func(l *line) {
			if addedOnly && l.op != '+' || strings.TrimSpace(l.text) == "" {
				return
			}
			rest := strings.TrimLeft(l.text, "\t")
			l.text = strings.Repeat(width, len(l.text)-len(rest)) + rest
		})
	}
}

// indents reports whether a line with this sign, or a kept one, is indented.
func (e *edit) indents(sign byte) bool {
	found := false
	e.each(func(l *line) { found = found || (l.op == sign || l.op == ' ') && indented(l.text) })
	return found
}

// reindents reports whether a line is added that was removed with another
// indentation: its new one may then be meant, whatever it is.
func (e *edit) reindents() bool {
	removed := map[string]bool{}
	e.each(func(l *line) {
		if l.op == '-' {
			removed[strings.TrimSpace(l.text)] = true
		}
	})
	found := false
	e.each(func(l *line) { found = found || l.op == '+' && indented(l.text) && removed[strings.TrimSpace(l.text)] })
	return found
}

// adds reports whether the indentation of an added line has the character that
// others are about to be written with: then nothing shows that it alone means it.
func (e *edit) adds(character string) bool {
	found := false
	e.each(func(l *line) {
		found = found || l.op == '+' && indented(l.text) && strings.Contains(l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))], character)
	})
	return found
}

func fileInCRLF(e *edit, _ *rand.Rand) bool {
	e.before, e.after = strings.ReplaceAll(e.before, "\n", "\r\n"), strings.ReplaceAll(e.after, "\n", "\r\n")
	return true
}

func wrongNumbers(e *edit, random *rand.Rand) bool {
	for i := range e.hunks {
		if strings.Count(e.before, e.hunks[i].side('+')) > 1 {
			return false // its number alone says which is meant
		}
		off := random.IntN(41) - 20
		e.hunks[i].oldStart = max(e.hunks[i].oldStart+off, 1)
		e.hunks[i].newStart = max(e.hunks[i].newStart+off, 1)
	}
	return true
}

func wrongCounts(e *edit, random *rand.Rand) bool {
	e.miscount = []int{-2, -1, 1, 2}[random.IntN(4)]
	return true
}

// lessContext leaves at most n kept lines at each end of every hunk. A hunk that
// then looks for nothing needs its line number, which only a diff has.
func lessContext(n int) func(*edit, *rand.Rand) bool {
	return func(e *edit, _ *rand.Rand) bool {
		changed := false
		for i := range e.hunks {
			h := &e.hunks[i]
			above := leadingKept(h.lines)
			below := leadingKept(reversed(h.lines))
			top, end := max(above-n, 0), max(below-n, 0)
			changed = changed || top+end > 0
			if slices.ContainsFunc(h.lines[:top], func(l line) bool { return l.text != "" && !indented(l.text) }) {
				h.section = "" // the lines left out may begin another one
			}
			h.lines = h.lines[top : len(h.lines)-end]
			h.oldStart += top
			h.newStart += top
			if h.count('+') == 0 {
				if e.format != "unified_diff" {
					return false
				}
				h.oldStart--
			}
			if h.count('-') == 0 {
				h.newStart--
			}
		}
		return changed
	}
}

func reversed(lines []line) []line {
	out := slices.Clone(lines)
	slices.Reverse(out)
	return out
}

func leadingKept(lines []line) int {
	n := 0
	for n < len(lines) && lines[n].op == ' ' {
		n++
	}
	return n
}

// inner picks a kept line that is not the first or last of its hunk, nor beside
// an added one: without that one the edit would be another.
func (e *edit) inner(random *rand.Rand) (h *hunk, at int, ok bool) {
	h = &e.hunks[random.IntN(len(e.hunks))]
	var places []int
	for i := 1; i+1 < len(h.lines); i++ {
		if h.lines[i-1].op != '+' && h.lines[i+1].op != '+' && h.lines[i].op == ' ' && len(strings.TrimSpace(h.lines[i].text)) > 3 {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return h, 0, false
	}
	return h, places[random.IntN(len(places))], true
}

func leaveOut(e *edit, random *rand.Rand) bool {
	h, at, ok := e.inner(random)
	if ok {
		h.lines = slices.Delete(h.lines, at, at+1)
	}
	return ok && !strings.Contains(e.before, h.side('+')) // else that other place is meant
}

func invent(e *edit, random *rand.Rand) bool {
	h, at, ok := e.inner(random)
	if ok {
		indent := h.lines[at].text[:len(h.lines[at].text)-len(strings.TrimLeft(h.lines[at].text, " \t"))]
		h.lines = slices.Insert(h.lines, at, line{op: ' ', text: indent + "prepare_everything(now)"})
	}
	return ok
}

func misspell(e *edit, random *rand.Rand) bool {
	h, at, ok := e.inner(random)
	if ok {
		text := []byte(h.lines[at].text)
		for i := len(text) / 2; i < len(text); i++ {
			if c := text[i]; c >= 'a' && c < 'z' {
				text[i]++
				h.lines[at].text = string(text)
				return true
			}
		}
	}
	return false
}

// elide puts dots for the kept lines between two changes.
func elide(e *edit, _ *rand.Rand) bool {
	for i := range e.hunks {
		h := &e.hunks[i]
		from := -1
		for j, l := range h.lines {
			switch {
			case l.op != ' ':
				if from > 0 && j-from > 2 {
					h.lines = slices.Replace(h.lines, from+1, j-1, line{op: ' ', text: "..."})
					return true
				}
				from = -1
			case from < 0 && j > 0 && h.lines[j-1].op != ' ':
				from = j
			}
		}
	}
	return false
}

func fenced(e *edit, s string, _ *rand.Rand) (string, bool) {
	if e.format == "rewrite" {
		return strings.ReplaceAll(s, "````", "`````"), true
	}
	return "```diff\n" + s + "```\n", !strings.Contains(s, "```")
}

var (
	typographic = strings.NewReplacer(`"`, "\u201d", "'", "\u2019", " - ", " \u2013 ")
	plain       = strings.NewReplacer("\u201c", `"`, "\u201d", `"`, "\u2018", "'", "\u2019", "'", "\u2013", "-", "\u2014", "-", "\u2026", "...", "\u00a0", " ")
	entities    = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

// asEntities escapes every line, of a file that has no entities itself.
func asEntities(e *edit, _ *rand.Rand) bool {
	return !strings.Contains(e.before, "&lt;") && !strings.Contains(e.before, "&gt;") && !strings.Contains(e.before, "&amp;") &&
		e.each(func(l *line) { l.text = entities.Replace(l.text) })
}

// numberedOld writes the old lines as a listing shows them.
func numberedOld(e *edit, _ *rand.Rand) bool {
	for i := range e.hunks {
		n := e.hunks[i].oldStart
		for j := range e.hunks[i].lines {
			l := &e.hunks[i].lines[j]
			if l.op != '+' {
				l.text = fmt.Sprintf("%4d | %s", n, l.text)
				n++
			}
		}
	}
	return true
}

// blankAround puts a blank line before and after every hunk.
func blankAround(e *edit, _ *rand.Rand) bool {
	for i := range e.hunks {
		h := &e.hunks[i]
		h.lines = slices.Concat([]line{{op: ' '}}, h.lines, []line{{op: ' '}})
		if strings.Contains(e.before, h.side('+')) {
			return false // so it stands in the file, here or elsewhere
		}
	}
	return true
}

// noFinalNewline takes the last newline off the file, where no hunk is near it.
func noFinalNewline(e *edit, _ *rand.Rand) bool {
	last := e.hunks[len(e.hunks)-1]
	if last.oldStart+last.count('+')+1 >= strings.Count(e.before, "\n") || e.format == "rewrite" {
		return false
	}
	e.before, e.after = strings.TrimSuffix(e.before, "\n"), strings.TrimSuffix(e.after, "\n")
	return true
}

// cutShort stops the answer inside its last change, before the change is complete.
func cutShort(e *edit, s string, random *rand.Rand) (string, bool) {
	last := e.hunks[len(e.hunks)-1]
	body := last.body()
	if e.format == "rewrite" {
		body = e.after
	}
	changed := 0
	for i, l := range last.lines {
		if l.op != ' ' {
			changed = i
		}
	}
	tail := 2
	if e.format == "unified_diff" || e.format == "apply_patch" {
		for _, l := range last.lines[changed:] {
			tail += len(l.text) + 2
		}
	}
	if len(body) < tail+3 || len(s) < tail+20 {
		return "", false
	}
	span := min(len(body)-tail, len(s)-tail) * 3 / 4
	cut := len(s) - tail - random.IntN(max(span, 1))
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut], true
}

// otherOrder reverses the hunks; each must be in one place only, since an answer's order
// may say which is meant.
func otherOrder(e *edit, _ *rand.Rand) bool {
	for i := range e.hunks {
		if strings.Count(e.before, e.hunks[i].side('+')) > 1 {
			return false
		}
	}
	slices.Reverse(e.hunks)
	return len(e.hunks) > 1
}

func shortPath(e *edit, _ *rand.Rand) bool {
	parts := strings.Split(e.path, "/")
	if len(parts) < 3 {
		return false
	}
	e.path = path.Join(parts[1:]...)
	return true
}

func gitHeader(e *edit, _ *rand.Rand) bool {
	old := "a/" + e.path
	mode := ""
	if e.created {
		old, mode = "/dev/null", "new file mode 100644\n"
	}
	e.header = fmt.Sprintf("diff --git a/%s b/%s\n%sindex 1234567..89abcde 100644\n--- %s\n+++ b/%s\n", e.path, e.path, mode, old, e.path)
	return true
}

func mail(e *edit, s string, _ *rand.Rand) (string, bool) {
	return "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nFrom: A Person <a@example.org>\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n" +
		"Subject: [PATCH] Change what has to change\n\nA paragraph that says why.\n---\n " + e.path + " | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n" +
		s + "-- \n2.47.1\n\n", true
}

func ruN(e *edit, _ *rand.Rand) bool {
	e.header = fmt.Sprintf("diff -ruN old/%[1]s new/%[1]s\n--- old/%[1]s\t2026-03-03 10:00:00.000000000 +0000\n+++ new/%[1]s\t2026-03-03 10:05:00.000000000 +0000\n", e.path)
	if e.created {
		e.hunks[0].oldStart = 0
	}
	return true
}

// twice puts the file's text there twice, so that nothing but a line number says
// which of the two is meant.
func twice(e *edit, _ *rand.Rand) bool {
	if !strings.HasSuffix(e.before, "\n") {
		return false
	}
	e.after += e.before
	e.before += e.before
	e.guess = e.format != "unified_diff"
	return true
}

// leftOut puts a remark for the second half of a whole text.
func leftOut(e *edit, s string, _ *rand.Rand) (string, bool) {
	lines := strings.SplitAfter(e.after, "\n")
	if len(lines) < 8 {
		return "", false
	}
	e.guess = true
	return e.path + "\n````\n" + strings.Join(lines[:len(lines)/2], "") + "// ... rest of the code unchanged ...\n````\n", true
}
