package obvious

import (
	"regexp"
	"strings"

	"tandem/workspace/language"
)

// checks are the lines after which a function often ends early, by family.
var checks = map[string]*regexp.Regexp{
	"python": regexp.MustCompile(`^(?:el)?if (?:not [\w.]+(?:\[[^\]]*\]|\([^)]*\))?|[\w.]+(?:\[[^\]]*\]|\([^)]*\))? is None)(?: (?:and|or) .*)?:$`),
	"script": regexp.MustCompile(`^(?:\} else )?if \((?:![\w.?]+(?:\[[^\]]*\]|\([^)]*\))?|[\w.?]+ ={2,3} (?:null|undefined))(?: (?:&&|\|\|) .*)?\) \{$`),
}

// ends are the statements that end a function early.
var ends = regexp.MustCompile(`^(?:return|raise|throw|continue|break)\b`)

// early suggests the statement that ends a function after a check for nothing: what the
// function's other checks do, what its declared result has for nothing, or what the
// document's checks do.
func (l *layout) early() []Candidate {
	check := checks[l.family]
	if check == nil || len(l.above) == 0 || !check.MatchString(strings.TrimSpace(l.above[len(l.above)-1])) || l.opener() != len(l.above)-1 {
		return nil
	}
	fn, in := l.within(language.Kind.IsFunc)
	if !in {
		return nil
	}
	own, all := map[string]float64{}, map[string]float64{}
	owns, others := 0.0, 0.0
	collect := func(lines []string, first int) {
		for i := 1; i < len(lines); i++ {
			line := strings.TrimSpace(lines[i])
			if !ends.MatchString(line) || !check.MatchString(strings.TrimSpace(lines[i-1])) || strings.ContainsAny(line, "\"'`") || strings.ContainsAny(line[len(line)-1:], "([{") {
				continue
			}
			if at := first + i; at >= fn.StartLine && at <= fn.EndLine {
				own[line]++
				owns++
			} else {
				all[line]++
				others++
			}
		}
	}
	collect(l.above, 1)
	collect(l.below, len(l.above)+2)
	empty := l.empties(fn.Type)
	var out []Candidate
	seen := map[string]bool{}
	put := func(line string) {
		if seen[line] || line == "" {
			return
		}
		seen[line] = true
		sure := 0.0
		if owns > 0 {
			sure = 0.7 * own[line] / owns * min(owns+1, 4) / 4
		}
		for _, e := range empty {
			if e.line == line {
				sure = max(sure, e.sure) + 0.1
			}
		}
		if others > 0 {
			sure += 0.3 * all[line] / others * min(others, 4) / 4
		}
		out = append(out, Candidate{Text: line, Confidence: min(sure, 0.95)})
	}
	for line := range own {
		put(line)
	}
	for _, e := range empty {
		put(e.line)
	}
	if fn.Type == "" {
		for line := range all {
			put(line)
		}
	}
	return out
}

// optional unwraps a type that may be nothing.
var optional = regexp.MustCompile(`^(?:typing\.)?Optional\[(.*)\]$`)

// An empty is the return of what a type has for nothing, and how likely it is right after a
// check where nothing else is known.
type empty struct {
	line string
	sure float64
}

// A nothing is what types have for nothing.
type nothing struct {
	value string
	sure  float64
}

// emptyOf are the values for nothing of Python's types, by their names in lower case.
var emptyOf = map[string][]nothing{
	"bool": {{"False", 0.4}, {"True", 0.15}}, "str": {{`""`, 0.1}}, "bytes": {{`b""`, 0.2}}, "int": {{"0", 0.15}}, "float": {{"0", 0.1}},
	"list": {{"[]", 0.3}}, "sequence": {{"[]", 0.2}}, "dict": {{"{}", 0.25}}, "mapping": {{"{}", 0.2}}, "set": {{"set()", 0.3}}, "tuple": {{"()", 0.15}},
	"iterator": {{"", 0.4}}, "generator": {{"", 0.4}}, "asyncgenerator": {{"", 0.4}}, "asynciterator": {{"", 0.4}}, "iterable": {{"[]", 0.2}},
}

// empties are the returns of what a declared result type has for nothing, the likeliest
// first.
func (l *layout) empties(typ string) []empty {
	typ = strings.Trim(strings.TrimSpace(typ), `"'`)
	values := l.scriptNothing(typ)
	if l.family == "python" {
		values = pythonNothing(typ)
	}
	end := ""
	if l.family == "script" && l.semicolons() {
		end = ";"
	}
	var out []empty
	for _, v := range values {
		out = append(out, empty{strings.TrimSpace("return "+v.value) + end, v.sure})
	}
	return out
}

func pythonNothing(typ string) []nothing {
	if typ == "" || typ == "None" {
		return []nothing{{"", 0.3}}
	}
	if optional.MatchString(typ) || hasPart(typ, "None") {
		return []nothing{{"None", 0.45}}
	}
	head, _, _ := strings.Cut(typ, "[")
	return emptyOf[strings.ToLower(head[strings.LastIndexByte(head, '.')+1:])]
}

func (l *layout) scriptNothing(typ string) []nothing {
	if inner, ok := strings.CutPrefix(typ, "Promise<"); ok {
		typ = strings.TrimSuffix(inner, ">")
	}
	switch {
	case hasPart(typ, "null"):
		return []nothing{{"null", 0.45}}
	case hasPart(typ, "undefined"):
		return []nothing{{"undefined", 0.3}, {"", 0.3}}
	case hasPart(typ, "void"):
		return []nothing{{"", 0.45}}
	case typ == "boolean":
		return []nothing{{"false", 0.4}, {"true", 0.15}}
	case typ == "string":
		return []nothing{{"''", 0.1}}
	case typ == "number":
		return []nothing{{"0", 0.15}}
	case strings.HasSuffix(typ, "[]") || strings.HasPrefix(typ, "Array<"):
		return []nothing{{"[]", 0.3}}
	case strings.HasPrefix(typ, "Record<"):
		return []nothing{{"{}", 0.25}}
	case typ == "":
		return []nothing{{"", 0.3}}
	}
	return nil
}

// hasPart reports whether a union has a part, by its own bars.
func hasPart(union, part string) bool {
	depth, from := 0, 0
	for i := range len(union) + 1 {
		if i == len(union) || union[i] == '|' && depth == 0 {
			if strings.TrimSpace(union[from:i]) == part {
				return true
			}
			from = i + 1
			continue
		}
		switch union[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		}
	}
	return false
}

// semicolons reports whether the document ends its statements with them.
func (l *layout) semicolons() bool {
	with, without := 0, 0
	for _, line := range l.above {
		switch line = strings.TrimSpace(line); {
		case strings.HasSuffix(line, ";"):
			with++
		case strings.HasSuffix(line, ")") || strings.HasSuffix(line, "'"):
			without++
		}
	}
	return with > without
}
