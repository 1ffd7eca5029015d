package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"

	"tandem/tools/bench/figures"
	"tandem/tools/roads"
)

// A way is a road on which an answer is judged: it returns failed, passed, not judged, or
// refused where the answer is not taken for another reason, and what was said.
type way struct {
	name string
	take func(h *roads.Home, a answer) (outcome, said string, err error)
}

// On every road it is the first request after the program's start.
var ways = []way{
	{"edit --write", func(h *roads.Home, a answer) (string, string, error) {
		return written(h, "edit", fmt.Sprintf("%s:%d-%d", a.path, a.from+1, a.to), roads.Instruction, "--write", "--require-judged=false")
	}},
	{"editor", func(h *roads.Home, a answer) (string, string, error) {
		e, err := h.Editor(format)
		if err != nil {
			return "", "", err
		}
		_, n, err := e.Edit(a.path, a.from, a.to, false)
		if err = errors.Join(err, e.Quit()); err != nil {
			return "", "", err
		}
		if n.State != "ready" {
			return "refused", n.Error, nil
		}
		return strings.ReplaceAll(n.Verdict.State, "_", " "), n.Verdict.Reason, nil
	}},
	{"task", func(h *roads.Home, a answer) (string, string, error) {
		return written(h, "edit", a.path, roads.Instruction, "--deep", "--write", "--yes", "--require-judged=false")
	}},
}

const format = "search_replace"

func written(h *roads.Home, args ...string) (outcome, said string, err error) {
	_, said, code, err := h.Run(format, args...)
	switch {
	case strings.Contains(said, "nothing was changed"):
		outcome = "refused"
	case code != 0:
		outcome = "failed"
	case strings.Contains(said, "not judged: "):
		outcome = "not judged"
	default:
		outcome = "passed"
	}
	return outcome, said, err
}

// An answer changes lines of a file, from 0 and to exclusive.
type answer struct {
	path, disk, text string
	from, to         int
}

// answerOf is the answer that makes a text of another by one block.
func answerOf(path, disk, after string) (answer, bool) {
	old, new := strings.SplitAfter(disk, "\n"), strings.SplitAfter(after, "\n")
	first, same := 0, 0
	for first < min(len(old), len(new)) && old[first] == new[first] {
		first++
	}
	for same < min(len(old), len(new))-first && old[len(old)-1-same] == new[len(new)-1-same] {
		same++
	}
	for first > 0 && strings.Count(disk, strings.Join(old[first:len(old)-same], "")) != 1 {
		first--
	}
	search, replace := strings.Join(old[first:len(old)-same], ""), strings.Join(new[first:len(new)-same], "")
	a := answer{path, disk, path + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n", first, len(old) - same}
	return a, strings.HasSuffix(search, "\n") && strings.Count(disk, search) == 1
}

var stubs = map[string]string{"go": "panic(\"later\")", "python": "raise NotImplementedError(\"later\")", "script": "throw new Error(\"later\")"}

// stub is the file with a stub in place of a body.
func (b *bench) stub(y body) string {
	line := strings.TrimLeft(y.text[y.start:y.end], "\n")
	return y.text[:y.start] + line[:len(line)-len(strings.TrimLeft(line, " \t"))] + stubs[b.lang] + "\n" + y.text[y.end:]
}

// measureRoads has bodies written that are right, and such with an invented name, and counts
// what becomes of them on every road. The tree is copied.
func (b *bench) measureRoads(program, road string, bodies []body, n int) error {
	dir, err := os.MkdirTemp("", "names")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "w")
	if err := linked(b.root, tree); err != nil {
		return err
	}
	for _, name := range []string{"GOROOT", "GOMODCACHE"} {
		if value, err := exec.Command("go", "env", name).Output(); err == nil {
			_ = os.Setenv(name, strings.TrimSpace(string(value))) // the program has another home
		}
	}
	h, err := roads.New(program, dir, tree, format)
	if err != nil {
		return err
	}
	defer h.Close()
	for _, w := range ways {
		if road != "" && w.name != road {
			continue
		}
		for _, invented := range []bool{true, false} {
			count := map[string]int{}
			for done, tries := 0, 0; done < n && tries < 60*n; tries++ {
				y := bodies[b.rnd.IntN(len(bodies))]
				disk, after, what := b.stub(y), y.text, y.name
				if kind := plantKinds[done%len(plantKinds)]; invented {
					text, name, ok := kind.plant(b, y)
					if !ok {
						continue
					}
					what = kind.name + " " + name
					if after = text; kind.whole {
						disk = y.text
					} else {
						after = y.text[:y.start] + text + y.text[y.end:]
					}
				}
				a, ok := answerOf(y.path, disk, after)
				if !ok {
					continue
				}
				outcome, said, err := try(h, w, a)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", w.name, y.path, err)
				}
				if named := strings.FieldsFunc(what, notName); invented && outcome == "failed" && !strings.Contains(said, named[len(named)-1]) {
					outcome = "refused" // for something else
				}
				done++
				count[outcome]++
				if b.verbose && (outcome == "refused" || invented != (outcome == "failed")) {
					fmt.Printf("  %s, invented %t: %s: %s: %s: %s\n", w.name, invented, y.path, what, outcome, strings.Join(strings.Fields(said), " "))
				}
			}
			all := count["failed"] + count["passed"] + count["not judged"] + count["refused"]
			fmt.Printf("%-12s %-8s %3d: failed %5.1f %%, passed %5.1f %%, not judged %5.1f %%, refused %5.1f %%\n", w.name, map[bool]string{true: "invented", false: "right"}[invented], all,
				figures.Percent(count["failed"], all), figures.Percent(count["passed"], all), figures.Percent(count["not judged"], all), figures.Percent(count["refused"], all))
		}
	}
	return nil
}

func notName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// try has an answer taken by a road. The file is then as it was.
func try(h *roads.Home, w way, a answer) (outcome, said string, err error) {
	name := filepath.Join(h.Workspace, filepath.FromSlash(a.path))
	was, err := os.ReadFile(name)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, replace(name, was)) }()
	if err := replace(name, []byte(a.disk)); err != nil {
		return "", "", err
	}
	h.Answers(a.path, a.text)
	return w.take(h, a)
}

// replace gives a name another file: the one that it had may be the tree's own.
func replace(name string, data []byte) error {
	return errors.Join(os.Remove(name), os.WriteFile(name, data, 0o600))
}

// linked makes a tree of the same files, without its history.
func linked(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		at := filepath.Join(to, rel)
		switch {
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(at, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			return errors.Join(err, os.Symlink(target, at))
		}
		return os.Link(path, at)
	})
}
