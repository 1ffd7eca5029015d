package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

// answersFile holds what models really wrote, for tests.
const answersFile = "testdata/answers/completions.jsonl"

// An answer is what a model wrote between two texts, without stop sequences and up to a
// limit, so that tests can decide where it should have ended.
type answer struct {
	Model  string `json:"model"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // both from 1
	Kind   string `json:"kind"`
	Before string `json:"before"`
	After  string `json:"after"`
	Was    string `json:"was"` // what the file had in between
	Limit  int    `json:"limit"`
	Text   string `json:"text"`
	Stop   string `json:"stop"` // eos or limit
}

// The kinds of gaps: the rest of a line, the rest of a block, and a part of a line.
var gaps = []string{"line", "block", "middle"}

const (
	recordedTokens = 128
	linesBefore    = 60 // of the plain client
	linesAfter     = 10
	recordedBefore = 40 // lines: enough to be sensible, little to keep
	placesAFile    = 4
)

// record asks the model at places of this project's files and of small files in other
// languages, and keeps its raw answers as test data.
func (r *rig) record(ctx context.Context) error {
	list, err := sourceFiles(ctx, ".", rand.New(rand.NewPCG(r.seed, 1)), r.places/2/placesAFile, "*.go", "*.ts", "*.lua")
	if err != nil {
		return err
	}
	samples, err := filepath.Glob("tools/real/testdata/files/*")
	if err != nil {
		return err
	}
	s, log, end, err := startLogged[answer](ctx, r, answersFile)
	if err != nil {
		return err
	}
	defer end()
	for _, file := range list {
		if err := r.recordFile(ctx, s, log, file, placesAFile); err != nil {
			return err
		}
	}
	for _, file := range samples {
		if err := r.recordFile(ctx, s, log, file, r.places/2/len(samples)); err != nil {
			return err
		}
	}
	fmt.Printf("%d answers in %s\n", len(log.All), answersFile)
	return nil
}

// sourceFiles are some files of a repository, by their path in it.
func sourceFiles(ctx context.Context, dir string, random *rand.Rand, most int, patterns ...string) ([]string, error) {
	out, err := clones.Git(ctx, dir, append([]string{"ls-files", "-z", "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(clones.SplitZero(out), func(name string) bool {
		data, err := os.ReadFile(filepath.Join(dir, name))
		return err != nil || len(data) < 1500 || len(data) > 60_000 || strings.Contains(name, "testdata/") || strings.Contains(name, "_test.")
	})
	random.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return files[:min(most, len(files))], nil
}

// recordFile asks at places of one file, which are the same at each run; at as many at a time
// as the server has slots.
func (r *rig) recordFile(ctx context.Context, s *server, log *figures.Log[answer], file string, places int) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(r.seed, uint64(len(data))))
	var missing []answer
	for i := range places {
		gap, ok := drawGap(string(data), gaps[i%len(gaps)], random)
		gap.Model, gap.Path, gap.Limit = s.model, filepath.ToSlash(file), recordedTokens
		if ok && (r.only == "" || strings.Contains(r.only, gap.Kind)) && !slices.ContainsFunc(log.All, func(had answer) bool {
			return had.Model == gap.Model && had.Path == gap.Path && had.Before == gap.Before && had.Kind == gap.Kind
		}) {
			missing = append(missing, gap)
		}
	}
	for some := range slices.Chunk(missing, max(1, s.slots)) {
		if r.over() {
			return nil
		}
		if err := s.fillGaps(ctx, some); err != nil {
			return err
		}
		for _, a := range some {
			if err := log.Add(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillGaps asks for all of them at once.
func (s *server) fillGaps(ctx context.Context, list []answer) error {
	var work sync.WaitGroup
	problems := make([]error, len(list))
	for i := range list {
		work.Go(func() {
			said, err := s.complete(ctx, fill(list[i].Before, list[i].After), recordedTokens)
			list[i].Text, list[i].Stop, problems[i] = said.Content, said.Stop, err
		})
	}
	work.Wait()
	return errors.Join(problems...)
}

// drawGap takes a part out of a text.
func drawGap(text, kind string, random *rand.Rand) (answer, bool) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for range 50 {
		at := random.IntN(len(lines))
		code := strings.TrimLeft(lines[at], " \t")
		indent := len(lines[at]) - len(code)
		if len(code) < 8 || indent == 0 && kind == "block" {
			continue
		}
		from := wordStart(lines[at], indent+random.IntN(len(code)/2+1))
		to, end := at, len(lines[at])
		switch kind {
		case "block":
			for to+1 < len(lines) && (strings.TrimSpace(lines[to+1]) == "" || indentOf(lines[to+1]) >= indent) {
				to++
			}
			end = len(lines[to])
		case "middle":
			if end = wordStart(lines[at], from+(len(lines[at])-from)/2); end <= from {
				continue
			}
		}
		before := strings.Join(lines[:at], "\n")
		if at > 0 {
			before += "\n"
		}
		before += lines[at][:from]
		was := lines[at][from:]
		if to > at {
			was += "\n" + strings.Join(lines[at+1:to+1], "\n")
		} else {
			was = lines[at][from:end]
		}
		after := text[len(before)+len(was):]
		return answer{Line: at + 1, Column: from + 1, Kind: kind, Was: was,
			Before: lastLines(before, recordedBefore), After: firstLines(after, linesAfter)}, true
	}
	return answer{}, false
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// wordStart is the start of the word that a place of a line is in, or the place itself.
func wordStart(line string, at int) int {
	for at > 0 && at < len(line) && clones.WordByte(line[at]) && clones.WordByte(line[at-1]) {
		at--
	}
	return at
}
