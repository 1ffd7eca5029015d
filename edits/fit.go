package edits

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Style is how a document is written, as far as an edit of it follows it. workspace finds
// it: in .editorconfig, else in the text, else by the language.
type Style struct {
	Unit         string // one level of indentation: a tab, or so many spaces; "" if unknown
	EOL          string // what lines end with; "" if nothing shows it
	FinalNewline bool   // the last line ends too
	// Head is how many bytes at the start must stay there: a byte order mark, a #! line, a
	// licence, directives. An import goes behind them.
	Head int
}

// Fit makes an edit that a model or an importer wrote one that belongs to its place in a
// document. An insertion loses what repeats the text around it, closers included; its
// indentation is in the document's unit, its lines end as those around it do, and imports go
// behind the document's head. An edit that replaces text keeps what it says. Where two
// readings are left and nothing decides between them, Fit refuses: a guess would write a
// wrong text. Fit changes nothing in an edit that it has returned.
func Fit(doc Text, e Edit, s Style, known Names) (Edit, error) {
	if !e.Valid(doc.Len()) {
		return e, checkEdits(doc.Len(), []Edit{e})
	}
	e = behindHead(doc, e, s)
	p := siteOf(doc, e, s, known)
	text := unixLines(e.New)
	if e.Start > 0 {
		text = strings.TrimPrefix(text, byteOrderMark)
	}
	var refusal *Error
	if e.Len() == 0 && text != "" {
		own, refusal := p.withoutEchoes(text)
		if refusal != nil {
			return e, refusal
		}
		kept, refusal := p.withoutBelow(own)
		switch {
		case refusal != nil:
			return e, refusal
		case own != text && kept != own:
			return e, uncertain(text) // an answer hardly errs at both ends
		}
		text = kept
	}
	if text, refusal = p.inUnit(text); refusal != nil {
		return e, refusal
	}
	if e.Len() == 0 && text != "" {
		kept, over, refusal := p.closed(text)
		if refusal != nil {
			return e, refusal
		}
		if kept != text {
			if made, refusal := p.inUnit(kept); refusal != nil || made != kept {
				return e, refuse(CodeAmbiguous, unexplained)
			}
		}
		text = kept
		e.End += over
	}
	if strings.TrimSpace(text) == "" && strings.TrimSpace(e.New) != "" {
		return e, refuse(CodeUnchanged, "it only repeats what is there")
	}
	e.New = strings.ReplaceAll(text, "\n", p.eol)
	return e, nil
}

// behindHead moves whole lines that import something, and would come before what must be
// first in a document, behind it.
func behindHead(doc Text, e Edit, s Style) Edit {
	if e.Len() > 0 || e.Start > s.Head || !strings.HasSuffix(e.New, "\n") || !imports(e.New) {
		return e
	}
	before := unixLines(doc.Slice(Span{max(0, s.Head-4), s.Head}))
	after := unixLines(doc.Slice(Span{s.Head, min(doc.Len(), doc.LineEnd(doc.LineOf(s.Head))+2)}))
	e = Edit{Span{s.Head, s.Head}, strings.Trim(e.New, "\r\n") + "\n"}
	switch {
	case before == "", before == byteOrderMark, strings.HasSuffix(before, "\n\n"):
	case strings.HasSuffix(before, "\n"):
		e.New = "\n" + e.New
	default:
		e.New = "\n\n" + e.New
	}
	if after != "" && after[0] != '\n' && !imports(after) {
		e.New += "\n"
	}
	return e
}

// imports reports whether all lines of a text begin with a word for importing.
func imports(text string) bool {
	for line := range strings.Lines(strings.Trim(text, "\r\n")) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word != "" && !slices.Contains([]string{"import", "from", "use", "using", "#include", "require"}, word) {
			return false
		}
	}
	return true
}

// siteLines bounds how many lines around an edit say something about it.
const siteLines = 2000

// A site is the place of an edit: the document around it, in lines.
type site struct {
	doc     Text
	at      Span
	above   []string // whole lines before the edit's first, the nearest last
	line    string   // what its first line has before it
	rest    string   // what its last line has behind it
	below   []string
	unit    string
	eol     string
	known   Names
	content func() string // the whole document
}

func siteOf(doc Text, e Edit, s Style, known Names) *site {
	first, last := doc.LineOf(e.Start), doc.LineOf(e.End)
	to := doc.Len()
	if last+siteLines < doc.LineCount() {
		to = doc.LineStart(last + siteLines)
	}
	before, after := doc.Slice(Span{doc.LineStart(max(first-siteLines, 0)), e.Start}), doc.Slice(Span{e.End, to})
	p := siteIn(unixLines(before), unixLines(after))
	p.doc, p.at, p.unit, p.eol, p.known = doc, e.Span, s.Unit, eolAround(before, after, s.EOL), known
	return p
}

// siteIn is a place between two texts with plain line ends.
func siteIn(before, after string) *site {
	above := strings.Split(strings.TrimPrefix(before, byteOrderMark), "\n")
	below := strings.Split(after, "\n")
	p := &site{above: above[:len(above)-1], line: above[len(above)-1], rest: below[0], below: below[1:]}
	p.at = Span{len(before), len(before)}
	p.content = sync.OnceValue(func() string {
		if p.doc.Len() == 0 {
			return before + after
		}
		return p.doc.String()
	})
	return p
}

func unixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// eolAround is what the line of a place ends with, else the one before it, else the document's.
func eolAround(before, after, eol string) string {
	end := strings.IndexByte(after, '\n')
	if end < 0 {
		end, after = strings.LastIndexByte(before, '\n'), before
	}
	switch {
	case end > 0 && after[end-1] == '\r', end == 0 && strings.HasSuffix(before, "\r"), end < 0 && eol == "\r\n":
		return "\r\n"
	}
	return "\n"
}

// uncertain refuses an edit of which two readings are left.
func uncertain(what string) *Error {
	return refuse(CodeAmbiguous, "it begins or ends with %q, which is there already, and may be meant twice", short(what))
}

// withoutEchoes drops what an insertion repeats of the text before it, once: what would be an
// echo again is no echo that is known.
func (p *site) withoutEchoes(text string) (string, *Error) {
	n, refusal := p.echo(text)
	if n == 0 || refusal != nil {
		return text, refusal
	}
	if again, refusal := p.echo(text[n:]); again > 0 || refusal != nil {
		return text, uncertain(text[:n])
	}
	return text[n:], nil
}

// echo is how many bytes of an insertion repeat the text before it: lines, all that its own
// line has, or the last of it.
func (p *site) echo(text string) (int, *Error) {
	code := strings.TrimLeft(p.line, " \t")
	if n, refusal := p.echoedLines(text, code); n > 0 || refusal != nil {
		return n, refusal
	}
	if code == "" {
		return p.echoedIndent(text), nil
	}
	if n, refusal := p.echoedCode(text, code); n > 0 || refusal != nil {
		return n, refusal
	}
	if q := code[len(code)-1]; len(text) > 1 && text[0] == q && strings.IndexByte("\"'`", q) >= 0 &&
		strings.Count(code, string(q))%2 == 1 && !strings.Contains(code, string([]byte{q, q})) && !strings.Contains(text, string([]byte{q, q})) && IsWordByte(text[1]) {
		return 1, nil
	}
	return 0, nil
}

// echoedIndent is how much of the indentation of a text its line has already.
func (p *site) echoedIndent(text string) int {
	if strings.HasPrefix(text, p.line) {
		return len(p.line)
	}
	return 0
}

// echoedLines is how many bytes of a text repeat the one or two lines before its own, and then
// what its own line has.
func (p *site) echoedLines(text, code string) (int, *Error) {
	lines := strings.SplitN(text, "\n", 4)
	for k := min(2, len(p.above), len(lines)); k > 0; k-- {
		had := p.above[len(p.above)-k:]
		if blank(had[0]) || blank(had[k-1]) || !slices.EqualFunc(lines[:k], had, sameFolded) {
			continue
		}
		if closesBlock(strings.TrimSpace(had[0])) && indentOf(lines[0]) != indentOf(had[0]) {
			continue // it closes another block
		}
		if k == 2 && (sameFolded(had[0], had[1]) || indentOf(had[1]) != indentOf(lines[1])) {
			return 0, uncertain(had[0])
		}
		head := min(len(strings.Join(lines[:k], "\n"))+1, len(text))
		switch n, verdict := p.echoedRun(text, head, had, code); verdict {
		case isEcho:
			return n, nil
		case mayBeEcho:
			return 0, uncertain(had[0])
		}
	}
	return 0, nil
}

// echoedRun judges a text of which so many bytes are the lines before its own, and returns how
// many bytes repeat them and what its own line has.
func (p *site) echoedRun(text string, head int, had []string, code string) (int, echoVerdict) {
	rest := strings.TrimLeft(text[head:], " \t")
	indent := text[head : len(text)-len(rest)]
	said := letters(strings.Join(had, ""))
	if code != "" {
		n, ok := foldedPrefix(rest, code)
		_, again := foldedPrefix(strings.TrimLeft(had[0], " \t"), code)
		n += head + len(indent)
		needed := p.needs(text, p.rest, text[min(n, len(text)):], p.rest)
		switch {
		case !ok:
			return 0, noEcho
		case indent != "" && indentOf(had[0]) != "" && strings.HasPrefix(text, had[0]):
			return n, isEcho // nothing right begins with indentation behind code
		case said == 0 && needed > 0:
			return 0, noEcho
		case again && said < fewLetters, said == 0 && needed == 0 && !p.onlyEcho(had[len(had)-1]):
			return 0, mayBeEcho // of its own line alone
		}
		return n, isEcho
	}
	n := head + len(indent)
	if strings.HasPrefix(indent, p.line) {
		n = head + len(p.line)
	}
	needed := p.needs(text, p.rest, rest, p.rest)
	closer := len(had) == 1 && closesBlock(strings.TrimSpace(had[0])) && opensBlock(had[0]) != always && !strings.HasSuffix(had[0], ":")
	switch {
	case p.line != "" && indentOf(had[0]) != "" && strings.HasPrefix(text, had[0]) && rest != "":
		return n, isEcho // right lines begin behind the indentation that is there
	case closer && IndentWidth(p.line+text) < IndentWidth(had[0]), said == 0 && needed > 0:
		return 0, noEcho // it closes another block
	case said == 0 && needed < 0:
		return n, isEcho
	case rest == "", !slices.ContainsFunc(had, p.onlyEcho), letters(rest) == 0 && slices.ContainsFunc(had, p.repeatable):
		return 0, mayBeEcho
	}
	return n, isEcho
}

// onlyEcho reports whether a line that comes again is not meant twice: it says something, or
// begins or ends a comment or a text, and the document never has it twice in a row. A word or a
// number may well be, and so may a command that the document has elsewhere too.
func (p *site) onlyEcho(line string) bool {
	twice, said := strings.TrimSpace(line), letters(line)
	switch {
	case len(twice) < 2, said == 0 && strings.ContainsAny(twice, "()[]{}"), closesBlock(twice) && said > 0 && said < fewLetters:
		return false
	case strings.TrimFunc(twice, func(r rune) bool { return wordRune(r) || r == '.' || r == ',' }) == "":
		return false
	case twice == "---", endsDirective(twice):
		return false // it begins what the next one ends, or ends what no indentation shows
	case twice[0] == ',', strings.HasPrefix(twice, "<") && strings.HasSuffix(twice, "/>") && strings.Count(twice, "=") < 2:
		return false // an entry of a table, an element that is all that it is
	}
	found, last := 0, false // how often the document has it, and whether the line before was it
	for _, one := range slices.Concat(p.above, p.below) {
		here := strings.TrimSpace(one) == twice && (indentOf(one) == indentOf(line) || !closesBlock(twice))
		if here && last {
			return false
		}
		if last = here; here {
			found++
		}
	}
	return !isCommand(twice) || found < 2
}

// repeatable reports whether a line says something and may be meant twice.
func (p *site) repeatable(line string) bool { return letters(line) > 0 && !p.onlyEcho(line) }

// isCommand reports whether a line may be one that is given again.
func isCommand(code string) bool {
	head, _, _ := strings.Cut(code, "(")
	return letters(code) > 0 && !strings.ContainsAny(head, "=:") && strings.IndexByte("#/*|", code[0]) < 0 && !leaves.is(firstWord(code))
}

// endsDirective reports whether a line ends a condition of a preprocessor or of make.
func endsDirective(code string) bool {
	return strings.HasPrefix(strings.TrimLeft(code, "# \t"), "endif")
}

// sameFolded reports whether two lines are equal but for white space around them and
// typography.
func sameFolded(a, b string) bool { return a == b || foldUnicode(a) == foldUnicode(b) }

// foldedPrefix reports whether a text begins with a prefix but for typography, and how many
// bytes of the text that is.
func foldedPrefix(text, prefix string) (int, bool) {
	n := 0
	for _, want := range prefix {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || r != want && foldRune(r) != foldRune(want) {
			return 0, false
		}
		n += size
	}
	return n, true
}

// echoedCode is how many bytes of a text repeat the end of its own line, from a border of
// words on.
func (p *site) echoedCode(text, code string) (int, *Error) {
	for i := range code {
		if r, _ := utf8.DecodeRuneInString(code[i:]); unicode.IsSpace(r) || i > 0 && inWord(code, i) {
			continue
		}
		part, from := code[i:], text
		if i == 0 {
			from = strings.TrimLeft(text, " \t")
		}
		n, ok := foldedPrefix(from, part)
		if !ok || letters(part) == 0 && i > 0 && strings.TrimFunc(part, wordRune) != "" {
			continue
		}
		verdict := p.judge(part, from[n:], i == 0)
		if verdict == isEcho && len(from) < len(text) && inWord(from, n) {
			verdict = mayBeEcho // or another word, behind a blank
		}
		switch verdict {
		case isEcho:
			return len(text) - len(from) + n, nil
		case mayBeEcho:
			return 0, uncertain(part)
		}
	}
	return 0, nil
}

// inWord reports whether a place is inside a word.
func inWord(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return wordRune(before) && wordRune(after)
}

func wordRune(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// A verdict on a part that comes again.
type echoVerdict int

const (
	noEcho echoVerdict = iota
	isEcho
	mayBeEcho
)

// judge decides whether a text that begins with the end of its line, part, repeats it. whole
// means that part is all that the line has.
func (p *site) judge(part, rest string, whole bool) echoVerdict {
	word := strings.TrimFunc(part, wordRune) == ""
	said := letters(part)
	switch {
	case word:
		short := part + rest[:wordLen(rest)]
		joined, shortened := p.isKnown(part+short), p.isKnown(short)
		switch digits := strings.Trim(part, "0123456789") == ""; {
		case joined && !shortened:
			return noEcho
		case joined, digits, len(short) == 1, !shortened && said < fewLetters-1:
			return mayBeEcho
		}
		return isEcho
	case said == 0 && len(part) < 3:
		return noEcho
	case strings.Trim(part, part[:1]) == "" && strings.IndexByte("()[]{}", part[0]) < 0:
		if p.line != part {
			return mayBeEcho
		}
		return p.underlines(len(part)+leading(rest, part[0])+leading(p.rest, part[0]), len(part)) // a rule
	case !whole && isPathPart(part):
		return mayBeEcho // a path may well have a part twice
	case said == 0:
		switch needed := p.needs(part+rest, p.rest, rest, p.rest); {
		case needed > 0:
			return noEcho
		case needed == 0 && p.has(part+part):
			return mayBeEcho
		}
		return isEcho
	case !whole && strings.ContainsAny(strings.TrimRight(part, " \t"), " \t,;|&+*/=?"):
		return noEcho // a list or an expression may well go on as it began
	case p.has(part + part):
		return mayBeEcho
	case whole && len(part) > 2 && (part[len(part)-1] != '(' || strings.Contains(part, " ")):
		return isEcho
	case strings.HasSuffix(part, "("):
		// A call of the same in its arguments, or the call again: its closing tells.
		if depthOf(rest) < 0 && depthOf(p.rest) == 0 {
			return isEcho
		}
		return mayBeEcho
	case said < fewLetters-1:
		return mayBeEcho
	}
	return isEcho
}

// isPathPart reports whether a text is a word with a sign before or behind it that joins the parts
// of a path or of a qualified name.
func isPathPart(part string) bool {
	const joins = "./:-"
	word := strings.Trim(part, joins)
	return len(word) == len(part)-1 && wordLen(word) == len(word)
}

// underlines decides whether a rule that is so long without what comes again, and so much longer
// with it, does: it is as long as the line above, which it underlines.
func (p *site) underlines(once, more int) echoVerdict {
	if letters(p.lineAbove()) == 0 {
		return mayBeEcho
	}
	switch utf8.RuneCountInString(p.lineAbove()) {
	case once:
		return isEcho
	case once + more:
		return noEcho
	}
	return mayBeEcho
}

func wordLen(s string) int {
	for i, r := range s {
		if !wordRune(r) {
			return i
		}
	}
	return len(s)
}

// has reports whether the document has a text.
func (p *site) has(text string) bool { return strings.Contains(p.content(), text) }

// isKnown reports whether a word is one of the document, but for the place of the edit, or of
// its workspace.
func (p *site) isKnown(word string) bool {
	if word == "" {
		return false
	}
	doc := p.content()
	for at := IndexWord(doc, word, 0); at >= 0; at = IndexWord(doc, word, at+len(word)) {
		if at+len(word) < p.at.Start || at > p.at.End {
			return true
		}
	}
	return p.known != nil && p.known.Known(word)
}

// depthOf is how many more brackets a text opens than it closes.
func depthOf(text string) int {
	n := 0
	for _, b := range bracketKinds(text) {
		n += b
	}
	return n
}

// bracketKinds is how many more round, square and curly brackets a text opens than it closes.
func bracketKinds(text string) (n [3]int) {
	for i := range len(text) {
		if k := strings.IndexByte("([{", text[i]); k >= 0 {
			n[k]++
		} else if k := strings.IndexByte(")]}", text[i]); k >= 0 {
			n[k]--
		}
	}
	return n
}

// FitChange makes a change of a file that a model wrote one that belongs to it: lines that it
// adds between others are indented in the file's unit, imports go behind the file's head, and a
// new file ends its lines as the style says. What it replaces stays as the answer has it, and
// so does what is indented in a way that nothing explains. Of a model's blocks whose old lines are
// exact only imports move, and nothing of a diff whose context is.
func FitChange(c FileChange, s Style) FileChange {
	switch {
	case c.AbsentAfter, c.Fitting == FitNothing:
		return c
	case c.AbsentBefore:
		text := unixLines(c.After)
		if s.FinalNewline && text != "" {
			text = strings.TrimRight(text, "\n") + "\n"
		} else if !s.FinalNewline {
			text = strings.TrimRight(text, "\n")
		}
		if s.EOL == "\r\n" {
			text = strings.ReplaceAll(text, "\n", s.EOL)
		}
		c.After = text
	default:
		doc := NewText(c.Before)
		list := slices.Clone(c.Edits)
		for i, e := range list {
			list[i] = fittedLines(doc, e, s, c.Fitting)
		}
		slices.SortStableFunc(list, func(a, b Edit) int { return a.Start - b.Start })
		after, err := Apply(doc, list)
		if err != nil {
			return c
		}
		c.After = after.String()
	}
	c.Edits = Diff(c.Before, c.After)
	return c
}

// fittedLines is an edit that adds whole lines as it belongs to its place.
func fittedLines(doc Text, e Edit, s Style, f Fitting) Edit {
	if e.Len() > 0 || !strings.HasSuffix(e.New, "\n") || e.Start != doc.LineStart(doc.LineOf(e.Start)) {
		return e
	}
	if moved := behindHead(doc, e, s); moved.Span != e.Span {
		moved.New = strings.ReplaceAll(unixLines(moved.New), "\n", siteOf(doc, moved, s, nil).eol)
		return moved
	}
	if f == FitHead {
		return e
	}
	p := siteOf(doc, e, s, nil)
	if text, refusal := p.inUnit(unixLines(e.New)); refusal == nil {
		e.New = strings.ReplaceAll(text, "\n", p.eol)
	}
	return e
}
