package edits

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kinds of hidden characters: those that cannot be seen, or that make others appear elsewhere.
const (
	HiddenTag       = "tag"       // letters that only programs read
	HiddenBidi      = "bidi"      // marks that reorder what stands around them
	HiddenInvisible = "invisible" // of no width, or blank letters
	HiddenLine      = "line"      // ends of lines that editors show as none
	HiddenControl   = "control"   // for terminals
)

// hiddenTables is the one list of hidden characters; the first that applies names the kind. The
// tables are Unicode's own, so that nothing which it counts as ignorable is missing.
var hiddenTables = []struct {
	kind  string
	table *unicode.RangeTable
}{
	{HiddenTag, &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}}}},
	{HiddenBidi, unicode.Bidi_Control},
	{HiddenLine, unicode.Zl}, {HiddenLine, unicode.Zp},
	{HiddenInvisible, unicode.Cf}, {HiddenInvisible, unicode.Other_Default_Ignorable_Code_Point},
	{HiddenInvisible, &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}}}}, // a pattern of Braille without a dot
}

// HiddenKind returns the kind of a character that a person cannot see, "" for all others. A
// variation selector is none by itself: it belongs to the character before it. Signs that
// enclose the digits behind them are of Unicode's format class, and visible.
func HiddenKind(r rune) string {
	switch {
	case r < 0xA0:
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
			return HiddenControl
		}
		return ""
	case VariationSelector(r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return ""
	}
	for _, t := range hiddenTables {
		if unicode.Is(t.table, r) {
			return t.kind
		}
	}
	return ""
}

// VariationSelector reports whether a character chooses the form of the one before it.
func VariationSelector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// A hidden character is one that is not visible, or that makes others appear in
// another place.
type hidden struct {
	Span
	char   rune
	kind   string
	joiner bool // between two characters that it joins, where it is allowed
}

func (h hidden) finding(path string) Finding {
	f := Finding{
		Path: path, Span: h.Span, Kind: h.kind, Severity: "error", Name: fmt.Sprintf("U+%04X", h.char),
		Message: fmt.Sprintf("The new text of %s holds the hidden character U+%04X, which makes it read other than it is; remove it.", path, h.char),
	}
	if h.joiner {
		f.Severity = "warning"
	}
	return f
}

// hiddenFindings lists the characters of the new text that cannot be seen and
// that the text before did not have, or had less often.
func hiddenFindings(f FileChange) []Finding {
	if f.AbsentAfter || f.Before == f.After {
		return nil
	}
	var out []Finding
	if !f.AbsentBefore && strings.HasPrefix(f.After, byteOrderMark) && !strings.HasPrefix(f.Before, byteOrderMark) {
		out = append(out, hidden{Span: Span{0, len(byteOrderMark)}, char: 0xFEFF, kind: HiddenInvisible}.finding(f.Path))
	}
	start, _, end := middle(f.Before, f.After)
	if len(hiddenIn(f.After[start:end])) == 0 {
		return out // nothing else that is hidden is in the lines that changed
	}
	had := map[rune]int{}
	for _, h := range hiddenIn(f.Before) {
		had[h.char]++
	}
	all := hiddenIn(f.After)
	more := map[rune]int{}
	for _, h := range all {
		more[h.char]++
	}
	changed := changedSpans(f)
	for _, h := range all {
		inChange := slices.ContainsFunc(changed, func(sp Span) bool { return sp.touches(h.Span) })
		if more[h.char] > had[h.char] && inChange {
			out = append(out, h.finding(f.Path))
		}
	}
	return out
}

// hiddenIn lists the hidden characters of a text. A byte order mark at its
// start is none, and one variation selector alone is none.
func hiddenIn(s string) []hidden {
	var out []hidden
	var last rune
	for i := skipVisible(s, 0); i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		kind := HiddenKind(r)
		if VariationSelector(r) && VariationSelector(last) {
			kind = HiddenInvisible
		}
		if kind != "" && !(r == 0xFEFF && i == 0) {
			out = append(out, hidden{Span: Span{i, i + n}, char: r, kind: kind, joiner: joins(r, last)})
		}
		last = r
		if next := skipVisible(s, i+n); next > i+n {
			i, last = next, 0
		} else {
			i += n
		}
	}
	return out
}

// joins reports whether a joiner of no width follows a character that it may join to the next:
// an emoji, or a letter of a script that needs joiners.
func joins(r, last rune) bool {
	if r != 0x200C && r != 0x200D {
		return false
	}
	return unicode.In(last, unicode.So, unicode.Sk, unicode.Variation_Selector, unicode.Arabic, unicode.Syriac, unicode.Mongolian,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala)
}

func skipVisible(s string, i int) int {
	for i < len(s) && s[i] < utf8.RuneSelf && HiddenKind(rune(s[i])) == "" {
		i++
	}
	return i
}

// lookalikes are scripts whose letters look like Latin ones.
var lookalikes = []*unicode.RangeTable{unicode.Cyrillic, unicode.Armenian, unicode.Cherokee, unicode.Lisu, unicode.Coptic}

// greekLookalikes are the Greek letters that look like Latin ones: the others are usual in names
// of mathematics.
const greekLookalikes = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορικυχ"

// KindMixedScript is the kind of a finding about a word of two scripts, which a verdict says though
// it passes.
const KindMixedScript = "mixed_script"

// mixedFindings lists new words of Latin letters that hold a letter of another script which
// looks like one.
func mixedFindings(f FileChange) []Finding {
	if f.AbsentAfter || f.Before == f.After {
		return nil
	}
	named := 0
	if f.AbsentBefore { // its name is new as well
		named = len(f.Path) + 1
		f.After = f.Path + "\n" + f.After
	}
	start, _, end := middle(f.Before, f.After)
	var out []Finding
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	for at := start; at < end; {
		r, n := utf8.DecodeRuneInString(f.After[at:])
		if r < utf8.RuneSelf || !strings.ContainsRune(greekLookalikes, r) && !unicode.In(r, lookalikes...) {
			at += n
			continue
		}
		from := strings.LastIndexFunc(f.After[:at], func(r rune) bool { return !letter(r) })
		if from >= 0 {
			_, size := utf8.DecodeRuneInString(f.After[from:])
			from += size
		}
		from = max(from, 0)
		to := at + max(0, strings.IndexFunc(f.After[at:]+" ", func(r rune) bool { return !letter(r) }))
		word := f.After[from:to]
		latin := strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
		if latin && !strings.Contains(f.Before, word) {
			out = append(out, Finding{Path: f.Path, Span: Span{max(from-named, 0), max(to-named, 0)}, Kind: KindMixedScript, Severity: "warning", Name: word,
				Message: fmt.Sprintf("The new word %q of %s holds %q (U+%04X), which is no Latin letter.", word, f.Path, r, r)})
		}
		at = to
	}
	return out
}
