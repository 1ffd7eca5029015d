package nextedit

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/dynamic"
	"tandem/workspace/language"
)

// A codeToken is a token of code.
type codeToken struct {
	text       string
	start, end int
	name       bool
}

// A codeFile is a file of code, by what its names are bound to where that is read, and else by
// its tokens.
type codeFile struct {
	lang, src string
	names     *dynamic.File // nil is not read
	tokens    []codeToken
	lines     []int // where they begin
}

func readCode(lang, src string) *codeFile {
	f := &codeFile{lang: lang, src: src, names: dynamic.Read(lang, src), lines: language.LineStarts(src)}
	if f.names == nil {
		f.tokens = tokensOf(lang, src)
	}
	return f
}

func tokensOf(lang, src string) (out []codeToken) {
	for _, t := range language.Tokens(lang, src) {
		switch t.Kind {
		case language.Name, language.Number, language.Operator, language.Other:
			out = append(out, codeToken{src[t.Start:t.End], t.Start, t.End, t.Kind == language.Name})
		case language.String:
			out = append(out, codeToken{`""`, t.Start, t.End, false})
		}
	}
	return out
}

// line is that of a place, counted from 1.
func (f *codeFile) line(o dynamic.Occurrence) int {
	i, found := slices.BinarySearch(f.lines, o.Start)
	if found {
		i++
	}
	return i
}

// occurrences are the places where the file has a name.
func (f *codeFile) occurrences(name string) (out []dynamic.Occurrence) {
	if f.names != nil {
		return f.names.Of(name)
	}
	for i, t := range f.tokens {
		if !t.name || t.text != name {
			continue
		}
		o := dynamic.Occurrence{Span: edits.Span{Start: t.start, End: t.end}, Called: f.text(i+1) == "("}
		switch {
		case f.dotted(i):
			if o.Role = dynamic.Member; !f.dotted(i - 2) {
				o.Object = f.text(i - 2)
			}
		case f.key(i):
			o.Role = dynamic.Key
		}
		out = append(out, o)
	}
	return out
}

// assigned are the lines of Go in which a name gets a value as a variable of its own.
func (f *codeFile) assigned(name string) (out []int) {
	for i, t := range f.tokens {
		first := i == 0 || f.lineOf(i-1) != f.lineOf(i)
		if t.name && t.text == name && !f.dotted(i) && (declaring[f.text(i-1)] || f.text(i+1)+f.text(i+2) == ":=" || f.text(i+1) == "," && first) {
			out = append(out, f.lineOf(i))
		}
	}
	return out
}

func (f *codeFile) lineOf(i int) int {
	return f.line(dynamic.Occurrence{Span: edits.Span{Start: f.tokens[i].start}})
}

// text is that of a token, "" before the first and behind the last.
func (f *codeFile) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return f.tokens[i].text
}

// dotted reports whether a token names a member.
func (f *codeFile) dotted(i int) bool {
	switch before := f.text(i - 1); before {
	case ".", "?.":
		return true
	default:
		return f.text(i-2)+before == "->" || f.text(i-2)+before == "::"
	}
}

// key reports whether a token is the key of a literal.
func (f *codeFile) key(i int) bool {
	before := f.text(i - 1)
	return (before == "{" || before == ",") && f.text(i+1) == ":" && f.text(i+2) != "="
}
