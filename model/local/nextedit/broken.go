package nextedit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/model/local/source"
	"tandem/workspace"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// Lines are lines of a file's current text, where a compiler reports an error.
type Lines struct {
	Path        string
	First, Last int // counted from 1
}

// Broken returns the edits that bring broken lines in line with a definition which the
// user has just renamed or whose parameters changed, in the lines' order. That a line
// means this definition is the compiler's finding: its name on the line is enough.
func (e *Engine) Broken(ctx context.Context, c source.Corpus, recent []workspace.RecentEdit, broken []Lines) []NextEdit {
	recent = recent[max(len(recent)-maxRecent, 0):]
	for i, r := range slices.Backward(recent) {
		var found []NextEdit
		if d, ok := redefined(c, r); ok {
			for _, p := range placesOn(ctx, c, broken, d.def, d.old) {
				found = append(found, NextEdit{Path: p.Path, Edit: edits.Edit{Span: p.Span, New: d.replacement(p)}, Title: fmt.Sprintf("Rename %s to %s", d.old, d.def.Name), Change: changeOf(d.path, d.def, d.old),
					Reason: fmt.Sprintf("%s is now called %s (%s:%d)", d.old, d.def.Name, d.path, d.def.StartLine)})
			}
		} else if d, ok := signatureChangeOf(c, r); ok {
			places := slices.DeleteFunc(placesOn(ctx, c, broken, d.def, d.def.Name), func(p Place) bool { return !p.Call })
			later := recent[i+1:]
			d.zero = d.stated(ctx, c, later)
			left, _ := d.left(c, places, later)
			for _, at := range left {
				src, _ := c.Text(at.Path)
				if edit, ok := d.fit(c.Index(), src, at); ok {
					found = append(found, NextEdit{Path: at.Path, Edit: edit, Title: fmt.Sprintf("%s: its parameters changed", d.def.Name), Reason: d.reason(), Change: d.change()})
				}
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// placesOn are the places of a definition's name on some lines.
func placesOn(ctx context.Context, c source.Corpus, lines []Lines, d index.Def, name string) (out []Place) {
	for _, l := range lines {
		src, ok := c.Text(l.Path)
		if !ok || ctx.Err() != nil || len(src) > source.MaxFile || !strings.Contains(linesOf(src, l.First, l.Last), name) {
			continue
		}
		places := placesIn(l.Path, src, name, func(line int) bool { return line < l.First || line > l.Last })
		if id, ok := c.Index().FileID(l.Path); ok && d.Container != "" && bindsNames[c.Index().Language(id)] {
			places = membersOf(tokensOf(c.Index().Language(id), src), places)
		}
		for _, p := range places {
			behind := strings.HasSuffix(strings.TrimRight(src[:p.Span.Start], " \t\r\n"), ".") // what a line declares is not behind a dot
			if (behind || !declares(c.Index(), p, name)) && means(d, src, p) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// membersOf are the places that name a member, or all of them if none does: a variable of the
// member's name stays, in { name } too.
func membersOf(f *tokenFile, places []Place) []Place {
	var out []Place
	for _, p := range places {
		i, ok := slices.BinarySearchFunc(f.tokens, p.Span.Start, func(t codeToken, at int) int { return t.start - at })
		if !ok || !f.tokens[i].name {
			continue
		}
		p.Shorthand = f.lang != "python" && f.shorthand(i)
		if p.Shorthand || f.dotted(i) || f.key(i) {
			out = append(out, p)
		}
	}
	if out == nil {
		return places
	}
	return out
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
