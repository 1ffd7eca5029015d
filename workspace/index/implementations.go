package index

import (
	"cmp"
	"path"
	"regexp"
	"runtime"
	"slices"

	"tandem/workspace/language"
)

// Implementations are the definitions that implement a name: of a Go interface, the types
// with all methods that it lists; of another type, those whose head names it (extends,
// implements, a base class); of a method, the methods of that name of other types. A name
// of several things gives those of each, in the order of the files. It goes by names alone: embedded interfaces and
// the types of parameters are not looked at.
func Implementations(ix *Index, name string) []Def {
	defer runtime.KeepAlive(ix)
	var out []Def
	seen := map[DefID]bool{}
	add := func(list []Def) {
		for _, d := range list {
			if !seen[d.ID] {
				seen[d.ID] = true
				out = append(out, d)
			}
		}
	}
	others := false
	for _, d := range ix.Lookup(name) {
		switch {
		case d.Kind == language.KindMethod:
			add(otherMethods(ix, d))
		case d.Kind == language.KindInterface && ix.Language(d.File) == "go":
			add(satisfying(ix, d))
		case d.Kind.IsType() && !others:
			others = true
			add(subtypes(ix, name))
		}
	}
	slices.SortFunc(out, func(a, b Def) int {
		return cmp.Or(cmp.Compare(ix.Path(a.File), ix.Path(b.File)), cmp.Compare(a.StartLine, b.StartLine))
	})
	return out
}

// otherMethods are the methods of the same name of other types.
func otherMethods(ix *Index, of Def) []Def {
	var out []Def
	for _, d := range ix.Lookup(of.Name) {
		if d.Kind == language.KindMethod && (d.Container != of.Container || d.File != of.File) {
			out = append(out, d)
		}
	}
	return out
}

// satisfying are the Go types that have every method which an interface lists.
func satisfying(ix *Index, of Def) []Def {
	var methods []string
	for _, m := range ix.Members(of.Name) {
		if m.File == of.File && m.Kind == language.KindMethod {
			methods = append(methods, m.Name)
		}
	}
	if len(methods) == 0 {
		return nil
	}
	type owner struct{ dir, name string }
	has := map[owner]int{} // how many of the methods, each one once
	for i, name := range methods {
		for _, d := range ix.Lookup(name) {
			at := owner{path.Dir(ix.Path(d.File)), d.Owner()}
			if d.Kind == language.KindMethod && has[at] == i && ix.Language(d.File) == "go" {
				has[at]++
			}
		}
	}
	var out []Def
	for at, n := range has {
		for _, d := range ix.Lookup(at.name) {
			if n == len(methods) && d.Kind.IsType() && d.Kind != language.KindInterface && path.Dir(ix.Path(d.File)) == at.dir {
				out = append(out, d)
			}
		}
	}
	return out
}

// subtypes are the types whose head names a type.
func subtypes(ix *Index, name string) []Def {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	var out []Def
	for _, file := range ix.Users(name) {
		for _, d := range ix.Defs(file) {
			if d.Kind.IsType() && d.Name != name && ix.Language(file) != "go" && word.MatchString(head(ix.SigText(d.ID))) {
				out = append(out, d)
			}
		}
	}
	return out
}

// head is a type's text up to where its body opens.
func head(text string) string {
	if at := bodyOpens.FindStringIndex(text); at != nil {
		return text[:at[0]]
	}
	return text
}

var bodyOpens = regexp.MustCompile(`\{|:[ \t]*(?:#.*)?\r?\n`)
