package edits

import "strings"

// rewriteDialect reads whole new texts: each in a fence, its path on the line
// above, or one bare text without a fence.
type rewriteDialect struct {
	out    *collector
	named  bool   // only texts with a path above them count: the answer may be prose with examples
	fence  string // the open fence's ticks, "" outside
	depth  int    // fences opened inside the text by a line with a language
	fenced bool   // the answer has had a fence
	last   [3]string
	bare   []string // lines outside any fence, the text if there is none
}

func (d *rewriteDialect) line(text string) {
	if d.fence == "" {
		d.outside(text)
		return
	}
	ticks := leading(text, d.fence[0])
	language := strings.TrimSpace(text[ticks:])
	switch {
	case ticks >= len(d.fence) && language == "" && d.depth == 0:
		d.out.shut()
		d.fence = ""
		return
	case ticks >= len(d.fence) && language == "":
		d.depth--
	case ticks >= 3 && language != "" && ticks >= len(d.fence) && !strings.Contains(language, " "):
		d.depth++
	}
	d.out.add(Add, text)
}

func (d *rewriteDialect) outside(text string) {
	ticks := max(leading(text, '`'), leading(text, '~'))
	if ticks < 3 {
		d.bare = append(d.bare, text)
		d.last[2], d.last[1], d.last[0] = d.last[1], d.last[0], text
		return
	}
	d.fence, d.fenced, d.depth = text[:ticks], true, 0
	d.out.open(Block{Action: Rewrite, Path: pathBefore(d.last[:])})
	d.last = [3]string{}
}

func (d *rewriteDialect) close() {
	if d.fence != "" {
		d.out.fail(CodeTruncated, "the new text stops before its fence is closed")
		return
	}
	if d.fenced && !d.named {
		return
	}
	if d.named {
		d.onlyNamed()
		return
	}
	if strings.TrimSpace(strings.Join(d.bare, "")) == "" {
		d.out.fail(CodeParse, "the answer is empty")
		return
	}
	d.out.open(Block{Action: Rewrite, noEOL: d.out.cut})
	for _, text := range d.bare {
		d.out.add(Add, text)
	}
	d.out.shut()
}

// onlyNamed refuses an answer in which no text, or not every text, has a path.
func (d *rewriteDialect) onlyNamed() {
	for i := range d.out.blocks {
		if d.out.blocks[i].Path == "" {
			d.out.fail(CodeParse, "the answer has a fenced text that names no file, and may be an example")
		}
	}
	if len(d.out.blocks) == 0 {
		d.out.fail(CodeParse, "the model answered without an edit; ask again, in other words or for less")
	}
}

// autoDialect holds lines back until one shows the format, then passes them and
// all that follow to that format's dialect. If no line shows a format, the
// answer can only be whole new texts, each of which then has to name its file.
type autoDialect struct {
	out    *collector
	held   []string
	chosen dialect
}

func (d *autoDialect) line(text string) {
	if d.chosen != nil {
		d.chosen.line(text)
		return
	}
	d.held = append(d.held, text)
	if format := d.recognise(text); format != "" {
		d.choose(format)
	}
}

func (d *autoDialect) recognise(text string) Format {
	trimmed := strings.TrimSpace(text)
	head, _ := searchHead(text)
	switch {
	case strings.HasSuffix(trimmed, patchBegin):
		return FormatApplyPatch
	case head:
		return FormatSearchReplace
	case replaceMarker(text):
		return FormatSearchReplace // which refuses it: its head is missing
	case strings.HasPrefix(text, "*** End Patch"), strings.HasPrefix(text, "*** Update File: "):
		return FormatApplyPatch // so does this
	case tagIn(trimmed) != "":
		return FormatStrReplace
	case strings.HasPrefix(text, "diff --git "), strings.HasPrefix(text, "@@ -"), strings.HasPrefix(text, "@@ "),
		strings.HasPrefix(text, "+++ ") && len(d.held) > 1 && strings.HasPrefix(d.held[len(d.held)-2], "--- "):
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
		d.replay(&rewriteDialect{out: d.out, named: true})
	}
	if d.out.err == nil {
		d.chosen.close()
	}
}
