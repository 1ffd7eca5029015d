package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// lineTokens bounds a line that the model writes.
const lineTokens = 48

// linesOfFile bounds the lines that it writes in one file.
const linesOfFile = 12

// lines has the model write the rest of a line in many files of a tree whose
// dependencies are installed: what it makes up there is for a compiler and tandem's check to
// judge (make check-written).
func (r *rig) lines(ctx context.Context) error {
	random := rand.New(rand.NewPCG(r.seed, 3))
	files, err := sourceFiles(ctx, r.tree, random, 2*r.places, "*.go", "*.py", "*.ts", "*.tsx")
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.Contains(file, "test") }) // they are not judged
	s, log, end, err := startLogged[answer](ctx, r, filepath.Join(r.state, "lines-"+filepath.Base(r.tree)+".jsonl"))
	if err != nil {
		return err
	}
	defer end()
	asked := map[string]int{}
	for _, a := range log.All {
		asked[a.Path]++
	}
	for i := range linesOfFile * len(files) {
		file := filepath.ToSlash(files[i%len(files)])
		if r.over() || len(log.All) >= r.places {
			break
		}
		if asked[file]--; asked[file] >= 0 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.tree, file))
		if err != nil {
			return err
		}
		gap, ok := drawGap(string(data), "line", random)
		if !ok {
			continue
		}
		said, err := s.complete(ctx, fill(gap.Before, gap.After), lineTokens, "\n")
		if err != nil {
			return err
		}
		gap.Model, gap.Path, gap.Limit, gap.Text, gap.Stop = s.model, file, lineTokens, said.Content, said.Stop
		if err := log.Add(gap); err != nil {
			return err
		}
	}
	fmt.Printf("%d lines of %s\n", len(log.All), r.tree)
	return nil
}
