package nextedit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/dynamic"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Lines are lines of a file's current text, where a compiler reports an error.
type Lines struct {
	Path        string
	First, Last int // counted from 1
}

// Broken returns the edits that bring broken lines in line with a definition which the
// user has just renamed, in the lines' order. That a line
// means this definition is the compiler's finding: its name on the line is enough.
func (e *Engine) Broken(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, broken []Lines) []NextEdit {
	recent = recent[max(len(recent)-maxRecent, 0):]
	servers := renamedByServers(c, recent) // and their places, whatever an old error says
	for _, r := range slices.Backward(recent) {
		var found []NextEdit
		if d, ok := redefined(c, r); ok && !servers[d.old+"\x00"+d.def.Name] {
			for _, p := range placesOn(ctx, c, broken, d.def, d.old) {
				found = append(found, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: d.written(p)}, Title: fmt.Sprintf("Rename %s to %s", d.old, d.def.Name), Change: changeOf(d.path, d.def, d.old),
					Reason: fmt.Sprintf("%s is now called %s (%s:%d)", d.old, d.def.Name, d.path, d.def.StartLine)})
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// placesOn are the places of a definition's name on some lines: of a member, those behind its
// object, if there are any.
func placesOn(ctx context.Context, c source.Corpus, lines []Lines, d index.Def, name string) (out []Place) {
	for _, l := range lines {
		src, ok := c.Text(l.Path)
		id, known := c.Index().FileID(l.Path)
		if !ok || !known || ctx.Err() != nil || len(src) > source.MaxFile || !strings.Contains(linesOf(src, l.First, l.Last), name) {
			continue
		}
		f := &usingFile{&finder{corpus: c, ix: c.Index(), def: d}, readCode(c.Index().Language(id), src), id, l.Path}
		member := d.Container != "" && !d.Local
		var members, others []Place
		for _, o := range f.occurrences(name) {
			switch line := f.line(o); {
			case line < l.First || line > l.Last:
			case o.Role == dynamic.Member:
				members = append(members, f.place(o, true))
			case !member && (strings.Contains(f.lang, "script") && o.Role == dynamic.Key || f.another(o)): // of an object: its value is the use
			case !declares(c.Index(), id, line, name):
				others = append(others, f.place(o, true))
			}
		}
		if !member || len(members) == 0 {
			members = append(members, others...)
		}
		for _, p := range members {
			if means(d, src, p) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// declares reports whether a line declares a name, such as for another platform.
func declares(ix *index.Index, id index.FileID, line int, name string) bool {
	return slices.ContainsFunc(ix.Between(id, line, line), func(d index.Def) bool { return d.Name == name && d.StartLine == line })
}

// means reports whether a place can use a definition: a method is not the key of an object,
// nor is a function, and the signature of an overload declares.
func means(d index.Def, src string, p Place) bool {
	before, after := strings.TrimRight(src[:p.Span.Start], " \t\r\n"), strings.TrimLeft(src[p.Span.End:], " \t")
	key := strings.HasPrefix(after, ":") && (strings.HasSuffix(before, "{") || strings.HasSuffix(before, ","))
	switch {
	case strings.HasSuffix(before, " function"), strings.HasSuffix(before, "\nfunction"), before == "function":
		return false
	case d.Kind == language.KindMethod:
		return !key
	}
	return !(d.Kind == language.KindFunc && d.Container == "" && key)
}
