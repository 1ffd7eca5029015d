package judge

import (
	"context"

	"tandem/edits"
	"tandem/workspace"
)

// Broken are the files that a change of those which a request names breaks: the request means them
// too, although it does not name them. They are looked for only where there are other files.
func (j *Judge) Broken(ctx context.Context, snap *workspace.Snapshot, changes []edits.FileChange, asked workspace.Asked) (out []string) {
	var named []edits.FileChange
	for _, c := range changes {
		if code, _ := snap.MayWrite(c.Path, asked); code == "" {
			named = append(named, c)
		}
	}
	if len(named) == 0 || len(named) == len(changes) {
		return nil
	}
	for _, f := range j.Change(ctx, snap, named, Users).Breaks() {
		out = append(out, f.Path)
	}
	return out
}
