package nextedit

import (
	"cmp"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace/language"
)

// A LostImport is an import that a change took the last use of.
type LostImport struct {
	Name string
	Span edits.Span // of the text after the change, which goes with it
}

// maxCut is how many lines may go, with nothing in their place, until they are probably a block that
// is moved: what it used is needed again where it comes.
const maxCut = 2

// LostImports are the imports of a file that were used before a change of it and are not any more,
// by every word of the text: a name in a comment, or in a string, may be a use.
func LostImports(path, before, after string) (out []LostImport) {
	lang := language.OfFile(path)
	if !bindsNames[lang] || strings.HasSuffix(path, "__init__.py") || max(len(before), len(after)) > source.MaxFile {
		return nil
	}
	cut := "" // the lines that are maybe moved
	for _, h := range edits.LineHunks(before, after) {
		if h.End-h.Start > len(h.Lines)+maxCut {
			cut += strings.Join(edits.SplitLines(before)[h.Start:h.End], "\n")
		}
	}
	byLine := map[int][]string{}
	var lines []int
	for _, im := range language.Scan(lang, path, after).Imports {
		if byLine[im.Line] == nil {
			lines = append(lines, im.Line)
		}
		byLine[im.Line] = append(byLine[im.Line], boundBy(lang, im))
	}
	for _, line := range lines {
		names, statement := byLine[line], statementAt(after, line)
		var lost []string
		for _, name := range names {
			elsewhere := countWords(after, name) - countWords(after[statement.Start:statement.End], name)
			was := countWords(before, name) > countWords(after, name) && edits.IndexWord(cut, name, 0) < 0
			if name != "" && name != "*" && elsewhere == 0 && was && !(name == "React" && strings.HasSuffix(lang, "react")) {
				lost = append(lost, name)
			}
		}
		switch {
		case len(lost) == len(names) && len(lost) > 0:
			out = append(out, LostImport{strings.Join(lost, ", "), withBlank(after, statement)})
		case lang != "go":
			for _, name := range lost {
				if span, ok := element(after, statement, name); ok {
					out = append(out, LostImport{name, span})
				}
			}
		}
	}
	return out
}

// boundBy is the name that an import gives its file; "" if it is not known.
func boundBy(lang string, im language.Import) string {
	switch first, _, dotted := strings.Cut(im.Path, "."); {
	case im.Path == "__future__":
		return ""
	case im.Alias != "" || im.Name != "":
		return cmp.Or(im.Alias, im.Name)
	case lang == "python":
		return first
	case lang == "go" && (dotted && !strings.Contains(first, "/") && strings.Count(im.Path, "/") < 2 || strings.HasPrefix(source.LastPart(im.Path), "v")):
		return "" // of a name that its package says
	case lang == "go":
		return source.LastPart(im.Path)
	}
	return "" // for what it does
}

// statementAt is the statement that begins on a line, with the end of its last line.
func statementAt(text string, line int) edits.Span {
	from := linesAhead(text, line-1)
	to := from + linesAhead(text[from:], 1)
	if open := strings.IndexAny(text[from:to], "({"); open >= 0 && !strings.ContainsAny(text[from+open:to], ")}") {
		if end := strings.IndexAny(text[to:], ")}"); end >= 0 {
			to += end
			to += linesAhead(text[to:], 1)
		}
	}
	return edits.Span{Start: from, End: to}
}

// withBlank is a statement with the blank line behind it, if it stands alone between two.
func withBlank(text string, s edits.Span) edits.Span {
	above := s.Start == 0 || strings.HasSuffix(text[:s.Start], "\n\n")
	if above && strings.HasPrefix(text[s.End:], "\n") {
		s.End++
	}
	return s
}

// element is a name in the list of an import, with its comma.
func element(text string, s edits.Span, name string) (edits.Span, bool) {
	at := -1
	for i := edits.IndexWord(text[:s.End], name, s.Start); i >= 0; i = edits.IndexWord(text[:s.End], name, i+1) {
		at = i
	}
	if at < 0 {
		return edits.Span{}, false
	}
	end := at + len(name)
	from := s.Start + strings.LastIndexAny(text[s.Start:at], ",{(") // the sign before the element
	if from < s.Start {
		if i := strings.LastIndex(text[s.Start:at], "import "); i >= 0 {
			from = s.Start + i + len("import")
		}
	}
	rest := text[end:s.End]
	switch next := strings.TrimLeft(rest, " \t\r\n"); {
	case from < s.Start:
	case strings.HasPrefix(next, ","):
		begin := from + 1 + len(text[from+1:at]) - len(strings.TrimLeft(text[from+1:at], " \t\r\n"))
		behind := end + len(rest) - len(next) + 1
		behind += len(text[behind:s.End]) - len(strings.TrimLeft(text[behind:s.End], " \t\r\n"))
		return edits.Span{Start: begin, End: behind}, true
	case text[from] == ',':
		return edits.Span{Start: from, End: end}, true
	}
	return edits.Span{}, false
}

// countWords counts how often a text has a word.
func countWords(text, word string) (n int) {
	if word == "" {
		return 0
	}
	for i := edits.IndexWord(text, word, 0); i >= 0; i = edits.IndexWord(text, word, i+len(word)) {
		n++
	}
	return n
}
