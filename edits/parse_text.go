package edits

import (
	"cmp"
	"regexp"
	"strings"
)

// rewriteDialect reads whole new texts: each in a fence, its path on the line
// above, or one bare text without a fence.
type rewriteDialect struct {
	out    *collector
	auto   bool   // the answer may be prose with examples: a text without a fence is none
	fence  string // the open fence's ticks, "" outside
	depth  int    // fences opened inside the text by a line with a language
	fenced bool   // the answer has had a fence
	last   lastLines
	label  label    // of the open fence
	was    int      // the number of the last block if it is labelled as the text before a change, else 0
	named  string   // the path that was named last
	bare   []string // lines outside any fence, the text if there is none
	first  []string // all lines below the first fence
}

func (d *rewriteDialect) line(text string) {
	if d.fenced {
		d.first = append(d.first, text)
	}
	if d.fence == "" {
		d.outside(text)
		return
	}
	ticks, language := fenceOf(text, d.fence)
	switch {
	case ticks && language == "" && d.depth == 0:
		d.endText()
		return
	case ticks && language == "":
		d.depth--
	case ticks && !strings.Contains(language, " "):
		d.depth++
	}
	d.out.add(Add, text)
}

// fenceOf reports whether a line is a fence at least as long as another, and its language.
func fenceOf(text, fence string) (ok bool, language string) {
	n := leading(text, fence[0])
	return n >= len(fence), strings.TrimSpace(text[n:])
}

func (d *rewriteDialect) outside(text string) {
	ticks := max(leading(text, '`'), leading(text, '~'))
	if ticks < 3 {
		d.bare = append(d.bare, text)
		if name := cmp.Or(pathIn(text), pathNamed(text)); dotted.MatchString(name) {
			d.named = name
		}
		d.last.push(text)
		return
	}
	d.fence, d.fenced, d.depth = text[:ticks], true, 0
	var last []string
	last, d.label = labelled(d.last[:])
	b := Block{Action: Rewrite, auto: d.auto, shell: shellFence(text), Path: cmp.Or(pathIn(text), pathAbove(last))}
	d.named = cmp.Or(b.Path, pathBefore(last), d.named)
	d.out.open(b)
	d.last = lastLines{}
}

// endText ends the text of a fence. One that is labelled as the text after a change, behind
// one that is labelled as that before it, replaces it.
func (d *rewriteDialect) endText() {
	d.out.shut()
	d.fence = ""
	blocks := d.out.blocks
	n := len(blocks)
	blocks[n-1].takePathComment()
	if d.label == labelAfter && d.was > 0 && d.was == n-1 {
		b := Block{Number: n - 1, Path: d.named, search: true, Lines: appendAll(appendAll(nil, Remove, texts(blocks[n-2].Lines)), Add, texts(blocks[n-1].Lines))}
		d.out.blocks = append(blocks[:n-2], b)
	}
	d.was = 0
	if d.label == labelBefore {
		d.was = n
	}
}

// takePathComment takes a comment that names the file off the start of a new text.
func (b *Block) takePathComment() {
	if len(b.Lines) < 2 {
		return
	}
	m := pathComment.FindStringSubmatch(b.Lines[0].Text)
	switch {
	case m == nil, !plausiblePath(m[1]), b.Path == "" && !strings.Contains(m[1], "/"):
		return
	case b.Path == "":
		b.Path, b.guessed = m[1], true
	case b.Path != m[1] && !strings.HasSuffix(b.Path, "/"+m[1]) && !strings.HasSuffix(m[1], "/"+b.Path):
		return
	}
	n := 1
	if blank(b.Lines[1].Text) {
		n = 2
	}
	b.comment, b.Lines = b.Lines[:n], b.Lines[n:]
}

// A label says what a text in a fence is.
type label int

const (
	noLabel label = iota
	labelBefore
	labelAfter
)

var labels = map[label]*regexp.Regexp{
	labelBefore: regexp.MustCompile(`^\W*(?i:before|old|original|current|existing|replace|find|search|from|previously|change this)(?: (?i:code|text|version|this|lines?))?\W*$`),
	labelAfter:  regexp.MustCompile(`^\W*(?i:after|new|updated|changed|fixed|replacement|with|replace with|to|now|to this)(?: (?i:code|text|version|this|lines?))?\W*$`),
}

// labelled takes the label off the lines before a fence, latest first, if the last one that is
// not blank is one.
func labelled(lines []string) ([]string, label) {
	for i, line := range lines {
		if blank(line) {
			continue
		}
		for l, words := range labels {
			if words.MatchString(line) {
				return lines[i+1:], l
			}
		}
		break
	}
	return lines, noLabel
}

func (d *rewriteDialect) close() {
	switch {
	case d.fence != "":
		d.out.fail(CodeTruncated, "the new text stops before its fence is closed")
	case d.fenced && d.out.blocks[0].Action == Rewrite:
		b := &d.out.blocks[0]
		if longer := d.toLastFence(); longer > len(b.comment)+len(b.Lines) {
			b.longer = appendAll(nil, Add, d.first[len(b.comment):longer])
		}
	case d.fenced:
	case d.auto:
		d.out.fail(CodeParse, "the model answered without an edit; ask again, in other words or for less")
	case strings.TrimSpace(strings.Join(d.bare, "")) == "":
		d.out.fail(CodeParse, "the answer is empty")
	default:
		d.out.open(Block{Action: Rewrite, bare: true})
		for _, text := range d.bare {
			d.out.add(Add, text)
		}
		d.out.shut()
	}
}

// toLastFence is how many lines the first text has if it goes on up to the last fence of
// the answer and the fences between are its own, in pairs; 0 if they are not.
func (d *rewriteDialect) toLastFence() int {
	open := false
	last, closes := 0, false
	for i, text := range d.first {
		ticks, language := fenceOf(text, "```")
		switch {
		case !ticks || open && language != "":
			continue
		case language == "":
			last, closes = i, !open
		}
		open = !open
	}
	if !closes {
		return 0
	}
	return last
}

// autoDialect holds lines back until one shows the format, then passes them and
// all that follow to that format's dialect. If no line shows a format, the
// answer can only be whole new texts in fences.
type autoDialect struct {
	out    *collector
	held   []string
	last   lastLines
	diff   bool // a fence is open that says that it has a diff
	chosen dialect
}

func (d *autoDialect) line(text string) {
	if d.chosen != nil {
		d.chosen.line(text)
		return
	}
	d.held = append(d.held, text)
	if isFence(text) {
		d.diff = diffFence.MatchString(text)
	}
	if format := d.recognise(text); format != "" {
		d.choose(format)
	}
	d.last.push(text)
}

// recognise is the format that a line shows, "" if it shows none.
func (d *autoDialect) recognise(text string) Format {
	trimmed := strings.TrimSpace(text)
	head := headOf(text)
	switch {
	case strings.HasSuffix(trimmed, patchBegin):
		return FormatApplyPatch
	case head > 0 && (head != conflicts || pathBefore(d.last[:]) != ""), replaceMarker(text): // a mark without its head is refused there
		return FormatSearchReplace
	case strings.HasPrefix(text, patchEnd), patchHeader.MatchString(text):
		return FormatApplyPatch
	case tagIn(trimmed) != "":
		return FormatStrReplace
	case strings.HasPrefix(text, "diff --git "), strings.HasPrefix(text, "@@ -"), strings.HasPrefix(text, "@@ "),
		strings.HasPrefix(text, "+++ ") && strings.HasPrefix(d.last[0], "--- "),
		d.diff && strings.IndexAny(text, "+-") == 0 && !strings.HasPrefix(text, "--- "): // a hunk without @@
		return FormatUnifiedDiff
	}
	return ""
}

func (d *autoDialect) choose(format Format) { d.replay(newDialect(format, d.out)) }

// replay passes the held lines to a dialect, so that it reads the whole answer.
func (d *autoDialect) replay(chosen dialect) {
	d.chosen = chosen
	last := d.out.lineNo
	for i, text := range d.held {
		d.out.lineNo = last - len(d.held) + 1 + i
		if d.out.err == nil {
			d.chosen.line(text)
		}
	}
	d.held = nil
}

func (d *autoDialect) close() {
	if d.chosen == nil {
		d.replay(&rewriteDialect{out: d.out, auto: true})
	}
	if d.out.err == nil {
		d.chosen.close()
	}
}
