package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// A commit is what is needed of a commit object.
type commit struct {
	tree    plumbing.Hash
	parents []plumbing.Hash
	subject string
	when    time.Time
	outside bool
}

func (r *Repository) commit(ctx context.Context, hash plumbing.Hash) (*commit, error) {
	o, err := r.object(ctx, hash, maxCommit)
	if err != nil {
		return nil, fmt.Errorf("read commit %s: %w", hash, err)
	}
	if o.kind != plumbing.CommitObject {
		return nil, fmt.Errorf("read commit %s: it is a %s", hash, o.kind)
	}
	c := &commit{outside: o.outside}
	head, message, _ := bytes.Cut(o.content, []byte("\n\n"))
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case key == "tree" && plumbing.IsHash(value):
			c.tree = plumbing.NewHash(value)
		case key == "parent" && plumbing.IsHash(value):
			c.parents = append(c.parents, plumbing.NewHash(value))
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
	if c.tree.IsZero() {
		return nil, fmt.Errorf("read commit %s: %w", hash, errDamaged)
	}
	return c, nil
}

// An entry is a file or folder of a tree.
type entry struct {
	name    string
	mode    filemode.FileMode
	hash    plumbing.Hash
	outside bool // the tree that names it, or one above it, is another repository's
}

// tree reads the entries of one folder.
func (r *Repository) tree(ctx context.Context, hash plumbing.Hash) ([]entry, error) {
	if kept, ok := r.trees[hash]; ok {
		return kept, ctx.Err()
	}
	o, err := r.object(ctx, hash, maxTree)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", hash, err)
	}
	if o.kind != plumbing.TreeObject {
		return nil, fmt.Errorf("read tree %s: it is a %s", hash, o.kind)
	}
	var out []entry
	for rest := o.content; len(rest) > 0; {
		mode, after, ok := bytes.Cut(rest, []byte(" "))
		name, data, ok2 := bytes.Cut(after, []byte{0})
		if !ok || !ok2 || len(data) < len(plumbing.Hash{}) || len(mode) > 7 || len(name) == 0 || bytes.IndexByte(name, '/') >= 0 {
			return nil, fmt.Errorf("read tree %s: %w", hash, errDamaged)
		}
		m, err := filemode.New(string(mode))
		if err != nil {
			return nil, fmt.Errorf("read tree %s: %w", hash, errDamaged)
		}
		e := entry{name: string(name), mode: m, outside: o.outside}
		copy(e.hash[:], data)
		rest = data[len(e.hash):]
		out = append(out, e)
	}
	if r.entries += len(out) + 1; r.trees == nil || r.entries > maxKept {
		r.trees, r.entries = map[plumbing.Hash][]entry{}, len(out)+1
	}
	r.trees[hash] = out
	return out, nil
}

// maxKept bounds how many entries of trees are kept for the next look at them.
const maxKept = 200_000

// Bounds of what is read of one commit's trees, so that a few trees which name
// one another many times stay as small as they look.
const (
	maxFiles     = 300_000
	maxPathBytes = 48 << 20 // all paths together
	maxDepth     = 256
)

var errManyFiles = errors.New("it has more files than are read")

// A listing gathers the files of a commit.
type listing struct {
	files map[string]blobRef
	seen  int
	bytes int
}

// A blobRef is a file's content in the object stores. outside marks one that
// only another repository's store names.
type blobRef struct {
	hash    plumbing.Hash
	outside bool
}

// files maps the paths of a commit to their blobs.
func (r *Repository) filesOf(ctx context.Context, hash plumbing.Hash) (map[string]blobRef, error) {
	c, err := r.commit(ctx, hash)
	if err != nil {
		return nil, err
	}
	l := &listing{files: map[string]blobRef{}}
	if err := r.list(ctx, l, entry{hash: c.tree, outside: c.outside}, "", 0); err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", hash, err)
	}
	return l.files, nil
}

func (r *Repository) list(ctx context.Context, l *listing, folder entry, prefix string, depth int) error {
	if depth > maxDepth {
		return errManyFiles
	}
	entries, err := r.tree(ctx, folder.hash)
	if err != nil {
		return err
	}
	for _, e := range entries {
		l.seen++
		l.bytes += len(prefix) + len(e.name)
		if l.seen > maxFiles || l.bytes > maxPathBytes {
			return errManyFiles
		}
		e.outside = e.outside || folder.outside
		switch {
		case e.mode == filemode.Dir:
			if err := r.list(ctx, l, e, prefix+e.name+"/", depth+1); err != nil {
				return err
			}
		case e.mode.IsFile() && e.mode != filemode.Submodule:
			l.files[prefix+e.name] = blobRef{e.hash, e.outside}
		}
	}
	return nil
}

// A pairing compares the trees of two commits.
type pairing struct {
	out  []pair
	seen int
}

// A pair is a file that differs; the zero hash is an absent side.
type pair struct {
	path     string
	from, to blobRef
}

// compare adds the files below prefix that differ between two folders, either
// of which may be absent.
func (r *Repository) compare(ctx context.Context, p *pairing, from, to entry, prefix string, depth int) error {
	if from.hash == to.hash {
		return nil
	}
	if depth > maxDepth {
		return errManyFiles
	}
	sides := [2]map[string]entry{}
	var names []string
	for i, side := range []entry{from, to} {
		sides[i] = map[string]entry{}
		if side.hash.IsZero() {
			continue
		}
		entries, err := r.tree(ctx, side.hash)
		if err != nil {
			return err
		}
		for _, e := range entries {
			e.outside = e.outside || side.outside
			if _, both := sides[0][e.name]; i == 0 || !both {
				names = append(names, e.name)
			}
			sides[i][e.name] = e
		}
	}
	for _, name := range names {
		if p.seen++; p.seen > maxFiles {
			return errManyFiles
		}
		a, b := sides[0][name], sides[1][name]
		if a.hash == b.hash {
			continue
		}
		if a.mode == filemode.Dir || b.mode == filemode.Dir {
			if err := r.compare(ctx, p, only(a, true), only(b, true), prefix+name+"/", depth+1); err != nil {
				return err
			}
		}
		a, b = only(a, false), only(b, false)
		if !a.hash.IsZero() || !b.hash.IsZero() {
			p.out = append(p.out, pair{prefix + name, blobRef{a.hash, a.outside}, blobRef{b.hash, b.outside}})
		}
	}
	return nil
}

// only is an entry if it is a folder, or if it is a file, and else an absent one.
func only(e entry, folder bool) entry {
	if folder && e.mode == filemode.Dir || !folder && e.mode.IsFile() && e.mode != filemode.Submodule {
		return e
	}
	return entry{}
}
