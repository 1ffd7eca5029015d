package edits

import (
	"slices"
	"strings"
)

// widths are the numbers of spaces that a model may write for one level.
var widths = []int{2, 3, 4, 8}

// inUnit writes the indentation of an insertion's lines in the document's unit, if it is in
// another. The lines show how wide a level of the model is, since they continue those of the
// document.
func (p *site) inUnit(text string) (string, *Error) {
	lines := strings.Split(text, "\n")
	first := 1
	if p.line == "" {
		first = 0
	}
	if p.unit == "" || len(lines) <= first || p.at.Len() > 0 {
		return text, nil
	}
	tabs, spaces := countStyle(lines[first:])
	switch inTabs := p.unit == "\t"; {
	case tabs > 0 && spaces > 0, tabs+spaces == 0:
		return text, nil
	case !inTabs && spaces > 0:
		return p.rewidened(text, lines, first)
	case inTabs == (tabs > 0):
		return text, nil
	case !p.inStyle(inTabs), inTabs && p.aligned(lines, first):
		if p.inStyle(!inTabs) {
			return text, nil // what was found is not so here
		}
		return text, refuse(CodeAmbiguous, unexplained)
	case inTabs:
		return p.respelt(lines, first, p.best(lines, first))
	}
	made, refusal := p.respelt(lines, first, []int{len(p.unit)})
	if refusal != nil {
		return text, refusal
	}
	if again, refusal := p.rewidened(made, strings.Split(made, "\n"), first); refusal != nil || again != made {
		return text, refuse(CodeAmbiguous, unexplained)
	}
	return made, nil
}

// inStyle reports whether the document has next to nothing in the other style, and nothing near
// the place.
func (p *site) inStyle(inTabs bool) bool {
	own := p.line + "."
	tabs, spaces := countStyle(slices.Concat(p.above, []string{own}, p.below))
	nearTabs, nearSpaces := countStyle(slices.Concat(p.above[max(0, len(p.above)-5):], []string{own}, p.below[:min(5, len(p.below))]))
	if !inTabs {
		tabs, spaces, nearTabs, nearSpaces = spaces, tabs, nearSpaces, nearTabs
	}
	return spaces == 0 || spaces*10 <= tabs && nearSpaces == 0 && nearTabs > 0
}

// aligned reports whether all indented lines continue a line before them, below whose text they
// may be.
func (p *site) aligned(lines []string, first int) bool {
	before := p.line + lines[0]
	for i, line := range lines[first:] {
		if i > 0 {
			before = lines[first+i-1]
		}
		if indentOf(line) != "" && !blank(line) && !strings.HasSuffix(strings.TrimSpace(before), "\\") {
			return false
		}
	}
	return true
}

// rewidened writes spaces of another width in the document's, if its own does not explain the
// lines and one other does. Where both do, but the other does it better, it refuses.
func (p *site) rewidened(text string, lines []string, first int) (string, *Error) {
	own := p.oddities(lines, first, len(p.unit))
	best := p.best(lines, first)
	better := p.oddities(lines, first, best[0])
	switch {
	case own.off, own.odd == 0 && own.deeper > better.deeper && better.odd == 0:
	case own.odd < better.odd+2 && (own.odd > 0 || !p.halved(lines, first)):
		return text, nil
	case own.odd-2*own.closers >= better.odd+2 && better.odd <= 1 && len(best) == 1 && p.regular():
		made, refusal := p.respelt(lines, first, best)
		if refusal != nil {
			return text, refusal
		}
		if again, refusal := p.rewidened(made, strings.Split(made, "\n"), first); refusal == nil && again == made {
			return made, nil
		}
	}
	return text, refuse(CodeAmbiguous, unexplained)
}

// halved reports whether the first line that follows ends blocks without closing them, and does
// not if a level is half as wide.
func (p *site) halved(lines []string, first int) bool {
	i := slices.IndexFunc(lines[first:], func(line string) bool { return !blank(line) })
	if i < 0 || len(p.unit)%4 > 0 || first == 0 {
		return false
	}
	line, base := lines[first+i], strings.Count(indentOf(p.line+lines[0]), p.unit)
	n := len(indentOf(line))
	return !closesBlock(strings.TrimSpace(line)) && n/len(p.unit) < base && n*2/len(p.unit) >= base && p.oddities(lines, first, len(p.unit)/2).odd == 0
}

const unexplained = "it is indented in a way that the lines around it do not explain"

// leastSteps is how often a document goes in by its unit if it keeps to it.
const leastSteps = 3

// regular reports whether the lines around a place are indented by whole levels.
func (p *site) regular() bool {
	steps, whole, others, last := 0, 0, 0, 0
	for _, line := range slices.Concat(p.above, p.below) {
		if blank(line) {
			continue
		}
		n := len(indentOf(line))
		switch {
		case n == 0:
		case n%len(p.unit) == 0:
			whole++
		case strings.TrimSpace(line)[0] != '*':
			others++
		}
		if n-last == len(p.unit) {
			steps++
		}
		last = n
	}
	return steps >= leastSteps && others*50 <= whole
}

// best lists the widths of a level with which lines continue the document with the least
// oddities.
func (p *site) best(lines []string, first int) []int {
	var out []int
	least := 0
	for _, width := range widths {
		found := p.oddities(lines, first, width)
		n := found.odd<<16 + found.deeper
		if len(out) == 0 || n < least {
			out, least = nil, n
		}
		if n == least {
			out = append(out, width)
		}
	}
	return out
}

// An oddity is what is unusual in lines: odd is for what hardly any text has, and deeper is how
// many lines are deeper for no reason that shows. Of those that are odd, closers are only where
// what they close is not. off means that one is deeper than a line that is at no level itself.
type oddity struct {
	odd, deeper, closers int
	off                  bool
}

// oddities finds what is unusual in lines that continue the document if one of their levels is
// so many spaces: parts of levels, a line that is deeper though nothing was opened, one that is
// not though something was, one that goes back to where no line is.
func (p *site) oddities(lines []string, first, width int) oddity {
	c := &continuation{unit: max(len(p.unit), 1)}
	if p.unit == "\t" {
		c.unit = 8
	}
	before := p.line + lines[0]
	if first == 0 {
		before = ""
		for i := len(p.above) - 1; i >= 0 && blank(before); i-- {
			before = p.above[i]
		}
	}
	own := width == len(p.unit)
	c.enter(p.above, before)
	c.near = map[int]bool{}
	for _, line := range slices.Concat(p.above[max(0, len(p.above)-nearLines):], p.below[:min(nearLines, len(p.below))]) {
		c.near[c.column(line)] = c.near[c.column(line)] || !blank(line)
	}
	for _, line := range lines[first:] {
		if blank(line) {
			continue
		}
		n := len(indentOf(line))
		if star := strings.TrimSpace(line)[0] == '*'; !star && !own && n%width != 0 {
			c.odd += 2
		}
		column := n
		if !own {
			column = n/width*c.unit + n%width
		}
		c.next(line, column)
	}
	if blank(p.rest) {
		if i := slices.IndexFunc(p.below, func(line string) bool { return !blank(line) }); i >= 0 {
			c.next(p.below[i], c.column(p.below[i]))
		}
	}
	return c.oddity
}

// A continuation reads lines that continue a document.
type continuation struct {
	oddity
	unit  int // columns of a level
	at    int // column of the last line
	last  string
	near  map[int]bool // columns at which lines around the place begin
	chain []enclosing  // the lines that the last one is in, and itself, the outermost first
}

// An enclosing line begins what later lines are in.
type enclosing struct {
	column int
	line   string
}

// column is where a line of the document begins.
func (c *continuation) column(line string) int {
	indent := indentOf(line)
	return len(indent) + strings.Count(indent, "\t")*(c.unit-1)
}

// nearLines is how far around a place lines show how its block is indented.
const nearLines = 60

// mostAbove bounds how many lines are looked through for those that a place is in.
const mostAbove = 400

// enter begins behind a line that has others above it.
func (c *continuation) enter(above []string, before string) {
	c.at, c.last = c.column(before), before
	if strings.HasPrefix(strings.TrimSpace(before), "*") && c.at%c.unit == 1 {
		c.at-- // the stars of a comment are a column deeper than it
	}
	c.chain = []enclosing{{c.at, before}}
	for i := len(above) - 1; i >= max(0, len(above)-mostAbove) && c.chain[0].column > 0; i-- {
		if column := c.column(above[i]); !blank(above[i]) && column < c.chain[0].column {
			c.chain = slices.Insert(c.chain, 0, enclosing{column, above[i]})
		}
	}
}

// next reads the next line, which begins at a column.
func (c *continuation) next(line string, column int) {
	code := strings.TrimSpace(line)
	switch {
	case code[0] == '*':
		return // the stars of a comment are below each other
	case strings.IndexByte("?:.&|+", code[0]) >= 0 && !leavesOpen(code): // it continues the line before it
		if c.straysAsOperator(code, column) {
			c.odd += 2
		}
		if code[0] == '|' {
			c.at, c.last = column, line
		}
		return
	}
	last := strings.TrimSpace(c.last)
	back := slices.IndexFunc(c.chain, func(e enclosing) bool { return e.column == column })
	switch {
	case column < c.at && back < 0:
		if c.odd += 2; closesBlock(code) {
			c.closers++
		}
	case c.strays(code, column):
		c.odd += 2
	case strings.IndexByte(")]}", code[0]) >= 0 && back >= 0 && !leavesOpen(c.chain[back].line):
		c.odd += 2
		c.closers++
	case column <= c.at:
	case strings.HasPrefix(code, "--") && strings.HasPrefix(last, "--"):
		c.deeper++
	case strings.HasPrefix(last, "- ") && alignedIn(c.last, column): // it is in an item of a list
	case opensBlock(c.last) == unlikely:
		if c.deeper++; c.at%c.unit != 0 {
			c.off = true
		}
	}
	for len(c.chain) > 0 && c.chain[len(c.chain)-1].column >= column {
		c.chain = c.chain[:len(c.chain)-1]
	}
	c.chain = append(c.chain, enclosing{column, line})
	c.at, c.last = column, line
}

// straysAsOperator reports whether a line that continues the one before it, and begins with an
// operator, is where no such line is: beside one like it, behind a statement that has ended, or
// deeper than by a level and below no word.
func (c *continuation) straysAsOperator(code string, column int) bool {
	last := strings.TrimSpace(c.last)
	if last != "" && last[0] == code[0] && column != c.at {
		return true
	}
	if column <= c.at {
		return false
	}
	if strings.HasSuffix(last, ";") {
		return true
	}
	if alignedIn(c.last, column) {
		return false
	}
	return column > c.at+c.unit || column%c.unit != 0 && !c.near[column]
}

// strays reports whether the line before a line rules out its column: it opens what the line is
// not in, or opens nothing that the line can be in, or can be by so much.
func (c *continuation) strays(code string, column int) bool {
	closing, opened := closesBlock(code), opensBlock(c.last)
	if column <= c.at {
		if closing {
			return column == c.at && opened <= unlikely
		}
		return opened == always
	}
	if closing || opened == never {
		return true
	}
	if alignedIn(c.last, column) {
		return false
	}
	inBrackets := continued(c.last)
	if column > c.at+c.unit && !inBrackets {
		return true
	}
	if column%c.unit == 0 || (column-c.at)%c.unit == 0 || c.near[column] {
		return false
	}
	return !inBrackets || strings.HasSuffix(c.last, "(") || strings.HasSuffix(c.last, "[")
}

// leavesOpen reports whether a bracket that a line opens is not closed in it.
func leavesOpen(line string) bool {
	n := 0
	for i := range len(line) {
		switch {
		case strings.IndexByte("([{", line[i]) >= 0:
			n++
		case strings.IndexByte(")]}", line[i]) >= 0:
			n = max(n-1, 0)
		}
	}
	return n > 0
}

// alignedIn reports whether a word or an argument of a line begins at a column.
func alignedIn(line string, column int) bool {
	return column > 0 && column < len(line) && line[column] != ' ' && strings.IndexByte(" ([{=,<\"'", line[column-1]) >= 0
}

// continued reports whether the next line may be indented by more than a level, as what is in
// brackets is.
func continued(line string) bool {
	return depthOf(line) > 0 && !strings.HasSuffix(strings.TrimSpace(line), "{")
}

// closesBlock reports whether a line closes what lines above it have opened.
func closesBlock(code string) bool {
	return code != "" && (closing(code) || strings.HasPrefix(code, "</") || strings.HasPrefix(code, "*/") || strings.HasPrefix(firstWord(code), "end") || strings.HasPrefix(code, "/>") || code == ">" || slices.Contains(continuingWords[:8], firstWord(code)))
}

// How sure it is that the lines after one are indented more.
type opening int

const (
	never    opening = iota
	unlikely         // as in prose, or in the middle of a statement
	maybe
	always
)

// opensBlock reports whether the lines after one are indented more.
func opensBlock(line string) opening {
	code := strings.TrimSpace(line)
	if code == "" {
		return maybe
	}
	last := code[len(code)-1]
	switch {
	case strings.IndexByte(")]}", code[0]) >= 0 && strings.IndexByte(")]},;", last) >= 0, code[0] == '<' && (strings.Contains(code, "</") || strings.HasSuffix(code, "/>")):
		return never
	case last == ',' && depthOf(code) <= 0:
		return never // an entry of a list
	case strings.HasSuffix(code, "::"), strings.IndexByte(",\\=+|&?", last) >= 0, strings.HasSuffix(code, "=>"), strings.HasSuffix(code, "->"):
		return maybe
	case last == ':' && strings.Contains(strings.TrimSuffix(code, ":"), " ") && !slices.Contains(openingWords, firstWord(code)):
		return unlikely // prose, or a key
	case strings.IndexByte("{([:", last) >= 0, slices.Contains([]string{"do", "then", "else"}, code[strings.LastIndexAny(code, " \t")+1:]):
		return always
	case code[0] == '<', strings.Contains(code, "function"), slices.Contains(openingWords, firstWord(code)):
		return maybe
	case strings.IndexByte(";)}]", last) < 0:
		return unlikely
	}
	return never
}

// openingWords begin lines after which lines may be indented more.
var openingWords = []string{"def", "class", "module", "function", "local", "while", "for", "if", "else", "elif", "elsif", "begin", "try", "except", "finally", "with", "case", "when", "unless", "switch", "do", "async", "match"}

// respelt writes lines whose levels have one of these widths, if all give the same.
func (p *site) respelt(lines []string, first int, widths []int) (string, *Error) {
	out := ""
	for _, width := range widths {
		made := slices.Clone(lines)
		for i := first; i < len(lines); i++ {
			indent := indentOf(lines[i])
			if blank(lines[i]) {
				continue
			}
			tabs, spaces := leading(indent, '\t'), len(strings.TrimLeft(indent, "\t"))
			if tabs > 0 {
				made[i] = strings.Repeat(p.unit, tabs) + strings.Repeat(" ", spaces) + lines[i][len(indent):]
			} else {
				made[i] = strings.Repeat(p.unit, spaces/width) + strings.Repeat(" ", spaces%width) + lines[i][len(indent):]
			}
		}
		text := strings.Join(made, "\n")
		if out != "" && text != out {
			return "", refuse(CodeAmbiguous, unexplained)
		}
		out = text
	}
	return out, nil
}
