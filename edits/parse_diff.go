package edits

import (
	"cmp"
	"strconv"
	"strings"
)

// diffDialect reads unified diffs, those of tools and those that models write
// from memory: counts may be wrong, line numbers missing, prefixes lost.
//
// A removed line that starts with "-- " looks like a file header. The dialect
// therefore holds "--- x" and "+++ y" back until the line after them, or the
// hunk's counts, show which they are.
type diffDialect struct {
	out     *collector
	file    diffFile
	inHunk  bool
	numbers hunkNumbers // how many lines are still missing by the counts of the current hunk
	counted bool        // the current hunk has counts
	honest  bool        // every finished hunk had exactly as many lines as its counts
	hunks   int
	held    [2]string // a possible file header inside a hunk
	nHeld   int
	fence   bool // a fence is open around the diff
	signs   bool // the fence says that it has a diff: lines with signs are a hunk also without @@
	last    lastLines
	above   string // the path that the text before the diff names
	mail    bool   // the diff is in a mail as git format-patch writes it
	prose   bool   // the answer contains text outside a diff
}

// diffFile is what the headers state about the current file.
type diffFile struct {
	old, new         string
	git, named       bool
	rename, copied   bool
	created, deleted bool
	mode             Mode // that it gets
	emitted          bool
	prefixed         bool // a header had both names with what git puts before them
}

const devNull = "/dev/null"

func (d *diffDialect) line(text string) {
	if d.inHunk {
		d.hunkLine(text)
		return
	}
	d.outside(text)
}

func (d *diffDialect) outside(text string) {
	switch {
	case strings.HasPrefix(text, "From ") && strings.HasSuffix(text, " Mon Sep 17 00:00:00 2001"):
		d.mail = true // the date that git puts into every patch's first line
	case strings.HasPrefix(text, "diff --git "):
		d.endFile()
		d.file = diffFile{git: true}
		d.gitNames(text[len("diff --git "):])
	case strings.HasPrefix(text, "--- "):
		if d.file.named {
			d.endFile()
			d.file = diffFile{}
		}
		d.file.old = headerPath(text[4:])
	case strings.HasPrefix(text, "+++ "):
		d.file.new, d.file.named = headerPath(text[4:]), true
		d.file.trimPrefixes()
		d.file.created = d.file.created || d.file.old == devNull
		d.file.deleted = d.file.deleted || d.file.new == devNull
	case d.file.git && d.gitHeader(text):
	case strings.HasPrefix(text, "@@"):
		d.beginHunk(text)
	case strings.HasPrefix(text, "GIT binary patch"), strings.HasPrefix(text, "Binary files ") && d.file.git:
		d.out.failLine(CodeParse, "a binary change; only text can be edited")
	case isFence(text):
		d.fence = !d.fence
		d.signs = d.fence && diffFence.MatchString(text)
		d.above = cmp.Or(pathIn(text), pathBefore(d.last[:]), d.above)
	case d.beginsBareHunk(text):
		d.openHunk(Block{}, hunkNumbers{}, false)
		d.hunkLine(text)
	}
	d.prose = d.prose || !blank(text)
	d.last.push(text)
}

// gitHeader takes a line of git's own header.
func (d *diffDialect) gitHeader(text string) bool {
	at := strings.LastIndexByte(text, ' ') + 1
	words, last := text[:at], text[at:]
	f := &d.file
	for _, name := range []struct {
		prefix string
		path   *string
		says   *bool
	}{{"rename from ", &f.old, &f.rename}, {"copy from ", &f.old, &f.copied}, {"rename to ", &f.new, &f.rename}, {"copy to ", &f.new, &f.copied}} {
		if rest, ok := strings.CutPrefix(text, name.prefix); ok {
			*name.path, *name.says = headerPath(rest), true
			return true
		}
	}
	mode, refused := kindOf(last)
	switch {
	case words == "new file mode ":
		f.created = true
		if mode == Executable {
			f.mode = mode
		}
	case words == "new mode ":
		f.mode = mode
	case words == "deleted file mode ":
		f.deleted = true
	case words == "old mode ", strings.HasPrefix(words, "index ") && strings.Contains(words, ".."):
	default:
		return false
	}
	if refused != "" {
		d.out.failLine(CodeParse, "%s", refused)
	}
	return true
}

// beginsBareHunk reports whether a line begins a hunk that has no @@: in a fence that says that
// it has a diff, or below the names of a file. Behind the hunks of a file it is prose.
func (d *diffDialect) beginsBareHunk(text string) bool {
	if text == "" || strings.IndexByte("+- ", text[0]) < 0 {
		return false
	}
	return d.signs || d.file.named && !d.file.emitted && text[0] != ' '
}

// gitNames takes "a/x b/x", needed where no --- and +++ follow.
func (d *diffDialect) gitNames(names string) {
	if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' {
		d.file.old, d.file.new = names[:half], names[half+1:]
	} else {
		d.file.old, d.file.new, _ = strings.Cut(names, " ")
	}
	d.file.trimPrefixes()
}

// trimPrefixes takes off what git puts before both names: a/ and b/, or letters that say what
// is compared: the index, the work tree, a commit, an object, one of two folders. Where one of
// them is no file, other letters than a and b may be a folder, unless git's own header has both.
func (f *diffFile) trimPrefixes() {
	old, isOld := unprefixed(f.old)
	new, isNew := unprefixed(f.new)
	switch {
	case f.new == devNull:
		if isOld && (f.prefixed || f.old[0] == 'a') {
			f.old = old
		}
	case f.old == devNull:
		if isNew && (f.prefixed || f.new[0] == 'b') {
			f.new = new
		}
	case !isOld || !isNew || f.old[0] == f.new[0]:
	case old == new, f.old[:2]+f.new[:2] == "a/b/":
		f.old, f.new, f.prefixed = old, new, true
	}
}

// unprefixed is a name without such a prefix.
func unprefixed(name string) (string, bool) {
	if len(name) > 2 && name[1] == '/' && strings.IndexByte("abiwco12", name[0]) >= 0 {
		return name[2:], true
	}
	return name, false
}

// headerPath is the path of a --- or +++ line, without the time stamp that
// some tools add after a tab, and unquoted as git quotes unusual names.
func headerPath(text string) string {
	if name, err := strconv.Unquote(strings.TrimSpace(text)); err == nil {
		return name
	}
	text, _, _ = strings.Cut(text, "\t")
	return strings.Trim(strings.TrimSpace(text), "\"")
}

func (d *diffDialect) beginHunk(text string) {
	numbers, counted, heading, _ := hunkHeader(text)
	if !counted {
		heading = strings.Trim(strings.TrimSpace(strings.Trim(text, "@")), ". ")
	}
	var b Block
	b.LineHint = numbers.oldStart
	if counted && numbers.oldCount == 0 {
		b.LineHint++ // "-5,0" inserts after line 5
		b.fromNone = numbers.oldStart == 0
	}
	if !counted && heading != "" {
		b.Context = []string{heading}
	}
	d.openHunk(b, numbers, counted)
}

// openHunk begins a hunk of the current file, of which a block says where it is.
func (d *diffDialect) openHunk(at Block, numbers hunkNumbers, counted bool) {
	b := d.blockOfFile()
	b.LineHint, b.Context, b.fromNone = at.LineHint, at.Context, at.fromNone
	d.out.open(b)
	d.inHunk, d.counted, d.numbers = true, counted, numbers
	d.file.emitted = true
}

func (d *diffDialect) blockOfFile() Block {
	b := Block{Path: cmp.Or(d.file.old, d.above), sorted: true, git: true, tool: d.file.git, Mode: d.file.mode}
	switch {
	case d.file.created:
		b.Action, b.Path = Create, d.file.new
	case d.file.deleted:
		b.Action = Delete
	case d.file.rename:
		b.MoveTo = d.file.new
	case d.file.copied:
		b.MoveTo, b.Copied = d.file.new, true
	case d.file.old != d.file.new:
		b.Path = d.file.new
		if name, ok := d.file.ofTrees(); ok {
			b.Path = name
		}
	}
	return b
}

// ofTrees is the file's name in both of two folders that were compared, as diff -r
// names them.
func (f *diffFile) ofTrees() (string, bool) {
	_, old, _ := strings.Cut(f.old, "/")
	_, new, ok := strings.Cut(f.new, "/")
	return new, ok && old == new && !f.git
}

func (d *diffDialect) hunkLine(text string) {
	if d.nHeld == 1 {
		if strings.HasPrefix(text, "+++ ") {
			d.held[1], d.nHeld = text, 2
			return
		}
		d.release()
	} else if d.nHeld == 2 {
		if strings.HasPrefix(text, "@@") && !d.fulfilledByHeld() {
			d.endHunk()
			d.outside(d.held[0])
			d.outside(d.held[1])
			d.nHeld = 0
			d.outside(text)
			return
		}
		d.release()
	}
	d.body(text)
}

// fulfilledByHeld reports whether the held lines are exactly those still missing
// by the counts of the hunk, which makes them content.
func (d *diffDialect) fulfilledByHeld() bool {
	return d.counted && d.numbers.oldCount == 1 && d.numbers.newCount == 1
}

// release adds the held lines as content, which they turned out to be.
func (d *diffDialect) release() {
	n := d.nHeld
	d.nHeld = 0
	for _, text := range d.held[:n] {
		d.content(text)
	}
}

func (d *diffDialect) body(text string) {
	switch {
	case strings.HasPrefix(text, "@@") || strings.HasPrefix(text, "diff --git "):
		d.endHunk()
		d.outside(text)
	case text == mailSignature && d.signed():
		d.endHunk()
	case strings.HasPrefix(text, "--- "):
		d.held[0], d.nHeld = text, 1
	case strings.HasPrefix(text, `\ `):
		d.noNewline()
	case d.fulfilled() && !strings.HasPrefix(text, "+") && !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, " "):
		d.endHunk()
		d.outside(text)
	case strings.HasPrefix(text, "```") && d.fence:
		d.endHunk()
		d.outside(text)
	default:
		d.content(text)
	}
}

// mailSignature is the line under the last hunk of a mail that git wrote; what
// follows it is git's version.
const mailSignature = "-- "

// signed reports whether a line that may be a mail's signature is one: nothing of
// the hunk is missing, or the diff began as a mail and no removed line is.
func (d *diffDialect) signed() bool {
	return d.fulfilled() || d.mail && d.counted && d.numbers.oldCount <= 0
}

func (d *diffDialect) fulfilled() bool {
	return d.counted && d.numbers.oldCount <= 0 && d.numbers.newCount <= 0
}

func (d *diffDialect) content(text string) {
	addHunkLine(d.out, text)
	lines := d.out.inHand.Lines
	switch lines[len(lines)-1].Op {
	case Add:
		d.numbers.newCount--
	case Remove:
		d.numbers.oldCount--
	default:
		d.numbers.oldCount--
		d.numbers.newCount--
	}
}

// noNewline takes "\ No newline at end of file", which is about the line before it.
func (d *diffDialect) noNewline() {
	lines := d.out.inHand.Lines
	if len(lines) == 0 {
		return
	}
	d.out.inHand.AtEnd = true
	d.out.inHand.noEOL = lines[len(lines)-1].Op != Remove
	d.out.inHand.addEOL = !d.out.inHand.noEOL
}

func (d *diffDialect) endHunk() {
	if !d.inHunk {
		return
	}
	b := &d.out.inHand
	trimmed := false
	for n := len(b.Lines); n > 0 && b.Lines[n-1] == (Line{Bare, ""}) && !(d.counted && d.numbers.oldCount == 0); n-- {
		b.Lines, trimmed = b.Lines[:n-1], true
		d.numbers.oldCount++
		d.numbers.newCount++
	}
	for i := range b.Lines { // an editor strips the space of a blank context line
		if b.Lines[i] == (Line{Bare, ""}) {
			b.Lines[i].Op = Keep
		}
	}
	exact := d.counted && d.numbers.oldCount == 0 && d.numbers.newCount == 0
	d.honest = exact && (d.hunks == 0 || d.honest)
	d.hunks++
	d.inHunk = false
	if len(b.Lines) == 0 && !trimmed && b.Action == Change {
		d.out.discard()
		return
	}
	d.out.shut()
}

// endFile completes the current file: one that is only renamed, deleted or
// created empty has no hunks.
func (d *diffDialect) endFile() {
	if d.nHeld > 0 {
		d.release()
	}
	d.endHunk()
	if f := d.file; !f.emitted && (f.changesForm() || f.deleted || f.created && f.git) {
		d.out.open(d.blockOfFile())
		d.out.shut()
	}
	d.file.emitted = true
}

// changesForm reports whether the header alone changes something of a file that stays.
func (f *diffFile) changesForm() bool { return f.rename || f.copied || f.mode != Unsaid }

// close ends the diff.
func (d *diffDialect) close() {
	header := d.nHeld > 0 && d.fulfilled() // of a next file, of which nothing more came
	if d.nHeld > 0 {
		d.release()
	}
	if header || d.cutShort() {
		d.out.fail(CodeTruncated, "the diff stops inside hunk %d, of which more lines were announced", d.hunks+1)
		return
	}
	if d.fence && d.inHunk {
		d.out.fail(CodeTruncated, "the diff stops before its fence is closed")
		return
	}
	d.endFile()
	if len(d.out.blocks) == 0 && d.prose && !d.file.git {
		d.out.fail(CodeParse, "the answer has no hunk of a diff")
	}
}

// cutShort judges whether lines are missing at the end. Models miscount, so a
// wrong count alone does not show it: it does where the counts were true so
// far, where both sides lack lines, or where no context follows the change.
func (d *diffDialect) cutShort() bool {
	if !d.inHunk || !d.counted {
		return false
	}
	oldLeft, newLeft := d.numbers.oldCount > 0, d.numbers.newCount > 0
	if d.hunks > 0 {
		return d.honest && (d.numbers.oldCount != 0 || d.numbers.newCount != 0) && !d.blankTail()
	}
	if !oldLeft && !newLeft {
		return false
	}
	lines := d.out.inHand.Lines
	if len(lines) == 0 {
		return true
	}
	last := lines[len(lines)-1].Op
	return oldLeft && newLeft || last == Add || last == Remove
}

// blankTail reports whether the hunk has more lines than announced only for
// blank lines at its end.
func (d *diffDialect) blankTail() bool {
	lines := d.out.inHand.Lines
	blanks := 0
	for n := len(lines); n > 0 && lines[n-1] == (Line{Bare, ""}); n-- {
		blanks++
	}
	return d.numbers.oldCount < 0 && d.numbers.oldCount == d.numbers.newCount && -d.numbers.oldCount <= blanks
}
