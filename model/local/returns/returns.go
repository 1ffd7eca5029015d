package returns

import (
	"cmp"
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model"
	"tandem/model/local/source"
	"tandem/workspace/language"
)

// A Candidate is a text from the cursor to the end of the line.
type Candidate struct {
	Text       string
	Confidence float64 // how often such a candidate is exactly right, 0 to 1
}

// A Place is a cursor where a return from an error check may stand.
type Place struct{ site *site } // nil elsewhere

// At returns the place of the cursor. Elsewhere than in an error check it has no candidates
// and every line fits.
func At(c source.Corpus, f *model.Fill) Place {
	if lang := language.OfFile(f.Path); lang == "go" {
		if s, ok := newSite(c, f); ok {
			return Place{s}
		}
	}
	return Place{}
}

// Fits reports whether a line, from the cursor to its end, may stand at the place: a return
// has as many results as its function.
func (p Place) Fits(line string) bool {
	if p.site == nil {
		return true
	}
	results := len(flatten(p.site.typ.Results))
	list, ok := strings.CutPrefix(p.site.typed+line, "return")
	if list = strings.TrimSpace(list); !ok || list == "" {
		return ok || results == 0
	}
	n := len(split(list))
	return n == results || n == 1 && strings.HasSuffix(list, ")")
}

// The confidence in a return before other returns are seen.
const (
	usual   = 0.6 // as the function's others are, or zero values and the error
	unusual = 0.1 // the error as others of the document pass it on, nil for it, named results
)

// doubtful is the confidence below which a return is only suggested to who asks: mostly the
// author adds a message there.
const doubtful = 0.35

// Candidates returns the returns that may stand at the cursor, the most confident first. What
// the learned model suggests there is judged with them: those lines are among the candidates.
func (p Place) Candidates(learned []Candidate) []Candidate {
	if p.site == nil {
		return nil
	}
	g := p.site.gather()
	for _, c := range learned {
		line, _, _ := strings.Cut(c.Text, "\n")
		g.add(p.site.typed+line, c.Confidence)
	}
	var out []Candidate
	for _, line := range g.order {
		rest, ok := strings.CutPrefix(line, p.site.typed)
		if !ok || strings.TrimSpace(rest) == "" {
			continue
		}
		sure := g.confidence(line)
		if sure < doubtful {
			sure *= 0.4
		}
		out = append(out, Candidate{rest, sure})
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return out
}

// fault stands for the checked error in a return that is compared with others.
const fault = "\x00"

// A gatherer collects the returns that may stand after an error check.
type gatherer struct {
	*site
	own    []string           // the function's other returns after error checks
	last   []string           // the last results of the document's
	before map[string]float64 // by line, the confidence before other returns are seen
	order  []string
}

// gather collects what the function's types and other returns show.
func (s *site) gather() *gatherer {
	results := flatten(s.typ.Results)
	g := &gatherer{site: s, own: s.ownReturns(len(results)), before: map[string]float64{}}
	for _, list := range s.fileReturns() {
		if args := split(list); len(args) > 0 {
			g.last = append(g.last, args[len(args)-1])
		}
	}
	if len(results) == 0 {
		g.add("return", usual)
	} else {
		g.byFunction(results)
	}
	return g
}

// add adds a line, once.
func (g *gatherer) add(line string, before float64) {
	was, known := g.before[line]
	if !known {
		g.order = append(g.order, line)
	}
	g.before[line] = max(was, before)
}

// How much the confidence before other returns are seen weighs, and a return of the same
// function, in returns of the document.
const (
	weightBefore = 3
	weightOwn    = 6
)

// confidence is the share of the other returns that are as a line: the function's as a whole,
// the document's in their last result. They were set on modules that the bench does not ask.
func (g *gatherer) confidence(line string) float64 {
	if worded(line) {
		return g.before[line] // a message differs from place to place
	}
	list := withFault(strings.TrimSpace(strings.TrimPrefix(line, "return")), g.name)
	last := ""
	if args := split(list); len(args) > 0 {
		last = args[len(args)-1]
	}
	same := weightBefore*g.before[line] + weightOwn*count(g.own, list) + count(g.last, last)
	return same / (weightBefore + weightOwn*float64(len(g.own)) + float64(len(g.last)))
}

// count is how many texts are so.
func count(texts []string, text string) float64 {
	n := 0
	for _, t := range texts {
		if t == text {
			n++
		}
	}
	return float64(n)
}

// byFunction adds the returns of a function with results.
func (g *gatherer) byFunction(results []result) {
	for _, list := range g.own {
		if !worded(list) {
			g.add(strings.TrimSpace("return "+strings.ReplaceAll(list, fault, g.name)), usual)
		}
	}
	lead := g.lead(results[:len(results)-1])
	whole := func(last string, before float64) {
		g.add("return "+strings.Join(append(slices.Clip(lead), last), ", "), before)
	}
	last := results[len(results)-1]
	if id, ok := last.typ.(*ast.Ident); ok && id.Name == "error" {
		whole(g.name, usual)
		if best := common(slices.DeleteFunc(slices.Clone(g.last), func(l string) bool { return l == fault || worded(l) || !strings.Contains(l, fault) })); best != "" {
			whole(strings.ReplaceAll(best, fault, g.name), unusual)
		}
	} else {
		whole(g.zero(last), usual)
		whole(g.name, unusual)
	}
	whole("nil", unusual)
	if last.name != "" {
		g.add("return", unusual)
	}
}

// lead are the values before the last result, as the function's other returns have them.
func (g *gatherer) lead(results []result) []string {
	var lists []string
	for _, list := range g.own {
		if args := split(list); len(args) == len(results)+1 {
			lists = append(lists, strings.Join(args[:len(results)], ", "))
		}
	}
	if best := common(lists); best != "" {
		return []string{best}
	}
	out := make([]string, 0, len(results)+1)
	for _, r := range results {
		out = append(out, g.zero(r))
	}
	return out
}

// ownReturns are the results of the function's other returns from error checks, with the
// error they check as fault. n is how many results there are.
func (s *site) ownReturns(n int) []string {
	var out []string
	ast.Inspect(s.body, func(node ast.Node) bool {
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
const maxNear = 20

// fileReturns are the results of the returns that follow error checks in the document.
func (s *site) fileReturns() []string {
	above, below := checkReturns(s.before), checkReturns(s.after)
	return append(above[max(len(above)-maxNear/2, 0):], below[:min(len(below), maxNear/2)]...)
}

func checkReturns(text string) (out []string) {
	was := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "return "); ok && strings.HasSuffix(was, " != nil {") {
			head := strings.TrimSuffix(was, " != nil {")
			out = append(out, withFault(rest, head[strings.LastIndexAny(head, " (;")+1:]))
		}
		was = line
	}
	return out
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

// common is the most frequent of some results, the last of these.
func common(lists []string) (best string) {
	count := map[string]int{}
	top := 0
	for _, list := range lists {
		if count[list]++; count[list] >= top {
			best, top = list, count[list]
		}
	}
	return best
}
