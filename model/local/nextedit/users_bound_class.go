package nextedit

import (
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// addFamily adds a class, those that extend it, those that it has the method from, and the
// objects that are of it.
func (b *bound) addFamily(class index.Def) {
	if b.family[class.Name][class.File] || len(b.family) > maxFamily {
		return
	}
	b.join(class.Name, class.File)
	for _, base := range bases(headOf(class)) {
		if b.ix.Language(class.File) == "python" {
			break // where a method may differ from the one that it overrides
		}
		if d, ok, _ := b.declared(class.File, base); ok && isType(d.Kind) {
			if _, has := b.member(d, b.def.Name); has {
				b.addFamily(d)
			}
		}
	}
	for _, name := range append([]string{class.Name}, b.aliases(class)...) {
		for _, id := range b.ix.Users(name) {
			for _, d := range b.ix.Defs(id) {
				if d.Local || d.ID == class.ID || !slices.Contains(bases(headOf(d)), name) {
					continue
				}
				object := d.Kind == language.KindVar || d.Kind == language.KindConst
				if !object && !isType(d.Kind) || object && len(bases(d.Type)) != 1 || d.Kind == language.KindType && !b.hasMembers(d) {
					continue
				}
				if o, ok, _ := b.declared(id, name); ok && o.Name == class.Name && o.File == class.File {
					b.addFamily(d)
				}
			}
		}
	}
}

// headOf is what a definition extends: its type without its own members.
func headOf(d index.Def) string {
	if d.Kind == language.KindType {
		text, _, _ := strings.Cut(d.Type, "{")
		return text
	}
	return d.Type
}

// aliases are the other names that a class is exported as by its file.
func (b *bound) aliases(class index.Def) (out []string) {
	if f := b.file(class.File); f != nil {
		for alias, name := range f.renames {
			if name == class.Name && alias != name {
				out = append(out, alias)
			}
		}
	}
	slices.Sort(out)
	return out
}

// owner is the class, or the object, that has the method.
func (b *bound) owner() (out index.Def, ok bool) {
	for _, d := range b.ix.Defs(b.def.File) {
		if d.Name == b.def.Owner() && !d.Local && (!ok || isType(d.Kind)) {
			out, ok = d, true
		}
	}
	return out, ok
}

// receives reports whether a member of the definition's name, behind a dot, is it.
func (f *boundFile) receives(i int) bool {
	if t := f.text(i - 2); (t == "this" || t == "self" || t == "cls") && !f.dotted(i-2) {
		return f.insideFamily(f.line(i))
	}
	return f.has(f.receiver(i).typ, f.alone && distinctive(f.def.Name))
}

// has reports whether a type has the definition; unknown is the answer where nothing shows
// what the type is.
func (f *boundFile) has(t typ, unknown bool) bool {
	classes, known := f.classesOf(t)
	if !known {
		return unknown
	}
	return len(classes) > 0 && !slices.ContainsFunc(classes, func(d index.Def) bool { return !f.inFamily(d) })
}

// distinctive reports whether a name has several words, which those of libraries that the
// workspace does not show have seldom in common with it.
func distinctive(name string) bool {
	name = strings.Trim(name, "_#")
	return strings.Contains(name, "_") || strings.ToLower(name[min(1, len(name)):]) != name[min(1, len(name)):]
}

// insideFamily reports whether a line is in a class that has the method.
func (f *boundFile) insideFamily(line int) bool {
	for _, d := range f.ix.Enclosing(f.id, line) {
		if d.Kind == language.KindClass || d.Kind == language.KindInterface {
			return f.family[d.Name][f.id]
		}
	}
	return false
}
