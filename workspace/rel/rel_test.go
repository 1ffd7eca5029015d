package rel

import (
	"path/filepath"
	"testing"
)

func TestOnePathOfASpelling(t *testing.T) {
	for spelling, want := range map[string]string{
		"": "", ".": "", "./": "", "a": "a", "a/": "a", "./a//b/": "a/b", "a/../b": "b", "..a": "..a",
	} {
		if got, ok := Of(spelling); !ok || got.String() != want {
			t.Errorf("%q is %q, %v", spelling, got, ok)
		}
	}
	for _, outside := range []string{"..", "../a", "a/../../b", "/", "/a"} {
		if got, ok := Of(outside); ok {
			t.Errorf("%q is %q, and leads outside", outside, got)
		}
	}
}

func TestBelow(t *testing.T) {
	root := filepath.FromSlash("/w/root")
	for abs, want := range map[string]string{"/w/root": "", "/w/root/a": "a", "/w/root/a/b": "a/b"} {
		got, ok := Below(root, filepath.FromSlash(abs))
		if !ok || got.String() != want {
			t.Errorf("%s is %q, %v", abs, got, ok)
		}
		if back := got.Abs(root); back != filepath.FromSlash(abs) {
			t.Errorf("%s comes back as %s", abs, back)
		}
	}
	for _, outside := range []string{"/w", "/w/rooted", "/w/root/", "/other"} {
		if got, ok := Below(root, filepath.FromSlash(outside)); ok {
			t.Errorf("%s is %q below %s", outside, got, root)
		}
	}
	if got, ok := Below(filepath.FromSlash("/"), filepath.FromSlash("/a/b")); !ok || got.String() != "a/b" {
		t.Errorf("below the system's root: %q, %v", got, ok)
	}
}

func TestTheRootIsAPath(t *testing.T) {
	var root Path
	a := root.Join("a")
	b := a.Join("b")
	if !root.IsRoot() || root.Local() != "." || root.Name() != "" || root.Parent() != root || a.Parent() != root {
		t.Errorf("the root is %q, named %q, in %q; what holds a is %q", root.Local(), root.Name(), root.Parent(), a.Parent())
	}
	if b.String() != "a/b" || b.Name() != "b" || b.Parent() != a || b.Depth() != 1 || a.Depth() != 0 {
		t.Errorf("a/b is %q, named %q, in %q", b, b.Name(), b.Parent())
	}
	ab, _ := Of("ab")
	if !root.Holds(b) || !a.Holds(b) || !b.Holds(b) || b.Holds(a) || a.Holds(ab) || !root.Holds(root) {
		t.Error("a folder holds what lies in it and nothing else")
	}
}
