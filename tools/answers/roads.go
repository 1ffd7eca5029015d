package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A road is one way by which an answer is written.
type road struct {
	name  string
	whole bool // the model is asked about the file, and not about a part of it
	take  func(u *user, a *answer) (said string, err error)
}

var ways = []road{
	{"edit", false, (*user).print},
	{"edit --write", false, func(u *user, a *answer) (string, error) {
		_, said, _, err := u.run(a.format, "edit", a.marked(), instruction, "--write")
		return said, err
	}},
	{"editor", false, (*user).inEditor},
	{"task", true, func(u *user, a *answer) (string, error) {
		_, said, _, err := u.run(a.format, "edit", a.path, instruction, "--deep", "--write", "--yes")
		return said, err
	}},
}

// try has an answer taken by a road, and returns the text on disk and what was said.
func (u *user) try(r road, a *answer) (got, said string, err error) {
	name := filepath.Join(u.workspace, a.path)
	if err := os.WriteFile(name, []byte(a.disk(a.lines)), 0o600); err != nil {
		return "", "", err
	}
	defer os.Remove(name)
	u.says(a.path, a.text)
	if said, err = r.take(u, a); err != nil {
		return "", said, err
	}
	data, err := os.ReadFile(name)
	return string(data), said, err
}

func (a *answer) marked() string { return fmt.Sprintf("%s:%d-%d", a.path, a.from+1, a.to) }

// print has the change printed, which must write nothing, and git apply it.
func (u *user) print(a *answer) (string, error) {
	diff, said, _, err := u.run(a.format, "edit", a.marked(), instruction)
	if err != nil {
		return said, err
	}
	if now, err := os.ReadFile(filepath.Join(u.workspace, a.path)); err != nil || string(now) != a.disk(a.lines) {
		return said, fmt.Errorf("a change that was printed only is written: %w", err)
	}
	if diff == "" {
		return said, nil
	}
	c := exec.Command("git", "apply", "--unidiff-zero", "-")
	c.Dir, c.Stdin = u.workspace, strings.NewReader(diff)
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(u.workspace))
	if out, err := c.CombinedOutput(); err != nil {
		return said, fmt.Errorf("git apply: %w\n%s\n%s", err, out, diff)
	}
	return said, nil
}

// inEditor has the marked function edited in an editor, accepts and saves.
func (u *user) inEditor(a *answer) (string, error) {
	e := u.editors[a.format]
	if e == nil {
		var err error
		if e, err = u.editor(a.format); err != nil {
			return "", err
		}
		u.editors[a.format] = e
	}
	got, refused, err := e.edit(a.path, a.from, a.to)
	if err != nil {
		return "", err
	}
	return refused, os.WriteFile(filepath.Join(u.workspace, a.path), []byte(got), 0o600)
}
