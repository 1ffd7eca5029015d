package window

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
)

// ruleFiles are files in which projects state how they want code written. They are data like
// any fragment, and shown in a trusted workspace only.
var ruleFiles = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", "CONVENTIONS.md", ".cursorrules", ".windsurfrules", ".clinerules",
	".github/copilot-instructions.md", ".junie/guidelines.md"}

const mostRules = 2000 // tokens of one file

// rules finds the rules of the document's folder and of those above it, the nearest first.
func rules(f *fill) (out []Fragment) {
	if !f.folder.snap.Trusted() || f.folder.view == nil {
		return nil
	}
	most := min(f.budget/12, mostRules)
	for dir := path.Dir(f.place.rel); ; dir = path.Dir(dir) {
		for _, name := range ruleFiles {
			rel := path.Join(dir, name)
			if _, indexed := f.folder.ix.FileID(rel); !indexed || rel == f.place.rel {
				continue
			}
			h, err := f.folder.snap.File(f.folder.view.Abs(rel))
			if err != nil || h.Binary() {
				continue
			}
			text := h.Text()
			text = text[:runeStart(text, min(len(text), most*8))]
			for text != "" && f.costs.count(text) > most { // its first lines
				text = text[:strings.LastIndexByte(text[:len(text)*3/4], '\n')+1]
			}
			out = append(out, Fragment{Path: rel, StartLine: 1, EndLine: countLines(text), Kind: FragmentRule, Reason: "the project's rules", Text: f.secrets.Span(h.Source(), edits.Span{End: len(text)})})
		}
		if dir == "." || dir == "/" {
			return out
		}
	}
}

// diagnostics finds what compilers reported about the document, the nearest to the place first.
func diagnostics(f *fill) (out []Fragment) {
	list := slices.Clone(f.folder.snap.Diagnostics(f.place.uri))
	slices.SortStableFunc(list, func(x, y workspace.Diagnostic) int {
		return distance(x.Span.Start, f.place.at.Start) - distance(y.Span.Start, f.place.at.Start)
	})
	for _, d := range list {
		at := clampSpan(d.Span, len(f.place.text))
		line := 1 + strings.Count(f.place.text[:at.Start], "\n")
		message := fmt.Sprintf("line %d: %s: %s\n", line, cmp.Or(d.Severity, "error"), strings.Join(strings.Fields(d.Message), " "))
		out = append(out, Fragment{Path: f.place.name, StartLine: line, EndLine: line, Kind: FragmentDiagnostic, Reason: "reported by " + cmp.Or(d.Source, "the compiler"),
			Text: f.secrets.Redact(message, f.folder.snap.SecretsNear(f.place.uri, at)...)})
	}
	return out
}

// recentEdits finds what was typed lately, the newest first, except for edits whose result the
// region shows. everyEdit finds all, for what should follow from an edit.
func recentEdits(f *fill) []Fragment {
	return slices.DeleteFunc(everyEdit(f), func(c Fragment) bool {
		return c.Path == f.place.name && c.StartLine >= f.region.StartLine && c.EndLine <= f.region.EndLine
	})
}

func everyEdit(f *fill) (out []Fragment) {
	for _, e := range slices.Backward(f.folder.snap.RecentEdits(f.place.uri)) {
		out = append(out, Fragment{Path: e.Path, StartLine: e.Line, EndLine: e.Line + countLines(e.New) - 1, Kind: FragmentRecentEdit, Reason: "edited recently", Text: f.secrets.Redact(e.Hunk, e.Secrets...)})
	}
	return out
}

// folders finds the map of the repository: a line for each folder with its files, as deep as
// fits, with the number of files below.
func folders(f *fill) []Fragment {
	deepest := 0
	for _, id := range f.folder.ix.Files() {
		deepest = max(deepest, strings.Count(f.folder.ix.Path(id), "/"))
	}
	return f.mapTo(deepest)
}

func (f *fill) mapTo(depth int) []Fragment {
	if depth < 0 {
		return nil // not even the names of the first folders fit
	}
	files, below := map[string][]string{}, map[string]int{}
	size, smaller := 0, func() []Fragment { return f.mapTo(depth - 1) }
	for _, id := range f.folder.ix.Files() {
		dir, base := path.Split(f.folder.ix.Path(id))
		if parts := strings.SplitAfter(dir, "/"); len(parts) > depth+1 {
			below[strings.Join(parts[:depth], "")]++
			continue
		}
		files[dir] = append(files[dir], base)
		if size += len(base); size > f.left && depth > 0 { // more than its share
			return smaller()
		}
	}
	for dir, n := range below {
		files[dir] = append(files[dir], fmt.Sprintf("and %d files below", n))
	}
	if len(files) == 0 {
		return nil
	}
	var out strings.Builder
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		out.WriteString(strings.Map(printable, "./"+dir+": "+strings.Join(files[dir], " ")) + "\n")
	}
	return []Fragment{{Path: ".", StartLine: 1, EndLine: len(files), Kind: FragmentMap, Reason: "the repository's folders and files", Text: f.secrets.Redact(out.String()), orElse: smaller}}
}

// A Search finds code in more repositories than this workspace.
type Search interface {
	// Hits returns what is known about the names. It must return when ctx ends.
	Hits(ctx context.Context, names []string) []SearchHit
}

// A SearchHit is a piece of code that a search server found.
type SearchHit struct {
	Path string // with its repository
	Line int    // of the first line of Text, from 1
	Name string // the name that was searched
	Text string // whole lines
}

const (
	searchWait    = 150 * time.Millisecond // later answers serve the next window
	searchedNames = 8
)

// searched asks a search server for names in the user's words and near the place that the
// workspace does not define.
func searched(f *fill) (out []Fragment) {
	if f.req.Search == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(f.ctx, searchWait)
	defer cancel()
	var names []string
	before := f.place.before(nearLines)
	for _, w := range slices.Concat(nearest(f.req.Words, 0), nearest(before+f.place.after(nearLines), strings.Count(before, "\n"))) {
		if len(names) == searchedNames {
			break
		}
		if len(w.text) <= 3 || !distinctive(w.text) || slices.Contains(names, w.text) {
			continue
		}
		if len(f.folder.ix.LookupIDs(w.text)) == 0 {
			names = append(names, w.text)
		}
	}
	for _, hit := range f.req.Search.Hits(ctx, names) {
		if f.folder.snap.AllowsHit(hit.Path) {
			out = append(out, Fragment{Path: hit.Path, StartLine: hit.Line, EndLine: hit.Line + countLines(hit.Text) - 1, Kind: FragmentSearch, Reason: "search hit for " + hit.Name, Text: f.secrets.Redact(hit.Text)})
		}
	}
	return out
}

// distinctive reports whether a word looks like a name in code: it has a capital letter inside,
// an underscore or a digit.
func distinctive(word string) bool {
	return len(word) > 1 && strings.ContainsAny(word[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
}
