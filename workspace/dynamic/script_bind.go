package dynamic

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// scriptScopes are the scopes of a script: the parts of its text in which its declarations are
// known.
type scriptScopes struct {
	t        Script
	blocks   scriptBlocks
	tags     bool               // markup may be in it
	spans    []edits.Span       // those found; the first is the module's
	imported map[int]bool       // tokens of imports and of lists of exports: whether they name something here
	members  map[int]bool       // brackets that open the body of a class, an interface or an enum
	found    map[int]declaredIn // by token that declares
}

// declaredIn is the scope in which a token declares something.
type declaredIn struct {
	kind  Kind
	scope int
}

func newScriptScopes(t Script, tags bool) *scriptScopes {
	s := &scriptScopes{t: t, blocks: scriptBlocks{t}, tags: tags, spans: []edits.Span{{End: len(t.Text)}}, imported: map[int]bool{}, members: map[int]bool{}, found: map[int]declaredIn{}}
	for _, im := range t.Imports() {
		local := im.NameToken
		if s.t.Word(local+1) == "as" {
			local += 2
		}
		s.imported[im.NameToken], s.imported[local] = im.Export && im.Module == "", !im.Export || im.Module == "" && local == im.NameToken
		if !im.Export && im.Local != "" {
			s.found[local] = declaredIn{Imported, 0}
		}
	}
	for i := range t.Tokens {
		head := s.t.IsName(i+1) || s.t.Word(i+1) == "{"
		if head && s.t.is(i, "class", "interface", "enum") && s.t.Word(i-1) != "." {
			s.members[s.bodyOf(i+1)] = true
		}
	}
	return s
}

// bodyOf is the brace that opens the body of the class, interface or enum whose head goes on at i.
func (s *scriptScopes) bodyOf(i int) int {
	for ; i < len(s.t.Tokens); i++ {
		switch s.t.Word(i) {
		case "{":
			return i
		case "(", "[":
			i = s.t.Closing(i)
		case "<":
			i = max(s.t.Generics(i)-1, i)
		case ";", ")", "]", "}":
			return -1
		}
	}
	return -1
}

// span is the text of some tokens, to the end of the text where the last is not there.
func (s *scriptScopes) span(first, last int) (edits.Span, bool) {
	if last >= len(s.t.Tokens) {
		return edits.Span{Start: s.t.Tokens[first].Start, End: len(s.t.Text)}, true
	}
	return s.blocks.span(first, last)
}

// reserved are the words that no variable has for a name.
var reserved = terms.Set(`break case catch class const continue debugger default delete do else enum export extends false finally for function if import in
	instanceof new null return super switch this throw true try typeof var void while with`)

// Reserved reports whether a word of the language can be no name.
func Reserved(word string) bool { return reserved[word] }

func (s *scriptScopes) declares(i int) (Kind, bool) {
	k, known := s.found[i]
	if known {
		return k.kind, true
	}
	kind, span, ok := s.declaration(i)
	if !ok {
		return 0, false
	}
	scope := slices.Index(s.spans, span)
	if scope < 0 {
		scope, s.spans = len(s.spans), append(s.spans, span)
	}
	s.found[i] = declaredIn{kind, scope}
	return kind, true
}

// declaration is what the name at i declares, and where that is known; ok is false where it
// declares nothing.
func (s *scriptScopes) declaration(i int) (kind Kind, scope edits.Span, ok bool) {
	prev, next := s.t.Word(i-1), s.t.Word(i+1)
	if !s.t.IsName(i) || reserved[s.t.Word(i)] || s.t.is(i-1, ".", "?.") {
		return 0, scope, false
	}
	switch {
	case prev == "function", prev == "*" && s.t.Word(i-2) == "function":
		return Definition, s.definedIn(i), true
	case s.t.is(i-1, "class", "interface", "enum", "namespace"), prev == "type" && s.t.is(i+1, "=", "<"):
		return Definition, s.definedIn(i), true
	case next == "=>" && s.isArrowParameter(i):
		scope, ok = s.span(i, s.blocks.arrowEnd(i+1))
		return Parameter, scope, ok
	}
	if open := s.typeParameters(i); open >= 0 {
		scope, ok = s.typeScope(open)
		return Definition, scope, ok
	}
	return s.target(i)
}

// definedIn is where the function, class or type that the name at i declares is known: an
// expression's name in itself alone.
func (s *scriptScopes) definedIn(i int) edits.Span {
	first := i - 1
	for first > 0 && (s.t.Word(first) == "*" || s.t.is(first-1, "async", "abstract", "declare", "const")) {
		first--
	}
	if !s.t.is(i-1, "class", "function", "*") || !beforeExpression[s.t.Word(first-1)] {
		return s.blockOf(first, false)
	}
	end := s.bodyOf(i + 1)
	if open := s.t.Generics(i + 1); s.t.Word(open) == "(" {
		end = -1
		if span, ok := s.span(first, s.blocks.bodyEnd(open)); ok {
			return span
		}
	}
	if span, ok := s.span(first, s.t.Closing(end)); end >= 0 && ok {
		return span
	}
	return s.blockOf(first, false)
}

// beforeExpression are tokens after which a function or a class is a value.
var beforeExpression = terms.Set("( [ = , : ? ?? || && => return new typeof await yield ! + - ... throw in of extends")

// blockOf is the block around the token at i in which what it declares is known, or, of var, the
// function.
func (s *scriptScopes) blockOf(i int, function bool) edits.Span {
	for open := int(s.t.around[i]); open >= 0; open = int(s.t.around[open]) {
		last := -1
		switch {
		case s.t.Word(open) == "(" && !function: // of a loop
			last = s.blocks.bodyEnd(open)
		case s.t.Word(open) == "{" && (!function || s.blocks.isFunctionBody(open)):
			last = s.t.Closing(open)
		}
		if span, ok := s.span(open, last); ok {
			return span
		}
	}
	return s.spans[0]
}

// isArrowParameter reports whether the name before the arrow at i+1 is the parameter of its
// function, and not the end of a type.
func (s *scriptScopes) isArrowParameter(i int) bool {
	switch s.t.Word(i - 1) {
	case "is", "|", "&", ".", ">", "typeof", "keyof":
		return false
	case ":":
		if s.t.Word(i-2) == ")" {
			open := int(s.t.match[i-2])
			return s.t.Word(open-1) == "?" || s.t.IsName(open-1) && !reserved[s.t.Word(open-1)] && s.t.Word(open-1) != "async"
		}
	}
	return true
}

// typeParameters is the bracket that opens the list in which the name at i is a type parameter,
// or -1.
func (s *scriptScopes) typeParameters(i int) int {
	switch open := s.listOf(i); {
	case open < 0, s.t.Word(i-1) != "<" && s.t.Word(i-1) != "," && s.t.Word(i-1) != "const":
		return -1
	case s.t.Word(s.t.Generics(open)) == "(" && s.isParameters(s.t.Generics(open)), slices.Contains([]string{"class", "interface", "type"}, s.t.Word(open-2)):
		return open
	}
	return -1
}

// listOf is the bracket that opens the list of types that the token at i is in, or -1.
func (s *scriptScopes) listOf(i int) int {
	for k := i - 1; k >= 0 && k > i-200 && s.t.around[k] == s.t.around[i]; k-- {
		switch s.t.Word(k) {
		case "<":
			if s.t.Generics(k) > i {
				return k
			}
		case ";", "=>":
			return -1
		}
	}
	return -1
}

// typeScope is where the type parameters of a list are known.
func (s *scriptScopes) typeScope(open int) (edits.Span, bool) {
	next := s.t.Generics(open)
	switch {
	case s.t.Word(next) == "(":
		return s.span(open, s.parametersEnd(next))
	case s.t.Word(next) == "=":
		return s.span(open, min(s.blocks.typeEnd(next+1), len(s.t.Tokens))-1)
	}
	return s.span(open, s.t.Closing(s.bodyOf(next)))
}

// parametersEnd is the last token that knows the parameters in a bracket: of a signature, the end of
// its type.
func (s *scriptScopes) parametersEnd(open int) int {
	if last := s.blocks.bodyEnd(open); last >= 0 {
		return last
	}
	return s.blocks.typeEnd(s.t.Closing(open)+2) - 1
}

// target is what the name at i declares as a variable or parameter, or in the pattern of one.
func (s *scriptScopes) target(i int) (kind Kind, scope edits.Span, ok bool) {
	for e, last := i, i; ; e, last = int(s.t.around[e]), s.t.Closing(int(s.t.around[e])) {
		if word := s.declarator(e, last); word >= 0 {
			return Variable, s.blockOf(word, s.t.Word(word) == "var"), true
		}
		open, prev := int(s.t.around[e]), s.t.Word(e-1)
		first := e-1 == open || prev == "," || prev == "..."
		switch s.t.Word(open) {
		case "(":
			decorated := prev == ")" || s.t.Word(e-2) == "@"
			begins := first || decorated || beforeParameter[prev]
			ends := afterParameter[s.t.Word(last+1)] && s.listOf(e) < 0
			if begins && ends && s.isParameters(open) {
				scope, ok = s.span(open, s.parametersEnd(open))
			}
			return Parameter, scope, ok
		case "[":
			ok = first && (s.t.Word(s.t.Closing(open)+1) != ":" || s.t.Word(int(s.t.around[open])) != "{") // else a computed key
		case "{":
			key := e - 2
			if s.t.Word(key) == "]" {
				key = int(s.t.match[key])
			}
			ok = first && (e != i || s.t.Word(i+1) != ":") || prev == ":" && (key-1 == open || s.t.Word(key-1) == ",")
		}
		if !ok {
			return 0, scope, false
		}
		ok = false
	}
}

var (
	beforeParameter = terms.Set("public private protected readonly override")
	afterParameter  = terms.Set(", ) : ? =")
	// afterDeclared are tokens that follow a name in a list of declarations.
	afterDeclared = terms.Set(", ; = : ! of in )")
)

// declarator is the word by which a list declares the name or pattern between two tokens, or -1.
func (s *scriptScopes) declarator(e, last int) int {
	declaring := func(k int) bool {
		return s.t.is(k, "const", "let", "var") && s.t.Word(k-1) != "."
	}
	switch {
	case declaring(e - 1):
		return e - 1
	case s.t.Word(e-1) != ",", !afterDeclared[s.t.Word(last+1)] && last+1 < len(s.t.Tokens) && !s.t.startsLine(last+1), s.listOf(e) >= 0:
		return -1
	}
	for k := e - 2; k >= 0 && k > e-maxList; k-- {
		switch w := s.t.Word(k); {
		case s.t.is(k, ")", "]", "}"):
			k = int(s.t.match[k])
			if k >= len(s.t.Tokens) {
				return -1
			}
		case declaring(k):
			return k
		case s.t.is(k, "(", "[", "{", ";"), endsList[w]:
			return -1
		}
	}
	return -1
}

// maxList bounds the tokens of a list of declarations.
const maxList = 4000

// endsList are words of statements that are not those of a list of declarations.
var endsList = terms.Set("return throw case default if else for while do switch try catch finally break continue import export")

// isParameters reports whether the bracket at i opens the parameters of a function.
func (s *scriptScopes) isParameters(open int) bool {
	end, before := s.t.Closing(open), s.t.Word(open-1)
	switch s.t.Word(end + 1) {
	case "=>":
		return true
	case "{":
		return before == "catch" || before != "" && !beforeBlock[before]
	case ":":
		callee := s.t.IsName(open-1) && !reserved[before] && before != "async"
		after := s.blocks.typeEnd(end + 2)
		for k := end + 2; k < after && !callee; k++ {
			if s.t.Word(k) == "=>" && s.t.Word(k+1) == "{" && s.t.around[k] == s.t.around[open] {
				return true // the type before it is that of a function
			}
		}
		switch {
		case before == "?":
			return false
		case s.t.Word(after) == "=>":
			return !callee
		case s.t.Word(after) == "{":
			return true
		}
	}
	name := open - 1
	for k := name; before == ">" && k > open-200 && k > 0; k-- {
		if s.t.Word(k) == "<" && s.t.Generics(k) == open {
			name = k - 1
		}
	}
	if s.t.Word(name-1) == "function" {
		return true // an overload
	}
	for s.t.Word(name-1) == "." {
		name -= 2
	}
	return s.t.around[open] >= 0 && s.members[int(s.t.around[open])] && s.t.Word(name-1) != "@" // a signature
}

func (s *scriptScopes) role(i int) (Role, bool) {
	own, listed := s.imported[i]
	prev := s.t.Word(i - 1)
	switch {
	case prev == ".", prev == "?.":
		return Member, true
	case reserved[s.t.Word(i)] || s.tags && s.isMarkup(i):
		return 0, false
	case listed && !own:
		return Listed, prev != "as" || s.t.Word(i-2) == s.t.Word(i)
	case s.isMember(i):
		return Key, true
	}
	return Reference, true
}

// beforeMember are words before the name of a member.
var beforeMember = terms.Set("public private protected readonly override static abstract declare accessor get set async")

// isMember reports whether the name at i is that of a property, a field or a method where an object,
// a type or a class has it.
func (s *scriptScopes) isMember(i int) bool {
	open, prev, next := int(s.t.around[i]), s.t.Word(i-1), s.t.Word(i+1)
	if s.t.Word(open) == "[" && (prev == "[" || prev == ",") { // of a tuple, or of an index
		return next == ":" || next == "?" && s.t.Word(i+2) == ":"
	}
	if s.t.Word(open) != "{" {
		return false
	}
	if prev == "*" && i > 1 {
		prev = s.t.Word(i - 2)
	}
	first := prev == "{" || prev == "," && s.listOf(i) < 0 || prev == ";" || prev == "}" || beforeMember[prev] || s.t.startsLine(i) && (s.t.endsValue(i-1) || s.t.Tokens[i-1].Kind != language.Operator)
	switch params := s.t.Generics(i + 1); {
	case s.t.IsKey(i), (first || s.t.startsLine(i)) && next == "?" && s.t.Word(i+2) == ":":
		return true
	case first && s.t.Word(params) == "(" && (s.members[open] || s.isParameters(params)):
		return true
	}
	return s.members[open] && first
}

// isMarkup reports whether the name at i is an attribute of a tag, or a word of text between tags.
func (s *scriptScopes) isMarkup(i int) bool {
	word := func(k int) bool { return s.t.IsName(k) && !scriptKeywords[s.t.Word(k)] && !reserved[s.t.Word(k)] }
	prev, next := s.t.Word(i-1), s.t.Word(i+1)
	switch {
	case prev == "<" || prev == "/" && s.t.Word(i-2) == "<": // a tag: those of HTML are in lower case
		return s.t.Word(i)[0] >= 'a' && s.t.Tokens[i-1].End == s.t.Tokens[i].Start
	case next == "=" && s.t.adjoined(i, 2):
		if s.t.Word(i+2) == "{" || s.t.Kind(i+2) == language.String {
			return true
		}
	case prev == ">" && next == "<":
		return true
	}
	return word(i-1) && !s.t.startsLine(i) || word(i+1) && !s.t.startsLine(i+1)
}

// beforeObject are tokens after which a brace opens an object or a pattern.
var beforeObject = terms.Set("( , = [ : return ? ?? || && ... const let var default yield await")

func (s *scriptScopes) shorthand(i int) bool {
	open := int(s.t.around[i])
	if _, listed := s.imported[i]; listed || s.members[open] || s.t.Word(open) != "{" {
		return false
	}
	if !s.t.is(i-1, "{", ",") || !s.t.is(i+1, ",", "}", "=") {
		return false
	}
	attribute := s.t.Word(open-1) == "=" && s.t.IsName(open-2) && s.t.adjoined(open-2, 2)
	return beforeObject[s.t.Word(open-1)] && !(attribute && s.tags)
}

func (s *scriptScopes) scope(i int, declared []int) int {
	if k, ok := s.found[i]; ok {
		return k.scope
	}
	best := -1
	for _, d := range declared {
		scope := s.found[d].scope
		span := s.spans[scope]
		if at := s.t.Tokens[i].Start; span.Start <= at && at < span.End && (best < 0 || span.End-span.Start < s.spans[best].End-s.spans[best].Start) {
			best = scope
		}
	}
	return best
}

func (s *scriptScopes) extent(scope int) (edits.Span, bool) { return s.spans[scope], scope > 0 }
