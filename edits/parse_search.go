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
// with or without fences around them, with five or more marker characters,
// and in the "------- SEARCH … +++++++ REPLACE" form.
type searchDialect struct {
	out   *collector
	state searchState
	dash  bool // the current block was opened by ------- SEARCH
	meta  bool // :start_line: was seen, so a following ------- is no content
	shell int  // lines read since a shell fence opened, 0 outside
	path  string
	last  [3]string // the lines before this one, latest first: a path may stand there
	// loose is set when the line before was a second ======= that closed a
	// block with nothing to put in place, as some models write a deletion. The
	// REPLACE marker under it is then the same block's. After any other second
	// ======= a REPLACE marker means that the divider was content after all,
	// and the answer is ambiguous.
	loose bool
	// parted is the line that divided the block; one that is longer or shorter is
	// text. ended is set when such a line closed a block in place of its REPLACE
	// marker: if prose or code follows, the line was text of a block that was cut.
	parted string
	ended  bool
}

type searchState int

const (
	searchOutside searchState = iota
	searchOld
	searchNew
)

func (d *searchDialect) line(text string) {
	switch d.state {
	case searchOutside:
		d.outside(text)
	case searchOld:
		d.old(text)
	case searchNew:
		d.new(text)
	}
}

func (d *searchDialect) outside(text string) {
	if head, dash := searchHead(text); head {
		d.begin(dash)
		return
	}
	if d.ended && isFence(text) {
		d.ended = false // of the block: it was meant to end
	}
	if d.ended && !blank(text) && !replaceMarker(text) && pathIn(text) == "" {
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
	d.last[2], d.last[1], d.last[0] = d.last[1], d.last[0], text
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

func (d *searchDialect) begin(dash bool) {
	if d.shell > 2 {
		return // an example inside a shell command
	}
	if name := pathBefore(d.last[:]); name != "" {
		d.path = name
	}
	d.out.open(Block{Path: d.path, search: true, verbatim: dash})
	d.state, d.dash, d.meta, d.loose, d.ended, d.shell, d.last = searchOld, dash, false, false, false, 0, [3]string{}
}

func (d *searchDialect) old(text string) {
	switch {
	case d.divider(text):
		d.state, d.parted = searchNew, strings.TrimRight(text, " \t")
	case replaceMarker(text):
		d.out.failLine(CodeParse, "block %d has no ======= between what it searches and what it puts there", d.out.inHand.Number)
	case d.nested(text):
		d.out.failLine(CodeParse, "block %d begins another SEARCH before its own ======= and REPLACE", d.out.inHand.Number)
	case len(d.out.inHand.Lines) == 0 && d.metaLine(text):
	default:
		d.out.add(Remove, unescapeMarker(text))
	}
}

func (d *searchDialect) new(text string) {
	switch {
	case replaceMarker(text):
		d.end()
	case d.divider(text) && strings.TrimRight(text, " \t") == d.parted:
		d.loose = !hasOp(d.out.inHand.Lines, Add)
		d.ended = !d.loose
		d.end()
	case d.nested(text):
		d.out.failLine(CodeParse, "block %d begins another SEARCH before its REPLACE marker", d.out.inHand.Number)
	case !d.dash && conflictMarker(text) && !slices.Contains(d.out.inHand.Lines, Line{Remove, text}):
		d.out.failLine(CodeParse, "block %d would put the conflict marker %q into the file; a backslash before it says that it is meant", d.out.inHand.Number, short(text))
	default:
		d.out.add(Add, unescapeMarker(text))
	}
}

func (d *searchDialect) end() {
	d.out.shut()
	d.state = searchOutside
}

func hasOp(lines []Line, op Op) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Op == op })
}

func (d *searchDialect) nested(text string) bool {
	head, dash := searchHead(text)
	return head && dash == d.dash
}

// divider reports whether text separates old from new. The dash form is strict
// about padding because its plain rules are common in the text being edited.
func (d *searchDialect) divider(text string) bool {
	if d.dash {
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
		d.out.inHand.LineHint, _ = strconv.Atoi(strings.TrimSpace(n)) // unreadable: no hint
		return true
	}
	if strings.HasPrefix(text, ":end_line:") {
		d.meta = true
		return true
	}
	return d.meta && text == "-------"
}

func (d *searchDialect) close() {
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

// searchHead reports whether text opens a block, and whether in the dash form.
func searchHead(text string) (head, dash bool) {
	if n := leading(text, '-'); n >= 3 {
		rest := text[n:]
		return rest == " SEARCH" || rest == " SEARCH>", true
	}
	n := leading(text, '<')
	if n < 5 || n > 9 {
		return false, false
	}
	rest := strings.TrimRight(text[n:], " \t")
	return rest == " SEARCH" || rest == " SEARCH>" || rest == " ORIGINAL", false
}

// replaceMarker reports whether text closes a block in either form.
func replaceMarker(text string) bool {
	if n := leading(text, '+'); n >= 3 {
		rest := text[n:]
		return rest == " REPLACE" || rest == " REPLACE>"
	}
	n := leading(text, '>')
	if n < 5 || n > 9 {
		return false
	}
	rest := strings.TrimRight(text[n:], " \t")
	return rest == " REPLACE" || rest == " REPLACE>" || rest == " UPDATED"
}

// conflictMarker reports whether text is one of the markers that a failed merge
// writes into a file, and that are never there on purpose.
func conflictMarker(text string) bool {
	return strings.HasPrefix(text, "<<<<<<< ") || strings.HasPrefix(text, ">>>>>>> ")
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
