package obvious

import (
	"strings"

	"tandem/model"
	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A layout is a line of a document that is read by its lines and their indentation: of a
// script, of Python, or of Go between declarations.
type layout struct {
	corpus    source.Corpus
	path      string
	family    string   // go, python or script
	above     []string // lines, the last is directly above the cursor's
	below     []string
	indent    string // of the cursor's line
	typed     string
	scanned   *language.FileScan // of the document without the cursor's line; see scan
	installed Installed
}

// newLayout reads the lines around the cursor; ok is false if something follows on its line.
func newLayout(c source.Corpus, installed Installed, f *model.Fill) (*layout, bool) {
	at := strings.LastIndexByte(f.Prefix, '\n') + 1
	tail, after, _ := strings.Cut(f.Suffix, "\n")
	line := f.Prefix[at:]
	typed := strings.TrimLeft(line, " \t")
	if strings.TrimSpace(tail) != "" {
		return nil, false
	}
	l := &layout{corpus: c, installed: installed, path: f.Path, family: language.Family(language.OfFile(f.Path)), below: strings.Split(after, "\n"), indent: line[:len(line)-len(typed)], typed: typed}
	if at > 0 {
		l.above = strings.Split(strings.TrimSuffix(f.Prefix[:at], "\n"), "\n")
	}
	return l, true
}

// opener is the place of the nearest line above that is indented less than the cursor's,
// -1 if there is none.
func (l *layout) opener() int {
	for i := len(l.above) - 1; i >= 0; i-- {
		line := l.above[i]
		if rest := strings.TrimLeft(line, " \t"); rest != "" && len(line)-len(rest) < len(l.indent) {
			return i
		}
	}
	return -1
}

// body are the lines around the cursor that are indented as its line, above it from a place
// on and below it to the end of the block.
func (l *layout) body(from int) (above, below []string) {
	own := func(line string) (string, bool) {
		rest, ok := strings.CutPrefix(line, l.indent)
		return rest, ok && rest != "" && rest[0] != ' ' && rest[0] != '\t'
	}
	for _, line := range l.above[from+1:] {
		if rest, ok := own(line); ok {
			above = append(above, rest)
		}
	}
	for _, line := range l.below {
		if rest := strings.TrimLeft(line, " \t"); rest != "" && len(line)-len(rest) < len(l.indent) {
			break
		}
		if rest, ok := own(line); ok {
			below = append(below, rest)
		}
	}
	return above, below
}

// scan is what the document defines without the cursor's line, which is empty there.
func (l *layout) scan() *language.FileScan {
	if l.scanned == nil {
		text := strings.Join(l.above, "\n") + "\n\n" + strings.Join(l.below, "\n")
		l.scanned = language.Scan(language.OfFile(l.path), l.path, text)
	}
	return l.scanned
}

// within is the innermost definition of some kind around the cursor.
func (l *layout) within(is func(language.Kind) bool) (language.Def, bool) {
	var found language.Def
	ok := false
	line := len(l.above) + 1
	for _, d := range l.scan().Defs {
		if is(d.Kind) && d.StartLine < line && line <= d.EndLine && (!ok || d.StartLine >= found.StartLine) {
			found, ok = d, true
		}
	}
	return found, ok
}

// maxDefinitions bounds the definitions of one name that are looked at.
const maxDefinitions = 40

// defined finds the definitions of a name at the top of a file that the document can see:
// of itself, of its folder, and of files that it imports; any other if there is but one.
func (l *layout) defined(name string) (index.Def, bool) {
	ix := l.corpus.Index()
	var best index.Def
	near, all := 0, 0
	for i, id := range ix.LookupIDs(name, nil) {
		d := ix.Brief(id)
		if i == maxDefinitions {
			break
		}
		path := ix.Path(id.File())
		if d.Local || d.Container != "" || language.Family(ix.Language(id.File())) != l.family {
			continue
		}
		all++
		score := 1
		switch {
		case path == l.path:
			score = 4
		case l.importsFrom(id.File()):
			score = 3
		case source.Folder(path) == source.Folder(l.path):
			score = 2
		}
		if score > near {
			near, best = score, ix.Def(id)
		}
	}
	return best, near > 1 || near == 1 && all == 1
}

// importsFrom reports whether the document imports something of a file.
func (l *layout) importsFrom(file index.FileID) bool {
	ix := l.corpus.Index()
	from, ok := ix.FileID(l.path)
	if !ok {
		return false
	}
	for _, im := range ix.Imports(from) {
		for _, id := range index.Resolve(ix, from, im) {
			if id == file {
				return true
			}
		}
	}
	return false
}

// membersOf are the members of a definition, in order.
func (l *layout) membersOf(d index.Def) []index.Def {
	var out []index.Def
	for _, m := range l.corpus.Index().Defs(d.File) {
		if m.Container == d.Name && !m.Local && m.StartLine >= d.StartLine && m.EndLine <= d.EndLine {
			out = append(out, m)
		}
	}
	return out
}

// inScope are the names that the function around the cursor declares before it, and that
// the top of the document does.
func (l *layout) inScope() map[string]bool {
	out := map[string]bool{}
	fn, in := l.within(language.Kind.IsFunc)
	line := len(l.above) + 1
	for _, d := range l.scan().Defs {
		if !d.Local && d.Container == "" || in && d.Local && d.StartLine > fn.StartLine && d.EndLine < line {
			out[d.Name] = true
		}
	}
	for _, p := range fn.Params {
		out[strings.TrimLeft(p, "*")] = true
	}
	if in { // what patterns and loops bind is no definition
		for _, text := range l.above[fn.StartLine-1:] {
			bound(text, out)
		}
	}
	return out
}

// bound adds the names that a line binds: those before a single equals sign, in a
// destructuring, of a loop or of an import.
func bound(line string, out map[string]bool) {
	line = strings.TrimSpace(line)
	for _, lead := range []string{"const ", "let ", "var ", "for (const ", "for ", "with ", "async with "} {
		line = strings.TrimPrefix(line, lead)
	}
	head := line
	if i := strings.Index(line, " = "); i >= 0 {
		head = line[:i]
	} else if i := strings.Index(line, " in "); i >= 0 {
		head = line[:i]
	} else if i := strings.LastIndex(line, " as "); i >= 0 {
		head = line[i+4:]
	} else if !strings.Contains(line, "{") && !strings.HasSuffix(line, ",") {
		return
	}
	for i := 0; i < len(head); {
		if !source.IsWordByte(head[i]) {
			i++
			continue
		}
		n := source.WordEnd(head[i:])
		if i == 0 || head[i-1] != '.' {
			out[head[i:i+n]] = true
		}
		i += n
	}
}
