package local

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/index"
)

// A memory is a corpus in memory.
type memory struct {
	ix     *index.Index
	texts  map[string]string
	secret map[string]bool
	recent []workspace.RecentEdit
}

func newMemory(files map[string]string) *memory {
	m := &memory{ix: index.New(), texts: map[string]string{}, secret: map[string]bool{}}
	for path, text := range files {
		m.write(path, text)
	}
	return m
}

func (m *memory) write(path, text string) {
	m.texts[path] = text
	m.ix = m.ix.With(index.Change{Path: path, Text: text})
}

func (m *memory) Root() string                        { return "/mem" }
func (m *memory) Index() *index.Index                 { return m.ix }
func (m *memory) RecentEdits() []workspace.RecentEdit { return m.recent }
func (m *memory) Text(path string) (string, bool) {
	text, ok := m.texts[path]
	return text, ok && !m.secret[path]
}

// replaceLine edits the first line whose trimmed text is from, as a user would.
func (m *memory) replaceLine(path, from, to string) {
	lines := strings.SplitAfter(m.texts[path], "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != from {
			continue
		}
		now := strings.Replace(line, from, to, 1)
		if to == "" {
			now = ""
		}
		hunk := fmt.Sprintf("@@ -%d +%d @@\n", i+1, i+1)
		if i > 0 {
			hunk += " " + lines[i-1]
		}
		hunk += "-" + line
		if now != "" {
			hunk += "+" + now
		}
		if i+1 < len(lines) && lines[i+1] != "" {
			hunk += " " + lines[i+1]
		}
		lines[i] = now
		m.write(path, strings.Join(lines, ""))
		at := len(strings.Join(lines[:i], ""))
		for j := range m.recent {
			if r := &m.recent[j]; r.Path == path && at <= r.Place.Start {
				r.Place.Start, r.Place.End = r.Place.Start+len(now)-len(line), r.Place.End+len(now)-len(line)
			}
		}
		m.recent = append(m.recent, workspace.RecentEdit{Place: edits.Span{Start: at, End: at + len(now)}, Placed: true, Path: path, Time: time.Unix(int64(len(m.recent)), 0), Line: i + 1, Old: line, New: now, Hunk: hunk})
		return
	}
	panic("no line " + from)
}

func (m *memory) next(e *Engine, path string) string {
	found := e.NextEdits(context.Background(), m, m.recent, path, 0)
	if len(found) == 0 {
		return ""
	}
	n := found[0]
	text := m.texts[n.Path]
	now := text[:n.Edit.Start] + n.Edit.New + text[n.Edit.End:]
	from := strings.LastIndexByte(text[:n.Edit.Start], '\n') + 1
	end := n.Edit.Start + len(n.Edit.New)
	if i := strings.IndexByte(now[end:], '\n'); i >= 0 {
		end += i
	}
	return n.Path + ": " + strings.TrimSpace(now[from:end])
}

func TestNextEdits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		edits      [][2]string
		want       string
	}{
		{"removed line", "a := 1\n// old: {}\nb := 2\n// old: {}\nc := 3\n// old: {}\nd := 4\n", [][2]string{{"// old: {}", ""}, {"// old: {}", ""}}, "a.go: d := 4"},
		{"rename", "count := 1\nuse(count)\nmore(count, 2)\n", [][2]string{{"count := 1", "total := 1"}, {"use(count)", "use(total)"}}, "a.go: more(total, 2)"},
		{"added argument", "load(a)\nload(b)\nload(c)\n", [][2]string{{"load(a)", "load(ctx, a)"}, {"load(b)", "load(ctx, b)"}}, "a.go: load(ctx, c)"},
		{"wrapped call", "x := read(a)\ny := read(b.c)\nz := read(d(1, 2))\n", [][2]string{{"x := read(a)", "x := must(read(a))"}, {"y := read(b.c)", "y := must(read(b.c))"}}, "a.go: z := must(read(d(1, 2)))"},
		{"moved import", "import \"a/v4/x\"\nimport \"a/v4/y\"\nimport \"a/v4/z\"\n", [][2]string{{"import \"a/v4/x\"", "import \"a/v6/x\""}, {"import \"a/v4/y\"", "import \"a/v6/y\""}}, "a.go: import \"a/v6/z\""},
		{"once is not twice", "use(count)\nmore(count)\n", [][2]string{{"use(count)", "use(total)"}}, ""},
		{"nothing left", "use(count)\nmore(count)\n", [][2]string{{"use(count)", "use(total)"}, {"more(count)", "more(total)"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(map[string]string{"a.go": c.text})
			for _, e := range c.edits {
				m.replaceLine("a.go", e[0], e[1])
			}
			if got := m.next(New(nil), "a.go"); got != c.want {
				t.Errorf("offered %q, want %q", got, c.want)
			}
		})
	}
}

// TestPropagatedEdits: after a rename or a parameter change, the users are offered
// one after the other, in other files too, with a count.
func TestPropagatedEdits(t *testing.T) {
	files := map[string]string{
		"a/a.go": "package a\n\nfunc Load(name string) error {\n\treturn nil\n}\n\nfunc own() error {\n\treturn Load(\"x\")\n}\n",
		"b/b.go": "package b\n\nimport \"m/a\"\n\nfunc Use(ctx context.Context) error {\n\treturn a.Load(\"y\")\n}\n",
		"go.mod": "module m\n",
	}
	for _, c := range []struct{ name, from, to, want, title string }{
		{"rename", "func Load(name string) error {", "func Fetch(name string) error {", "b/b.go: return a.Fetch(\"y\")", "Rename Load to Fetch: 2 uses, 0 done"},
		{"parameter", "func Load(name string) error {", "func Load(ctx context.Context, name string) error {", "b/b.go: return a.Load(ctx, \"y\")", "Load: 2 call sites, 0 done"},
		{"parameter gone", "func Load(name string) error {", "func Load() error {", "b/b.go: return a.Load()", "Load: 2 call sites, 0 done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(files)
			e := New(nil)
			m.replaceLine("a/a.go", c.from, c.to)
			if got := m.next(e, "b/b.go"); got != c.want {
				t.Errorf("offered %q, want %q", got, c.want)
			}
			if found := e.NextEdits(context.Background(), m, m.recent, "b/b.go", 0); len(found) == 0 || found[0].Title != c.title {
				t.Errorf("offered %v, want the title %q", found, c.title)
			}
		})
	}
}

// TestNotWhereUndone: a change is not offered at the place where the user just
// undid it.
func TestNotWhereUndone(t *testing.T) {
	m := newMemory(map[string]string{"a.go": "use(count)\nmore(count, 1)\nlast(count, 2)\n"})
	e := New(nil)
	m.replaceLine("a.go", "use(count)", "use(total)")
	m.replaceLine("a.go", "more(count, 1)", "more(total, 1)")
	m.replaceLine("a.go", "last(count, 2)", "last(total, 2)")
	m.next(e, "a.go")
	m.recent = m.recent[:2]
	m.write("a.go", "use(total)\nmore(total, 1)\nlast(count, 2)\n")
	if got := m.next(e, "a.go"); got != "" {
		t.Errorf("offered %q where it was undone", got)
	}
}
