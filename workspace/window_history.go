package workspace

import (
	"context"
	"path"
	"strings"
	"time"

	"tandem/workspace/git"
	"tandem/workspace/similar"
)

// HistoryBounds are what is read of a repository's history to choose code by.
var HistoryBounds = struct {
	Steps int   // commits whose paths are compared
	Files int   // a commit that changed more says nothing of how they belong together
	Read  int   // the newest commits, whose texts are read for new names
	Texts int   // files of one commit that are read
	Bytes int64 // of one text
	Time  time.Duration
}{Steps: 300, Files: 40, Read: 60, Texts: 10, Bytes: 256 << 10, Time: 5 * time.Second}

// historyOf reads what lately changed a folder, the newest first: nil where it is in no
// repository. Of the texts only the words that came into them are kept, and of those
// only what the folder's own files have is ever used.
func (f *folder) historyOf(ctx context.Context) []similar.Step {
	ctx, cancel := context.WithTimeout(ctx, HistoryBounds.Time)
	defer cancel()
	r, err := git.Open(ctx, f.root)
	if err != nil {
		return nil
	}
	defer r.Close()
	touched, err := r.Touched(ctx, "HEAD", HistoryBounds.Steps, HistoryBounds.Files)
	if err != nil && len(touched) == 0 {
		return nil
	}
	below, ok := relativeTo(f.root, r.Root)
	if !ok {
		return nil
	}
	steps := make([]similar.Step, 0, len(touched))
	for i, t := range touched {
		var s similar.Step
		for k, name := range t.Paths {
			rel, ok := strings.CutPrefix(name, below)
			if !ok {
				continue
			}
			s.Files = append(s.Files, rel)
			if i < HistoryBounds.Read && k < HistoryBounds.Texts {
				if before, after, ok := r.Texts(ctx, t, k, HistoryBounds.Bytes); ok {
					s.Words = append(s.Words, similar.NewWords(before, after)...)
				}
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// relativeTo is what precedes the paths of a folder in the repository that holds it.
func relativeTo(root, top string) (prefix string, ok bool) {
	if root == top {
		return "", true
	}
	v := &View{Root: top}
	rel, ok := v.Rel(root)
	return path.Clean(rel) + "/", ok
}
