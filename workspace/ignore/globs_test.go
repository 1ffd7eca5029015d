package ignore

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

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
		if got, why := m.Ignored(at(c.path), c.dir); got != c.ignored {
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
		{"a?c", "abc", true}, {"a?c", "a/c", false}, {"a[!x]c", "abc", true}, {"a[!x]c", "a/c", false}, {"[[:]", "[", true}, {"[[:]", ":", true}, {"[[:]", "a", false}, {"[[:x]", "x", true}, {"[[:x]", "[", true}, {"[[:x]", "y", false},
		{"[a-c]", "b", true}, {"[a-]", "-", true}, {"[a-]", "b", false},
	} {
		if got := g.matches(c.pattern, c.text); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.text, got)
		}
	}
	for name, want := range map[string]bool{"ID_RSA": true, "id_rsa": true, "A.PEM": true, "Z.PFX": true, ".pem": true, "a.pem": true, "pem": false, ".pem.": true, "pem.": false, ".": false, "": false} {
		if got, _ := deniedFile(name); got != want {
			t.Errorf("%q is denied: %v", name, got)
		}
	}
}

// TestBuiltInRules: what a folder's own rules hide, and what of it they hide in installed code.
func TestBuiltInRules(t *testing.T) {
	noUserLists(t)
	m := New(t.TempDir())
	for _, c := range []struct {
		name            string
		dir             bool
		own, dependency bool // hidden
	}{{"node_modules", true, true, false}, {".aws", true, true, true}, {".npmrc", false, true, true}, {"a.min.js", false, true, false}, {"src", true, false, false}, {"a.go", false, false, false}} {
		own, _ := m.Ignored(at(c.name), c.dir)
		dependency, _ := m.installedCode().Ignored(at(c.name), c.dir)
		if own != c.own || dependency != c.dependency {
			t.Errorf("%s is hidden %v, in installed code %v", c.name, own, dependency)
		}
	}
	if !(glob{}).matches("a?c", "a/c") || (glob{}).matches("a?c", "ac") {
		t.Error("without folders a slash is a letter like others")
	}
}

// TestListsOfTheUser: the configuration files of git outside repositories, by what the
// environment names.
func TestListsOfTheUser(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	set := func(name, value string) {
		t.Setenv(name, value) // so that it is restored
		if value == "unset" {
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	own, more := filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config")
	for _, c := range []struct {
		global, system, no, xdg string
		want                    []string
	}{
		{"unset", "unset", "unset", "unset", []string{own, more, "/etc/gitconfig"}},
		{"/g", "unset", "0", "unset", []string{"/g", "/etc/gitconfig"}},
		{"unset", "/s", "false", "/x", []string{own, filepath.Join("/x", "git", "config"), "/s"}},
		{"/g", "/s", "1", "unset", []string{"/g"}},
	} {
		set("GIT_CONFIG_GLOBAL", c.global)
		set("GIT_CONFIG_SYSTEM", c.system)
		set("GIT_CONFIG_NOSYSTEM", c.no)
		set("XDG_CONFIG_HOME", c.xdg)
		if got := userConfigs(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
