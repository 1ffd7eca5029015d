package obvious

import (
	"go/ast"
	"go/parser"
	"path/filepath"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A member is a field of a struct, or a method that is called without arguments.
type member struct {
	name, typ string
	method    bool
}

// A declaration is a definition with the index that has it.
type declaration struct {
	index.Def
	ix  *index.Index
	pkg string // of it as the document writes it, "" for its own
}

// A packageAt is where the declarations of a package are.
type packageAt struct {
	ix     *index.Index
	folder string
}

// packageOf is where the package is that the document names pkg, "" for its own. It is
// looked up once.
func (s *world) packageOf(pkg string) (packageAt, bool) {
	if pkg == "" {
		return packageAt{s.corpus.Index(), source.Folder(s.path)}, true
	}
	if at, ok := s.packages[pkg]; ok {
		return at, at.ix != nil
	}
	at := s.findPackage(pkg)
	if s.packages == nil {
		s.packages = map[string]packageAt{}
	}
	s.packages[pkg] = at
	return at, at.ix != nil
}

func (s *world) findPackage(pkg string) packageAt {
	ix := s.corpus.Index()
	from, _ := ix.FileID(s.path)
	for _, im := range ix.Imports(from) {
		if im.Alias != pkg && (im.Alias != "" || source.LastPart(im.Path) != pkg && !strings.HasSuffix(im.Path, pkg)) {
			continue
		}
		if files := index.Resolve(ix, from, im); len(files) > 0 {
			return packageAt{ix, source.Folder(ix.Path(files[0]))}
		}
		if s.installed != nil {
			if other, ok := s.installed.Package(filepath.Join(s.corpus.Root(), filepath.FromSlash(source.Folder(s.path))), im.Path); ok {
				return packageAt{other, ""}
			}
		}
		return packageAt{}
	}
	return packageAt{}
}

// lookup finds the definitions of a name, with or without a package, at the top of that
// package.
func (s *world) lookup(full string) []declaration {
	pkg, name := cutPackage(full)
	at, ok := s.packageOf(pkg)
	if !ok || pkg != "" && !ast.IsExported(name) {
		return nil
	}
	var out []declaration
	for _, id := range at.ix.LookupIDs(name, nil) {
		if d := at.ix.Brief(id); d.Container == "" && !d.Local && at.ix.Language(id.File()) == "go" && source.Folder(at.ix.Path(id.File())) == at.folder {
			out = append(out, declaration{at.ix.Def(id), at.ix, pkg})
		}
	}
	return out
}

// cutPackage separates the package from a name.
func cutPackage(full string) (pkg, name string) {
	if i := strings.LastIndexByte(full, '.'); i >= 0 {
		return full[:i], full[i+1:]
	}
	return "", full
}

// named is a type without what points to it and without type arguments.
func named(typ string) string {
	typ = strings.TrimLeft(typ, "*&")
	if i := strings.IndexByte(typ, '['); i > 0 && !strings.HasPrefix(typ, "map[") {
		typ = typ[:i]
	}
	return typ
}

// underlying is the type that a named type stands for, the type itself if it is not named
// or not declared here.
func (s *code) underlying(typ string) string {
	for range 4 {
		if typ == "" || typ[0] == '*' || strings.ContainsAny(typ, "[({ ") && named(typ) == typ {
			return typ
		}
		if local, ok := s.scope().types[typ]; ok {
			typ = s.text(local)
			continue
		}
		base := ""
		for _, d := range s.lookup(named(typ)) {
			if d.Kind == language.KindType || d.Kind == language.KindEnum {
				base = s.seen(d, d.Type)
			}
		}
		if base == "" {
			return typ
		}
		typ = base
	}
	return typ
}

// members are the fields of a struct type, in order; ok is false if it is not declared
// here.
func (s *code) members(typ string) (out []member, ok bool) {
	typ = s.underlying(strings.TrimLeft(typ, "*&"))
	if strings.HasPrefix(typ, "struct{") || strings.HasPrefix(typ, "struct {") {
		return structMembers(typ)
	}
	pkg, name := cutPackage(named(typ))
	for _, d := range s.lookup(named(typ)) {
		if d.Kind != language.KindStruct {
			continue
		}
		for _, f := range d.ix.Defs(d.File) {
			if f.Kind == language.KindField && f.Container == name && !f.Local && f.StartLine >= d.StartLine && f.EndLine <= d.EndLine && (pkg == "" || f.Exported) && f.Name != "_" {
				out = append(out, member{name: f.Name, typ: s.seen(d, f.Type)})
			}
		}
		return out, true
	}
	return nil, false
}

// structMembers are the fields of a struct type as written.
func structMembers(typ string) (out []member, ok bool) {
	e, err := parser.ParseExpr(typ)
	if err != nil {
		return nil, false
	}
	st, ok := e.(*ast.StructType)
	if !ok {
		return nil, false
	}
	for _, f := range st.Fields.List {
		text := typ[f.Type.Pos()-1 : f.Type.End()-1]
		for _, n := range f.Names {
			out = append(out, member{name: n.Name, typ: text})
		}
		if len(f.Names) == 0 {
			_, name := cutPackage(named(text))
			out = append(out, member{name: name, typ: text})
		}
	}
	return out, true
}

// maxMethods bounds the methods of one type that are looked at.
const maxMethods = 200

// methods are the methods of a type that take no arguments and return one value.
func (s *world) methods(typ string) []member {
	var out []member
	for _, d := range s.methodsOf(typ) {
		if results := results(d.Type); len(results) == 1 && d.MaxParams == 0 {
			out = append(out, member{name: d.Name, typ: s.seen(d, results[0]), method: true})
		}
	}
	return out
}

// methodsOf are the methods of a type that the document can call.
func (s *world) methodsOf(typ string) []declaration {
	pkg, name := cutPackage(named(typ))
	at, ok := s.packageOf(pkg)
	if !ok || name == "" {
		return nil
	}
	var out []declaration
	for _, id := range at.ix.MemberIDs(name, nil) {
		d := at.ix.Brief(id)
		if d.Kind == language.KindMethod && (pkg == "" || d.Exported) && d.Container == name && source.Folder(at.ix.Path(id.File())) == at.folder {
			if out = append(out, declaration{at.ix.Def(id), at.ix, pkg}); len(out) == maxMethods {
				break
			}
		}
	}
	return out
}

// memberType is the type of a field or the results of a method of a type.
func (s *code) memberType(typ, name string) string {
	fields, _ := s.members(typ)
	for _, f := range fields {
		if f.name == name {
			return f.typ
		}
	}
	for _, d := range s.methodsOf(typ) {
		if d.Name == name {
			return "func() " + s.seen(d, d.Type)
		}
	}
	return ""
}

// results are the types of the results that a function is declared with.
func results(declared string) []string {
	if !strings.HasPrefix(declared, "(") {
		if declared == "" {
			return nil
		}
		return []string{declared}
	}
	src := "func" + "() " + declared
	e, err := parser.ParseExpr(src)
	if err != nil {
		return nil
	}
	fn, ok := e.(*ast.FuncType)
	if !ok {
		return nil
	}
	var out []string
	for _, r := range flatten(fn.Results) {
		out = append(out, src[r.typ.Pos()-1:r.typ.End()-1])
	}
	return out
}

// seen is a type that a definition is declared with as the document writes it.
func (s *world) seen(d declaration, typ string) string {
	if typ == "" || d.pkg == "" {
		return typ
	}
	own := s.ownPackage()
	var b strings.Builder
	for i := 0; i < len(typ); {
		if !source.IsWordByte(typ[i]) {
			b.WriteByte(typ[i])
			i++
			continue
		}
		n := source.WordEnd(typ[i:])
		word, rest := typ[i:i+n], typ[i+n:]
		i += n
		switch {
		case word == own && strings.HasPrefix(rest, "."):
			i++ // the document is in that package
		case ast.IsExported(word) && !strings.HasSuffix(b.String(), "."):
			b.WriteString(d.pkg + "." + word)
		default:
			b.WriteString(word)
		}
	}
	return b.String()
}

// ownPackage is the package that the document declares.
func (s *world) ownPackage() string {
	if i := strings.Index("\n"+s.before, "\npackage "); i >= 0 {
		name, _, _ := strings.Cut(s.before[i+len("package "):], "\n")
		return strings.TrimSpace(name)
	}
	id, _ := s.corpus.Index().FileID(s.path)
	f, _ := s.corpus.Index().File(id)
	return f.Package
}
