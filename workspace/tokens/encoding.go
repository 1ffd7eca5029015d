package tokens

import (
	_ "embed"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

//go:embed o200k_base.bin
var o200kVocabulary string

//go:embed cl100k_base.bin
var cl100kVocabulary string

// An Encoding is an exact byte-pair tokenizer, made ready at first use. Its
// methods may be called from any number of goroutines.
type Encoding struct {
	name       string
	vocabulary string
	split      splitter

	once sync.Once
	engine
}

// engine is what an Encoding needs once it is in use.
type engine struct {
	classes *classes
	tables  *tables
	cache   *cache
}

// The exact encodings.
var (
	O200k  = &Encoding{name: "o200k_base", vocabulary: o200kVocabulary, split: splitO200k}
	CL100k = &Encoding{name: "cl100k_base", vocabulary: cl100kVocabulary, split: splitCL100k}
)

var allClasses = sync.OnceValue(newClasses)

func (e *Encoding) ready() *engine {
	e.once.Do(func() {
		e.engine = engine{allClasses(), newTables(e.vocabulary), new(cache)}
	})
	return &e.engine
}

// Name returns the encoding's published name.
func (e *Encoding) Name() string { return e.name }

// Exact reports that counts are the reference's own, not a bound.
func (e *Encoding) Exact() bool { return true }

// Count returns the number of tokens of s. Invalid UTF-8 counts as U+FFFD.
func (e *Encoding) Count(s string) int {
	en, s := e.ready(), Valid(s)
	total := 0
	for at := 0; at < len(s); {
		end := e.split(en.classes, s, at)
		total += en.count(s[at:end])
		at = end
	}
	return total
}

// Encode returns the token ids of s. Invalid UTF-8 counts as U+FFFD; what
// looks like a special token is plain text.
func (e *Encoding) Encode(s string) []uint32 {
	en, s := e.ready(), Valid(s)
	ids := make([]uint32, 0, len(s)/3)
	for at := 0; at < len(s); {
		end := e.split(en.classes, s, at)
		ids = en.encode(ids, s[at:end])
		at = end
	}
	return ids
}

func (en *engine) hash(piece string) uint64 { return maphash.String(en.tables.seed, piece) }

func (en *engine) count(piece string) int {
	if len(piece) == 1 {
		return 1
	}
	hash := en.hash(piece)
	if _, ok := en.tables.piece(piece, hash); ok {
		return 1
	}
	if len(piece) > longSegment {
		return en.tables.countLong(piece)
	}
	return len(en.merged(piece, hash))
}

func (en *engine) encode(ids []uint32, piece string) []uint32 {
	hash := en.hash(piece)
	if rank, ok := en.tables.piece(piece, hash); ok {
		return append(ids, rank)
	}
	return append(ids, en.merged(piece, hash)...)
}

// merged returns the tokens of a piece that is not one token. The caller must
// not change them.
func (en *engine) merged(piece string, hash uint64) []uint32 {
	if len(piece) > longestCached {
		return en.tables.merge(nil, piece)
	}
	slot := &en.cache[hash%cacheSize]
	if hit := slot.Load(); hit != nil && hit.piece == piece {
		return hit.ids
	}
	var buffer [longestCached]uint32
	found := en.tables.merge(buffer[:0], piece)
	ids := append(make([]uint32, 0, len(found)), found...)
	slot.Store(&merge{strings.Clone(piece), ids})
	return ids
}

const (
	cacheSize     = 1 << 14 // pieces remembered: about 2 MB when full
	longestCached = 48      // bytes; longer pieces seldom come back
)

// A cache remembers how pieces were merged, one piece a slot: the newest wins.
// Entries are immutable, so readers and writers need no lock.
type cache [cacheSize]atomic.Pointer[merge]

type merge struct {
	piece string
	ids   []uint32
}

// Valid returns s with every maximal invalid part replaced by U+FFFD, the way
// browsers, Node and Python decode (Go's range makes one of every byte).
func Valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			n = invalidPart(s[i:])
			b.WriteString("\uFFFD")
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// invalidPart returns the length of the invalid part at the start of s: the
// longest beginning of some valid sequence, at least one byte.
func invalidPart(s string) int {
	low, high, want := byte(0x80), byte(0xbf), 0
	switch c := s[0]; {
	case c >= 0xc2 && c <= 0xdf:
		want = 1
	case c >= 0xe0 && c <= 0xef:
		want = 2
	case c >= 0xf0 && c <= 0xf4:
		want = 3
	}
	switch s[0] {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	n := 1
	for n <= want && n < len(s) && s[n] >= low && s[n] <= high {
		low, high = 0x80, 0xbf
		n++
	}
	return n
}
