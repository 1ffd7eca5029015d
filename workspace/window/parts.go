package window

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// parts adds what is no code of the workspace: rules, reports, recent edits, and
// the code of dependencies and of other repositories.
type parts struct{ *builder }

// ruleFiles are the files in which projects state how they want code written.
// They are data, shown as any other fragment, and only in a trusted workspace.
var ruleFiles = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", "CONVENTIONS.md", ".cursorrules", ".windsurfrules", ".clinerules",
	".github/copilot-instructions.md", ".junie/guidelines.md"}

// ruleNames are their last path elements.
var ruleNames = func() map[string]bool {
	names := map[string]bool{}
	for _, file := range ruleFiles {
		names[path.Base(file)] = true
	}
	return names
}()

// addRules adds the rules of the document's folder and of those above it, the
// nearest first, at most a twelfth of the budget.
func (b *parts) addRules() {
	if !b.snap.Trusted() || b.view == nil || b.purpose.functions {
		return
	}
	b.rules.label = "project rules"
	left := min(b.budget/12, 2000)
	for dir := path.Dir(b.rel); ; dir = path.Dir(dir) {
		for _, name := range ruleFiles {
			left -= b.addRule(path.Join(dir, name), left)
		}
		if dir == "." || dir == "/" {
			return
		}
	}
}

func (b *parts) addRule(rel string, most int) int {
	if _, ok := b.ix.FileID(rel); !ok || rel == b.rel {
		return 0
	}
	f, err := b.snap.File(b.view.Abs(rel))
	if err != nil || f.Binary() {
		return 0
	}
	text := b.head(f.Text(), most-b.costs.count(b.title(&b.rules, rel).String()))
	taken, _ := b.add(&b.rules, Fragment{Path: rel, StartLine: 1, EndLine: countLines(text), Kind: FragmentRule,
		Reason: "the project's rules", Text: b.secrets.Span(f.Source(), edits.Span{End: len(text)})}, most)
	return taken
}

// withheld reports whether a file holds rules, which are shown as such and only in a
// trusted workspace.
func (b *builder) withheld(rel string) bool {
	if rel == b.rel || !ruleNames[path.Base(rel)] {
		return false
	}
	return slices.ContainsFunc(ruleFiles, func(name string) bool { return rel == name || strings.HasSuffix(rel, "/"+name) })
}

// head is the start of text, whole lines of it, that has at most so many tokens.
func (b *parts) head(text string, most int) string {
	if most <= 0 {
		return ""
	}
	text = text[:runeStart(text, min(len(text), most*8))]
	for text != "" && b.costs.count(text) > most {
		half := text[:len(text)*3/4]
		text = half[:strings.LastIndexByte(half, '\n')+1]
	}
	return text
}

func countLines(text string) int {
	return max(1, strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1)
}

// addDiagnostics adds what compilers reported about the document, nearest to the
// place first, at most a sixteenth of the budget.
func (b *parts) addDiagnostics() {
	b.diagnostics.label = "diagnostics"
	list := slices.Clone(b.snap.Diagnostics(b.req.URI))
	slices.SortStableFunc(list, func(x, y workspace.Diagnostic) int {
		return cmp.Compare(distance(x.Span.Start, b.at.Start), distance(y.Span.Start, b.at.Start))
	})
	left := b.budget / 16
	for _, d := range list {
		line := 1 + strings.Count(b.text[:min(max(d.Span.Start, 0), len(b.text))], "\n")
		message := strings.Join(strings.Fields(d.Message), " ")
		taken, ok := b.add(&b.diagnostics, Fragment{Path: b.name, StartLine: line, EndLine: line, Kind: FragmentDiagnostic,
			Reason: "reported by " + cmp.Or(d.Source, "the compiler"), Text: b.secrets.Redact(fmt.Sprintf("line %d: %s: %s\n", line, cmp.Or(d.Severity, "error"), message), b.snap.SecretsNear(b.req.URI, clampSpan(d.Span, len(b.text)))...)}, left)
		if !ok {
			return
		}
		left -= taken
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// recentEdits are the user's last edits, read once for a window.
func (b *builder) recentEdits() []workspace.RecentEdit {
	if b.edited == nil {
		list := b.snap.RecentEdits(b.req.URI)
		b.edited = &list
	}
	return *b.edited
}

// addRecentEdits adds what was typed lately, the newest surviving, at most a
// sixteenth of the budget. An edit whose result the region shows is left out,
// unless the request is about what should follow from that edit.
func (b *parts) addRecentEdits() {
	b.recent.label = "edited recently"
	left := b.budget / 16
	list := b.recentEdits()
	for _, e := range slices.Backward(list) {
		last := e.Line + countLines(e.New) - 1
		if b.req.Purpose != "next_edit" && e.Path == b.name && e.Line >= b.region.startLine && last <= b.region.endLine {
			continue
		}
		taken, ok := b.add(&b.recent, Fragment{Path: e.Path, StartLine: e.Line, EndLine: last, Kind: FragmentRecentEdit,
			Reason: "edited recently", Text: b.secrets.Redact(e.Hunk, e.Secrets...)}, left)
		if !ok {
			break
		}
		left -= taken
	}
	slices.Reverse(b.recent.fragments)
	slices.SortStableFunc(b.recent.fragments, func(x, y Fragment) int { return strings.Compare(x.Path, y.Path) })
}

func wordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80
}

// A Dependencies knows the exported API of what a document imports.
type Dependencies interface {
	// Entries are the API's entries that a document may use: those of the
	// names given first. It returns quickly; what is not known yet is left out.
	Entries(ctx context.Context, root, path, lang string, imports []language.Import, names []string) []DependencyEntry
}

// A DependencyEntry is one exported definition of a dependency.
type DependencyEntry struct {
	Name      string
	Package   string // with its version: "k8s.io/api/core/v1@v0.34.1"
	File      string // where it is defined, as shown
	Line      int
	Signature string // whole lines
}

// addDependencies adds the API entries of dependencies whose names the lines
// near the place use.
func (b *parts) addDependencies() {
	if b.req.Dependencies == nil || !b.known {
		return
	}
	left := b.budget * b.purpose.api / 100
	names := b.namesNear(nearLines)
	for _, e := range b.req.Dependencies.Entries(b.ctx, b.view.Root, b.rel, b.language, b.foreign(b.self), names) {
		taken, ok := b.choose(e.File, choice{first: e.Line, last: e.Line + countLines(e.Signature) - 1,
			kind: FragmentDependency, reason: "defines " + e.Name + ", of " + e.Package, text: b.secrets.Redact(e.Signature)}, left)
		if ok {
			left -= taken
		}
	}
}

// foreign are the imports of the document that lead out of the workspace.
func (b *parts) foreign(self index.FileID) []language.Import {
	var out []language.Import
	for _, im := range b.ix.Imports(self) {
		if len(index.Resolve(b.ix, self, im)) == 0 {
			out = append(out, im)
		}
	}
	return out
}

// largeMargin is how many bytes around the place are read for names.
const largeMargin = 16 << 10

// namesNear are the words near the place, the nearest first, each once.
func (b *parts) namesNear(lines int) []string {
	up, down := border{text: b.text, up: true}, border{text: b.text}
	before := b.text[max(up.outward(b.at.Start, lines), b.at.Start-largeMargin):b.at.Start]
	after := b.text[b.at.End:min(down.outward(b.at.End, lines), b.at.End+largeMargin)]
	words := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) }) }
	left, right := words(before), words(after)
	slices.Reverse(left)
	seen := map[string]bool{}
	var out []string
	for i := range max(len(left), len(right)) {
		for _, side := range [][]string{left, right} {
			if i < len(side) && !seen[side[i]] {
				seen[side[i]] = true
				out = append(out, side[i])
			}
		}
	}
	return out
}

// A Search finds code in more repositories than this workspace.
type Search interface {
	// Hits returns what is known about the names, at the latest when ctx ends;
	// it must return at once when ctx has ended.
	Hits(ctx context.Context, names []string) []SearchHit
}

// A SearchHit is a piece of code that a search server found.
type SearchHit struct {
	Path string // with its repository
	Line int    // of the first line of Text, from 1
	Name string // the name that was searched
	Text string // whole lines
}

// searchWait is how long a window waits for a search server: very short while the
// user types; later answers are used for the next window.
func searchWait(purpose string) time.Duration {
	switch purpose {
	case "", "complete", "next_edit":
		return 20 * time.Millisecond
	}
	return 150 * time.Millisecond
}

// searchedNames is how many names are searched.
const searchedNames = 8

// addSearch adds what a search server knows of names that the workspace does
// not define, at most a tenth of the budget.
func (b *parts) addSearch() {
	if b.req.Search == nil {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, searchWait(b.req.Purpose))
	defer cancel()
	left := b.budget / 10
	for _, hit := range b.req.Search.Hits(ctx, b.unknownNames()) {
		if !b.snap.AllowsHit(hit.Path) {
			continue
		}
		taken, ok := b.choose(hit.Path, choice{first: hit.Line, last: hit.Line + countLines(hit.Text) - 1,
			kind: FragmentSearch, reason: "search hit for " + hit.Name, text: b.secrets.Redact(hit.Text)}, left)
		if ok {
			left -= taken
		}
	}
}

// unknownNames are the names in the user's question and in the lines near the
// place that the workspace does not define.
func (b *parts) unknownNames() []string {
	words := strings.FieldsFunc(b.req.Words, func(r rune) bool { return !wordRune(r) })
	var out []string
	for _, name := range slices.Concat(words, b.namesNear(nearLines)) {
		if len(name) < 4 || len(out) == searchedNames || slices.Contains(out, name) || !distinctive(name) || len(b.ix.LookupIDs(name, nil)) > 0 {
			continue
		}
		out = append(out, name)
	}
	return out
}

// distinctive reports whether a word looks like a programmer's name and not like
// a plain word: it has a capital inside, an underscore or a digit.
func distinctive(word string) bool {
	return len(word) > 1 && strings.ContainsAny(word[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
}
