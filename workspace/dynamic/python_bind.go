package dynamic

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/syntax"
	"tandem/workspace/terms"
)

// A Python is a text in Python with its tokens, those of the fields of f-strings among them.
type Python struct {
	Text   string
	Tokens []language.Token
}

// ReadPython reads a text.
func ReadPython(text string) Python {
	return Python{text, PythonTokens(text)}
}

// PythonTokens are the tokens by which a text is read.
func PythonTokens(text string) []language.Token {
	toks, _ := syntax.Python(text)
	return withFields(text, toks)
}

// Begins reports whether a part of a text begins with a statement of the top, so that it is
// read the same without what is above it.
func (p Python) Begins() bool {
	if len(p.Tokens) == 0 {
		return true
	}
	at := p.Tokens[0].Start
	return (at == 0 || p.Text[at-1] == '\n') && !pyContinues[p.Word(0)]
}

// Ends reports whether nothing is open at the end of a part of a text.
func (p Python) Ends() bool {
	return balanced(p.Text, p.Tokens) && !strings.HasSuffix(strings.TrimRight(p.Text, "\r\n"), `\`)
}

// pyContinues are words that go on with the statement above.
var pyContinues = terms.Set("elif else except finally")

// Word is the i-th token's text, "" outside.
func (p Python) Word(i int) string {
	if i < 0 || i >= len(p.Tokens) {
		return ""
	}
	return p.Text[p.Tokens[i].Start:p.Tokens[i].End]
}

// MaxChain bounds the names of an expression with dots that are followed.
const MaxChain = 64

// Chain is the token that the dotted name which a token ends begins with, as far as it is followed.
func (p Python) Chain(i int) int {
	for n := 0; n < MaxChain && p.Word(i-1) == "." && p.IsName(i-2); n++ {
		i -= 2
	}
	return i
}

// IsName reports whether the i-th token is a name, and no word of the language.
func (p Python) IsName(i int) bool {
	return i >= 0 && i < len(p.Tokens) && p.Tokens[i].Kind == language.Name && !pyKeywords[p.Word(i)]
}

// Kind is the kind of the i-th token; outside of the text it is a Newline.
func (p Python) Kind(i int) language.TokenKind {
	if i < 0 || i >= len(p.Tokens) {
		return language.Newline
	}
	return p.Tokens[i].Kind
}

var pyKeywords = terms.Set(`False None True and as assert async await break class continue def del elif else except finally for from global
	if import in is lambda nonlocal not or pass raise return try while with yield`)

// PythonBuiltin reports whether every Python module can use a name.
func PythonBuiltin(name string) bool { return pyBuiltins[name] }

var pyBuiltins = terms.Set(`ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
	BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis
	EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
	ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
	ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
	ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
	SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
	UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __build_class__ __debug__ __doc__ __import__ __loader__
	__name__ __package__ __spec__ __file__ __path__ __builtins__ __cached__ __annotations__ __dict__ __class__ __module__ __qualname__ abs aiter all anext any ascii bin bool
	breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format
	frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open
	ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip reveal_type reveal_locals match case _`)

// Bindings are what a Python text binds, in any scope.
type Bindings struct {
	Names   map[string]int  // how often
	Top     map[string]bool // at the top of the module, conditions and tries included
	Stores  map[string]bool // attributes that are assigned to
	Imports []Import
	Dynamic bool // names may be created in ways that cannot be determined

	outer  map[string]bool // what is bound outside of all functions
	scopes []pyScope       // in their order
	in     *pyScope        // the function that is being read, nil for none
	depth  int             // of the block that is being read
}

// A pyScope is a function that is in no other one, with what it and those in it bind.
type pyScope struct {
	edits.Span
	depth int
	names map[string]bool
}

// Sees reports whether code at an offset may use what binds a name.
func (b *Bindings) Sees(name string, at int) bool {
	i, _ := slices.BinarySearchFunc(b.scopes, at, func(s pyScope, at int) int { return s.End - at - 1 })
	return b.outer[name] || i < len(b.scopes) && b.scopes[i].Start <= at && b.scopes[i].names[name]
}

// leave ends the function that is being read.
func (b *Bindings) leave(at int) {
	if b.in != nil {
		b.in.End = at
		b.scopes, b.in = append(b.scopes, *b.in), nil
	}
}

// Bindings reads all statements.
func (p Python) Bindings() *Bindings {
	b := &Bindings{Names: map[string]int{}, Top: map[string]bool{}, outer: map[string]bool{}, Stores: map[string]bool{}}
	depth, start := 0, 0
	var guards []int // depths of try blocks and conditions
	for i := range p.Tokens {
		switch p.Tokens[i].Kind {
		case language.Indent:
			depth++
			start = i + 1
		case language.Dedent:
			depth--
			start = i + 1
		case language.Newline:
			for len(guards) > 0 && guards[len(guards)-1] >= depth {
				guards = guards[:len(guards)-1]
			}
			if b.in != nil && depth <= b.in.depth {
				b.leave(p.Tokens[start].Start)
			}
			b.depth = depth
			p.statement(b, start, i, depth, len(guards) > 0)
			if w := p.Word(start); w == "try" || w == "if" || w == "except" || w == "else" || w == "elif" {
				guards = append(guards, depth)
			}
			start = i + 1
		}
	}
	b.leave(len(p.Text))
	return b
}

func (b *Bindings) bind(name string, depth int) {
	b.Names[name]++
	if b.in != nil {
		b.in.names[name] = true
	} else {
		b.outer[name] = true
	}
	if depth == 0 {
		b.Top[name] = true
	}
}

// statement records what one logical line binds. Blocks of conditions and tries
// at the top bind names of the module, so the depth of a block that is no
// function or class does not matter to it; a closer analysis would only make
// existing names unknown.
func (p Python) statement(b *Bindings, start, end, depth int, tried bool) {
	if tried {
		depth = 0
	}
	head := p.Word(start)
	if head == "async" || head == "@" {
		head = p.Word(start + 1)
	}
	switch head {
	case "import":
		p.imported(b, start+1, end, depth, tried)
		return
	case "from":
		p.importedFrom(b, start+1, end, depth, tried)
		return
	case "def", "class":
		p.definition(b, start, end, depth)
	case "global", "nonlocal":
		for i := start; i < end; i++ {
			if p.IsName(i) {
				b.bind(p.Word(i), 0)
				b.outer[p.Word(i)] = true
			}
		}
	case "case":
		for i := start + 1; i < end; i++ {
			if p.IsName(i) && p.Word(i-1) != "." && p.Word(i+1) != "." && p.Word(i+1) != "(" {
				b.bind(p.Word(i), depth)
			}
		}
	}
	p.targets(b, start, end, depth)
}

// targets records names that are assigned to, in any way.
func (p Python) targets(b *Bindings, start, end, depth int) {
	level, from := 0, start
	for i := start; i < end; i++ {
		switch p.Word(i) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
		case "=":
			if level == 0 {
				p.targetNames(b, from, i, depth)
				from = i + 1
			}
		case ":=":
			if p.IsName(i - 1) {
				b.bind(p.Word(i-1), depth)
			}
		case ":":
			if i == start+1 && p.IsName(start) {
				b.bind(p.Word(start), depth)
			}
		case "for":
			p.targetNames(b, i+1, p.find(i, end, "in"), depth)
		case "as":
			p.targetNames(b, i+1, p.asEnd(i, end), depth)
		case "lambda":
			p.lambda(b, i, end)
		case "globals", "locals", "vars", "exec", "setattr":
			b.Dynamic = b.Dynamic || p.Word(i) == "exec" && p.Word(i+1) == "(" || p.Word(i) == "globals" && (p.Word(i+3) == "." && p.Word(i+4) == "update" || p.Word(i+3) == "[")
		}
	}
}

func (p Python) find(from, end int, word string) int {
	for i := from; i < end; i++ {
		if p.Word(i) == word {
			return i
		}
	}
	return end
}

// asEnd is the end of the target after "as".
func (p Python) asEnd(at, end int) int {
	level := 0
	for i := at + 1; i < end; i++ {
		switch p.Word(i) {
		case "(", "[":
			level++
		case ")", "]":
			level--
			if level < 0 {
				return i
			}
		case ":", ",":
			if level == 0 {
				return i
			}
		}
	}
	return end
}

// targetNames binds the names of a target, but not attributes, calls or items.
func (p Python) targetNames(b *Bindings, from, to, depth int) {
	for i := from; i < to; i++ {
		next := p.Word(i + 1)
		if p.IsName(i) && p.Word(i-1) != "." && next != "." && next != "(" && next != "[" {
			b.bind(p.Word(i), depth)
		}
		if p.Word(i-1) == "." && p.IsName(i) {
			b.Stores[p.Word(i)] = true
		}
		if p.Word(i) == ":" && i == from+1 {
			return // an annotation
		}
	}
}

func (p Python) lambda(b *Bindings, at, end int) {
	level := 0
	for i := at + 1; i < end; i++ {
		switch p.Word(i) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
		case ":":
			if level == 0 {
				return
			}
		default:
			if prev := p.Word(i - 1); p.IsName(i) && level == 0 && (prev == "lambda" || prev == "," || prev == "*" || prev == "**") {
				b.bind(p.Word(i), 1)
			}
		}
	}
}

// definition binds a function's or class's name, type parameters and parameters.
func (p Python) definition(b *Bindings, start, end, depth int) {
	at := start + 1
	if p.Word(start) == "async" {
		at++
	}
	if !p.IsName(at) && p.Kind(at) != language.Name {
		return
	}
	b.bind(p.Word(at), depth)
	class := p.Word(at-1) == "class"
	if !class && b.in == nil {
		b.in = &pyScope{edits.Span{Start: p.Tokens[start].Start}, b.depth, map[string]bool{}}
	}
	level := 0
	for i := at + 1; i < end; i++ {
		switch p.Word(i) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
			if level == 0 && p.Word(i) == ")" {
				return
			}
		default:
			prev := p.Word(i - 1)
			parameter := prev == "(" && !class || prev == "[" && i == at+2 || prev == "," && (!class || p.Word(at+1) == "[") || prev == "*" || prev == "**"
			if level == 1 && p.IsName(i) && parameter {
				b.bind(p.Word(i), 1)
			}
		}
	}
}

func (p Python) imported(b *Bindings, at, end, depth int, tried bool) {
	for i := at; i < end; i++ {
		first := i
		for i+2 < end && p.Word(i+1) == "." {
			i += 2
		}
		module := p.joined(first, i+1)
		local, _, _ := strings.Cut(module, ".")
		if p.Word(i+1) == "as" {
			local = p.Word(i + 2)
			i += 2
			b.Imports = append(b.Imports, Import{Module: module, Local: local, ModuleToken: first, NameToken: first, Tried: tried, Depth: depth})
		} else {
			b.Imports = append(b.Imports, Import{Module: module, Local: local, ModuleToken: first, NameToken: first, Tried: tried, Depth: depth, Name: ""})
		}
		b.bind(local, depth)
		for i+1 < end && p.Word(i+1) != "," {
			i++
		}
		i++
	}
}

// joined is the text of tokens without blanks between.
func (p Python) joined(from, to int) string {
	var out strings.Builder
	for i := from; i < to; i++ {
		out.WriteString(p.Word(i))
	}
	return out.String()
}

func (p Python) importedFrom(b *Bindings, at, end, depth int, tried bool) {
	stop := p.find(at, end, "import")
	module := p.joined(at, stop)
	for i := stop + 1; i < end; i++ {
		switch {
		case p.Word(i) == "*":
			b.Imports = append(b.Imports, Import{Module: module, Name: "*", ModuleToken: at, NameToken: i, Tried: tried, Depth: depth})
		case p.Kind(i) == language.Name && p.Word(i) != "as":
			im := Import{Module: module, Name: p.Word(i), Local: p.Word(i), ModuleToken: at, NameToken: i, Tried: tried, Depth: depth}
			if p.Word(i+1) == "as" {
				im.Local = p.Word(i + 2)
				i += 2
			}
			b.Imports = append(b.Imports, im)
			b.bind(im.Local, depth)
		}
	}
}
