package edits

import (
	"slices"
	"strings"
)

// escapes are what is undone in the added lines of a located hunk, because its old
// lines, or its format, show that the model wrote it by mistake.
type escapes struct {
	tabs     bool // a literal \t among the indentation is a tab
	entities bool
	quotes   bool // \", \' and \` are quotes
}

func (e escapes) undo(text string) string {
	if e.entities {
		text = entities.Replace(text)
	}
	if e.quotes {
		text = quotes.Replace(text)
	}
	if e.tabs {
		text = unescapeTabs(text)
	}
	return text
}

// escapesOf compares a hunk's old lines with the lines of the file that they were
// found at. Each kind of escape is judged alone: one found by an entity may well
// add a \t that is text. It refuses added lines that the old ones leave open.
func (a *applier) escapesOf(b *Block, d *doc, p place) (escapes, *Error) {
	var added []string
	for _, l := range p.lines {
		if l.Op == Add {
			added = append(added, l.Text)
		}
	}
	if p.tier != TierEscapes {
		if entitiesByMistake(p.hunk, added, d.lines) {
			return escapes{}, b.refuse(CodeAmbiguous, "its added lines write < > or & as entities, and nothing in the file does")
		}
		if b.verbatim || a.options.Verbatim || a.options.Exact {
			return escapes{}, nil
		}
		if quotesByMistake(p.hunk, added) {
			return escapes{}, b.refuse(CodeAmbiguous, "its added lines have a backslash before every quote, and the lines that it changes do not show why")
		}
		tabs, refusal := tabsByMistake(b, d, p, added)
		return escapes{tabs: tabs}, refusal
	}
	var e escapes
	for _, kind := range []struct {
		name    string
		escaped func(string) bool // it has such an escape
		plain   func(string) bool // it has what the escape is of, unescaped
		undo    *bool
	}{
		{`a tab as \t`, literalTab, realIndent, &e.tabs},
		{"< > or & as entities", hasEntity, bareMarkup, &e.entities},
		{"quotes with a backslash", hasQuoteEscape, bareQuote, &e.quotes},
	} {
		foreign, lacking := false, false
		for i, text := range p.old {
			file := d.lines[p.at[i]]
			foreign = foreign || kind.escaped(text) && !kind.escaped(file)
			lacking = lacking || !kind.escaped(text) && kind.escaped(file)
		}
		escaped, plain := slices.ContainsFunc(added, kind.escaped), slices.ContainsFunc(added, kind.plain)
		if lacking && (escaped || plain) || foreign && escaped && plain {
			return escapes{}, b.refuse(CodeAmbiguous, "the file and the text it changes differ in %s, and its added lines leave open which is meant", kind.name)
		}
		*kind.undo = foreign && escaped
	}
	if e.quotes && slices.ContainsFunc(added, func(s string) bool { return strings.Contains(s, `\\`) }) {
		return escapes{}, b.refuse(CodeAmbiguous, "its quotes are escaped, and its backslashes may be too")
	}
	return e, nil
}

func literalTab(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), `\t`) }

func realIndent(line string) bool { return !blank(line) && indentOf(line) != "" }

func hasEntity(line string) bool { return entities.Replace(line) != line }

func bareMarkup(line string) bool { return strings.ContainsAny(withoutEntities.Replace(line), "<>&") }

func hasQuoteEscape(line string) bool { return quotes.Replace(line) != line }

// bareQuote reports whether a double quote, which JSON escapes, stands without backslash.
func bareQuote(line string) bool { return strings.Contains(strings.ReplaceAll(line, `\"`, ""), `"`) }

// entitiesByMistake reports whether all of <, > and & in the added lines are
// entities, where the file has no entity, or has a tag that they add as it is and never
// as entities, and the replaced lines do not show which of the two the model was given.
func entitiesByMistake(h hunk, added, file []string) bool {
	all := strings.Join(added, "")
	plain := entities.Replace(all)
	if plain == all || !strings.ContainsAny(plain, "<>&") || bareMarkup(all) || slices.ContainsFunc(file, hasEntity) && !tagsByMistake(all, file) {
		return false
	}
	return !slices.ContainsFunc(h.old, func(line string) bool { return strings.ContainsAny(line, "<>&") })
}

// mostTags bounds how many tags of an answer are looked for in its file.
const mostTags = 64

// tagsByMistake reports whether a text has a tag as entities that a file has as it is, and
// never so.
func tagsByMistake(text string, file []string) bool {
	has := func(part string) bool {
		return slices.ContainsFunc(file, func(line string) bool { return strings.Contains(line, part) })
	}
	for _, piece := range strings.SplitN(text, "&lt;", mostTags+1)[1:] {
		name, _, closed := strings.Cut(piece, "&gt;")
		if closed && has("<"+name+">") && !has("&lt;"+name+"&gt;") {
			return true
		}
	}
	return false
}

// quotesByMistake reports whether all double quotes in the added lines are escaped,
// where no old line has one, escaped or not.
func quotesByMistake(h hunk, added []string) bool {
	escaped := func(line string) bool { return strings.Contains(line, `\"`) }
	return slices.ContainsFunc(added, escaped) && !slices.ContainsFunc(added, bareQuote) &&
		!slices.ContainsFunc(h.old, func(line string) bool { return strings.Contains(line, `"`) })
}

// tabsByMistake reports whether a literal \t with which added lines begin is a tab, as
// formats that are known to produce it have it. One behind a real indentation is text.
// It refuses in all other formats, and where the hunk or the file also indent with real
// white space, or the added lines have other backslashes: then the \t may begin a line of
// a string.
func tabsByMistake(b *Block, d *doc, p place, added []string) (bool, *Error) {
	begins := func(line string) bool { return strings.HasPrefix(line, `\t`) }
	i := slices.IndexFunc(added, begins)
	if i < 0 || usesBackslashes(b.Path, d) {
		return false, nil
	}
	backslash := func(line string) bool { return strings.Contains(strings.TrimLeft(unescapeTabs(line), "\t"), `\`) }
	if !b.escapes || slices.ContainsFunc(added, backslash) || slices.ContainsFunc(added, realIndent) || slices.ContainsFunc(p.old, realIndent) || slices.ContainsFunc(d.lines, func(line string) bool { return realIndent(line) && line[0] == ' ' }) {
		return false, b.refuse(CodeAmbiguous, "%q may begin with a tab or with a backslash", short(added[i]))
	}
	return true, nil
}

// usesBackslashes reports whether a line of the file may well start with \t as
// it stands: in TeX, where it starts a command, or where one does already.
func usesBackslashes(path string, d *doc) bool {
	for _, suffix := range []string{".tex", ".latex", ".sty", ".cls", ".bib", ".bst", ".ins"} {
		if strings.HasSuffix(strings.ToLower(path), suffix) {
			return true
		}
	}
	return slices.ContainsFunc(d.lines, literalTab)
}
