package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

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

// escapeQuotes writes every line as JSON does, of a change without backslashes.
func escapeQuotes(e *edit, _ *rand.Rand) bool {
	clean := true
	e.each(func(l *line) { clean = clean && !strings.Contains(l.text, `\`) })
	return clean && e.each(func(l *line) { l.text = strings.ReplaceAll(l.text, `"`, `\"`) })
}

// escapeTabs writes the tabs that lines begin with as JSON does.
func escapeTabs(e *edit, _ *rand.Rand) bool {
	return !strings.Contains(e.before, `\t`) && e.each(func(l *line) {
		rest := strings.TrimLeft(l.text, "\t")
		l.text = strings.Repeat(`\t`, len(l.text)-len(rest)) + rest
	})
}

// stringWithTab makes an added line one of a string over several lines, which begins
// with an escape of its own.
func stringWithTab(e *edit, random *rand.Rand) bool {
	return e.rewriteAdded(random, func(indent, text string) string { return indent + `\t` + text + `\n\` })
}

// stringWithNewline puts a string with an escape of its own into an added line.
func stringWithNewline(e *edit, random *rand.Rand) bool {
	return e.rewriteAdded(random, func(indent, text string) string {
		return indent + `print("` + strings.ReplaceAll(text, `"`, "'") + `\n")`
	})
}

// rewriteAdded changes an added line of the commit itself.
func (e *edit) rewriteAdded(random *rand.Rand, do func(indent, text string) string) bool {
	var at []*line
	e.each(func(l *line) {
		if l.op == '+' && strings.TrimSpace(l.text) != "" {
			at = append(at, l)
		}
	})
	if len(at) == 0 || e.created {
		return false
	}
	l := at[random.IntN(len(at))]
	text := strings.TrimLeft(l.text, " \t")
	l.text = do(l.text[:len(l.text)-len(text)], text)
	c, err := newChange(e.name, e.path, e.before, e.hunks)
	e.after = c.after
	return err == nil
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
	s = strings.TrimRight(s, "\n") // without which it is whole
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
	e.guess = true
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
