package deps

import (
	"bytes"
	"slices"
	"sync"

	"tandem/workspace/cut"
)

// A Vocabulary is a set of identifiers: all that a library's files mention. It
// never changes.
type Vocabulary struct {
	hashes []uint64
	left   cut.Cut
}

// Left is what of the library was not read.
func (v *Vocabulary) Left() cut.Cut { return v.left }

// Has reports whether an identifier is in the set. A nil set has none.
func (v *Vocabulary) Has(name string) bool {
	if v == nil {
		return false
	}
	_, ok := slices.BinarySearch(v.hashes, hashName(name))
	return ok
}

// The hash of a name is FNV-1a's, 64 bits of it.
const (
	hashOffset uint64 = 14695981039346656037
	hashPrime  uint64 = 1099511628211
)

func hashName(name string) uint64 {
	h := hashOffset
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * hashPrime
	}
	return h
}

// maxVocabularyFiles bounds how many files of one library are read.
const maxVocabularyFiles = 12000

// Vocabularies reads and keeps sets of identifiers.
type Vocabularies struct {
	*reader
	Most   int // files of one library that are read
	mu     sync.Mutex
	cached map[string]*Vocabulary // by the stamps of their files
}

func newVocabularies(r *reader) *Vocabularies {
	return &Vocabularies{reader: r, Most: maxVocabularyFiles, cached: map[string]*Vocabulary{}}
}

// Of is the set of identifiers in files: source by its words,
// binaries by the names in them. It is saved on disk, under the files' paths,
// sizes and times.
func (r *Vocabularies) Of(files []string) *Vocabulary {
	files, left := cut.First(files, r.Most, "file of a library is not read", "files of a library are not read").All()
	key := stampsOf(files)
	r.mu.Lock()
	v := r.cached[key]
	r.mu.Unlock()
	if v != nil {
		return v
	}
	if v = r.load(key); v == nil {
		v = r.read(files)
		r.save(key, v)
	}
	v.left = left
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.cached) >= maxVocabularies {
		clear(r.cached)
	}
	r.cached[key] = v
	return v
}

// maxVocabularies is how many sets are kept in memory.
const maxVocabularies = 64

// Bounds of what is read for one vocabulary, in bytes.
const (
	maxSource = 4 << 20   // of a source file
	maxBinary = 256 << 20 // of a binary, which is read in pieces
	wordPiece = 1 << 20
)

func (r *Vocabularies) read(files []string) *Vocabulary {
	seen := map[uint64]struct{}{}
	buf := make([]byte, wordPiece)
	for _, f := range files {
		if r.life().Err() != nil {
			break
		}
		r.wordsOf(f, buf, func(hash uint64) { seen[hash] = struct{}{} })
	}
	v := &Vocabulary{hashes: make([]uint64, 0, len(seen))}
	for h := range seen {
		v.hashes = append(v.hashes, h)
	}
	slices.Sort(v.hashes)
	return v
}

// wordsOf yields the hashes of the identifiers of a file, which it reads piece by piece into
// buf. A word at the end of a piece is begun again in the next.
func (r *Vocabularies) wordsOf(file string, buf []byte, yield func(hash uint64)) {
	f, info, err := r.disk.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	carry, binary := 0, false
	for left := info.Size(); left > 0 && r.life().Err() == nil; {
		n, err := f.Read(buf[carry:])
		data := buf[:carry+n]
		if left == info.Size() {
			binary = bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
			if left > maxBinary || left > maxSource && !binary {
				return
			}
		}
		left -= int64(n)
		end := len(data)
		for err == nil && left > 0 && end > 0 && len(data)-end < 100 && wordByte[data[end-1]] {
			end--
		}
		words(data[:end], binary, yield)
		carry = copy(buf, data[end:])
		if err != nil {
			return
		}
	}
}

// words yields the hashes of the identifiers of data. In a binary, a name counts only
// where bytes that are not text end it.
func words(data []byte, isBinary bool, yield func(hash uint64)) {
	for i := 0; i < len(data); i++ {
		if !wordByte[data[i]] {
			continue
		}
		start, h := i, hashOffset
		for ; i < len(data) && wordByte[data[i]]; i++ {
			h = (h ^ uint64(data[i])) * hashPrime
		}
		if data[start] >= '0' && data[start] <= '9' || i-start > 80 || isBinary && i-start < 3 {
			continue
		}
		yield(h)
	}
}

// wordByte has the bytes of identifiers.
var wordByte = func() (is [256]bool) {
	for _, c := range "_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		is[c] = true
	}
	return is
}()
