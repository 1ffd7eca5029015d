package index

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tandem/workspace/rel"
)

// TestReadersKeepTheIndexAlive: the memory of an index is given back when the index is garbage,
// and a function that has the address of a column does not keep it. So all that the package
// offers says that it does.
func TestReadersKeepTheIndexAlive(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !takesIndex(f) {
				continue
			}
			seen++
			if body := string(text[f.Body.Pos()-1 : f.Body.End()-1]); !strings.Contains(body, "defer runtime.KeepAlive(ix)") {
				t.Errorf("%s: %s does not begin with defer runtime.KeepAlive(ix)", name, f.Name.Name)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d functions found", seen)
	}
}

// takesIndex reports whether a function is a method of *Index, or has one as its first parameter.
func takesIndex(f *ast.FuncDecl) bool {
	fields := f.Type.Params.List
	if f.Recv != nil {
		fields = f.Recv.List
	}
	if len(fields) == 0 {
		return false
	}
	star, ok := fields[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := star.X.(*ast.Ident)
	return ok && name.Name == "Index"
}

// TestReplacedIndexesAreRead reads indexes while others replace them and their memory is given
// back: what was read stays as it was.
func TestReplacedIndexesAreRead(t *testing.T) {
	keep := filepath.Join(t.TempDir(), "index")
	var changes []Change
	for i := range 300 {
		changes = append(changes, Change{Path: rel.Must(fmt.Sprintf("d/f%03d.go", i)), ModTime: time.Unix(1, 0),
			Text: fmt.Sprintf("package d\n\nimport \"fmt\"\n\ntype T%03d struct{}\n\nfunc (t *T%03d) M%03d(a, b int) error { return fmt.Errorf(\"x\") }\n", i, i, i)})
	}
	first, err := New(changes...).Save(keep)
	if err != nil {
		t.Fatal(err)
	}
	latest := make(chan *Index, 1)
	latest <- first
	first = nil
	var all sync.WaitGroup
	var later [4][]func() // comparisons of what each reader has read
	for reader := range 4 {
		all.Go(func() {
			for i := range 200 {
				ix := <-latest
				latest <- ix
				name := fmt.Sprintf("M%03d", (i*7+reader)%300)
				defs := ix.Lookup(name)
				path, lang := ix.Path(defs[0].File), ix.Language(defs[0].File)
				sig, imports, near := ix.SigText(defs[0].ID), ix.Imports(defs[0].File), Prefix(ix, name, 1)
				want := fmt.Sprintf("%s T%s [a b] d/f%s.go go true fmt [%s]", name, name[1:], name[1:], name)
				later[reader] = append(later[reader], func() {
					got := fmt.Sprintln(defs[0].Name, defs[0].Container, defs[0].Params, path, lang, strings.Contains(sig, name), imports[0].Path, near)
					if strings.TrimSpace(got) != want {
						t.Errorf("%s, want %s", got, want)
					}
				})
			}
		})
	}
	all.Go(func() {
		for range 60 {
			old := <-latest
			next, err := old.Save(keep)
			if err != nil {
				t.Error(err)
				next = old
			}
			latest <- next
			runtime.GC()
		}
	})
	all.Wait()
	for range 20 { // the cleanups run by themselves
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	for _, check := range slices.Concat(later[:]...) {
		check()
	}
}
