package edits

import "strings"

// rewriteDialect reads whole new texts: each in a fence, its path on the line
// above, or one bare text without a fence.
type rewriteDialect struct {
	out    *collector
	auto   bool   // the answer may be prose with examples: a text without a fence is none
	fence  string // the open fence's ticks, "" outside
	depth  int    // fences opened inside the text by a line with a language
	fenced bool   // the answer has had a fence
	last   [3]string
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
		d.out.shut()
		d.fence = ""
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
		d.last[2], d.last[1], d.last[0] = d.last[1], d.last[0], text
		return
	}
	d.fence, d.fenced, d.depth = text[:ticks], true, 0
	language, _, _ := strings.Cut(strings.TrimSpace(text[ticks:]), " ")
	b := Block{Action: Rewrite, auto: d.auto, shell: shellFence(text)}
	if b.Path = pathBefore(d.last[:]); strings.ContainsAny(language, "./") && plausiblePath(language) {
		b.Path = language
	}
	d.out.open(b)
	d.last = [3]string{}
}

func (d *rewriteDialect) close() {
	switch {
	case d.fence != "":
		d.out.fail(CodeTruncated, "the new text stops before its fence is closed")
	case d.fenced:
		if longer := d.toLastFence(); longer > len(d.out.blocks[0].Lines) {
			d.out.blocks[0].longer = appendAll(nil, Add, d.first[:longer])
		}
	case d.auto:
		d.out.fail(CodeParse, "the answer has no edit in any known format")
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
		d.replay(&rewriteDialect{out: d.out, auto: true})
	}
	if d.out.err == nil {
		d.chosen.close()
	}
}
