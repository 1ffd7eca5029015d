package redact

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"tandem/edits"
)

// A trigger is a literal that may begin, or be near, a secret. Where it occurs,
// check examines the text and returns the secret's span.
type trigger struct {
	literal string
	fold    bool // in any letter case
	check   func(text string, at int) (edits.Span, bool)
	spans   func(text string, at int) []edits.Span // for what is more than one span
}

// buckets is how many groups of triggers the filter distinguishes.
const buckets = 64

// filter is the first, fast test: a trigger's first three bytes set the bit of its
// bucket in three tables; it can occur only where all three have that bit.
type filter struct {
	first, second, third [256]uint64
	triggers             [buckets][]trigger
}

var secrets = newFilter(slices.Concat(formats(), assignments(), connections(), commandTriggers(), blocks()))

func newFilter(all []trigger) *filter {
	f := &filter{}
	slices.SortStableFunc(all, func(a, b trigger) int { return cmp.Compare(strings.ToLower(a.literal), strings.ToLower(b.literal)) })
	for i, t := range all {
		bucket := i * buckets / len(all) // those that begin alike share one, which mixes few bytes
		f.triggers[bucket] = append(f.triggers[bucket], t)
		mark(&f.first, t.literal[0], t.fold, bucket)
		mark(&f.second, t.literal[1], t.fold, bucket)
		mark(&f.third, t.literal[2], t.fold, bucket)
	}
	return f
}

func mark(table *[256]uint64, c byte, fold bool, bucket int) {
	table[c] |= 1 << bucket
	if fold && isAlpha(c) {
		table[c^0x20] |= 1 << bucket
	}
}

// Find returns the spans of the secrets in text, in order and apart.
func Find(text string) []edits.Span {
	var found []edits.Span
	f := secrets
	for i := 0; i+2 < len(text); i++ {
		hit := f.first[text[i]] & f.second[text[i+1]] & f.third[text[i+2]]
		for ; hit != 0; hit &= hit - 1 {
			found = f.tryBucket(bits.TrailingZeros64(hit), text, i, found)
		}
	}
	return joined(found)
}

// tryBucket tries the triggers of a bucket at one place.
func (f *filter) tryBucket(bucket int, text string, at int, found []edits.Span) []edits.Span {
	for i := range f.triggers[bucket] {
		t := &f.triggers[bucket][i]
		if !t.at(text[at:]) {
			continue
		}
		if t.spans != nil {
			found = append(found, t.spans(text, at)...)
		} else if sp, ok := t.check(text, at); ok {
			found = append(found, sp)
		}
	}
	return found
}

func (t *trigger) at(text string) bool {
	if !t.fold {
		return strings.HasPrefix(text, t.literal)
	}
	return len(text) >= len(t.literal) && strings.EqualFold(text[:len(t.literal)], t.literal)
}

// joined sorts spans and joins those that overlap.
func joined(spans []edits.Span) []edits.Span {
	slices.SortFunc(spans, func(a, b edits.Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, sp := range spans {
		if n := len(out); n > 0 && sp.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, sp.End)
		} else {
			out = append(out, sp)
		}
	}
	return out
}

// A charset is a set of bytes.
type charset [256]bool

func set(members string) *charset {
	var c charset
	for i := 0; i < len(members); i++ {
		c[members[i]] = true
	}
	return &c
}

const (
	digits  = "0123456789"
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = lowers + uppers
)

var (
	alnum   = set(letters + digits)
	word    = set(letters + digits + "_")
	dashed  = set(letters + digits + "_-")
	dotted  = set(letters + digits + "_-.")
	hexes   = set(digits + "abcdefABCDEF")
	upper   = set(uppers + digits)
	base64s = set(letters + digits + "+/=")
	path    = set(letters + digits + "/_-")
	token   = set(letters + digits + "_-.+/=~:%")
)

// run is how many bytes from at on are in the set.
func (c *charset) run(text string, at int) int {
	n := at
	for n < len(text) && c[text[n]] {
		n++
	}
	return n - at
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// startsWord reports whether no word continues at a place: the character before it
// is no letter or digit, or belongs to an escape like the n of "\n".
func startsWord(text string, at int) bool {
	if at == 0 || !word[text[at-1]] {
		return true
	}
	return at > 1 && text[at-2] == '\\' && strings.IndexByte("ntr", text[at-1]) >= 0
}
