package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An event is what happens to a tree in a day.
type event struct {
	name   string
	happen func(*world) error
}

var events = []event{
	{"a branch of many files, and back", func(w *world) error {
		w.serial++
		branch := fmt.Sprint("branch", w.serial)
		return errors.Join(w.git("add -A", "commit -q --allow-empty -m rest", "checkout -q -b "+branch),
			w.change(w.branch), w.git("commit -q -a -m change", "checkout -q main", "checkout -q "+branch, "checkout -q main", "merge -q --no-edit "+branch))
	}},
	{"a save storm", func(w *world) error {
		for range 30 {
			if err := w.change(1); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	}},
	{"a name changed everywhere", func(w *world) error {
		w.serial++
		for _, path := range w.code() {
			text := w.read(path)
			if next := strings.ReplaceAll(text, "Name", fmt.Sprintf("Name%d", w.serial)); next != text {
				if err := w.write(path, next); err != nil {
					return err
				}
			}
		}
		return nil
	}},
	{"a folder moved", func(w *world) error {
		w.serial++
		for _, path := range w.some(50) {
			dir := filepath.Dir(path)
			if dir == "." || strings.Contains(dir, "moved") {
				continue
			}
			return os.Rename(filepath.Join(w.root, dir), filepath.Join(w.root, fmt.Sprint("moved", w.serial)))
		}
		return nil
	}},
	{"a rebase", func(w *world) error {
		w.serial++
		branch := fmt.Sprint("topic", w.serial)
		return errors.Join(w.git("add -A", "commit -q --allow-empty -m rest", "checkout -q -b "+branch), w.write(fmt.Sprintf("topic%d.py", w.serial), "def topic():\n    return 1\n"),
			w.git("add -A", "commit -q -m topic", "checkout -q main"), w.change(80), w.git("commit -q -a -m other", "checkout -q "+branch, "rebase -q main", "checkout -q main", "merge -q --ff-only "+branch))
	}},
	{"a stash", func(w *world) error {
		return errors.Join(w.change(70), w.git("add -A", "stash -q"), pause(), w.git("stash pop -q"))
	}},
	{"an ignore file", func(w *world) error {
		dir := filepath.Dir(w.some(1)[0])
		return errors.Join(w.write(".gitignore", dir+"/\n*.tmp\n"), pause(), w.write(".gitignore", "*.tmp\nhidden/\n.*\n"), w.write("hidden/h.py", "def hidden():\n    pass\n"))
	}},
	{"files deleted", func(w *world) error {
		for _, path := range w.some(20) {
			if err := os.Remove(filepath.Join(w.root, path)); err != nil {
				return err
			}
		}
		return nil
	}},
	{"links made and removed", func(w *world) error {
		w.serial++
		link, path := filepath.Join(w.root, fmt.Sprint("link", w.serial)), w.some(1)[0]
		if err := os.Symlink(filepath.Dir(filepath.Join(w.root, path)), link); err != nil {
			return err
		}
		rel, _ := filepath.Rel(w.root, filepath.Join(link, filepath.Base(path)))
		text := w.read(path)
		return errors.Join(w.editor.Open(rel, text), w.editor.Open(path, text), pause(), w.editor.Close(path), w.editor.Close(rel), os.Remove(link))
	}},
	{"dependencies installed", func(w *world) error {
		for i := range 300 {
			if err := w.write(fmt.Sprintf("node_modules/p%d/index.js", i), "export function installed() {}\n"); err != nil {
				return err
			}
		}
		return errors.Join(w.write("package.json", "{}\n"), w.change(3))
	}},
	{"a submodule", func(w *world) error {
		w.serial++
		inner := &world{options: w.options, Rand: w.Rand, root: filepath.Join(w.root, fmt.Sprint("sub", w.serial))}
		return errors.Join(inner.write("s.py", "def sub():\n    return 1\n"), inner.git("init -q -b main", "add -A", "commit -q -m one"), pause(),
			inner.write("s.py", "def sub_next():\n    return 2\n"), inner.git("commit -q -a -m two", "checkout -q HEAD~1", "checkout -q main"))
	}},
	{"the editor begins again", func(w *world) error {
		if err := w.editor.Quit(); err != nil {
			return err
		}
		if err := w.change(90); err != nil {
			return err
		}
		editor, err := w.start("lived")
		if err == nil {
			w.editor = editor
		}
		return err
	}},
	{"settings", func(w *world) error {
		return w.editor.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"tandem": nil}})
	}},
}

// change changes files: a definition more, one of another name, or one less.
func (w *world) change(n int) error {
	for _, path := range w.some(n) {
		text := w.read(path)
		w.serial++
		switch w.IntN(3) {
		case 0:
			text += definition(path, w.serial)
		case 1:
			text = strings.Replace(text, "return", "return ", 1)
		default:
			text = text[:strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n')+1] + definition(path, w.serial)
		}
		if err := w.write(path, text); err != nil {
			return err
		}
	}
	return nil
}

func definition(path string, n int) string {
	switch filepath.Ext(path) {
	case ".go":
		return fmt.Sprintf("\nfunc added%d(value int) int {\n\treturn value + %d\n}\n", n, n)
	case ".c", ".h":
		return fmt.Sprintf("\nint added_%d(int value)\n{\n\treturn value + %d;\n}\n", n, n)
	case ".py":
		return fmt.Sprintf("\n\ndef added_%d(value):\n    return value + %d\n", n, n)
	}
	return fmt.Sprintf("\nfunction added%d(value) {\n  return value + %d;\n}\n", n, n)
}

// pause lets a server see what is there in between.
func pause() error {
	time.Sleep(300 * time.Millisecond)
	return nil
}
