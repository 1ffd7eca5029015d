package main

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"tandem/workspace/tokens"
)

// A word is an identifier as a number, so that trees compare quickly.
type word uint32

// A vocabulary numbers words from 1; 0 is one that it does not have.
type vocabulary struct {
	numbers map[string]word
	names   []string
}

func newVocabulary() *vocabulary {
	return &vocabulary{numbers: map[string]word{}, names: []string{""}}
}

func (v *vocabulary) add(name string) word {
	if n, ok := v.numbers[name]; ok {
		return n
	}
	name = strings.Clone(name) // not the whole file it stands in
	n := word(len(v.names))
	v.numbers[name], v.names = n, append(v.names, name)
	return n
}

func (v *vocabulary) addAll(text string) []word {
	var out []word
	eachWord(text, func(w string) { out = append(out, v.add(w)) })
	return out
}

// A blob is the text of a file, read once for all commits that have it.
type blob struct {
	words   []word // distinct, of the whole text
	lang    *language
	lines   []string // what follows is of source code alone
	code    [][]word // of each line, comments aside
	bare    []word   // in order, without strings, comments and keywords
	chunks  []*chunk
	defs    []definition // read by definitions
	divided bool
}

// chunkLines is the size of a chunk.
const chunkLines = 30

// A chunk is some lines of a file with the words in it.
type chunk struct {
	first, last int // lines from 0, last exclusive
	terms       []term
	size        int // words
}

type term struct {
	word  word
	count float32
}

const (
	maxBlob    = 1 << 20
	maxColumns = 300 // lines longer on average are no code that a person wrote
)

// readBlob takes a text apart; nil is one that is no text.
func readBlob(v *vocabulary, text string, lang *language) *blob {
	if strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return nil
	}
	b := &blob{lang: lang}
	all := v.addAll(text)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lang != nil && len(text) < maxColumns*len(lines) {
		b.readCode(v, lines)
	}
	slices.Sort(all)
	b.words = slices.Clone(slices.Compact(all))
	return b
}

func (b *blob) readCode(v *vocabulary, lines []string) {
	b.lines = lines
	code, bare := stripAll(lines, b.lang)
	b.code = make([][]word, len(lines))
	for i := range lines {
		b.code[i] = v.addAll(code[i])
		eachWord(bare[i], func(w string) {
			if !b.lang.keywords[w] {
				b.bare = append(b.bare, v.add(w))
			}
		})
	}
	for at := 0; at < len(lines); at += chunkLines {
		end := min(at+chunkLines, len(lines))
		b.chunks = append(b.chunks, newChunk(v.addAll(strings.Join(lines[at:end], "\n")), at, end))
	}
}

// definitions are read when they are first wanted: few files' are.
func (b *blob) definitions() []definition {
	if !b.divided {
		b.defs, b.divided = definitions(b.lines, b.lang), true
	}
	return b.defs
}

func newChunk(words []word, first, last int) *chunk {
	c := &chunk{first: first, last: last, size: len(words)}
	slices.Sort(words)
	for _, w := range words {
		if n := len(c.terms); n > 0 && c.terms[n-1].word == w {
			c.terms[n-1].count++
		} else {
			c.terms = append(c.terms, term{w, 1})
		}
	}
	return c
}

// A file is a blob at a path.
type file struct {
	path string
	*blob
}

// source reports whether a file is code that chunks can be taken from.
func (f *file) source() bool { return f.lines != nil }

func (f *file) text(first, last int) string { return strings.Join(f.lines[first:last], "\n") + "\n" }

// A tree is the text files of a commit.
type tree struct {
	words  *vocabulary
	files  []*file
	byPath map[string]*file
}

// A forest reads trees of one repository and keeps the blobs of the last.
type forest struct {
	clone *clone
	words *vocabulary
	blobs map[string]*blob
}

func newForest(c *clone) *forest { return &forest{c, newVocabulary(), map[string]*blob{}} }

func (f *forest) read(ctx context.Context, commit string) (*tree, error) {
	list, err := f.clone.git(ctx, "ls-tree", "-r", "-l", "-z", commit)
	if err != nil {
		return nil, err
	}
	t := &tree{words: f.words, byPath: map[string]*file{}}
	kept := make(map[string]*blob, len(f.blobs))
	for _, entry := range splitZero(list) {
		about, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(about) // mode, type, hash, size
		if size, err := strconv.Atoi(fields[3]); err != nil || size > maxBlob || fields[0] == "120000" {
			continue
		}
		key := fields[2] + path.Ext(name)
		b, known := f.blobs[key]
		if !known {
			text, _, err := f.clone.objects.read(fields[2])
			if err != nil {
				return nil, err
			}
			b = readBlob(f.words, text, languageOf(name))
		}
		kept[key] = b
		if b != nil {
			t.files = append(t.files, &file{name, b})
			t.byPath[name] = t.files[len(t.files)-1]
		}
	}
	f.blobs = kept
	return t, nil
}

// count counts tokens as windows do.
func count(text string) int { return tokens.Count(text) }

// has reports whether a text has a word.
func (b *blob) has(w word) bool {
	_, ok := slices.BinarySearch(b.words, w)
	return ok
}
