package obvious

import (
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

var (
	matchCase  = regexp.MustCompile(`^case ([\w.]+|'[^']*'|"[^"]*"):`)
	propertyOf = regexp.MustCompile(`^(?:readonly )?(\w+)(?:(?:: .*[^{(\[])?,|: \S.*)$`)
	keywordArg = regexp.MustCompile(`^(\w+)=(.*),$`)
	typedConst = regexp.MustCompile(`(?:const|let|var) \w+: ([\w.]+)(?:<.*>)? = \{$`)
	calledWith = regexp.MustCompile(`([\w.]+)\($`)
	returned   = regexp.MustCompile(`^return \{$`)
	selected   = regexp.MustCompile(`^([\w.]+)\.(\w+)$`)
)

// listedCases suggests the next member of the enumeration, or of the union of texts, that
// the cases around the cursor are of.
func (l *layout) listedCases() []Candidate {
	at := l.opener()
	if at < 0 {
		return nil
	}
	header := strings.TrimSpace(l.above[at])
	if !strings.HasPrefix(header, "switch ") && !strings.HasPrefix(header, "match ") {
		return nil
	}
	above, below := l.body(at)
	var used []string
	previous := ""
	for i, line := range append(slices.Clip(above), below...) {
		if m := matchCase.FindStringSubmatch(line); m != nil {
			used = append(used, m[1])
			if i < len(above) {
				previous = m[1]
			}
		}
	}
	if previous == "" {
		return nil
	}
	return l.next(l.casesLike(previous, used), previous, used, func(name string) string { return "case " + name + ":" })
}

// next suggests the first of all that follows the previous one and is not used, with a line
// made of it.
func (l *layout) next(all []string, previous string, used []string, line func(string) string) []Candidate {
	var left []string
	first := 0
	for i, name := range all {
		if name == previous {
			first = len(left)
		}
		if !slices.Contains(used, name) && !slices.Contains(all[:i], name) {
			left = append(left, name)
		}
	}
	var out []Candidate
	for i := range left {
		name := left[(first+i)%len(left)]
		sure := 0.9
		if len(left) > 1 {
			sure = 0.65 / float64(i+1)
		}
		if text := line(name); text != "" {
			out = append(out, Candidate{Text: text, Confidence: sure})
		}
		if i == 2 {
			break
		}
	}
	return out
}

// casesLike are the members of the enumeration or union that a case is of.
func (l *layout) casesLike(one string, used []string) []string {
	if m := selected.FindStringSubmatch(one); m != nil {
		d, ok := l.defined(m[1])
		if !ok || !d.Kind.IsType() {
			return nil
		}
		var out []string
		for _, member := range l.membersOf(d) {
			if k := member.Kind; k == language.KindEnumMember || k == language.KindField || k == language.KindConst {
				out = append(out, m[1]+"."+member.Name)
			}
		}
		return out
	}
	if one[0] != '\'' && one[0] != '"' {
		return nil
	}
	ix := l.corpus.Index()
	from, ok := ix.FileID(l.path)
	if !ok {
		return nil
	}
	files := []index.FileID{from}
	for _, im := range ix.Imports(from) {
		files = append(files, index.Resolve(ix, from, im)...)
	}
	for i, file := range files {
		if i == maxDefinitions {
			break
		}
		for _, d := range ix.Defs(file) {
			if d.Kind == language.KindType || d.Kind == language.KindVar {
				if parts := texts(d.Type); len(parts) > 1 && holdsAll(parts, used) {
					return quotedAs(parts, one)
				}
			}
		}
	}
	return nil
}

// texts are the string literals that a union consists of, without quotes.
func texts(union string) []string {
	if inner, ok := strings.CutPrefix(union, "Literal["); ok {
		union = strings.ReplaceAll(strings.TrimSuffix(inner, "]"), ",", "|")
	}
	var out []string
	for part := range strings.SplitSeq(union, "|") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if len(part) < 2 || part[0] != '\'' && part[0] != '"' || part[len(part)-1] != part[0] {
			return nil
		}
		out = append(out, part[1:len(part)-1])
	}
	return out
}

func holdsAll(parts, used []string) bool {
	return !slices.ContainsFunc(used, func(u string) bool { return !slices.Contains(parts, strings.Trim(u, `'"`)) })
}

// quotedAs writes texts in the quotes of one.
func quotedAs(parts []string, one string) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = one[:1] + p + one[:1]
	}
	return out
}

// listedFields suggests the property that an object of a declared type lacks, or the keyword
// argument that a call lacks, where its value shows: a name in scope, or a member of what
// the others select from.
func (l *layout) listedFields() []Candidate {
	at := l.opener()
	if at < 0 {
		return nil
	}
	header := strings.TrimSpace(l.above[at])
	pattern, typ := propertyOf, ""
	switch {
	case l.family == "python":
		pattern = keywordArg
		if m := calledWith.FindStringSubmatch(header); m != nil {
			typ = m[1]
		}
	case typedConst.MatchString(header):
		typ = typedConst.FindStringSubmatch(header)[1]
	case returned.MatchString(header):
		fn, _ := l.within(language.Kind.IsFunc)
		typ = strings.TrimSuffix(strings.TrimPrefix(fn.Type, "Promise<"), ">")
	}
	if typ == "" {
		return nil
	}
	above, below := l.body(at)
	var used []string
	previous, plain := "", 0
	bases := map[string]int{}
	for i, line := range append(slices.Clip(above), below...) {
		m := pattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		used = append(used, m[1])
		if i < len(above) {
			previous = m[1]
		}
		value := strings.TrimSuffix(strings.TrimSpace(strings.TrimLeft(line[len(m[1]):], ":= ")), ",")
		switch s := selected.FindStringSubmatch(value); {
		case s != nil && s[2] == m[1]:
			bases[s[1]]++
		case value == "" || value == m[1]:
			plain++
		}
	}
	scope := l.inScope()
	return l.next(l.fieldsOf(typ), previous, used, func(name string) string {
		value := ""
		switch base, n := most(bases); {
		case scope[name]:
			value = name
		case n > 0 && 2*n > len(used)-plain:
			value = base + "." + name
		default:
			return ""
		}
		switch {
		case l.family == "python":
			return name + "=" + value + ","
		case value == name:
			return name + ","
		}
		return name + ": " + value + ","
	})
}

func most(count map[string]int) (best string, n int) {
	for name, c := range count {
		if c > n || c == n && name < best {
			best, n = name, c
		}
	}
	return best, n
}

// fieldsOf are the properties of a type, or the parameters of a function, in order.
func (l *layout) fieldsOf(typ string) []string {
	d, ok := l.defined(typ[strings.LastIndexByte(typ, '.')+1:])
	if !ok {
		return nil
	}
	if d.Kind.IsFunc() {
		return d.Params
	}
	var out []string
	for _, m := range l.membersOf(d) {
		if m.Kind == language.KindConstructor || m.Name == "__init__" {
			return m.Params
		}
		if k := m.Kind; k == language.KindField || k == language.KindProperty && l.family == "script" {
			out = append(out, m.Name)
		}
	}
	return out
}
