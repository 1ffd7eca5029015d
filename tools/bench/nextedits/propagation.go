package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/model/local"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// maxReferences excludes what has more users than a person would visit.
const maxReferences = 300

// callerKinds are the changes whose places are compared with a language server's references.
var callerKinds = []string{"rename", "removed parameter", "added parameter"}

// A callerTally counts places: those that the language server has, those that are offered
// or counted as left, and those that are both.
// Places are not judged where the language server does not know what the name is.
type callerTally struct{ changes, want, got, both, unjudged int }

func (t *callerTally) add(o callerTally) {
	t.changes, t.want, t.got, t.both, t.unjudged = t.changes+o.changes, t.want+o.want, t.got+o.got, t.both+o.both, t.unjudged+o.unjudged
}

func (t callerTally) recall() float64    { return percent(t.both, t.want) }
func (t callerTally) precision() float64 { return percent(t.both, t.got) }

// propagated changes sampled functions and methods, n of each in every language with each
// seed, and compares the places of one accept with the references that the language's own
// server has.
func propagated(roots []string, tools compilers, n int, seeds []int64, verbose bool) ([]row, error) {
	var rows []row
	methodRecall := map[string]float64{"go": 95, "typescript": 85, "python": 70}
	functions := callerTally{}
	for _, lang := range slices.Sorted(maps.Keys(tools)) {
		trees, err := treesOf(roots, lang)
		if err != nil {
			return nil, err
		}
		if len(trees) == 0 {
			return nil, fmt.Errorf("none of the repositories has code in %s", lang)
		}
		var own, methods callerTally
		for i, root := range trees {
			share := (n*(i+1))/len(trees) - (n*i)/len(trees)
			f, m, err := propagatedIn(root, lang, tools[lang], share, seeds, verbose)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", filepath.Base(root), lang, err)
			}
			own.add(f)
			methods.add(m)
		}
		functions.add(own)
		note := func(t callerTally) string {
			return fmt.Sprintf("%d changes, %d places by the language server, %d offered, %d more that it knows nothing about", t.changes, t.want, t.got, t.unjudged)
		}
		rows = append(rows,
			row{what: lang + ", functions: recall", value: own.recall(), bar: 98, note: note(own)},
			row{what: lang + ", functions: precision", value: own.precision(), bar: 98},
			row{what: lang + ", methods: recall", value: methods.recall(), bar: methodRecall[lang], note: note(methods)},
			row{what: lang + ", methods: precision", value: methods.precision(), bar: 98})
	}
	return rows, nil
}

// propagatedIn samples one tree.
func propagatedIn(root, lang string, argv []string, n int, seeds []int64, verbose bool) (functions, methods callerTally, err error) {
	tree, err := treeAt(root, "HEAD")
	if err != nil {
		return functions, methods, err
	}
	dir, err := os.MkdirTemp("", "propagation")
	if err != nil {
		return functions, methods, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := checkOutFor(lang, root, dir); err != nil {
		return functions, methods, err
	}
	server, err := startCompiler(argv, dir, lang)
	if err != nil {
		return functions, methods, err
	}
	defer server.Kill()
	for _, seed := range seeds {
		p := newPlanter(lang, tree, rand.New(rand.NewSource(seed)))
		p.rng.Shuffle(len(p.defs), func(i, j int) { p.defs[i], p.defs[j] = p.defs[j], p.defs[i] })
		made := map[language.Kind]int{}
		for _, d := range p.defs {
			if d.Kind != language.KindFunc && d.Kind != language.KindMethod || made[d.Kind] >= n || d.Name == "main" || d.Name == "init" || strings.Contains(tree.ix.Path(d.File), "testdata/") {
				continue
			}
			t, err := propagatedFrom(p, server, d, verbose)
			if err := errors.Join(err, server.restore(tree)); err != nil {
				return functions, methods, err
			}
			if t.changes == 0 {
				continue
			}
			made[d.Kind]++
			if d.Kind == language.KindFunc {
				functions.add(t)
			} else {
				methods.add(t)
			}
		}
	}
	return functions, methods, nil
}

// propagatedFrom makes each kind of change to a definition that has references.
func propagatedFrom(p *planter, server *compiler, d index.Def, verbose bool) (t callerTally, err error) {
	file, text, at, ok := p.nameAt(d)
	if !ok {
		return t, nil
	}
	refs, err := references(server, p.tree, file, text, at.Start, at.Len())
	if err != nil || len(refs) == 0 || len(refs) > maxReferences {
		return t, err
	}
	for _, kind := range callerKinds {
		e, ok := p.changeOf(kind, d, text, at)
		if !ok {
			continue
		}
		one, err := p.follows(server, kind, file, e, d, at, refs, verbose)
		if err != nil {
			return t, err
		}
		t.add(one)
	}
	return t, nil
}

// A reference is a place of a name in a file.
type reference struct {
	path  string
	start int
}

// references are what the language server lists for a definition, without itself, in files
// of the tree.
func references(server *compiler, tree *memory, file, text string, at, length int) (map[reference]bool, error) {
	if err := server.set(file, text); err != nil {
		return nil, err
	}
	line := strings.Count(text[:at], "\n")
	column := len(utf16Of(text[strings.LastIndexByte(text[:at], '\n')+1 : at]))
	reply, err := server.Call("textDocument/references", map[string]any{"textDocument": map[string]any{"uri": server.uri(file)},
		"position": point{line, column}, "context": map[string]any{"includeDeclaration": server.language != "go"}}) // others call an import a declaration
	if err != nil {
		return nil, fmt.Errorf("the references of %s:%d: %w", file, line+1, err)
	}
	var list []struct {
		URI   string
		Range span
	}
	if err := json.Unmarshal(reply, &list); err != nil {
		return nil, err
	}
	out := map[reference]bool{}
	for _, l := range list {
		path := relative(server.root, l.URI)
		if strings.Contains(path, "node_modules/") || strings.HasPrefix(path, "/") || strings.Contains(path, ":") {
			return nil, nil // a library declares it too, so that it cannot be changed
		}
		if other, ok := tree.texts[path]; ok {
			start := offsetOf(other, l.Range.Start)
			name := text[at : at+length]
			if (path != file || start != at) && strings.HasPrefix(other[start:], name) { // others are aliases, which stay
				out[reference{path, start}] = true
			}
		}
	}
	return out, nil
}

func utf16Of(s string) []uint16 {
	var out []uint16
	for _, r := range s {
		if r > 0xffff {
			out = append(out, 0)
		}
		out = append(out, 0)
	}
	return out
}

// offsetOf is the offset of a place in a text.
func offsetOf(text string, p point) int {
	at := 0
	for range p.Line {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	for i, r := range text[at:] {
		if p.Character <= 0 {
			return at + i
		}
		p.Character -= 1 + (len(utf16Of(string(r))) - 1)
	}
	return len(text)
}

// changeOf is the user's edit of a definition; one of the name keeps its length, so that
// all places stay where they are.
func (p *planter) changeOf(kind string, d index.Def, text string, at edits.Span) (edits.Edit, bool) {
	if kind == "rename" {
		last := "q"
		if strings.HasSuffix(d.Name, last) {
			last = "x"
		}
		now := d.Name[:len(d.Name)-1] + last
		return edits.Edit{Span: at, New: now}, len(p.tree.ix.Lookup(now)) == 0 && len(p.tree.ix.Users(now)) == 0
	}
	if at.End >= len(text) || text[at.End] != '(' {
		return edits.Edit{}, false
	}
	params, end, ok := listAt(text, at.End)
	if !ok || strings.ContainsAny(text[at.End:end], "*=?\n{") || strings.Contains(text[at.End:end], "...") {
		return edits.Edit{}, false
	}
	var names []string
	for _, s := range params {
		part := strings.TrimSpace(text[s.Start:s.End])
		if p.lang == "go" && !strings.Contains(part, " ") {
			return edits.Edit{}, false // it shares a type with the next, or has no name
		}
		names = append(names, part[:strings.IndexFunc(part+" ", func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })])
	}
	if kind == "added parameter" {
		added := map[string]string{"go": "live bool", "typescript": "live: boolean", "python": "live"}[p.lang]
		if len(params) > 0 {
			added = ", " + added
		}
		return edits.Edit{Span: edits.Span{Start: end - 1, End: end - 1}, New: added}, true
	}
	i := len(params) - 1
	if i < 0 || names[i] == "self" || names[i] == "cls" || names[i] == "this" || names[i] == "" {
		return edits.Edit{}, false
	}
	cut := params[i]
	if i > 0 {
		cut.Start = params[i-1].End
	}
	return edits.Edit{Span: cut}, true
}

// follows makes the user's edit and compares what one accept changes, or counts as left,
// with the references.
func (p *planter) follows(server *compiler, kind, file string, e edits.Edit, d index.Def, at edits.Span, refs map[reference]bool, verbose bool) (t callerTally, err error) {
	m := &memory{root: p.tree.root, ix: p.tree.ix, texts: maps.Clone(p.tree.texts)}
	m.edit(file, e)
	all, _ := local.New(nil).AllNextEdits(context.Background(), m, m.recent, file, e.Start)
	shift := len(e.New) - e.Len()
	calls := map[reference]int{} // where their argument lists end, in the tree
	for r := range refs {
		text := p.tree.texts[r.path]
		if end := r.start + len(d.Name); kind == "rename" {
			calls[r] = end
		} else if end < len(text) && text[end] == '(' && !strings.HasPrefix(strings.TrimSpace(text[strings.LastIndexByte(text[:r.start], '\n')+1:]), "import ") {
			calls[r] = closes(text, end)
		}
	}
	if len(calls) == 0 {
		return t, nil
	}
	t.changes, t.want = 1, len(calls)
	found := map[reference]bool{}
	for _, next := range all.Edits {
		if kind != "rename" && strings.HasSuffix(next.Title, "used as a value") {
			continue
		}
		t.got++
		start := next.Edit.Start
		if next.Path == file && start > e.Start {
			start -= shift
		}
		best, hit := reference{}, false
		for r, end := range calls {
			if r.path == next.Path && !found[r] && r.start <= start && start <= end && (kind != "rename" || r.start == start) && (!hit || r.start > best.start) {
				best, hit = r, true
			}
		}
		if hit {
			found[best] = true
			t.both++
			continue
		}
		known, err := server.knows(p.tree, next.Path, start, d.Name)
		if err != nil {
			return t, err
		}
		known = known && !p.elsewhere(d, next.Path, 1+strings.Count(m.texts[next.Path][:next.Edit.Start], "\n"))
		if !known {
			t.got, t.unjudged = t.got-1, t.unjudged+1
		} else if verbose {
			text := m.texts[next.Path]
			fmt.Printf("  extra: %s of %s in %s: %s:%d: %s\n", kind, d.Name, file, next.Path, 1+strings.Count(text[:next.Edit.Start], "\n"), lineAt(text, next.Edit.Start))
		}
	}
	left := 0
	if kind != "rename" {
		left = min(all.Left, t.want-t.both)
	}
	t.got, t.both = t.got+left, t.both+left
	if verbose && left > 0 {
		fmt.Printf("  %d of %d left: %s of %s in %s\n", left, t.want, kind, d.Name, file)
	}
	if verbose && t.both < t.want {
		for r := range calls {
			if !found[r] {
				text := p.tree.texts[r.path]
				fmt.Printf("  missed: %s of %s in %s: %s:%d: %s\n", kind, d.Name, file, r.path, 1+strings.Count(text[:r.start], "\n"), lineAt(text, r.start))
			}
		}
	}
	return t, nil
}

// knows reports whether a language server has a definition for the last name at an offset, or
// before it.
func (c *compiler) knows(tree *memory, path string, offset int, name string) (bool, error) {
	text := tree.texts[path]
	at := strings.LastIndex(text[:min(len(text), offset+len(name))], name)
	if at < 0 {
		return true, nil
	}
	if err := c.set(path, text); err != nil {
		return false, err
	}
	line := strings.Count(text[:at], "\n")
	column := len(utf16Of(text[strings.LastIndexByte(text[:at], '\n')+1 : at]))
	reply, err := c.Call("textDocument/definition", map[string]any{"textDocument": map[string]any{"uri": c.uri(path)}, "position": point{line, column}})
	if err != nil {
		return false, fmt.Errorf("the definition of %s:%d: %w", path, line+1, err)
	}
	return len(reply) > 0 && string(reply) != "null" && string(reply) != "[]", nil
}

// elsewhere reports whether a place is beyond what gopls has in one view: of another module
// of the tree, or the declaration of the same Go function for another platform.
func (p *planter) elsewhere(d index.Def, path string, line int) bool {
	own := p.tree.ix.Path(d.File)
	if p.lang != "go" {
		return false
	}
	if p.module(path) != p.module(own) {
		return true
	}
	id, _ := p.tree.ix.FileID(path)
	return slices.ContainsFunc(p.tree.ix.Defs(id), func(o index.Def) bool {
		return o.Name == d.Name && o.Container == d.Container && o.StartLine == line && filepath.Dir(path) == filepath.Dir(own)
	})
}

// module is the folder of the Go module that a file belongs to.
func (p *planter) module(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, ok := p.tree.ix.FileID(filepath.Join(dir, "go.mod")); ok || dir == "." {
			return dir
		}
	}
}

// closes is where the bracket that opens at an offset closes; strings are not read.
func closes(text string, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// lineAt is the line of an offset, without its indentation.
func lineAt(text string, at int) string {
	line, _, _ := strings.Cut(text[strings.LastIndexByte(text[:at], '\n')+1:], "\n")
	return strings.TrimSpace(line)
}
