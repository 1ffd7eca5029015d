package main

import (
	"math/rand/v2"
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
	tabs       bool   // the file is in tabs but for a line
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
	{name: "quotes escaped", only: inBlocks, lines: escapeQuotes},
	{name: "tabs as \\t", only: inBlocks, lines: escapeTabs},
	{name: "added string with \\t", only: inBlocks, lines: stringWithTab},
	{name: "that, and entities", only: inBlocks, lines: both(stringWithTab, asEntities)},
	{name: "added string with \\n", only: inSearch, lines: stringWithNewline},
	{name: "spaces in a mixed file", only: inBlocks, lines: both(mixedFile, spacesForTabs(true))},
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
