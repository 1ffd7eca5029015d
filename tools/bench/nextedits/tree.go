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

// blobs reads the files of a revision that are wanted. A file whose content the
// repository lacks, as partial mirrors do, is in missing.
func blobs(root, revision string, want func(path string, size int) bool) (texts map[string]string, missing []string, err error) {
	list, err := git(root, "ls-tree", "-r", "-l", "-z", revision)
	if err != nil {
		return nil, nil, err
	}
	var asked bytes.Buffer
	var paths []string
	for entry := range strings.SplitSeq(string(list), "\x00") {
		head, path, ok := strings.Cut(entry, "\t")
		f := strings.Fields(head) // mode, type, object, size
		if !ok || len(f) != 4 || !strings.HasPrefix(f[0], "100") {
			continue
		}
		size, err := strconv.Atoi(f[3])
		if err != nil {
			missing = append(missing, path)
		} else if want(path, size) {
			fmt.Fprintln(&asked, f[2])
			paths = append(paths, path)
		}
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
	for r := bufio.NewReader(bytes.NewReader(out)); len(paths) > 0; paths = paths[1:] {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, nil, fmt.Errorf("git cat-file ended before %s: %w", paths[0], err)
		}
		f := strings.Fields(line) // object, type, size
		if len(f) != 3 {
			missing = append(missing, paths[0])
			continue
		}
		size, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, nil, fmt.Errorf("git cat-file said %q of %s: %w", line, paths[0], err)
		}
		body := make([]byte, size+1)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, nil, err
		}
		texts[paths[0]] = string(body[:size])
	}
	return texts, missing, nil
}

// treeAt reads the source files of a revision.
func treeAt(root, revision string) (*memory, error) {
	texts, _, err := blobs(root, revision, func(path string, size int) bool {
		return size <= maxFileBytes && (language.OfFile(path) != "" || filepath.Base(path) == "go.mod")
	})
	if err != nil {
		return nil, err
	}
	m := &memory{root: root, texts: texts}
	var list []index.Change
	for path, text := range texts {
		list = append(list, index.Change{Path: path, Text: text, ModTime: time.Unix(1, 0)})
	}
	m.ix = index.New().With(list...)
	return m, nil
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
