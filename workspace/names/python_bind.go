package names

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/syntax"
	"tandem/workspace/terms"
)

// A pyText is a Python text with its tokens.
type pyText struct {
	text string
	toks []language.Token
}

func readPython(text string) pyText {
	return pyText{text, pythonTokens(text)}
}

func pythonTokens(text string) []language.Token {
	toks, _ := syntax.Python(text)
	return withFields(text, toks)
}

// begins reports whether a part of a text begins with a statement of the top, so that it is
// read the same without what is above it.
func (p pyText) begins() bool {
	if len(p.toks) == 0 {
		return true
	}
	at := p.toks[0].Start
	return (at == 0 || p.text[at-1] == '\n') && !pyContinues[p.s(0)]
}

// ends reports whether nothing is open at the end of a part of a text.
func (p pyText) ends() bool {
	return balanced(p.text, p.toks) && !strings.HasSuffix(strings.TrimRight(p.text, "\r\n"), `\`)
}

// pyContinues are words that go on with the statement above.
var pyContinues = terms.Set("elif else except finally")

// s is the i-th token's text, "" outside.
func (p pyText) s(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.text[p.toks[i].Start:p.toks[i].End]
}

// chain is the token that the dotted name which a token ends begins with, as far as it is followed.
func (p pyText) chain(i int) int {
	for n := 0; n < maxReceiver && p.s(i-1) == "." && p.isName(i-2); n++ {
		i -= 2
	}
	return i
}

func (p pyText) isName(i int) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].Kind == language.Name && !pyKeywords[p.s(i)]
}

func (p pyText) kind(i int) language.TokenKind {
	if i < 0 || i >= len(p.toks) {
		return language.Newline
	}
	return p.toks[i].Kind
}

var pyKeywords = terms.Set(`False None True and as assert async await break class continue def del elif else except finally for from global
	if import in is lambda nonlocal not or pass raise return try while with yield`)

// pyBuiltins are the names that every Python module can use.
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

// A pyImport is a name that an import statement binds.
type pyImport struct {
	module string // with leading dots
	name   string // imported name; "" for the module itself, "*" for all
	local  string // what the file calls it
	mod    int    // first token of the module's name, -1 for none
	tok    int    // token of name, or the first of module
	tried  bool   // in a try block, or under a condition
	depth  int    // of the block it is in
}

// A pyBindings holds what a text binds, in any scope.
type pyBindings struct {
	names   map[string]int // how often
	top     map[string]bool
	outer   map[string]bool // what is bound outside of all functions
	scopes  []pyScope       // in their order
	in      *pyScope        // the function that is being read, nil for none
	depth   int             // of the block that is being read
	stores  map[string]bool // attributes that are assigned to
	imports []pyImport
	dynamic bool // names may be created in ways that cannot be determined
}

// A pyScope is a function that is in no other one, with what it and those in it bind.
type pyScope struct {
	edits.Span
	depth int
	names map[string]bool
}

// sees reports whether code at an offset may use what binds a name.
func (b *pyBindings) sees(name string, at int) bool {
	i, _ := slices.BinarySearchFunc(b.scopes, at, func(s pyScope, at int) int { return s.End - at - 1 })
	return b.outer[name] || i < len(b.scopes) && b.scopes[i].Start <= at && b.scopes[i].names[name]
}

// leave ends the function that is being read.
func (b *pyBindings) leave(at int) {
	if b.in != nil {
		b.in.End = at
		b.scopes, b.in = append(b.scopes, *b.in), nil
	}
}

// bindings reads all statements.
func (p pyText) bindings() *pyBindings {
	b := &pyBindings{names: map[string]int{}, top: map[string]bool{}, outer: map[string]bool{}, stores: map[string]bool{}}
	depth, start := 0, 0
	var guards []int // depths of try blocks and conditions
	for i := range p.toks {
		switch p.toks[i].Kind {
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
				b.leave(p.toks[start].Start)
			}
			b.depth = depth
			p.statement(b, start, i, depth, len(guards) > 0)
			if w := p.s(start); w == "try" || w == "if" || w == "except" || w == "else" || w == "elif" {
				guards = append(guards, depth)
			}
			start = i + 1
		}
	}
	b.leave(len(p.text))
	return b
}

func (b *pyBindings) bind(name string, depth int) {
	b.names[name]++
	if b.in != nil {
		b.in.names[name] = true
	} else {
		b.outer[name] = true
	}
	if depth == 0 {
		b.top[name] = true
	}
}

// statement records what one logical line binds. Blocks of conditions and tries
// at the top bind names of the module, so the depth of a block that is no
// function or class does not matter to it; a closer analysis would only make
// existing names unknown.
func (p pyText) statement(b *pyBindings, start, end, depth int, tried bool) {
	if tried {
		depth = 0
	}
	head := p.s(start)
	if head == "async" || head == "@" {
		head = p.s(start + 1)
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
			if p.isName(i) {
				b.bind(p.s(i), 0)
				b.outer[p.s(i)] = true
			}
		}
	case "case":
		for i := start + 1; i < end; i++ {
			if p.isName(i) && p.s(i-1) != "." && p.s(i+1) != "." && p.s(i+1) != "(" {
				b.bind(p.s(i), depth)
			}
		}
	}
	p.targets(b, start, end, depth)
}

// targets records names that are assigned to, in any way.
func (p pyText) targets(b *pyBindings, start, end, depth int) {
	level, from := 0, start
	for i := start; i < end; i++ {
		switch p.s(i) {
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
			if p.isName(i - 1) {
				b.bind(p.s(i-1), depth)
			}
		case ":":
			if i == start+1 && p.isName(start) {
				b.bind(p.s(start), depth)
			}
		case "for":
			p.targetNames(b, i+1, p.find(i, end, "in"), depth)
		case "as":
			p.targetNames(b, i+1, p.asEnd(i, end), depth)
		case "lambda":
			p.lambda(b, i, end)
		case "globals", "locals", "vars", "exec", "setattr":
			b.dynamic = b.dynamic || p.s(i) == "exec" && p.s(i+1) == "(" || p.s(i) == "globals" && (p.s(i+3) == "." && p.s(i+4) == "update" || p.s(i+3) == "[")
		}
	}
}

func (p pyText) find(from, end int, word string) int {
	for i := from; i < end; i++ {
		if p.s(i) == word {
			return i
		}
	}
	return end
}

// asEnd is the end of the target after "as".
func (p pyText) asEnd(at, end int) int {
	level := 0
	for i := at + 1; i < end; i++ {
		switch p.s(i) {
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
func (p pyText) targetNames(b *pyBindings, from, to, depth int) {
	for i := from; i < to; i++ {
		next := p.s(i + 1)
		if p.isName(i) && p.s(i-1) != "." && next != "." && next != "(" && next != "[" {
			b.bind(p.s(i), depth)
		}
		if p.s(i-1) == "." && p.isName(i) {
			b.stores[p.s(i)] = true
		}
		if p.s(i) == ":" && i == from+1 {
			return // an annotation
		}
	}
}

func (p pyText) lambda(b *pyBindings, at, end int) {
	level := 0
	for i := at + 1; i < end; i++ {
		switch p.s(i) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
		case ":":
			if level == 0 {
				return
			}
		default:
			if prev := p.s(i - 1); p.isName(i) && level == 0 && (prev == "lambda" || prev == "," || prev == "*" || prev == "**") {
				b.bind(p.s(i), 1)
			}
		}
	}
}

// definition binds a function's or class's name, type parameters and parameters.
func (p pyText) definition(b *pyBindings, start, end, depth int) {
	at := start + 1
	if p.s(start) == "async" {
		at++
	}
	if !p.isName(at) && p.kind(at) != language.Name {
		return
	}
	b.bind(p.s(at), depth)
	class := p.s(at-1) == "class"
	if !class && b.in == nil {
		b.in = &pyScope{edits.Span{Start: p.toks[start].Start}, b.depth, map[string]bool{}}
	}
	level := 0
	for i := at + 1; i < end; i++ {
		switch p.s(i) {
		case "(", "[", "{":
			level++
		case ")", "]", "}":
			level--
			if level == 0 && p.s(i) == ")" {
				return
			}
		default:
			prev := p.s(i - 1)
			parameter := prev == "(" && !class || prev == "[" && i == at+2 || prev == "," && (!class || p.s(at+1) == "[") || prev == "*" || prev == "**"
			if level == 1 && p.isName(i) && parameter {
				b.bind(p.s(i), 1)
			}
		}
	}
}

func (p pyText) imported(b *pyBindings, at, end, depth int, tried bool) {
	for i := at; i < end; i++ {
		first := i
		for i+2 < end && p.s(i+1) == "." {
			i += 2
		}
		module := p.joined(first, i+1)
		local, _, _ := strings.Cut(module, ".")
		if p.s(i+1) == "as" {
			local = p.s(i + 2)
			i += 2
			b.imports = append(b.imports, pyImport{module: module, local: local, mod: first, tok: first, tried: tried, depth: depth})
		} else {
			b.imports = append(b.imports, pyImport{module: module, local: local, mod: first, tok: first, tried: tried, depth: depth, name: ""})
		}
		b.bind(local, depth)
		for i+1 < end && p.s(i+1) != "," {
			i++
		}
		i++
	}
}

// joined is the text of tokens without blanks between.
func (p pyText) joined(from, to int) string {
	var out strings.Builder
	for i := from; i < to; i++ {
		out.WriteString(p.s(i))
	}
	return out.String()
}

func (p pyText) importedFrom(b *pyBindings, at, end, depth int, tried bool) {
	stop := p.find(at, end, "import")
	module := p.joined(at, stop)
	for i := stop + 1; i < end; i++ {
		switch {
		case p.s(i) == "*":
			b.imports = append(b.imports, pyImport{module: module, name: "*", mod: at, tok: i, tried: tried, depth: depth})
		case p.kind(i) == language.Name && p.s(i) != "as":
			im := pyImport{module: module, name: p.s(i), local: p.s(i), mod: at, tok: i, tried: tried, depth: depth}
			if p.s(i+1) == "as" {
				im.local = p.s(i + 2)
				i += 2
			}
			b.imports = append(b.imports, im)
			b.bind(im.local, depth)
		}
	}
}
