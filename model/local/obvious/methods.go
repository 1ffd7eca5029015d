package obvious

import (
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

var (
	asserted   = regexp.MustCompile(`^(?:var )?_ +([\w.]+)(?:\[.*\])? += (?:\(\*(\w+)(?:\[.*\])?\)\(nil\)|&(\w+)(?:\[.*\])?\{\}|(\w+)(?:\[.*\])?\{\}|new\((\w+)\))`)
	implements = regexp.MustCompile(`^(?:export )?(?:default )?(?:abstract )?class \w+.* implements ([\w, .<>]+) \{$`)
	derived    = regexp.MustCompile(`^class \w+\(([\w., \[\]]+)\):$`)
	receiverOf = regexp.MustCompile(`^func \((\w+) (\*?)(\w+)(\[.*\])?\) (\w+)\(`)
)

// lacking suggests the head of the next method that a type lacks for what it is declared to
// be: the interface that a Go declaration asserts, that a class implements, or the abstract
// methods of a Python base class.
func (l *layout) lacking() []Candidate {
	switch l.family {
	case "go":
		if l.indent == "" && (l.typed == "" || strings.HasPrefix(l.typed, "func (") || strings.HasPrefix("func (", l.typed)) && between(l.above) {
			return l.goMethods()
		}
	case "python", "script":
		if l.indent != "" {
			return l.classMethods()
		}
	}
	return nil
}

// between reports whether the lines above end between declarations.
func between(above []string) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch line := above[i]; {
		case line == "" || strings.HasPrefix(line, "//"):
		default:
			return line[0] == '}' || line[0] == ')' || strings.HasPrefix(line, "var ") || strings.HasPrefix(line, "type ") || strings.HasPrefix(line, "func ") && strings.HasSuffix(line, "}")
		}
	}
	return false
}

// goMethods suggests the next method of an asserted interface: of the type whose method is
// directly above, else of the last assertion.
func (l *layout) goMethods() []Candidate {
	wants := map[string][]string{} // interfaces by type
	order := []string{}
	pointer := map[string]bool{}
	have := map[string][]string{}
	receiver, near := map[string]string{}, ""
	read := func(lines []string, above bool) {
		for _, line := range lines {
			if m := asserted.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				typ := m[2] + m[3] + m[4] + m[5]
				wants[typ], order = append(wants[typ], m[1]), append(order, typ)
				pointer[typ] = pointer[typ] || m[4] == ""
			}
			if m := receiverOf.FindStringSubmatch(line); m != nil {
				have[m[3]] = append(have[m[3]], m[5])
				receiver[m[3]] = m[1] + " " + m[2] + m[3] + m[4]
				if above {
					near = m[3]
				}
			}
		}
	}
	read(l.above, true)
	read(l.below, false)
	if len(wants[near]) == 0 {
		if near != "" || len(order) == 0 {
			return nil
		}
		near = order[len(order)-1]
	}
	if receiver[near] == "" {
		star := ""
		if pointer[near] {
			star = "*"
		}
		receiver[near] = strings.ToLower(near[:1]) + " " + star + near
	}
	s := &world{corpus: l.corpus, installed: l.installed, path: l.path, before: strings.Join(l.above, "\n")}
	for _, d := range s.methodsOf(near) { // the type's methods in the package's other files
		if l.corpus.Index().Path(d.File) != l.path {
			have[near] = append(have[near], d.Name)
		}
	}
	var names []string
	heads := map[string]string{}
	for _, typ := range wants[near] {
		for _, m := range s.interfaceMethods(typ, 0) {
			names = append(names, m.name)
			heads[m.name] = "func (" + receiver[near] + ") " + m.name + m.typ + " {"
		}
	}
	previous := ""
	for _, name := range have[near] {
		if slices.Contains(names, name) {
			previous = name
		}
	}
	return l.next(names, previous, have[near], func(name string) string { return heads[name] })
}

// maxEmbedded is how deep embedded interfaces are followed.
const maxEmbedded = 4

// interfaceMethods are the methods of an interface with their parameters and results as the
// document writes them.
func (s *world) interfaceMethods(typ string, depth int) []member {
	if depth == maxEmbedded {
		return nil
	}
	_, name := cutPackage(typ)
	var out []member
	for _, d := range s.lookup(typ) {
		if d.Kind != language.KindInterface {
			continue
		}
		for _, m := range d.ix.Defs(d.File) {
			if m.Container != name || m.StartLine < d.StartLine || m.EndLine > d.EndLine {
				continue
			}
			if m.Kind == language.KindMethod {
				text := strings.TrimSpace(d.ix.SigText(m.ID))
				text, _, _ = strings.Cut(text, " // ")
				if rest, ok := strings.CutPrefix(text, m.Name); ok && !strings.Contains(rest, "\n") {
					out = append(out, member{name: m.Name, typ: s.seen(d, strings.TrimSpace(rest)), method: true})
				}
			} else if m.Kind == language.KindField {
				out = append(out, s.interfaceMethods(s.seen(d, m.Type), depth+1)...)
			}
		}
		break
	}
	return out
}

// classMethods suggests the next method of what the class around the cursor is declared to
// be.
func (l *layout) classMethods() []Candidate {
	at := l.opener()
	if at < 0 {
		return nil
	}
	header := strings.TrimSpace(l.above[at])
	pattern := implements
	if l.family == "python" {
		pattern = derived
	}
	m := pattern.FindStringSubmatch(header)
	if m == nil {
		return nil
	}
	i := slices.IndexFunc(l.scan().Defs, func(d language.Def) bool { return d.Kind == language.KindClass && d.StartLine == at+1 })
	if i < 0 {
		return nil
	}
	class := l.scan().Defs[i]
	var used []string
	previous := ""
	for _, d := range l.scan().Defs {
		if d.Container == class.Name {
			used = append(used, d.Name)
			if d.StartLine <= len(l.above) {
				previous = d.Name
			}
		}
	}
	if previous == "" || !l.blockEnded() {
		return nil
	}
	var names []string
	heads := map[string]string{}
	for base := range strings.SplitSeq(m[1], ",") {
		base, _, _ = strings.Cut(strings.TrimSpace(base), "<")
		base, _, _ = strings.Cut(base, "[")
		d, ok := l.defined(base[strings.LastIndexByte(base, '.')+1:])
		if !ok {
			continue
		}
		for name, head := range l.heads(d) {
			names = append(names, name)
			heads[name] = head
		}
	}
	return l.next(names, previous, used, func(name string) string { return heads[name] })
}

// blockEnded reports whether a method may begin at the cursor: after an empty line or the
// end of another one.
func (l *layout) blockEnded() bool {
	line := l.above[len(l.above)-1]
	return strings.TrimSpace(line) == "" || line == l.indent+"}"
}

// heads yields the methods that implementing a definition takes, with their first lines.
func (l *layout) heads(d index.Def) func(yield func(name, head string) bool) {
	return func(yield func(name, head string) bool) {
		text := ""
		if l.family == "python" {
			text, _ = l.corpus.Text(l.corpus.Index().Path(d.File))
		}
		lines := strings.Split(text, "\n")
		for _, m := range l.membersOf(d) {
			if m.Kind != language.KindMethod && m.Kind != language.KindProperty {
				continue
			}
			head := strings.TrimSpace(l.corpus.Index().SigText(m.ID))
			if strings.Contains(head, "\n") {
				continue
			}
			if l.family == "python" {
				if m.EndLine > len(lines) || !strings.Contains(strings.Join(lines[max(m.DocLine-1, 0):m.EndLine], "\n"), "abstractmethod") && !strings.Contains(strings.Join(lines[m.StartLine-1:m.EndLine], "\n"), "raise NotImplementedError") {
					continue
				}
				head, _, _ = strings.Cut(head, ": ...")
				head = strings.TrimSuffix(head, ":") + ":"
			} else if head = strings.TrimRight(head, ";,") + " {"; strings.Contains(head, "=>") {
				continue
			}
			if !yield(m.Name, head) {
				return
			}
		}
	}
}
