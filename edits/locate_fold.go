package edits

import (
	"strings"
	"unicode"
)

// A Tier is how loosely a block's old text was matched with the file, from the
// strictest to the loosest.
type Tier string

// The tiers, in the order in which they are tried.
const (
	TierExact      Tier = "exact"
	TierTrailing   Tier = "trailing_space" // white space at line ends is ignored
	TierPrefix     Tier = "prefix"         // context lines have lost the space before them
	TierIndent     Tier = "indent"         // all lines are indented more, or less, by the same
	TierTrim       Tier = "trim"           // white space around lines is ignored
	TierUnicode    Tier = "unicode"        // typographic dashes, quotes and spaces equal their ASCII forms
	TierEscapes    Tier = "escapes"        // \t, \n and XML entities equal the characters they represent
	TierWhitespace Tier = "whitespace"     // white space anywhere is ignored, line ends included
	TierFuzzy      Tier = "fuzzy"          // similar lines
)

// A folding maps a line to the string in which its tier compares.
type folding struct {
	tier Tier
	fold func(string) string // nil keeps a line as it is
	// end ends each folded line; without it, line ends are white space like any other.
	end string
	// admits judges the file's lines that are equal when folded; nil admits all.
	admits func(h hunk, file []string, signed bool) bool
}

// all folds lines.
func (f folding) all(lines []string) []string {
	if f.fold == nil {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = f.fold(line)
	}
	return out
}

// foldings compare line by line, from the strictest to the loosest.
var foldings = []folding{
	exact,
	{TierTrailing, func(s string) string { return strings.TrimRight(s, " \t\f\v") }, "\n", nil},
	{TierPrefix, strings.TrimSpace, "\n", lostPrefix},
	{TierIndent, strings.TrimSpace, "\n", uniformShift},
	trimming,
	punctuation,
	{TierEscapes, foldEscapes, "\n", nil},
}

// The foldings that are used by name: typing keeps white space. Lines and "@@" lines that are only similar are
// compared by punctuation.
var (
	exact       = folding{TierExact, nil, "\n", nil}
	trimming    = folding{TierTrim, strings.TrimSpace, "\n", nil}
	punctuation = folding{TierUnicode, foldUnicode, "\n", nil}
	typing      = folding{TierUnicode, foldType, "\n", nil}
	squeezing   = folding{TierWhitespace, squeeze, "", nil}
	similarity  = folding{TierFuzzy, foldUnicode, "\n", nil}
)

// lostPrefix reports whether the file's lines are the old lines, but for a space
// that context lines lack: it was taken for their sign.
func lostPrefix(h hunk, file []string, signed bool) bool {
	for i, text := range h.old {
		have, want := indentOf(text), indentOf(file[i])
		if !blank(text) && have != want && (h.ops[i] != Keep || " "+have != want) {
			return false
		}
	}
	return signed
}

// uniformShift reports whether the file's lines are the old lines all indented
// by one more prefix, or all by one less.
func uniformShift(h hunk, file []string, _ bool) bool {
	var shift *indentShift
	for i, text := range h.old {
		if blank(text) {
			continue
		}
		s, ok := indentPair{indentOf(text), indentOf(file[i])}.difference()
		if !ok || shift != nil && s != *shift {
			return false
		}
		shift = &s
	}
	return true
}

// asciiForms maps typographic punctuation to what models type instead.
var asciiForms = map[rune]rune{
	'\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2015': '-', '\u2212': '-',
	'\u201c': '"', '\u201d': '"', '\u201e': '"', '\u201f': '"', '\u00ab': '"', '\u00bb': '"',
	'\u2018': '\'', '\u2019': '\'', '\u201a': '\'', '\u201b': '\'',
	'\u00a0': ' ', '\u202f': ' ', '\u2007': ' ', '\u2009': ' ', '\u200a': ' ', '\u3000': ' ',
	'\u2002': ' ', '\u2003': ' ', '\u2004': ' ', '\u2005': ' ', '\u2006': ' ', '\u2008': ' ', '\u205f': ' ',
}

func foldRune(r rune) rune {
	if ascii, ok := asciiForms[r]; ok {
		return ascii
	}
	return r
}

func foldUnicode(s string) string { return strings.TrimSpace(foldType(s)) }

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&apos;", "'", "&#39;", "'", "&amp;", "&")

// withoutEntities removes them.
var withoutEntities = strings.NewReplacer("&lt;", "", "&gt;", "", "&quot;", "", "&#34;", "", "&apos;", "", "&#39;", "", "&amp;", "")

func foldEscapes(s string) string {
	s = foldUnicode(s)
	for strings.HasPrefix(s, `\t`) {
		s = strings.TrimSpace(s[2:])
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = entities.Replace(s)
	}
	if strings.IndexByte(s, '\\') >= 0 {
		s = quotes.Replace(s)
	}
	return s
}

// quotes undoes the escaping of quotes, which models keep from their JSON by
// mistake.
var quotes = strings.NewReplacer(`\"`, `"`, `\'`, "'", "\\`", "`")

// unescapeTabs turns each literal \t among the indentation or comment signs
// that a line starts with into a tab.
func unescapeTabs(line string) string {
	i := 0
	for i < len(line) {
		if strings.HasPrefix(line[i:], `\t`) {
			i += 2
		} else if c := line[i]; c == ' ' || c == '\t' || c == '/' || c == '#' {
			i++
		} else {
			break
		}
	}
	return strings.ReplaceAll(line[:i], `\t`, "\t") + line[i:]
}

// squeeze removes all white space.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
