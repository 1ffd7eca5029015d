package next

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tandem/edits"
	"tandem/model/assist/core"
	"tandem/model/local"
	"tandem/workspace"
	"tandem/workspace/deps"
	"tandem/workspace/judge"
	"tandem/workspace/language"
)

// A project is a small workspace, what the user does there, and what follows.
type project struct {
	name  string
	files map[string]string
	edits [][3]string // path, old, new
	want  [][3]string // "want", "gone" or "jump", path, line
}

func projectsIn(t *testing.T, file string) (out []project) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "\n=== ")
	for part := range strings.SplitSeq(rest, "\n=== ") {
		name, body, _ := strings.Cut(part, "\n")
		p := project{name: name, files: map[string]string{}}
		at := ""
		for line := range strings.Lines(body + "\n") {
			line = strings.TrimSuffix(line, "\n")
			verb, what, _ := strings.Cut(line, " ")
			path, text, told := strings.Cut(what, ": ")
			path = strings.TrimSpace(path)
			if told {
				text = unescaped(text)
			}
			switch {
			case strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --"):
				at = strings.TrimSuffix(strings.TrimPrefix(line, "-- "), " --")
			case verb == "edit" && told && at != "":
				old, now, _ := strings.Cut(text, " => ")
				p.edits = append(p.edits, [3]string{path, old, now})
			case told && p.edits != nil:
				p.want = append(p.want, [3]string{verb, path, text})
			case p.edits == nil:
				p.files[at] += line + "\n"
			}
		}
		out = append(out, p)
	}
	return out
}

func unescaped(s string) string { return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(s) }

// An outcome says how far the consequences of a change were carried out.
type outcome struct {
	left, jumped int
	wrong        []string
}

// libraries are what the projects use of the standard libraries of Go and Python: what this machine
// has decides nothing.
var libraries = map[string]string{
	"go/VERSION":          "go1.24\n",
	"go/src/fmt/print.go": "package fmt\n\nfunc Println(a ...any) (n int, err error) { return 0, nil }\n",
	".pyenv/version":      "3.12.1\n",
	".pyenv/versions/3.12.1/lib/python3.12/os.py":            "def getcwd(): pass\n",
	".pyenv/versions/3.12.1/lib/python3.12/typing.py":        "def cast(typ, val): return val\n",
	".pyenv/versions/3.12.1/lib/python3.12/dataclasses.py":   "def dataclass(cls=None): return cls\n",
	".pyenv/versions/3.12.1/lib/python3.12/json/__init__.py": "def dumps(obj): pass\ndef loads(s): pass\n",
}

// play makes a project's edits as a person types them, takes every next edit, and compares.
func (p project) play(t *testing.T) (o outcome) {
	t.Helper()
	b := newBench(t, lanes{}, "package x\n", p.files)
	defer b.Session.Close()
	b.Close()
	engine := local.New(nil)
	b.engine.NextEdits.Local = engine
	home := t.TempDir()
	for name, text := range libraries {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755), os.WriteFile(filepath.Join(home, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"GOROOT": filepath.Join(home, "go")}
	j := judge.New(deps.New(deps.Options{StateDir: t.TempDir(), Home: home, Getenv: func(name string) string { return env[name] }, Gate: func() deps.Gate { return b.Session.Snapshot().Installed() }}), nil)
	b.engine.Editor.Judge = j
	uri := func(path string) string { return workspace.URIOf(filepath.Join(b.Root, path)) }
	text := func(path string) string {
		f, err := b.Session.Snapshot().File(uri(path))
		if err != nil {
			t.Fatal(err)
		}
		return f.Content()
	}
	change := func(path string, e edits.Edit, accepted bool) {
		snap := b.Session.Snapshot()
		f, err := snap.File(uri(path))
		if err != nil {
			t.Fatal(err)
		}
		if !f.Open() {
			b.Follow.Opened(b.Session.Update(workspace.Opened{URI: uri(path), Language: language.OfFile(path), Version: 1, Text: f.Raw()}), uri(path))
		}
		steps := []workspace.Step{{Edit: e, After: f.Raw().Replace(e.Span, e.New), Accepted: accepted}}
		b.Follow.Changed(b.Session.Update(workspace.Edited{URI: uri(path), Version: max(f.Version(), 1) + 1, Steps: steps}), uri(path), steps)
		b.Settle(t)
	}
	here, at := "", 0
	for _, e := range p.edits {
		i := strings.Index(text(e[0]), e[1])
		if i < 0 {
			t.Fatalf("%s: no %q", p.name, e[1])
		}
		here, at = e[0], i+len(e[2])
		change(e[0], edits.Edit{Span: edits.Span{Start: i, End: i + len(e[1])}, New: e[2]}, false)
	}
	looks := []int{len(text(here)), 0}
	for range 20 {
		next, _, err := b.engine.NextEdits.NextEdit(t.Context(), b.Session.Snapshot(), Request{Place: core.Place{URI: uri(here), Offset: min(at, len(text(here)))}, Jumps: true})
		if err != nil {
			t.Fatal(err)
		}
		if next == nil && len(looks) > 0 { // who has done something looks at something else
			at, looks = looks[0], looks[1:]
			continue
		}
		if next == nil {
			break
		}
		path := b.Session.Snapshot().Name(next.URI)
		now := text(path)
		from := strings.LastIndexByte(now[:next.Edit.Start], '\n') + 1
		line, _, _ := strings.Cut(now[from:], "\n")
		if next.Jump != "" {
			if slices.ContainsFunc(p.want, func(w [3]string) bool {
				return w[1] == path && (w[0] == "jump" && strings.TrimSpace(w[2]) == strings.TrimSpace(line) || w[0] != "jump" && next.Edit.Start > 0)
			}) {
				o.jumped++
			} else {
				o.wrong = append(o.wrong, fmt.Sprintf("jump to %s %q (%s)", path, line, next.Jump))
			}
			b.engine.NextEdits.Open.Accepted(next.ID)
			continue
		}
		after := now[:next.Edit.Start] + next.Edit.New + now[next.Edit.End:]
		before, is := p.missing(path, now), p.missing(path, after)
		if is >= before && !p.part(path, now, after) {
			o.wrong = append(o.wrong, fmt.Sprintf("%s: %q -> %q in %q (%s)", path, now[next.Edit.Start:next.Edit.End], next.Edit.New, line, next.Title))
			b.engine.NextEdits.Open.Rejected(next.ID)
			continue
		}
		change(path, next.Edit, true)
		here, at = path, next.Edit.Start+len(next.Edit.New)
		b.engine.NextEdits.Open.Accepted(next.ID)
	}
	for path := range p.files {
		o.left += p.missing(path, text(path))
	}
	return o
}

// missing counts what a file lacks of what follows.
func (p project) missing(path, text string) (n int) {
	for _, w := range p.want {
		switch {
		case w[1] != path || w[0] == "jump":
		case w[0] == "gone" && strings.Contains(text, w[2]), w[0] == "want" && !strings.Contains(spaceless(text), spaceless(w[2])):
			n++
		}
	}
	return n
}

// spaceless is a text without what is around its lines, and inside them with single blanks.
func spaceless(s string) string {
	out := "\n"
	for line := range strings.Lines(s) {
		out += strings.Join(strings.Fields(line), " ") + "\n"
	}
	return out
}

// part reports whether an edit makes a part of a line that is wanted.
func (p project) part(path, now, after string) bool {
	return slices.ContainsFunc(p.want, func(w [3]string) bool {
		return w[1] == path && w[0] == "want" && edits.Distance(closest(now, w[2]), w[2], 200) > edits.Distance(closest(after, w[2]), w[2], 200)
	})
}

// closest is the line of a text that is most like another.
func closest(text, line string) (best string) {
	least := 1 << 20
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if d := edits.Distance(l, line, 200); d < least {
			best, least = l, d
		}
	}
	return best
}

// playAll plays the projects of a file and returns how many were carried out, led to their places,
// and offered something wrong.
func playAll(t *testing.T, file string) (done, led, wrong, all int) {
	for _, p := range projectsIn(t, file) {
		all++
		t.Run(strconv.Itoa(all)+" "+p.name, func(t *testing.T) {
			o := p.play(t)
			what := "nothing"
			jumps := slices.ContainsFunc(p.want, func(w [3]string) bool { return w[0] == "jump" })
			switch {
			case !jumps && o.left == 0:
				done, what = done+1, "carried out"
			case o.jumped > 0:
				led, what = led+1, "jump"
			}
			if len(o.wrong) > 0 {
				wrong++
			}
			t.Logf("%s: %s; left %d, wrong %q", what, p.name, o.left, o.wrong)
		})
	}
	return done, led, wrong, all
}

// TestProjects: what one change of a small project leads to is carried out by Tab alone, or led to
// where nothing is determined, and hardly anything else is offered.
func TestProjects(t *testing.T) {
	done, led, wrong, all := playAll(t, "projects.txt")
	t.Logf("%d projects: %d carried out, %d led to, %d with something wrong", all, done, led, wrong)
	if done < 44 || done+led < 55 || wrong > 0 {
		t.Error("fewer than before")
	}
}

// TestTwice: what was changed twice in the same way is offered a third time.
func TestTwice(t *testing.T) {
	done, _, wrong, all := playAll(t, "twice.txt")
	t.Logf("%d kinds of the same change: %d offered the third time, %d with something wrong", all, done, wrong)
	if done < 23 || wrong > 0 {
		t.Error("fewer than before")
	}
}

// TestRenames: a rename is carried to its last place, and nothing else is offered.
func TestRenames(t *testing.T) {
	done, led, wrong, all := playAll(t, "renames.txt")
	if done+led != all || wrong > 0 {
		t.Errorf("of %d renames %d were carried out, %d led to; %d offered something else", all, done, led, wrong)
	}
}
