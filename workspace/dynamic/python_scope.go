package dynamic

import (
	"slices"

	"tandem/edits"
	"tandem/workspace/language"
)

// A pyFrame is a scope of Python.
type pyFrame struct {
	parent        int
	start, end    int  // tokens
	class         bool // its names are not known in the functions in it
	comprehension bool // what := binds in it is known around it
	binds         map[string]bool
	outer         map[string]bool // names that global gives it of the module: true, or nonlocal: false
}

// pyScopes are the scopes of a text. The first is the module's.
type pyScopes struct {
	p      Python
	frames []pyFrame
	of     []int // by token
	marks  map[int]Kind

	imports []bool // by token: it is part of an import statement
}

func newPyScopes(p Python) *pyScopes {
	s := &pyScopes{p: p, of: make([]int, len(p.Tokens)), marks: map[int]Kind{}, imports: p.Importing()}
	for _, m := range p.Bindings().marks {
		s.marks[m.token] = m.kind
	}
	s.frames = []pyFrame{{parent: -1, end: len(p.Tokens), binds: map[string]bool{}, outer: map[string]bool{}}}
	s.nest()
	for i, kind := range s.marks {
		s.bind(i, kind)
	}
	return s
}

// frame adds a scope that some tokens are in.
func (s *pyScopes) frame(parent, start, end int) int {
	s.frames = append(s.frames, pyFrame{parent: parent, start: start, end: end, binds: map[string]bool{}, outer: map[string]bool{}})
	for i := start; i < end; i++ {
		s.of[i] = len(s.frames) - 1
	}
	return len(s.frames) - 1
}

// nest finds the scope of each token.
func (s *pyScopes) nest() {
	type block struct{ frame, depth int }
	stack := []block{{0, -1}}
	for st := range s.p.statements {
		for len(stack) > 1 && st.depth <= stack[len(stack)-1].depth {
			s.frames[stack[len(stack)-1].frame].end = st.start
			stack = stack[:len(stack)-1]
		}
		cur := stack[len(stack)-1].frame
		for i := st.start; i <= st.end && i < len(s.of); i++ {
			s.of[i] = cur
		}
		at := s.p.definedName(st.start)
		if word := s.p.Word(at - 1); word == "def" || word == "class" {
			open := at + 1
			if s.p.Word(open) == "[" { // type parameters are known in the annotations too
				cur = s.frame(cur, open, st.end)
				open = s.p.Closing(open)
			}
			own := s.frame(cur, st.end, st.end)
			s.frames[own].class, s.frames[own].start = word == "class", at+1
			for i := open; i < st.end; i++ {
				if s.p.Word(i) == "lambda" {
					i = s.p.skipLambda(i, st.end)
				} else if s.marks[i] == Parameter {
					s.of[i] = own
				}
			}
			stack = append(stack, block{own, st.depth})
		}
		if open := s.p.aliased(st.start); open > 0 {
			s.frame(cur, open, st.end)
		}
		s.expressions(st.start, st.end)
	}
	for _, b := range stack {
		s.frames[b.frame].end = len(s.p.Tokens)
	}
}

// expressions finds the scopes of lambdas and comprehensions.
func (s *pyScopes) expressions(start, end int) {
	for i := start; i < end; i++ {
		switch s.p.Word(i) {
		case "lambda":
			colon := s.p.skipLambda(i, end)
			own := s.frame(s.of[i], colon, s.lambdaEnd(colon+1, end))
			s.frames[own].start = i
			for k := i + 1; k < colon; k++ {
				if s.marks[k] == Parameter && s.of[k] == s.of[i] {
					s.of[k] = own
				}
			}
		case "(", "[", "{":
			if loop := s.loop(i); loop > 0 {
				s.comprehension(i, loop)
			}
		}
	}
}

// lambdaEnd is the token after the value of a lambda.
func (s *pyScopes) lambdaEnd(i, end int) int {
	for ; i < end; i++ {
		switch s.p.Word(i) {
		case "(", "[", "{":
			i = s.p.Closing(i)
		case ")", "]", "}", ",", ":", "for", "async", "=":
			return i
		}
	}
	return min(i, end)
}

// loop is the first for of the comprehension that a bracket opens, or -1.
func (s *pyScopes) loop(open int) int {
	for i := open + 1; i < s.p.Closing(open) && i < len(s.p.Tokens); i++ {
		switch s.p.Word(i) {
		case "(", "[", "{":
			i = s.p.Closing(i)
		case "for":
			return i
		}
	}
	return -1
}

// comprehension is the scope between brackets, but for the first thing that is iterated.
func (s *pyScopes) comprehension(open, loop int) {
	around, end := s.of[open], min(s.p.Closing(open), len(s.p.Tokens))
	own := s.frame(around, open+1, end)
	s.frames[own].comprehension = true
	for i := s.p.find(loop, end, "in") + 1; i < end; i++ {
		switch s.p.Word(i) {
		case "for", "if", "async":
			return
		case "(", "[", "{":
			for k := i; k < min(s.p.Closing(i), end); k++ {
				s.of[k] = around
			}
			i = min(s.p.Closing(i), end-1)
		}
		s.of[i] = around
	}
}

// bind records what a token binds in its scope.
func (s *pyScopes) bind(i int, kind Kind) {
	frame, name := s.of[i], s.p.Word(i)
	for kind == assignedInside && s.frames[frame].comprehension {
		frame = s.frames[frame].parent
	}
	if kind == declaredOuter {
		first := i
		for s.p.Word(first) != "global" && s.p.Word(first) != "nonlocal" {
			first--
		}
		s.frames[frame].outer[name] = s.p.Word(first) == "global"
		if s.p.Word(first) == "nonlocal" {
			return
		}
		frame = 0
	}
	s.frames[frame].binds[name] = true
}

func (s *pyScopes) declares(i int) (Kind, bool) {
	kind, ok := s.marks[i]
	if kind == assignedInside {
		kind = Variable
	}
	return kind, ok
}

func (s *pyScopes) role(i int) (Role, bool) {
	switch {
	case !s.p.IsName(i):
		return 0, false
	case s.imports[i]:
		return Listed, s.p.Word(i+1) == "as" && s.p.Word(i-1) != "."
	case s.p.Word(i-1) == ".":
		return Member, true
	case s.p.IsKeyword(i):
		return Key, true
	}
	return Reference, true
}

func (s *pyScopes) shorthand(int) bool { return false }

func (s *pyScopes) scope(i int, _ []int) int {
	name, own := s.p.Word(i), s.of[i]
	module := false
	for f := own; f >= 0; f = s.frames[f].parent {
		frame := s.frames[f]
		if module && f > 0 || frame.class && f != own {
			continue
		}
		if global, ok := frame.outer[name]; ok {
			module = module || global
			continue
		}
		if frame.binds[name] {
			return f
		}
	}
	return -1
}

func (s *pyScopes) extent(frame int) (edits.Span, bool) {
	f := s.frames[frame]
	if frame == 0 || f.start >= len(s.p.Tokens) {
		return edits.Span{End: len(s.p.Text)}, false
	}
	end := len(s.p.Text)
	if f.end < len(s.p.Tokens) {
		end = s.p.Tokens[f.end].Start
	}
	return edits.Span{Start: s.p.Tokens[f.start].Start, End: end}, true
}

// KeywordsOf are the places where the call whose callee ends at an offset names an argument.
func (p Python) KeywordsOf(callee int, name string) (out []edits.Span) {
	i, _ := slices.BinarySearchFunc(p.Tokens, callee, func(t language.Token, at int) int { return t.Start - at })
	if p.Word(i) != "(" {
		return nil
	}
	end := p.Closing(i)
	for i++; i < end; i++ {
		switch p.Word(i) {
		case "(", "[", "{":
			i = p.Closing(i)
		case name:
			if p.IsKeyword(i) {
				out = append(out, spanOf(p.Tokens[i]))
			}
		}
	}
	return out
}
