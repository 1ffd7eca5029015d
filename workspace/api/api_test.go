package api

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/workspace/disk"
	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/run"
	"tandem/workspace/window"
)

var _ window.Dependencies = (*Library)(nil)

const source = `package shape

// Circle is round.
type Circle struct {
	Radius float64
}

// Area is the area.
func (c Circle) Area() float64 { return 0 }

func hidden() {}

// New makes one.
func New(radius float64) Circle { return Circle{radius} }
`

func newLibrary(t *testing.T) (*Library, string) {
	dir := t.TempDir()
	for name, text := range map[string]string{"shape.go": source, "shape_test.go": "package shape\nfunc NewTest() {}\n", "notes.md": "# New\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	group := run.NewGroup(context.Background(), nil)
	t.Cleanup(group.Close)
	return New(func(language, root, file string, im language.Import) (Source, bool) {
		return Source{Dir: dir, Name: im.Path, Where: "example.com/shape@v1.2.0"}, im.Path == "example.com/shape/v2" && language == "go"
	}, disk.NewReader(dir), group), dir
}

func TestEntriesAreWhatTheCodeNames(t *testing.T) {
	l, _ := newLibrary(t)
	imports := []language.Import{{Path: "example.com/shape/v2"}, {Path: "fmt"}}
	names := []string{"shape", "Area", "New", "Circle", "hidden", "NewTest"}
	got := l.Entries(context.Background(), "/w", "a.go", "go", imports, names)
	if len(got) != 3 || got[0].Name != "Area" || got[1].Name != "New" || got[2].Name != "Circle" {
		t.Fatalf("entries %+v", got)
	}
	want := window.DependencyEntry{Name: "New", Package: "example.com/shape/v2 (example.com/shape@v1.2.0)", File: "example.com/shape/v2/shape.go", Line: 14,
		Signature: "func New(radius float64) Circle { return Circle{radius} }\n"}
	if got[1] != want {
		t.Errorf("got %+v, want %+v", got[1], want)
	}
}

func TestMembersComeWithTheirTypes(t *testing.T) {
	l, _ := newLibrary(t)
	imports := []language.Import{{Path: "example.com/shape/v2"}}
	l.Entries(context.Background(), "/w", "a.go", "go", imports, []string{"shape"})
	l.group.Wait()
	if got := l.Entries(context.Background(), "/w", "a.go", "go", imports, []string{"shape", "Area"}); len(got) != 0 {
		t.Errorf("a method of a type that nobody names: %+v", got)
	}
}

func TestWarmReadsWhatFilesImport(t *testing.T) {
	l, _ := newLibrary(t)
	l.Warm("/w", index.New(index.Change{Path: "a.go", Text: "package a\n\nimport \"example.com/shape/v2\"\n"}))
	l.group.Wait()
	if len(l.packages) != 1 {
		t.Errorf("%d packages were read", len(l.packages))
	}
}

func TestUnusedImportsAreNotRead(t *testing.T) {
	l, _ := newLibrary(t)
	if got := l.Entries(context.Background(), "/w", "a.go", "go", []language.Import{{Path: "example.com/shape/v2"}}, []string{"New"}); got != nil || len(l.packages) > 0 {
		t.Errorf("entries %+v of %d packages", got, len(l.packages))
	}
}

func TestAClosedGroupReadsNothing(t *testing.T) {
	l, _ := newLibrary(t)
	l.group.Close()
	if got := l.Entries(context.Background(), "/w", "a.go", "go", []language.Import{{Path: "example.com/shape/v2"}}, []string{"shape", "New"}); got != nil {
		t.Errorf("entries %+v", got)
	}
}

func TestCallName(t *testing.T) {
	for _, c := range []struct {
		im   language.Import
		want string
	}{
		{language.Import{Path: "net/http"}, "http"},
		{language.Import{Path: "example.com/shape/v2"}, "shape"},
		{language.Import{Path: "os.path"}, "path"},
		{language.Import{Path: "std::collections"}, "collections"},
		{language.Import{Path: "react", Name: "useState"}, "useState"},
		{language.Import{Path: "numpy", Alias: "np"}, "np"},
		{language.Import{Path: "./util", Name: "*", Alias: "u"}, "u"},
	} {
		if got := callName(c.im); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.im, got, strings.TrimSpace(c.want))
		}
	}
}
