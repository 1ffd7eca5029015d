package tokens

import (
	"fmt"
	"slices"
	"strings"
)

// A Counter counts the tokens of a text for one model family. For every s and
// every SafeCut of it, the counts of the two parts add up to at least the
// count of s: exactly for the encodings here. Methods are safe for concurrent use.
type Counter interface {
	Count(s string) int
	Name() string // as shown to people: "o200k_base"
	Exact() bool  // false: the model's tokenizer is not here, and Count comes close or bounds it
}

// Count returns the o200k_base token count of s.
func Count(s string) int { return O200k.Count(s) }

// Bytes is the bound for an unknown tokenizer: no byte-level or byte-fallback
// vocabulary makes more tokens than there are bytes.
var Bytes Counter = byteCounter{}

type byteCounter struct{}

func (byteCounter) Count(s string) int { return len(Valid(s)) }
func (byteCounter) Name() string       { return "bytes" }
func (byteCounter) Exact() bool        { return false }

// counters are the tokenizers that configuration can name.
var counters = map[string]Counter{
	O200k.Name():  O200k,
	CL100k.Name(): CL100k,
	Bytes.Name():  Bytes,
}

// Named returns the tokenizer that configuration calls name; "" is o200k_base. For
// an unknown name it returns Bytes, which never counts too little, and an error
// that states this.
func Named(name string) (Counter, error) {
	if name == "" {
		return O200k, nil
	}
	if c, ok := counters[name]; ok {
		return c, nil
	}
	known := make([]string, 0, len(counters))
	for n := range counters {
		known = append(known, n)
	}
	slices.Sort(known)
	return Bytes, fmt.Errorf("the tokenizer %q is unknown: every byte counts as a token, so windows stay within the limit but hold less; known are %s", name, strings.Join(known, ", "))
}
