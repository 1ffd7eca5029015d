package nextedit

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A Declaration is one whose uses the editor's language servers know.
type Declaration struct {
	Name string     // when they were asked
	Span edits.Span // of its name in the file's current text
	Uses []Place    // in the files' current texts
	// Renamed: a server has said what a rename changes, which are the uses with affixes. Others
	// keep the name: an export may go on with it behind "as".
	Renamed bool
}

// References is what a Corpus may know beside its texts: what the editor's language servers
// answered.
type References interface {
	// Declared returns the declarations whose names are in a part of a file's current text.
	Declared(path string, in edits.Span) []Declaration
}

// declared are the declarations in the lines of an edit that language servers know.
func (f *follower) declared(r workspace.RecentEdit) []Declaration {
	if known, ok := f.corpus.(References); ok && r.Placed {
		return known.Declared(r.Path, r.Place)
	}
	return nil
}

// renamedDeclaration are the places of a declaration that an edit renamed, where language
// servers know them; whatever else has the name is another thing.
func (f *follower) renamedDeclaration(r workspace.RecentEdit) (out offers, known bool) {
	src := currentText(f.corpus, r.Path)
	for _, d := range f.declared(r) {
		now := src[d.Span.Start:d.Span.End]
		if now == d.Name || !isIdentifier(now) || !isIdentifier(d.Name) || edits.IndexWord(r.Old, d.Name, 0) < 0 {
			continue
		}
		to := redefinition{old: d.Name, path: r.Path, def: index.Def{Def: language.Def{Name: now, StartLine: 1 + strings.Count(src[:d.Span.Start], "\n")}}}
		if id, ok := f.corpus.Index().FileID(r.Path); ok {
			for _, def := range f.corpus.Index().Between(id, to.def.StartLine, to.def.StartLine) {
				if def.Name == now && def.StartLine == to.def.StartLine && !def.Local {
					to.def = def
				}
			}
		}
		if file := dynamic.Read(language.OfFile(r.Path), src); file != nil {
			if o, _ := file.At(d.Span.Start); o.Role == dynamic.Key {
				to.def.Container = cmp.Or(to.def.Container, "{")
			}
		}
		uses := slices.DeleteFunc(slices.Clone(d.Uses), func(p Place) bool {
			return p.Path == r.Path && p.Span == d.Span || d.Renamed && p.Affixes == nil
		})
		if id, ok := f.corpus.Index().FileID(r.Path); ok {
			if fn, ok := functionAround(f.corpus.Index(), id, to.def.StartLine); ok && slices.Contains(fn.Params, now) {
				uses = append(uses, f.tags(r.Path, src, fn, d.Name)...)
			}
		}
		out = f.renamed(to, uses)
		for i := range out.edits {
			out.edits[i].Confirmed, out.edits[i].Evidence[byName] = true, 0
		}
		return out, true
	}
	return out, false
}

// renamedByServers are the old and new names of declarations whose uses language servers know.
func renamedByServers(c source.Corpus, recent []workspace.RecentEdit) map[string]bool {
	out := map[string]bool{}
	known, ok := c.(References)
	for _, r := range recent[max(len(recent)-maxRecent, 0):] {
		if !ok || !r.Placed {
			continue
		}
		src := currentText(c, r.Path)
		for _, d := range known.Declared(r.Path, r.Place) {
			out[d.Name+"\x00"+src[d.Span.Start:d.Span.End]] = true
		}
	}
	return out
}

// usesOf are the places that use a function: those that language servers know, else those by
// name and import.
func (f *follower) usesOf(r workspace.RecentEdit, d index.Def) (places []Place, known bool) {
	src := currentText(f.corpus, r.Path)
	for _, known := range f.declared(r) {
		if known.Name == d.Name && src[known.Span.Start:known.Span.End] == d.Name && 1+strings.Count(src[:known.Span.Start], "\n") == d.StartLine {
			return slices.DeleteFunc(slices.Clone(known.Uses), func(p Place) bool { return p.Path == r.Path && p.Span == known.Span }), true
		}
	}
	return f.users(d), false
}

// PlacesIn returns what finds the place of a name that language servers found in a file; false if
// another name is there.
func PlacesIn(path, lang, src string) func(name string, span edits.Span) (Place, bool) {
	file := sync.OnceValue(func() *dynamic.File { return dynamic.Read(lang, src) })
	return func(name string, span edits.Span) (Place, bool) {
		if !span.Valid(len(src)) {
			return Place{}, false
		}
		at := nameIn(src[span.Start:span.End], name)
		span = edits.Span{Start: span.Start + at, End: span.Start + at + len(name)}
		if at < 0 || span.Start > 0 && edits.IsWordByte(src[span.Start-1]) || span.End < len(src) && edits.IsWordByte(src[span.End]) {
			return Place{}, false
		}
		p := Place{Path: path, Span: span, Line: 1 + strings.Count(src[:span.Start], "\n"), Call: calledAt(src[span.End:])}
		if file() != nil {
			o, _ := file().At(span.Start)
			p.Shorthand = o.Shorthand
		}
		return p, true
	}
}

// nameIn is where a name is in what a language server gives as its use, or -1. Some give more
// than the name: quotes, a qualified name, a call with all its arguments.
func nameIn(use, name string) int {
	if i := strings.IndexAny(use, "(<["); i >= 0 {
		use = use[:i]
	}
	at := -1
	for i := edits.IndexWord(use, name, 0); i >= 0; i = edits.IndexWord(use, name, i+len(name)) {
		at = i
	}
	return at
}

// calledAt reports whether the text behind a name calls it, with type arguments maybe.
func calledAt(after string) bool {
	after = strings.TrimLeft(strings.TrimPrefix(after, "!"), " \t")
	after = strings.TrimPrefix(after, "?.")
	after = strings.TrimPrefix(after, "::")
	if open := strings.IndexAny(after[:min(1, len(after))], "<["); open == 0 {
		if end := strings.IndexAny(after, "\n(;"); end > 0 && strings.IndexByte(">]", strings.TrimRight(after[:end], " ")[len(strings.TrimRight(after[:end], " "))-1]) >= 0 {
			after = after[end:]
		}
	}
	return strings.HasPrefix(after, "(")
}

// isIdentifier reports whether a text is one name.
func isIdentifier(s string) bool {
	return s != "" && !source.IsDigit(s[0]) && !strings.ContainsFunc(s, func(c rune) bool { return c < 128 && !source.IsWordByte(byte(c)) })
}

// maxDeclared bounds the names of a line that language servers are asked about.
const maxDeclared = 8

// DeclaredOn returns the places of the names that a line of a file declares, as far as its
// text shows.
func DeclaredOn(c source.Corpus, path string, line int) (out []edits.Span) {
	id, ok := c.Index().FileID(path)
	src, readable := c.Text(path)
	if !ok || !readable || len(src) > source.MaxFile {
		return nil
	}
	names := map[string]bool{}
	for _, d := range c.Index().Between(id, line, line) {
		if d.StartLine == line {
			names[strings.TrimLeft(d.Name, "#")] = true
		}
		for _, p := range d.Params {
			if d.Kind.IsFunc() && d.StartLine <= line && line <= d.SigEndLine {
				names[strings.TrimLeft(p, "*&.")] = true
			}
		}
	}
	from := linesAhead(src, line-1)
	to := from + linesAhead(src[from:], 1)
	tokens, lang := flatten(src[from:to], false), c.Index().Language(id)
	binds := map[int]bool{}
	file := dynamic.Read(lang, src)
	if file != nil {
		for _, span := range file.Declared(edits.Span{Start: from, End: to}) {
			binds[span.Start-from] = true
		}
	}
	for i, t := range tokens {
		if !isName(t) || len(out) == maxDeclared {
			continue
		}
		declares := names[t.text] || binds[t.start] || file == nil && declares1(lang, tokens, i) || attribute(tokens, i)
		if declares && isIdentifier(t.text) {
			out = append(out, edits.Span{Start: from + t.start, End: from + t.end})
			names[t.text] = false
		}
	}
	return out
}

// attribute reports whether a token is the name behind self where a line gives it a value.
func attribute(tokens []flat, i int) bool {
	return i == 2 && tokens[0].text == "self" && tokens[1].text == "." && i+1 < len(tokens) && (tokens[3].text == "=" || tokens[3].text == ":")
}
