package edits

import (
	"regexp"
	"slices"
	"strings"
)

// The forms in which models write what edit formats fix: marks, paths, names. A form that is
// usual is one line of a table here; the dialects know what the forms mean.

// A markStyle is a pair of marks that belong together.
type markStyle int

const (
	angles    markStyle = iota + 1 // <<<<<<< SEARCH, >>>>>>> REPLACE
	dashes                         // ------- SEARCH, +++++++ REPLACE
	conflicts                      // <<<<<<< HEAD, >>>>>>> branch, as a failed merge writes them
)

// searchMarks are the marks around what is searched and replaced.
var searchMarks = []struct {
	style      markStyle
	head, tail *regexp.Regexp
}{
	{angles, regexp.MustCompile(`^<{5,9} ?(?i:search|original)>?:?[ \t]*$`), regexp.MustCompile(`^>{5,9} ?(?i:replace|updated)>?:?[ \t]*$`)},
	{dashes, regexp.MustCompile(`^-{3,} (?i:search)>?$`), regexp.MustCompile(`^\+{3,} (?i:replace)>?$`)},
	{conflicts, regexp.MustCompile(`^<{7} (?i:head|ours|current|before|local|old)\b.*$`), regexp.MustCompile(`^>{7} \S.*$`)},
}

// headOf is the style of the mark that a line opens a block with, 0 if it opens none.
func headOf(text string) markStyle {
	if text == "" || text[0] != '<' && text[0] != '-' {
		return 0
	}
	for _, m := range searchMarks {
		if m.head.MatchString(text) {
			return m.style
		}
	}
	return 0
}

// tailOf is the style of the mark that a line closes a block with, 0 if it closes none.
func tailOf(text string) markStyle {
	if text == "" || text[0] != '>' && text[0] != '+' {
		return 0
	}
	for _, m := range searchMarks {
		if m.tail.MatchString(text) {
			return m.style
		}
	}
	return 0
}

// replaceMarker reports whether a line is a REPLACE mark.
func replaceMarker(text string) bool {
	style := tailOf(text)
	return style == angles || style == dashes
}

// conflictMarker reports whether a line is one of the marks that a failed merge writes into a
// file, and that are never there on purpose.
func conflictMarker(text string) bool {
	return strings.HasPrefix(text, "<<<<<<< ") || strings.HasPrefix(text, ">>>>>>> ")
}

// pathForms find the path in a line that is about one: the first group that is plausible.
var pathForms = []*regexp.Regexp{
	// The line that opens a fence.
	regexp.MustCompile("^[`~]{3,}.*\\b(?:title|path|file|filename|name|src)=[\"']?([^\"'}]+?)[\"']?(?:[\\s}].*)?$"),
	regexp.MustCompile("^[`~]{3,}\\s*[\\w+#-]+:([^\\s:]+(?::[A-Za-z0-9_./-]+)*?)(?:[:#]L?\\d+(?:-L?\\d+)?)?\\s*$"),
	regexp.MustCompile("^[`~]{3,}\\s*\\d+:\\d+:(\\S+)$"), // 12:20:path, as editors show excerpts
	regexp.MustCompile("^[`~]{3,}\\s*[\\w+#-]+\\s+([^\\s=]*[./][^\\s=]*)$"),
	regexp.MustCompile("^[`~]{3,}\\s*([^\\s=:]*[./][^\\s=:]*)$"),
	// A heading, an item of a list or a comment with a label.
	regexp.MustCompile("^\\W*(?i:file|file ?name|file ?path|path)(?:\\*\\*)?\\s*:(?:\\*\\*)?\\s*[`\"'*]*([^`\"'*]+?)[`\"'*]*:?$"),
	regexp.MustCompile("^(?:#+|[*+-]|\\d+[.)]|//+|--|<!--|/\\*|;+)\\s+(?:\\d+[.)]\\s+)?[`\"'*]*([^`\"'*\\s]*[./][^`\"'*\\s]*?)[`\"'*]*(?:\\s+\\([^)]*\\))?:?\\s*(?:-->|\\*/)?$"),
	regexp.MustCompile("^(?i:in|update|edit|modify|change|updated|modified)\\s+(?:the file\\s+)?[`\"'*]+([^`\"'*]+)[`\"'*]+\\s*:?$"),
	regexp.MustCompile("^[#\\s]*_+[`\"'*]*([^`\"'*]+?):?[`\"'*]*_+:?\\s*$"),
	regexp.MustCompile("^[#\\s]*[`\"'*]*([^`\"'*]+?):?[`\"'*]*:?\\s*$"),
}

// pathIn is the path that a line consists of, without what models put around paths: fences,
// headings, labels, emphasis, a final colon. It is "" for a line of prose.
func pathIn(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line == "..." || strings.HasPrefix(line, "<source>") {
		return ""
	}
	fence := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
	for _, form := range pathForms {
		m := form.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if name := strings.TrimSpace(m[1]); plausiblePath(name) && (!fence || strings.ContainsAny(name, "./")) {
			return name
		}
	}
	return ""
}

var quotedName = regexp.MustCompile("[`\"]([^`\"\\s()]+)[`\"]")

// pathNamed is the one path that a sentence quotes, "" if it quotes none or several.
func pathNamed(line string) string {
	found := ""
	for _, m := range quotedName.FindAllStringSubmatch(line, -1) {
		name := m[1]
		if !hasExtension(name) || !plausiblePath(name) {
			continue
		}
		if found != "" && found != name {
			return ""
		}
		found = name
	}
	return found
}

// longestExtension is how long one is at most that makes a name a file's, as .scss; a longer
// word behind a dot is a member, as in list.append.
const longestExtension = 4

// hasExtension reports whether a name ends as that of a file does.
func hasExtension(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || dot == len(name)-1 {
		return false
	}
	return strings.Contains(name, "/") || len(name)-dot-1 <= longestExtension
}

// pathComment is a line that is a comment with nothing but a path.
var pathComment = regexp.MustCompile(`^\s*(?://+|#+|--|;+|%+|<!--|/\*+|\(\*|"""|\{\s*/\*)\s*(?:(?i:file|filename|path)\s*:\s*)?([\w@.~+-]*(?:[/\\][\w@.~+()\[\]-]+)*[./\w]\w*)\s*(?:-->|\*/|\*\)|""")?\s*$`)

// diffFence opens a fence around a diff.
var diffFence = regexp.MustCompile("^[`~]{3,}\\s*(?i:diff|patch|udiff)\\b")

// turnTokens end what a model says. They reach an answer if its server does not know them.
var turnTokens = []string{
	"<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<|end|>", "<|return|>", "<|eom_id|>", "<|end_of_turn|>", "<|EOT|>", "<|fim_end|>", "<|user|>", "<|assistant|>",
	"<end_of_turn>", "<eos>", "</s>", "[/INST]", "[EOS]", "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|endofprompt|>", "<|eos|>", "<|im_start|>",
}

// turnStarts begin what somebody says, or what </s> closes. A text with one of them is a template
// or HTML, and what looks like a token at the end of its lines belongs to it.
var turnStarts = []string{"<|im_start|>", "<|start_header_id|>", "<start_of_turn>", "<|START_OF_TURN_TOKEN|>", "<|system|>", "[INST]", "<s>", "<s "}

// hasTurns reports whether the new text of a block has turns of its own.
func (b *Block) hasTurns() bool {
	starts := func(line string) bool {
		line = withoutTurnToken(line)
		return slices.ContainsFunc(turnStarts, func(start string) bool { return strings.Contains(line, start) })
	}
	return starts(b.New) || slices.ContainsFunc(b.Lines, func(l Line) bool { return l.Op != Remove && starts(l.Text) })
}

// withoutTurnToken cuts tokens off the end of a line.
func withoutTurnToken(line string) string {
	for {
		text := strings.TrimRight(line, " \t")
		if !strings.HasSuffix(text, ">") && !strings.HasSuffix(text, "]") {
			return line
		}
		i := slices.IndexFunc(turnTokens, func(token string) bool { return strings.HasSuffix(text, token) })
		if i < 0 {
			return line
		}
		line = strings.TrimSuffix(text, turnTokens[i])
	}
}

// signLookalikes are what some models write for the sign of a line: a minus, an en dash, the
// full-width signs.
const signLookalikes = "\u2212\u2013\u2014\u2010\u2011\uff0b\uff0d\ufe63\ufe62\u2795\u2796"
