package tokens

import "unicode/utf8"

// Vocabularies that are not here are counted by what sets them apart from
// o200k_base: most take a token for each digit where o200k_base takes one for
// three, and have more tokens for text that is not ASCII. The count times a
// margin of the family is a close bound on code (see package model).
var (
	Large         Counter = bound{name: "o200k_base+scripts"}                                   // 100,000 tokens and more: Llama 3
	LargeByDigits Counter = bound{name: "o200k_base+digits+scripts", digits: true}              // the same with a token a digit: Qwen
	Small         Counter = bound{name: "o200k_base+letters", small: true}                      // falls back to bytes outside of ASCII: Claude
	SmallByDigits Counter = bound{name: "o200k_base+digits+letters", small: true, digits: true} // the same with a token a digit: Llama 2
)

type bound struct {
	name          string
	digits, small bool
}

func (b bound) Name() string { return b.name }
func (b bound) Exact() bool  { return false }

// Count is o200k_base's count and what is counted apart. No run ends later than
// its line, so that the counts of parts add up.
func (b bound) Count(s string) int {
	s = Valid(s)
	n, digits, inWord := Count(s), 0, false
	for i := 0; i < len(s); {
		c := s[i]
		if c >= '0' && c <= '9' {
			digits++
			inWord = false
			i++
			continue
		}
		n, digits = n+b.run(digits), 0
		if c < utf8.RuneSelf {
			inWord = false
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if wordOfLetters := r >= 0x370 && r < 0x800; b.small || !wordOfLetters || !inWord {
			n += b.letter(r)
			inWord = wordOfLetters
		}
		i += size
	}
	return min(n+b.run(digits), len(s)) // no token has less than a byte
}

// run is how many tokens more than o200k_base a run of digits may have.
func (b bound) run(digits int) int {
	if !b.digits {
		return 0
	}
	return digits - (digits+2)/3
}

// letter is how many tokens more than o200k_base a character outside of ASCII
// may have; for a large vocabulary, a whole word of Greek, Cyrillic, Hebrew or
// Arabic.
func (b bound) letter(r rune) int {
	wide := r >= 0x2e80 && r < 0x10000 // Chinese, Japanese, Korean and their forms
	switch {
	case !b.small && (wide || r >= 0x2000 && r < 0x2e80):
		return 0
	case !b.small || wide || r < 0x800:
		return 1
	case r < 0x10000:
		return 2
	}
	return 3
}
