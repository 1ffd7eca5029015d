package main

import (
	"slices"
	"strings"
	"testing"
)

// treeOf makes a tree of texts.
func treeOf(texts map[string]string) *tree {
	v := newVocabulary()
	t := &tree{words: v, byPath: map[string]*file{}}
	for name, text := range texts {
		f := &file{name, readBlob(v, text, languageOf(name))}
		t.files, t.byPath[name] = append(t.files, f), f
	}
	slices.SortFunc(t.files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return t
}

func TestTargetsAreNewIdentifiers(t *testing.T) {
	for _, c := range []struct {
		name, run, rest string
		lang            *language
		words, pairs    []string
	}{
		{"new names in order, once", "a := Load(path)\nLoad(path)", "", golang, []string{"Load", "path"}, []string{"a Load", "Load path", "path Load"}},
		{"what the rest has does not count", "x := Load(path)", "func f(path string) { Load() }", golang, nil, []string{"x Load", "Load path"}},
		{"not even in its comments", "Load()", "// Load is here", golang, nil, nil},
		{"keywords, builtins and short names", "for i := range names { if err != nil { return append(ab) } }", "", golang,
			[]string{"names", "err"}, []string{"i names", "names err", "err ab"}},
		{"strings and comments", "Say(\"Hello\") // Goodbye\n/* More */ End(`raw`)", "", golang, []string{"Say", "End"}, []string{"Say End"}},
		{"a comment over lines", "One()\n/* Two\nThree */ Four()", "", golang, []string{"One", "Four"}, []string{"One Four"}},
		{"a doc string", "def load(self):\n    \"\"\"Read\n    everything\"\"\"\n    return items", "", python, []string{"load", "items"}, []string{"load items"}},
		{"a lifetime is no string", "fn get<'a>(key: &'a Key)", "", rust, []string{"get", "key", "Key"}, []string{"get a", "a key", "key a", "a Key"}},
		{"a pair that the rest has", "Load(path, mode)", "Load(path)", golang, []string{"mode"}, []string{"path mode"}},
	} {
		words, pairs := asked(c.run, c.rest, c.lang)
		if c.pairs == nil || words == nil { // pairs of the rest are looked for over keywords too
			words, pairs = slices.Clip(words), slices.Clip(pairs)
		}
		slices.Sort(pairs)
		slices.Sort(c.pairs)
		if !slices.Equal(words, c.words) || !slices.Equal(pairs, c.pairs) {
			t.Errorf("%s: got %q and %q, want %q and %q", c.name, words, pairs, c.words, c.pairs)
		}
	}
}

func TestPlaceKeepsIndentation(t *testing.T) {
	p := newPlace("func f() {\n\tone()\n\tLoadAll(path)\n\ttwo()\n}\n", run{"a.go", 2, 1})
	if p.line != 3 || p.column != 2 || p.text != "func f() {\n\tone()\n\t\n\ttwo()\n}\n" {
		t.Errorf("place at %d:%d in %q", p.line, p.column, p.text)
	}
	text, line, column := p.typed("\tLoad")
	if text != "func f() {\n\tone()\n\tLoad\n\ttwo()\n}\n" || line != 3 || column != 6 {
		t.Errorf("typed %q, cursor at %d:%d", text, line, column)
	}
	if p := newPlace("// all\n// of this\n// is prose\n", run{"a.go", 0, 3}); p != nil {
		t.Error("a run without identifiers is a place")
	}
}

func TestTargetCountsInALineWithTwoOtherWords(t *testing.T) {
	tree := treeOf(map[string]string{
		"a.go":      "package a\n\nfunc LoadAll(path string) error {\n\treturn nil // Comment beside LoadAll here\n}\n\nvar Alone\n",
		"readme.md": "call Documented when the moon is full\n",
		"b.go":      "package b\n",
	})
	p := &place{path: "b.go", lang: golang, words: []string{"LoadAll", "Alone", "Documented", "Nowhere"}, pairs: []string{"LoadAll path", "path LoadAll"}}
	g := newGoals(tree, p)
	if want := []string{"LoadAll", "Alone", "Documented"}; len(g.names) != len(want) {
		t.Fatalf("targets %q, want %q", g.names, want)
	}
	if g.reachable.size() != 1 || len(g.pairs) != 1 {
		t.Errorf("%d targets can count and %d pairs are known, want 1 and 1", g.reachable.size(), len(g.pairs))
	}
	for _, c := range []struct {
		name, prompt string
		words, pairs int
	}{
		{"the whole line", "func LoadAll(path string) error {", 1, 1},
		{"the line with its number", "3\tfunc LoadAll(path string) error {", 1, 1},
		{"the beginning of the line", "func LoadAll(path …", 1, 1},
		{"a list of names", "Alone, LoadAll, open, path, string", 0, 0},
		{"the name alone", "LoadAll", 0, 0},
		{"the words in another order", "path LoadAll func", 0, 0},
		{"words of two lines", "func\nLoadAll(path\nstring)", 0, 1},
		{"a comment is no line of code", "Comment beside LoadAll here", 0, 0},
		{"prose is no line of code", "call Documented when the moon is full", 0, 0},
		{"a line with too few words", "var Alone", 0, 0},
	} {
		s := g.judge(c.prompt)
		if s.words.size() != c.words || s.pairs.size() != c.pairs {
			t.Errorf("%s: %d identifiers and %d pairs, want %d and %d", c.name, s.words.size(), s.pairs.size(), c.words, c.pairs)
		}
	}
}

func TestOwnFileIsNoTree(t *testing.T) {
	tree := treeOf(map[string]string{"a.go": "package a\n\nfunc Gone(one, two int) {}\n"})
	if g := newGoals(tree, &place{path: "a.go", lang: golang, words: []string{"Gone"}}); len(g.names) != 0 {
		t.Errorf("targets %q that only the file before the commit has", g.names)
	}
}
