//go:build oracle

package language

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A tag is universal-ctags' description of one definition.
type tag struct {
	file, name, kind string
	line, end        int
}

// An oracle names a language, the folders that may contain real code in it on a
// machine, and the ctags kinds that are functions or types.
type oracle struct {
	lang, ctags string
	kinds       string // letters
	roots       []string
}

var oracles = []oracle{
	{"go", "Go", "fstim", []string{"$GOROOT/src", "$GOMODCACHE/k8s.io/kubernetes@v1.34.1"}},
	{"python", "Python", "cfm", []string{"$PYTHON", "/usr/lib/python3/dist-packages"}},
	{"typescript", "TypeScript", "cfgimn", []string{"$TREES/effect", "$TREES/rxjs"}},
	{"javascript", "JavaScript", "cfm", []string{"$TREES/express", "$TREES/lodash", "/usr/lib/node_modules/npm"}},
	{"java", "Java", "cegim", []string{"$TREES/java", "$GOMODCACHE/github.com/apache/thrift@v0.21.0"}},
	{"rust", "Rust", "fsgiPt", []string{"$TREES/rust", "$GOMODCACHE/github.com/apache/thrift@v0.21.0"}},
	{"c", "C", "fsgu", []string{"$GOMODCACHE/github.com/mattn/go-sqlite3@v1.14.24", "$GOMODCACHE/github.com/apache/thrift@v0.21.0"}},
	{"cpp", "C++", "fscgun", []string{"$TREES/re2", "/usr/include/c++", "$GOMODCACHE/github.com/apache/thrift@v0.21.0"}},
	{"csharp", "C#", "cgimsn", []string{"$GOMODCACHE/github.com/apache/thrift@v0.21.0"}},
}

// TestOracle compares every function and type with ctags, and requires a recall
// of 99 %.
func TestOracle(t *testing.T) {
	t.Parallel()
	for _, o := range oracles {
		t.Run(o.lang, func(t *testing.T) {
			compared := 0
			for _, root := range o.roots {
				root = os.Expand(root, treeVar)
				if _, err := os.Stat(root); err == nil {
					o.compare(t, root)
					compared++
				}
			}
			if compared == 0 {
				t.Errorf("no tree of %s on this machine: make oracle-trees fetches some", o.lang)
			}
		})
	}
}

// treeVar returns where the trees of a machine are: TREES is the environment's.
func treeVar(name string) string {
	command := []string{"go", "env", name}
	switch name {
	case "TREES":
		return os.Getenv(name)
	case "PYTHON":
		command = []string{"python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"}
	}
	out, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil {
		return "/no such tree"
	}
	return strings.TrimSpace(string(out))
}

func (o oracle) compare(t *testing.T, root string) {
	tags := o.run(t, root)
	ours := o.scan(t, root)
	hits, ends, missed := 0, 0, 0
	matched := map[string]bool{}
	for _, g := range tags {
		d, ok := find(ours[g.file], g)
		if !ok {
			if missed++; missed <= show() {
				t.Logf("missed %s %s at %s:%d", g.kind, g.name, g.file, g.line)
			}
			continue
		}
		hits++
		matched[g.file+":"+strconv.Itoa(d.StartLine)+d.Name] = true
		if g.end == 0 || g.end == d.EndLine {
			ends++
		} else if hits-ends <= show() {
			t.Logf("%s at %s:%d ends at %d, ctags reports %d", g.name, g.file, g.line, d.EndLine, g.end)
		}
	}
	total, extra := 0, 0
	for file, defs := range ours {
		for _, d := range defs {
			if !d.Kind.IsFunc() && !d.Kind.IsType() || d.Kind == KindMacro {
				continue
			}
			total++
			if !matched[file+":"+strconv.Itoa(d.StartLine)+d.Name] {
				if extra++; extra <= show() {
					t.Logf("only ours: %s %s at %s:%d", d.Kind, d.Name, file, d.StartLine)
				}
			}
		}
	}
	t.Logf("%s %s: %d tags, recall %.2f %%, ends %.2f %%, precision %.2f %% of %d", o.lang, root, len(tags),
		pct(hits, len(tags)), pct(ends, hits), pct(total-extra, total), total)
	if len(tags) == 0 || pct(hits, len(tags)) < 99 {
		t.Errorf("%s: recall of functions and types is %.2f %%, want at least 99 %%", root, pct(hits, len(tags)))
	}
}

func show() int { n, _ := strconv.Atoi(os.Getenv("SHOW")); return n }

func pct(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }

// find is our definition of the same name on the same line. A declaration that
// begins on a line before its name (static int\nmain) counts.
func find(defs []Def, g tag) (best Def, ok bool) {
	for _, d := range defs {
		if plainName(d.Name) == plainName(g.name) && d.DocLine <= g.line && g.line <= d.SigEndLine && d.StartLine >= best.StartLine {
			best, ok = d, true
		}
	}
	return best, ok
}

// plainName spells a name in a form that is the same for ctags and the index.
func plainName(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, "#"), " ", "")
}

func (o oracle) run(t *testing.T, root string) []tag {
	cmd := exec.Command("ctags", "-R", "-f", "-", "-u", "--languages="+o.ctags, "--kinds-"+o.ctags+"="+o.kinds,
		"--fields=+neK", "--extras=", root)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ctags: %v", err)
	}
	var tags []tag
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line := lines.Text()
		before, after, ok := strings.Cut(line, ";\"\t")
		if !ok || strings.HasPrefix(line, "!") {
			continue
		}
		head := strings.SplitN(before, "\t", 3)
		g := tag{name: head[0], file: head[1]}
		for i, field := range strings.Split(after, "\t") {
			key, value, _ := strings.Cut(field, ":")
			switch {
			case i == 0:
				g.kind = field
			case key == "line":
				g.line, _ = strconv.Atoi(value)
			case key == "end":
				g.end, _ = strconv.Atoi(value)
			}
		}
		g.name = strings.TrimPrefix(g.name, "#")
		if quirk(g, before) {
			continue
		}
		if o.takes(g.file) && !strings.HasPrefix(g.name, "__anon") && !strings.HasPrefix(g.name, "anonymous") && !strings.HasPrefix(g.name, "AnonymousFunction") {
			tags = append(tags, g)
		}
	}
	return tags
}

// quirk reports whether a tag is a known error of ctags: it takes any object
// literal in a JavaScript function for a class, and a macro in capitals for a C
// function.
func quirk(g tag, before string) bool {
	ext := filepath.Ext(g.file)
	if lang := OfFile(g.file); lang == "cpp" || lang == "c" {
		return g.kind == "function" && g.name == strings.ToUpper(g.name) && len(g.name) > 3
	}
	script := ext == ".js" || ext == ".mjs" || ext == ".cjs"
	return script && (strings.HasSuffix(g.file, ".min.js") || g.kind == "class" && !strings.Contains(before, "class") ||
		strings.Contains(before, "prototype."+g.name+".") || !strings.Contains(before, g.name+"(") && strings.Contains(before, "= "))
}

func (o oracle) scan(t *testing.T, root string) map[string][]Def {
	out := map[string][]Def{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !o.takes(p) {
			return err
		}
		text, err := os.ReadFile(p)
		if err == nil {
			out[p] = Scan(o.lang, p, string(text)).Defs
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (o oracle) takes(p string) bool {
	lang := OfFile(p)
	return lang == o.lang || o.lang == "cpp" && (lang == "c" && strings.HasSuffix(p, ".h") || filepath.Ext(p) == "")
}
