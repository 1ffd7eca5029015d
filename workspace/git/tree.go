package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A commit is what is needed of a commit object.
type commit struct {
	tree    oid
	parents []oid
	subject string
	when    time.Time
	outside bool
}

func (r *Repository) commit(ctx context.Context, hash oid) (*commit, error) {
	o, err := r.object(ctx, hash, maxCommit)
	if err != nil {
		return nil, fmt.Errorf("read commit %s: %w", hash, err)
	}
	if o.kind != commitKind {
		return nil, fmt.Errorf("read commit %s: it is another kind of object", hash)
	}
	c := &commit{outside: o.outside}
	head, message, _ := bytes.Cut(o.content, []byte("\n\n"))
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case key == "tree":
			c.tree, _ = parseOID(value)
		case key == "parent":
			if parent, ok := parseOID(value); ok {
				c.parents = append(c.parents, parent)
			}
		case key == "committer": // name <address> seconds zone
			_, at, _ := strings.Cut(value[strings.LastIndexByte(value, '>')+1:], " ")
			seconds, _, _ := strings.Cut(at, " ")
			if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
				c.when = time.Unix(n, 0).UTC()
			}
		}
	}
	subject, _, _ := strings.Cut(strings.TrimLeft(string(message), "\n"), "\n")
	c.subject = subject
	if c.tree.none() {
		return nil, fmt.Errorf("read commit %s: %w", hash, errDamaged)
	}
	return c, nil
}

// An entry is a file or folder of a tree.
type entry struct {
	name    string
	mode    mode
	hash    oid
	outside bool // the tree that names it, or one above it, is another repository's
}

// tree reads the entries of one folder.
func (r *Repository) tree(ctx context.Context, hash oid) ([]entry, error) {
	if kept, ok := r.trees[hash]; ok {
		return kept, ctx.Err()
	}
	o, err := r.object(ctx, hash, maxTree)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", hash, err)
	}
	if o.kind != treeKind {
		return nil, fmt.Errorf("read tree %s: it is another kind of object", hash)
	}
	var out []entry
	for rest := o.content; len(rest) > 0; {
		mode, after, ok := bytes.Cut(rest, []byte(" "))
		name, data, ok2 := bytes.Cut(after, []byte{0})
		if !ok || !ok2 || len(data) < len(oid{}) || len(mode) > 7 || len(name) == 0 || bytes.IndexByte(name, '/') >= 0 {
			return nil, fmt.Errorf("read tree %s: %w", hash, errDamaged)
		}
		m, err := parseMode(string(mode))
		if err != nil {
			return nil, fmt.Errorf("read tree %s: %w", hash, errDamaged)
		}
		e := entry{name: string(name), mode: m, outside: o.outside}
		copy(e.hash[:], data)
		rest = data[len(e.hash):]
		out = append(out, e)
	}
	if r.entries += len(out) + 1; r.trees == nil || r.entries > maxCachedEntries {
		r.trees, r.entries = map[oid][]entry{}, len(out)+1
	}
	r.trees[hash] = out
	return out, nil
}

// maxCachedEntries bounds how many entries of trees are kept for the next look at them.
const maxCachedEntries = 200_000

// Bounds of what is read of one commit's trees, so that a few trees which name
// one another many times stay as small as they look.
const (
	maxFiles     = 300_000
	maxPathBytes = 48 << 20 // all paths together
	maxDepth     = 256
)

var errManyFiles = errors.New("it has more files than are read")

// A blobRef is a file's content in the object stores. outside marks one that
// only another repository's store names.
type blobRef struct {
	hash    oid
	outside bool
}

// filesOf maps the paths of a commit to their blobs.
func (r *Repository) filesOf(ctx context.Context, hash oid) (map[string]blobRef, error) {
	c, err := r.commit(ctx, hash)
	if err != nil {
		return nil, err
	}
	out := map[string]blobRef{}
	if err := r.compare(ctx, &commit{}, c, func(p pair) { out[p.path] = p.to }); err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", hash, err)
	}
	return out, nil
}

// A pairing compares the trees of two commits.
type pairing struct {
	repository *Repository
	each       func(pair)
	seen       int
	bytes      int // of their paths
}

// A pair is a file that differs; the zero hash is an absent side.
type pair struct {
	path     string
	from, to blobRef
}

// compare calls each with the files that differ between two commits; the zero commit has none.
func (r *Repository) compare(ctx context.Context, from, to *commit, each func(pair)) error {
	p := pairing{repository: r, each: each}
	return p.folders(ctx, entry{hash: from.tree, outside: from.outside}, entry{hash: to.tree, outside: to.outside}, "", 0)
}

// changed returns what changed between two commits.
func (r *Repository) changed(ctx context.Context, from, to *commit) ([]Change, error) {
	var pairs []pair
	if err := r.compare(ctx, from, to, func(p pair) { pairs = append(pairs, p) }); err != nil {
		return nil, err
	}
	return r.between(ctx, pairs)
}

// folders passes on the files below prefix that differ between two folders, either of which may be
// absent.
func (p *pairing) folders(ctx context.Context, from, to entry, prefix string, depth int) error {
	if from.hash == to.hash {
		return nil
	}
	if depth > maxDepth {
		return errManyFiles
	}
	sides := [2]map[string]entry{}
	var names []string
	for i, side := range []entry{from, to} {
		if side.hash.none() {
			continue
		}
		entries, err := p.repository.tree(ctx, side.hash)
		if err != nil {
			return err
		}
		sides[i] = make(map[string]entry, len(entries))
		names = slices.Grow(names, len(entries))
		for _, e := range entries {
			e.outside = e.outside || side.outside
			if _, both := sides[0][e.name]; i == 0 || !both {
				names = append(names, e.name)
			}
			sides[i][e.name] = e
		}
	}
	for _, name := range names {
		p.seen++
		p.bytes += len(prefix) + len(name)
		if p.seen > maxFiles || p.bytes > maxPathBytes {
			return errManyFiles
		}
		a, b := sides[0][name], sides[1][name]
		if a.hash == b.hash {
			continue
		}
		if a.mode.folder() || b.mode.folder() {
			if err := p.folders(ctx, only(a, true), only(b, true), prefix+name+"/", depth+1); err != nil {
				return err
			}
		}
		a, b = only(a, false), only(b, false)
		if !a.hash.none() || !b.hash.none() {
			p.each(pair{prefix + name, blobRef{a.hash, a.outside}, blobRef{b.hash, b.outside}})
		}
	}
	return nil
}

// only is an entry if it is a folder, or if it is a file, and else an absent one.
func only(e entry, folder bool) entry {
	if folder && e.mode.folder() || !folder && e.mode.file() {
		return e
	}
	return entry{}
}
