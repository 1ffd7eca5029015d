package edits

import (
	"slices"
	"strconv"
	"strings"
)

// searchDialect reads search/replace blocks:
//
//	path/to/file
//	<<<<<<< SEARCH
//	old lines
//	=======
//	new lines
//	>>>>>>> REPLACE
//
// with or without fences around them, and with the other marks of searchMarks.
type searchDialect struct {
	out   *collector
	state searchState
	style markStyle // of the current block
	meta  bool      // :start_line: was seen, so a following ------- is no content
	shell int       // lines read since a shell fence opened, 0 outside
	path  string
	last  lastLines // the lines before this one, latest first: a path may be there
	// parted is the line that divided the block; one that is longer or shorter is text.
	// more are the lines behind a second such line: if a REPLACE mark ends them, the lines
	// that divide may be text of the file, which decides. Else the second line ended the
	// block in place of its mark.
	parted string
	more   []string
	// loose means that the line before ended a block with nothing to put in place, as some
	// models write a deletion, and ended that it ended another: if prose or code follows, the
	// line was text of a block that was cut.
	loose, ended bool
}

type searchState int

const (
	searchOutside searchState = iota
	searchOld
	searchNew
	searchMore
)

func (d *searchDialect) line(text string) {
	switch d.state {
	case searchOutside:
		d.outside(text)
	case searchOld:
		d.old(text)
	case searchNew:
		d.new(text)
	case searchMore:
		d.behind(text)
	}
}

func (d *searchDialect) outside(text string) {
	if style := headOf(text); style > 0 {
		d.begin(style)
		return
	}
	if d.ended && isFence(text) {
		d.ended = false // of the block: it was meant to end
	}
	if d.ended && !blank(text) && pathIn(text) == "" {
		d.out.failLine(CodeTruncated, "%q follows a block that has no REPLACE marker", short(text))
		return
	}
	if d.inShell(text) {
		return
	}
	if replaceMarker(text) {
		if d.loose {
			d.loose = false
			return
		}
		d.out.failLine(CodeParse, "a REPLACE marker without a SEARCH marker before it; a block is SEARCH, =======, REPLACE")
		return
	}
	d.loose = false
	d.last.push(text)
}

// inShell reports whether the line belongs to a fenced shell command, which is
// advice to the user and contains no edits. If a block starts within two lines
// of the fence, the fence surrounds an edit instead.
func (d *searchDialect) inShell(text string) bool {
	if d.shell == 0 {
		if shellFence(text) {
			d.shell = 1
		}
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(text), "```") {
		d.shell = 0
		return false
	}
	d.shell++
	return d.shell > 3
}

func (d *searchDialect) begin(style markStyle) {
	if d.shell > 2 {
		return // an example inside a shell command
	}
	if name := pathBefore(d.last[:]); name != "" {
		d.path = name
	}
	d.out.open(Block{Path: d.path, search: true, verbatim: style == dashes, merge: style == conflicts})
	*d = searchDialect{out: d.out, path: d.path, state: searchOld, style: style}
}

func (d *searchDialect) old(text string) {
	switch {
	case d.divider(text):
		d.state, d.parted, d.meta = searchNew, strings.TrimRight(text, " \t"), false
	case replaceMarker(text):
		d.out.failLine(CodeParse, "block %d has no ======= between what it searches and what it puts there", d.out.inHand.Number)
	case headOf(text) == d.style:
		d.out.failLine(CodeParse, "block %d begins another SEARCH before its own ======= and REPLACE", d.out.inHand.Number)
	case len(d.out.inHand.Lines) == 0 && d.metaLine(text):
	default:
		d.out.add(Remove, unescapeMarker(text))
	}
}

func (d *searchDialect) new(text string) {
	switch {
	case d.closes(text):
		d.end()
	case d.divider(text) && strings.TrimRight(text, " \t") == d.parted:
		d.state = searchMore
	case headOf(text) == d.style:
		d.out.failLine(CodeParse, "block %d begins another SEARCH before its REPLACE marker", d.out.inHand.Number)
	case !hasOp(d.out.inHand.Lines, Add) && d.metaLine(text):
	default:
		d.out.add(Add, unescapeMarker(text))
	}
}

// behind takes a line behind a second divider.
func (d *searchDialect) behind(text string) {
	switch {
	case !d.closes(text):
		d.more = append(d.more, text)
		if headOf(text) == d.style {
			d.endEarly()
		}
	case !hasOp(d.out.inHand.Lines, Add) && blank(strings.Join(d.more, "")):
		d.end()
	default:
		d.out.add(Add, d.parted)
		for _, line := range d.more {
			d.out.add(Add, unescapeMarker(line))
		}
		d.end()
	}
}

// endEarly ends a block at its second divider, and reads the lines behind it again.
func (d *searchDialect) endEarly() {
	again, last := d.more, d.out.lineNo
	d.loose = !hasOp(d.out.inHand.Lines, Add)
	d.ended = !d.loose
	d.end()
	for i, text := range again {
		if d.out.lineNo = last - len(again) + 1 + i; d.out.err == nil {
			d.line(text)
		}
	}
}

func (d *searchDialect) closes(text string) bool {
	return replaceMarker(text) || d.style == conflicts && tailOf(text) == conflicts
}

func (d *searchDialect) end() {
	if slices.ContainsFunc(d.out.inHand.Lines, func(l Line) bool { return l.Op == Add && d.divider(l.Text) }) {
		d.out.inHand.divider = d.parted
	}
	if text, found := marksMerge(d.out.inHand.Lines); found && d.out.inHand.divider == "" && d.style == angles {
		d.out.failLine(CodeParse, "block %d would put the conflict marker %q into the file; a backslash before it says that it is meant", d.out.inHand.Number, short(text))
	}
	d.out.shut()
	d.state, d.more = searchOutside, nil
}

// marksMerge finds a mark of a failed merge that lines add and do not replace.
func marksMerge(lines []Line) (string, bool) {
	i := slices.IndexFunc(lines, func(l Line) bool {
		return l.Op == Add && conflictMarker(l.Text) && !slices.Contains(lines, Line{Remove, l.Text})
	})
	if i < 0 {
		return "", false
	}
	return lines[i].Text, true
}

func hasOp(lines []Line, op Op) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Op == op })
}

// divider reports whether text separates old from new. The dash form is strict
// about padding because its plain rules are common in the text being edited.
func (d *searchDialect) divider(text string) bool {
	if d.style == dashes {
		return len(text) >= 3 && strings.Trim(text, "=") == ""
	}
	text = strings.TrimRight(text, " \t")
	return len(text) >= 5 && len(text) <= 9 && strings.Trim(text, "=") == ""
}

// metaLine takes ":start_line:7" and the rule under it.
func (d *searchDialect) metaLine(text string) bool {
	text = strings.TrimSpace(text)
	if n, ok := strings.CutPrefix(text, ":start_line:"); ok {
		d.meta = true
		if d.state == searchOld {
			d.out.inHand.LineHint, _ = strconv.Atoi(strings.TrimSpace(n)) // unreadable: no hint
		}
		return true
	}
	if strings.HasPrefix(text, ":end_line:") {
		d.meta = true
		return true
	}
	return d.meta && text == "-------"
}

func (d *searchDialect) close() {
	if d.state == searchMore {
		d.endEarly()
	}
	switch {
	case d.state != searchOutside:
		d.out.fail(CodeTruncated, "block %d of the answer stops before its REPLACE marker", d.out.inHand.Number)
	case len(d.out.blocks) == 0:
		d.out.fail(CodeParse, "the answer has no SEARCH/REPLACE block")
	case d.ended && d.mayGoOn(d.out.blocks[len(d.out.blocks)-1]):
		d.out.fail(CodeTruncated, "the answer stops in %q, which may be the start of a line of the text", short(d.parted))
	}
}

// mayGoOn reports whether the divider that ends the answer may be the start of a
// longer line: the block's text has such lines, as tables and headings do.
func (d *searchDialect) mayGoOn(b Block) bool {
	return slices.ContainsFunc(b.Lines, func(l Line) bool {
		return len(l.Text) > len(d.parted) && strings.HasPrefix(l.Text, d.parted)
	})
}

// unescapeMarker removes the backslash before a line that is itself a marker.
func unescapeMarker(text string) string {
	if rest, ok := strings.CutPrefix(text, `\`); ok {
		for _, marker := range []string{"<<<<<<<", "=======", ">>>>>>>", "-------", ":start_line:", ":end_line:"} {
			if strings.HasPrefix(rest, marker) {
				return rest
			}
		}
	}
	return text
}

// leading counts how often c repeats at the start of text.
func leading(text string, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}
