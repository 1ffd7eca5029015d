package tokens

// A splitter finds where the piece that begins at s[at] ends. Tokens never
// cross the border of a piece. s is valid UTF-8 and at is a piece's start.
type splitter func(t *classes, s string, at int) int

// splitO200k is the o200k_base pattern by hand:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func splitO200k(t *classes, s string, at int) int {
	first, size := t.at(s, at)
	switch first {
	case classUpper, classLower, classLetter, classMark:
		return word(t, s, at)
	case classNumber:
		return digits(t, s, at)
	case classNewline:
		return blanks(t, s, at)
	}
	next := at + size
	if next == len(s) {
		return next
	}
	second, _ := t.at(s, next)
	switch {
	case second >= classUpper && second <= classMark:
		return word(t, s, next)
	case first == classOther:
		return slashes(s, symbols(t, s, at))
	case s[at] == ' ' && second == classOther:
		return slashes(s, symbols(t, s, next))
	}
	return blanks(t, s, at)
}

// word ends a piece of letters and marks: the first two alternatives. The
// pattern takes capitals greedily and then needs something that is not one, so
// where no small letter follows it steps back to the last caseless letter or
// mark; where there is none, the capitals alone are the word.
func word(t *classes, s string, at int) int {
	caseless := -1
	for at < len(s) {
		c, size := t.at(s, at)
		if c == classLower {
			return contraction(s, smalls(t, s, at+size))
		}
		if c == classOther || c > classMark {
			break
		}
		at += size
		if c != classUpper {
			caseless = at
		}
	}
	if caseless >= 0 {
		at = caseless
	}
	return contraction(s, at)
}

// smalls skips small and caseless letters and marks.
func smalls(t *classes, s string, at int) int {
	for at < len(s) {
		c, size := t.at(s, at)
		if c < classLower || c > classMark {
			break
		}
		at += size
	}
	return at
}

// contraction skips an English contraction, of any case. Simple case folding
// makes U+017F (a long s) an s.
func contraction(s string, at int) int {
	if at+1 >= len(s) || s[at] != '\'' {
		return at
	}
	switch s[at+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return at + 2
	}
	if at+2 >= len(s) {
		return at
	}
	switch string([]byte{s[at+1] | 0x20, s[at+2] | 0x20}) {
	case "re", "ve", "ll":
		return at + 3
	}
	if s[at+1] == 0xc5 && s[at+2] == 0xbf {
		return at + 3
	}
	return at
}

// digits skips up to three numbers.
func digits(t *classes, s string, at int) int {
	for range 3 {
		if at == len(s) {
			break
		}
		c, size := t.at(s, at)
		if c != classNumber {
			break
		}
		at += size
	}
	return at
}

// symbols skips what is neither space nor letter nor number.
func symbols(t *classes, s string, at int) int {
	for at < len(s) {
		c, size := t.at(s, at)
		if c != classOther && c != classMark {
			break
		}
		at += size
	}
	return at
}

// slashes skips the line ends and slashes that belong to symbols before them.
func slashes(s string, at int) int {
	for at < len(s) && (s[at] == '\n' || s[at] == '\r' || s[at] == '/') {
		at++
	}
	return at
}

// blanks ends a piece of white space: after the last line end of the run; else
// before its last character, which belongs to what follows; else at its end.
func blanks(t *classes, s string, at int) int {
	end, last, newline := at, at, -1
	for end < len(s) {
		c, size := t.at(s, end)
		if c < classSpace {
			break
		}
		last = end
		end += size
		if c == classNewline {
			newline = end
		}
	}
	switch {
	case newline >= 0:
		return newline
	case end < len(s) && last > at:
		return last
	}
	return end
}

// splitCL100k is the cl100k_base pattern by hand:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func splitCL100k(t *classes, s string, at int) int {
	if end := contraction(s, at); end > at {
		return end
	}
	first, size := t.at(s, at)
	switch first {
	case classUpper, classLower, classLetter:
		return letters(t, s, at)
	case classNumber:
		return digits(t, s, at)
	case classNewline:
		return blanks(t, s, at)
	}
	next := at + size
	if next == len(s) {
		return next
	}
	second, _ := t.at(s, next)
	switch {
	case second >= classUpper && second <= classLetter:
		return letters(t, s, next)
	case first == classOther || first == classMark:
		return lineEnds(s, symbols(t, s, at))
	case s[at] == ' ' && (second == classOther || second == classMark):
		return lineEnds(s, symbols(t, s, next))
	}
	return blanks(t, s, at)
}

// letters skips letters of every case.
func letters(t *classes, s string, at int) int {
	for at < len(s) {
		c, size := t.at(s, at)
		if c < classUpper || c > classLetter {
			break
		}
		at += size
	}
	return at
}

// lineEnds skips line ends.
func lineEnds(s string, at int) int {
	for at < len(s) && (s[at] == '\n' || s[at] == '\r') {
		at++
	}
	return at
}
