package answer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// guard judges what an answer makes of files: each rule refuses what no person means.
func guard(answer, here string, blocks []edits.Block, before, after map[string]string) *edits.Error {
	if len(blocks) > 1 && alternatives(answer, after) {
		return &edits.Error{Code: edits.CodeAmbiguous, Message: "the answer offers alternatives, and does not say which is meant"}
	}
	if !slices.ContainsFunc(blocks, func(b edits.Block) bool { return !b.ByTool() }) {
		return nil // a program's diff is what somebody did, and not what a model means
	}
	for _, b := range blocks {
		if line, found := signed(cmp.Or(b.Path, here, only(after)), &b); found {
			return &edits.Error{Code: edits.CodeParse, Block: b.Number, Path: b.Path, Message: fmt.Sprintf("%q begins with the sign of a diff, and stands in a text that has none", line)}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		old, existed := before[path]
		if existed && old == after[path] {
			continue
		}
		if reason := Judge(path, old, after[path]); reason != "" {
			return &edits.Error{Code: edits.CodeUnsafe, Path: path, Message: path + ": " + reason}
		}
	}
	return nil
}

// only is the path of the one file that there is.
func only(files map[string]string) string {
	if len(files) == 1 {
		return slices.Collect(maps.Keys(files))[0]
	}
	return ""
}

// Judge is why a model cannot mean a change of a file, or "".
func Judge(path, before, after string) string {
	c := newChange(path, before, after)
	return cmp.Or(c.leavesOut(), c.typeset(), c.wrapping(), c.doubles(), c.breaksNotebook())
}

// A change is what an answer makes of one file.
type change struct {
	path, before, after string
	language            string
	old, new            []string
	hunks               []hunk
}

// A hunk is lines that others take the place of.
type hunk struct {
	from, to   int // in the text before
	start, end int // in the text after
}

func newChange(path, before, after string) *change {
	c := &change{path: path, before: before, after: after, language: language.OfFile(path), old: edits.SplitLines(before), new: edits.SplitLines(after)}
	shift := 0
	for _, h := range edits.LineHunks(before, after) {
		start := h.Start + shift
		c.hunks = append(c.hunks, hunk{h.Start, h.End, start, start + len(h.Lines)})
		shift += len(h.Lines) - (h.End - h.Start)
	}
	return c
}

// near is how many lines two hunks are apart at most that are one change of the code.
const near = 2

// joined are the hunks, with those that are near each other as one.
func (c *change) joined() []hunk {
	var out []hunk
	for _, h := range c.hunks {
		if n := len(out); n > 0 && h.from-out[n-1].to <= near {
			out[n-1].to, out[n-1].end = h.to, h.end
			continue
		}
		out = append(out, h)
	}
	return out
}

var (
	commentOnly = regexp.MustCompile(`^\s*(//|#|--|/\*|<!--|;|%|\{/\*|"""|'|\*|\(\*|REM )`)
	marked      = regexp.MustCompile(`^\s*(//|/\*|<!--|#|--)`) // a comment of some language, whatever the file's
	wrapped     = regexp.MustCompile(`^\s*(\[.*\]|<[^/].*>|\(.*\)|\{.*\}|…|\.\.\.).{0,2}\s*$`)
	dots        = regexp.MustCompile(`\.\.\.|…`)
	restWords   = regexp.MustCompile(`(?i)\b(existing|rest of|remain\w*|unchanged|same as|as (it|they) (was|were)|as (before|above)|previously|no changes?|other code|omitted|keep (the|all|every)|stays?|snip(ped)?|not shown|elided|truncated)\b`)
)

// idle is what runs and does nothing, with a remark behind it.
var idle = regexp.MustCompile(`^\s*(pass|continue|return|\{ *\}|;)\s*(#|//|/\*)`)

// standsFor reports whether a line may stand for code that a model left out: it is a
// comment, or dots, and says nothing that runs. certain is one that says so itself.
func (c *change) standsFor(line string) (maybe, certain bool) {
	text := strings.TrimSpace(line)
	only := c.comment(line) || idle.MatchString(line) || wrapped.MatchString(text) && restWords.MatchString(text)
	switch {
	case text == "...", text == "…", text == "[...]", text == "[…]":
		return true, false
	case !only || strings.HasPrefix(text, "#include") || strings.HasPrefix(text, "#define") || strings.HasPrefix(text, "#!"):
		return dots.MatchString(text) && restWords.MatchString(text) && !strings.ContainsAny(text, "=;"), false
	}
	return true, dots.MatchString(text) && restWords.MatchString(text)
}

// comment reports whether a line is a comment and nothing else.
func (c *change) comment(line string) bool {
	if c.language == "markdown" || c.language == "plaintext" {
		return strings.HasPrefix(strings.TrimSpace(line), "<!--")
	}
	return commentOnly.MatchString(line)
}

// Shares of the lines of a change from which on a comment in their place is taken to stand
// for them.
const (
	leastLost   = 2 // lines, of those that say nothing about what they stand for
	littleAdded = 2 // one new line of code for so many lost
)

// leavesOut reports that lines vanish behind a remark which stands for them.
func (c *change) leavesOut() string {
	oldLines := map[string]bool{}
	for _, line := range c.old {
		oldLines[strings.TrimSpace(line)] = true
	}
	for _, h := range c.joined() {
		lost, lostComments, added := 0, 0, 0
		var remarks []string
		remaining := map[string]int{}
		for _, line := range c.new[h.start:h.end] {
			remaining[strings.TrimSpace(line)]++
		}
		for _, line := range c.old[h.from:h.to] {
			switch text := strings.TrimSpace(line); {
			case text == "" || remaining[text] > 0:
				remaining[text]--
			case c.comment(line):
				lostComments++
			default:
				lost++
			}
		}
		surely := false
		for _, line := range c.new[h.start:h.end] {
			if strings.TrimSpace(line) == "" || oldLines[strings.TrimSpace(line)] {
				continue
			}
			maybe, certain := c.standsFor(line)
			if !maybe {
				added++
				continue
			}
			remarks = append(remarks, strings.TrimSpace(line))
			dotted, rest := dots.MatchString(line), restWords.MatchString(line)
			inPlace := h.to > h.from || strings.TrimSpace(strings.Join(c.new[h.end:], "")) == "" // and no sample among other text
			surely = surely || certain || (dotted || rest) && lost > added || inPlace && dotted && rest && marked.MatchString(line)
		}
		if len(remarks) == 0 || !surely && (len(remarks) <= lostComments || lost < leastLost || added*littleAdded > lost) {
			continue
		}
		return fmt.Sprintf("%q seems to stand for code that the answer leaves out; %d lines would be lost", remarks[0], lost)
	}
	return ""
}

// code reports where a text is code, and neither a literal nor a comment. It is nil for
// languages that are not read.
func code(lang, text string) []bool {
	tokens := language.Tokens(lang, text)
	if tokens == nil {
		return nil
	}
	out := slices.Repeat([]bool{true}, len(text))
	for _, t := range tokens {
		if t.Kind == language.String || t.Kind == language.Comment {
			for i := t.Start; i < t.End; i++ {
				out[i] = false
			}
		}
	}
	return out
}

var (
	typography = regexp.MustCompile("[‘’“”„«»\u00a0]")
	entity     = regexp.MustCompile(`&(lt|gt|amp|quot|apos|#39|#34|nbsp);`)
	inMarkup   = regexp.MustCompile(`(?:[=(,\[{:+]\s*)[“‘]|=&gt;|&amp;&amp;`) // where code and text are mixed
)

// typeset reports quotes and entities as a word processor or a page writes them, in new
// lines of code. Literals, comments and markup may have them.
func (c *change) typeset() string {
	switch c.language {
	case "html", "xml", "markdown", "vue", "svelte", "php", "plaintext", "latex", "tex":
		return ""
	}
	var in []bool
	markup := strings.HasSuffix(c.language, "react")
	starts := language.LineStarts(c.after)
	for _, h := range c.hunks {
		for i := h.start; i < h.end; i++ {
			line := c.new[i]
			for _, find := range []*regexp.Regexp{typography, entity} {
				at := find.FindStringIndex(line)
				if at == nil || markup && !inMarkup.MatchString(line) {
					continue
				}
				if in == nil {
					if in = code(c.language, c.after); in == nil {
						return ""
					}
				}
				for _, at := range find.FindAllStringIndex(line, -1) {
					if in[starts[i]+at[0]] && !strings.Contains(outside(c.language, c.before), line[at[0]:at[1]]) {
						return fmt.Sprintf("%q in new code is how a text processor writes it, not a program", line[at[0]:at[1]])
					}
				}
			}
		}
	}
	return ""
}

// around is what stands around an answer and is no code.
var around = regexp.MustCompile("^(```[\\w+-]*|~~~[\\w+-]*)$|^<\\|[a-z_]+\\|>")

// wrapping reports that what is around an answer, or the JSON of a call, would be in the code.
func (c *change) wrapping() string {
	if in := strings.TrimSpace(c.after); strings.HasPrefix(in, "{") && !strings.HasPrefix(c.language, "json") && json.Valid([]byte(in)) && !json.Valid([]byte(c.before)) && !strings.HasSuffix(c.path, ".ipynb") {
		return "it would be JSON in place of the code"
	}
	var in []bool
	starts := language.LineStarts(c.after)
	for _, h := range c.hunks {
		for i := h.start; i < h.end; i++ {
			line := strings.TrimSpace(c.new[i])
			if !around.MatchString(line) || slices.ContainsFunc(c.old, func(old string) bool { return strings.TrimSpace(old) == line }) {
				continue
			}
			if in == nil {
				if in = code(c.language, c.after); in == nil {
					return ""
				}
			}
			if in[starts[i]+strings.Index(c.new[i], line)] {
				return fmt.Sprintf("%q is around an answer, and no code", line)
			}
		}
	}
	return ""
}

// outside is the code of a text without its literals and comments.
func outside(lang, text string) string {
	in := code(lang, text)
	var b strings.Builder
	for i := range len(in) {
		if in[i] {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

var diffSign = regexp.MustCompile(`^(\+[^+=]|-[^-=>0-9.])`)

// signed returns a line of a block's new text that begins with the sign of a diff, which is
// none of the language.
func signed(path string, b *edits.Block) (string, bool) {
	lang := language.OfFile(path)
	text := b.NewText()
	if lang == "yaml" || lang == "markdown" || strings.HasSuffix(path, ".diff") || strings.HasSuffix(path, ".patch") || diffSign.MatchString(firstSigned(b.OldText())) {
		return "", false
	}
	in := code(lang, text)
	at := 0
	for line := range strings.Lines(text) {
		if in != nil && in[at] && diffSign.MatchString(line) {
			return strings.TrimSpace(line), true
		}
		at += len(line)
	}
	return "", false
}

// firstSigned is the first line of a text that begins with the sign of a diff.
func firstSigned(text string) string {
	for line := range strings.Lines(text) {
		if diffSign.MatchString(line) {
			return line
		}
	}
	return ""
}

// doubles reports that lines which are there are put in again, next to themselves or as a
// second definition.
func (c *change) doubles() string {
	for _, h := range c.hunks {
		added := c.new[h.start:h.end]
		n := len(added)
		if h.from < h.to || weight(added) < 2 {
			continue
		}
		if n%2 == 0 && slices.Equal(added[:n/2], added[n/2:]) && weight(added[:n/2]) > 1 ||
			h.start >= n && slices.Equal(c.new[h.start-n:h.start], added) || h.end+n <= len(c.new) && slices.Equal(c.new[h.end:h.end+n], added) {
			return fmt.Sprintf("lines that begin with %q would be there twice", strings.TrimSpace(added[0]))
		}
	}
	if len(c.hunks) == 0 || c.before == "" {
		return ""
	}
	had := definitions(c.language, c.path, c.before)
	for text, n := range definitions(c.language, c.path, c.after) {
		if n > 1 && had[text] < n && had[text] < 2 {
			_, text, _ = strings.Cut(text, "\x00")
			head, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
			return fmt.Sprintf("%q would be defined twice, word for word", head)
		}
	}
	return ""
}

// weight counts the lines that have words.
func weight(lines []string) int {
	n := 0
	for _, l := range lines {
		if strings.ContainsFunc(l, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 }) {
			n++
		}
	}
	return n
}

// definitions counts the texts of the definitions of a file that have several lines.
func definitions(lang, path, text string) map[string]int {
	out := map[string]int{}
	lines := strings.SplitAfter(text, "\n")
	for _, d := range language.Scan(lang, path, text).Defs {
		if d.StartLine >= 1 && d.EndLine > d.StartLine+1 && d.EndLine <= len(lines) && d.Kind.IsFunc() && !d.Local {
			out[d.Container+"\x00"+strings.Join(lines[d.StartLine-1:d.EndLine], "")]++
		}
	}
	return out
}

// breaksNotebook reports that a notebook is none any more: it is JSON, and its cells are
// lists of lines of which each but the last has its end.
func (c *change) breaksNotebook() string {
	if !strings.HasSuffix(c.path, ".ipynb") {
		return ""
	}
	type notebook struct {
		Cells []struct {
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	var is notebook
	if err := json.Unmarshal([]byte(c.after), &is); err != nil || is.Cells == nil {
		return "it would be no notebook any more; edit its cells in an editor that shows them"
	}
	for i, cell := range is.Cells {
		var lines []string
		if json.Unmarshal(cell.Source, &lines) != nil {
			continue // a text is allowed too
		}
		for k, line := range lines {
			if strings.HasSuffix(line, "\n") == (k == len(lines)-1) && k < len(lines)-1 || strings.Contains(strings.TrimSuffix(line, "\n"), "\n") {
				return fmt.Sprintf("lines of its cell %d would run together", i+1)
			}
		}
	}
	return ""
}

var option = regexp.MustCompile(`(?im)^[\s#*_>-]*(?:\d+[.)]\s*)?\**(option|alternative|approach|variant|version|solution|choice|possibility|method)s?\s*(#?\d|[a-d]\b|one|two|three)|^[\s#*_>-]*(alternatively|or alternatively|another (way|option|approach)|or, if you prefer|or instead)\b`)

// alternatives reports whether what an answer says around its edits offers a choice.
func alternatives(answer string, after map[string]string) bool {
	found := 0
	for line := range strings.Lines(answer) {
		m := option.FindStringSubmatch(line)
		if m == nil || slices.ContainsFunc(slices.Collect(maps.Values(after)), func(text string) bool { return strings.Contains(text, strings.TrimSpace(line)) }) {
			continue
		}
		if found++; found > 1 || m[3] != "" {
			return true
		}
	}
	return false
}
