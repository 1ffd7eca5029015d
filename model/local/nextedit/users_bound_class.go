package nextedit

import (
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A classRef is a class as a file names it.
type classRef struct {
	name string
	in   index.FileID
}

// maxChain bounds the members that lead to a receiver.
const maxChain = 4

// classAt are the classes that the expression before a dot may have, as far as the workspace
// writes them; i is its last token.
func (f *boundFile) classAt(i, depth int) []classRef {
	if depth == 0 || i < 0 {
		return nil
	}
	if f.text(i) == "!" {
		i--
	}
	if f.text(i) == ")" {
		return f.classOfCall(f.opening(i)-1, depth)
	}
	if f.classes == nil {
		f.classes = f.classesOf()
	}
	name := f.text(i)
	own := f.text(i-2) == "this" || f.text(i-2) == "self"
	if known := f.classes[name]; !f.dotted(i) || own && len(known) > 0 {
		out := make([]classRef, 0, len(known))
		for class := range known {
			out = append(out, classRef{class, f.id})
		}
		return out
	}
	return f.typed(name, f.owners(i-2, depth), func(d index.Def) bool { return !d.Kind.IsFunc() })
}

// classOfCall is the class of what the function at a token returns.
func (f *boundFile) classOfCall(i, depth int) []classRef {
	if i < 0 || !f.tokens[i].name {
		return nil
	}
	name := f.text(i)
	if isClass(name) && (f.text(i-1) == "new" || f.ix.Language(f.id) == "python") {
		return []classRef{{name, f.id}}
	}
	if !f.dotted(i) {
		return f.typed(name, nil, func(d index.Def) bool { return d.Kind.IsFunc() && d.Container == "" })
	}
	owners := f.owners(i-2, depth)
	if len(owners) == 0 {
		return nil
	}
	return f.typed(name, owners, func(d index.Def) bool { return d.Kind.IsFunc() })
}

// owners are the classes of the expression that ends with a token, this and self too.
func (f *boundFile) owners(i, depth int) map[string]bool {
	out := map[string]bool{}
	if t := f.text(i); t != "this" && t != "self" {
		for _, c := range f.classAt(i, depth-1) {
			out[c.name] = true
		}
		return out
	}
	for _, d := range f.ix.Enclosing(f.id, f.line(i)) {
		if d.Kind == language.KindClass {
			out[d.Name] = true
			break
		}
	}
	return out
}

// typed is the class that all definitions of a name have which qualify: those of some
// owners, or all of the workspace where these are not known. There is none if they differ.
func (f *boundFile) typed(name string, owners map[string]bool, qualifies func(index.Def) bool) (out []classRef) {
	for _, d := range f.ix.Lookup(name) {
		if d.Local || language.Family(f.ix.Language(d.File)) != language.Family(f.ix.Language(f.id)) || len(owners) > 0 && !owners[d.Owner()] {
			continue
		}
		class := classIn(d.Type)
		if !qualifies(d) || class == "" || len(out) > 0 && out[0].name != class {
			return nil
		}
		out = append(out, classRef{class, d.File})
	}
	return out
}

// opening is where the bracket that closes at a token opens, -1 if it does not.
func (f *boundFile) opening(i int) int {
	depth := 0
	for k := i; k >= 0; k-- {
		switch f.text(k) {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// distinctive reports whether a name has several words, which those of libraries that the
// workspace does not show have seldom in common with it.
func distinctive(name string) bool {
	name = strings.Trim(name, "_#")
	return strings.Contains(name, "_") || strings.ToLower(name[min(1, len(name)):]) != name[min(1, len(name)):]
}

// insideFamily reports whether a line is in a class that has the method.
func (f *boundFile) insideFamily(line int) bool {
	for _, d := range f.ix.Enclosing(f.id, line) {
		if d.Kind == language.KindClass || d.Kind == language.KindInterface {
			return f.family[d.Name][f.id]
		}
	}
	return false
}

// classesOf are the classes that variables, parameters and properties of a file have, as
// far as it writes them: x = C(…), x = new C(…), x: C, with C(…) as x.
func (f *boundFile) classesOf() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	add := func(name, class string) {
		if out[name] == nil {
			out[name] = map[string]bool{}
		}
		out[name][class] = true
	}
	for i, t := range f.tokens {
		if !t.name {
			continue
		}
		k := i + 1
		if f.text(k) == "?" {
			k++
		}
		switch f.text(k) {
		case ":":
			if class := f.text(k + 1); isClass(class) && f.text(k+2) != "." && f.text(k+2) != "[" && (f.text(k+2) != "<" || f.generic(class)) {
				add(t.text, class)
			}
		case "=":
			k++
			for f.text(k) == "await" || f.text(k) == "new" {
				k++
			}
			for f.text(k+1) == "." && f.text(k+3) == "(" || f.text(k+1) == "." && f.text(k+3) == "." {
				k += 2
			}
			switch {
			case isClass(f.text(k)) && (f.text(k+1) == "(" || f.text(k-1) == "new" && f.text(k+1) == "<"):
				add(t.text, f.text(k))
			case f.text(k+1) == "(" && f.text(f.closing(k+1)+1) != ".":
				add(t.text, f.returned(f.text(k), out[f.receiver(k)]))
			case f.text(k) != "None" && f.text(k) != "null" && f.text(k) != "undefined" && !f.inBrackets(i):
				add(t.text, "") // of a class that is not shown
			}
		}
		if f.text(i-1) == "as" && f.text(i-2) == ")" {
			depth := 0
			for k := i - 2; k >= 0; k-- {
				switch f.text(k) {
				case ")":
					depth++
				case "(":
					depth--
				}
				if depth == 0 {
					if isClass(f.text(k - 1)) {
						add(t.text, f.text(k-1))
					}
					break
				}
			}
		}
	}
	for name, classes := range out {
		if delete(classes, ""); len(classes) == 0 {
			delete(out, name)
		}
	}
	return out
}

// closing is where the bracket at a token closes.
func (f *boundFile) closing(i int) int {
	depth := 0
	for k := i; k < len(f.tokens); k++ {
		switch f.text(k) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return len(f.tokens)
}

// receiver is the name before the dot before a token, "" if there is none.
func (f *boundFile) receiver(i int) string {
	if !f.dotted(i) {
		return ""
	}
	return f.text(i - 2)
}

// returned is the class that a function says to return: the one of that name in the class
// of its receiver, where that is known, else all of the workspace; "" if they do not say it.
func (f *boundFile) returned(name string, receiver map[string]bool) (class string) {
	for _, d := range f.ix.Lookup(name) {
		if !d.Kind.IsFunc() || language.Family(f.ix.Language(d.File)) != language.Family(f.ix.Language(f.id)) || len(receiver) > 0 && !receiver[d.Owner()] {
			continue
		}
		c := classIn(d.Type)
		if c == "" || class != "" && class != c {
			return ""
		}
		class = c
	}
	return class
}

// generic reports whether the workspace declares a class or an interface of a name: its
// type arguments do not make it another class, as they do for a container of a library.
func (f *boundFile) generic(name string) bool {
	return slices.ContainsFunc(f.ix.Lookup(name), func(d index.Def) bool { return d.Kind == language.KindClass || d.Kind == language.KindInterface })
}

// isClass reports whether a name is written as classes are.
func isClass(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}
