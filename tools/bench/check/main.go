// Command check measures `tandem check` on clones with history: what it says of real commits,
// of whole trees, and of the states between the files of a commit (its agents' hooks).
//
// Invariant: what is measured is the program, run as a user runs it, on code that people
// committed: every finding is printed for somebody to judge, none is judged here.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
	"tandem/tools/client"
)

// A bench runs the program in one work tree after the other.
type bench struct {
	program, work string
	commits       int
	random        *rand.Rand
	ran           map[string]*counted // by what was run
}

// counted are what runs of one kind gave.
type counted struct {
	runs, lines, errors, warnings, withError, withWarning, spoke int
	took, ran                                                    []time.Duration // by the clock, and processor time
}

// mostCommits is how far back commits are drawn.
const mostCommits = 1500

// edited is how many files are edited to measure the time that it takes.
const edited = 20

func main() {
	b := &bench{ran: map[string]*counted{}}
	flag.StringVar(&b.program, "program", "bin/tandem", "the program")
	flag.StringVar(&b.work, "work", filepath.Join(os.TempDir(), "tandem-check"), "folder for work trees, in no other project: a go.mod above would be theirs")
	flag.IntVar(&b.commits, "commits", 50, "commits of each clone")
	parts := flag.String("parts", "commits,whole,hooks,speed", "what to measure")
	seed := flag.Uint64("seed", 1, "of the samples")
	flag.Parse()
	b.random = rand.New(rand.NewPCG(*seed, 1))
	var err error
	if b.work, err = filepath.Abs(b.work); err == nil { // without the packages of this machine
		err = exec.Command("python3", "-m", "venv", "--without-pip", filepath.Join(b.work, "python")).Run()
	}
	if err == nil {
		b.program, err = filepath.Abs(b.program)
	}
	if err == nil {
		for _, dir := range flag.Args() {
			if err = b.measure(context.Background(), dir, strings.Split(*parts, ",")); err != nil {
				break
			}
		}
	}
	b.print()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (b *bench) measure(ctx context.Context, dir string, parts []string) error {
	c, err := clones.OpenClone(ctx, dir)
	if err != nil {
		return err
	}
	defer c.Close()
	name := filepath.Base(filepath.Dir(dir)) + "/" + c.Name
	at, err := filepath.Abs(filepath.Join(b.work, strings.ReplaceAll(name, "/", "+")))
	if err != nil {
		return err
	}
	defer os.RemoveAll(at)
	tree, err := clones.NewCheckout(ctx, c, at)
	if err != nil {
		return err
	}
	list, err := clones.History(ctx, c, mostCommits)
	if err != nil {
		return err
	}
	for _, installed := range []string{"node_modules", ".venv"} { // in the clone, beside what is committed
		if from, err := filepath.Abs(filepath.Join(dir, installed)); err == nil && exists(from) {
			if err := os.Symlink(from, filepath.Join(at, installed)); err != nil {
				return err
			}
		}
	}
	if slices.Contains(parts, "speed") {
		if err := tree.Move(ctx, list[0].Hash); err != nil {
			return err
		}
		if err := b.speed(tree, name); err != nil {
			return err
		}
	}
	if slices.Contains(parts, "whole") {
		if err := b.whole(ctx, tree, list[0], name); err != nil {
			return err
		}
	}
	b.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), b.commits)]
	slices.SortFunc(list, func(x, y clones.Commit) int { return y.At - x.At }) // near trees follow each other
	for _, commit := range list {
		changed, err := c.Git(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", commit.Parent, commit.Hash)
		files := slices.DeleteFunc(clones.SplitZero(changed), func(p string) bool { return clones.LanguageOf(p) == "" })
		if err != nil || len(files) == 0 {
			continue // an object is missing, or there is nothing to check
		}
		if slices.Contains(parts, "commits") {
			if err := tree.Move(ctx, commit.Hash); err != nil {
				return err
			}
			b.findings("commits", name+" "+commit.Hash[:10], tree.Dir, "check", "--json", "--diff", commit.Parent)
		}
		if slices.Contains(parts, "hooks") && len(files) > 1 && len(files) < 30 {
			if err := b.replay(ctx, c, tree, commit, files, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// whole checks all files of a commit.
func (b *bench) whole(ctx context.Context, tree *clones.Checkout, commit clones.Commit, name string) error {
	if err := tree.Move(ctx, commit.Hash); err != nil {
		return err
	}
	_, lines, err := sources(tree.Dir)
	b.findings("whole", name, tree.Dir, "check", "--json", ".").lines += lines
	return err
}

// sources are the files of code in a folder, and how many lines they have.
func sources(dir string) (files []string, lines int, err error) {
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && clones.LanguageOf(path) != "" {
			text, _ := os.ReadFile(path)
			files, lines = append(files, path), lines+bytes.Count(text, []byte("\n"))
		}
		return err
	})
	return files, lines, err
}

// run runs the program in a folder; its exit code is not of interest.
func (b *bench) run(part, dir, in string, args ...string) (out string, f *counted) {
	command := exec.Command(b.program, args...)
	command.Dir, command.Stdin = dir, strings.NewReader(in)
	command.Env = append(os.Environ(), "XDG_STATE_HOME="+dir+".state", "XDG_CONFIG_HOME="+dir+".config", "VIRTUAL_ENV="+filepath.Join(b.work, "python"))
	start := time.Now()
	answer, _, _, err := client.Run(command)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if f = b.ran[part]; f == nil {
		f = &counted{}
		b.ran[part] = f
	}
	f.runs++
	f.took = append(f.took, time.Since(start))
	f.ran = append(f.ran, command.ProcessState.UserTime()+command.ProcessState.SystemTime())
	return answer, f
}

// findings runs a check and prints what it finds.
func (b *bench) findings(part, what, dir string, args ...string) *counted {
	out, f := b.run(part, dir, "", args...)
	var errors, warnings int
	for line := range strings.Lines(out) {
		var finding struct{ Severity, Kind string }
		if json.Unmarshal([]byte(line), &finding) != nil || finding.Kind == "unchecked" {
			continue
		}
		if finding.Severity == "error" {
			errors++
		} else {
			warnings++
		}
		fmt.Printf("%s %s", what, line)
	}
	f.errors, f.warnings = f.errors+errors, f.warnings+warnings
	f.withError, f.withWarning = f.withError+min(errors, 1), f.withWarning+min(warnings, 1)
	return f
}

// replay writes the files of a commit one after the other, in a random order, as an agent
// does, with its events; what the hook says of right code is false.
func (b *bench) replay(ctx context.Context, c *clones.Clone, tree *clones.Checkout, commit clones.Commit, files []string, name string) error {
	if err := tree.Move(ctx, commit.Parent); err != nil {
		return err
	}
	event := func(part string, more map[string]any) {
		all := map[string]any{"session_id": commit.Hash, "cwd": tree.Dir, "stop_hook_active": false}
		for k, v := range more {
			all[k] = v
		}
		in, _ := json.Marshal(all)
		out, f := b.run(part, tree.Dir, string(in), "check", "--hook", "claude")
		if strings.TrimSpace(out) != "" {
			f.spoke++
			fmt.Printf("%s %s %s %s", name, commit.Hash[:10], part, out)
		}
	}
	b.random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, file := range files {
		text, ok, err := c.Read(commit.Hash + ":" + file)
		if err != nil {
			return err
		}
		path := filepath.Join(tree.Dir, filepath.FromSlash(file))
		before, _ := os.ReadFile(path)
		if !ok {
			_ = os.Remove(path) // an agent's shell does, without an event
			continue
		}
		if err := client.Write(path, text); err != nil {
			return err
		}
		input := map[string]any{"file_path": path, "content": text}
		tool := "Write"
		if len(before) > 0 {
			tool, input = "Edit", map[string]any{"file_path": path, "old_string": string(before), "new_string": text}
		}
		event("after edit", map[string]any{"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": input})
	}
	event("stop", map[string]any{"hook_event_name": "Stop"})
	return tree.Move(ctx, commit.Hash)
}

// speed edits one file after the other of the latest tree, in sessions of their own: with
// nothing that is kept of the workspace, and with it.
func (b *bench) speed(tree *clones.Checkout, name string) error {
	files, lines, err := sources(tree.Dir)
	if err != nil {
		return err
	}
	for i := range min(edited, len(files)) {
		path := files[b.random.IntN(len(files))]
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, state := range []string{"cold", "kept"} {
			if state == "cold" {
				if err := os.RemoveAll(tree.Dir + ".state"); err != nil {
					return err
				}
			}
			in, _ := json.Marshal(map[string]any{"session_id": fmt.Sprint(state, i), "cwd": tree.Dir, "hook_event_name": "PostToolUse",
				"tool_name": "Write", "tool_input": map[string]any{"file_path": path, "content": string(text)}})
			b.run(fmt.Sprintf("one edit in %d lines of %s, %s", lines, name, state), tree.Dir, string(in), "check", "--hook", "claude")
		}
	}
	return nil
}

func (b *bench) print() {
	for _, part := range slices.Sorted(maps.Keys(b.ran)) {
		f := b.ran[part]
		var cpu time.Duration
		for _, ran := range f.ran {
			cpu += ran
		}
		fmt.Fprintf(os.Stderr, "%s: %d runs, %d errors in %d, %d warnings in %d, spoke in %d; CPU %.1f s", part, f.runs, f.errors, f.withError, f.warnings, f.withWarning, f.spoke, cpu.Seconds())
		if f.lines > 0 {
			fmt.Fprintf(os.Stderr, ", %d lines: %.3f findings a 1,000, %.1f s a 100,000", f.lines, 1e3*float64(f.errors+f.warnings)/float64(f.lines), 1e5*cpu.Seconds()/float64(f.lines))
		}
		for _, times := range [][]time.Duration{f.ran, f.took} {
			fmt.Fprintf(os.Stderr, "; p50 %v, p95 %v", figures.Percentile(times, 50).Round(time.Millisecond), figures.Percentile(times, 95).Round(time.Millisecond))
		}
		fmt.Fprintln(os.Stderr, " (processor; clock)")
	}
}
