package nextedit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
)

// adapted returns the edits that keep the type of a Go function where it is used as a value:
// a function literal with the old signature that calls the function with the new one, and
// the imports which its types need and that were not added before. There are none where
// the new arguments, or the names of the types there, are not known.
func (f *follower) adapted(d signatureChange, at Place, added map[string]bool) []NextEdit {
	src, ok := f.corpus.Text(at.Path)
	own, imports := goDeclaration(d.past.texts[d.path], d.was.Name)
	if !ok || own == nil || d.was.Container != "" || own.Type.TypeParams != nil {
		return nil
	}
	here, err := parser.ParseFile(token.NewFileSet(), at.Path, src, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	name, from := d.def.Name, at.Span.Start
	prefix := ""
	if path.Dir(at.Path) != path.Dir(d.path) {
		prefix = identBefore(src, from)
		if prefix == "" {
			return nil
		}
		from -= len(prefix) + 1
		name = prefix + "." + name
	}
	q := qualifier{imports: imports, here: importNames(here), own: prefix}
	if n := len(here.Imports); n > 0 {
		q.last, q.before = int(here.Imports[n-1].End())-int(here.FileStart), "\nimport "
		if decl, ok := here.Decls[len(here.Decls)-1].(*ast.GenDecl); ok && decl.Lparen.IsValid() {
			q.before = "\n\t"
		}
	}
	var params, args []string
	for i, field := range flatFields(own.Type.Params) {
		typ, ok := q.text(field.Type)
		if _, variadic := field.Type.(*ast.Ellipsis); !ok || variadic {
			return nil
		}
		arg := fmt.Sprintf("arg%d", i+1)
		if len(field.Names) == 1 && field.Names[0].Name != "_" && field.Names[0].Name != prefix {
			arg = field.Names[0].Name
		}
		args = append(args, arg)
		params = append(params, arg+" "+typ)
	}
	called, ok := d.arguments(args)
	if !ok {
		return nil
	}
	for i, arg := range args { // one that is not passed on has no name
		if d.order == nil && !d.retyped && d.added == "" && i == d.at {
			params[i] = "_" + strings.TrimPrefix(params[i], arg)
		}
	}
	result, body := "", name+"("+strings.Join(called, ", ")+")"
	if results := flatFields(own.Type.Results); len(results) > 0 {
		var list []string
		for _, field := range results {
			typ, ok := q.text(field.Type)
			if !ok {
				return nil
			}
			list = append(list, typ)
		}
		result = strings.Join(list, ", ")
		if len(list) > 1 {
			result = "(" + result + ")"
		}
		result, body = result+" ", "return "+body
	}
	change := d.change()
	title := d.def.Name + ": used as a value"
	var out []NextEdit
	for _, imported := range q.missing {
		if key := at.Path + "\x00" + imported; !added[key] {
			added[key] = true
			out = append(out, NextEdit{Path: at.Path, Edit: edits.Edit{Span: edits.Span{Start: q.last, End: q.last}, New: q.before + strconv.Quote(imported)}, Title: title, Reason: d.reason(), Change: change})
		}
	}
	return append(out, NextEdit{Path: at.Path, Edit: edits.Edit{Span: edits.Span{Start: from, End: at.Span.End}, New: "func(" + strings.Join(params, ", ") + ") " + result + "{ " + body + " }"},
		Title: title, Reason: d.reason(), Change: change})
}

// joinedInsertions joins what several edits insert at one place: the imports of a file.
func joinedInsertions(list []NextEdit) (out []NextEdit) {
	for _, n := range list {
		i := slices.IndexFunc(out, func(o NextEdit) bool {
			return n.Edit.Len() == 0 && o.Edit.Len() == 0 && o.Path == n.Path && o.Edit.Start == n.Edit.Start
		})
		if i >= 0 {
			out[i].Edit.New += n.Edit.New
		} else {
			out = append(out, n)
		}
	}
	return out
}

// arguments are the new arguments of a call that had some.
func (d signatureChange) arguments(args []string) ([]string, bool) {
	out := append([]string(nil), args...)
	switch {
	case d.order != nil && len(d.order) == len(args):
		for i, from := range d.order {
			out[i] = args[from]
		}
		return out, true
	case d.retyped && d.convert != "" && d.at < len(args):
		out[d.at] = d.convert + "(" + args[d.at] + ")"
		return out, true
	case d.order != nil || d.retyped || d.at < 0 || d.at > len(args):
		return nil, false
	case d.added != "" && d.zero != "":
		return append(out[:d.at], append([]string{d.zero}, args[d.at:]...)...), true
	case d.added == "" && d.at < len(args):
		return append(out[:d.at], args[d.at+1:]...), true
	}
	return nil, false
}

// goDeclaration is a function of a Go file, nil if there is none, and the names of the
// file's imports.
func goDeclaration(src, name string) (*ast.FuncDecl, map[string]string) {
	file, _ := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution)
	if file == nil {
		return nil, nil
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == name && f.Recv == nil {
			byName := map[string]string{}
			for imported, name := range importNames(file) {
				byName[name] = imported
			}
			return f, byName
		}
	}
	return nil, nil
}

// importNames are the names of a file's imports, by path: those without an own one are
// taken to be called as the path ends.
func importNames(file *ast.File) map[string]string {
	out := map[string]string{}
	for _, im := range file.Imports {
		imported, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			continue
		}
		out[imported] = path.Base(imported)
		if im.Name != nil {
			out[imported] = im.Name.Name
		}
	}
	return out
}

// flatFields are the parameters or results of a function, one name each.
func flatFields(list *ast.FieldList) (out []*ast.Field) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		if len(field.Names) == 0 {
			out = append(out, field)
		}
		for _, name := range field.Names {
			out = append(out, &ast.Field{Names: []*ast.Ident{name}, Type: field.Type})
		}
	}
	return out
}

// A qualifier writes the types of one file for another one.
type qualifier struct {
	imports map[string]string // name -> path, in the file of the type
	here    map[string]string // path -> name, where it is written
	own     string            // how the package of the type is called there; "" the same package
	last    int               // where the last import there ends; 0 none
	before  string            // what comes before one more there
	missing []string          // paths that have to be imported there
}

// name is how a package is called where the type is written, "" if it cannot be.
func (q *qualifier) name(pkg string) string {
	imported := q.imports[pkg]
	if name := q.here[imported]; name != "" || imported == "" {
		return name
	}
	for _, taken := range q.here {
		if taken == pkg {
			return ""
		}
	}
	if q.last == 0 || path.Base(imported) != pkg {
		return ""
	}
	if !slices.Contains(q.missing, imported) {
		q.missing = append(q.missing, imported)
	}
	return pkg
}

// text is a type as the other file has to write it; false if it cannot.
func (q *qualifier) text(t ast.Expr) (string, bool) {
	ok := true
	var b strings.Builder
	written := rewritten(t, func(name *ast.Ident, pkg string) ast.Expr {
		switch {
		case pkg != "":
			other := q.name(pkg)
			ok = ok && other != "" && other != "_" && other != "."
			return &ast.SelectorExpr{X: ast.NewIdent(other), Sel: ast.NewIdent(name.Name)}
		case q.own == "" || types.Universe.Lookup(name.Name) != nil:
			return name
		}
		ok = ok && name.IsExported()
		return &ast.SelectorExpr{X: ast.NewIdent(q.own), Sel: ast.NewIdent(name.Name)}
	})
	if written == nil || !ok || printer.Fprint(&b, token.NewFileSet(), written) != nil {
		return "", false
	}
	return b.String(), true
}

// rewritten is a type with other names; nil for a type that has more parts than names.
func rewritten(t ast.Expr, name func(name *ast.Ident, pkg string) ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *ast.Ident:
		return name(t, "")
	case *ast.SelectorExpr:
		if pkg, ok := t.X.(*ast.Ident); ok {
			return name(t.Sel, pkg.Name)
		}
	case *ast.StarExpr:
		if x := rewritten(t.X, name); x != nil {
			return &ast.StarExpr{X: x}
		}
	case *ast.ArrayType:
		if x := rewritten(t.Elt, name); x != nil && t.Len == nil {
			return &ast.ArrayType{Elt: x}
		}
	case *ast.MapType:
		if k, v := rewritten(t.Key, name), rewritten(t.Value, name); k != nil && v != nil {
			return &ast.MapType{Key: k, Value: v}
		}
	case *ast.ChanType:
		if x := rewritten(t.Value, name); x != nil {
			return &ast.ChanType{Dir: t.Dir, Value: x}
		}
	}
	return nil
}

// identBefore is the name before a dot that ends at an offset, "" if there is none.
func identBefore(src string, at int) string {
	if at == 0 || src[at-1] != '.' {
		return ""
	}
	from := at - 1
	for from > 0 && (src[from-1] == '_' || src[from-1] >= '0' && src[from-1] <= '9' || src[from-1]|0x20 >= 'a' && src[from-1]|0x20 <= 'z') {
		from--
	}
	return src[from : at-1]
}
