package nextedit

import (
	"regexp"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/terms"
)

// A binding is one way in which a file gives a name a value. At most one of what it says is
// set: its type, what it is set to, the function whose parameter it is.
type binding struct {
	from, to int    // the tokens where it holds
	at       int    // its own token
	text     string // its type as written
	init     int    // the token where its value begins; -1
	function int    // the token where its function begins, whose parameter it is; -1
	index    int    // which parameter
	each     bool   // it is each element of its value
	waited   bool   // it is its value once that is there
	member   string // it is this member of what it says
}

// scopes are the bindings of a file.
type scopes struct {
	*tokenFile
	bindings map[string][]binding
	sources  map[int]binding // what the key of a pattern takes its member from
}

var (
	exportList = regexp.MustCompile(`export\s*\{([^}]*)\}(\s*from\b)?`)
	renamedAs  = regexp.MustCompile(`([\w$]+)\s+as\s+([\w$]+)`)
)

// exportedAs are the names of a file by those that it exports them as.
func exportedAs(src string) map[string]string {
	out := map[string]string{}
	for _, m := range exportList.FindAllStringSubmatch(src, -1) {
		if m[2] == "" {
			for _, r := range renamedAs.FindAllStringSubmatch(m[1], -1) {
				out[r[2]] = r[1]
			}
		}
	}
	return out
}

func (f *scopes) bind(at int, b binding) {
	b.at = at
	f.bindings[f.text(at)] = append(f.bindings[f.text(at)], b)
}

// binding is what gives a name its value at a token: the one of the innermost scope, and of
// several the last before it.
func (f *scopes) binding(name string, at int) (out binding, ok bool) {
	for _, b := range f.bindings[name] {
		if at < b.from || at > b.to {
			continue
		}
		if size, best := b.to-b.from, out.to-out.from; !ok || size < best || size == best && (b.at <= at || out.at > at) {
			out, ok = b, true
		}
	}
	return out, ok
}

var noFunction = terms.Set("if for while switch catch with return await typeof new throw else do in of case function")

// bindScript finds the bindings of a file in TypeScript or JavaScript.
func (f *scopes) bindScript() {
	for i := range f.tokens {
		switch f.text(i) {
		case "const", "let", "var":
			if !f.dotted(i) {
				f.bindDeclared(i)
			}
		case "(":
			f.bindFunction(i)
		case "=>":
			if before := i - 1; before >= 0 && f.tokens[before].name {
				f.bind(before, binding{from: before, to: f.bodyEnd(i + 1), init: -1, function: before})
			}
		}
	}
}

// bindDeclared binds what const, let or var at a token declare.
func (f *scopes) bindDeclared(i int) {
	from, to := f.block(i)
	b := binding{from: from, to: to, init: -1, function: -1}
	at, k := i+1, i+2
	if f.text(at) == "{" || f.text(at) == "[" {
		k = f.matching(at) + 1
	}
	if f.text(k) == "!" {
		k++
	}
	if f.text(k) == ":" {
		end := f.typeEnd(k + 1)
		b.text = f.between(k+1, end)
		k = end
	}
	switch {
	case f.text(i-1) == "(" && f.text(i-2) == "for" || f.text(i-1) == "(" && f.text(i-2) == "await":
		b.from, b.to = i-1, f.bodyEnd(f.matching(i-1)+1)
		if f.text(k) == "of" {
			b.init, b.each = k+1, true
			b.waited = f.text(i-2) == "await"
		}
	case f.text(k) == "=" && b.text == "":
		b.init = k + 1
	}
	f.bindPattern(at, b)
}

// bindPattern binds a name, or those of a pattern, at a token.
func (f *scopes) bindPattern(at int, b binding) {
	switch {
	case f.text(at) == "{":
		if b.member != "" {
			return // of a member's member
		}
		end := f.matching(at)
		for k := at + 1; k < end; k++ {
			if part := b; f.tokens[k].name && (f.text(k-1) == "{" && k-1 == at || f.text(k-1) == ",") {
				part.member = f.text(k)
				f.patternOf(k, b)
				if f.text(k+1) == ":" {
					if f.tokens[min(k+2, end)].name {
						f.bind(k+2, part)
					}
				} else {
					f.bind(k, part)
				}
			}
			if t := f.text(k); t == "{" || t == "(" || t == "[" {
				k = f.matching(k)
			}
		}
	case at < len(f.tokens) && f.tokens[at].name:
		f.bind(at, b)
	}
}

// patternOf keeps what a pattern takes a member from, under the place of its key.
func (f *scopes) patternOf(k int, b binding) {
	b.at = k
	f.sources[k] = b
}

// bindFunction binds the parameters of the function whose list opens at a token, if it is
// one.
func (f *scopes) bindFunction(open int) {
	end := f.matching(open)
	after := end + 1
	if f.text(after) == ":" {
		for k := after + 1; k < len(f.tokens) && k < after+80; k++ {
			t := f.text(k)
			if t == "=>" || t == "{" && f.text(k-1) != ":" && f.text(k-1) != "|" && f.text(k-1) != "<" && f.text(k-1) != "," {
				after = k
				break
			}
			if t == ";" || t == ")" || t == "]" || t == "}" {
				return
			}
			if t == "(" || t == "[" || t == "{" {
				k = f.matching(k)
			}
		}
	}
	b := binding{from: open, init: -1, function: open}
	switch f.text(after) {
	case "=>":
		b.to = f.bodyEnd(after + 1)
		if f.text(open-1) == "async" {
			b.function = open - 1
		}
	case "{":
		name := open - 1
		if f.text(name) == ">" {
			name = f.angleOpen(name) - 1
		}
		if name < 0 || !f.tokens[name].name || noFunction[f.text(name)] && f.text(name) != "function" || f.text(open-1) == "function" && name != open-1 {
			return
		}
		b.to, b.function = f.matching(after), name
	default:
		return
	}
	start := open + 1
	for k := open + 1; k <= end; k++ {
		switch t := f.text(k); {
		case k == end || t == ",":
			if k > start {
				f.bindParameter(start, k, b)
				b.index++
			}
			start = k + 1
		case t == "(" || t == "[" || t == "{":
			k = f.matching(k)
		case t == "<":
			if close := f.angleClose(k); close > k {
				k = close
			}
		}
	}
}

var modifiers = terms.Set("public private protected readonly override ...")

// bindParameter binds the parameter between two tokens.
func (f *scopes) bindParameter(start, end int, b binding) {
	for start < end && modifiers[f.text(start)] {
		start++
	}
	k := start + 1
	if f.text(start) == "{" || f.text(start) == "[" {
		k = f.matching(start) + 1
	}
	if f.text(k) == "?" {
		k++
	}
	switch {
	case k < end && f.text(k) == ":":
		stop := k + 1
		for stop < end && f.text(stop) != "=" {
			if t := f.text(stop); t == "(" || t == "{" || t == "[" {
				stop = f.matching(stop)
			}
			stop++
		}
		b.text, b.function = f.between(k+1, min(stop, end)), -1
	case k < end && f.text(k) == "=":
		b.init, b.function = k+1, -1
	}
	f.bindPattern(start, b)
}

// bindPython finds the bindings of a file in Python.
func (f *scopes) bindPython(defs []index.Def) {
	first := map[int]int{} // the first token of a line
	for i := range f.tokens {
		if f.firstOfLine(i) {
			first[f.lineOf[i]] = i
		}
	}
	tokenAt := func(line int) int {
		for ; line <= f.lineOf[len(f.tokens)-1]; line++ {
			if i, ok := first[line]; ok {
				return i
			}
		}
		return len(f.tokens)
	}
	type scope struct{ from, to int }
	var scopes []scope // of functions, outermost first
	for _, d := range defs {
		if d.Kind.IsFunc() && len(f.tokens) > 0 {
			scopes = append(scopes, scope{tokenAt(d.StartLine), tokenAt(d.EndLine + 1)})
		}
	}
	scopeOf := func(i int) binding {
		out := binding{from: 0, to: len(f.tokens), init: -1, function: -1}
		for _, s := range scopes {
			if s.from <= i && i < s.to && s.to-s.from < out.to-out.from {
				out.from, out.to = s.from, s.to
			}
		}
		return out
	}
	for i, t := range f.tokens {
		if !t.name || f.dotted(i) {
			continue
		}
		b := scopeOf(i)
		switch after := f.text(i + 1); {
		case f.text(i-1) == "as" && !f.inImport(i):
			k := i - 2
			b.init = f.start(k)
			f.bind(i, b)
		case f.text(i-1) == "for" && after == "in":
			b.init, b.each = i+2, true
			f.bind(i, b)
		case f.firstOfLine(i) && after == "=":
			b.init = i + 2
			f.bind(i, b)
		case f.firstOfLine(i) && after == ":" && f.opener(i) < 0 && !noFunction[t.text] && t.text != "try" && t.text != "finally":
			k := i + 2
			for k < len(f.tokens) && f.lineOf[k] == f.lineOf[i] && f.text(k) != "=" {
				k++
			}
			b.text = f.between(i+2, k)
			f.bind(i, b)
		case after == "(" && f.text(i-1) == "def":
			f.bindDef(i+1, scopeOf(i+2))
		}
	}
}

// bindDef binds the parameters of a function of Python.
func (f *scopes) bindDef(open int, b binding) {
	end := f.matching(open)
	for k := open + 1; k < end; k++ {
		if t := f.text(k); t == "(" || t == "[" || t == "{" {
			k = f.matching(k)
			continue
		}
		if p := b; f.tokens[k].name && (f.text(k-1) == "(" && k-1 == open || f.text(k-1) == "," || f.text(k-1) == "*" || f.text(k-1) == "**") {
			if f.text(k+1) == ":" {
				stop := k + 2
				for stop < end && f.text(stop) != "," && f.text(stop) != "=" {
					if t := f.text(stop); t == "(" || t == "[" || t == "{" {
						stop = f.matching(stop)
					}
					stop++
				}
				p.text = f.between(k+2, stop)
				if f.text(k-1) == "*" {
					p.text = "list[" + p.text + "]"
				}
			}
			f.bind(k, p)
			if p.text != "" {
				for k+1 < end && f.text(k+1) != "," {
					k++
					if t := f.text(k); t == "(" || t == "[" || t == "{" {
						k = f.matching(k)
					}
				}
			}
		}
	}
}

// enclosing is the innermost class around a line.
func (f *fileTypes) enclosing(line int) (out index.Def, ok bool) {
	for _, d := range f.ix.Enclosing(f.id, line) {
		if (d.Kind == language.KindClass || d.Kind == language.KindInterface) && (!ok || d.StartLine >= out.StartLine) {
			out, ok = d, true
		}
	}
	return out, ok
}
