package obvious

import (
	"go/ast"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// missing suggests the next constant that a switch lacks, and the next field that a
// literal lacks.
func (s *site) missing() []Candidate {
	if clause, ok := s.up(1).(*ast.CaseClause); ok {
		if sw, ok := s.up(3).(*ast.SwitchStmt); ok && sw.Tag != nil {
			return s.nextCase(sw, clause)
		}
	}
	if kv, ok := s.up(1).(*ast.KeyValueExpr); ok {
		if lit, ok := s.up(2).(*ast.CompositeLit); ok {
			return s.nextField(lit, kv)
		}
	}
	return nil
}

// nextCase suggests a constant of the type that the other cases are of.
func (s *site) nextCase(sw *ast.SwitchStmt, here *ast.CaseClause) []Candidate {
	var used []string
	previous, qualifier := "", ""
	for _, stmt := range sw.Body.List {
		clause, ok := stmt.(*ast.CaseClause)
		if !ok || clause == here {
			continue
		}
		for _, e := range clause.List {
			full := s.text(e)
			name := full[strings.LastIndexByte(full, '.')+1:]
			used = append(used, name)
			if clause.Pos() < here.Pos() {
				previous, qualifier = name, full[:len(full)-len(name)]
			}
		}
	}
	if previous == "" {
		return nil
	}
	all := s.constants(previous, strings.TrimSuffix(qualifier, "."))
	next, left := after(all, previous, used)
	if next == "" {
		return nil
	}
	return []Candidate{{"case " + qualifier + next + ":", certainty(left)}}
}

// certainty is how sure the next of what is missing is, by how many are.
func certainty(left int) float64 {
	if left == 1 {
		return 0.9
	}
	return 0.6
}

// after is the first of all names that follows the previous one and is not used, else the
// first that is not used; left is how many are not.
func after(all []string, previous string, used []string) (next string, left int) {
	past := false
	first := ""
	for _, name := range all {
		if name == previous {
			past = true
			continue
		}
		if slices.Contains(used, name) {
			continue
		}
		if left++; first == "" {
			first = name
		}
		if past && next == "" {
			next = name
		}
	}
	if next == "" {
		next = first
	}
	return next, left
}

// constants are the names of the constants that are declared with one, in order.
func (s *site) constants(name, pkg string) []string {
	ix := s.corpus.Index()
	for _, d := range ix.Lookup(name) {
		if d.Kind != language.KindConst && d.Kind != language.KindEnumMember || d.Local || !s.visible(d, pkg) {
			continue
		}
		return group(ix.Defs(d.File), d)
	}
	return nil
}

// group lists the constants of a file that belong to the type of one: those that name the
// type, and those without a type that directly follow.
func group(defs []index.Def, one index.Def) []string {
	var consts []index.Def
	for _, d := range defs {
		if (d.Kind == language.KindConst || d.Kind == language.KindEnumMember) && !d.Local {
			consts = append(consts, d)
		}
	}
	typ, current, last := "", "", 0
	types := make([]string, len(consts))
	for i, d := range consts {
		if d.Type != "" {
			current = d.Type
		} else if d.DocLine > last+2 {
			current = ""
		}
		types[i], last = current, d.EndLine
		if d.ID == one.ID {
			typ = current
		}
	}
	var out []string
	for i, d := range consts {
		if typ != "" && types[i] == typ && d.Name != "_" {
			out = append(out, d.Name)
		}
	}
	return out
}

// visible reports whether a definition is one of a package as the document names it, ""
// for the document's own.
func (s *site) visible(d index.Def, pkg string) bool {
	f, ok := s.corpus.Index().File(d.File)
	if !ok || f.Language != "go" {
		return false
	}
	if pkg == "" {
		return source.Folder(f.Path) == source.Folder(s.path)
	}
	return f.Package == pkg || source.LastPart(source.Folder(f.Path)) == pkg
}

// nextField suggests a field that a literal with keys lacks, where the values of the
// others or a name in scope show its value.
func (s *site) nextField(lit *ast.CompositeLit, here *ast.KeyValueExpr) []Candidate {
	var used []string
	previous, from := "", map[string]int{}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		key := s.text(kv.Key)
		if kv == here {
			continue
		}
		used = append(used, key)
		if kv.Pos() < here.Pos() {
			previous = key
		}
		if value := s.text(kv.Value); strings.HasSuffix(value, "."+key) {
			from[strings.TrimSuffix(value, key)]++
		}
	}
	if line, share := s.sibling(previous, used); share >= agreed {
		return []Candidate{{line, 0.9 * share}}
	}
	typ := s.literalType(lit)
	if typ == "" {
		return nil
	}
	next, left := after(s.fields(typ), previous, used)
	if next == "" {
		return nil
	}
	for prefix, n := range from {
		if 2*n > len(used) {
			return []Candidate{{next + ": " + prefix + next + ",", certainty(left) * 0.8}}
		}
	}
	if name := lowerFirst(next); s.inScope(name) {
		return []Candidate{{next + ": " + name + ",", certainty(left) * 0.8}}
	}
	return nil
}

// sibling is the field that most often follows another one in the literals around, and
// its most frequent value, with the share of those that agree.
func (s *site) sibling(previous string, used []string) (best string, share float64) {
	lines := map[string]int{}
	total := 0
	ast.Inspect(s.path1[0], func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit == s.up(2) {
			return true
		}
		for i, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok || i == 0 {
				continue
			}
			before, ok := lit.Elts[i-1].(*ast.KeyValueExpr)
			if !ok || s.text(before.Key) != previous || slices.Contains(used, s.text(kv.Key)) || strings.Contains(s.text(kv), "\n") {
				continue
			}
			total++
			line := s.text(kv) + ","
			if lines[line]++; lines[line] >= lines[best] {
				best = line
			}
		}
		return true
	})
	return best, float64(lines[best]) / float64(max(total, 2))
}

// agreed is the share of the literals around that must have a field with the same value.
const agreed = 0.5

// literalType is the named type of a literal, which may be left out inside another one.
func (s *site) literalType(lit *ast.CompositeLit) string {
	if lit.Type == nil {
		outer, ok := s.up(3).(*ast.CompositeLit)
		if !ok {
			return ""
		}
		array, ok := outer.Type.(*ast.ArrayType)
		if !ok {
			return ""
		}
		return strings.TrimPrefix(s.text(array.Elt), "*")
	}
	switch t := lit.Type.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return s.text(t)
	}
	return ""
}

// fields are the names of a struct's fields, in order.
func (s *site) fields(typ string) []string {
	pkg, name := "", typ
	if i := strings.LastIndexByte(typ, '.'); i >= 0 {
		pkg, name = typ[:i], typ[i+1:]
	}
	var out []string
	for _, d := range s.corpus.Index().Members(name) {
		if d.Kind == language.KindField && (pkg == "" || d.Exported) && d.Container == name && s.visible(d, pkg) {
			out = append(out, d.Name)
		}
	}
	return out
}

func lowerFirst(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

// inScope reports whether the function declares a name above the line.
func (s *site) inScope(name string) bool {
	fn := s.function()
	if fn.typ == nil {
		return false
	}
	for _, p := range flatten(fn.typ.Params) {
		if p.name == name {
			return true
		}
	}
	found := false
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				id, ok := e.(*ast.Ident)
				found = found || ok && id.Name == name && n.End() < s.up(0).Pos()
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				found = found || id.Name == name && n.End() < s.up(0).Pos()
			}
		}
		return true
	})
	return found
}
