package obvious

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A function is the function that a return leaves.
type function struct {
	typ  *ast.FuncType
	body *ast.BlockStmt
}

// fault stands for the checked error in a return that is compared with others.
const fault = "\x00"

// returns suggests the return from an if statement that checks an error.
func (s *site) returns() []Candidate {
	if !s.checksError() {
		return nil
	}
	body, check, fn := s.up(3).(*ast.BlockStmt), s.up(4).(*ast.IfStmt), s.function()
	name, _ := s.checked(check.Cond)
	if s.typed != "" && !strings.HasPrefix("return ", s.typed) && !strings.HasPrefix(s.typed, "return") {
		return nil
	}
	sure := 1.0
	if len(body.List) > 1 && s.typed == "" {
		sure = 0.7 // something else may follow
	}
	line, confidence := s.line(fn, name)
	return []Candidate{{line, sure * confidence}}
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

// line is the return statement, and how likely it is right.
func (s *site) line(fn function, name string) (string, float64) {
	results := flatten(fn.typ.Results)
	if len(results) == 0 {
		return "return", 0.9
	}
	own := s.ownReturns(fn, len(results))
	if best, share := common(own); best != "" || len(own) > 0 && share > 0 {
		if !worded(best) {
			return strings.TrimSpace("return " + strings.ReplaceAll(best, fault, name)), 0.6 + 0.35*share*float64(min(len(own), 3))/3
		}
	}
	lead := s.lead(results[:len(results)-1], own)
	last, confidence := s.last(results[len(results)-1], name, own)
	if confidence < doubtful {
		confidence *= 0.4
	}
	return "return " + strings.Join(append(lead, last), ", "), confidence
}

// doubtful is the confidence below which a return is only suggested to who asks: what the
// document wraps with messages is seldom returned as it is.
const doubtful = 0.48

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

// last is the expression for the last result.
func (s *site) last(r result, name string, own []string) (string, float64) {
	if id, ok := r.typ.(*ast.Ident); !ok || id.Name != "error" {
		return s.zero(r), 0.6
	}
	plain, wrapped := 1.0, 0.6
	for _, list := range own {
		if worded(list) {
			wrapped += 2
		} else {
			plain += 2
		}
	}
	others := map[string]int{}
	for _, list := range s.fileReturns() {
		args := split(list)
		if len(args) == 0 {
			continue
		}
		switch last := args[len(args)-1]; {
		case last == fault:
			plain++
		case worded(last):
			wrapped++
		case strings.Contains(last, fault):
			others[last]++
		}
	}
	for text, n := range others {
		if float64(n) > plain+wrapped {
			return strings.ReplaceAll(text, fault, name), 0.7
		}
	}
	return name, 0.9 * plain / (plain + wrapped)
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
		whole := (i == 0 || !wordByte(list[i-1]) && list[i-1] != '.') && (end == len(list) || !wordByte(list[end]))
		b.WriteString(list[:i])
		if whole {
			b.WriteString(fault)
		} else {
			b.WriteString(name)
		}
		list = list[end:]
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
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
