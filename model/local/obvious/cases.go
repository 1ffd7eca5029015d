package obvious

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// The kinds of cases, as features.
const (
	kindConstant = iota + 20
	kindNumber
	kindFollowing
	kindLearnedCase
)

// maxCases bounds the constants that are offered.
const maxCases = 16

// A choice is the switch around the cursor, with its other cases.
type choice struct {
	tag      string // the type of what is switched over, "" if it is not known
	overType bool   // it is a switch over types
	used     []string
	clauses  int
	previous string // the case above the cursor, "" if it is the first
}

// choiceHere is the switch around the cursor.
func (s *site) choiceHere() (*choice, bool) {
	here, ok := s.up(1).(*ast.CaseClause)
	if !ok {
		return nil, false
	}
	c := &choice{}
	var list []ast.Stmt
	switch sw := s.up(3).(type) {
	case *ast.SwitchStmt:
		if sw.Tag != nil {
			c.tag = s.typeOf(sw.Tag)
		}
		list = sw.Body.List
	case *ast.TypeSwitchStmt:
		list, c.overType = sw.Body.List, true
	default:
		return nil, false
	}
	for _, stmt := range list {
		clause, ok := stmt.(*ast.CaseClause)
		if !ok || clause == here {
			continue
		}
		c.clauses++
		for _, e := range clause.List {
			c.used = append(c.used, s.text(e))
			if clause.Pos() < here.Pos() {
				c.previous = s.text(e)
			}
		}
	}
	return c, true
}

// cases suggests the constants, types and values that a switch lacks.
func (s *site) cases(learned []Learned) []option {
	c, ok := s.choiceHere()
	if !ok {
		return nil
	}
	g := &caseGatherer{site: s, choice: c, out: map[string]*option{}}
	all := s.casesOf(c.tag, c.previous)
	g.base[featCase], g.base[featKnown] = 1, truth(len(all) > 0)
	g.base[featUsed] = float64(min(len(c.used), 20))
	g.base[featPlain] = float64(c.clauses) / float64(max(len(c.used), 1))
	g.base[featData] = truth(c.overType)
	g.base[featOrdered] = ordered(all, c.used)
	g.count()
	after := g.missing(all)
	if n, err := strconv.Atoi(c.previous); err == nil {
		g.add(strconv.Itoa(n+1), kindNumber)
	}
	for name := range g.following(c.previous) {
		if !slices.Contains(c.used, name) {
			g.add(name, kindFollowing)
		}
	}
	g.learned(learned)
	return g.options(learned, after)
}

// casesOf are the constants that a switch over a type, or one with the case given, can
// have.
func (s *world) casesOf(tag, previous string) []string {
	if all := s.constantsOf(tag); len(all) > 0 {
		return all
	}
	pkg, _ := cutPackage(previous)
	for _, d := range s.lookup(previous) {
		if d.Kind != language.KindConst && d.Kind != language.KindEnumMember {
			continue
		}
		consts, types := groups(d.ix.Defs(d.File))
		i := slices.IndexFunc(consts, func(c index.Def) bool { return c.ID == d.ID })
		if i < 0 || types[i] == "" {
			return block(consts, i, pkg)
		}
		return ofType(consts, types, types[i], pkg)
	}
	return nil
}

// block are the constants without a type that are declared line by line around one.
func block(consts []index.Def, at int, pkg string) []string {
	if at < 0 {
		return nil
	}
	from, to := at, at+1
	for from > 0 && consts[from-1].EndLine >= consts[from].DocLine-1 {
		from--
	}
	for to < len(consts) && consts[to].DocLine <= consts[to-1].EndLine+1 {
		to++
	}
	return names(consts[from:to], pkg)
}

// names are the constants as the document writes them.
func names(consts []index.Def, pkg string) []string {
	var out []string
	for _, d := range consts {
		switch {
		case d.Name == "_" || pkg != "" && !d.Exported:
		case pkg == "":
			out = append(out, d.Name)
		default:
			out = append(out, pkg+"."+d.Name)
		}
	}
	return out
}

// groups lists the constants of a file with their types: those that name one, and those
// without one that directly follow.
func groups(defs []index.Def) (consts []index.Def, types []string) {
	for _, d := range defs {
		if (d.Kind == language.KindConst || d.Kind == language.KindEnumMember) && !d.Local {
			consts = append(consts, d)
		}
	}
	current, last := "", 0
	types = make([]string, len(consts))
	for i, d := range consts {
		if d.Type != "" {
			current = d.Type
		} else if d.DocLine > last+2 {
			current = ""
		}
		types[i], last = current, d.EndLine
	}
	return consts, types
}

// ofType are the constants of one type.
func ofType(consts []index.Def, types []string, typ, pkg string) []string {
	var out []index.Def
	for i, d := range consts {
		if types[i] == typ {
			out = append(out, d)
		}
	}
	return names(out, pkg)
}

// constantsOf are the constants that are declared with a type in the file that declares it,
// in order, as the document writes them.
func (s *world) constantsOf(typ string) []string {
	pkg, name := cutPackage(named(typ))
	if name == "" || basic[name] != "" && pkg == "" {
		return nil
	}
	var out []string
	for _, d := range s.lookup(named(typ)) {
		if d.Kind == language.KindType || d.Kind == language.KindEnum {
			consts, types := groups(d.ix.Defs(d.File))
			out = append(out, ofType(consts, types, name, pkg)...)
		}
	}
	return out
}

// ordered is how many neighbours among the used cases are in the order of all.
func ordered(all, used []string) float64 {
	in, pairs, last := 0, 0, -1
	for _, u := range used {
		i := slices.Index(all, u)
		if i < 0 {
			continue
		}
		if last >= 0 {
			pairs++
			in += int(truth(i > last))
		}
		last = i
	}
	if pairs == 0 {
		return 0.5
	}
	return float64(in) / float64(pairs)
}

// A caseGatherer collects the options for a case.
type caseGatherer struct {
	*site
	*choice
	base      evidence
	mentioned map[string]int
	follows   map[string]int
	followed  int
	out       map[string]*option
	order     []string
}

func (g *caseGatherer) add(name string, kind int) *option {
	text := "case " + name + ":"
	if o := g.out[text]; o != nil {
		return o
	}
	o := &option{evidence: g.base, text: text}
	o.evidence[featKind] = float64(kind)
	o.evidence[featRank] = 21
	_, last := cutPackage(name)
	o.evidence[featMentioned] = float64(min(g.mentioned[last], 20))
	o.evidence[featFollows] = float64(g.follows[name]) / float64(max(g.followed, 1))
	o.evidence[featFollowed] = float64(min(g.followed, 10))
	g.out[text] = o
	g.order = append(g.order, text)
	return o
}

// missing adds the constants that the switch lacks, and returns how many of them come
// after the previous case.
func (g *caseGatherer) missing(all []string) (after int) {
	past := g.previous == ""
	for _, c := range all {
		if c == g.previous {
			past = true
			continue
		}
		if slices.Contains(g.used, c) {
			continue
		}
		g.base[featMissing]++
		r := 20.0
		if past {
			r = float64(min(after, 19))
			after++
		}
		if len(g.order) < maxCases || past && after < maxCases {
			g.add(c, kindConstant).evidence[featRank] = r
		}
	}
	return after
}

// learned adds the lines that the learned engine suggests.
func (g *caseGatherer) learned(learned []Learned) {
	for _, c := range learned {
		line, _, _ := strings.Cut(c.Text, "\n")
		line = g.typed + line
		name, ok := strings.CutPrefix(line, "case ")
		o := g.add(strings.TrimSuffix(name, ":"), kindLearnedCase)
		if o.text = line; !ok {
			o.evidence[featKind] = 0
		}
		o.evidence[featLearned] = max(o.evidence[featLearned], c.Confidence)
	}
}

// options are all options, with the evidence that depends on how many there are.
func (g *caseGatherer) options(learned []Learned, after int) []option {
	var out []option
	for _, key := range g.order {
		o := g.out[key]
		o.evidence[featMissing] = min(g.base[featMissing], 30)
		o.evidence[featAfter] = float64(min(after, 20))
		o.evidence[featOptions] = float64(len(g.order))
		if len(learned) > 0 {
			o.evidence[featBestLearned] = learned[0].Confidence
		}
		out = append(out, *o)
	}
	return out
}

// count counts the names that the document mentions.
func (g *caseGatherer) count() {
	g.mentioned = map[string]int{}
	for _, text := range []string{g.before, g.after} {
		for i := 0; i < len(text); {
			if !source.IsWordByte(text[i]) {
				i++
				continue
			}
			n := source.WordEnd(text[i:])
			g.mentioned[text[i:i+n]]++
			i += n
		}
	}
}

// following are the cases that follow the previous one in other switches of the document.
func (g *caseGatherer) following(previous string) map[string]int {
	g.follows = map[string]int{}
	if previous == "" {
		return nil
	}
	for _, text := range []string{g.before, g.after} {
		last := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "switch ") || strings.HasPrefix(line, "default:") {
				last = ""
			}
			rest, ok := strings.CutPrefix(line, "case ")
			if !ok || !strings.HasSuffix(rest, ":") {
				continue
			}
			name := strings.TrimSuffix(rest, ":")
			if last == previous {
				g.followed++
				g.follows[name]++
			}
			last = name
		}
	}
	return g.follows
}
