package ignore

import "strings"

// Outcomes of matching. The two aborts end a search early: no later start of
// an enclosing star can succeed (abortAll), or none before the next slash
// (abortToStars). They keep hostile patterns from taking exponential time.
type outcome uint8

const (
	noMatch outcome = iota
	match
	abortAll
	abortToStars
)

// A glob is how patterns are matched: whether slashes are special, and whether
// letter case counts. sets are the pattern's bracket expressions, as far as they were read.
type glob struct {
	pathname, fold bool
	sets           []set
}

// A set is what a bracket expression matches, found by how much of the pattern it starts before.
type set struct {
	left, after int // bytes of the pattern from its "[" on, and from its "]" on; after is -1 where it has none
	has         bytes256
}

type bytes256 [4]uint64

func (b *bytes256) add(c byte)       { b[c>>6] |= 1 << (c & 63) }
func (b *bytes256) with(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }

// readSets reads the bracket expressions of a pattern once: one of many ranges would else be
// read again for each file.
func (p *pattern) readSets(fold bool) {
	g := glob{fold: fold}
	for i := 0; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '[':
			one := g.readSet(p.text, i)
			p.sets = append(p.sets, one)
			if one.after >= 0 {
				i = len(p.text) - one.after
			}
		}
	}
}

// set returns the expression at p and where it ends; end is -1 where it does not.
func (g glob) set(pattern string, p int) (one set, end int) {
	left, known := len(pattern)-p, false
	for _, s := range g.sets {
		if s.left == left {
			one, known = s, true
			break
		}
	}
	if !known {
		one = g.readSet(pattern, p)
	}
	if one.after < 0 {
		return one, -1
	}
	return one, len(pattern) - one.after
}

// matches reports whether the whole text matches the pattern, by git's rules.
func (g glob) matches(pattern, text string) bool { return g.run(pattern, text) == match }

func (g glob) run(pattern, text string) outcome {
	p, t := 0, 0
	for ; p < len(pattern); p, t = p+1, t+1 {
		pc := g.foldByte(pattern[p])
		if t == len(text) && pc != '*' {
			return abortAll
		}
		switch pc {
		case '*':
			after, slashes, rest := g.stars(pattern, p)
			if rest {
				// If the rest ran out of text here, it does so later too.
				if found := g.run(pattern[after+1:], text[t:]); found == match || found == abortAll {
					return found
				}
			}
			done, next := g.star(pattern, text, after, t, slashes)
			if next < 0 {
				return done
			}
			p, t = after, next // both at a slash
		case '?':
			if g.pathname && text[t] == '/' {
				return noMatch
			}
		case '[':
			in, end := g.set(pattern, p)
			if end < 0 {
				return abortAll
			}
			if !in.has.with(text[t]) || g.pathname && text[t] == '/' {
				return noMatch
			}
			p = end
		case '\\':
			p++
			if p == len(pattern) || pattern[p] != g.foldByte(text[t]) { // git does not fold what is escaped
				return noMatch
			}
		default:
			if pc != g.foldByte(text[t]) {
				return noMatch
			}
		}
	}
	if t < len(text) {
		return noMatch
	}
	return match
}

// stars reads the run of stars at p. It returns where the run ends, whether it
// matches slashes too, and whether the run may stand for no directory at all,
// so that what follows its slash is tried in its place.
func (g glob) stars(pattern string, p int) (after int, slashes, rest bool) {
	after = p + 1
	for after < len(pattern) && pattern[after] == '*' {
		after++
	}
	if !g.pathname {
		return after, true, false
	}
	if after-p < 2 || p > 0 && pattern[p-1] != '/' {
		return after, false, false
	}
	tail := pattern[after:]
	switch {
	case tail == "":
		return after, true, false
	case tail[0] == '/':
		return after, true, true
	case tail[0] == '\\' && len(tail) > 1 && tail[1] == '/':
		return after, true, false
	}
	return after, false, false
}

// star matches text[t:] against stars followed by pattern[p:]. A next of zero or
// more means that the stars ended before the slash at that index.
func (g glob) star(pattern, text string, p, t int, slashes bool) (done outcome, next int) {
	if p == len(pattern) {
		if !slashes && strings.Contains(text[t:], "/") {
			return abortToStars, -1
		}
		return match, -1
	}
	if !slashes && pattern[p] == '/' {
		if slash := strings.IndexByte(text[t:], '/'); slash >= 0 {
			return match, t + slash
		}
		return noMatch, -1
	}
	return g.search(pattern[p:], text, t, slashes), -1
}

// search tries the rest of a pattern at each place that the stars before it
// may reach.
func (g glob) search(pattern, text string, t int, slashes bool) outcome {
	literal := !special(pattern[0])
	for ; t < len(text); t++ {
		if literal {
			for t < len(text) && (slashes || text[t] != '/') && g.foldByte(text[t]) != g.foldByte(pattern[0]) {
				t++
			}
			if t == len(text) || g.foldByte(text[t]) != g.foldByte(pattern[0]) {
				if slashes {
					return abortAll
				}
				return abortToStars
			}
		}
		found := g.run(pattern, text[t:])
		if found != noMatch && (!slashes || found != abortToStars) {
			return found
		}
		if found == noMatch && !slashes && text[t] == '/' {
			return abortToStars
		}
	}
	return abortAll
}

// readSet reads the bracket expression at p.
func (g glob) readSet(pattern string, p int) set {
	at := func(i int) byte {
		if i < len(pattern) {
			return pattern[i]
		}
		return 0
	}
	out := set{left: len(pattern) - p, after: -1}
	var in bytes256 // by folded bytes
	p++
	negated := at(p) == '!' || at(p) == '^'
	if negated {
		p++
	}
	var previous byte // the start of a range, if one may start
	for first := true; first || at(p) != ']'; first, p = false, p+1 {
		pc := at(p)
		switch {
		case pc == 0:
			return out
		case pc == '\\':
			p++
			if pc = at(p); pc == 0 {
				return out
			}
			in.add(pc)
			previous = pc
		case pc == '-' && previous != 0 && at(p+1) != 0 && at(p+1) != ']':
			p++
			if at(p) == '\\' {
				p++
			}
			if at(p) == 0 {
				return out
			}
			g.addRange(&in, previous, at(p))
			previous = 0
		case pc == '[' && at(p+1) == ':':
			close := strings.IndexByte(pattern[p+2:], ']')
			if close < 0 {
				return out
			}
			close += p + 2
			if close == p+2 || pattern[close-1] != ':' {
				in.add('[')
				previous = '['
				continue
			}
			if !g.addClass(&in, pattern[p+2:close-1]) {
				return out
			}
			p, previous = close, 0
		default:
			in.add(pc)
			previous = pc
		}
	}
	out.after = len(pattern) - p
	for c := range 256 {
		if in.with(g.foldByte(byte(c))) != negated {
			out.has.add(byte(c))
		}
	}
	return out
}

// addRange adds the bytes of a range, letters without case where that does not count.
func (g glob) addRange(in *bytes256, low, high byte) {
	for c := int(low); c <= int(high); c++ {
		in.add(byte(c))
		if b := byte(c); g.fold && isUpper(b) {
			in.add(b + 'a' - 'A')
		}
	}
}

// addClass adds a POSIX class; false if there is none of this name.
func (g glob) addClass(in *bytes256, name string) bool {
	for c := range 256 {
		ok, known := g.inClass(name, byte(c))
		if !known {
			return false
		}
		if ok {
			in.add(byte(c))
		}
	}
	return true
}

// inClass reports whether c is in a POSIX class of ASCII.
func (g glob) inClass(name string, c byte) (in, known bool) {
	switch name {
	case "alnum":
		return isAlpha(c) || isDigit(c), true
	case "alpha":
		return isAlpha(c), true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return isDigit(c), true
	case "graph":
		return ' ' < c && c < 0x7f, true
	case "lower":
		return isLower(c), true
	case "print":
		return ' ' <= c && c < 0x7f, true
	case "punct":
		return ' ' < c && c < 0x7f && !isAlpha(c) && !isDigit(c), true
	case "space":
		return c == ' ' || c == '\t' || c == '\n' || c == '\r', true
	case "upper":
		return isUpper(c) || g.fold && isLower(c), true
	case "xdigit":
		return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f', true
	}
	return false, false
}

func (g glob) foldByte(c byte) byte {
	if g.fold && isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isAlpha(c byte) bool { return isUpper(c) || isLower(c) }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// special reports whether a byte has a meaning in patterns.
func special(c byte) bool { return c == '*' || c == '?' || c == '[' || c == '\\' }
