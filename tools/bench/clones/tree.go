package clones

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"tandem/workspace/tokens"
)

// A blob is the text of a file, read once for all commits that have it.
type blob struct {
	words   map[string]bool // of the whole text
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
	words       map[string]int
	size        int // words
}

const (
	maxBlob    = 1 << 20
	maxColumns = 300 // lines longer on average are no code that a person wrote
)

// readBlob takes a text apart; nil is one that is no text.
func readBlob(text string, lang string) *blob {
	if strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return nil
	}
	b := &blob{Lang: lang, words: map[string]bool{}}
	EachWord(text, func(w string) { b.words[w] = true })
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lang != "" && len(text) < maxColumns*len(lines) {
		b.readCode(lines)
	}
	return b
}

func (b *blob) readCode(lines []string) {
	b.Lines = lines
	for at := 0; at < len(lines); at += chunkLines {
		c := &chunk{First: at, Last: min(at+chunkLines, len(lines)), words: map[string]int{}}
		EachWord(strings.Join(lines[at:c.Last], "\n"), func(w string) { c.words[w]++; c.size++ })
		b.Chunks = append(b.Chunks, c)
	}
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
	Files  []*File
	ByPath map[string]*File
}

// TreeOf is the tree of texts that no clone holds.
func TreeOf(texts map[string]string) *Tree {
	t := &Tree{ByPath: map[string]*File{}}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f := &File{name, readBlob(texts[name], LanguageOf(name))}
		t.Files, t.ByPath[name] = append(t.Files, f), f
	}
	return t
}

// A forest reads trees of one repository and keeps the blobs of the last.
type Forest struct {
	clone *Clone
	blobs map[string]*blob
}

func NewForest(c *Clone) *Forest { return &Forest{c, map[string]*blob{}} }

func (f *Forest) Read(ctx context.Context, commit string) (*Tree, error) {
	list, err := f.clone.Objects(ctx, commit)
	if err != nil {
		return nil, err
	}
	t := &Tree{ByPath: map[string]*File{}}
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
			b = readBlob(text, LanguageOf(o.Path))
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

// Elsewhere reports whether a file other than one has a word.
func (t *Tree) Elsewhere(word, without string) bool {
	return slices.ContainsFunc(t.Files, func(f *File) bool { return f.Path != without && f.words[word] })
}
