package dynamic

import (
	"strings"

	"tandem/workspace/language"
	"tandem/workspace/syntax"
	"tandem/workspace/terms"
)

// A Python is a text in Python with its tokens, those of the fields of f-strings among them.
type Python struct{ code }

// ReadPython reads a text.
func ReadPython(text string) Python {
	return PythonOf(text, PythonTokens(text))
}

// PythonOf is a text of which only some tokens, in their order, are read.
func PythonOf(text string, tokens []language.Token) Python {
	return Python{codeOf(text, tokens)}
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
	return p.balanced && !strings.HasSuffix(strings.TrimRight(p.Text, "\r\n"), `\`)
}

// pyContinues are words that go on with the statement above.
var pyContinues = terms.Set("elif else except finally")

// MaxChain bounds the names of an expression with dots that are followed.
const MaxChain = 16

// Chain is the token that the dotted name which a token ends begins with, as far as it is followed.
func (p Python) Chain(i int) int {
	for n := 0; n < MaxChain && p.Word(i-1) == "." && p.IsName(i-2); n++ {
		i -= 2
	}
	return i
}

// IsName reports whether the i-th token is a name, and no word of the language.
func (p Python) IsName(i int) bool {
	return p.Kind(i) == language.Name && !syntax.PythonKeyword(p.Word(i))
}

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
	Outer   map[string]bool // outside of all functions, or by global
	Stores  map[string]bool // attributes that are assigned to
	Imports []Import
	Dynamic bool // names may be created in ways that cannot be determined

	in    int      // the depth of the function that is being read, -1 for none
	depth int      // of the block that is being read
	marks []pyMark // every token that binds, in order
}

// Bindings reads all statements.
func (p Python) Bindings() *Bindings {
	b := &Bindings{Names: map[string]int{}, Top: map[string]bool{}, Outer: map[string]bool{}, Stores: map[string]bool{}, in: -1}
	var guards []int // depths of try blocks and conditions
	for s := range p.statements {
		for len(guards) > 0 && guards[len(guards)-1] >= s.depth {
			guards = guards[:len(guards)-1]
		}
		if s.depth <= b.in {
			b.in = -1
		}
		b.depth = s.depth
		p.statement(b, s.start, s.end, s.depth, len(guards) > 0)
		if p.is(s.start, "try", "if", "except", "else", "elif") {
			guards = append(guards, s.depth)
		}
	}
	return b
}

// A pyStatement is a simple statement, or the head of a compound one.
type pyStatement struct {
	start, end int // tokens
	depth      int // of its block
}

// compound are the words that a statement with a block begins with.
var compound = terms.Set("if elif else for while try except finally with match case def class async")

// statements yields all statements: what follows a head in its line is its block.
func (p Python) statements(yield func(pyStatement) bool) {
	depth, start, inner, level, lambdas := 0, 0, 0, 0, 0
	for i := range p.Tokens {
		switch p.Tokens[i].Kind {
		case language.Indent, language.Dedent:
			if start = i + 1; p.Tokens[i].Kind == language.Indent {
				depth++
			} else {
				depth--
			}
			continue
		case language.Newline:
			if !yield(pyStatement{start, i, depth + inner}) {
				return
			}
			start, inner, level, lambdas = i+1, 0, 0, 0
			continue
		}
		switch p.Word(i) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
		case "lambda":
			lambdas += flag(level == 0)
		case ";", ":":
			colon := p.Word(i) == ":"
			switch {
			case level != 0:
			case colon && lambdas > 0:
				lambdas--
			case colon && !compound[p.Word(start)], p.Kind(i+1) == language.Newline:
			default:
				if !yield(pyStatement{start, i, depth + inner}) {
					return
				}
				start, inner = i+1, inner+flag(colon)
			}
		}
	}
}

func flag(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// A pyMark is a token that binds a name.
type pyMark struct {
	token int
	kind  Kind
}

func (p Python) bind(b *Bindings, i, depth int, kind Kind) {
	name := p.Word(i)
	b.marks = append(b.marks, pyMark{i, kind})
	b.Names[name]++
	if b.in < 0 {
		b.Outer[name] = true
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
	case "type":
		if open := p.aliased(start); open > 0 {
			p.bind(b, start+1, depth, Definition)
			p.parameters(b, open+1, min(p.Closing(open), end))
		}
	case "global", "nonlocal":
		for i := start; i < end; i++ {
			if p.IsName(i) {
				p.bind(b, i, 0, declaredOuter)
				b.Outer[p.Word(i)] = true
			}
		}
	case "case":
		for i := start + 1; i < end && p.Word(i) != "if"; i++ {
			if p.captures(i) {
				p.bind(b, i, depth, Variable)
			}
		}
	}
	p.targets(b, start, end, depth)
}

// captures reports whether the token at i of a pattern is a name that it binds: no class, no member.
func (p Python) captures(i int) bool {
	if !p.IsName(i) || p.IsKeyword(i) {
		return false
	}
	return p.Word(i-1) != "." && !p.is(i+1, ".", "(")
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
		case "+=", "-=", "*=", "/=", "|=", "&=":
			if i == start+1 && p.IsName(start) {
				b.marks = append(b.marks, pyMark{start, Variable})
			}
		case ":=":
			if p.IsName(i - 1) {
				p.bind(b, i-1, depth, assignedInside)
			}
		case ":":
			if i == start+1 && p.IsName(start) {
				p.bind(b, start, depth, Variable)
			}
		case "for":
			p.targetNames(b, i+1, p.find(i, end, "in"), depth)
		case "as":
			p.targetNames(b, i+1, p.asEnd(i, end), depth)
		case "lambda":
			colon := p.skipLambda(i, end)
			p.parameters(b, i+1, colon)
			i = colon
		case "global_enum", "_convert_":
			b.Dynamic = true
		case "globals", "exec":
			b.Dynamic = b.Dynamic || p.makesNames(i)
		}
	}
}

// makesNames reports whether a call of exec or globals may bind names that no statement does: what
// globals returns is kept, or written to.
func (p Python) makesNames(i int) bool {
	if p.Word(i) == "exec" {
		return p.Word(i+1) == "("
	}
	if p.Word(i-1) == "=" && p.Word(i-2) != ")" && !p.IsKeyword(i-2) {
		return true
	}
	after := p.Closing(i+1) + 1
	written := p.Word(after + 1) // as a method or, of an item, what follows it
	if p.Word(after) == "[" {
		written = p.Word(p.Closing(after) + 1)
	}
	switch written {
	case "update", "setdefault", "__setitem__", "=", ":=", "+=", "|=", ",", "in", "as":
		return p.Word(after) == "." || p.Word(after) == "["
	}
	return false
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
	for i := at + 1; i < end; i++ {
		switch p.Word(i) {
		case "(", "[":
			i = p.Closing(i)
		case ")", "]", ":", ",":
			return i
		}
	}
	return end
}

// targetNames binds the names of a target, but not attributes, calls or items, nor what is in
// their brackets.
func (p Python) targetNames(b *Bindings, from, to, depth int) {
	for i := from; i < to; i++ {
		switch {
		case p.Word(i) == ":":
			return // an annotation
		case p.IsName(i) && p.Word(i-1) == ".":
			b.Stores[p.Word(i)] = true
		case p.IsName(i) && !p.is(i+1, ".", "(", "["):
			p.bind(b, i, depth, Variable)
		case p.isTrailer(i):
			i = p.Closing(i)
		}
	}
}

// isTrailer reports whether the bracket at i opens the arguments of a call, or an index.
func (p Python) isTrailer(i int) bool {
	return p.is(i, "(", "[") && (p.IsName(i-1) || p.is(i-1, ")", "]"))
}

// definition binds a function's or class's name, type parameters and parameters.
func (p Python) definition(b *Bindings, start, end, depth int) {
	at := p.definedName(start)
	if p.Kind(at) != language.Name {
		return
	}
	p.bind(b, at, depth, Definition)
	class := p.Word(at-1) == "class"
	if !class && b.in < 0 {
		b.in = b.depth
	}
	open := at + 1
	if p.Word(open) == "[" {
		p.parameters(b, open+1, min(p.Closing(open), end))
		open = p.Closing(open) + 1
	}
	if !class && p.Word(open) == "(" {
		p.parameters(b, open+1, min(p.Closing(open), end))
	}
}

// aliased is where the type parameters begin of the alias that a statement defines, as in
// type Pair[T] = tuple[T, T]; 0 if it defines none.
func (p Python) aliased(start int) int {
	open := start + 2
	if p.Word(start) != "type" || !p.IsName(start+1) || p.Word(open) != "[" {
		return 0
	}
	if p.Word(p.Closing(open)+1) != "=" {
		return 0
	}
	return open
}

// definedName is the token that names what a def or class at a token defines.
func (p Python) definedName(start int) int {
	if p.Word(start) == "async" {
		start++
	}
	return start + 1
}

// parameters binds the names of a list of parameters, but not what is in their annotations and
// defaults.
func (p Python) parameters(b *Bindings, from, to int) {
	first := true // of a parameter
	for i := from; i < to; i++ {
		switch p.Word(i) {
		case ",":
			first = true
		case "*", "**":
		case "(", "[", "{":
			i = p.Closing(i)
		case "lambda":
			i, first = p.skipLambda(i, to), false
		default:
			if first && p.IsName(i) {
				p.bind(b, i, 1, Parameter)
			}
			first = false
		}
	}
}

func (p Python) imported(b *Bindings, at, end, depth int, tried bool) {
	for i := at; i < end; i++ {
		first := i
		for i+2 < end && p.Word(i+1) == "." {
			i += 2
		}
		module, local := p.joined(first, i+1), first
		if p.Word(i+1) == "as" {
			i += 2
			local = i
		}
		b.Imports = append(b.Imports, Import{Module: module, Local: p.Word(local), ModuleToken: first, NameToken: first, Tried: tried, Depth: depth})
		p.bind(b, local, depth, Imported)
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
			p.bind(b, i, depth, Imported)
		}
	}
}
