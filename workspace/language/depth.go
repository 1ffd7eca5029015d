package language

import (
	"errors"
	"go/scanner"
	gotoken "go/token"
	"regexp"
	"strings"
)

// Parsers call themselves for what is nested, and Go ends a program whose stack is used
// up; some take the square of the nesting's time. So every text is measured before it is
// given to one, in one pass over its tokens. Each is weighed by what it can make a parser
// nest, until what it stands in ends: a bracket's partner, the end of a statement.
const (
	maxNested = 10_000
	maxTokens = 1_000_000 // a parser takes some 100 bytes for each

	weighBracket   = 10 // a bracket, a tag, a statement that holds another
	weighArrow     = 50 // esbuild takes the cube of their time
	weighLess      = 20 // of TypeScript: type arguments, as far as they can be read, or a comparison
	weighComma     = 2  // an operator that esbuild takes the square of the time for
	weighContainer = 100
	weighLine      = 20 // of markdown
)

// Parsable returns why a text cannot be given to a parser of its language, nil if it can:
// a sentence that begins with "it". Where it can be read in two ways, it is measured by the
// deeper one.
func Parsable(lang, src string) error {
	switch d := measure(lang, src); {
	case d.tokens >= maxTokens:
		return errors.New("it has too many words and lines")
	case max(d.most, d.doubts) > maxNested:
		return errors.New("its brackets, operators, tags or branches nest too deep")
	}
	return nil
}

func measure(lang, src string) *depth {
	d := &depth{levels: []level{{}}}
	switch lang {
	case "go":
		d.golang(src)
	case "json", "jsonc":
		d.plain(src, "")
	case "css":
		d.plain(src, "/*")
	case "markdown":
		d.markdown(src)
	case "toml":
		d.add(punctuation(src, "[{"))
	default:
		d.code(lang, src)
	}
	return d
}

// A level is an open bracket, and what is nested in it without brackets.
type level struct {
	open     byte
	cost     int
	commas   int
	controls bool // the parentheses of if, for, while, with, switch or catch
}

type depth struct {
	levels []level
	total  int // costs of all levels
	doubts int // what may be nested although it is not read so
	most   int // the largest total
	tokens int
	jsx    bool
}

// over reports that the rest need not be read.
func (d *depth) over() bool { return max(d.most, d.doubts) > maxNested || d.tokens >= maxTokens }

func (d *depth) top() *level { return &d.levels[len(d.levels)-1] }

func (d *depth) add(cost int) {
	d.top().cost += cost
	d.total += cost
	d.most = max(d.most, d.total+d.doubts)
}

func (d *depth) open(bracket byte, controls bool) {
	d.levels = append(d.levels, level{open: bracket, controls: controls})
	d.add(weighBracket)
}

var partner = map[byte]byte{')': '(', ']': '[', '}': '{', '>': '<'}

// close ends the bracket that is open, and the tags in it; one of another kind ends nothing.
func (d *depth) close(bracket byte) (controls bool) {
	n := len(d.levels) - 1
	for bracket != '>' && n > 0 && d.levels[n].open == '<' {
		n--
	}
	if n == 0 || d.levels[n].open != partner[bracket] {
		return false
	}
	controls = d.levels[n].controls
	for ; len(d.levels) > n; d.levels = d.levels[:len(d.levels)-1] {
		d.total -= d.top().cost
	}
	return controls
}

// end ends a statement or an element of a list.
func (d *depth) end() {
	l := d.top()
	rest := 0
	if l.open != 0 {
		rest = min(l.cost, weighBracket)
	}
	d.total -= l.cost - rest
	l.cost, l.commas = rest, 0
}

// golang reads the tokens of the parser itself.
func (d *depth) golang(src string) {
	var s scanner.Scanner
	s.Init(gotoken.NewFileSet().AddFile("", -1, len(src)), []byte(src), nil, 0)
	for !d.over() {
		_, tok, _ := s.Scan()
		d.tokens++
		switch tok {
		case gotoken.EOF:
			return
		case gotoken.LPAREN, gotoken.LBRACK, gotoken.LBRACE:
			d.open(tok.String()[0], false)
		case gotoken.RPAREN, gotoken.RBRACK, gotoken.RBRACE:
			d.close(tok.String()[0])
		case gotoken.COMMA, gotoken.SEMICOLON:
			d.end()
		case gotoken.IMPORT:
			d.doubts++ // for each a package is looked up
		case gotoken.IF, gotoken.ELSE, gotoken.FUNC:
			d.add(weighBracket)
		default:
			d.add(1)
		}
	}
}

// plain reads JSON, and styles, whose comments begin with a mark.
func (d *depth) plain(src, comment string) {
	for p := 0; p < len(src) && !d.over(); p++ {
		c := src[p]
		if k := classOf(c); k != cSpace && k != cNewline && k != cIdent && k != cDigit {
			d.tokens += 2
		}
		switch c {
		case '[', '{', '(':
			if d.open(c, false); c == '(' && comment != "" && p >= 3 && strings.EqualFold(src[p-3:p], "url") {
				if rest := strings.TrimLeft(src[p+1:], " \t\r\n\f"); rest != "" && rest[0] != '"' && rest[0] != '\'' {
					p = escapedUntil(src, p+1, ')', "") - 1 // raw text
				}
			}
		case ']', '}', ')':
			if d.close(c); comment != "" && c == '}' {
				d.end()
			}
		case ',', ';', ':':
			d.end()
		case '"', '\'':
			p = escapedUntil(src, p+1, c, "\n\r\f")
		case '\\':
			p++
		case '/':
			if comment != "" && strings.HasPrefix(src[p:], comment) {
				end := strings.Index(src[p+2:], "*/")
				if end < 0 {
					return
				}
				p += 2 + end + 1
			}
		}
	}
}

// escapedUntil is where a byte is next, or one of those that end it at the latest; a
// backslash hides the byte after it.
func escapedUntil(src string, p int, end byte, latest string) int {
	for ; p < len(src); p++ {
		switch c := src[p]; {
		case c == '\\':
			p++
		case c == end || strings.IndexByte(latest, c) >= 0:
			return p
		}
	}
	return len(src)
}

// container is what a line begins with for each quote and list that it is in, or that its
// white space may stand for.
var container = regexp.MustCompile(`^(?:>|[-*+][ \t\n]|\d{1,9}[.)][ \t\n]| {2}|\t| )`)

// markdown measures the quotes and lists that a line is in, and what may be emphasis, code
// or a link in each run of lines without an empty one.
func (d *depth) markdown(src string) {
	for line := range strings.Lines(src) {
		d.tokens += weighLine
		containers := 0
		for m := container.FindString(line); m != "" && containers <= maxNested; m = container.FindString(line) {
			if line = line[len(m):]; m != " " {
				containers += weighContainer
			}
		}
		if strings.TrimSpace(line) == "" && containers == 0 {
			d.end()
		}
		d.add(containers + punctuation(line, "*_~[]!<`&|\\"))
		d.add(-containers)
	}
}

// code reads the tokens of a script; of other languages, whose readers call themselves for
// nothing, they are only counted.
func (d *depth) code(lang, src string) {
	read := languageOf(lang)
	if read.special == nil {
		return
	}
	s := scanners.Get().(*Scanner)
	defer scanners.Put(s)
	s.scan.begin(read, "", src)
	s.scan.lex()
	c := scriptDepth{depth: d, lex: &s.scan.lexer, tags: lang != "typescript"}
	if read != script {
		d.tokens = 2 * len(c.lex.toks)
	}
	for i := 0; read == script && i < len(c.lex.toks) && !d.over(); i++ {
		c.read(i)
	}
	s.scan.src = ""
	s.scan.in.Reset()
}

// punctuation counts the bytes of a text that are in a set.
func punctuation(text, set string) (n int) {
	for i := range len(text) {
		if strings.IndexByte(set, text[i]) >= 0 {
			n++
		}
	}
	return n
}
