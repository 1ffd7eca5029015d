package edits

import (
	"strconv"
	"strings"
)

// tagDialect reads replacements in tags, one tag at the start of a line:
//
//	<edit path="a.go">
//	<old_text line=12>
//	…
//	</old_text>
//	<new_text>
//	…
//	</new_text>
//	</edit>
type tagDialect struct {
	out  *collector
	path string
	in   string // the open tag: old, new, path, all; "" outside
	text []string
	old  string
	hint int
	have bool // an old text waits for its new text
	all  bool
}

// tagNames maps the tags that models use to what they mean.
var tagNames = map[string]string{
	"old_text": "old", "old_str": "old", "old_string": "old", "search": "old",
	"new_text": "new", "new_str": "new", "new_string": "new", "replace": "new",
	"path": "path", "file_path": "path", "file": "edit", "edit": "edit", "edits": "edit",
	"replace_all": "all",
}

// tagIn is what the tag at the start of text means, or "".
func tagIn(text string) string {
	if !strings.HasPrefix(text, "<") {
		return ""
	}
	name := strings.TrimPrefix(text[1:], "/")
	if end := strings.IndexAny(name, " >"); end >= 0 {
		return tagNames[name[:end]]
	}
	return ""
}

func (d *tagDialect) line(text string) {
	if d.in != "" {
		d.inside(text)
		return
	}
	trimmed := strings.TrimSpace(text)
	kind := tagIn(trimmed)
	if kind == "" {
		return
	}
	head, rest, _ := strings.Cut(trimmed, ">")
	if strings.HasPrefix(head, "</") {
		return
	}
	if kind == "edit" {
		if path := attribute(head, "path"); path != "" {
			d.path = path
		}
		return
	}
	d.in, d.text = kind, d.text[:0]
	if kind == "old" {
		d.hint, _ = strconv.Atoi(attribute(head, "line")) // unreadable: no hint
	}
	if rest != "" {
		d.inside(rest)
	}
}

// inside takes a line of an open tag. Models cross closing tags, so a tag that
// closes old or new closes whichever of them is open.
func (d *tagDialect) inside(text string) {
	at := -1
	if strings.HasPrefix(text, "</") && tagIn(text) != "" {
		at = 0
	} else if len(d.text) == 0 {
		at = strings.LastIndex(text, "</") // <path>x</path> on one line
		if at >= 0 && tagIn(text[at:]) != d.in {
			at = -1
		}
	}
	if at < 0 {
		d.text = append(d.text, text)
		return
	}
	if at > 0 {
		d.text = append(d.text, text[:at])
	}
	d.endTag(strings.Join(d.text, "\n"))
}

func (d *tagDialect) endTag(text string) {
	in := d.in
	d.in = ""
	switch in {
	case "path":
		d.path = strings.TrimSpace(text)
	case "all":
		d.all = strings.TrimSpace(text) == "true"
	case "old":
		d.old, d.have = text, true
	case "new":
		d.replacement(text)
	}
}

func (d *tagDialect) replacement(text string) {
	if !d.have {
		d.out.failLine(CodeParse, "a new text without an old text before it")
		return
	}
	d.out.open(Block{Path: d.path, LineHint: d.hint, Literal: true, Old: d.old, New: text, All: d.all})
	d.out.shut()
	d.have, d.all, d.hint = false, false, 0
}

func (d *tagDialect) close() {
	switch {
	case d.in != "" || d.have:
		d.out.fail(CodeTruncated, "the answer stops inside replacement %d", len(d.out.blocks)+1)
	case len(d.out.blocks) == 0:
		d.out.fail(CodeParse, "the answer has no replacement")
	}
}

// attribute is the value of name="value" or name=value in a tag.
func attribute(head, name string) string {
	_, value, ok := strings.Cut(head, " "+name+"=")
	if !ok {
		return ""
	}
	if quoted, ok := strings.CutPrefix(value, `"`); ok {
		value, _, _ = strings.Cut(quoted, `"`)
		return value
	}
	value, _, _ = strings.Cut(value, " ")
	return value
}

// A Replacement is one entry of a str_replace list, decoded from JSON by the
// caller.
type Replacement struct {
	Path     string
	Old, New string
	All      bool
	LineHint int
}

// ReplacementBlocks turns a str_replace list into blocks.
func ReplacementBlocks(list []Replacement) []Block {
	blocks := make([]Block, len(list))
	for i, r := range list {
		blocks[i] = Block{Number: i + 1, Path: r.Path, LineHint: r.LineHint, Literal: true, Old: r.Old, New: r.New, All: r.All}
	}
	return blocks
}
