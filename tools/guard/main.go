// Command guard compares what two tandems answer: windows, checks, applied answers, and the
// prompts that make real would send to a model. Whoever deletes or moves code runs it before
// and after, since the tests of a deleted part leave with it.
//
// **Invariant:** both programs get the same requests, made of the same tree by fixed seeds,
// each with a home of its own; answers are equal if they are so byte by byte, their times left
// out. Nothing is written into the repository.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
}

var errDiffer = errors.New("")

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
	if err := g.compare(ctx); err != nil {
		if !errors.Is(err, errDiffer) {
			fmt.Fprintln(os.Stderr, "guard:", err)
		}
		os.Exit(1)
	}
}

// compare has both programs answer everything and prints what differs.
func (g *guard) compare(ctx context.Context) error {
	for _, path := range []*string{&g.repository, &g.program, &g.real, &g.scratch} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	base, err := g.prepareBase(ctx)
	if err != nil {
		return err
	}
	before, err := g.recorded(ctx, base)
	if err != nil {
		return err
	}
	after, err := g.ask(ctx, base, g.program, "program")
	if err != nil {
		return err
	}
	differ := 0
	for _, id := range slices.Sorted(maps.Keys(union(before, after))) {
		if fields := differences(before[id], after[id]); fields != "" {
			differ++
			fmt.Printf("%s: %s\n", id, fields)
		}
	}
	fmt.Printf("%d of %d answers differ from those of %.10s (%s)\n", differ, len(union(before, after)), base.revision, base.dir)
	if differ > 0 {
		return errDiffer
	}
	return nil
}

func union(a, b answers) answers {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// A base is the revision that answers are compared with: its tree, which both programs are
// asked about, and the program that was built of it.
type base struct {
	revision, dir, program string
	subjects               []subject
}

// prepareBase checks the revision out and builds its program, if that has not been done.
func (g *guard) prepareBase(ctx context.Context) (*base, error) {
	here, err := clones.OpenClone(ctx, g.repository)
	if err != nil {
		return nil, err
	}
	defer here.Close()
	b := &base{}
	if b.revision, err = g.revision(ctx, here); err != nil {
		return nil, err
	}
	place := sha256.Sum256([]byte(g.repository)) // worktrees do not disturb each other
	b.dir = filepath.Join(g.scratch, hex.EncodeToString(place[:4]), b.revision[:10])
	b.program = filepath.Join(b.dir, "tandem")
	own, err := newSubject(ctx, here, filepath.Join(b.dir, "repos", "tandem"), b.revision)
	if err != nil {
		return nil, err
	}
	b.subjects = []subject{own}
	if g.repos != "" {
		list, err := clones.OpenAll(ctx, g.repos, "")
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			s, err := newSubject(ctx, c, filepath.Join(b.dir, "others", c.Name), "HEAD")
			if err != nil {
				return nil, err
			}
			b.subjects = append(b.subjects, s)
		}
	}
	if _, err := os.Stat(b.program); err == nil {
		return b, nil
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", b.program, "./cmd/tandem")
	build.Dir, build.Stderr = own.dir, os.Stderr
	return b, build.Run()
}

// revision is the one that answers are compared with.
func (g *guard) revision(ctx context.Context, c *clones.Clone) (string, error) {
	resolve := func(args ...string) string {
		out, _ := c.Git(ctx, args...) // no such revision is ""
		return strings.TrimSpace(string(out))
	}
	if g.base != "" {
		if found := resolve("rev-parse", "--verify", "--quiet", g.base+"^{commit}"); found != "" {
			return found, nil
		}
		return "", fmt.Errorf("%s is no revision of %s", g.base, g.repository)
	}
	left, head := resolve("merge-base", "main", "HEAD"), resolve("rev-parse", "HEAD")
	if left == "" || left == head && resolve("status", "--porcelain", "--untracked-files=no") == "" {
		left = resolve("rev-parse", "HEAD^")
	}
	if left == "" {
		return "", errors.New("name a revision to compare with: GUARD_BASE=REV")
	}
	return left, nil
}

// recorded are the base's answers, asked for once for each set of requests: for what this
// program and the one that draws places are, and for the clones.
func (g *guard) recorded(ctx context.Context, b *base) (answers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	key := sha256.New()
	fmt.Fprintln(key, g.places)
	for _, s := range b.subjects {
		fmt.Fprintln(key, s.dir, s.revision)
	}
	for _, file := range []string{self, g.real} {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("run make guard: %w", err)
		}
		key.Write(data)
	}
	file := filepath.Join(b.dir, "answers-"+hex.EncodeToString(key.Sum(nil)[:4])+".json")
	out := answers{}
	if data, err := os.ReadFile(file); err == nil {
		return out, json.Unmarshal(data, &out)
	}
	if out, err = g.ask(ctx, b, b.program, "base"); err != nil {
		return nil, err
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return out, os.WriteFile(file, data, 0o644)
}

// ask has a program answer everything.
func (g *guard) ask(ctx context.Context, b *base, program, name string) (answers, error) {
	home := filepath.Join(b.dir, "home-"+name)
	if err := os.RemoveAll(home); err != nil {
		return nil, err
	}
	all := answers{}
	var mu sync.Mutex
	var failed []error
	var wait sync.WaitGroup
	start := func(part func() (answers, error)) {
		wait.Go(func() {
			got, err := part()
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(all, got)
			failed = append(failed, err)
		})
	}
	start(func() (answers, error) { return g.askPlaces(ctx, b, program, home) })
	start(func() (answers, error) {
		got := answers{}
		for _, s := range b.subjects {
			for _, part := range []func(context.Context, asked) (answers, error){s.windows, s.checks, s.applied} {
				more, err := part(ctx, asked{program, filepath.Join(home, s.name)})
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.name, err)
				}
				maps.Copy(got, more)
			}
		}
		return got, nil
	})
	wait.Wait()
	return all, errors.Join(failed...)
}

// askPlaces are the prompts of tools/real.
func (g *guard) askPlaces(ctx context.Context, b *base, program, home string) (answers, error) {
	out := answers{}
	for _, folder := range []string{"repos", "others"} {
		dir := filepath.Join(b.dir, folder)
		if folder == "others" && len(b.subjects) == 1 {
			continue
		}
		draw := exec.CommandContext(ctx, g.real, "-repos", dir, "-tandem", program, "-state", filepath.Join(home, "real"), "-places", fmt.Sprint(g.places), "prompts")
		draw.Stderr = os.Stderr
		said, err := draw.Output()
		if err != nil {
			return nil, fmt.Errorf("draw places: %w", err)
		}
		if err := out.lines("place ", said); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lines takes answers that are one JSON object a line, each with its request's name.
func (a answers) lines(kind string, said []byte) error {
	decoder := json.NewDecoder(strings.NewReader(string(said)))
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

// differences names the fields in which two answers differ, "" for none.
func differences(before, after json.RawMessage) string {
	switch {
	case string(before) == string(after):
		return ""
	case before == nil:
		return "was not answered before"
	case after == nil:
		return "is not answered any more"
	}
	var was, is map[string]json.RawMessage
	if json.Unmarshal(before, &was) != nil || json.Unmarshal(after, &is) != nil {
		return "the answer"
	}
	var out []string
	for _, field := range slices.Sorted(maps.Keys(was)) {
		if string(was[field]) != string(is[field]) {
			out = append(out, field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(is)) {
		if _, had := was[field]; !had {
			out = append(out, field)
		}
	}
	return strings.Join(out, ", ")
}
