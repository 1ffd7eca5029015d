package language

import "strings"

// script is JavaScript and TypeScript, with and without JSX.
var script = &language{marks: "/\"'`}#", letters: "$", special: scriptSpecial, scan: scanScript,
	operators: "... === !== => == != <= >= && || ?? ?. ++ -- += -= *= /=",
	reserved: "await break case catch class const continue debugger default delete do else enum export extends false " +
		"finally for function if implements import in instanceof interface let new null of package private protected public " +
		"return static super switch this throw true try typeof var void while with yield async as any boolean declare " +
		"infer is keyof namespace never number readonly string symbol undefined unknown abstract"}

// A jsScope describes the scope of a JavaScript or TypeScript statement.
type jsScope struct {
	container string
	local     bool // inside a function or block
	exported  bool // everything is: an ambient module
}

// A jsScan is the state of scanning one file.
type jsScan struct {
	jsReader
	exports map[string]bool // names that an export list mentions
}

func scanScript(s *scan) {
	j := jsScan{jsReader{s}, map[string]bool{}}
	j.statements(0, s.end(), jsScope{})
	if len(j.exports) == 0 {
		return
	}
	s.far = true
	for i := range s.defs {
		if d := &s.defs[i]; d.Container == "" && j.exports[s.in.Name(d.Name)] {
			d.Exported = true
		}
	}
}

// statements reads every declaration in the tokens from i to end.
func (j *jsScan) statements(i, end int, scope jsScope) {
	if !j.enter() {
		j.exit()
		return
	}
	defer j.exit()
	for i < end {
		i = max(j.statement(i, end, scope), i+1)
	}
}

func (j *jsScan) statement(i, end int, scope jsScope) int {
	switch {
	case j.ch(i) == '{':
		if c := j.closing(i); c >= 0 {
			scope.local = true
			j.statements(i+1, c, scope)
			return c + 1
		}
		return i + 1
	case j.isIdent(i) && j.ch(i-1) == '.' || !j.isIdent(i) && j.ch(i) != '@':
		return i + 1
	}
	h, at := j.head(i, end)
	h.exported = h.exported || scope.exported
	h.constant = h.constant || j.word(at) == kwConst
	switch j.word(at) {
	case kwFunction:
		return j.function(h, at, end, scope)
	case kwClass:
		return j.class(h, at, end, scope)
	case kwImport:
		return j.importing(at, end)
	case kwLet, kwVar, kwConst:
		if j.isIdent(at+1) || j.ch(at+1) == '{' || j.ch(at+1) == '[' {
			return j.variables(h, at+1, end, scope)
		}
	}
	if next := j.typeStatement(h, at, end, scope); next > at {
		return next
	}
	if h.exported && at > h.at {
		return j.exporting(h, at, end)
	}
	if at > i {
		return at
	}
	return j.assignment(i, end, scope)
}

// typeStatement reads the declarations that only TypeScript has.
func (j *jsScan) typeStatement(h jsHead, at, end int, scope jsScope) int {
	if !j.isIdent(at+1) && j.tok(at+1).kind != tString && !(j.word(at) == kwGlobal && j.ch(at+1) == '{') {
		return at
	}
	switch j.word(at) {
	case kwInterface:
		if !j.startsLine(at + 1) {
			return j.interfaceDef(h, at, end, scope)
		}
	case kwType:
		if j.isIdent(at+1) && (j.ch(at+2) == '=' || j.ch(at+2) == '<') {
			return j.alias(h, at, end, scope)
		}
	case kwEnum:
		if j.ch(at+2) == '{' {
			return j.enum(h, at, scope)
		}
	case kwNamespace, kwModule, kwGlobal:
		return j.namespace(h, at, end, scope)
	}
	return at
}

// define records a declaration named by token n.
func (j *jsScan) define(kind Kind, h jsHead, scope jsScope, n, sig, last int) *Found {
	d := j.add(kind, scope.container, j.word(n), h.first, h.at, sig, last)
	if j.tok(n).kind == tString {
		d.Name = j.in.Intern(strings.Trim(j.name(n), "\"'`"))
	}
	d.Exported = h.exported && !scope.local || scope.exported
	d.Local = scope.local
	return d
}

// function reads the function whose keyword is token at. One without a name is
// no declaration, but the function's inside is scanned all the same.
func (j *jsScan) function(h jsHead, at, end int, scope jsScope) int {
	n := at + 1
	if j.ch(n) == '*' {
		n++
	}
	if !j.isIdent(n) {
		return n
	}
	open := n + 1
	if j.ch(open) == '<' {
		open = j.skipAngle(open, end)
	}
	c := j.closing(open)
	if j.ch(open) != '(' || c < 0 {
		return n + 1
	}
	body, typ := j.resultType(c+1, end)
	sig, last := body-1, body-1
	if b := j.closing(body); b >= 0 && j.ch(body) == '{' {
		sig, last = body, b
	}
	d := j.define(KindFunc, h, scope, n, sig, last)
	d.Type = typ
	j.parameters(d, open+1, c)
	if last > body {
		j.statements(body+1, last, jsScope{container: within(scope.container, j.name(n)), local: true})
	}
	return last + 1
}

// parameters reads the list of parameters between two parentheses.
func (j *jsScan) parameters(d *Found, i, end int) {
	least, most, variadic := 0, 0, false
	for i < end {
		for j.ch(i) == '@' {
			i = j.decorators(i, end)
		}
		for i+1 < end && j.isIdent(i) && j.isIdent(i+1) {
			i++ // public, readonly
		}
		if j.pair(i, '.', '.') {
			variadic = true
			i += 3
		}
		name, optional := NameID(0), false
		if j.isIdent(i) {
			name = j.word(i)
		}
		at := i
		i = j.next(i)
		if j.ch(i) == '?' {
			optional = true
			i++
		}
		if j.ch(i) == ':' && i < end {
			i = j.skipType(i+1, end)
		}
		optional = optional || j.ch(i) == '='
		i = min(max(j.skipTo(i, end, ','), at), end) + 1
		if name == kwThis {
			continue
		}
		j.param(d, name)
		most++
		if !optional && !variadic {
			least++
		}
	}
	if variadic {
		most = Variadic
	}
	d.arity(least, most)
}

func (j *jsScan) namespace(h jsHead, at, end int, scope jsScope) int {
	n := at + 1
	name := scope.container
	if j.word(at) != kwGlobal {
		open := j.skipTo(n, min(n+16, end), '{')
		if j.closing(open) < 0 || j.ch(open) != '{' {
			return at
		}
		d := j.define(KindNamespace, h, scope, n, open, j.closing(open))
		if full := strings.Trim(j.text(n, open), "\"'`"); full != "" {
			d.Name = j.in.Intern(full)
			name = within(scope.container, full)
		}
		n = open
	}
	c := j.closing(n)
	if c < 0 {
		return n + 1
	}
	ambient := j.tok(at+1).kind == tString
	j.statements(n+1, c, jsScope{container: name, exported: ambient})
	return c + 1
}

func (j *jsScan) enum(h jsHead, at int, scope jsScope) int {
	open := at + 2
	c := j.closing(open)
	if c < 0 {
		return open
	}
	d := j.define(KindEnum, h, scope, at+1, open, c)
	exported, container := d.Exported, within(scope.container, j.name(at+1))
	for i := open + 1; i < c; {
		next := j.skipTo(i, c, ',')
		if next > i && (j.isIdent(i) || j.tok(i).kind == tString) {
			j.define(KindEnumMember, jsHead{first: i, at: i, exported: exported}, jsScope{container: container}, i, next-1, next-1)
		}
		i = next + 1
	}
	return c + 1
}

// assignment reads a function that is assigned to a property (A.b = function,
// A.prototype.b = ..., exports.b = ...), otherwise it skips one token.
func (j *jsScan) assignment(i, end int, scope jsScope) int {
	if !j.isIdent(i) || j.ch(i+1) != '.' {
		return i + 1
	}
	n := i
	for j.isIdent(n) && j.ch(n+1) == '.' && j.isIdent(n+2) {
		n += 2
	}
	if j.ch(n+1) != '=' || j.pair(n+1, '=', '=') || j.pair(n+1, '=', '>') {
		return n + 1
	}
	object := strings.TrimSuffix(strings.ReplaceAll(j.text(i, n-1), ".prototype", ""), ".")
	if c := j.closing(n + 2); j.name(n) == "prototype" && j.ch(n+2) == '{' && c >= 0 {
		jsMembers{j, object}.object(n+3, c, true)
		return c + 1
	}
	exports := object == "exports" || object == "module.exports"
	if object == "module" && j.name(n) == "exports" {
		j.exportNames(n+2, end)
		if c := j.closing(n + 2); j.ch(n+2) == '{' && c >= 0 {
			jsMembers{j, scope.container}.object(n+3, c, true)
			return c + 1
		}
		return n + 2
	}
	if exports {
		object = scope.container
	}
	f := j.arrow(n+2, end)
	prototype := strings.HasSuffix(j.text(i, n-1), ".prototype")
	if f.open < 0 && !exports && !prototype {
		return n + 2
	}
	last := j.exprEnd(n+2, end)
	literal := j.closing(n + 2)
	h := jsHead{first: i, at: i, exported: exports}
	d := j.define(KindVar, h, jsScope{container: object}, n, n, last-1)
	d.Exported = exports || object != "this"
	j.shapeFunc(d, f, object != scope.container)
	if j.ch(n+2) == '{' && literal >= 0 {
		jsMembers{j, within(object, j.name(n))}.object(n+3, literal, exports)
		return last
	}
	return j.inside(f, last, jsScope{container: within(object, j.name(n)), local: true}, n+2)
}

// exportNames records the names in a module's exports list.
func (j *jsScan) exportNames(i, end int) {
	if j.isIdent(i) {
		j.exports[j.name(i)] = true
	}
	for k, c := i+1, j.closing(i); j.ch(i) == '{' && k < min(c, end); k = j.next(k) {
		if j.isIdent(k) && j.ch(k-1) != ':' {
			j.exports[j.name(k)] = true
		}
	}
}
