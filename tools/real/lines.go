package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// lineTokens bounds a line that the model writes.
const lineTokens = 48

// lines has the model write the rest of a line in each of many files of a tree whose
// dependencies are installed: what it makes up there is for a compiler and tandem's check to
// judge (make real-inventions).
func (r *rig) lines(ctx context.Context) error {
	random := rand.New(rand.NewPCG(r.seed, 3))
	files, err := sourceFiles(ctx, r.tree, random, 2*r.places, "*.go", "*.py", "*.ts", "*.tsx")
	if err != nil {
		return err
	}
	s, err := r.start(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	log, err := openLog[answer](filepath.Join(r.state, "lines-"+filepath.Base(r.tree)+".jsonl"))
	if err != nil {
		return err
	}
	defer log.close()
	for _, file := range files {
		if r.over() || len(log.all) >= r.places {
			break
		}
		if slices.ContainsFunc(log.all, func(a answer) bool { return a.Path == file && a.Model == s.model }) {
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
		gap.Model, gap.Path, gap.Limit, gap.Text, gap.Stop = s.model, filepath.ToSlash(file), lineTokens, said.Content, said.Stop
		if err := log.add(gap); err != nil {
			return err
		}
	}
	fmt.Printf("%d lines of %s\n", len(log.all), r.tree)
	return nil
}
