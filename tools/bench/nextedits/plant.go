package main

import (
	"math/rand"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tandem/edits"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A plant is an edit of the user's that breaks code: what is open, as it is then, and what
// is typed.
type plant struct {
	kind     string
	path     string            // of the document that is edited
	original map[string]string // the open documents without any break
	opened   map[string]string // as they are opened
	typed    edits.Edit        // of opened[path]
	call     string            // the function whose first broken call the user then corrects; "" none
	value    string            // the argument that the user adds there
}

// breakKinds are the ways in which code is broken.
var breakKinds = []string{"missing import", "argument count", "renamed member"}

// maxBreakBytes bounds the documents that are broken, and maxOpen how many are open.
const (
	maxBreakBytes = 100 << 10
	maxOpen       = 4
)

// A planter breaks the files of one language of a tree.
type planter struct {
	lang  string // go, typescript, python
	tree  *memory
	files []string
	defs  []index.Def
	rng   *rand.Rand
}

func newPlanter(lang string, tree *memory, rng *rand.Rand) *planter {
	p := &planter{lang: lang, tree: tree, rng: rng}
	for _, id := range tree.ix.Files() {
		at := tree.ix.Path(id)
		if tree.ix.Language(id) != lang || len(tree.texts[at]) > maxBreakBytes || strings.HasSuffix(at, ".d.ts") || strings.Contains(at, "docs/") {
			continue
		}
		p.files = append(p.files, at)
		for _, d := range tree.ix.Defs(id) {
			if !d.Local && len(d.Name) > 3 && !strings.HasPrefix(d.Name, "__") && len(tree.ix.Users(d.Name)) > 0 {
				p.defs = append(p.defs, d)
			}
		}
	}
	return p
}

// plant makes one break of a kind; it is false where the drawn file has no place for it.
func (p *planter) plant(kind string) (plant, bool) {
	if len(p.files) == 0 || len(p.defs) == 0 {
		return plant{}, false
	}
	switch kind {
	case "missing import":
		return p.missingImport(p.files[p.rng.Intn(len(p.files))])
	case "argument count":
		return p.argumentCount(p.defs[p.rng.Intn(len(p.defs))])
	}
	return p.renamedMember(p.defs[p.rng.Intn(len(p.defs))])
}

var importLines = map[string]*regexp.Regexp{
	"go":         regexp.MustCompile(`(?m)^\t"([\w./-]+)"\n`),
	"typescript": regexp.MustCompile(`(?m)^import (?:type )?\{ ([^}\n]*) \} from ['"][^'"\n]+['"];?\n`),
	"python":     regexp.MustCompile(`(?m)^(?:from [\w.]+ )?import (\w+(?:, \w+)*)\n`),
}

// missingImport opens a file without the import and without the one line that needs it;
// the user types that line.
func (p *planter) missingImport(file string) (plant, bool) {
	text := p.tree.texts[file]
	found := importLines[p.lang].FindAllStringSubmatchIndex(text, -1)
	if len(found) == 0 {
		return plant{}, false
	}
	m := found[p.rng.Intn(len(found))]
	names := strings.Split(text[m[2]:m[3]], ", ")
	i := p.rng.Intn(len(names))
	name := names[i]
	without := text[:m[0]] + text[m[1]:]
	if len(names) > 1 {
		without = text[:m[2]] + strings.Join(slices.Delete(slices.Clone(names), i, i+1), ", ") + text[m[3]:]
	}
	use := `\b` + regexp.QuoteMeta(name) + `\b`
	if p.lang == "go" {
		name = path.Base(name)
		use = `\b` + regexp.QuoteMeta(name) + `\.\w`
	}
	uses := regexp.MustCompile(use).FindAllStringIndex(without, -1)
	if strings.ContainsAny(name, " .-") || len(uses) == 0 || len(uses) > 3 {
		return plant{}, false
	}
	from := strings.LastIndexByte(without[:uses[0][0]], '\n') + 1
	to := from + strings.IndexByte(without[from:]+"\n", '\n')
	if uses[len(uses)-1][1] > to || strings.ContainsAny(without[from:uses[0][0]], "#\"'`*/") {
		return plant{}, false // on several lines, or in a comment or string
	}
	return plant{kind: breakKinds[0], path: file, original: map[string]string{file: text}, opened: map[string]string{file: without[:from] + without[to:]},
		typed: edits.Edit{Span: edits.Span{Start: from, End: from}, New: without[from:to]}}, true
}

// nameAt is the place of a definition's name on its line.
func (p *planter) nameAt(d index.Def) (file, text string, at edits.Span, ok bool) {
	file = p.tree.ix.Path(d.File)
	text = p.tree.texts[file]
	if len(text) > maxBreakBytes || p.tree.ix.Language(d.File) != p.lang {
		return "", "", at, false
	}
	lines := strings.SplitAfter(text, "\n")
	if d.StartLine > len(lines) {
		return "", "", at, false
	}
	start := len(strings.Join(lines[:d.StartLine-1], ""))
	m := regexp.MustCompile(`\b` + regexp.QuoteMeta(d.Name) + `\b`).FindStringIndex(lines[d.StartLine-1])
	if m == nil {
		return "", "", at, false
	}
	return file, text, edits.Span{Start: start + m[0], End: start + m[1]}, true
}

// open are the documents that a change of a definition concerns, as they are.
func (p *planter) open(file string, d index.Def) map[string]string {
	out := map[string]string{file: p.tree.texts[file]}
	for _, id := range p.tree.ix.Users(d.Name) {
		at := p.tree.ix.Path(id)
		if len(out) < maxOpen && p.tree.ix.Language(id) == p.lang && len(p.tree.texts[at]) <= maxBreakBytes {
			out[at] = p.tree.texts[at]
		}
	}
	return out
}

// uses is how often documents hold a text.
func uses(texts map[string]string, part string) (n int) {
	for _, text := range texts {
		n += strings.Count(text, part)
	}
	return n
}

// renamedMember renames a function, method or field where it is defined.
func (p *planter) renamedMember(d index.Def) (plant, bool) {
	file, _, at, ok := p.nameAt(d)
	if !ok || !d.Kind.IsFunc() && d.Kind != language.KindField {
		return plant{}, false
	}
	now := d.Name + "Next"
	if strings.Contains(d.Name, "_") || p.lang == "python" {
		now = d.Name + "_next"
	}
	if len(p.tree.ix.Lookup(now)) > 0 {
		return plant{}, false
	}
	open := p.open(file, d)
	if uses(open, d.Name) < 2 {
		return plant{}, false
	}
	return plant{kind: breakKinds[2], path: file, original: open, opened: open, typed: edits.Edit{Span: at, New: now}}, true
}

// argumentCount removes a parameter that the body does not use, or adds one behind the
// others; the user then writes its value into the first call.
func (p *planter) argumentCount(d index.Def) (plant, bool) {
	file, text, at, ok := p.nameAt(d)
	if !ok || !d.Kind.IsFunc() || at.End >= len(text) || text[at.End] != '(' {
		return plant{}, false
	}
	params, end, ok := listAt(text, at.End)
	if !ok || strings.ContainsAny(text[at.End:end], "*=?\n{") || strings.Contains(text[at.End:end], "...") {
		return plant{}, false
	}
	open := p.open(file, d)
	if uses(open, d.Name+"(") < 2 {
		return plant{}, false
	}
	out := plant{kind: breakKinds[1], path: file, original: open, opened: open}
	body := linesBetween(text, d.SigEndLine+1, d.EndLine)
	for i, s := range params {
		name := strings.TrimFunc(text[s.Start:s.End], unicode.IsSpace)
		name = name[:strings.IndexFunc(name+" ", func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })]
		typed := p.lang != "go" || strings.Contains(text[s.Start:s.End], " ") && (i == 0 || strings.Contains(text[params[i-1].Start:params[i-1].End], " "))
		if name == "" || name == "self" || name == "cls" || name == "this" || !typed || regexp.MustCompile(`\b`+name+`\b`).MatchString(body) {
			continue
		}
		cut := s
		switch {
		case i+1 < len(params):
			cut.End = params[i+1].Start
		case i > 0:
			cut.Start = params[i-1].End
		}
		out.typed = edits.Edit{Span: cut}
		return out, true
	}
	if p.lang == "go" && len(params) > 0 && !strings.Contains(text[params[len(params)-1].Start:params[len(params)-1].End], " ") {
		return plant{}, false
	}
	added := map[string]string{"go": "live bool", "typescript": "live: boolean", "python": "live"}[p.lang]
	if len(params) > 0 {
		added = ", " + added
	}
	out.value = map[string]string{"python": "True"}[p.lang]
	if out.value == "" {
		out.value = "true"
	}
	out.call = d.Name
	out.typed = edits.Edit{Span: edits.Span{Start: end - 1, End: end - 1}, New: added}
	return out, true
}

// listAt reads the list in the brackets that open at a place: its parts, and where it ends.
func listAt(text string, at int) (parts []edits.Span, end int, ok bool) {
	depth, from := 0, at+1
	part := func(to int) {
		for from < to && unicode.IsSpace(rune(text[from])) {
			from++
		}
		if from < to {
			parts = append(parts, edits.Span{Start: from, End: to})
		}
	}
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`', '#':
			return nil, 0, false // what is in a string is not told from code here
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				part(i)
				return parts, i + 1, true
			}
		case ',':
			if depth == 1 {
				part(i)
				from = i + 1
			}
		}
	}
	return nil, 0, false
}

// linesBetween are lines of a text, counted from 1.
func linesBetween(text string, from, to int) string {
	lines := strings.SplitAfter(text, "\n")
	if from < 1 || from > to || from > len(lines) {
		return ""
	}
	return strings.Join(lines[from-1:min(to, len(lines))], "")
}
