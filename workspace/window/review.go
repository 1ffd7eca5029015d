package window

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var hunkPattern = regexp.MustCompile(`(?m)^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@`)

// addChanged shows the definitions that a diff changes, whole, and those that the
// place is in; relations are followed from them.
func (b *outliner) addChanged() {
	if !b.known {
		return
	}
	for _, lines := range b.changedLines() {
		for line := lines.first; line <= lines.last; line++ {
			d, ok := b.holder(b.self, line)
			if !ok {
				continue
			}
			b.showBody(d, "defines "+d.Name+", which the changes touch", FragmentDefinition, b.left/2)
			b.addFocus(d)
			line = max(line, d.EndLine)
		}
	}
	if b.purpose.related && len(b.focus) < mostFocus {
		for _, d := range innermostFirst(b.enclosing()) {
			b.addFocus(d)
		}
	}
}

// innermostFirst moves each definition that holds the one after it behind all that
// hold none: a request inside a method is about the method before its class.
func innermostFirst(list []focus) []focus {
	var out, outer []focus
	for i, d := range list {
		if i+1 < len(list) && list[i+1].StartLine >= d.StartLine && list[i+1].EndLine <= d.EndLine {
			outer = append(outer, d)
		} else {
			out = append(out, d)
		}
	}
	slices.Reverse(outer)
	return append(out, outer...)
}

func (b *builder) addFocus(d focus) {
	for _, known := range b.focus {
		if known.id == d.id {
			return
		}
	}
	b.focus = append(b.focus, d)
}

type lineRange struct{ first, last int }

// changedLines are the lines of the document that the request's diff has changed.
func (b *outliner) changedLines() (out []lineRange) {
	file := ""
	for part := range strings.SplitAfterSeq(b.req.Diff, "\n") {
		if rest, ok := strings.CutPrefix(part, "+++ "); ok {
			file = strings.TrimPrefix(strings.TrimSpace(rest), "b/")
		}
		m := hunkPattern.FindStringSubmatch(part)
		if m == nil || file != "" && file != b.rel {
			continue
		}
		first, _ := strconv.Atoi(m[1])
		count := 1
		if m[2] != "" {
			count, _ = strconv.Atoi(m[2])
		}
		out = append(out, lineRange{first, first + max(count-1, 0)})
	}
	return out
}
