package obvious

import (
	"regexp"
	"slices"
	"strings"

	"tandem/workspace/language"
)

// makers are the verbs that functions which make a value are named with.
var makers = []string{"new", "make", "get", "to", "parse", "build", "create", "default", "convertTo"}

// called adds calls of the package's own functions that are named for a field or its type
// and return that type, where all their parameters are named as variables are.
func (g *fieldGatherer) called(m member, rank int) {
	if m.typ == "" || basic[m.typ] != "" && !strings.Contains(m.typ, ".") {
		return
	}
	pkg, typ := cutPackage(named(m.typ))
	names := []string{m.name, lowerFirst(m.name)}
	for _, verb := range makers {
		for _, noun := range []string{m.name, typ} {
			names = append(names, verb+upperFirst(noun))
			if pkg == "" {
				names = append(names, upperFirst(verb)+upperFirst(noun))
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		for _, d := range g.lookup(name) {
			if d.Kind != language.KindFunc || fits(d.Type, m.typ) != 1 {
				continue
			}
			if args, ok := g.arguments(d.Params); ok {
				g.add(m, rank, name+"("+args+")", kindNew).evidence[featType] = 1
			}
		}
	}
}

// arguments are the variables that are named as the parameters are.
func (g *fieldGatherer) arguments(params []string) (string, bool) {
	var out []string
	for _, p := range params {
		i := slices.IndexFunc(g.scope().vars, func(v variable) bool { return fold(v.name) == fold(p) })
		if p == "" || p == "_" || i < 0 {
			return "", false
		}
		out = append(out, g.scope().vars[i].name)
	}
	return strings.Join(out, ", "), true
}

// emptyMap is a map literal without elements.
var emptyMap = regexp.MustCompile(`\bmap\[[^\]\n]*\][^\s{}()]+\{\}`)

// makesMaps reports how the document makes empty maps: with make, with a literal. Both are
// true where it has neither.
func (g *fieldGatherer) makesMaps() (calls, literals bool) {
	calls = strings.Contains(g.before, "make(map[") || strings.Contains(g.after, "make(map[")
	literals = emptyMap.MatchString(g.before) || emptyMap.MatchString(g.after)
	if !calls && !literals {
		return true, true
	}
	return calls, literals
}
