package clones

import "strings"

// A definition is a named block of lines, found by its first line and its
// indentation: good enough for code that a formatter has seen.
type Definition struct {
	Name        string
	Outer       string // the name of the type or class around it, if any
	First, Last int    // lines from 0, last exclusive
	Function    bool
}

// Definitions are the blocks of a text, outer before inner.
func Definitions(lines []string, lang *Language) []Definition {
	var out []Definition
	code, _ := StripAll(lines, lang)
	for i, line := range lines {
		name := definedOn(code[i], lang)
		if name == "" || strings.TrimSpace(line) == "" {
			continue
		}
		d := Definition{Name: name, First: i, Last: blockEnd(lines, i), Function: opensFunction(code[i], lang)}
		d.Outer = outerName(out, d, lang, code[i])
		out = append(out, d)
	}
	return out
}

// statements begin lines that look like definitions and are none.
var statements = keywordSet("return throw throws new else assert case await yield raise defer go delete typeof")

// controls stand where the name of a function could stand.
var controls = keywordSet("if for while switch catch with function match synchronized do try else super this")

// definedOn is the name that a line defines.
func definedOn(line string, lang *Language) string {
	if words := WordsOf(line); len(words) > 0 && statements[words[0]] {
		return ""
	}
	m := lang.defines.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	for _, name := range m[1:] {
		if name != "" && !controls[name] {
			return name
		}
	}
	return ""
}

// typeWords open what holds functions; the rest that defines is a function.
var typeWords = keywordSet("class interface struct enum trait type impl mod namespace record object union const var let static module")

func opensFunction(line string, lang *Language) bool {
	if lang == script && strings.Contains(line, "=>") {
		return true
	}
	for _, w := range WordsOf(line) {
		switch {
		case w == "func" || w == "def" || w == "fn" || w == "function" || w == "fun":
			return true
		case typeWords[w] && !(lang != Golang && (w == "static" || w == "const")):
			return false
		}
	}
	return lang != Rust && lang != Golang && lang != Python && strings.Contains(line, "(")
}

// outerName is the type of a Go method, else the name of the innermost block
// around a definition.
func outerName(before []Definition, d Definition, lang *Language, line string) string {
	if lang == Golang {
		return receiver(line)
	}
	for i := len(before) - 1; i >= 0; i-- {
		if o := before[i]; !o.Function && o.First < d.First && d.First < o.Last {
			return o.Name
		}
	}
	return ""
}

// receiver is the type that a Go method is defined on.
func receiver(line string) string {
	rest, ok := strings.CutPrefix(line, "func (")
	if !ok {
		return ""
	}
	list, _, _ := strings.Cut(rest, ")")
	list, _, _ = strings.Cut(list, "[")
	words := WordsOf(list)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// blockEnd is the line after the block that a line opens: what is indented
// deeper follows, and what closes it.
func blockEnd(lines []string, first int) int {
	depth, end := indentation(lines[first]), first+1
	for i := first + 1; i < len(lines); i++ {
		trimmed := strings.TrimSpace(lines[i])
		if trimmed == "" {
			continue
		}
		if indentation(lines[i]) > depth {
			end = i + 1
			continue
		}
		if indentation(lines[i]) < depth {
			return end
		}
		switch closes := strings.ContainsRune("})]", rune(trimmed[0])); {
		case closes && strings.ContainsRune("{(:[", rune(trimmed[len(trimmed)-1])), trimmed == "{", strings.HasPrefix(trimmed, "where"):
			end = i + 1 // a signature of several lines goes on
		case closes || trimmed == "end":
			return i + 1
		default:
			return end
		}
	}
	return end
}

// indentation counts a tab as four columns.
func indentation(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}
