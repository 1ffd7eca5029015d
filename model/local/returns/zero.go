package returns

import (
	"go/ast"
	"strings"

	"tandem/model/local/source"
	"tandem/workspace/index"
	"tandem/workspace/language"
)

// A result is one result of a function.
type result struct {
	name string // "" if it has none
	typ  ast.Expr
}

func flatten(list *ast.FieldList) []result {
	var out []result
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			out = append(out, result{n.Name, f.Type})
		}
		if len(f.Names) == 0 {
			out = append(out, result{"", f.Type})
		}
	}
	return out
}

var basic = map[string]string{"string": `""`, "bool": "false", "error": "nil", "any": "nil", "int": "0", "int8": "0", "int16": "0", "int32": "0", "int64": "0",
	"uint": "0", "uint8": "0", "uint16": "0", "uint32": "0", "uint64": "0", "uintptr": "0", "byte": "0", "rune": "0", "float32": "0", "float64": "0",
	"complex64": "0", "complex128": "0"}

// library holds the zero values of often returned types that are no structs.
var library = map[string]string{"time.Duration": "0", "time.Month": "0", "context.Context": "nil", "net.IP": "nil", "net.Conn": "nil", "net.Listener": "nil", "net.Addr": "nil",
	"http.Handler": "nil", "http.HandlerFunc": "nil", "http.RoundTripper": "nil", "http.Header": "nil", "url.Values": "nil", "json.RawMessage": "nil", "reflect.Type": "nil",
	"fs.FS": "nil", "fs.File": "nil", "fs.FileInfo": "nil", "os.FileInfo": "nil", "fs.FileMode": "0", "os.FileMode": "0", "hash.Hash": "nil", "crypto.PublicKey": "nil",
	"crypto.PrivateKey": "nil", "crypto.Signer": "nil", "iter.Seq": "nil", "iter.Seq2": "nil", "slog.Handler": "nil", "driver.Value": "nil"}

// zero is the value that a result has when nothing else is returned.
func (s *site) zero(r result) string {
	switch t := r.typ.(type) {
	case *ast.StarExpr, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType:
		return "nil"
	case *ast.ArrayType:
		if t.Len == nil {
			return "nil"
		}
	case *ast.Ident:
		if v, ok := basic[t.Name]; ok {
			return v
		}
		return s.zeroNamed(r, "", t.Name)
	case *ast.SelectorExpr:
		if v, ok := library[s.text(t)]; ok {
			return v
		}
		if s.text(t.X) == "io" {
			return "nil"
		}
		return s.zeroNamed(r, s.text(t.X), t.Sel.Name)
	}
	return s.text(r.typ) + "{}"
}

// zeroNamed is the zero value of a named type, as it is declared in its package.
func (s *site) zeroNamed(r result, pkg, name string) string {
	ix := s.corpus.Index()
	if folder, ok := s.folder(pkg); ok {
		for _, id := range ix.LookupIDs(name) {
			d := ix.Brief(id)
			if d.Container != "" || d.Local || ix.Language(id.File()) != "go" || source.Folder(ix.Path(id.File())) != folder {
				continue
			}
			if v, known := zeroOf(ix, ix.Def(id)); known {
				return v
			}
		}
	}
	if r.name != "" && r.name != "_" {
		return r.name
	}
	if strings.HasSuffix(name, "er") || strings.HasSuffix(name, "Interface") {
		return "nil" // the usual names of interfaces, whose declaration is not here
	}
	return s.text(r.typ) + "{}"
}

// folder is the folder of the workspace's package that the document names pkg, "" for its
// own.
func (s *site) folder(pkg string) (string, bool) {
	if pkg == "" {
		return source.Folder(s.path), true
	}
	ix := s.corpus.Index()
	from, _ := ix.FileID(s.path)
	for _, im := range ix.Imports(from) {
		if im.Alias != pkg && (im.Alias != "" || source.LastPart(im.Path) != pkg && !strings.HasSuffix(im.Path, pkg)) {
			continue
		}
		if files := index.Resolve(ix, from, im); len(files) > 0 {
			return source.Folder(ix.Path(files[0])), true
		}
	}
	return "", false
}

// zeroOf is the zero value of a declared type that is no struct.
func zeroOf(ix *index.Index, d index.Def) (string, bool) {
	switch d.Kind {
	case language.KindInterface:
		return "nil", true
	case language.KindType, language.KindEnum:
	default:
		return "", false
	}
	base := strings.TrimSpace(d.Type)
	if base == "" {
		_, base, _ = strings.Cut(ix.SigText(d.ID), d.Name)
		base = strings.TrimSpace(strings.TrimLeft(base, " ="))
	}
	for _, open := range []string{"[]", "map[", "func(", "chan ", "<-chan", "*", "interface"} {
		if strings.HasPrefix(base, open) {
			return "nil", true
		}
	}
	word, _, _ := strings.Cut(base, " ")
	word, _, _ = strings.Cut(word, "\n")
	v, ok := basic[word]
	return v, ok
}
