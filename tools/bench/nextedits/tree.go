package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
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
