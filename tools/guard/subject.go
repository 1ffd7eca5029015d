package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"tandem/tools/bench/clones"
	"tandem/tools/client"
)

// How much is asked about each tree.
const (
	windowRequests = 110
	plantedFiles   = 40
	patchedFiles   = 12
)

// A subject is a tree that both programs are asked about.
type subject struct {
	name, dir, revision string
	files               []file // source code, in the order of their paths
}

type file struct{ path, text string }

// asked is who is asked, and where it keeps what it keeps.
type asked struct{ program, home string }

// newSubject checks a revision of a clone out, and makes its twin with faults.
func newSubject(ctx context.Context, c *clones.Clone, dir, revision string) (subject, error) {
	s := subject{name: filepath.Base(dir), dir: dir}
	commit, err := c.Git(ctx, "rev-parse", revision+"^{commit}")
	if err != nil {
		return s, err
	}
	s.revision = strings.TrimSpace(string(commit))
	objects, err := c.Objects(ctx, revision)
	if err != nil {
		return s, err
	}
	for _, o := range objects {
		if clones.LanguageOf(o.Path) == "" || o.Size < 200 || o.Size > 100_000 {
			continue
		}
		text, ok, err := c.Read(o.Name)
		if err != nil {
			return s, err
		}
		if ok && clones.Written(o.Path, text) {
			s.files = append(s.files, file{o.Path, text})
		}
	}
	if len(s.files) == 0 {
		return s, fmt.Errorf("%s has no source code", c.Dir)
	}
	if _, err := os.Stat(filepath.Join(s.twin(), ".git", "HEAD")); err == nil {
		return s, nil
	}
	for _, dir := range []string{s.dir, s.twin()} {
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return s, err
		}
		k, err := clones.NewCheckout(ctx, c, dir)
		if err != nil {
			return s, err
		}
		if err := k.Move(ctx, s.revision); err != nil {
			return s, err
		}
	}
	for _, f := range s.faulty() {
		if err := os.WriteFile(filepath.Join(s.twin(), filepath.FromSlash(f.path)), []byte(f.text), 0o644); err != nil {
			return s, err
		}
	}
	return s, nil
}

// twin is the folder of the same tree with faults.
func (s *subject) twin() string {
	return filepath.Join(filepath.Dir(filepath.Dir(s.dir)), "faulty", s.name)
}

// random is the same for the same purpose at each run.
func (s *subject) random(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(1, purpose)) }

// draw draws n files.
func (s *subject) draw(random *rand.Rand, n int) []file {
	order := random.Perm(len(s.files))
	out := make([]file, 0, n)
	for _, i := range order[:min(n, len(order))] {
		out = append(out, s.files[i])
	}
	return out
}

// A windowRequest is a line for tandem window --jsonl.
type windowRequest struct {
	clones.Request
	Open []string `json:"open,omitempty"`
}

var (
	purposes = []string{"complete", "next_edit", "edit", "fix", "document", "test", "ask", "explain", "debug", "review", "plan", "step"}
	budgets  = []int{0, 3000, 1000, 256, 8000, 32000}
)

// windows asks for windows: every purpose and budget, with and without words, open documents
// and a text in place of the file's.
func (s *subject) windows(ctx context.Context, who asked, out answers) error {
	random := s.random(1)
	var in bytes.Buffer
	requests := json.NewEncoder(&in)
	for i := range windowRequests {
		f := s.files[random.IntN(len(s.files))]
		lines := strings.Split(f.text, "\n")
		r := windowRequest{Request: clones.Request{File: f.path, Line: 1 + random.IntN(len(lines)), Budget: budgets[i%len(budgets)], Purpose: purposes[i/2%len(purposes)], Text: true}}
		r.Column = 1 + random.IntN(len(lines[r.Line-1])+1)
		if i%2 == 1 { // half of them complete, as users do most
			r.Purpose = "complete"
		}
		if i%3 == 1 {
			lines[r.Line-1] = lines[r.Line-1][:r.Column-1]
			r.Overlay = map[string]string{f.path: strings.Join(lines, "\n")}
		}
		if i%4 == 2 {
			for _, other := range s.draw(random, 3) {
				r.Open = append(r.Open, other.path)
			}
		}
		if i%5 == 3 {
			r.Words = s.words(random, f)
		}
		if i%10 == 8 {
			r.Words, r.File, r.Line, r.Column, r.Purpose, r.Overlay = s.words(random, f), "", 0, 0, "ask", nil
		}
		r.ID = fmt.Sprintf("%s %d %s:%d:%d %s", s.name, i, r.File, r.Line, r.Column, r.Purpose)
		if err := requests.Encode(r); err != nil {
			return err
		}
	}
	said, _, err := who.run(ctx, s.dir, &in, "window", "--jsonl")
	return errors.Join(err, out.lines("window ", said))
}

// words are a question about something of a file.
func (s *subject) words(random *rand.Rand, f file) string {
	name := filepath.Base(f.path)
	if list := clones.Definitions(f.path, f.text); len(list) > 0 {
		name = list[random.IntN(len(list))].Name
	}
	forms := []string{"what does %s do", "%s fails, why", "rename %s and what uses it", "where is %s used"}
	return fmt.Sprintf(forms[random.IntN(len(forms))], name)
}

// faulty are files with a name that nobody declares, without a definition, or with a bracket
// that is not closed.
func (s *subject) faulty() []file {
	random := s.random(2)
	var out []file
	for i, f := range s.draw(random, plantedFiles) {
		lines := strings.SplitAfter(f.text, "\n")
		names := clones.Names(f.path, f.text, 0)
		list := clones.Definitions(f.path, f.text)
		switch {
		case i%4 == 3 && len(list) > 0:
			d := list[random.IntN(len(list))]
			lines = slices.Delete(lines, d.First, d.Last)
		case i%8 == 5:
			at := random.IntN(len(lines))
			lines[at] = "(" + lines[at]
		default:
			for range 3 {
				at := random.IntN(len(names))
				if at < len(lines) && len(names[at]) > 0 {
					name := names[at][random.IntN(len(names[at]))]
					lines[at] = strings.Replace(lines[at], name, name+"Gone", 1)
				}
			}
		}
		out = append(out, file{f.path, strings.Join(lines, "")})
	}
	return out
}

// checks asks what is found: in all that the twin changes, in two of its folders whole, and
// in patches.
func (s *subject) checks(ctx context.Context, who asked, out answers) error {
	changed := s.faulty()
	err := errors.Join(s.check(ctx, who, out, "changes", s.twin(), nil, "--diff", "HEAD", "-v"),
		s.check(ctx, who, out, "first folder", s.twin(), nil, filepath.Dir(changed[0].path)),
		s.check(ctx, who, out, "last folder", s.twin(), nil, filepath.Dir(changed[len(changed)-1].path)))
	patch, problem := clones.Git(ctx, s.twin(), "diff", "--no-color", "--no-ext-diff", "HEAD")
	err = errors.Join(err, problem)
	parts := strings.SplitAfter("\n"+string(patch), "\ndiff --git ")[1:]
	for i, part := range parts[:min(patchedFiles, len(parts))] {
		in := bytes.NewBufferString("diff --git " + strings.TrimSuffix(part, "diff --git "))
		err = errors.Join(err, s.check(ctx, who, out, fmt.Sprintf("patch %d", i), s.dir, in))
	}
	return err
}

// check runs one check in a folder. The findings in each file are an answer, so that a
// difference says where it is.
func (s *subject) check(ctx context.Context, who asked, out answers, name, dir string, in *bytes.Buffer, args ...string) error {
	said, code, err := who.run(ctx, dir, in, append([]string{"check", "--json"}, args...)...)
	if err != nil {
		return err
	}
	found := map[string][]json.RawMessage{}
	for line := range bytes.Lines(said) {
		var finding struct{ Path string }
		if err := json.Unmarshal(line, &finding); err != nil {
			return fmt.Errorf("check says %q: %w", line, err)
		}
		found[finding.Path] = append(found[finding.Path], bytes.TrimSpace(line))
	}
	out[fmt.Sprintf("check %s %s", s.name, name)] = fmt.Appendf(nil, `{"exit":%d,"files":%d}`, code, len(found))
	for path, findings := range found {
		body, err := json.Marshal(map[string]any{"findings": findings})
		if err != nil {
			return err
		}
		out[fmt.Sprintf("check %s %s %s", s.name, name, path)] = body
	}
	return nil
}

// applied has answers in every format applied, whole and in pieces: those of testdata/edits.
// Other trees have none.
func (s *subject) applied(ctx context.Context, who asked, out answers) error {
	cases, err := filepath.Glob(filepath.Join(s.dir, "testdata", "edits", "*.txtar"))
	if err != nil || len(cases) == 0 {
		return err
	}
	var in bytes.Buffer
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			return err
		}
		if err := requests(json.NewEncoder(&in), strings.TrimSuffix(filepath.Base(name), ".txtar"), archive); err != nil {
			return err
		}
	}
	said, _, err := who.run(ctx, s.dir, &in, "apply", "--jsonl")
	return errors.Join(err, out.lines("apply ", said))
}

// requests writes the cases of an archive as requests: ID/answer and ID/before/PATH.
func requests(to *json.Encoder, name string, archive *txtar.Archive) error {
	format, _, _ := strings.Cut(strings.TrimPrefix(string(archive.Comment), "format: "), "\n")
	type request struct {
		ID     string            `json:"id"`
		Format string            `json:"format"`
		Before map[string]string `json:"before"`
		Patch  string            `json:"patch"`
		Chunks []int             `json:"chunks,omitempty"`
	}
	var all []*request
	byID := map[string]*request{}
	for _, f := range archive.Files {
		id, part, _ := strings.Cut(f.Name, "/")
		if byID[id] == nil {
			byID[id] = &request{ID: id, Before: map[string]string{}}
			all = append(all, byID[id])
		}
		if path, ok := strings.CutPrefix(part, "before/"); ok {
			path, crlf := strings.CutSuffix(path, " (crlf)")
			byID[id].Before[path] = string(f.Data)
			if crlf {
				byID[id].Before[path] = strings.ReplaceAll(string(f.Data), "\n", "\r\n")
			}
		} else if part == "answer" {
			byID[id].Patch = string(f.Data)
		}
	}
	for _, r := range all {
		whole, parse, pieces := *r, *r, *r
		whole.ID, whole.Format = name+" "+r.ID, format
		parse.ID, parse.Format = whole.ID+" parse", "parse"
		pieces.ID, pieces.Format, pieces.Chunks = whole.ID+" in pieces", format, []int{7, 1, 19, 3, 40}
		if err := errors.Join(to.Encode(whole), to.Encode(parse), to.Encode(pieces)); err != nil {
			return err
		}
	}
	return nil
}

// run runs the program in a folder, without a model and a network. That it ends with a code of
// its own is no failure.
func (a asked) run(ctx context.Context, dir string, in *bytes.Buffer, args ...string) (said []byte, code int, err error) {
	command := exec.CommandContext(ctx, a.program, append([]string{"--offline", "--workspace", dir}, args...)...)
	command.Dir, command.Env = dir, client.Home(a.home)
	if in != nil {
		command.Stdin = in
	}
	out, problems, code, err := client.Run(command)
	if err != nil || code < 0 {
		err = fmt.Errorf("tandem %s: %w: %s", args[0], err, problems)
	}
	return []byte(out), code, err
}
