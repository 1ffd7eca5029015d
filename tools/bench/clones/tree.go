package clones

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"tandem/workspace/tokens"
)

// A word is an identifier as a number, so that trees compare quickly.
type Word uint32

// A vocabulary numbers words from 1; 0 is one that it does not have.
type vocabulary struct {
	Numbers map[string]Word
	names   []string
}

func newVocabulary() *vocabulary {
	return &vocabulary{Numbers: map[string]Word{}, names: []string{""}}
}

func (v *vocabulary) add(name string) Word {
	if n, ok := v.Numbers[name]; ok {
		return n
	}
	name = strings.Clone(name) // not the whole file it stands in
	n := Word(len(v.names))
	v.Numbers[name], v.names = n, append(v.names, name)
	return n
}

func (v *vocabulary) addAll(text string) []Word {
	var out []Word
	EachWord(text, func(w string) { out = append(out, v.add(w)) })
	return out
}

// A blob is the text of a file, read once for all commits that have it.
type blob struct {
	words   []Word // distinct, of the whole text
	Lang    string
	Lines   []string // what follows is of source code alone
	Chunks  []*chunk
	defs    []Definition // read by definitions
	divided bool
}

// chunkLines is the size of a chunk.
const chunkLines = 30

// A chunk is some lines of a file with the words in it.
type chunk struct {
	First, Last int // lines from 0, last exclusive
	terms       []term
	size        int // words
}

type term struct {
	word  Word
	count float32
}

const (
	maxBlob    = 1 << 20
	maxColumns = 300 // lines longer on average are no code that a person wrote
)

// readBlob takes a text apart; nil is one that is no text.
func readBlob(v *vocabulary, text string, lang string) *blob {
	if strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return nil
	}
	b := &blob{Lang: lang}
	all := v.addAll(text)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lang != "" && len(text) < maxColumns*len(lines) {
		b.readCode(v, lines)
	}
	slices.Sort(all)
	b.words = slices.Clone(slices.Compact(all))
	return b
}

func (b *blob) readCode(v *vocabulary, lines []string) {
	b.Lines = lines
	for at := 0; at < len(lines); at += chunkLines {
		end := min(at+chunkLines, len(lines))
		b.Chunks = append(b.Chunks, newChunk(v.addAll(strings.Join(lines[at:end], "\n")), at, end))
	}
}

func newChunk(words []Word, first, last int) *chunk {
	c := &chunk{First: first, Last: last, size: len(words)}
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
type File struct {
	Path string
	*blob
}

// Definitions are read when they are first wanted: few files' are.
func (f *File) Definitions() []Definition {
	if !f.divided {
		f.defs, f.divided = Definitions(f.Path, f.Text(0, len(f.Lines))), true
	}
	return f.defs
}

// Source reports whether a file is code that chunks can be taken from.
func (f *File) Source() bool { return f.Lines != nil }

func (f *File) Text(first, last int) string { return strings.Join(f.Lines[first:last], "\n") + "\n" }

// A tree is the text files of a commit.
type Tree struct {
	Words  *vocabulary
	Files  []*File
	ByPath map[string]*File
}

// TreeOf is the tree of texts that no clone holds.
func TreeOf(texts map[string]string) *Tree {
	v := newVocabulary()
	t := &Tree{Words: v, ByPath: map[string]*File{}}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f := &File{name, readBlob(v, texts[name], LanguageOf(name))}
		t.Files, t.ByPath[name] = append(t.Files, f), f
	}
	return t
}

// A forest reads trees of one repository and keeps the blobs of the last.
type Forest struct {
	clone *Clone
	words *vocabulary
	blobs map[string]*blob
}

func NewForest(c *Clone) *Forest { return &Forest{c, newVocabulary(), map[string]*blob{}} }

func (f *Forest) Read(ctx context.Context, commit string) (*Tree, error) {
	list, err := f.clone.Objects(ctx, commit)
	if err != nil {
		return nil, err
	}
	t := &Tree{Words: f.words, ByPath: map[string]*File{}}
	kept := make(map[string]*blob, len(f.blobs))
	for _, o := range list {
		if o.Size < 0 || o.Size > maxBlob {
			continue
		}
		key := o.Name + path.Ext(o.Path)
		b, known := f.blobs[key]
		if !known {
			text, _, err := f.clone.Read(o.Name)
			if err != nil {
				return nil, err
			}
			b = readBlob(f.words, text, LanguageOf(o.Path))
		}
		kept[key] = b
		if b != nil {
			t.Files = append(t.Files, &File{o.Path, b})
			t.ByPath[o.Path] = t.Files[len(t.Files)-1]
		}
	}
	f.blobs = kept
	return t, nil
}

// Count counts tokens as windows do.
func Count(text string) int { return tokens.Count(text) }

// Has reports whether a text has a word.
func (b *blob) Has(w Word) bool {
	_, ok := slices.BinarySearch(b.words, w)
	return ok
}

// Elsewhere reports whether a file other than one has a word.
func (t *Tree) Elsewhere(name, without string) bool {
	w := t.Words.Numbers[name]
	return w != 0 && slices.ContainsFunc(t.Files, func(f *File) bool { return f.Path != without && f.Has(w) })
}
