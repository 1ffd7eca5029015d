package edits

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// patchDialect reads the apply_patch envelope:
//
//	*** Begin Patch
//	*** Update File: path
//	@@ a line above the change
//	 context
//	-removed
//	+added
//	*** End Patch
//
// Headers may be padded. What stands before and after the envelope (prose, a
// fence, a here-document) is ignored. Context lines without their leading
// space are read as Bare lines; their meaning is decided when the hunk is located.
type patchDialect struct {
	out   *collector
	state patchState
	path  string
	move  string
	hunks int // hunks of the current file that change something
	seen  bool
	fence bool // a fence is open around the patch
	bare  bool // the patch has no *** Begin Patch
}

type patchState int

const (
	patchOutside patchState = iota
	patchEnded              // a fence has ended a patch without Begin; what follows may show that the fence was a line of its file
	patchDoubted            // and may have gone on
	patchTop                // after Begin Patch or a deletion: only a header may follow
	patchAdd
	patchUpdate
)

// patchHeader begins a file of a patch.
var patchHeader = regexp.MustCompile(`^\*\*\* (?:Update|Add|Delete) File: `)

const (
	patchBegin  = "*** Begin Patch"
	patchEnd    = "*** End Patch"
	patchEOF    = "*** End of File"
	patchMoveTo = "*** Move to: "
)

func (d *patchDialect) line(text string) {
	trimmed := strings.TrimSpace(text)
	if d.state < patchTop && !d.begins(text, trimmed) || d.header(trimmed) {
		return
	}
	if d.bare && d.fence && strings.TrimRight(text, " \t") == "```" { // " ```" is a line of the file
		d.endFile()
		d.state, d.fence = patchEnded, false
		return
	}
	switch d.state {
	case patchAdd:
		d.added(text)
	case patchUpdate:
		d.update(text, trimmed)
	default:
		if trimmed != "" {
			d.out.failLine(CodeParse, "%q is no header; expected *** Add File, *** Delete File, *** Update File or *** End Patch", short(trimmed))
		}
	}
}

// begins takes a line outside of a patch, and reports whether it begins a file of one without Begin.
func (d *patchDialect) begins(text, trimmed string) bool {
	fence := isFence(text)
	switch {
	case trimmed == patchBegin, strings.HasPrefix(trimmed, "apply_patch") && strings.HasSuffix(trimmed, patchBegin):
		d.state, d.seen = patchTop, true
	case patchHeader.MatchString(text):
		d.seen, d.bare = true, true
		return true
	case d.state == patchOutside, trimmed == "":
	case text[0] == '+', strings.HasPrefix(text, "@@"), d.state == patchDoubted && fence:
		d.out.failLine(CodeParse, "%q follows a fence that may be a line of the file: it has no sign, and the patch has no *** Begin Patch", short(text))
	case text[0] == '-', text[0] == ' ':
		d.state = patchDoubted
	}
	d.fence = d.fence != fence
	return false
}

// header takes the lines that begin a file or end the envelope.
func (d *patchDialect) header(trimmed string) bool {
	if trimmed == patchEnd {
		d.endFile()
		d.state = patchOutside
		return true
	}
	verb := patchHeader.FindString(trimmed)
	if verb == "" {
		return false
	}
	d.endFile()
	switch path := trimmed[len(verb):]; verb {
	case "*** Add File: ":
		d.state = patchAdd
		d.out.open(Block{Action: Create, Path: path})
	case "*** Delete File: ":
		d.state = patchTop
		d.out.open(Block{Action: Delete, Path: path})
		d.out.shut()
	default:
		d.state, d.path, d.move, d.hunks = patchUpdate, path, "", 0
	}
	return true
}

func (d *patchDialect) added(text string) {
	switch {
	case strings.HasPrefix(text, "+"):
		d.out.add(Add, text[1:])
	case strings.TrimSpace(text) == "":
		d.out.add(Bare, "")
	default:
		d.out.failLine(CodeParse, "%q in an added file; every line of it starts with +", short(text))
	}
}

func (d *patchDialect) update(text, trimmed string) {
	if to, ok := strings.CutPrefix(trimmed, patchMoveTo); ok && d.hunks == 0 && !d.out.isOpen {
		d.move = to
		return
	}
	if trimmed == patchEOF {
		if d.out.isOpen {
			d.out.inHand.AtEnd = true
		}
		d.endHunk()
		return
	}
	if strings.HasPrefix(text, "@@") || trimmed == "@@" || strings.HasPrefix(trimmed, "@@ ") {
		d.section(trimmed)
		return
	}
	if strings.HasPrefix(text, "*** ") || text == "***" {
		d.out.failLine(CodeParse, "%q is no header of a patch", short(text))
		return
	}
	d.hunkLine(text)
}

// section takes an @@ line. Several in a row narrow the place down from the
// outside in; line numbers, as unified diffs have them, are a hint.
func (d *patchDialect) section(trimmed string) {
	context := strings.TrimSpace(strings.TrimPrefix(trimmed, "@@"))
	hint := 0
	if n, _, rest, ok := hunkHeader(trimmed); ok {
		hint, context = n.oldStart, rest
	}
	context = strings.TrimSpace(strings.TrimSuffix(context, "@@"))
	var above []string
	if d.out.isOpen && len(d.out.inHand.Lines) == 0 {
		above = d.out.inHand.Context
	}
	d.endHunk()
	d.openHunk(hint)
	if context != "" && context != "..." {
		d.out.inHand.Context = append(above, context)
	} else {
		d.out.inHand.Context = above
	}
}

func (d *patchDialect) openHunk(hint int) {
	d.out.open(Block{Path: d.path, MoveTo: d.move, LineHint: hint, sorted: true, escapes: true})
}

func (d *patchDialect) hunkLine(text string) {
	if !d.out.isOpen {
		if text == "" {
			return
		}
		d.openHunk(0)
	}
	addHunkLine(d.out, text)
}

// addHunkLine adds one line of a hunk by its prefix.
func addHunkLine(out *collector, text string) {
	if text == "" {
		out.add(Bare, "")
		return
	}
	switch op := Op(text[0]); op {
	case Keep, Remove, Add:
		out.add(op, text[1:])
	default:
		if r, _ := utf8.DecodeRuneInString(text); strings.ContainsRune(signLookalikes, r) {
			out.failLine(CodeParse, "%q begins with a character that only looks like the sign of a line", short(text))
		}
		out.add(Bare, text)
	}
}

// endHunk completes the current hunk. A blank line at its end separates hunks
// and is no context. A hunk that changes nothing is kept: where it has a line
// that the file does not have, that line has lost its sign.
func (d *patchDialect) endHunk() {
	if !d.out.isOpen {
		return
	}
	b := &d.out.inHand
	if n := len(b.Lines); n > 0 && b.Lines[n-1] == (Line{Bare, ""}) {
		b.Lines = b.Lines[:n-1]
	}
	if len(b.Lines) == 0 {
		d.out.discard()
		return
	}
	if !changesNothing(b.Lines) {
		d.hunks++
	}
	d.out.shut()
}

func changesNothing(lines []Line) bool {
	for _, l := range lines {
		if l.Op == Add || l.Op == Remove {
			return false
		}
	}
	return true
}

// endFile completes the current file.
func (d *patchDialect) endFile() {
	switch d.state {
	case patchAdd:
		lines := &d.out.inHand.Lines
		for n := len(*lines); n > 0 && (*lines)[n-1].Op == Bare; n-- {
			*lines = (*lines)[:n-1]
		}
		for i := range *lines {
			(*lines)[i].Op = Add
		}
		d.out.shut()
	case patchUpdate:
		d.endHunk()
		if d.hunks > 0 {
			return
		}
		if d.move == "" {
			d.out.failLine(CodeParse, "the update of %s has no hunk that changes a line", d.path)
			return
		}
		d.out.open(Block{Path: d.path, MoveTo: d.move})
		d.out.shut()
	}
}

// endFence ends a patch whose fence is closed in place of an End: its last line closes it.
func (d *patchDialect) endFence() {
	if !d.fence || d.state != patchUpdate || !d.out.isOpen {
		return
	}
	lines := &d.out.inHand.Lines
	if n := len(*lines); n > 0 && (*lines)[n-1] == (Line{Bare, "```"}) {
		*lines = (*lines)[:n-1]
		d.endFile()
		d.state, d.fence = patchOutside, false
	}
}

func (d *patchDialect) close() {
	d.endFence()
	switch {
	case d.state >= patchTop:
		d.out.fail(CodeTruncated, "the patch stops before *** End Patch")
	case d.state != patchOutside && d.fence:
		d.out.fail(CodeParse, "the patch has one fence too many, which may be a line of its file")
	case !d.seen:
		d.out.fail(CodeParse, "the answer has no *** Begin Patch")
	case len(d.out.blocks) == 0:
		d.out.fail(CodeParse, "the patch is empty")
	}
}

// hunkNumbers are the four numbers of "@@ -a,b +c,d @@".
type hunkNumbers struct{ oldStart, oldCount, newStart, newCount int }

// hunkHeader reads "@@ -a,b +c,d @@ heading". numbered is false for an @@ line
// that is in the style of unified diffs but has no numbers, such as "@@ … @@".
func hunkHeader(text string) (n hunkNumbers, numbered bool, heading string, ok bool) {
	rest, found := strings.CutPrefix(text, "@@ -")
	if !found {
		return n, false, "", false
	}
	old, rest, found := strings.Cut(rest, " +")
	if !found {
		return n, false, "", false
	}
	added, heading, _ := strings.Cut(rest, " @@")
	var okOld, okNew bool
	n.oldStart, n.oldCount, okOld = hunkRange(old)
	n.newStart, n.newCount, okNew = hunkRange(strings.TrimSpace(added))
	return n, okOld && okNew, strings.TrimSpace(heading), okOld && okNew
}

func hunkRange(text string) (start, count int, ok bool) {
	first, second, two := strings.Cut(text, ",")
	start, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	if !two {
		return start, 1, true
	}
	count, err = strconv.Atoi(second)
	return start, count, err == nil
}

// short cuts text to what fits into a message.
func short(text string) string {
	const limit = 60
	text = strings.TrimSpace(text)
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}
