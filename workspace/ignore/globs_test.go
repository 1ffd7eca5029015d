package ignore

import "testing"

// TestGlobs: a pattern matches whole paths and what lies below them, ** any number of
// folders, in any letter case.
func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"a/b/c", "a/b/c", true}, {"a/b/c", "A/b/C", true}, {"A/B", "a/b/c/d", true},
		{"a/b/c", "a/b", false}, {"a/b/c", "a/c", false}, {"a/b/c", "a/x/c", false}, {"b", "a/b", false}, {"a/c", "a/b/c", false},
		{"*", "a/b", true}, {"*/b", "b", false}, {"*.key", "a/x.key", false}, {"a/*.key", "a/x.key", true}, {"a/?", "a/bc", false},
		{"**/b", "b", true}, {"**/b", "x/y/b/z", true}, {"**/b", "x/bb", false}, {"a/**/c", "a/c", true}, {"a/**/c", "a/x/y/c", true}, {"a/**/c", "x/a/c", false},
		{"a/**", "a/b/c", true}, {"a/**", "b/a", false}, {"[", "[", false}, {"", "a", false},
	} {
		if got := (Globs{"other", c.glob}).Match(c.name); (got == c.glob && got != "") != c.want || got != "" && got != c.glob {
			t.Errorf("%q and %q: matched by %q, want %v", c.glob, c.name, got, c.want)
		}
	}
	if got := Globs(nil).Match("a"); got != "" {
		t.Errorf("no pattern matched as %q", got)
	}
}

// TestFolderPatternsWithWildcards: a pattern that ends in a slash ignores folders and no
// file, also where it is the only one of its list.
func TestFolderPatternsWithWildcards(t *testing.T) {
	noUserLists(t)
	m := New(tree(t, map[string]string{".gitignore": "o*t/\n", "other/.gitignore": "x*y\n", "other/a": "", "third/.gitignore": "b*\n!b?d/\n*~\n", "third/a": ""}))
	for _, c := range []struct {
		path    string
		dir     bool
		ignored bool
	}{
		{"out", true, true}, {"out", false, false}, {"outs", true, false}, {"deep/out", true, true}, {"deep/out", false, false},
		{"other/xay", false, true}, {"other/xay", true, true}, {"other/xa", false, false},
		{"third/bad", true, false}, {"third/bad", false, true}, {"third/b~", false, true}, {"third/a~", false, true}, {"third/a", false, false},
	} {
		if got, why := m.Ignored(c.path, c.dir); got != c.ignored {
			t.Errorf("%s, a folder %v: ignored %v (%s)", c.path, c.dir, got, why)
		}
	}
}

// TestStarsAtSlashes: stars end at a slash that is there, and two of them reach over
// slashes only where they are a name of their own.
func TestStarsAtSlashes(t *testing.T) {
	g := glob{pathname: true}
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a*/b", "a/b", true}, {"a*/b", "axx/b", true}, {"a*/b", "ab", false}, {"a*/b", "axb", false}, {"*/b", "xb", false}, {"*/b", "b", false}, {"a/*/b", "a/xb", false},
		{"x**", "xa/b", false}, {"x**", "xab", true}, {"**", "a/b", true}, {"/**", "/a/b", true}, {"x/**", "x/a/b", true}, {"**/b", "b", true}, {"**/b", "a/c/b", true}, {"x**/b", "xa/c/b", false},
		{"*[", "[", false}, {"*[a", "xa", false}, {"*[[:none:]]", "xa", false}, {"[]-a]", "]", true}, {"*[!a]", "xa", false}, {"*[!a]", "xb", true},
	} {
		if got := g.matches(c.pattern, c.text); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.text, got)
		}
	}
	for name, want := range map[string]bool{".pem": true, "a.pem": true, "pem": false, ".pem.": true, "pem.": false, ".": false, "": false} {
		if got, _ := deniedFile(name); got != want {
			t.Errorf("%q is denied: %v", name, got)
		}
	}
}
