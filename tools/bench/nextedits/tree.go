package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// An object is a file of a revision.
type object struct {
	path, name string
	size       int // bytes; -1: the repository lacks it
}

// objects lists the regular files of a revision.
func objects(root, revision string) (out []object, err error) {
	list, err := git(root, "ls-tree", "-r", "-l", "-z", revision)
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(list), "\x00") {
		head, path, ok := strings.Cut(entry, "\t")
		f := strings.Fields(head) // mode, type, object, size
		if !ok || len(f) != 4 || !strings.HasPrefix(f[0], "100") {
			continue
		}
		size, err := strconv.Atoi(f[3])
		if err != nil {
			size = -1
		}
		out = append(out, object{path, f[2], size})
	}
	return out, nil
}

// blobs reads the files of a revision that are wanted. A file whose content the
// repository lacks, as partial mirrors do, is in missing.
func blobs(root, revision string, want func(path string, size int) bool) (texts map[string]string, missing []string, err error) {
	all, err := objects(root, revision)
	if err != nil {
		return nil, nil, err
	}
	var wanted []object
	for _, o := range all {
		if o.size < 0 {
			missing = append(missing, o.path)
		} else if want(o.path, o.size) {
			wanted = append(wanted, o)
		}
	}
	texts, lacking, err := contents(root, wanted)
	return texts, append(missing, lacking...), err
}

// contents reads objects, by path; missing are those that the repository lacks.
func contents(root string, wanted []object) (texts map[string]string, missing []string, err error) {
	var asked bytes.Buffer
	for _, o := range wanted {
		fmt.Fprintln(&asked, o.name)
	}
	c := exec.Command("git", "-C", root, "cat-file", "--batch")
	var failed bytes.Buffer
	c.Env = withoutFetching()
	c.Stdin, c.Stderr = &asked, &failed
	out, err := c.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("git cat-file: %w: %s", err, failed.String())
	}
	texts = map[string]string{}
	r := bufio.NewReader(bytes.NewReader(out))
	for _, o := range wanted {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, nil, fmt.Errorf("git cat-file ended before %s: %w", o.path, err)
		}
		f := strings.Fields(line) // object, type, size
		if len(f) != 3 {
			missing = append(missing, o.path)
			continue
		}
		size, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, nil, fmt.Errorf("git cat-file said %q of %s: %w", line, o.path, err)
		}
		body := make([]byte, size+1)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, nil, err
		}
		texts[o.path] = string(body[:size])
	}
	return texts, missing, nil
}

// moveTo makes a memory the source files of a revision, without edits. Most of them are
// those of the revision before.
func (m *memory) moveTo(revision string) error {
	all, err := objects(m.root, revision)
	if err != nil {
		return err
	}
	var wanted []object
	there := map[string]bool{}
	for _, o := range all {
		if o.size < 0 || o.size > maxFileBytes || language.OfFile(o.path) == "" && filepath.Base(o.path) != "go.mod" {
			continue
		}
		there[o.path] = true
		if m.names[o.path] != o.name {
			wanted = append(wanted, o)
		}
	}
	texts, missing, err := contents(m.root, wanted)
	if err != nil {
		return err
	}
	for _, path := range missing {
		there[path] = false
	}
	var list []index.Change
	for path := range m.texts {
		if !there[path] {
			delete(m.texts, path)
			delete(m.names, path)
			list = append(list, index.Change{Path: path, Removed: true})
		}
	}
	for _, o := range wanted {
		if text, ok := texts[o.path]; ok {
			m.texts[o.path], m.names[o.path] = text, o.name
			list = append(list, index.Change{Path: o.path, Text: text, ModTime: time.Unix(1, 0)})
		}
	}
	m.ix, m.recent = m.ix.With(list...), nil
	return nil
}

// treeAt reads the source files of a revision.
func treeAt(root, revision string) (*memory, error) {
	m := newMemory(root)
	return m, m.moveTo(revision)
}

// checkOut writes the files of the newest revision into a folder, and says which the
// repository lacks.
func checkOut(root, dir string) error {
	texts, missing, err := blobs(root, "HEAD", func(string, int) bool { return true })
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		fmt.Printf("%-12s is checked out without %s, which the repository lacks\n", filepath.Base(root), strings.Join(missing, ", "))
	}
	for path, text := range texts {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// checkOutFor writes the files of the newest revision into a folder, configured so that the
// compiler of a language has them in one project, tests too, which projects often leave to
// their test runner.
func checkOutFor(lang, root, dir string) error {
	if err := checkOut(root, dir); err != nil {
		return err
	}
	config := filepath.Join(dir, "tsconfig.json")
	switch own, err := os.ReadFile(config); {
	case lang == "python":
		return os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), []byte(`{"include": ["."], "extraPaths": ["src", "."]}`), 0o600)
	case lang == "typescript" && err == nil:
		base := "tsconfig.own.json"
		if err := os.Rename(config, filepath.Join(dir, base)); err != nil {
			return err
		}
		const options = "tsconfig.base.json"
		if _, err := os.Stat(filepath.Join(dir, options)); err == nil && strings.Contains(string(own), `"files": []`) {
			base = options // the own one only lists projects
		}
		return os.WriteFile(config, fmt.Appendf(nil, `{"extends": "./%s", "include": ["**/*"], "exclude": ["node_modules"]}`, base), 0o600)
	}
	return nil
}
