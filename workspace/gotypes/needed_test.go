package gotypes

import (
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/deps"
)

// A goroot has the packages of the standard library.
type goroot struct{}

func (goroot) Files(dir string) (out []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if IsFile(e.Name()) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

func (goroot) Read(path string) (string, bool) {
	data, err := os.ReadFile(path)
	return string(data), err == nil
}

func (goroot) Stamp(path string) (Stamp, bool) { return Stamp{Path: path}, true }

func (goroot) Find(_, importPath string) deps.Place {
	for _, at := range []string{importPath, "vendor/" + importPath} {
		dir := filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(at))
		if _, err := os.Stat(dir); err == nil {
			return deps.Place{Status: deps.Found, Dir: dir, Standard: true}
		}
	}
	return deps.Place{Status: deps.Missing}
}

// TestNeeded: what is left of a package has no error, and all that others can see of it.
func TestNeeded(t *testing.T) {
	l := New(goroot{}, Options{Platform: Here()})
	for _, name := range []string{"os", "encoding/json", "go/types", "testing", "math/big", "syscall", "text/template"} {
		dir := goroot{}.Find("", name).Dir
		all, _ := l.siblings(dir, false, false)
		seen := func(asts []*ast.File) string {
			var out strings.Builder
			conf := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: &Importer{loader: l, dir: dir}, Error: func(err error) {
				if !strings.HasSuffix(err.Error(), "body") { // all are left out
					t.Errorf("%s: %v", name, err)
				}
			}}
			pkg, _ := conf.Check(dir, l.Fset, asts, nil)
			for _, n := range pkg.Scope().Names() {
				if obj := pkg.Scope().Lookup(n); obj.Exported() {
					out.WriteString(types.ObjectString(obj, nil) + "\n")
					for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
						out.WriteString("\t" + m.String() + "\n")
					}
				}
			}
			return out.String()
		}
		if want, got := seen(all), seen(Needed(all)); got != want {
			t.Errorf("%s is another package:\n%s", name, got)
		}
	}
}

// TestNeededImports: an import that no declaration needs is not followed, one whose package's
// name may be another is.
func TestNeededImports(t *testing.T) {
	const src = "package p\n\nimport (\n\t\"os\"\n\t\"time\"\n\t\"example.com/go-odd\"\n\tother \"io\"\n\t. \"fmt\"\n)\n\ntype T struct{ at time.Time }\n\nvar hidden = os.Args\n"
	for more, want := range map[string]string{
		"": "time fmt", "var X = hidden\n": "os time fmt", "var X strange.Y\n": "os time example.com/go-odd fmt", "func F(other.Reader) {}\n": "time io fmt",
	} {
		f, err := parse(token.NewFileSet(), "p.go", src+more)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range Needed([]*ast.File{f})[0].Decls {
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
				for _, spec := range gen.Specs {
					got = append(got, strings.Trim(spec.(*ast.ImportSpec).Path.Value, `"`))
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: the imports are %v, want %s", more, got, want)
		}
	}
}
