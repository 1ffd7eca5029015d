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
)

// parts adds what is no code of the workspace: rules, reports, recent edits, and
// the code of dependencies and of other repositories.
type parts struct {
	place  *place
	folder *folder
	window *builder
}

// ruleFiles are the files in which projects state how they want code written.
// They are data, shown as any other fragment, and only in a trusted workspace.
var ruleFiles = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", "CONVENTIONS.md", ".cursorrules", ".windsurfrules", ".clinerules",
	".github/copilot-instructions.md", ".junie/guidelines.md"}

// addRules adds the rules of the document's folder and of those above it, the
// nearest first, at most a twelfth of the budget.
func (p *parts) addRules() {
	if !p.folder.snap.Trusted() || p.folder.view == nil {
		return
	}
	p.window.rules.label = "project rules"
	left := min(p.window.budget/12, 2000)
	for dir := path.Dir(p.place.rel); ; dir = path.Dir(dir) {
		for _, name := range ruleFiles {
			left -= p.addRule(path.Join(dir, name), left)
		}
		if dir == "." || dir == "/" {
			return
		}
	}
}

func (p *parts) addRule(rel string, most int) int {
	if _, ok := p.folder.ix.FileID(rel); !ok || rel == p.place.rel {
		return 0
	}
	f, err := p.folder.snap.File(p.folder.view.Abs(rel))
	if err != nil || f.Binary() {
		return 0
	}
	text := p.head(f.Text(), most-p.window.costs.count(p.window.title(&p.window.rules, rel).String()))
	taken, _ := p.window.add(&p.window.rules, Fragment{Path: rel, StartLine: 1, EndLine: countLines(text), Kind: FragmentRule,
		Reason: "the project's rules", Text: p.window.secrets.Span(f.Source(), edits.Span{End: len(text)})}, most)
	return taken
}

// head is the start of text, whole lines of it, that has at most so many tokens.
func (p *parts) head(text string, most int) string {
	if most <= 0 {
		return ""
	}
	text = text[:runeStart(text, min(len(text), most*8))]
	for text != "" && p.window.costs.count(text) > most {
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
func (p *parts) addDiagnostics() {
	p.window.diagnostics.label = "diagnostics"
	list := slices.Clone(p.folder.snap.Diagnostics(p.place.uri))
	slices.SortStableFunc(list, func(x, y workspace.Diagnostic) int {
		return cmp.Compare(distance(x.Span.Start, p.place.at.Start), distance(y.Span.Start, p.place.at.Start))
	})
	left := p.window.budget / 16
	for _, d := range list {
		line := 1 + strings.Count(p.place.text[:min(max(d.Span.Start, 0), len(p.place.text))], "\n")
		message := strings.Join(strings.Fields(d.Message), " ")
		taken, ok := p.window.add(&p.window.diagnostics, Fragment{Path: p.place.name, StartLine: line, EndLine: line, Kind: FragmentDiagnostic,
			Reason: "reported by " + cmp.Or(d.Source, "the compiler"), Text: p.window.secrets.Redact(fmt.Sprintf("line %d: %s: %s\n", line, cmp.Or(d.Severity, "error"), message), p.folder.snap.SecretsNear(p.place.uri, clampSpan(d.Span, len(p.place.text)))...)}, left)
		if !ok {
			return
		}
		left -= taken
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// addRecentEdits adds what was typed lately, the newest surviving, at most a
// sixteenth of the budget. An edit whose result the region shows is left out,
// unless the request is about what should follow from that edit.
func (p *parts) addRecentEdits(list []workspace.RecentEdit, shown bool) {
	p.window.recent.label = "edited recently"
	left, here := p.window.budget/16, p.window.region.lines
	for _, e := range slices.Backward(list) {
		last := e.Line + countLines(e.New) - 1
		if !shown && e.Path == p.place.name && e.Line >= here.first && last <= here.last {
			continue
		}
		taken, ok := p.window.add(&p.window.recent, Fragment{Path: e.Path, StartLine: e.Line, EndLine: last, Kind: FragmentRecentEdit,
			Reason: "edited recently", Text: p.window.secrets.Redact(e.Hunk, e.Secrets...)}, left)
		if !ok {
			break
		}
		left -= taken
	}
	slices.Reverse(p.window.recent.fragments)
	slices.SortStableFunc(p.window.recent.fragments, func(x, y Fragment) int { return strings.Compare(x.Path, y.Path) })
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
func searchWait(p purpose) time.Duration {
	if p.typing {
		return 20 * time.Millisecond
	}
	return 150 * time.Millisecond
}

// searchedNames is how many names are searched.
const searchedNames = 8

// addSearch adds what a search server knows of names that the workspace does
// not define, at most a tenth of the budget.
func (p *parts) addSearch(ctx context.Context, search Search, wait time.Duration, words string) {
	if search == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	left := p.window.budget / 10
	for _, hit := range search.Hits(ctx, p.unknownNames(words)) {
		if !p.folder.snap.AllowsHit(hit.Path) {
			continue
		}
		taken, _ := p.window.chooseText(hit.Path, hit.Line, hit.Text, FragmentSearch, "search hit for "+hit.Name, left)
		left -= taken
	}
}

// unknownNames are the names in the user's question and in the lines near the
// place that the workspace does not define.
func (p *parts) unknownNames(words string) []string {
	said := strings.FieldsFunc(words, func(r rune) bool { return !wordRune(r) })
	var out []string
	for _, name := range slices.Concat(said, p.place.names()) {
		if len(name) < 4 || len(out) == searchedNames || slices.Contains(out, name) || !distinctive(name) || len(p.folder.ix.LookupIDs(name)) > 0 {
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
