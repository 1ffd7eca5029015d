package edits

import (
	"path"
	"slices"
	"strings"
)

// PathsIn lists the files that blocks may be about, each once: every path as
// written and as a workspace may have it, and where files are moved to. A
// caller reads those that exist before it applies the blocks.
func PathsIn(blocks []Block) []string {
	var out []string
	for i := range blocks {
		b := &blocks[i]
		names := b.spellings()
		if b.MoveTo != "" {
			names = append(names, b.destination())
		}
		for _, name := range names {
			if name != "" && name != "." && !slices.Contains(out, name) && path.Clean(name) == name {
				out = append(out, name)
			}
		}
	}
	return out
}

// ProposeFiles returns the files of a proposal that turns before into after, with what is said of them, in
// the order of their paths.
func ProposeFiles(before, after map[string]string, forms map[string]Form, doubts map[string][]Doubt) []ProposedFile {
	var out []ProposedFile
	for name, text := range after {
		old, existed := before[name]
		if form := forms[name]; !existed || old != text || form != (Form{}) {
			out = append(out, ProposedFile{Path: name, Base: NewText(old), Edits: Diff(old, text), Create: !existed, Form: form, Doubts: doubts[name]})
		}
	}
	for name, old := range before {
		if _, exists := after[name]; !exists {
			out = append(out, ProposedFile{Path: name, Base: NewText(old), Edits: Diff(old, ""), Delete: true, Doubts: doubts[name]})
		}
	}
	slices.SortFunc(out, func(a, b ProposedFile) int { return strings.Compare(a.Path, b.Path) })
	return out
}
