package remainder

import (
	"math"
	"strings"
	"unicode/utf8"

	"tandem/workspace/language"
)

// FeatureCount is how many numbers a place has.
const FeatureCount = 56

// Features describes a place by numbers, in an order that the forest knows: see Familiar.
func Features(before, after, language string) (f [FeatureCount]float64) {
	p := newPlace(before, after)
	n := 0
	add := func(values ...float64) {
		n += copy(f[n:], values)
	}
	p.typedFeatures(add)
	p.lineFeatures(add)
	add(float64(documentKind(language)))
	p.runFeatures(add)
	p.vocabularyFeatures(add)
	p.patternFeatures(add)
	return f
}

// A place is the cursor with the text near it.
type place struct {
	typed  string   // of the cursor's line, with its indentation
	body   string   // typed without it
	rest   string   // of the line after the cursor
	above  []string // whole lines, the nearest first
	below  []string
	up     []string // those above that are not blank
	down   []string
	partly string // the word at the cursor, as far as it is typed
}

func newPlace(before, after string) *place {
	if over := len(before) - NearBytes; over > 0 {
		before = before[over:]
	}
	after = after[:min(len(after), NearBytes)]
	p := &place{}
	cut := strings.LastIndexByte(before, '\n') + 1
	p.typed = before[cut:]
	p.body = strings.TrimLeft(p.typed, " \t")
	p.partly = p.body[len(strings.TrimRightFunc(p.body, isWord)):]
	p.above = linesOf(strings.TrimSuffix(before[:cut], "\n"))
	for i, j := 0, len(p.above)-1; i < j; i, j = i+1, j-1 {
		p.above[i], p.above[j] = p.above[j], p.above[i]
	}
	var below string
	p.rest, below, _ = strings.Cut(after, "\n")
	p.below = linesOf(below)
	p.up, p.down = written(p.above), written(p.below)
	return p
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func written(lines []string) (out []string) {
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			out = append(out, l)
		}
	}
	return out
}

// typedFeatures are of the cursor's line.
func (p *place) typedFeatures(add func(...float64)) {
	trimmed := strings.TrimRight(p.body, " \t")
	spaced := 0
	for i := 1; i+1 < len(p.body); i++ {
		if p.body[i] == ' ' && isWord(rune(p.body[i-1])) && isWord(rune(p.body[i+1])) {
			spaced++
		}
	}
	rest := strings.TrimSpace(p.rest)
	restKind := 2
	if rest == "" {
		restKind = 0
	} else if strings.Trim(rest, ")]}>,;:{\"'`") == "" {
		restKind = 1
	}
	add(float64(len(p.body)), float64(len(p.partly)), float64(lastClass(trimmed)), truth(len(trimmed) < len(p.body)),
		float64(indent(p.typed)), truth(comments(p.body)), truth(strings.Count(p.body, `"`)%2 == 1 || strings.Count(p.body, "`")%2 == 1 || strings.Count(p.body, "'")%2 == 1),
		float64(restKind), float64(len(rest)), float64(kindOf(p.body)), float64(spaced), float64(language.BracketDepth(p.body)),
		float64(strings.Count(p.body, "=")), float64(strings.Count(p.body, ",")), float64(len(words(p.body))))
}

// lineFeatures are of the lines around it.
func (p *place) lineFeatures(add func(...float64)) {
	at := indent(p.typed)
	blank := 0
	for blank < min(len(p.above), 3) && strings.TrimSpace(p.above[blank]) == "" {
		blank++
	}
	up, down := first(p.up), first(p.down)
	blankBelow := len(p.below) > 0 && strings.TrimSpace(p.below[0]) == ""
	outer := ""
	for _, l := range p.up {
		if indent(l) < at {
			outer = l
			break
		}
	}
	second := ""
	if len(p.up) > 1 {
		second = p.up[1]
	}
	add(float64(blank), float64(kindOf(up)), float64(lastClass(up)), float64(len(strings.TrimSpace(up))), float64(indent(up)-at), truth(comments(strings.TrimSpace(up))),
		truth(blankBelow), truth(len(p.down) == 0), float64(kindOf(down)), float64(lastClass(down)), float64(indent(down)-at), truth(comments(strings.TrimSpace(down))),
		float64(kindOf(outer)), float64(lastClass(outer)), float64(kindOf(second)), truth(second != "" && lead(second) == lead(up)))
}

// runFeatures are of the lines of which the cursor's is one.
func (p *place) runFeatures(add func(...float64)) {
	commented, prose, sameLead, total := 0, 0, 0, 0
	of := p.body
	if of == "" || len(of) == len(p.partly) {
		of = strings.TrimSpace(first(p.up))
	}
	near := p.up[:min(len(p.up), 10)]
	for _, l := range near {
		l = strings.TrimSpace(l)
		total += len(l)
		if comments(l) {
			commented++
		}
		if isProse(l) {
			prose++
		}
		if lead(l) == lead(of) {
			sameLead++
		}
	}
	n := float64(max(len(near), 1))
	block := strings.Join(p.above[:min(len(p.above), 60)], "\x00") // the nearest first: marks that open come later than those that close
	open, closed := strings.Index(block, "/*"), strings.Index(block, "*/")
	quotes := 0
	for _, l := range p.above {
		quotes += strings.Count(l, `"""`) + strings.Count(l, "'''") + strings.Count(l, "```")
	}
	add(float64(commented)/n, float64(prose)/n, float64(sameLead), float64(total)/n-float64(len(p.body)), truth(open >= 0 && (closed < 0 || open < closed)), float64(quotes%2),
		truth(isProse(strings.TrimSpace(first(p.down)))))
}

// vocabularyFeatures are of words: whether those typed are in the document, and what
// follows the last ones elsewhere in it.
func (p *place) vocabularyFeatures(add func(...float64)) {
	tokens := p.tokens()
	typed := appendTokens(nil, p.body)
	if p.partly != "" && len(typed) > 0 {
		typed = typed[:len(typed)-1]
	}
	count := make(map[string]int, len(tokens)/4)
	for _, t := range tokens {
		count[t]++
	}
	known, all := 0, 0
	for _, t := range typed {
		if isWord(rune(t[0])) {
			all++
			if count[t] > 0 {
				known++
			}
		}
	}
	share := -1.0
	if all > 0 {
		share = float64(known) / float64(all)
	}
	add(share)
	for _, c := range p.following(tokens, append([]string{"\n"}, typed...)) {
		add(c.numbers()...)
	}
	begins, most := 0, 0
	if p.partly != "" {
		for t, c := range count {
			if strings.HasPrefix(t, p.partly) {
				begins++
				most = max(most, c)
			}
		}
	}
	add(float64(begins), math.Log1p(float64(most)))
}

// A continuation counts what follows some tokens elsewhere in the document.
type continuation struct {
	absent bool // so many tokens are not typed
	seen   int
	most   int // of the most frequent one
	next   map[string]int
}

func (c continuation) numbers() []float64 {
	if c.absent {
		return []float64{-1, -1, -1}
	}
	return []float64{math.Log1p(float64(c.seen)), float64(len(c.next)), float64(c.most) / float64(max(c.seen, 1))}
}

// following counts what follows the last one, two and three of some tokens. A word that
// is partly typed is the beginning of what follows.
func (p *place) following(tokens, context []string) (out [3]continuation) {
	for n := range out {
		out[n].absent, out[n].next = n >= len(context), map[string]int{}
	}
	for i := 0; i+1 < len(tokens); i++ {
		next := tokens[i+1]
		for n := range out {
			if n >= len(context) || n > i || tokens[i-n] != context[len(context)-1-n] {
				break
			}
			if c := &out[n]; strings.HasPrefix(next, p.partly) {
				c.seen++
				c.next[next]++
				c.most = max(c.most, c.next[next])
			}
		}
	}
	return out
}

// tokens are those of the lines around, in the order of the document on each side.
func (p *place) tokens() []string {
	out := make([]string, 0, NearBytes/2)
	for i := len(p.above) - 1; i >= 0; i-- {
		out = append(appendTokens(out, p.above[i]), "\n")
	}
	for _, l := range p.below {
		out = append(appendTokens(out, l), "\n")
	}
	return out
}

// patternFeatures are of lines that begin as the cursor's does, and of the lines above
// compared with each other.
func (p *place) patternFeatures(add func(...float64)) {
	same, length := 0, 0
	if len(p.body) > 1 {
		for _, side := range [][]string{p.up, p.down} {
			for _, l := range side {
				if l = strings.TrimSpace(l); strings.HasPrefix(l, p.body) {
					same++
					length += len(l) - len(p.body)
				}
			}
		}
	}
	mean := -1.0
	if same > 0 {
		mean = float64(length) / float64(same)
	}
	shapes := 0
	if len(p.up) > 0 {
		of := shape(p.up[0])
		for _, l := range p.up[1:min(len(p.up), 6)] {
			if shape(l) == of {
				shapes++
			}
		}
	}
	add(math.Log1p(float64(same)), mean, float64(shapes), math.Log1p(float64(len(p.up)+len(p.down))), math.Log1p(float64(len(p.up))))
}

// shape is a line with each word as one letter.
func shape(line string) string {
	var s strings.Builder
	word := false
	for _, r := range strings.TrimSpace(line) {
		if w := isWord(r); !w || !word {
			if w {
				r = 'w'
			}
			s.WriteRune(r)
		}
		word = isWord(r)
	}
	return s.String()
}

// appendTokens appends the words and other characters of a line, without space.
func appendTokens(out []string, line string) []string {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		end := i + n
		if isWord(r) {
			for end < len(line) {
				r, n := utf8.DecodeRuneInString(line[end:])
				if !isWord(r) {
					break
				}
				end += n
			}
		}
		if r != ' ' && r != '\t' && r != '\r' {
			out = append(out, line[i:end])
		}
		i = end
	}
	return out
}
