package main

import (
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A breakTally counts planted breaks and what is offered for them.
type breakTally struct{ made, jumps, landed, offered, right int }

func (t *breakTally) add(o breakTally) {
	t.made, t.jumps, t.landed, t.offered, t.right = t.made+o.made, t.jumps+o.jumps, t.landed+o.landed, t.offered+o.offered, t.right+o.right
}

// maxTries bounds how many places are tried for each break: most have no place for its
// kind, or their compiler reports nothing.
const maxTries = 40

// compilers are the command lines that report errors, by language.
type compilers map[string][]string

// plantedBreaks breaks code in repositories as users do, tells tandem what the language's
// own compiler then reports, and judges the first next edit by that compiler.
func plantedBreaks(roots []string, bin string, tools compilers, n int, seed int64, verbose bool) ([]row, error) {
	var rows []row
	languages := slices.Sorted(maps.Keys(tools))
	for i, lang := range languages {
		trees, err := treesOf(roots, lang)
		if err != nil {
			return nil, err
		}
		if len(trees) == 0 {
			return nil, fmt.Errorf("none of the repositories has code in %s", lang)
		}
		var all breakTally
		share := (n*(i+1))/len(languages) - (n*i)/len(languages)
		for j, root := range trees {
			t, err := breaksIn(root, lang, bin, tools[lang], (share*(j+1))/len(trees)-(share*j)/len(trees), seed, verbose)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", filepath.Base(root), lang, err)
			}
			fmt.Printf("%-12s %-11s %3d breaks: first jump at %d, on a broken place %d, text offered %d, right %d\n", filepath.Base(root), lang, t.made, t.jumps, t.landed, t.offered, t.right)
			all.add(t)
		}
		rows = append(rows,
			row{what: lang + ": first jump on a broken place", value: percent(all.landed, all.jumps), bar: 95, note: fmt.Sprintf("%d of %d; at %d of %d breaks nothing was offered; seed %d", all.landed, all.jumps, all.made-all.jumps, all.made, seed)},
			row{what: lang + ": text offered without a model is right", value: percent(all.right, all.offered), bar: 85, note: fmt.Sprintf("%d of %d", all.right, all.offered)})
	}
	return rows, nil
}

// minBreakFiles is how many files of a language a repository must have to take part.
const minBreakFiles = 15

// treesOf are the repositories that are written in a language.
func treesOf(roots []string, lang string) (out []string, err error) {
	suffix := map[string]string{"go": ".go", "typescript": ".ts", "python": ".py"}[lang]
	for _, root := range roots {
		names, err := git(root, "ls-tree", "-r", "--name-only", "HEAD")
		if err != nil {
			return nil, err
		}
		if strings.Count(string(names), suffix+"\n") >= minBreakFiles {
			out = append(out, root)
		}
	}
	return out, nil
}

// A breaker plants breaks in one checked out tree.
type breaker struct {
	*planter
	dir      string
	editor   *editor
	compiler *compiler
	clean    map[string][]problem // what the compiler says of the files as they are
}

// before are the errors of documents as they are.
func (b *breaker) before(texts map[string]string) (map[string][]problem, error) {
	for path, text := range texts {
		if _, known := b.clean[path]; known {
			continue
		}
		list, err := b.judged(map[string]string{path: text})
		if err != nil {
			return nil, err
		}
		b.clean[path] = list[path]
	}
	return b.clean, nil
}

func breaksIn(root, lang, bin string, argv []string, n int, seed int64, verbose bool) (t breakTally, err error) {
	tree, err := treeAt(root, "HEAD")
	if err != nil {
		return t, err
	}
	state, err := os.MkdirTemp("", "breaks")
	if err != nil {
		return t, err
	}
	defer func() { _ = os.RemoveAll(state) }()
	dir := filepath.Join(state, "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return t, err
	}
	if err := checkOutFor(lang, root, dir); err != nil {
		return t, err
	}
	if err := os.WriteFile(filepath.Join(state, "config.toml"), []byte("fast = \"local\"\n"), 0o600); err != nil {
		return t, err
	}
	b := breaker{planter: newPlanter(lang, tree, rand.New(rand.NewSource(seed))), dir: dir, clean: map[string][]problem{}}
	if b.editor, err = startEditor(filepath.Join(bin, "tandem"), state, dir); err != nil {
		return t, err
	}
	defer func() { _ = b.editor.Quit() }()
	if b.compiler, err = startCompiler(argv, dir, lang); err != nil {
		return t, err
	}
	defer b.compiler.Kill()
	for tries := 0; t.made < n && tries < n*maxTries; tries++ {
		p, ok := b.plant(breakKinds[t.made%len(breakKinds)])
		if !ok {
			continue
		}
		one, err := b.play(p, verbose)
		if err := errors.Join(err, b.editor.close(), b.compiler.restore(tree)); err != nil {
			return t, err
		}
		t.add(one)
	}
	return t, nil
}

// play makes one break and judges what is offered. Where the compiler reports nothing
// new, there is no break.
func (b *breaker) play(p plant, verbose bool) (t breakTally, err error) {
	paths := slices.Sorted(maps.Keys(p.original))
	before, err := b.before(p.original)
	if err != nil {
		return t, err
	}
	broken := maps.Clone(p.opened)
	broken[p.path] = broken[p.path][:p.typed.Start] + p.typed.New + broken[p.path][p.typed.End:]
	after, err := b.judged(broken)
	if err != nil {
		return t, err
	}
	at, in := p.typed.Start+len(p.typed.New), p.path
	first := maps.Clone(broken)
	if p.call != "" {
		var ok bool
		if in, at, ok = p.correct(broken, before, after); !ok {
			return t, nil
		}
		if after, err = b.judged(broken); err != nil {
			return t, err
		}
	}
	caused := map[string][]problem{}
	for _, path := range paths {
		if list := appeared(before[path], after[path]); len(list) > 0 {
			caused[path] = list
		}
	}
	if len(caused) == 0 {
		return t, nil
	}
	t.made = 1
	for _, path := range paths {
		if err := b.editor.open(path, b.lang, p.opened[path]); err != nil {
			return t, err
		}
	}
	for _, texts := range []map[string]string{first, broken} {
		for _, path := range paths {
			if texts[path] != b.editor.texts[path] {
				if err := b.editor.change(path, texts[path]); err != nil {
					return t, err
				}
			}
		}
	}
	for _, path := range paths {
		if len(caused[path]) > 0 {
			if err := b.editor.Notify("tandem/didChangeDiagnostics", map[string]any{"textDocument": map[string]any{"uri": b.editor.uri(path), "version": b.editor.versions[path]}, "added": caused[path], "removed": []any{}}); err != nil {
				return t, err
			}
		}
	}
	o, err := b.editor.nextEdit(in, at)
	if err != nil {
		return t, err
	}
	verdict := "nothing"
	if o != nil {
		t.jumps = 1
		if !o.jump {
			t.offered = 1
		}
		if verdict, err = b.judge(o, before, after, caused); err != nil {
			return t, err
		}
	}
	switch verdict {
	case "right":
		t.landed, t.right = 1, 1
	case "wrong":
		t.landed = 1
	}
	if verbose && verdict != "right" {
		b.print(p, caused, o, verdict)
	}
	return t, nil
}

func (b *breaker) print(p plant, caused map[string][]problem, o *shownEdit, verdict string) {
	fmt.Printf("  %s: %s in %s: typed %q at line %d\n", verdict, p.kind, p.path, p.typed.New, 1+strings.Count(p.opened[p.path][:p.typed.Start], "\n"))
	for path, list := range caused {
		for _, e := range list[:min(len(list), 2)] {
			fmt.Printf("    %s:%d: %s\n", path, e.Range.Start.Line+1, strings.ReplaceAll(e.Message, "\n", " "))
		}
	}
	if o != nil {
		text, _ := b.editor.text(o.path) // it was read before
		fmt.Printf("    offered %s:%d: %q -> %q\n", o.path, 1+strings.Count(text[:o.start], "\n"), text[o.start:o.end], o.text)
	}
}

// judged are the errors of documents with some texts.
func (b *breaker) judged(texts map[string]string) (map[string][]problem, error) {
	for path, text := range texts {
		if err := b.compiler.set(path, text); err != nil {
			return nil, err
		}
	}
	out := map[string][]problem{}
	for path := range texts {
		list, err := b.compiler.errors(path)
		if err != nil {
			return nil, err
		}
		out[path] = list
	}
	return out, nil
}

// correct adds the argument to the first call that the compiler reports, and returns the
// place behind it. It is false where there is none, or nothing is left to correct.
func (p *plant) correct(texts map[string]string, before, after map[string][]problem) (path string, at int, ok bool) {
	calls := 0
	for _, file := range slices.Sorted(maps.Keys(after)) {
		lines := map[int]bool{}
		for _, e := range appeared(before[file], after[file]) {
			for line := e.Range.Start.Line; line <= e.Range.End.Line; line++ {
				lines[line] = true
			}
		}
		text := texts[file]
		for from := 0; ; {
			i := strings.Index(text[from:], p.call+"(")
			if i < 0 {
				break
			}
			from += i + len(p.call)
			args, end, readable := listAt(text, from)
			if !lines[strings.Count(text[:from], "\n")] || !readable || declared(text, from, end) {
				continue // an override that no longer fits is reported too
			}
			if calls++; calls > 1 {
				continue
			}
			value := p.value
			if len(args) > 0 {
				value = ", " + value
			}
			path, at = file, end-1+len(value)
			texts[file] = text[:end-1] + value + text[end-1:]
		}
	}
	return path, at, calls > 1
}

// declared reports whether a name with a list of parameters or arguments between two places is
// declared there, not called.
func declared(text string, at, end int) bool {
	line := strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	after := strings.TrimLeft(text[end:], " \t")
	return strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "def ") || strings.HasPrefix(line, "async def ") ||
		strings.Contains(line, "function ") || !strings.ContainsAny(line, "=.(") && (strings.HasPrefix(after, "{") || strings.HasPrefix(after, ": "))
}

// judge applies an offer and lets the compiler judge: "right" if errors that the break
// caused are gone and none came that the file did not have before; "wrong" if it is about a broken line, else "elsewhere".
func (b *breaker) judge(o *shownEdit, before, after, caused map[string][]problem) (string, error) {
	text, err := b.editor.text(o.path)
	if err != nil {
		return "", err
	}
	if _, open := after[o.path]; !open { // what the break did there is not known yet
		list, err := b.judged(map[string]string{o.path: text})
		if err != nil {
			return "", err
		}
		after[o.path], caused[o.path] = list[o.path], list[o.path]
	}
	now, err := b.judged(map[string]string{o.path: o.applied(text)})
	if err != nil {
		return "", err
	}
	if len(appeared(before[o.path], now[o.path])) < len(appeared(before[o.path], after[o.path])) && len(appeared(append(slices.Clone(before[o.path]), after[o.path]...), now[o.path])) == 0 {
		return "right", nil
	}
	first, last := strings.Count(text[:o.start], "\n"), strings.Count(text[:o.end], "\n")
	if slices.ContainsFunc(caused[o.path], func(e problem) bool { return e.Range.Start.Line <= last && e.Range.End.Line >= first }) {
		return "wrong", nil
	}
	return "elsewhere", nil
}
