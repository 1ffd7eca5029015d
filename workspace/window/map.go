package window

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tandem/workspace/index"
)

// addMap adds the folders of the repository with their files, as deep as fits into
// a sixteenth of the budget, or into an eighth for a plan.
func (p *parts) addMap(plan bool) {
	if p.folder.empty() {
		return
	}
	most := p.window.budget / 16
	if plan {
		most = p.window.budget / 8
	}
	p.window.maps.label = "map of the repository"
	ix, deepest := p.folder.ix, 0
	for _, id := range ix.Files() {
		deepest = max(deepest, strings.Count(ix.Path(id), "/"))
	}
	for _, names := range []bool{true, false} {
		for depth := deepest; depth >= 1 || !names && depth == 0; depth-- {
			text := mapOf(ix, depth, names)
			if len(text) > most*8 {
				continue
			}
			if _, ok := p.window.add(&p.window.maps, Fragment{Path: ".", StartLine: 1, EndLine: countLines(text), Kind: FragmentMap,
				Reason: "the repository's folders and files", Text: p.window.secrets.Redact(text)}, most); ok {
				return
			}
		}
	}
}

// mapOf is a line for every folder down to a depth; deeper ones are counted.
func mapOf(ix *index.Index, depth int, names bool) string {
	files, below := map[string][]string{}, map[string]int{}
	for _, id := range ix.Files() {
		rel := ix.Path(id)
		dir := path.Dir(rel)
		parts := strings.Split(dir, "/")
		if dir != "." && len(parts) > depth {
			below[strings.Join(parts[:depth], "/")]++
			continue
		}
		files[dir] = append(files[dir], path.Base(rel))
	}
	dirs := slices.Sorted(maps.Keys(files))
	for dir := range below {
		if _, known := files[dir]; !known {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	var out strings.Builder
	for _, dir := range dirs {
		out.WriteString(cleanName(dir) + "/:")
		switch list := files[dir]; {
		case names:
			for _, name := range list {
				out.WriteString(" " + cleanName(name))
			}
		case len(list) > 0:
			fmt.Fprintf(&out, " %d files", len(list))
		}
		if n := below[dir]; n > 0 {
			fmt.Fprintf(&out, " and %d files below", n)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
