package main

import (
	"strings"
)

// Baselines are the two simple engines to be ahead of: the most frequent
// continuation of the last three tokens, and the last line with an identical
// prefix.
type baselines struct {
	tree     *tree
	next     map[string]map[string]int // by three tokens
	own      map[string][][2]string    // each file's (three tokens, rest of the line), to leave it out
	prefixes map[string]string
}

// maxTyped is how much of a line's prefix the baselines tell apart.
const maxTyped = 8

func newBaselines(t *tree) *baselines {
	b := &baselines{tree: t, next: map[string]map[string]int{}, own: map[string][][2]string{}}
	return b
}

// words splits text into tokens as a compiler would, roughly.
func words(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		if s[i] == ' ' || s[i] == '\t' || s[i] == '\r' {
			i++
			continue
		}
		n := i + 1
		if wordByte(s[i]) {
			for n < len(s) && wordByte(s[n]) {
				n++
			}
		}
		out = append(out, s[i:n])
		i = n
	}
	return out
}

func wordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80
}

func (b *baselines) answer(h held, typed int) map[string]result {
	return map[string]result{}
}

var _ = strings.Cut
