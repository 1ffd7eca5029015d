package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tandem/workspace/disk"
)

// Between returns what changed from revision from to revision to, or with forked from where
// to's history left that of from.
func (r *Repository) Between(ctx context.Context, from, to string, forked bool) ([]Change, error) {
	var ends [2]oid
	for i, rev := range []string{from, to} {
		hash, err := r.revision(ctx, rev)
		if err != nil {
			return nil, r.noRevision(rev, err)
		}
		ends[i] = hash
	}
	if forked {
		base, err := r.mergeBase(ctx, ends[0], ends[1])
		if err != nil {
			return nil, fmt.Errorf("%s and %s have no common commit here: %w", from, to, err)
		}
		ends[0] = base
	}
	a, err := r.commit(ctx, ends[0])
	if err != nil {
		return nil, r.noRevision(from, err)
	}
	b, err := r.commit(ctx, ends[1])
	if err != nil {
		return nil, r.noRevision(to, err)
	}
	return r.changed(ctx, a, b)
}

// errShallow is why a commit is not there in a clone with a part of the history.
var errShallow = errors.New("this is a shallow clone; fetch what is missing with git fetch --unshallow, or a depth that reaches it")

func (r *Repository) shallow() bool { return disk.IsFile(r.at.CommonDir + "/shallow") }

func (r *Repository) noRevision(rev string, err error) error {
	if r.shallow() {
		err = errShallow
	}
	return fmt.Errorf("there is no revision %q in this repository: %w", rev, err)
}

// mergeBase is the newest commit that both commits' histories have.
func (r *Repository) mergeBase(ctx context.Context, a, b oid) (oid, error) {
	const ofA, ofB = 1, 2
	type queued struct {
		*commit
		hash oid
	}
	seen := map[oid]int{}
	var queue []queued // the newest last
	add := func(hash oid, of int) {
		if seen[hash]|of == seen[hash] {
			return
		}
		seen[hash] |= of
		if c, err := r.commit(ctx, hash); err == nil { // a shallow clone ends somewhere
			at, _ := slices.BinarySearchFunc(queue, c.when, func(q queued, when time.Time) int { return q.when.Compare(when) })
			queue = slices.Insert(queue, at, queued{c, hash})
		}
	}
	add(a, ofA)
	add(b, ofB)
	for len(queue) > 0 && len(seen) < maxSteps {
		newest := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		switch of := seen[newest.hash]; {
		case ctx.Err() != nil:
			return oid{}, ctx.Err()
		case of == ofA|ofB:
			return newest.hash, nil
		default:
			for _, parent := range newest.parents {
				add(parent, of)
			}
		}
	}
	if r.shallow() {
		return oid{}, errShallow
	}
	return oid{}, errors.New("their histories do not meet")
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
