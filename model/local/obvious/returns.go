package obvious

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"tandem/edits"
)

// A function is the function that a return leaves.
type function struct {
	typ  *ast.FuncType
	body *ast.BlockStmt
}

// fault stands for the checked error in a return that is compared with others.
const fault = "\x00"

// The kinds of returns, as features.
const (
	kindOwn = iota + 40
	kindZeros
	kindAsFile
	kindBare
	kindNil
	kindLearnedReturn
)

// returns suggests the return from an if statement that checks an error.
func (s *site) returns(learned []Learned) []option {
	if !s.checksError() || s.typed != "" && !strings.HasPrefix("return ", s.typed) && !strings.HasPrefix(s.typed, "return") {
		return nil
	}
	g := s.newReturns()
	results := flatten(g.fn.typ.Results)
	if len(results) == 0 {
		g.add("return", kindBare)
	} else {
		g.byFunction(results)
	}
	for _, c := range learned {
		line, _, _ := strings.Cut(c.Text, "\n")
		line = s.typed + line
		if !(Place{site: s}).Fits(line[len(s.typed):]) {
			continue
		}
		o := g.add(line, kindLearnedReturn)
		o.evidence[featLearned] = max(o.evidence[featLearned], c.Confidence)
	}
	var out []option
	for _, line := range g.order {
		o := g.out[line]
		if len(learned) > 0 {
			o.evidence[featBestLearned] = learned[0].Confidence
		}
		o.evidence[featOptions] = float64(len(g.order))
		out = append(out, *o)
	}
	return out
}

// checksError reports whether the line ends an if statement that checks an error.
func (s *site) checksError() bool {
	body, ok1 := s.up(3).(*ast.BlockStmt)
	check, ok2 := s.up(4).(*ast.IfStmt)
	if !ok1 || !ok2 || check.Body != body || body.List[len(body.List)-1] != s.up(2) || s.function().typ == nil {
		return false
	}
	_, ok := s.checked(check.Cond)
	return ok
}

// checked is the error that a condition compares with nil.
func (s *site) checked(cond ast.Expr) (string, bool) {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return "", false
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		if name, ok := s.checked(b.X); ok {
			return name, true
		}
		return s.checked(b.Y)
	}
	y, isIdent := b.Y.(*ast.Ident)
	if b.Op != token.NEQ || !isIdent || y.Name != "nil" {
		return "", false
	}
	name := s.text(b.X)
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return name, strings.HasSuffix(last, "err") || strings.HasSuffix(last, "error") || strings.HasPrefix(last, "err") || last == "e"
}

// function is the innermost function around the line.
func (s *site) function() function {
	for i := len(s.path1) - 1; i >= 0; i-- {
		switch n := s.path1[i].(type) {
		case *ast.FuncDecl:
			return function{n.Type, n.Body}
		case *ast.FuncLit:
			return function{n.Type, n.Body}
		}
	}
	return function{}
}

// A returnGatherer collects the returns that may stand after an error check.
type returnGatherer struct {
	*site
	fn    function
	name  string   // of the error
	own   []string // the function's other returns after error checks
	file  []string // the last results of the document's
	base  evidence
	out   map[string]*option
	order []string
}

func (s *site) newReturns() *returnGatherer {
	body, check := s.up(3).(*ast.BlockStmt), s.up(4).(*ast.IfStmt)
	g := &returnGatherer{site: s, fn: s.function(), out: map[string]*option{}}
	g.name, _ = s.checked(check.Cond)
	all := flatten(g.fn.typ.Results)
	g.own = s.ownReturns(g.fn, len(all))
	file := s.fileReturns()
	for _, list := range file {
		if args := split(list); len(args) > 0 {
			g.file = append(g.file, args[len(args)-1])
		}
	}
	e := &g.base
	e[featReturn], e[featResults] = 1, float64(min(len(all), 6))
	if len(all) > 0 {
		last := all[len(all)-1]
		id, ok := last.typ.(*ast.Ident)
		e[featLastError], e[featNamed] = truth(ok && id.Name == "error"), truth(last.name != "")
	}
	e[featOwn], e[featOwnWorded] = float64(min(len(g.own), 10)), shareOf(g.own, worded)
	e[featFile], e[featFileWorded] = float64(min(len(g.file), 30)), shareOf(g.file, worded)
	e[featFirst] = truth(len(body.List) == 1)
	if above := s.above; len(above) > 0 {
		e[featNearWorded] = truth(worded(above[len(above)-1]))
	}
	switch call := calledIn(check, s.path1).(type) {
	case *ast.SelectorExpr:
		if id, ok := call.X.(*ast.Ident); ok {
			_, local := s.scope().find(id.Name)
			e[featMethod], e[featForeign] = truth(local), truth(!local)
		} else {
			e[featMethod] = 1
		}
	}
	return g
}

// shareOf is the share of texts that are so.
func shareOf(texts []string, so func(string) bool) float64 {
	n := 0
	for _, t := range texts {
		n += int(truth(so(t)))
	}
	return float64(n) / float64(max(len(texts), 1))
}

// calledIn is what is called to get the error that is checked: in the if statement or in
// the statement before it.
func calledIn(check *ast.IfStmt, path []ast.Node) ast.Expr {
	stmt := check.Init
	for i := len(path) - 1; stmt == nil && i > 0; i-- {
		var list []ast.Stmt
		switch b := path[i-1].(type) {
		case *ast.BlockStmt:
			list = b.List
		case *ast.CaseClause:
			list = b.Body
		}
		for j := 1; j < len(list); j++ {
			if list[j] == check {
				stmt = list[j-1]
			}
		}
	}
	if assign, ok := stmt.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 {
		if call, ok := assign.Rhs[0].(*ast.CallExpr); ok {
			return call.Fun
		}
	}
	return nil
}

func (g *returnGatherer) add(line string, kind int) *option {
	if o := g.out[line]; o != nil {
		return o
	}
	o := &option{evidence: g.base, text: line}
	o.evidence[featKind] = float64(kind)
	list := withFault(strings.TrimSpace(strings.TrimPrefix(line, "return")), g.name)
	o.evidence[featOwnShare] = shareOf(g.own, func(other string) bool { return other == list })
	if args := split(list); len(args) > 0 {
		last := args[len(args)-1]
		o.evidence[featFileShare] = shareOf(g.file, func(other string) bool { return other == last })
		o.evidence[featPlainError] = truth(last == fault)
	}
	o.evidence[featData] = truth(worded(line))
	g.out[line], g.order = o, append(g.order, line)
	return o
}

// byFunction adds the returns of a function with results.
func (g *returnGatherer) byFunction(results []result) {
	for _, list := range g.own {
		if !worded(list) {
			g.add(strings.TrimSpace("return "+strings.ReplaceAll(list, fault, g.name)), kindOwn)
		}
	}
	lead := g.lead(results[:len(results)-1], g.own)
	whole := func(last string, kind int) {
		g.add("return "+strings.Join(append(slices.Clip(lead), last), ", "), kind)
	}
	last := results[len(results)-1]
	if id, ok := last.typ.(*ast.Ident); ok && id.Name == "error" {
		whole(g.name, kindZeros)
		if best, _ := common(slices.DeleteFunc(slices.Clone(g.file), func(l string) bool { return l == fault || worded(l) || !strings.Contains(l, fault) })); best != "" {
			whole(strings.ReplaceAll(best, fault, g.name), kindAsFile)
		}
	} else {
		whole(g.zero(last), kindZeros)
		whole(g.name, kindAsFile)
	}
	whole("nil", kindNil)
	if last.name != "" {
		g.add("return", kindBare)
	}
}

// lead are the values before the last result, as the function's other returns have them.
func (s *site) lead(results []result, own []string) []string {
	var lists []string
	for _, list := range own {
		if args := split(list); len(args) == len(results)+1 {
			lists = append(lists, strings.Join(args[:len(results)], ", "))
		}
	}
	if best, _ := common(lists); best != "" {
		return []string{best}
	}
	out := make([]string, 0, len(results)+1)
	for _, r := range results {
		out = append(out, s.zero(r))
	}
	return out
}

// ownReturns are the results of the function's other returns from error checks, with the
// error they check as fault. n is how many results there are.
func (s *site) ownReturns(fn function, n int) []string {
	var out []string
	ast.Inspect(fn.body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			name, ok := s.checked(node.Cond)
			if !ok || len(node.Body.List) == 0 {
				return true
			}
			ret, ok := node.Body.List[len(node.Body.List)-1].(*ast.ReturnStmt)
			if ok && (len(ret.Results) == n || len(ret.Results) == 0) {
				var args []string
				for _, r := range ret.Results {
					args = append(args, s.text(r))
				}
				out = append(out, withFault(strings.Join(args, ", "), name))
			}
		}
		return true
	})
	return out
}

// maxNear is how many returns of the document are compared, the nearest first.
const maxNear = 60

// fileReturns are the results of the returns that follow error checks in the document.
func (s *site) fileReturns() []string {
	var out []string
	collect := func(text string) {
		was := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if rest, ok := strings.CutPrefix(line, "return "); ok && strings.HasSuffix(was, " != nil {") {
				head := strings.TrimSuffix(was, " != nil {")
				out = append(out, withFault(rest, head[strings.LastIndexAny(head, " (;")+1:]))
			}
			was = line
		}
	}
	collect(s.before)
	s.above = out
	out = out[max(len(out)-maxNear/2, 0):]
	n := len(out)
	collect(s.after)
	return out[:min(len(out), n+maxNear/2)]
}

// withFault replaces the error's name in a list of results.
func withFault(list, name string) string {
	if name == "" {
		return list
	}
	var b strings.Builder
	for {
		i := strings.Index(list, name)
		if i < 0 {
			b.WriteString(list)
			return b.String()
		}
		end := i + len(name)
		whole := (i == 0 || !edits.IsWordByte(list[i-1]) && list[i-1] != '.') && (end == len(list) || !edits.IsWordByte(list[end]))
		b.WriteString(list[:i])
		if whole {
			b.WriteString(fault)
		} else {
			b.WriteString(name)
		}
		list = list[end:]
	}
}

// split separates the results of a return.
func split(list string) []string {
	src := strings.ReplaceAll(list, fault, "x")
	call, err := parser.ParseExpr("f(" + src + ")")
	if err != nil {
		return nil
	}
	var out []string
	for _, arg := range call.(*ast.CallExpr).Args {
		out = append(out, list[arg.Pos()-3:arg.End()-3])
	}
	return out
}

// worded reports whether results hold a message, which differs from place to place.
func worded(list string) bool { return strings.ContainsAny(list, "\"`") && strings.Contains(list, "(") }

// common is the most frequent of some results, and its share.
func common(lists []string) (best string, share float64) {
	count := map[string]int{}
	top := 0
	for _, list := range lists {
		if count[list]++; count[list] >= top {
			best, top = list, count[list]
		}
	}
	return best, float64(top) / float64(max(len(lists), 1))
}
