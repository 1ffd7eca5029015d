package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"tandem/workspace/disk"
)

// Between returns what changed from revision from to revision to, or with forked from where
// to's history left that of from.
func (r *Repository) Between(ctx context.Context, from, to string, forked bool) ([]Change, error) {
	var ends [2]plumbing.Hash
	for i, rev := range []string{from, to} {
		hash, err := r.revision(ctx, rev)
		if err != nil {
			return nil, noRevision(r, rev, err)
		}
		ends[i] = hash
	}
	if forked {
		base, err := mergeBase(ctx, r, ends[0], ends[1])
		if err != nil {
			return nil, fmt.Errorf("%s and %s have no common commit here: %w", from, to, err)
		}
		ends[0] = base
	}
	a, err := r.commit(ctx, ends[0])
	if err != nil {
		return nil, noRevision(r, from, err)
	}
	b, err := r.commit(ctx, ends[1])
	if err != nil {
		return nil, noRevision(r, to, err)
	}
	var p pairing
	if err := r.compare(ctx, &p, entry{hash: a.tree, outside: a.outside}, entry{hash: b.tree, outside: b.outside}, "", 0); err != nil {
		return nil, err
	}
	return r.between(ctx, p.out)
}

// errShallow is why a commit is not there in a clone with a part of the history.
var errShallow = errors.New("this is a shallow clone; fetch what is missing with git fetch --unshallow, or a depth that reaches it")

func shallow(r *Repository) bool { return disk.IsFile(r.at.CommonDir + "/shallow") }

func noRevision(r *Repository, rev string, err error) error {
	if shallow(r) {
		err = errShallow
	}
	return fmt.Errorf("there is no revision %q in this repository: %w", rev, err)
}

// mergeBase is a commit that both commits' histories have, the first that a walk over both
// of them meets.
func mergeBase(ctx context.Context, r *Repository, a, b plumbing.Hash) (plumbing.Hash, error) {
	const ofA, ofB = 1, 2
	seen := map[plumbing.Hash]int{a: ofA}
	seen[b] |= ofB
	queue := []plumbing.Hash{a, b}
	for i := 0; i < len(queue) && i < maxSteps; i++ {
		at := queue[i]
		if seen[at] == ofA|ofB {
			return at, nil
		}
		c, err := r.commit(ctx, at)
		if ctx.Err() != nil {
			return plumbing.ZeroHash, ctx.Err()
		}
		if err != nil {
			continue // a shallow clone ends here
		}
		for _, parent := range c.parents {
			if seen[parent]|seen[at] != seen[parent] {
				seen[parent] |= seen[at]
				queue = append(queue, parent)
			}
		}
	}
	if shallow(r) {
		return plumbing.ZeroHash, errShallow
	}
	return plumbing.ZeroHash, errors.New("their histories do not meet")
}

// Range splits A..B and A...B; forked is whether the latter was written. An end that is
// missing is HEAD.
func Range(rev string) (from, to string, forked, ok bool) {
	from, to, forked = strings.Cut(rev, "...")
	if ok = forked; !ok {
		from, to, ok = strings.Cut(rev, "..")
	}
	if from == "" {
		from = "HEAD"
	}
	if to == "" {
		to = "HEAD"
	}
	return from, to, forked, ok
}
