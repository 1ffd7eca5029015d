// Command guard compares what two tandems answer: windows, checks, applied answers, and the
// prompts that make real would send to a model. Whoever deletes or moves code runs it before
// and after, since the tests of a deleted part leave with it.
//
// **Invariant:** both programs get the same requests, made of the same tree by fixed seeds,
// each with a home of its own; answers are equal if they are so byte by byte, their times left
// out. Nothing is written into the repository.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/tools/bench/clones"
)

// Answers are what one program said, by the request's name.
type answers map[string]json.RawMessage

// A guard says what is compared, with what.
type guard struct {
	repository, base, program, real, repos, scratch string
	places                                          int

	dir      string // for the base
	subjects []subject
}

func main() {
	g := guard{}
	flag.StringVar(&g.repository, "repository", ".", "the `FOLDER` of tandem's repository")
	flag.StringVar(&g.base, "base", "", "compare with `REVISION` (default: where this branch left main; on main, the commit before)")
	flag.StringVar(&g.program, "tandem", "bin/tandem", "the `PROGRAM` that is compared")
	flag.StringVar(&g.real, "real", ".cache/tools/real", "the `PROGRAM` that draws places: tools/real")
	flag.StringVar(&g.repos, "repos", "", "`FOLDER` of git clones to ask in as well")
	flag.StringVar(&g.scratch, "scratch", filepath.Join(os.TempDir(), "tandem-guard"), "`FOLDER` outside the repository for trees, programs and recorded answers")
	flag.IntVar(&g.places, "places", 8, "draw `N` places of each folder of clones")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	differ, err := g.compare(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
	}
	if err != nil || differ > 0 {
		os.Exit(1)
	}
}

// compare has both programs answer everything and prints what differs.
func (g *guard) compare(ctx context.Context) (differ int, err error) {
	for _, path := range []*string{&g.repository, &g.program, &g.real, &g.scratch} {
		if *path, err = filepath.Abs(*path); err != nil {
			return 0, err
		}
	}
	if err := g.prepare(ctx); err != nil {
		return 0, err
	}
	before, err := g.recorded(ctx)
	if err != nil {
		return 0, err
	}
	after, err := g.ask(ctx, g.program, "program")
	if err != nil {
		return 0, err
	}
	ids := maps.Clone(before)
	maps.Copy(ids, after)
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if fields := differences(before[id], after[id]); len(fields) > 0 {
			differ++
			fmt.Printf("%s: %s\n", id, strings.Join(fields, ", "))
		}
	}
	fmt.Printf("%d of %d answers differ from those of %s\n", differ, len(ids), g.dir)
	return differ, nil
}

// differences names the fields in which two answers differ.
func differences(before, after json.RawMessage) (out []string) {
	switch {
	case bytes.Equal(before, after):
		return nil
	case before == nil:
		return []string{"was not answered before"}
	case after == nil:
		return []string{"is not answered any more"}
	}
	var was, is map[string]json.RawMessage
	if json.Unmarshal(before, &was) != nil || json.Unmarshal(after, &is) != nil {
		return []string{"no answer"}
	}
	fields := maps.Clone(was)
	maps.Copy(fields, is)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !bytes.Equal(was[field], is[field]) {
			out = append(out, field)
		}
	}
	return out
}

// prepare checks the revision out and builds its program, if that has not been done. Both
// programs are asked about its tree, and about the clones'.
func (g *guard) prepare(ctx context.Context) error {
	here, err := clones.OpenClone(ctx, g.repository)
	if err != nil {
		return err
	}
	defer here.Close()
	revision, err := g.revision(ctx, here)
	if err != nil {
		return err
	}
	own := fmt.Sprintf("%x", sha256.Sum256([]byte(g.repository)))[:8] // worktrees do not disturb each other
	g.dir = filepath.Join(g.scratch, own, revision[:10])
	s, err := newSubject(ctx, here, filepath.Join(g.dir, "repos", "tandem"), revision)
	if err != nil {
		return err
	}
	g.subjects = []subject{s}
	if g.repos != "" {
		list, err := clones.OpenAll(ctx, g.repos, "")
		if err != nil {
			return err
		}
		for _, c := range list {
			s, err := newSubject(ctx, c, filepath.Join(g.dir, "others", c.Name), "HEAD")
			if err != nil {
				return err
			}
			g.subjects = append(g.subjects, s)
		}
	}
	if _, err := os.Stat(g.baseProgram()); err == nil {
		return nil
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", g.baseProgram(), "./cmd/tandem")
	build.Dir, build.Stderr = s.dir, os.Stderr
	return build.Run()
}

func (g *guard) baseProgram() string { return filepath.Join(g.dir, "tandem") }

// revision is the one that answers are compared with.
func (g *guard) revision(ctx context.Context, c *clones.Clone) (string, error) {
	resolve := func(args ...string) string {
		out, _ := c.Git(ctx, args...) // no such revision is ""
		return strings.TrimSpace(string(out))
	}
	found := resolve("merge-base", "main", "HEAD")
	if g.base != "" {
		found = resolve("rev-parse", "--verify", "--quiet", g.base+"^{commit}")
	} else if found == "" || found == resolve("rev-parse", "HEAD") && resolve("status", "--porcelain", "--untracked-files=no") == "" {
		found = resolve("rev-parse", "HEAD^")
	}
	if found == "" {
		return "", fmt.Errorf("name a revision of %s to compare with: GUARD_BASE=REV", g.repository)
	}
	return found, nil
}

// recorded are the base's answers, asked for once for each set of requests: for what this
// program and the one that draws places are, and for the clones.
func (g *guard) recorded(ctx context.Context) (answers, error) {
	key := sha256.New()
	fmt.Fprintln(key, g.places)
	for _, s := range g.subjects {
		fmt.Fprintln(key, s.dir, s.revision)
	}
	self, err := os.Executable()
	for _, file := range []string{self, g.real} {
		data, problem := os.ReadFile(file)
		err = errors.Join(err, problem)
		key.Write(data)
	}
	if err != nil {
		return nil, fmt.Errorf("run make guard: %w", err)
	}
	file := filepath.Join(g.dir, fmt.Sprintf("answers-%x.json", key.Sum(nil)[:4]))
	out := answers{}
	if data, err := os.ReadFile(file); err == nil {
		return out, json.Unmarshal(data, &out)
	}
	if out, err = g.ask(ctx, g.baseProgram(), "base"); err != nil {
		return nil, err
	}
	data, err := json.Marshal(out)
	return out, errors.Join(err, os.WriteFile(file, data, 0o644))
}

// ask has a program answer everything, the places beside the rest.
func (g *guard) ask(ctx context.Context, program, name string) (answers, error) {
	who := asked{program, filepath.Join(g.dir, "home-"+name)}
	if err := os.RemoveAll(who.home); err != nil {
		return nil, err
	}
	var places answers
	var failed error
	var wait sync.WaitGroup
	wait.Go(func() { places, failed = g.askPlaces(ctx, who) })
	all := answers{}
	for _, s := range g.subjects {
		for _, part := range []func(context.Context, asked, answers) error{s.windows, s.checks, s.applied} {
			if err := part(ctx, who, all); err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s: %w", s.name, err))
			}
		}
	}
	wait.Wait()
	maps.Copy(all, places)
	return all, failed
}

// askPlaces are the prompts of tools/real.
func (g *guard) askPlaces(ctx context.Context, who asked) (answers, error) {
	out := answers{}
	for _, folder := range []string{"repos", "others"}[:min(len(g.subjects), 2)] {
		draw := exec.CommandContext(ctx, g.real, "-repos", filepath.Join(g.dir, folder), "-tandem", who.program, "-state", filepath.Join(who.home, "real"), "-places", fmt.Sprint(g.places), "prompts")
		draw.Stderr = os.Stderr
		said, err := draw.Output()
		if err == nil {
			err = out.lines("place ", said)
		}
		if err != nil {
			return nil, fmt.Errorf("draw places: %w", err)
		}
	}
	return out, nil
}

// lines takes answers that are one JSON object a line, each with its request's name.
func (a answers) lines(kind string, said []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(said))
	for {
		var answer map[string]json.RawMessage
		if err := decoder.Decode(&answer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var id string
		if err := json.Unmarshal(answer["id"], &id); err != nil {
			return fmt.Errorf("an answer without its request's name: %w", err)
		}
		delete(answer, "ms")
		body, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		a[kind+id] = body
	}
}
