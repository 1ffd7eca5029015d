package edits

import (
	"cmp"
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
	out   *collector
	path  string
	in    string // the open tag: old, new, path, all; "" outside
	text  []string
	old   string
	hint  int
	have  bool // an old text waits for its new text
	all   bool
	whole bool // the last tag named a file, whose whole text may follow
}

// tagNames maps the tags that models use to what they mean: in lower case, without
// underscores.
var tagNames = map[string]string{
	"oldtext": "old", "oldstr": "old", "oldstring": "old", "oldcode": "old", "search": "old",
	"newtext": "new", "newstr": "new", "newstring": "new", "newcode": "new", "replace": "new",
	"path": "path", "filepath": "path", "file": "file", "edit": "edit", "edits": "edit",
	"replaceall": "all",
}

// tagIn is what the tag at the start of text means, or "".
func tagIn(text string) string {
	if !strings.HasPrefix(text, "<") {
		return ""
	}
	name := strings.TrimPrefix(text[1:], "/")
	if end := strings.IndexAny(name, " >"); end >= 0 {
		return tagNames[strings.ToLower(strings.ReplaceAll(name[:end], "_", ""))]
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
		if d.whole && trimmed != "" {
			d.in, d.text = "whole", append(d.text[:0], text)
		}
		return
	}
	head, rest, _ := strings.Cut(trimmed, ">")
	if strings.HasPrefix(head, "</") {
		return
	}
	if kind == "edit" || kind == "file" {
		if path := cmp.Or(attribute(head, "path"), attribute(head, "name"), attribute(head, "src")); path != "" {
			d.path, d.whole = path, kind == "file"
			return
		}
		if kind == "edit" || strings.TrimSpace(rest) == "" {
			return
		}
		kind = "path" // <file>x</file>
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
	if d.in == "whole" {
		if strings.TrimSpace(text) == "</file>" {
			d.endTag("")
			return
		}
	} else if strings.HasPrefix(text, "</") && tagIn(text) != "" {
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
	case "whole":
		d.out.open(Block{Action: Rewrite, Path: d.path})
		if last := len(d.text) - 1; last > 0 && isFence(d.text[0]) && strings.TrimSpace(d.text[last]) == "```" {
			d.text = d.text[1:last]
		}
		for _, line := range d.text {
			d.out.add(Add, line)
		}
		d.out.shut()
		d.out.blocks[len(d.out.blocks)-1].takePathComment()
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
	for _, quote := range []string{`"`, "'"} {
		if quoted, ok := strings.CutPrefix(value, quote); ok {
			value, _, _ = strings.Cut(quoted, quote)
			return value
		}
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
