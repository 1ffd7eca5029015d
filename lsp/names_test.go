package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tandem/model"
	"tandem/workspace"
	"tandem/workspace/judge"
	"tandem/workspace/platformtest"
	"tandem/workspace/syntax"
)

// linked is a folder with a file and a link to it, and its URIs.
func linked(t *testing.T) (dir, own, link string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc old() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	platformtest.Symlink(t, "a.go", filepath.Join(dir, "link.go"))
	return dir, workspace.URIOf(filepath.Join(dir, "a.go")), workspace.URIOf(filepath.Join(dir, "link.go"))
}

// TestOneDocumentByTwoNames: a file that is open by its own name and by a link is one document.
// Its text is that of the newest change, by whichever name, and each name has its own version.
func TestOneDocumentByTwoNames(t *testing.T) {
	dir, own, link := linked(t)
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient(), dir)
	const text = "package a\n\nfunc old() {}\n"
	o.open(link, "go", text)
	o.open(own, "go", text)
	is := func(what, want, name string, version int32) {
		t.Helper()
		o.settled()
		list := o.session.Snapshot().Overlays()
		if len(list) != 1 || list[0].Text.String() != want || list[0].URI != own || list[0].Name != name || list[0].Version != version {
			t.Fatalf("%s: %d documents, %+v", what, len(list), list[0])
		}
	}
	is("opened twice", text, link, 1)
	o.change(link, wireRange{position{0, 8}, position{0, 9}}, "b")
	is("changed by the link", "package b\n\nfunc old() {}\n", link, 2)
	if _, err := o.call("textDocument/hover", object{"textDocument": object{"uri": own}, "position": position{2, 6}}); err == nil || !strings.Contains(err.Error(), "open by two names whose texts differ") {
		t.Errorf("a hover by the name with the older text: %v", err)
	}
	o.change(own, wireRange{position{0, 8}, position{0, 9}}, "b")
	is("changed by its own name too", "package b\n\nfunc old() {}\n", own, 2)
	if _, err := o.call("textDocument/hover", object{"textDocument": object{"uri": link}, "position": position{2, 6}}); err != nil {
		t.Error(err)
	}
	is("asked by the link", "package b\n\nfunc old() {}\n", link, 2)
	o.notify("textDocument/didClose", object{"textDocument": object{"uri": link}})
	is("closed by the link", "package b\n\nfunc old() {}\n", own, 2)
	o.notify("textDocument/didClose", object{"textDocument": object{"uri": own}})
	o.settled()
	if n := len(o.session.Snapshot().Overlays()); n != 0 || len(o.names().byName) != 0 {
		t.Errorf("%d documents are open, %d names are left", n, len(o.names().byName))
	}
}

// TestAnsweredByTheNameInUse: an edit goes to the name by which the client has the document.
func TestAnsweredByTheNameInUse(t *testing.T) {
	dir, _, link := linked(t)
	answer := "a.go\n<<<<<<< SEARCH\nfunc old() {}\n=======\nfunc fresh() {}\n>>>>>>> REPLACE\n"
	o := observe(t, deps(t, &cassette{judge: &judge.Judge{Syntax: syntax.Parsers{}}, answers: map[model.Purpose][]reply{model.Edit: {{text: answer}}}}), nil)
	capabilities := fullClient()
	capabilities["experimental"] = object{}
	o.initialize(capabilities, dir)
	o.open(link, "go", "package a\n\nfunc old() {}\n")
	if _, err := o.command("tandem.edit", nil, object{"uri": link, "instruction": "rename old to fresh"}); err != nil {
		t.Fatal(err)
	}
	if got := o.text(link); !strings.Contains(got, "fresh") {
		t.Errorf("the text is %q", got)
	}
}

// TestHiddenByEitherName: what hides a link hides the document that is open by it.
func TestHiddenByEitherName(t *testing.T) {
	dir, own, link := linked(t)
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("link.go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := observe(t, deps(t, &cassette{}), nil)
	o.initialize(fullClient(), dir)
	o.open(link, "go", "package a\n")
	o.settled()
	if ok, why := o.session.Snapshot().Allowed(own); ok || !strings.Contains(why, "link.go") {
		t.Errorf("allowed %v: %s", ok, why)
	}
}
