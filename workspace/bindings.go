package workspace

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"tandem/workspace/index"
)

// bindings are the lines that give names a meaning without being definitions of
// the index: package clauses and modules, renamed imports, implementations for
// types defined elsewhere, and values declared inside functions. They are those
// of the base of an index, and never change.
type bindings struct {
	ix    *index.Index
	of    map[string][]binding
	often []string // the names of modules, those in the most files first
}

// A binding is one such line.
type binding struct {
	file          index.FileID
	line          int // from 1
	kind          bindingKind
	dir, language string // of the file
	text          string // the line; for a renamed import, its name and path
}

type bindingKind uint8

const (
	bindsModule bindingKind = iota // a package or module
	bindsImport                    // a renamed import
	bindsValue                     // a value inside a function, or an implementation
)

const (
	mostPackages = 12 // packages of one name that are kept
	mostBindings = 4  // other bindings of one name that are kept
	mostOften    = 2000
	longestBound = 200 // bytes of a line worth showing
	leastUsers   = 2   // files that must use a name for its values to be of interest
)

func newBindings(ix *index.Index) *bindings {
	b := &bindings{ix: ix.Base(), of: map[string][]binding{}}
	last := ""
	for _, f := range b.ix.Files() {
		info, _ := b.ix.File(f)
		switch dir := path.Dir(info.Path); info.Language {
		case "go":
			b.addAliases(info, dir)
			if home := dir + ":" + info.Package; home != last && !strings.HasSuffix(info.Path, "_test.go") {
				last = home
				b.addLines(info, dir, packageClause)
			}
		case "rust":
			b.addLines(info, dir, rustBinding)
		case "typescript", "typescriptreact", "javascript", "javascriptreact":
			b.addLines(info, dir, localValue)
		}
	}
	b.order()
	return b
}

// hasSpace reports whether one more binding of a name is worth keeping.
func (b *bindings) hasSpace(name string, kind bindingKind) bool {
	list := b.of[name]
	if kind == bindsModule {
		return len(list) < mostPackages
	}
	return len(list) < mostBindings && (kind == bindsImport || len(list) > 0 || b.ix.DocFreq(name) >= leastUsers)
}

// addAliases adds a Go file's renamed imports.
func (b *bindings) addAliases(f index.File, dir string) {
	for _, im := range b.ix.Imports(f.ID) {
		if im.Alias != "" && im.Alias != "_" && im.Alias != "." && b.hasSpace(im.Alias, bindsImport) {
			b.of[im.Alias] = append(b.of[im.Alias], binding{f.ID, im.Line, bindsImport, dir, f.Language, im.Alias + " " + strconv.Quote(im.Path) + "\n"})
		}
	}
}

// addLines adds what the lines of a file bind, as read returns it; a package
// clause is the last of them.
func (b *bindings) addLines(f index.File, dir string, read func(line string) (string, bindingKind)) {
	text, err := b.ix.Text(f.ID)
	if err != nil {
		return
	}
	at := 0
	for line := range strings.Lines(text) {
		at++
		name, kind := read(line)
		if len(name) < 2 || len(line) > longestBound || !b.hasSpace(name, kind) {
			continue
		}
		b.of[strings.Clone(name)] = append(b.of[name], binding{f.ID, at, kind, dir, f.Language, strings.Clone(line)})
		if f.Language == "go" {
			return
		}
	}
}

func packageClause(line string) (string, bindingKind) {
	rest, ok := strings.CutPrefix(line, "package ")
	if name := leadingWord(rest); ok && name != "main" {
		return name, bindsModule
	}
	return "", bindsModule
}

// rustBinding is the module that a line declares, or what it implements
// something for.
func rustBinding(line string) (string, bindingKind) {
	line = strings.TrimLeft(line, " \t")
	if rest, ok := strings.CutPrefix(line, "pub"); ok {
		if strings.HasPrefix(rest, "(") {
			_, rest, _ = strings.Cut(rest, ")")
		}
		line = strings.TrimLeft(rest, " ")
	}
	if rest, ok := strings.CutPrefix(line, "mod "); ok {
		return leadingWord(rest), bindsModule
	}
	return implements(line), bindsValue
}

// localValue is the name that an indented line of a script declares.
func localValue(line string) (string, bindingKind) {
	rest := strings.TrimLeft(line, " \t")
	if len(rest) == len(line) {
		return "", bindsValue
	}
	for _, word := range []string{"const ", "let ", "var "} {
		if after, ok := strings.CutPrefix(rest, word); ok {
			name := leadingWord(after)
			if strings.Contains(after[len(name):], "=") {
				return name, bindsValue
			}
		}
	}
	return "", bindsValue
}

// implements is the type that a line of Rust implements something for.
func implements(line string) string {
	if !strings.HasPrefix(line, "impl<") && !strings.HasPrefix(line, "impl ") {
		return ""
	}
	_, typ, ok := strings.Cut(line, " for ")
	if !ok {
		return ""
	}
	typ = strings.TrimLeft(typ, "&")
	for strings.HasPrefix(typ, "'") || strings.HasPrefix(typ, "mut ") {
		_, typ, _ = strings.Cut(typ, " ")
	}
	for {
		name := leadingWord(typ)
		after, nested := strings.CutPrefix(typ[len(name):], "::")
		if !nested {
			return name
		}
		typ = after
	}
}

func leadingWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) })
	if end < 0 {
		return s
	}
	return s[:end]
}

// order fills often.
func (b *bindings) order() {
	users := map[string]int{}
	for name, list := range b.of {
		if list[0].kind == bindsModule {
			users[name] = b.ix.DocFreq(name)
			b.often = append(b.often, name)
		}
	}
	slices.SortFunc(b.often, func(x, y string) int { return cmp.Or(users[y]-users[x], cmp.Compare(x, y)) })
	b.often = slices.Clip(b.often[:min(len(b.often), mostOften)])
}
