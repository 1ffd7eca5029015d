package language

import "strings"

func unquoteScript(literal string) string { return strings.Trim(literal, "\"'`") }

// importing reads an import declaration.
func (j *jsScan) importing(at, end int) int {
	i := at + 1
	line := int(j.lineOf(at))
	if j.tok(i).kind == tString {
		j.imports = append(j.imports, Import{Path: unquoteScript(j.name(i)), Line: line})
		return i + 1
	}
	if j.ch(i) == '(' || j.ch(i) == '.' {
		return i // import(...), import.meta
	}
	var found []Import
	for i < end && j.tok(i).kind != tString && j.ch(i) != ';' {
		switch {
		case j.ch(i) == '*' && j.word(i+1) == kwAs:
			found = append(found, Import{Name: "*", Alias: j.name(i + 2), Line: line})
			i += 3
		case j.ch(i) == '{':
			found = j.importNames(i, found)
			i = j.next(i)
		case j.word(i) == kwFrom && j.tok(i+1).kind == tString:
			i++
		case j.word(i) == kwType && (j.isIdent(i+1) && j.word(i+1) != kwFrom || j.ch(i+1) == '{' || j.ch(i+1) == '*'):
			i++
		case j.isIdent(i) && j.ch(i+1) == '=':
			return j.requireAlias(i, line)
		case j.isIdent(i):
			found = append(found, Import{Name: "default", Alias: j.name(i), Line: line})
			i++
		default:
			i++
		}
	}
	if j.tok(i).kind != tString {
		return i
	}
	for _, im := range found {
		im.Path = unquoteScript(j.name(i))
		j.imports = append(j.imports, im)
	}
	return i + 1
}

// requireAlias reads import x = require("p").
func (j *jsScan) requireAlias(i, line int) int {
	if j.name(i+2) == "require" && j.tok(i+4).kind == tString {
		j.imports = append(j.imports, Import{Path: unquoteScript(j.name(i + 4)), Name: "*", Alias: j.name(i), Line: line})
		return i + 6
	}
	return i + 2
}

// exporting reads what comes after export and declares nothing itself.
func (j *jsScan) exporting(h jsHead, at, end int) int {
	switch {
	case j.ch(at) == '{':
		close := j.closing(at)
		if close < 0 {
			return at + 1
		}
		if j.word(close+1) == kwFrom && j.tok(close+2).kind == tString {
			path := unquoteScript(j.name(close + 2))
			for _, im := range j.importNames(at, nil) {
				im.Path = path
				j.imports = append(j.imports, im)
			}
			return close + 3
		}
		for _, im := range j.importNames(at, nil) {
			j.exports[im.Name] = true
		}
		return close + 1
	case j.ch(at) == '*':
		from := at + 1
		alias := ""
		if j.word(from) == kwAs {
			alias = j.name(from + 1)
			from += 2
		}
		if j.word(from) == kwFrom && j.tok(from+1).kind == tString {
			j.imports = append(j.imports, Import{Path: unquoteScript(j.name(from + 1)), Name: "*", Alias: alias, Line: int(j.lineOf(at))})
			return from + 2
		}
	case h.fallback || j.ch(at) == '=':
		if j.ch(at) == '=' {
			at++
		}
		if j.isIdent(at) {
			j.exports[j.name(at)] = true
		}
	}
	return at
}
