package names

import (
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"tandem/workspace/cut"
	"tandem/workspace/index"
)

// halfway is a workspace of which not all is read.
type halfway struct {
	Workspace
	unread, large cut.Cut
}

func (h halfway) Unread() cut.Cut    { return h.unread }
func (h halfway) Cut(string) cut.Cut { return cut.Join(h.unread, h.large) }

// TestUnread: what is not read may have, set or import a name, and none is said not to exist. Files
// that are never read stand in the way of what nothing in the workspace is said to have.
func TestUnread(t *testing.T) {
	t.Parallel()
	const there, lack = "", "31,000 of 78,000 files are read"
	large := cut.Left(1, "file of code is too large", "")
	for _, c := range []struct {
		name, files    string
		unread, always string // what is told, and where one file is never read; "" where there is a finding
	}{
		{"module", "-- after/a.py --\nfrom .no import x\n", lack, there},
		{"script", "-- after/a.js --\nimport './no'\n", lack, there},
		{"name of a module", "-- m.py --\ndef f(): pass\n-- after/a.py --\nimport m\nm.stray()\n", lack, there},
		{"method", "-- package.json --\n{}\n-- node_modules/.package-lock.json --\n{}\n-- after/a.ts --\nexport function f(x: any) { return x.nobodyHasThis() }\n", lack, "1 file of code"},
	} {
		for _, at := range []struct {
			ws   halfway
			want string
		}{{halfway{}, there}, {halfway{unread: cut.Because(lack)}, c.unread}, {halfway{large: large}, c.always}} {
			x := writeFixture(t, txtar.Parse([]byte(c.files)))
			at.ws.Workspace = x.names.ws
			x.names.ws = at.ws
			found, unknown := x.names.Check(x.files)
			if (len(found) > 0) != (at.want == there) || !strings.Contains(strings.Join(unknown, "\n"), at.want) {
				t.Errorf("%s, unread %q, large %q: %s\n%s", c.name, at.ws.unread, at.ws.large, describe(x.files, found), strings.Join(unknown, "\n"))
			}
		}
	}
}

// TestMoreUsersThanAreRead: a name is not judged where more files have it than are read.
func TestMoreUsersThanAreRead(t *testing.T) {
	t.Parallel()
	files := "-- m.py --\ndef f(): pass\n-- after/use.py --\nimport m\nm.stray()\n"
	for i := range 3 {
		files += fmt.Sprintf("-- a%d.py --\ndef g(x): x.stray()\n", i)
	}
	for most, want := range map[int]string{2: "1 more file has stray", 3: ""} {
		x := writeFixture(t, txtar.Parse([]byte(files)))
		x.names.c.dynamic.mostUsers = most
		found, unknown := x.names.Check(x.files)
		if told := strings.Join(unknown, "\n"); (len(found) > 0) != (want == "") || !strings.Contains(told, want) {
			t.Errorf("at most %d: %s\n%s", most, describe(x.files, found), told)
		}
	}
}

// TestImportOfMany: an import that is taken away is missed, however many files have its name: of those
// that are read each imports it.
func TestImportOfMany(t *testing.T) {
	t.Parallel()
	files := "-- package.json --\n{}\n-- lib.ts --\nexport function zed() {}\n-- use.ts --\nimport { zed } from './lib'\nzed()\n-- after/use.ts --\nzed()\n"
	for i := range 3 {
		files += fmt.Sprintf("-- a%d.ts --\nimport { zed } from './lib'\nzed()\n", i)
	}
	x := writeFixture(t, txtar.Parse([]byte(files)))
	x.names.c.dynamic.mostUsers = 2
	if found, unknown := x.names.Check(x.files); len(found) != 1 || found[0].Name != "zed" {
		t.Errorf("%s\n%s", describe(x.files, found), strings.Join(unknown, "\n"))
	}
}

// folders is a workspace of several folders.
type folders struct {
	Workspace
	all map[string]*index.Index
}

func (f folders) Indexes() iter.Seq2[string, *index.Index] {
	return func(yield func(string, *index.Index) bool) {
		for _, root := range slices.Sorted(maps.Keys(f.all)) {
			if !yield(root, f.all[root]) {
				return
			}
		}
	}
}

// TestOtherFolders: a method or a module that another folder has is not said to be nowhere.
func TestOtherFolders(t *testing.T) {
	t.Parallel()
	for files, other := range map[string]string{
		"-- package.json --\n{}\n-- node_modules/.package-lock.json --\n{}\n-- after/a.ts --\nexport function f(x: any) { return x.nobodyHasThis() }\n": "-- b.ts --\nexport function g(x: any) { x.nobodyHasThis() }\n",
		"-- after/a.py --\nimport commons\n": "-- src/commons/__init__.py --\n",
	} {
		for _, both := range []bool{false, true} {
			x, y := writeFixture(t, txtar.Parse([]byte(files))), writeFixture(t, txtar.Parse([]byte(other)))
			all := map[string]*index.Index{x.root: indexOf(x), y.root: indexOf(y)}
			if !both {
				delete(all, y.root)
			}
			x.names.ws = folders{x.names.ws, all}
			if found, unknown := x.names.Check(x.files); (len(found) == 0) != both {
				t.Errorf("%s, with the other folder %v: %s\n%s", files, both, describe(x.files, found), strings.Join(unknown, "\n"))
			}
		}
	}
}

func indexOf(x *tree) *index.Index {
	ix, _, _ := x.names.ws.Index(filepath.Join(x.root, "a"))
	return ix
}

// TestMoreFindingsThanAreKept: names behind the last finding are not judged, and that is told.
func TestMoreFindingsThanAreKept(t *testing.T) {
	t.Parallel()
	for _, files := range []string{
		"-- m.py --\ndef f(): pass\n-- after/use.py --\nimport m\n" + strings.Repeat("m.stray()\n", 5),
		"-- m.ts --\nexport const f = 1\n-- after/use.ts --\nimport * as m from './m'\n" + strings.Repeat("m.stray()\n", 5),
	} {
		for most, want := range map[int]string{3: "behind its first 3 findings", 5: ""} {
			x := writeFixture(t, txtar.Parse([]byte(files)))
			x.names.c.dynamic.mostFindings = most
			found, unknown := x.names.Check(x.files)
			if told := strings.Join(unknown, "\n"); len(found) != min(most, 5) || (told == "") != (want == "") || !strings.Contains(told, want) {
				t.Errorf("%s, at most %d: %s\n%s", files, most, describe(x.files, found), told)
			}
		}
	}
}

// TestMoreFindingsInGo is TestMoreFindingsThanAreKept of Go.
func TestMoreFindingsInGo(t *testing.T) {
	t.Parallel()
	x := writeFixture(t, txtar.Parse([]byte("-- go.mod --\nmodule m\n-- after/use.go --\npackage m\n\nfunc f() {\n"+strings.Repeat("\tstray()\n", mostFindings+1)+"}\n")))
	if found, unknown := x.names.Check(x.files); len(found) != mostFindings || !strings.Contains(strings.Join(unknown, "\n"), "behind its first 150 findings") {
		t.Errorf("%d findings, not judged: %s", len(found), unknown)
	}
}

// TestLibraryBeyond: a method is not said to be in no library of which not all files were read.
func TestLibraryBeyond(t *testing.T) {
	t.Parallel()
	files := "-- package.json --\n{\"dependencies\":{\"lib\":\"1\"}}\n-- node_modules/lib/package.json --\n{\"name\":\"lib\",\"types\":\"a.d.ts\"}\n-- node_modules/lib/a.d.ts --\nexport declare function one(): any\n" +
		"-- node_modules/lib/b.d.ts --\nexport declare function two(): any\n-- after/a.ts --\nimport { one } from 'lib'\nexport function f(x: any) { return x.nobodyHasThis(one()) }\n"
	for most, want := range map[int]string{1: "1 file of a library is not read", 100: ""} {
		x := writeFixture(t, txtar.Parse([]byte(files)))
		x.names.c.options.Deps.Vocabularies.Most = most
		found, unknown := x.names.Check(x.files)
		if told := strings.Join(unknown, "\n"); (len(found) > 0) != (want == "") || !strings.Contains(told, want) {
			t.Errorf("at most %d: %s\n%s", most, describe(x.files, found), told)
		}
	}
}
