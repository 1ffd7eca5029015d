package questions

import (
	"fmt"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// How much an answer lists.
const (
	maxDefinitions = 6
	maxSites       = 12
	maxNames       = 30
)

// defined answers where the subject is defined.
func (q *inquiry) defined() (string, bool) {
	if len(q.defs) == 0 {
		return q.located()
	}
	var b strings.Builder
	d := q.defs[0]
	fmt.Fprintf(&b, "`%s` is a %s defined at %s.\n", full(d), d.Kind, q.at(d.File, d.StartLine))
	if sig := q.signature(d); sig != "" {
		fmt.Fprintf(&b, "\n```%s\n%s\n```\n", q.ix.Language(d.File), sig)
	}
	if len(q.defs) > 1 {
		b.WriteString("\nThe name is also defined at:\n\n")
	}
	bullets(&b, q.defs[1:], maxDefinitions, func(d index.Def) string {
		return fmt.Sprintf("%s (%s `%s`)", q.at(d.File, d.StartLine), d.Kind, full(d))
	})
	return b.String(), true
}

// bullets lists at most n items and adds how many more there are.
func bullets[T any](b *strings.Builder, items []T, n int, format func(T) string) {
	for _, item := range items[:min(len(items), n)] {
		fmt.Fprintf(b, "- %s\n", format(item))
	}
	if more := len(items) - n; more > 0 {
		fmt.Fprintf(b, "- and %d more\n", more)
	}
}

func full(d index.Def) string {
	if d.Container != "" {
		return d.Container + "." + d.Name
	}
	return d.Name
}

// signature returns the first lines of a definition.
func (q *inquiry) signature(d index.Def) string {
	lines := strings.Split(strings.TrimRight(q.ix.SigText(d.ID), "\n"), "\n")
	return strings.Join(lines[:min(len(lines), 8)], "\n")
}

// located lists the files that the subject names.
func (q *inquiry) located() (string, bool) {
	if len(q.files) == 0 {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` is here:\n\n", q.subject)
	bullets(&b, q.files, maxSites, func(id index.FileID) string {
		f, _ := q.ix.File(id)
		return fmt.Sprintf("%s (%s)", q.at(id, 1), terms.Counted(f.Lines, "line"))
	})
	return b.String(), true
}

// used answers where the subject is used.
func (q *inquiry) used() (string, bool) {
	if len(q.files) > 0 {
		return q.importers()
	}
	return q.list("used", anyFile, nil)
}

// called answers which code calls the subject.
func (q *inquiry) called() (string, bool) {
	return q.list("called", anyFile, func(s site) bool { return !s.call })
}

// tested answers which tests use the subject.
func (q *inquiry) tested() (string, bool) { return q.list("used by tests", language.IsTest, nil) }

// configured answers which configuration files contain the subject.
func (q *inquiry) configured() (string, bool) {
	return q.list("named in configuration", isConfiguration, nil)
}

// name returns the subject's own name if the workspace has it, else "".
func (q *inquiry) name() string {
	if len(q.defs) > 0 {
		return q.defs[0].Name
	}
	if len(q.ix.Users(q.subject)) > 0 {
		return q.subject
	}
	return ""
}

// list answers where the subject is named, outside tests first, with the
// definition that encloses each place.
func (q *inquiry) list(verb string, keep func(path string) bool, drop func(site) bool) (string, bool) {
	name := q.name()
	if name == "" {
		return "", false
	}
	sites := q.sites(name, keep)
	if drop != nil {
		sites = slices.DeleteFunc(sites, drop)
	}
	if len(sites) == 0 {
		return fmt.Sprintf("`%s`%s is not %s anywhere in this workspace.", name, q.whereDefined(), verb), true
	}
	slices.SortStableFunc(sites, func(a, b site) int { return rankSite(q.ix.Path(a.file)) - rankSite(q.ix.Path(b.file)) })
	var b strings.Builder
	fmt.Fprintf(&b, "`%s`%s is %s at %s in %s", name, q.whereDefined(), verb, terms.Counted(len(sites), "place"), terms.Counted(countFiles(sites), "file"))
	if n := len(q.ix.Lookup(name)); n > 1 {
		fmt.Fprintf(&b, " (%d definitions share the name, and the index tells their uses apart by name alone)", n)
	}
	b.WriteString(":\n\n")
	bullets(&b, sites, maxSites, q.site)
	return b.String(), true
}

// site describes one place in a sentence.
func (q *inquiry) site(s site) string {
	in := ""
	if around := q.ix.Enclosing(s.file, s.line); len(around) > 0 {
		in = " in `" + full(around[len(around)-1]) + "`"
	}
	return fmt.Sprintf("%s%s: `%s`", q.at(s.file, s.line), in, strings.ReplaceAll(source.Clip(s.text, 100), "`", "'"))
}

func rankSite(path string) int {
	switch {
	case source.IsGenerated(path):
		return 2
	case language.IsTest(path):
		return 1
	}
	return 0
}

// whereDefined returns " (defined at …)" if the subject is defined in this workspace.
func (q *inquiry) whereDefined() string {
	if len(q.defs) == 0 {
		return ""
	}
	return " (defined at " + q.at(q.defs[0].File, q.defs[0].StartLine) + ")"
}

// importers answers which files import the files of the subject.
func (q *inquiry) importers() (string, bool) {
	wanted := map[index.FileID]bool{}
	for _, id := range q.files {
		wanted[id] = true
	}
	var found []site
	for _, id := range q.ix.Files() {
		for _, im := range q.ix.Imports(id) {
			if slices.ContainsFunc(index.Resolve(q.ix, id, im), func(to index.FileID) bool { return wanted[to] }) {
				found = append(found, site{file: id, line: im.Line, text: im.Path})
				break
			}
		}
		if q.ctx.Err() != nil {
			break
		}
	}
	if len(found) == 0 {
		return fmt.Sprintf("No file of this workspace imports `%s` (%s).", q.subject, q.at(q.files[0], 1)), true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` is imported by %s:\n\n", q.subject, terms.Counted(len(found), "file"))
	bullets(&b, found, maxSites, func(s site) string { return fmt.Sprintf("%s: `%s`", q.at(s.file, s.line), s.text) })
	return b.String(), true
}

// depends answers what the subject's files import and, for a definition, which
// of the workspace's names it uses.
func (q *inquiry) depends() (string, bool) {
	var b strings.Builder
	files := q.files
	if len(q.defs) > 0 {
		files = []index.FileID{q.defs[0].File}
		q.namesUsed(&b, q.defs[0])
	}
	if len(files) == 0 {
		return "", false
	}
	q.imports(&b, files)
	return b.String(), true
}

// namesUsed lists the workspace's definitions that a definition's body names.
func (q *inquiry) namesUsed(b *strings.Builder, d index.Def) {
	text, ok := q.corpus.Text(q.ix.Path(d.File))
	if !ok {
		return
	}
	lines := strings.Split(text, "\n")
	seen := map[string]bool{d.Name: true}
	var used []index.Def
	for _, line := range lines[min(d.StartLine-1, len(lines)):min(d.EndLine, len(lines))] {
		body := strings.TrimSpace(line)
		if body == "" || source.IsComment(body) {
			continue
		}
		for _, t := range source.Lex(body, nil) {
			if t.Class == source.Word && !seen[t.Text] {
				seen[t.Text] = true
				used = append(used, q.usable(d, t.Text)...)
			}
		}
	}
	fmt.Fprintf(b, "`%s` (%s) uses:\n\n", full(d), q.at(d.File, d.StartLine))
	if len(used) == 0 {
		b.WriteString("- nothing else that this workspace defines\n")
	}
	bullets(b, used, maxNames, func(d index.Def) string {
		return fmt.Sprintf("`%s`, %s at %s", full(d), d.Kind, q.at(d.File, d.StartLine))
	})
}

// usable returns the definition that a name in a definition's body most likely
// means. It excludes the body's own locals, and names with too many definitions.
func (q *inquiry) usable(d index.Def, name string) []index.Def {
	all := q.ix.Lookup(name)
	if len(all) > 20 {
		return nil
	}
	for _, x := range q.ranked(all) {
		inside := x.File == d.File && x.StartLine >= d.StartLine && x.EndLine <= d.EndLine
		if !inside && !x.Local && q.ix.Language(x.File) == q.ix.Language(d.File) {
			return []index.Def{x}
		}
	}
	return nil
}

// imports lists what files import, and the file in the workspace if there is one.
func (q *inquiry) imports(b *strings.Builder, files []index.FileID) {
	seen := map[string]bool{}
	var rows []string
	for _, id := range files {
		for _, im := range q.ix.Imports(id) {
			if seen[im.Path] {
				continue
			}
			seen[im.Path] = true
			row := fmt.Sprintf("`%s` (%s)", im.Path, q.at(id, im.Line))
			if to := index.Resolve(q.ix, id, im); len(to) > 0 {
				row += ", here: " + q.at(to[0], 1)
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		fmt.Fprintf(b, "\n%s imports nothing.\n", q.at(files[0], 1))
		return
	}
	fmt.Fprintf(b, "\nImports of %s:\n\n", terms.Counted(len(files), "file"))
	bullets(b, rows, maxNames, func(row string) string { return row })
}

// changed answers what the user changed recently.
func (q *inquiry) changed() (string, bool) {
	h, ok := q.corpus.(Historian)
	if !ok {
		return "", false
	}
	recent := h.RecentEdits()
	if len(recent) == 0 {
		return "Nothing was edited in this session yet.", true
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The last %s, the newest first:\n", terms.Counted(len(recent), "edit"))
	for _, e := range slices.Backward(recent) {
		fmt.Fprintf(&b, "\n%s:%d\n\n```diff\n%s\n```\n", e.Path, max(e.Line, 1), strings.TrimRight(e.Hunk, "\n"))
	}
	return b.String(), true
}
