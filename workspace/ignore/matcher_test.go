package ignore

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tandem/workspace/platformtest"
	"tandem/workspace/rel"
)

// tree writes files (path -> content) to a new folder.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// noUserLists keeps the machine's own git configuration out of a test.
func noUserLists(t testing.TB) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
}

// at is the path of a spelling.
func at(spelling string) rel.Path {
	out, ok := rel.Of(spelling)
	if !ok {
		panic(spelling + " leads outside")
	}
	return out
}

// TestPatterns contains results of git check-ignore --no-index; oracle_test.go
// compares many more with git itself.
func TestPatterns(t *testing.T) {
	noUserLists(t)
	for _, c := range []struct {
		rules  string
		hidden string // separated by spaces; a trailing slash is a folder
		shown  string
	}{
		{"foo", "foo foo/ a/foo foo/x", "foob xfoo"},
		{"/foo", "foo foo/x", "a/foo"},
		{"foo/", "foo/ a/foo/ foo/x", "foo a/foo"},
		{"a/b", "a/b a/b/c", "b x/a/b"},
		{"*.c", "x.c .c a/y.c", "x.cc c"},
		{"*.c\n!k.c", "x.c", "k.c a/k.c"},
		{"d/\n!d/keep", "d/ d/keep", ""},
		{"d/*\n!d/keep", "d/x", "d/ d/keep"},
		{"/*\n!/foo\n/foo/*\n!/foo/bar", "x foo/x", "foo/ foo/bar foo/bar/x"},
		{"a/**/z", "a/z a/b/z a/b/c/z", "z a/zz"},
		{"a/**\\/z", "a/b/z a/b/c/z", "a/z"},
		{"**/z", "z a/z", "az"},
		{"**/**/z", "z a/z a/b/z", "az"},
		{"a/**/**/z", "a/z a/b/z a/b/c/z", "z az"},
		{"a/**", "a/x a/b/x", "a/"},
		{"foo.**.bar", "foo.x.bar foo..bar", "foo.x/y.bar foo.bar"},
		{"a?c", "abc axc", "ac a/c abbc"},
		{"[a-c]x", "ax bx", "dx -x"},
		{"[!a]x", "bx", "ax"},
		{"[-c]x", "-x cx", "bx"},
		{"[a-]x", "ax -x", "bx"},
		{"[a-c-e]x", "ax bx cx -x ex", "dx"},
		{"[]]", "]", "["},
		{"[[:digit:]]", "1", "a"},
		{"[[:nope:]]", "", "n :"},
		{"[a", "", "a [a"},
		{"\\!x", "!x", "x"},
		{"\\#x", "#x", "x"},
		{"# comment\nx", "x", "#"},
		{"x  \ny\\ ", "x y·", "y"},
		{"x\r\ny\r\n", "x y", ""},
		{"\ufeffx", "x", ""},
		{"x\\", "", "x x\\"},
		{"/", "", "a a/"},
		{"", "", "a"},
		{"**", "a a/b", ""},
		{"*/x", "a/x", "x a/b/x"},
	} {
		t.Run(c.rules, func(t *testing.T) {
			m := newMatcher(tree(t, map[string]string{".gitignore": c.rules}), []kind{{name: ".gitignore", git: true}}, false)
			ask := func(names string, want bool) {
				for name := range strings.FieldsSeq(names) {
					name = strings.ReplaceAll(name, "·", " ")
					path, isDir := strings.CutSuffix(name, "/")
					if got, why := m.Ignored(at(path), isDir); got != want {
						t.Errorf("%q: ignored=%v (%s), want %v", name, got, why, want)
					}
				}
			}
			ask(c.hidden, true)
			ask(c.shown, false)
		})
	}
}

// TestClasses compares the classes of characters with those of regular
// expressions. Only space differs: git knows no vertical tab and no form feed.
func TestClasses(t *testing.T) {
	for _, name := range strings.Fields("alnum alpha blank cntrl digit graph lower print punct upper xdigit space") {
		class := regexp.MustCompile("^[[:" + name + ":]]$")
		for c := range byte(0x80) {
			want := class.MatchString(string(rune(c)))
			if name == "space" {
				want = want && c != '\v' && c != '\f'
			}
			if got, known := (glob{}).inClass(name, c); got != want || !known {
				t.Errorf("[:%s:] has %q: %v, want %v", name, c, got, want)
			}
			if name == "upper" {
				want = want || 'a' <= c && c <= 'z'
			}
			if got, _ := (glob{fold: true}).inClass(name, c); got != want {
				t.Errorf("[:%s:] without case has %q: %v, want %v", name, c, got, want)
			}
		}
	}
}

// TestRanges shows which characters are in a range, with and without case.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		low, high, c byte
		plain, fold  bool
	}{
		{'a', 'c', 'a', true, true}, {'a', 'c', 'c', true, true}, {'a', 'c', 'd', false, false}, {'b', 'c', 'a', false, false},
		{'A', 'C', 'a', false, true}, {'A', 'C', 'c', false, true}, {'A', 'C', 'd', false, false}, {'B', 'C', 'a', false, false},
		{'A', 'C', 'B', true, true}, {'!', '/', '-', true, true}, {'!', '/', 'M', false, false}, {'\x01', ' ', '@', false, false},
	} {
		for fold, want := range map[bool]bool{false: c.plain, true: c.fold} {
			var in bytes256
			(glob{fold: fold}).addRange(&in, c.low, c.high)
			if got := in.with(c.c); got != want {
				t.Errorf("%q in %q to %q, without case %v: %v, want %v", c.c, c.low, c.high, fold, got, want)
			}
		}
	}
}

func TestEveryLevel(t *testing.T) {
	noUserLists(t)
	root := tree(t, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/info/exclude": "excluded\n", ".gitignore": "*.log\n",
		"sub/.gitignore": "!keep.log\n", "sub/inner/.git/HEAD": "x", "sub/inner/.gitignore": "own\n",
		"tree/.git": "gitdir: ../.git/worktrees/tree\n", ".git/worktrees/tree/HEAD": "x", ".git/worktrees/tree/commondir": "../..\n", ".git/worktrees/tree/gitdir": "../../../tree/.git\n",
		"module/.git": "gitdir: ../.git/modules/module\n", ".git/modules/module/HEAD": "x", ".git/modules/module/config": "[core]\n\tworktree = ../../../module\n", ".git/modules/module/info/exclude": "theirs\n",
	})
	for _, c := range []struct {
		from, path string
		want       bool
	}{
		{"", "a.log", true}, {"", "sub/a.log", true}, {"", "sub/keep.log", false}, {"", "excluded", true}, {"", "sub/excluded", true},
		{"", "sub/inner/a.log", false}, {"", "sub/inner/own", true}, {"", "sub/inner/excluded", false},
		{"", "tree/excluded", true}, {"", "tree/theirs", false}, {"", "module/theirs", true}, {"", "module/excluded", false},
		{"sub", "a.log", true}, {"sub", "keep.log", false}, {"sub", "excluded", true}, {"tree", "excluded", true},
	} {
		m := newMatcher(filepath.Join(root, c.from), []kind{{name: ".gitignore", git: true}}, false)
		if got, why := m.Ignored(at(c.path), false); got != c.want {
			t.Errorf("from %q: %s ignored=%v (%s), want %v", c.from, c.path, got, why, c.want)
		}
	}
}

// TestLetterCase: git's lists count letter case as the repository around a file says, one in
// a repository as well; lists that are not git's always do.
func TestLetterCase(t *testing.T) {
	noUserLists(t)
	lists := map[string]string{".gitignore": "Build\n", ".tandemignore": "Notes\n"}
	files := map[string]string{".git/HEAD": "x", ".git/config": "[core]\n\tignorecase = true\n",
		"exact/.git/HEAD": "x", "exact/.git/config": "[core]\n\tignorecase = false\n", "free/a": ""}
	for name, text := range lists {
		files[name], files["exact/"+name], files["free/"+name] = text, text, text
	}
	m := New(tree(t, files))
	for path, want := range map[string]bool{
		"Build": true, "build": true, "Notes": true, "notes": false, "free/build": true, "free/notes": false,
		"exact/Build": true, "exact/build": false, "exact/Notes": true, "exact/notes": false,
	} {
		if got, why := m.Ignored(at(path), false); got != want {
			t.Errorf("%s ignored=%v (%s), want %v", path, got, why, want)
		}
	}
}

func TestUserLists(t *testing.T) {
	platformtest.Unix(t, platformtest.Names)
	noUserLists(t)
	home := tree(t, map[string]string{
		"gitconfig": "[user]\n\tname = x\n[include]\n\tpath = more\n", "more": "[core]\n\texcludesFile = \"~/my \\\"list\\\"\" ; mine\n", `my "list"`: "mine\n",
		"xdg/git/ignore": "fallback\n",
	})
	t.Setenv("HOME", home)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	root := tree(t, map[string]string{".git/HEAD": "x", ".git/config": "[core]\n\texcludesfile = " + filepath.Join(home, "none") + "\n"})
	if hidden, _ := New(root).Ignored(at("mine"), false); !hidden {
		t.Error("the user's own list does not count beside the repository's")
	}
	both := tree(t, map[string]string{".git/HEAD": "x", ".git/config": "", ".git/info/exclude": "theirs\n"})
	named := tree(t, map[string]string{".git/HEAD": "x", ".git/config": "[core]\n\texcludesfile = " + filepath.Join(home, "named") + "\n"})
	if err := os.WriteFile(filepath.Join(home, "named"), []byte("chosen\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"chosen": filepath.Join(home, "named"), "mine": "my \"list\""} {
		if hidden, why := New(named).Ignored(at(name), false); !hidden || !strings.Contains(why, want) {
			t.Errorf("where the repository names a list of its own, %s is hidden: %v by %q, want by %s", name, hidden, why, want)
		}
	}
	if hidden, why := New(both).Ignored(at("theirs"), false); !hidden || !strings.Contains(why, ".git/info/exclude") || strings.Contains(why, both) {
		t.Errorf("the repository's list is shown as %v %q", hidden, why)
	}
	for _, name := range []string{"mine", "theirs"} {
		if hidden, _ := New(both).Ignored(at(name), false); !hidden {
			t.Errorf("%s is shown, where the user's list and the repository's both count", name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "xdg"))
	if hidden, _ := New(root).Ignored(at("fallback"), false); !hidden {
		t.Error("the list in the default place does not count")
	}
}

// TestOtherLists tests the families other than git's: each can only hide.
func TestOtherLists(t *testing.T) {
	noUserLists(t)
	m := New(tree(t, map[string]string{
		".gitignore": "a\n", ".ignore": "!a\n!.env\nb\n", ".tandemignore": "c\n!c/keep\n", "strict/.aiexclude": "x\n!x\n", "empty/.aiexclude": " \n",
		"vendor/modules.txt": "", "lib/vendor/own.go": "", "env/pyvenv.cfg": "",
	}))
	for path, want := range map[string]bool{
		"a": true, "b": true, "c": true, ".env": true, "strict/x": true, "strict/y": false, "empty/y": true, "empty/deep/y": true, "y": false,
		"vendor/x/y.go": true, "lib/vendor/own.go": false, "env/lib/x.py": true,
	} {
		if got, why := m.Ignored(at(path), false); got != want {
			t.Errorf("%s: ignored=%v (%s), want %v", path, got, why, want)
		}
	}
}

func TestDenied(t *testing.T) {
	for path, want := range map[string]bool{
		".env": true, ".env.local": true, "a/.ENV.Production": true, ".envrc": true, ".env.example": false, "environment.go": false,
		"server.pem": true, "tls/server.key": true, "keys.go": false, "a.p12": true, "id_rsa": true, "id_ed25519.pub": true, "id_map.go": false,
		".npmrc": true, ".netrc": true, ".aws/config": true, "x/.ssh/known_hosts": true, "prod.tfstate": true, "prod.tfstate.backup": true, "p.kdbx": true,
		"credentials": true, "credentials.json": true, "credentials.go": false, ".kube/config": true, "kube/config": false,
		"package-lock.json": true, "Cargo.lock": true, "go.sum": true, "go.mod": false, "yarn.lock": true, "clock.go": false,
		"logo.PNG": true, "lib.so": true, "app.min.js": true, "app.js": false, "app.js.map": true, "node_modules/x/index.js": true, "a/Node_Modules/x": true,
		"main.go": false, "zz_generated.deepcopy.go": false, ".git/config": true, ".gitignore": false, "a.pem.": true, "Makefile": false,
	} {
		if got, why := Denied(at(path)); got != want {
			t.Errorf("Denied(%q) = %v (%s), want %v", path, got, why, want)
		}
	}
}

// TestHostileMetadata opens a repository whose configuration names programs in
// every place that git would run them, and links where ignore files belong.
func TestHostileMetadata(t *testing.T) {
	noUserLists(t)
	root := tree(t, map[string]string{".git/HEAD": "x", "a.go": ""})
	canary := filepath.Join(root, "canary")
	script := filepath.Join(root, "run.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+canary+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := strings.ReplaceAll(`[core]
	fsmonitor = SCRIPT
	sshCommand = SCRIPT
	hooksPath = .
	pager = SCRIPT
	excludesFile = /dev/zero
	attributesFile = SCRIPT
[diff]
	external = SCRIPT
[filter "x"]
	clean = SCRIPT
	process = SCRIPT
[include]
	path = config
[alias]
	check-ignore = !SCRIPT
[attr
	tree = HEAD
`, "SCRIPT", script)
	if err := os.WriteFile(filepath.Join(root, ".git", "config"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{".gitignore": "/dev/zero", ".ignore": "/dev/zero", ".git/info": "/dev", ".git/commondir": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if hidden, why := New(root).Ignored(at("a.go"), false); !hidden || !strings.Contains(why, "cannot be read") {
		t.Errorf("ignore files that cannot be read hide nothing: %s", why)
	}
	if present(canary) {
		t.Error("reading the metadata ran a program")
	}
}

// TestHostilePatterns takes long with a matcher that tries everything.
func TestHostilePatterns(t *testing.T) {
	g := glob{pathname: true}
	text := strings.Repeat("a", 2000)
	for _, p := range []string{strings.Repeat("*a", 200) + "b", strings.Repeat("**/", 50) + "b", strings.Repeat("?*", 300) + "b", strings.Repeat("[a]*", 200) + "b"} {
		if g.matches(p, text) || g.matches(p, strings.Repeat("a/", 1000)) {
			t.Errorf("%.20s... matches", p)
		}
	}
}

func BenchmarkIgnored(b *testing.B) {
	noUserLists(b)
	root := tree(b, map[string]string{".git/HEAD": "x", ".gitignore": manyPatterns, "pkg/.gitignore": "*.tmp\n/out/\n", ".tandemignore": "testdata/**/golden\n"})
	m := New(root)
	var paths []string
	for _, dir := range []string{"", "cmd/", "pkg/api/v1/", "staging/src/k8s.io/client-go/kubernetes/typed/", "docs/"} {
		for _, name := range []string{"main.go", "types.go", "zz_generated.deepcopy.go", "README.md", "doc.go", "server_test.go", "Makefile", "x.log", "app.ts", "a.b.c.d"} {
			paths = append(paths, dir+name)
		}
	}
	for _, p := range paths {
		m.Ignored(at(p), false)
	}
	for i := 0; b.Loop(); i++ {
		m.Ignored(at(paths[i%len(paths)]), false)
	}
}

// manyPatterns is what a large project's list looks like.
var manyPatterns = func() string {
	var b strings.Builder
	for _, p := range []string{"*.log", "*.swp", "/_output/", "/bin", ".vscode/", "*~", "**/.hg*", "/third_party/etcd*", "!/third_party/keep", "kubernetes.tar.gz", "*.exe", "/www/test_out", "cluster/*/env.sh", "!\\.drone.sec", "*.[oa]", "_testmain.go", "[._]*.s[a-w][a-z]", "/doc_tmp/", "*.test"} {
		for _, suffix := range []string{"", "1", "2", "3", "x", "y", "z"} {
			b.WriteString(p + suffix + "\n")
		}
	}
	return b.String()
}()

// TestRuleFiles: a change of one of these needs a new Matcher.
func TestRuleFiles(t *testing.T) {
	for path, want := range map[string]bool{
		"w/.gitignore": true, "w/a/.aiexclude": true, ".tandemignore": true, "w/.git": true, "w/.git/info/exclude": true,
		"w/gitignore": false, "w/.git/config": false, "w/info/exclude": false, "w/a.go": false,
	} {
		if got := IsRuleFile(at(path)); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// TestUnreadableListsHideAll: an ignore file that cannot be read, of any kind and in any folder,
// hides everything beside and below it and nothing else; git follows no link in its own place.
func TestUnreadableListsHideAll(t *testing.T) {
	noUserLists(t)
	for _, name := range []string{".ignore", ".tandemignore", ".aiexclude", ".cursorignore", ".gitignore"} {
		for _, large := range []bool{true, false} {
			root := tree(t, map[string]string{"a.go": "", "sub/b.go": "", "sub/deep/c.go": "", "other/d.go": ""})
			file := filepath.Join(root, "sub", name)
			if large {
				if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Truncate(file, MaxRules+1)); err != nil {
					t.Fatal(err)
				}
			} else {
				platformtest.Symlink(t, "/dev/zero", file)
			}
			m := New(root)
			known := slices.ContainsFunc(m.kinds, func(k kind) bool { return k.name == name })
			hides := known && (large || name != ".gitignore")
			for path, want := range map[string]bool{"a.go": false, "sub/b.go": hides, "sub/deep/c.go": hides, "other/d.go": false} {
				if got, why := m.Ignored(at(path), false); got != want || want && why != "sub/"+name+" cannot be read ("+strings.TrimSuffix(strings.SplitN(why, "(", 2)[1], "), which hides everything beside and below it")+"), which hides everything beside and below it" {
					t.Errorf("sub/%s, large %v: %s: %v %q", name, large, path, got, why)
				}
			}
		}
	}
}
