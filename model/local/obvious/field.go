package obvious

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A literal is a composite literal with keys that lacks the line of the cursor.
type literal struct {
	*ast.CompositeLit
	typ      string              // its type, "" if nothing here states it
	elts     []*ast.KeyValueExpr // without the cursor's
	higher   []*ast.KeyValueExpr // those above the cursor, the nearest first
	previous string              // the key above the cursor, "" if it is the first
	used     []string
	bases    map[string]int // of the values that select something of the key's name
	plain    int            // values that are a name alone
	makes    int            // values that make something
}

// literalHere is the literal around the cursor.
func (s *site) literalHere() (*literal, bool) {
	here, ok := s.up(1).(*ast.KeyValueExpr)
	if !ok {
		return nil, false
	}
	lit, ok := s.up(2).(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	l := &literal{CompositeLit: lit, bases: map[string]int{}}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil, false
		}
		if kv == here {
			continue
		}
		key := s.text(kv.Key)
		l.elts, l.used = append(l.elts, kv), append(l.used, key)
		if kv.Pos() < here.Pos() {
			l.previous = key
			l.higher = slices.Insert(l.higher, 0, kv)
		}
		switch v := kv.Value.(type) {
		case *ast.Ident:
			l.plain++
		case *ast.SelectorExpr:
			if fold(v.Sel.Name) == fold(key) {
				l.bases[s.text(v.X)]++
			}
		case *ast.CompositeLit:
			l.makes++
		case *ast.CallExpr:
			if id, ok := v.Fun.(*ast.Ident); ok && (id.Name == "make" || id.Name == "new") {
				l.makes++
			}
		}
	}
	l.typ = s.literalType(len(s.path1) - 3)
	return l, true
}

// literalType is the type of the literal at a place of the path, which may be left out
// inside another one.
func (s *site) literalType(at int) string {
	lit := s.path1[at].(*ast.CompositeLit)
	if lit.Type != nil {
		return s.text(lit.Type)
	}
	for outer := at - 1; outer >= max(at-2, 0); outer-- {
		if _, ok := s.path1[outer].(*ast.CompositeLit); ok {
			_, value := elements(s.underlying(s.literalType(outer)))
			return strings.TrimPrefix(value, "*")
		}
	}
	return ""
}

// An option is a value that a field may be given.
type option struct {
	evidence
	text string // the line
}

// fields suggests the fields that a literal lacks, with values.
func (s *site) fields(learned []Learned) []option {
	l, ok := s.literalHere()
	if !ok {
		return nil
	}
	g := &fieldGatherer{site: s, literal: l, out: map[string]*option{}, known: map[string]int{}}
	members, known := s.members(l.typ)
	lacks, after := l.lacking(members)
	g.base[featField] = 1
	g.base[featKnown] = truth(known)
	g.base[featMissing] = float64(min(len(lacks), 20))
	g.base[featAfter] = float64(min(after, 20))
	g.base[featUsed] = float64(len(l.used))
	g.base[featPlain] = float64(l.plain) / float64(max(len(l.elts), 1))
	g.base[featMakes] = float64(l.makes) / float64(max(len(l.elts), 1))
	for _, v := range s.scope().vars {
		if v.uses == 0 {
			g.base[featUnusedVars]++
		}
	}
	g.siblings = s.siblings(l)
	for _, m := range lacks {
		g.values(m.member, m.rank)
	}
	if !known {
		g.ofSiblings(lacks)
	}
	g.learned(learned, lacks, known)
	return g.options(learned)
}

// A lack is a field that a literal lacks. Its rank counts the lacking ones from the
// previous key on; it is 20 for one before that.
type lack struct {
	member
	rank int
}

// lacking are the members without a value, and how many of them come after the previous key.
func (l *literal) lacking(members []member) (lacks []lack, after int) {
	past := l.previous == ""
	for _, m := range members {
		if m.name == l.previous {
			past = true
			continue
		}
		if slices.Contains(l.used, m.name) {
			continue
		}
		r := 20
		if past {
			r = min(after, 19)
			after++
		}
		lacks = append(lacks, lack{m, r})
	}
	return lacks, after
}

// The kinds of values, as features.
const (
	kindVar = iota + 1
	kindAddress
	kindConversion
	kindMember
	kindGuessedMember
	kindSibling
	kindMake
	kindBool
	kindConst
	kindTop
	kindNew
	kindLearned
	kindContinued
)

// A fieldGatherer collects the options for the fields of a literal.
type fieldGatherer struct {
	*site
	*literal
	base     evidence
	siblings siblings
	out      map[string]*option // by the line without white space
	order    []string
	known    map[string]int
}

// add adds a value for a field, or returns the option that has it already.
func (g *fieldGatherer) add(m member, rank int, value string, kind int) *option {
	text := m.name + ": " + value + ","
	key := strings.Join(strings.Fields(text), " ")
	if o := g.out[key]; o != nil {
		return o
	}
	o := &option{evidence: g.base, text: text}
	o.evidence[featKind] = float64(kind)
	o.evidence[featRank] = float64(rank)
	o.evidence[featType] = 0.5
	o.evidence[featClass] = class(m.typ)
	o.evidence[featVarOrder] = 20
	g.siblings.describe(o, m.name, value, g.previous)
	o.evidence[featSound] = g.sound(value)
	for _, kv := range g.elts {
		if g.text(kv.Value) == value {
			o.evidence[featRepeated] = 1
		}
	}
	if value != "" && (value[0] == '"' || value[0] == '`' || source.IsDigit(value[0])) {
		o.evidence[featData] = 1
	}
	g.out[key] = o
	g.order = append(g.order, key)
	return o
}

// ofSiblings adds values for the keys that literals like this one have.
func (g *fieldGatherer) ofSiblings(lacks []lack) {
	names := map[string]bool{}
	for _, m := range lacks {
		names[m.name] = true
	}
	for _, key := range g.siblings.keys {
		if !slices.Contains(g.used, key) && !names[key] {
			names[key] = true
			g.values(member{name: key}, 20)
		}
	}
}

// learned adds the lines that the learned engine suggests.
func (g *fieldGatherer) learned(learned []Learned, lacks []lack, known bool) {
	for _, c := range learned {
		line, _, _ := strings.Cut(c.Text, "\n")
		line = g.typed + line
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSuffix(strings.TrimSpace(value), ",")
		m, r := member{name: key}, 20
		for _, k := range lacks {
			if k.name == key {
				m, r = k.member, k.rank
			}
		}
		o := g.add(m, r, value, kindLearned)
		o.text = line
		if !ok || known && m.typ == "" {
			o.evidence[featKind] = 0
		}
		o.evidence[featLearned] = max(o.evidence[featLearned], c.Confidence)
	}
}

// options are all options, with the evidence that depends on how many there are.
func (g *fieldGatherer) options(learned []Learned) []option {
	best := 0.0
	if len(learned) > 0 {
		best = learned[0].Confidence
	}
	out := make([]option, 0, len(g.order))
	for _, key := range g.order {
		o := g.out[key]
		o.evidence[featBestLearned] = best
		o.evidence[featOptions] = float64(min(len(g.order), 60))
		out = append(out, *o)
	}
	return out
}

// sound is the share of the names at the roots of a value that are in scope, or those of
// packages and types.
func (g *fieldGatherer) sound(value string) float64 {
	e, err := parser.ParseExpr(value)
	if err != nil {
		return 0
	}
	found, total := 0, 0
	selected := map[*ast.Ident]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				selected[id] = true
			}
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if selected[n] {
				return true
			}
			total++
			if g.declared(n.Name) {
				found++
			}
		}
		return true
	})
	if total == 0 {
		return 1
	}
	return float64(found) / float64(total)
}

// declared reports whether a name means something at the cursor.
func (g *fieldGatherer) declared(name string) bool {
	if _, ok := g.scope().find(name); ok || predeclared[name] {
		return true
	}
	if v, ok := g.known[name]; ok {
		return v > 0
	}
	is := len(g.lookup(name)) > 0 || g.scope().types[name] != nil || g.imports(name)
	g.known[name] = 0
	if is {
		g.known[name] = 1
	}
	return is
}

// imports reports whether the document imports a package of that name.
func (s *world) imports(name string) bool {
	ix := s.corpus.Index()
	from, _ := ix.FileID(s.path)
	for _, im := range ix.Imports(from) {
		if im.Alias == name || im.Alias == "" && source.LastPart(im.Path) == name {
			return true
		}
	}
	return false
}

var predeclared = terms.Set("true false nil iota append cap copy len make new min max string bool byte rune error any int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64")

// class is the kind of a field's type, as a feature.
func class(typ string) float64 {
	switch {
	case typ == "":
		return 0
	case typ == "string":
		return 1
	case typ == "bool":
		return 2
	case basic[typ] == "0":
		return 3
	case strings.HasPrefix(typ, "map["), strings.HasPrefix(typ, "chan "), strings.HasPrefix(typ, "<-chan"):
		return 4
	case strings.HasPrefix(typ, "[]"):
		return 5
	case strings.HasPrefix(typ, "*"):
		return 6
	case strings.HasPrefix(typ, "func"):
		return 7
	}
	return 8
}

// values adds what a field may be given.
func (g *fieldGatherer) values(m member, rank int) {
	g.variables(m, rank)
	g.selections(m, rank)
	for _, v := range g.siblings.values[m.name] {
		g.add(m, rank, v.text, kindSibling)
	}
	g.constructed(m, rank)
	g.topLevel(m, rank)
	g.continued(m, rank)
	g.called(m, rank)
}

// fits is how well a value's type agrees with a field's: 1 the same, 0.5 unknown, 0 another.
func fits(value, field string) float64 {
	value, field = strings.Join(strings.Fields(value), " "), strings.Join(strings.Fields(field), " ")
	switch {
	case value == "" || field == "":
		return 0.5
	case value == field || strings.TrimPrefix(field, "<-chan ") == strings.TrimPrefix(value, "chan ") || strings.TrimPrefix(field, "chan<- ") == strings.TrimPrefix(value, "chan "):
		return 1
	case class(field) == 8 && class(value) >= 6: // it may be an interface
		return 0.5
	}
	return 0
}

// variables adds the variables in scope whose names or types agree with a field's.
func (g *fieldGatherer) variables(m member, rank int) {
	vars := g.scope().vars
	same := 0
	for _, v := range vars {
		if fits(v.typ, m.typ) == 1 {
			same++
		}
	}
	for _, v := range vars {
		name, typ := alike(v.name, m.name), fits(v.typ, m.typ)
		value, kind := v.name, kindVar
		switch {
		case v.typ != "" && "*"+v.typ == m.typ:
			value, kind, typ = "&"+v.name, kindAddress, 1
		case v.typ != "" && v.typ == "*"+m.typ:
			value, kind, typ = "*"+v.name, kindAddress, 1
		case typ == 0 && name > 0.5 && g.converts(v.typ, m.typ):
			value, kind, typ = named(m.typ)+"("+v.name+")", kindConversion, 1
		}
		if name == 0 && typ != 1 && !(v.uses == 0 && typ > 0) {
			continue
		}
		o := g.add(m, rank, value, kind)
		o.evidence[featName], o.evidence[featType] = name, typ
		o.evidence[featUnused] = truth(v.uses == 0)
		o.evidence[featUses] = float64(min(v.uses, 10))
		o.evidence[featVarOrder] = float64(min(v.order, 20))
		o.evidence[featParam] = truth(v.param)
		o.evidence[featSameType] = float64(min(same, 6))
	}
}

// converts reports whether a value of one type can be converted to another as usual.
func (g *fieldGatherer) converts(from, to string) bool {
	if from == "" || to == "" || strings.HasPrefix(to, "*") || strings.HasPrefix(to, "func") {
		return false
	}
	a, b := basic[g.underlying(from)], basic[g.underlying(to)]
	return a != "" && a == b && a != "nil" && a != "false"
}

// selections adds the fields and methods of variables whose names agree with a field's.
func (g *fieldGatherer) selections(m member, rank int) {
	others := 0
	for _, n := range g.bases {
		others += n
	}
	for i := range g.scope().vars {
		v := &g.scope().vars[i]
		if v.typ == "" || basic[v.typ] != "" {
			continue
		}
		for _, f := range g.selectable(v.typ) {
			name := alike(f.name, m.name)
			if name < 1 && !(name > 0.6 && fits(f.typ, m.typ) == 1) {
				continue
			}
			value := v.name + "." + f.name
			if f.method {
				value += "()"
			}
			typ := fits(f.typ, m.typ)
			if typ == 0 && g.converts(f.typ, m.typ) {
				value, typ = named(m.typ)+"("+value+")", 1
			}
			o := g.add(m, rank, value, kindMember)
			o.evidence[featName], o.evidence[featType] = name, typ
			o.evidence[featVarOrder] = float64(min(v.order, 20))
			o.evidence[featUses] = float64(min(v.uses, 10))
			o.evidence[featParam] = truth(v.param)
			o.evidence[featUnused] = truth(v.uses == 0)
			o.evidence[featBase] = float64(g.bases[v.name]) / float64(max(others, 1))
		}
	}
	for base, n := range g.bases {
		o := g.add(m, rank, base+"."+m.name, kindGuessedMember)
		o.evidence[featName] = 1
		o.evidence[featBase] = float64(n) / float64(max(others, 1))
	}
}

// selectable are the fields and plain methods of a type. They are looked up once.
func (g *fieldGatherer) selectable(typ string) []member {
	if m, ok := g.inside.members[typ]; ok {
		return m
	}
	fields, _ := g.members(typ)
	all := append(slices.Clip(fields), g.methods(typ)...)
	if g.inside.members == nil {
		g.inside.members = map[string][]member{}
	}
	g.inside.members[typ] = all
	return all
}

// maxConstants is how many constants of a field's type are few enough to choose from.
const maxConstants = 12

// constructed adds new values of a field's type.
func (g *fieldGatherer) constructed(m member, rank int) {
	add := func(value string, kind int) { g.add(m, rank, value, kind).evidence[featType] = 1 }
	under := g.underlying(m.typ)
	switch class(under) {
	case 2:
		add("true", kindBool)
		add("false", kindBool)
	case 4:
		calls, literals := g.makesMaps()
		if calls || !strings.HasPrefix(under, "map[") {
			add("make("+m.typ+")", kindMake)
		}
		if literals && strings.HasPrefix(under, "map[") {
			add(m.typ+"{}", kindMake)
		}
	case 5:
		add(m.typ+"{}", kindMake)
		add("nil", kindMake)
	}
	if m.typ == "" || under == m.typ && class(under) != 8 && class(under) != 6 {
		return
	}
	pkg, name := cutPackage(named(m.typ))
	dot := ""
	if pkg != "" {
		dot = pkg + "."
	}
	for _, word := range []string{"new", "New"} {
		for _, d := range g.lookup(dot + word + name) {
			if d.Kind == language.KindFunc && d.MaxParams == 0 {
				add(dot+d.Name+"()", kindNew)
			}
		}
	}
	consts := g.constantsOf(m.typ)
	if len(consts) > maxConstants {
		return
	}
	for i, c := range consts {
		o := g.add(m, rank, c, kindConst)
		o.evidence[featType], o.evidence[featSameType], o.evidence[featVarOrder] = 1, float64(len(consts)), float64(min(i, 20))
	}
}

// topLevel adds what the package declares by a field's name.
func (g *fieldGatherer) topLevel(m member, rank int) {
	for _, name := range []string{m.name, lowerFirst(m.name), "default" + upperFirst(m.name), "Default" + upperFirst(m.name)} {
		if _, hidden := g.scope().find(name); hidden {
			continue
		}
		for _, d := range g.lookup(name) {
			if d.Kind == language.KindFunc || d.Kind == language.KindVar || d.Kind == language.KindConst {
				o := g.add(m, rank, name, kindTop)
				o.evidence[featName] = alike(name, m.name)
				if d.Kind != language.KindFunc {
					o.evidence[featType] = fits(d.Type, m.typ)
				} else if m.typ != "" {
					o.evidence[featType] = truth(class(m.typ) == 7)
				}
			}
		}
	}
}
