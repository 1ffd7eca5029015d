package git

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Touch is one step of the history by the files that it changed.
type Touch struct {
	Paths []string // of files that were there before or are since, below Root, with slashes

	pairs []pair
}

// Touched returns the last n steps before revision rev, newest first, following first
// parents; a merge counts as what it brought. A step of more than most files says
// nothing of how they belong together and has no paths. Where the history cannot be
// read any further, as in a shallow clone, it ends.
func (r *Repository) Touched(ctx context.Context, rev string, n, most int) ([]Touch, error) {
	hash, err := r.revision(ctx, rev)
	if err != nil {
		return nil, fmt.Errorf("there is no revision %q in this repository: %w", rev, err)
	}
	c, err := r.commit(ctx, hash)
	if err != nil {
		return nil, err
	}
	var out []Touch
	for len(out) < n && len(c.parents) > 0 && ctx.Err() == nil {
		parent, err := r.commit(ctx, c.parents[0])
		if err != nil {
			break
		}
		t, err := r.touch(ctx, parent, c, most)
		if err != nil {
			break
		}
		out = append(out, t)
		c = parent
	}
	return out, ctx.Err()
}

// touch lists what differs between two commits. What only another repository's store
// has is left out: nothing of it may be shown.
func (r *Repository) touch(ctx context.Context, from, to *commit, most int) (Touch, error) {
	var p pairing
	if err := r.compare(ctx, &p, entry{hash: from.tree}, entry{hash: to.tree}, "", 0); err != nil {
		return Touch{}, err
	}
	if len(p.out) > most || from.outside || to.outside {
		return Touch{}, nil
	}
	t := Touch{}
	for _, pair := range p.out {
		if !pair.from.outside && !pair.to.outside {
			t.Paths, t.pairs = append(t.Paths, pair.path), append(t.pairs, pair)
		}
	}
	return t, nil
}

// Texts reads a file of a step before and after it, each of at most limit bytes; ok is
// false for what is binary, larger, unreadable or another repository's.
func (r *Repository) Texts(ctx context.Context, t Touch, i int, limit int64) (before, after string, ok bool) {
	pair := t.pairs[i]
	var texts [2]string
	for k, ref := range []blobRef{pair.from, pair.to} {
		if ref.hash.IsZero() {
			continue
		}
		o, err := r.object(ctx, ref.hash, limit)
		if err != nil || o.kind != plumbing.BlobObject || o.outside {
			return "", "", false
		}
		texts[k] = string(o.content)
	}
	return texts[0], texts[1], true
}
