package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

// perRound bounds the files that have an invention at once.
const perRound = 30

// An invention is in one file of the tree, or, the same, in two.
type invention struct {
	kind, name   string // name is what the compiler and the check must say
	files        map[string]string
	found, noted int // in how many of the files, as error and at all
}

// rounds are what is planted at the same time: a compiler that lacks a package says nothing else.
var rounds = [][]string{{"function", "method"}, {"import", "package"}}

// measureCheck plants inventions into files of a tree, a third of them in two files, keeps those
// of which the compiler says that they are wrong, and counts how many of them the check says.
// The files are then as they were.
func (b *bench) measureCheck(program, compiler string, bodies []body, n int) error {
	count := map[string][5]int{}
	for round := 0; round < 40; round++ {
		kinds := rounds[round%len(rounds)]
		if total := count[kinds[0]][0] + count[kinds[1]][0]; total >= n*2/3 && round%2 == 0 || total >= n-n*2/3 && round%2 == 1 {
			continue
		}
		proven, err := b.round(program, compiler, kinds, bodies)
		if err != nil {
			return err
		}
		for _, i := range proven {
			for _, kind := range []string{i.kind, "all"} {
				c := count[kind]
				c[0]++
				c[1] += len(i.files) - 1
				if i.found == len(i.files) {
					c[2]++
				}
				if i.noted == len(i.files) {
					c[3]++
				}
				count[kind] = c
			}
			if b.verbose && i.found < len(i.files) {
				fmt.Printf("  missed %s %s in %d of %d files (%d noted): %v\n", i.kind, i.name, len(i.files)-i.found, len(i.files), i.noted, slices.Sorted(maps.Keys(i.files)))
			}
		}
	}
	for _, kind := range []string{"function", "method", "import", "package", "all"} {
		c := count[kind]
		fmt.Printf("planted %-8s %3d proven, %d of them in two files: %3d as error = %.1f %%, %d as error or warning = %.1f %%\n", kind, c[0], c[1], c[2], figures.Percent(c[2], c[0]), c[3], figures.Percent(c[3], c[0]))
	}
	return nil
}

// round plants inventions of some kinds, and returns those that are proven.
func (b *bench) round(program, compiler string, kinds []string, bodies []body) (proven []*invention, err error) {
	var planted []*invention
	used := map[string]bool{}
	for tries := 0; len(used) < perRound && tries < 60*perRound; tries++ {
		kind := plantKinds[slices.IndexFunc(plantKinds, func(k plantKind) bool { return k.name == kinds[tries%2] })]
		if i, ok := b.invent(kind, bodies, used, len(planted)%3 == 0); ok {
			planted = append(planted, i)
		}
	}
	was := map[string][]byte{}
	defer func() {
		for path, text := range was {
			err = errors.Join(err, os.WriteFile(path, text, 0o644))
		}
	}()
	for _, i := range planted {
		for path, text := range i.files {
			abs := filepath.Join(b.root, filepath.FromSlash(path))
			if was[abs], err = os.ReadFile(abs); err != nil {
				return nil, err
			}
			if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
				return nil, err
			}
		}
	}
	said := b.errorsOf(compiler)
	findings, err := b.checked(program)
	for _, i := range planted {
		wrong := 0
		for path := range i.files {
			says := func(f finding) bool { return f.Path == path && strings.Contains(f.Name+" "+f.Message, i.name) }
			if slices.ContainsFunc(said, says) {
				wrong++
			}
			if slices.ContainsFunc(findings, says) {
				i.noted++
			}
			if slices.ContainsFunc(findings, func(f finding) bool { return says(f) && f.Severity == "error" }) {
				i.found++
			}
		}
		if wrong == len(i.files) || wrong > 0 && kinds[0] == "import" { // Go names one of the files
			proven = append(proven, i)
		}
	}
	fmt.Printf("%v: %d planted, %d proven\n", kinds, len(planted), len(proven))
	return proven, err
}

func notName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// invent makes an invention of a kind in files that have none yet.
func (b *bench) invent(kind plantKind, bodies []body, used map[string]bool, two bool) (*invention, bool) {
	y := bodies[b.rnd.IntN(len(bodies))]
	if used[y.path] {
		return nil, false
	}
	text, what, ok := kind.plant(b, y)
	if !ok {
		return nil, false
	}
	if !kind.whole {
		text = y.text[:y.start] + text + y.text[y.end:]
	}
	i := &invention{kind: kind.name, name: what, files: map[string]string{y.path: text}}
	if names := strings.FieldsFunc(what, notName); kind.name != "import" && kind.name != "package" {
		i.name = names[len(names)-1]
	}
	if two {
		used[y.path] = true
		path, other, ok := b.again(kind, i.name, bodies, used)
		used[y.path] = ok
		if !ok {
			return nil, false
		}
		i.files[path], used[path] = other, true
	}
	used[y.path] = true
	return i, true
}

// again makes the invention of one file in another one, where that has the same.
func (b *bench) again(kind plantKind, name string, bodies []body, used map[string]bool) (path, text string, ok bool) {
	for tries := 0; tries < 400; tries++ {
		y := bodies[b.rnd.IntN(len(bodies))]
		if used[y.path] || strings.Contains(y.text, name) {
			continue
		}
		from, to := 0, len(y.text)
		pattern := importLine[b.lang]
		switch kind.name {
		case "package":
			if text, ok := importing(b.lang, y.text, name); ok {
				return y.path, text, true
			}
			continue
		case "function", "method":
			from, to, pattern = y.start, y.end, plainCall
			if kind.name == "method" {
				pattern = methodCall
			}
		}
		for _, m := range pattern.FindAllStringSubmatchIndex(y.text[from:to], -1) {
			start, end := m[2]+from, m[3]+from
			ok := kind.name == "import" || clean(y.text, start) && !inString(y.text[from:start])
			if ok && y.text[start:end] == b.swap[0] {
				return y.path, y.text[:start] + b.swap[1] + y.text[end:], true
			}
		}
	}
	return "", "", false
}

// A finding is what the check, or a compiler, says of a file.
type finding struct {
	Path, Name, Message, Severity string
}

// checked is what the check says of all that is planted.
func (b *bench) checked(program string) (out []finding, err error) {
	state, err := os.MkdirTemp("", "names")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(state)
	command := exec.Command(program, "check", "--json", "--diff", "HEAD")
	command.Dir, command.Env = b.root, append(os.Environ(), "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+state)
	said, _, _, err := client.Run(command)
	if err != nil {
		return nil, fmt.Errorf("run the check: %w", err)
	}
	for line := range strings.Lines(said) {
		var f finding
		if json.Unmarshal([]byte(line), &f) == nil {
			out = append(out, f)
		}
	}
	return out, nil
}

// compilerLine is an error as Go, TypeScript and pyright print it.
var compilerLine = regexp.MustCompile(`^\s*([^\s:(]+)[:(]\d+[:,]\d+\)?:? (.*)`)

// errorsOf is what a compiler says.
func (b *bench) errorsOf(compiler string) (out []finding) {
	command := exec.Command("sh", "-c", compiler)
	command.Dir = b.root
	said, _ := command.CombinedOutput() // it fails where something is planted
	for line := range strings.Lines(string(said)) {
		m := compilerLine.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[2], "- warning") {
			continue
		}
		path := m[1]
		if rel, err := filepath.Rel(b.root, path); filepath.IsAbs(path) && err == nil {
			path = rel
		}
		out = append(out, finding{Path: filepath.ToSlash(filepath.Clean(path)), Message: m[2]})
	}
	return out
}
