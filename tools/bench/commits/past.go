package main

import (
	"context"
	"strconv"
	"strings"

	"tandem/tools/bench/clones"

	"tandem/workspace"
	"tandem/workspace/similar"
)

// A past is the history of a clone as workspace/similar learns of it.
type past struct {
	clone *clones.Clone
	words map[string][]string // by commit
}

// before are the steps that led to a commit, the newest first, as tandem reads
// them itself in a work tree.
func (p *past) before(ctx context.Context, commit string) ([]similar.Step, error) {
	b := workspace.HistoryBounds
	out, err := p.clone.Git(ctx, "log", "--first-parent", "-m", "--no-renames", "--name-only", "-z", "--format=%x01%H %P", "-n", strconv.Itoa(b.Steps), commit)
	if err != nil {
		return nil, err
	}
	var steps []similar.Step
	for _, entry := range strings.Split(string(out), "\x01")[1:] {
		fields := clones.SplitZero([]byte(entry))
		hash, parents, _ := strings.Cut(fields[0], " ")
		parent, _, _ := strings.Cut(parents, " ")
		var s similar.Step
		for _, name := range fields[1:] {
			if name = strings.Trim(name, "\n"); name != "" {
				s.Files = append(s.Files, name)
			}
		}
		if len(s.Files) > b.Files {
			s.Files = nil
		}
		if len(steps) < b.Read && parent != "" {
			if _, known := p.words[hash]; !known {
				if p.words[hash], err = p.read(s.Files, parent, hash); err != nil {
					return nil, err
				}
			}
			s.Words = p.words[hash]
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// read are the words that a commit brought into files.
func (p *past) read(files []string, parent, hash string) ([]string, error) {
	var out []string
	for _, name := range files[:min(len(files), workspace.HistoryBounds.Texts)] {
		old, _, err := p.clone.Objects.Read(parent + ":" + name)
		if err != nil {
			return nil, err
		}
		text, _, err := p.clone.Objects.Read(hash + ":" + name)
		if err != nil {
			return nil, err
		}
		if int64(max(len(old), len(text))) <= workspace.HistoryBounds.Bytes {
			out = append(out, similar.NewWords(old, text)...)
		}
	}
	return out, nil
}
