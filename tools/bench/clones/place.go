package clones

import "strings"

// A place is a file as after a commit without the run of lines that somebody
// is about to write; the cursor stands where the run began.
type Place struct {
	Path         string
	Lang         *Language
	Text         string // with an empty, indented line for the run
	Line, Column int    // from 1
	Run          string // what was taken out
	Words, Pairs []string
}

func newPlace(after string, r run) *Place {
	lines := strings.Split(after, "\n")
	end := min(r.first+r.count, len(lines))
	if r.first < 0 || r.first >= end {
		return nil
	}
	taken := lines[r.first:end]
	indent := ""
	for _, line := range taken {
		if code := strings.TrimLeft(line, " \t"); strings.TrimSpace(code) != "" {
			indent = line[:len(line)-len(code)]
			break
		}
	}
	left := append(append(append([]string{}, lines[:r.first]...), indent), lines[end:]...)
	p := &Place{Path: r.path, Lang: LanguageOf(r.path), Line: r.first + 1, Column: len(indent) + 1,
		Text: strings.Join(left, "\n"), Run: strings.Join(taken, "\n")}
	_, bare := StripAll(lines[:end], p.Lang)
	p.Words, p.Pairs = asked(strings.Join(bare[r.first:], "\n"), p.Text, p.Lang)
	if len(p.Words) == 0 {
		return nil
	}
	return p
}

// ShortestTarget is the shortest identifier that counts.
const ShortestTarget = 3

// asked are the identifiers of a run, and its pairs of neighbouring words,
// "a b", that the rest of the file does not have.
func asked(run, rest string, lang *Language) (words, pairs []string) {
	here := map[string]bool{}
	EachWord(rest, func(w string) { here[w] = true })
	for _, pair := range neighbours(rest, lang) {
		here[pair] = true
	}
	_, bare := StripAll(strings.Split(run, "\n"), lang)
	for _, w := range WordsOf(strings.Join(bare, "\n")) {
		if len(w) >= ShortestTarget && !lang.Keywords[w] && !here[w] {
			here[w] = true
			words = append(words, w)
		}
	}
	for _, pair := range neighbours(run, lang) {
		if !here[pair] {
			here[pair] = true
			pairs = append(pairs, pair)
		}
	}
	return words, pairs
}

// neighbours are the pairs of consecutive words of code, with strings,
// comments, keywords and punctuation passed over.
func neighbours(text string, lang *Language) []string {
	var out []string
	last := ""
	_, bare := StripAll(strings.Split(text, "\n"), lang)
	for _, line := range bare {
		EachWord(line, func(w string) {
			if lang.Keywords[w] {
				return
			}
			if last != "" {
				out = append(out, last+" "+w)
			}
			last = w
		})
	}
	return out
}

// Before is the file up to the line of the place.
func (p *Place) Before() string {
	lines := strings.SplitAfter(p.Text, "\n")
	return strings.Join(lines[:p.Line-1], "")
}

// Typed is the file with the beginning of the run in it, and where the cursor
// stands then, from 1.
func (p *Place) Typed(part string) (text string, line, column int) {
	lines := strings.SplitAfter(p.Text, "\n")
	after := ""
	if p.Line < len(lines) {
		after = "\n" + strings.Join(lines[p.Line:], "")
	}
	line = p.Line + strings.Count(part, "\n")
	column = len(part) - strings.LastIndexByte(part, '\n')
	return p.Before() + part + after, line, column
}

// around is how many lines above and below a place make the query: 41 in all.
const around = 20

// Query is the text round a place.
func (p *Place) Query() string {
	lines := strings.Split(p.Text, "\n")
	return strings.Join(lines[max(0, p.Line-1-around):min(len(lines), p.Line+around)], "\n")
}
