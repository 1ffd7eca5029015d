package edits

import (
	"path"
	"slices"
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
