package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A tag is one definition that universal-ctags found. Lines count from 1.
type tag struct {
	name, path, kind string
	line, end        int
}

// A tree is a source tree with its tags and its files' lines.
type tree struct {
	root   string
	plain  bool // every tag of ctags is a definition, for files of any language
	byName map[string][]tag
	inFile map[string]map[string]bool // path -> names defined there
	files  []string                   // that have tags, in order
	lines  map[string][]string        // read when first needed
}

// readTree runs ctags over a folder. The plain reading treats every tag as a
// definition; otherwise tags that define nothing are left out.
func readTree(root string, plain bool) (*tree, error) {
	cmd := exec.Command("ctags", "-R", "--fields=+neK", "--excmd=number", "-f", "-", ".")
	cmd.Dir = root
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("universal-ctags is the oracle for definitions, install it: %w", err)
	}
	t := &tree{root: root, plain: plain, byName: map[string][]tag{}, inFile: map[string]map[string]bool{}, lines: map[string][]string{}}
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		t.add(parseTag(scanner.Text()))
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return t, cmd.Wait()
}

func (t *tree) add(g tag) {
	if g.name == "" || g.line == 0 || !t.plain && t.leftOut(g) {
		return
	}
	if t.inFile[g.path] == nil {
		t.inFile[g.path] = map[string]bool{}
		t.files = append(t.files, g.path)
	}
	t.inFile[g.path][g.name] = true
	t.byName[g.name] = append(t.byName[g.name], g)
}

// leftOut reports whether a tag names something that is defined elsewhere, is not
// program code, or is visible only inside a function.
func (t *tree) leftOut(g tag) bool {
	return g.name == "_" || notDefining[g.kind] || !slices.Contains(languages, path.Ext(g.path)) || t.local(g)
}

// local reports whether ctags lists a constant or variable inside a function of a
// script: most are locals, many are type parameters or no definition at all.
func (t *tree) local(g tag) bool {
	ext := path.Ext(g.path)
	if g.kind != "constant" && g.kind != "variable" && g.kind != "alias" || !strings.HasPrefix(ext, ".ts") && !strings.HasPrefix(ext, ".js") {
		return false
	}
	lines := t.text(g.path)
	return g.line > len(lines) || strings.TrimLeft(lines[g.line-1], " \t") != lines[g.line-1]
}

// notDefining are kinds that name something defined elsewhere, or nothing.
var notDefining = map[string]bool{"package": true, "packageName": true, "unknown": true, "namespace": true, "module": true, "implementation": true, "header": true, "anonMember": true}

// parseTag reads a line of extended ctags format. It returns the zero tag if the
// line holds none.
func parseTag(line string) tag {
	fields := strings.Split(line, "\t")
	if len(fields) < 4 || strings.HasPrefix(line, "!_") {
		return tag{}
	}
	g := tag{name: fields[0], path: filepath.ToSlash(filepath.Clean(fields[1])), kind: fields[3]}
	for _, field := range fields[4:] {
		if n, ok := strings.CutPrefix(field, "line:"); ok {
			g.line, _ = strconv.Atoi(n)
		}
		if n, ok := strings.CutPrefix(field, "end:"); ok {
			g.end, _ = strconv.Atoi(n)
		}
	}
	if g.end == 0 {
		g.end = g.line
	}
	return g
}

// text returns a file's lines without their ends; nil if it cannot be read.
func (t *tree) text(path string) []string {
	if lines, ok := t.lines[path]; ok {
		return lines
	}
	data, err := os.ReadFile(filepath.Join(t.root, path))
	var lines []string
	if err == nil {
		lines = strings.Split(string(data), "\n")
	}
	t.lines[path] = lines
	return lines
}

// usable returns the last line that a window must contain for a definition to be
// useful: the end of a type's first 12 lines, or of a signature.
func (t *tree) usable(g tag) int {
	switch g.kind {
	case "struct", "interface", "class", "enum", "trait", "type", "union", "implementation":
		return min(g.end, g.line+11)
	}
	lines, depth := t.text(g.path), 0
	for at := g.line; at <= len(lines) && at < g.line+40; at++ {
		depth += strings.Count(lines[at-1], "(") - strings.Count(lines[at-1], ")")
		if depth <= 0 {
			return at
		}
	}
	return g.line
}
