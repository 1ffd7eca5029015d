package edits

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// widths are the numbers of spaces that a model may write for one level.
var widths = []int{2, 4, 8, 3}

// inUnit writes the indentation of an insertion's lines in the document's unit, if it is in
// another: in tabs for spaces, or in spaces of another width. How the lines of the document are
// indented tells what is likely; where that leaves two readings, it refuses.
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
	inTabs := p.unit == "\t"
	own, others := inTabs == (tabs > 0), p.inOther(inTabs)
	switch {
	case tabs > 0 && spaces > 0, tabs+spaces == 0, own && inTabs:
		return text, nil
	case !own && others == many && p.inOther(!inTabs) != many:
		return text, nil // what was found is not so here
	case !own && others == many,
		!own && inTabs && len(continued(p.lineAbove(), p.line, lines)) > 0 && len(continued("", "", p.above)) == 0:
		return text, refuse(CodeAmbiguous, unexplained)
	}
	made, refusal := p.likeliest(lines, first, own, own || others == some)
	if refusal != nil || made == text {
		return text, refusal
	}
	if again, refusal := p.inUnit(made); refusal != nil || again != made {
		return text, refuse(CodeAmbiguous, unexplained)
	}
	return made, nil
}

const unexplained = "it is indented in a way that the lines around it do not explain"

// continued are the indentations of the lines that a backslash continues, or a list in brackets at
// the margin, or that a condition of make is about: they begin anywhere. last is the line before them, and before
// what the first one has before it.
func continued(last, before string, lines []string) (indents []string) {
	for i, line := range lines {
		list := strings.HasSuffix(last, ",") && indentOf(last) == "" && leavesOpen(last)
		if indentOf(line) != "" && (list || strings.HasSuffix(last, "\\") || ofMake.is(firstWord(strings.TrimSpace(last)))) {
			indents = append(indents, indentOf(line))
		}
		if last = line; i == 0 {
			last = before + line
		}
	}
	return indents
}

// lineAbove is the line before that of the place.
func (p *site) lineAbove() string {
	if len(p.above) == 0 {
		return ""
	}
	return p.above[len(p.above)-1]
}

// How many lines of a document are indented in the other style.
type otherStyle int

const (
	none otherStyle = iota
	some            // next to nothing, and nothing near the place
	many
)

// inOther counts the lines that are not indented in a style.
func (p *site) inOther(inTabs bool) otherStyle {
	own := p.line + "."
	tabs, spaces := countStyle(slices.Concat(p.above, []string{own}, p.below))
	nearTabs, nearSpaces := countStyle(slices.Concat(p.above[max(0, len(p.above)-5):], []string{own}, p.below[:min(5, len(p.below))]))
	if !inTabs {
		tabs, spaces, nearTabs, nearSpaces = spaces, tabs, nearSpaces, nearTabs
	}
	switch {
	case spaces == 0:
		return none
	case spaces*10 <= tabs && nearSpaces == 0 && nearTabs > 0:
		return some
	}
	return many
}

// A reading of lines takes so many spaces for one level.
type reading struct {
	text   string
	likely float64 // how likely its indentation is here, as a logarithm
}

// How much likelier than any other reading the best must be, as a logarithm.
const (
	otherMargin = 1.01 // lines in another style than the document's
	styleMargin = 8.0  // lines in its style, which are not as they are written
	asWritten   = 1.0  // ahead of which lines in its style are that are as they are written
)

// likeliest returns the likeliest reading of lines. own means that they are in the document's
// style as they are, and kept that they may be meant so.
func (p *site) likeliest(lines []string, first int, own, kept bool) (string, *Error) {
	habits, written, usual := p.habits(), strings.Join(lines, "\n"), widths
	var list []reading
	if kept {
		list = append(list, reading{written, habits.likelihood(p, lines, first)})
	}
	if own {
		list[0].likely += asWritten
		usual = widths[:2]
	}
	for _, width := range usual {
		text, ok := p.respelt(lines, first, width)
		if !ok || slices.ContainsFunc(list, func(r reading) bool { return r.text == text }) {
			continue
		}
		list = append(list, reading{text, habits.likelihood(p, strings.Split(text, "\n"), first)})
	}
	slices.SortStableFunc(list, func(a, b reading) int { return cmp.Compare(b.likely, a.likely) })
	anywhere := func(line string) bool { return !blank(line) && beginsAs(strings.TrimSpace(line)) == star }
	least := otherMargin
	if own && len(list) > 0 && list[0].text != written {
		least = styleMargin
	}
	switch {
	case len(list) == 1:
		return list[0].text, nil
	case len(list) == 0, least == styleMargin && (!habits.regular() || !p.stepsIn(habits.unit) || slices.ContainsFunc(lines[first:], anywhere)), list[0].likely-list[1].likely < least:
		return "", refuse(CodeAmbiguous, unexplained)
	}
	return list[0].text, nil
}

// respelt writes lines whose levels have so many spaces in the document's unit; false if their
// indentation is not of whole levels. Tabs are levels.
func (p *site) respelt(lines []string, first, width int) (string, bool) {
	made := slices.Clone(lines)
	for i, line := range lines[first:] {
		indent := indentOf(line)
		tabs, spaces := leading(indent, '\t'), len(strings.TrimLeft(indent, "\t"))
		switch code := line[len(indent):]; {
		case code == "":
			continue
		case tabs > 0:
			made[first+i] = strings.Repeat(p.unit, tabs) + strings.Repeat(" ", spaces) + code
		case spaces%width != 0 && code[0] != '*':
			return "", false
		default:
			made[first+i] = strings.Repeat(p.unit, spaces/width) + strings.Repeat(" ", spaces%width) + code
		}
	}
	return strings.Join(made, "\n"), true
}

// A move is how far from the line before it a line begins.
type move int

const (
	same      move = iota
	deeper         // by a level
	farDeeper      // by two
	belowWord      // below a word of the line before
	otherwise      // deeper, by no level
	back           // to the line that the one before it is in
	farBack        // to a line farther out
	astray         // to where no line begins that it can go back to
	moveKinds
)

// A kind of line, for where it may begin.
type lineKind int

const (
	ordinary lineKind = iota
	closer
	operator // it begins with an operator
	item     // of a list
	star     // in a comment, or of a statement that a backslash continues: they begin anywhere
	lineKinds
)

func beginsAs(code string) lineKind {
	switch {
	case code[0] == '*', code[0] == '\\':
		return star
	case strings.HasPrefix(code, "- "):
		return item
	case closesBlock(code):
		return closer
	case strings.IndexByte("?:.&|+", code[0]) >= 0:
		return operator
	}
	return ordinary
}

// isRemark reports whether a line is a comment.
func isRemark(code string) bool {
	return strings.HasPrefix(code, "//") || strings.HasPrefix(code, "# ") || strings.HasPrefix(code, "-- ") || strings.HasPrefix(code, ";;")
}

// isDirective reports whether a line is one for a preprocessor; a selector ends in a bracket or a
// comma.
func isDirective(code string) bool {
	return code[0] == '#' && firstWord(code[1:]) != "" && strings.IndexByte("{,", code[len(code)-1]) < 0
}

// A pair is what two lines, one below the other, look like.
type pair struct {
	last    byte // of the first line: 'a' for a letter or digit
	open    bool // it leaves a bracket open
	word    bool // it begins with a word that begins blocks
	in      bool // it is indented
	kind    lineKind
	opening opening
}

// A continuation reads lines one by one, and tells how each begins.
type continuation struct {
	unit  int         // columns of a level
	chain []enclosing // the lines that the last one is in, and itself, the outermost first
	gap   bool        // the last line was blank
}

// An enclosing line begins what later lines are in.
type enclosing struct {
	column int
	line   string
}

// column is where a line begins.
func (c *continuation) column(line string) int {
	indent := indentOf(line)
	return len(indent) + strings.Count(indent, "\t")*(c.unit-1)
}

// next reads a line that is not blank.
func (c *continuation) next(line string) (p pair, o opening, m move) {
	code, column := strings.TrimSpace(line), c.column(line)
	p.kind = beginsAs(code)
	last := enclosing{}
	if n := len(c.chain); n > 0 {
		last = c.chain[n-1]
	}
	before := strings.TrimSpace(last.line)
	if before != "" {
		if p.last = before[len(before)-1]; IsWordByte(p.last) || p.last >= 0x80 {
			p.last = 'a'
		}
		p.open, p.word = leavesOpen(before), mayOpen.is(firstWord(before))
	}
	switch o = opensBlock(last.line); {
	case c.gap && !leavesOpen(before):
		o = parted
	case isRemark(before):
		o = never
	case o != always && depthOf(before) < 0 && beginsAs(before) != closer:
		o = closed
	}
	p.opening, p.in, c.gap = o, last.column > 0, false
	for len(c.chain) > 0 && c.chain[len(c.chain)-1].column > column {
		m++
		c.chain = c.chain[:len(c.chain)-1]
	}
	found := len(c.chain) > 0 && c.chain[len(c.chain)-1].column == column
	bracket := strings.IndexByte(")]}", code[0]) >= 0
	switch gone := int(m); {
	case gone == 0 && found:
		m = same
		if bracket && !leavesOpen(c.chain[len(c.chain)-1].line) || o != parted && p.kind != item && strings.HasPrefix(before, "- ") {
			m = astray
		}
	case gone == 0 && (column == last.column+c.unit || strings.HasPrefix(before, "- ") && column == last.column+len("- ")+c.unit || column == last.column+markWidth(before)):
		m = deeper
	case gone == 0 && alignedIn(last.line, column):
		m = belowWord
	case gone == 0 && column == last.column+2*c.unit:
		m = farDeeper
	case gone == 0:
		m = otherwise
	case !found && column > 0, bracket && found && !leavesOpen(c.chain[len(c.chain)-1].line):
		m = astray
	case gone == 1:
		m = back
	default:
		m = farBack
	}
	if found {
		c.chain = c.chain[:len(c.chain)-1]
	}
	c.chain = append(c.chain, enclosing{column, line})
	return p, o, m
}

// markWidth is how far behind the mark of an item, or of a directive, its text begins; 0 if a line
// begins with none.
func markWidth(code string) int {
	mark, _, _ := strings.Cut(code, " ")
	switch strings.TrimLeft(mark, "0123456789") {
	case ".", ")", "..", "-", "*", "+":
		return len(mark) + 1
	}
	return 0
}

// habits are how often lines of a document begin where.
type habits struct {
	unit  int
	fine  map[pair]*[moveKinds + 1]float64 // the last is the sum
	all   map[coarse]*[moveKinds + 1]float64
	words map[string]map[int]float64 // how often a line's first word is at which column
}

// coarse is a pair of lines in any language.
type coarse struct {
	opening opening
	kind    lineKind
}

// habitLines is how far around a place lines show the habits of a document.
const habitLines = 600

// habits learns from the lines around a place.
func (p *site) habits() *habits {
	h := &habits{max(len(p.unit), 1), map[pair]*[moveKinds + 1]float64{}, map[coarse]*[moveKinds + 1]float64{}, map[string]map[int]float64{}}
	if p.unit == "\t" {
		h.unit = 8
	}
	h.learn(p.above[max(0, len(p.above)-habitLines):])
	h.learn(p.below[:min(habitLines, len(p.below))])
	return h
}

func (h *habits) learn(lines []string) {
	c := &continuation{unit: h.unit}
	for i, line := range lines {
		if blank(line) {
			c.gap = true
			continue
		}
		word := lineStart(line)
		if h.words[word] == nil {
			h.words[word] = map[int]float64{}
		}
		h.words[word][len(indentOf(line))]++
		if p, o, m := c.next(line); i > 0 {
			if h.fine[p] == nil {
				h.fine[p] = &[moveKinds + 1]float64{}
			}
			k := coarse{o, p.kind}
			if h.all[k] == nil {
				h.all[k] = &[moveKinds + 1]float64{}
			}
			h.fine[p][m]++
			h.fine[p][moveKinds]++
			h.all[k][m]++
			h.all[k][moveKinds]++
		}
	}
}

// leastSteps is how often a document goes in by its unit if it keeps to it.
const leastSteps = 3

// regular reports whether the document goes in by its unit, and hardly ever by less or more.
func (h *habits) regular() bool {
	var n [moveKinds + 1]float64
	for _, found := range h.all {
		for m := range found {
			n[m] += found[m]
		}
	}
	return n[deeper] >= leastSteps && (n[otherwise]+n[astray]) <= n[deeper] && 8*n[farDeeper] <= n[deeper]
}

// stepsIn reports whether what a place is in goes in by levels.
func (p *site) stepsIn(unit int) bool {
	c := &continuation{unit: unit}
	for _, line := range append(p.above[max(0, len(p.above)-habitLines):], p.line+".") {
		if !blank(line) {
			c.next(line)
		}
	}
	for i := 1; i < len(c.chain); i++ {
		if step := c.chain[i].column - c.chain[i-1].column; step != unit && p.line != "" {
			return false
		}
	}
	return true
}

// trust is how many lines of a document weigh as much as what is usual elsewhere, and mostTrust
// how much they weigh at most.
const (
	trust     = 4
	mostTrust = 0.9
)

// likely is how likely a move is, as a logarithm.
func (h *habits) likely(p pair, o opening, m move) float64 {
	likely := usual[o][p.kind][m]
	for _, n := range []*[moveKinds + 1]float64{h.all[coarse{o, p.kind}], h.fine[p]} {
		if n != nil {
			share := min(n[moveKinds]/(n[moveKinds]+trust), mostTrust)
			likely = share*n[m]/n[moveKinds] + (1-share)*likely
		}
	}
	return math.Log(likely)
}

// lineStart is the word, or the signs, that a line begins with.
func lineStart(line string) string {
	code := strings.TrimSpace(line)
	return code[:max(wordLen(code), min(len(code), 2))]
}

// usualColumns is how many columns a word is taken to begin lines at before any is seen, each
// with half a line.
const usualColumns = 8

// placed is how likely a line with its first word begins at its column, as a logarithm.
func (h *habits) placed(line string) float64 {
	columns, lines := h.words[lineStart(line)], 0.0
	for _, n := range columns {
		lines += n
	}
	return math.Log((columns[len(indentOf(line))] + 0.5) / (lines + 0.5*usualColumns))
}

// likelihood is how likely lines are at a place, from one on, and the line below them.
func (h *habits) likelihood(p *site, lines []string, first int) float64 {
	c := &continuation{unit: h.unit}
	before := slices.Clone(p.above[max(0, len(p.above)-habitLines):])
	if first > 0 {
		before = append(before, p.line+lines[0])
	}
	for _, line := range before {
		if blank(line) {
			c.gap = true
			continue
		}
		c.next(line)
	}
	all := slices.Clone(lines[first:])
	if blank(p.rest) {
		if i := nonBlank(p.below); i >= 0 {
			all = append(all, p.below[:i+1]...)
		}
	}
	sum := 0.0
	for i, line := range all {
		if blank(line) {
			c.gap = true
			continue
		}
		sum += h.likely(c.next(line))
		if i < len(lines)-first {
			sum += h.placed(line)
		}
	}
	return sum
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

// closesBlock reports whether a line closes what lines above it have opened.
func closesBlock(code string) bool {
	return code != "" && (closing(code) || strings.HasPrefix(code, "</") || strings.HasPrefix(code, "*/") || strings.HasPrefix(firstWord(strings.TrimLeft(code, "#{%<- ")), "end") || strings.HasPrefix(code, "/>") || code == ">" || clause.is(firstWord(code)))
}

// How sure it is that the lines after one are indented more.
type opening int

const (
	never    opening = iota
	unlikely         // as in prose, or in the middle of a statement
	maybe
	always
	parted // by a blank line
	closed // the line closes a bracket that one before it has opened
	openings
)

// opensBlock reports whether the lines after one are indented more.
func opensBlock(line string) opening {
	code := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), " \\"))
	if code == "" {
		return maybe
	}
	last, conditional := code[len(code)-1], strings.TrimPrefix(code, "else ")
	switch {
	case strings.IndexByte(")]}", code[0]) >= 0 && strings.IndexByte(")]},;", last) >= 0, code[0] == '<' && (strings.Contains(code, "</") || strings.HasSuffix(code, "/>")):
		return never
	case last == ',' && depthOf(code) <= 0:
		return never // an entry of a list
	case strings.HasSuffix(code, "::"), strings.IndexByte(",\\=+|&?", last) >= 0, strings.HasSuffix(code, "=>"), strings.HasSuffix(code, "->"):
		return maybe
	case last == ':' && strings.Contains(strings.TrimSuffix(code, ":"), " ") && !mayOpen.is(firstWord(code)):
		return unlikely // prose, or a key
	case blockScalar(code):
		return always
	case condition.is(firstWord(conditional)) && depthOf(code) == 0 && (last == ')' || last == ';'):
		return opensCondition(conditional)
	case strings.IndexByte("{([:", last) >= 0, opensLast.is(lastWord(code)):
		return always
	case code[0] == '<', strings.Contains(code, "function"), mayOpen.is(firstWord(code)):
		return maybe
	case strings.IndexByte(";)}]", last) < 0:
		return unlikely
	}
	return never
}

// opensCondition is opensBlock of a line that begins with a word for a condition, and leaves nothing
// open: a statement behind a condition in brackets is all that it is about.
func opensCondition(code string) opening {
	rest := strings.TrimLeft(code[len(firstWord(code)):], " ")
	if rest != "" && rest[0] == '(' {
		behind := strings.TrimLeft(rest[partner(rest):], " ")
		if word := firstWord(behind); word != "" && !onward.is(word) {
			return never
		}
	}
	if strings.HasSuffix(code, ")") {
		return always
	}
	return maybe
}

// partner is where a text ends that begins with a bracket and ends with the one that closes it.
func partner(text string) int {
	depth := 0
	for i := range len(text) {
		if depth += depthOf(text[i : i+1]); depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

// blockScalar reports whether a line of YAML has its text below it.
func blockScalar(code string) bool {
	_, value, ok := strings.Cut(code, ": ")
	return ok && strings.Trim(value, "|>-+") == "" && strings.ContainsAny(value, "|>")
}

// usual is how often a line begins where in files of many languages: for each way in which the
// line before it opens a block, and each kind of line, the shares of the moves in their order,
// from same to astray.
var usual = [openings][lineKinds][moveKinds]float64{
	never: {
		ordinary: {0.9617, 0.0136, 0.0013, 0.0010, 0.0006, 0.0208, 0.0010, 0.0001},
		closer:   {0.0101, 0.0005, 0.0002, 0.0001, 0.0001, 0.9580, 0.0171, 0.0139},
		operator: {0.8707, 0.1103, 0.0025, 0.0031, 0.0003, 0.0092, 0.0008, 0.0031},
		item:     {0.8543, 0.0162, 0.0018, 0.0018, 0.0018, 0.0701, 0.0522, 0.0018},
		star:     {0.8804, 0.0572, 0.0007, 0.0080, 0.0225, 0.0297, 0.0007, 0.0007},
	},
	unlikely: {
		ordinary: {0.8265, 0.0877, 0.0007, 0.0047, 0.0020, 0.0701, 0.0045, 0.0036},
		closer:   {0.0128, 0.0005, 0.0002, 0.0001, 0.0002, 0.9617, 0.0136, 0.0110},
		operator: {0.6741, 0.2925, 0.0029, 0.0081, 0.0018, 0.0180, 0.0013, 0.0013},
		item:     {0.7606, 0.0162, 0.0004, 0.0004, 0.0019, 0.1452, 0.0750, 0.0004},
		star:     {0.8491, 0.0246, 0.0002, 0.0001, 0.1209, 0.0050, 0.0001, 0.0002},
	},
	maybe: {
		ordinary: {0.3665, 0.5509, 0.0144, 0.0147, 0.0084, 0.0408, 0.0038, 0.0004},
		closer:   {0.1365, 0.0148, 0.0016, 0.0016, 0.0049, 0.8109, 0.0214, 0.0082},
		operator: {0.9320, 0.0422, 0.0021, 0.0136, 0.0007, 0.0079, 0.0007, 0.0007},
		item:     {0.5962, 0.1346, 0.0192, 0.0192, 0.0192, 0.1731, 0.0192, 0.0192},
		star:     {0.8872, 0.0457, 0.0030, 0.0152, 0.0335, 0.0091, 0.0030, 0.0030},
	},
	always: {
		ordinary: {0.0084, 0.9847, 0.0031, 0.0005, 0.0016, 0.0006, 0.0001, 0.0011},
		closer:   {0.2945, 0.5411, 0.0068, 0.0068, 0.0068, 0.1301, 0.0068, 0.0068},
		operator: {0.0499, 0.9426, 0.0028, 0.0009, 0.0009, 0.0009, 0.0009, 0.0009},
		item:     {0.1397, 0.8326, 0.0011, 0.0011, 0.0053, 0.0181, 0.0011, 0.0011},
		star:     {0.5261, 0.4391, 0.0043, 0.0043, 0.0130, 0.0043, 0.0043, 0.0043},
	},
	parted: {
		ordinary: {0.8620, 0.0206, 0.0022, 0.0002, 0.0015, 0.0936, 0.0196, 0.0003},
		closer:   {0.3517, 0.1806, 0.0019, 0.0019, 0.0019, 0.3935, 0.0209, 0.0475},
		operator: {0.4800, 0.0035, 0.0002, 0.0002, 0.0002, 0.5121, 0.0035, 0.0002},
		item:     {0.5592, 0.0038, 0.0008, 0.0008, 0.0008, 0.1915, 0.2423, 0.0008},
		star:     {0.7673, 0.0576, 0.0115, 0.0346, 0.0161, 0.1037, 0.0069, 0.0023},
	},
	closed: {
		ordinary: {0.4081, 0.1523, 0.0012, 0.0035, 0.0291, 0.3430, 0.0291, 0.0337},
		closer:   {0.0108, 0.0022, 0.0108, 0.0022, 0.0108, 0.4567, 0.5000, 0.0065},
		operator: {0.8906, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156, 0.0156},
		item:     {0.0455, 0.0455, 0.0455, 0.0455, 0.0455, 0.6818, 0.0455, 0.0455},
		star:     {0.8693, 0.0057, 0.0057, 0.0057, 0.0057, 0.0852, 0.0170, 0.0057},
	},
}
