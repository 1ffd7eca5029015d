// Package git reads a repository: what is staged, what a revision held, what
// its history changed.
//
// Invariant: it only reads, and only git's own data, through workspace/disk: no
// git process is ever run and nothing that a repository's configuration names
// (filters, hooks, fsmonitor, external diffs) is ever followed. What is read is
// bounded whatever the repository says: an object's size is compared before the
// object is inflated, lists have a last entry, and every step ends with its
// context. What only another repository's store holds is marked (Outside).
// Objects, packs, the index and references are read by this package alone; a
// library's work tree would read the disk without these bounds.
// There is deliberately no writing, fetching or checking out here.
package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/workspace/disk"
	"tandem/workspace/repo"
)

// A Repository is one checkout, opened for reading. It is used by one goroutine
// at a time and closed by whoever opened it.
type Repository struct {
	Root string // the work tree's folder

	at     repo.Repository
	files  *disk.Reader
	stores []*store

	trees   map[oid][]entry // read lately
	entries int             // of trees
}

// A Change is one file before and after. A file that is absent on one side has
// that side's flag set; Unread is why the texts were not read, nil if they were.
// Outside means that a text, or the knowledge that there was such a file, comes from the
// objects of another repository, which an alternate named: it serves checks, and
// no model may be shown it.
type Change struct {
	Path                      string // below Root, with slashes
	Before, After             string
	AbsentBefore, AbsentAfter bool
	Unread                    error
	Outside                   bool
}

// ErrNone means that a folder is in no repository.
var ErrNone = errors.New("not in a git repository")

// ErrBinary means that a file is no text.
var ErrBinary = errors.New("it is no text")

var errTooMany = errors.New("the changes before it are larger than 64 MB together")

// Open opens the repository around a folder. Linked work trees and submodules
// are understood.
func Open(ctx context.Context, dir string) (*Repository, error) {
	at, ok := repo.Around(dir)
	if !ok {
		return nil, fmt.Errorf("%s is %w", dir, ErrNone)
	}
	config := at.Config()
	if format := config.Value("extensions", "objectformat"); format != "" && format != "sha1" {
		return nil, fmt.Errorf("the git repository around %s names its objects by %s, which is not supported", dir, format)
	}
	if config.Value("core", "bare") == "true" && at.GitDir == at.CommonDir {
		return nil, fmt.Errorf("the git repository around %s has no work tree", dir)
	}
	r := &Repository{Root: at.Top, at: at, files: disk.NewReader(at.GitDir, at.CommonDir)}
	if err := r.openStores(ctx); err != nil {
		return nil, fmt.Errorf("open the git repository around %s: %w", dir, err)
	}
	return r, nil
}

// Staged returns what the next commit would change, in the order of the paths.
func (r *Repository) Staged(ctx context.Context) ([]Change, error) {
	staged, err := r.staged(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the git index: %w", err)
	}
	before := map[string]blobRef{}
	switch head, err := r.head(ctx); {
	case err == nil:
		if before, err = r.filesOf(ctx, head); err != nil {
			return nil, err
		}
	case !errors.Is(err, errNoCommit):
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	var pairs []pair
	for name, hash := range staged {
		old := before[name]
		delete(before, name)
		if old.hash != hash {
			pairs = append(pairs, pair{name, old, blobRef{hash: hash}})
		}
	}
	for name, old := range before {
		pairs = append(pairs, pair{path: name, from: old})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.path, b.path) })
	return r.between(ctx, pairs)
}

// Since returns the files whose text now, as read gives it, differs from
// revision rev. Now lists the work tree's files; one of the revision that is none of them
// is read too, and gone where read says that it does not exist.
func (r *Repository) Since(ctx context.Context, rev string, now []string, read func(path string) (string, error)) ([]Change, error) {
	hash, err := r.revision(ctx, rev)
	if err != nil {
		return nil, r.noRevision(rev, err)
	}
	before, err := r.filesOf(ctx, hash)
	if err != nil {
		return nil, err
	}
	var out []Change
	listed := map[string]bool{}
	for _, name := range now {
		listed[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !listed[name] {
			now = append(now, name)
		}
	}
	for _, name := range now {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		old, known := before[name]
		text, err := read(name)
		if known && errors.Is(err, fs.ErrNotExist) {
			out = append(out, r.change(ctx, pair{path: name, from: old}))
			continue
		}
		if err != nil {
			continue // unreadable or hidden: there is nothing to compare
		}
		if known && blobOID(text) == old.hash {
			continue
		}
		c := r.change(ctx, pair{path: name, from: old})
		c.After, c.AbsentAfter, c.AbsentBefore = text, false, !known
		if c.Before != c.After || c.AbsentBefore {
			out = append(out, c)
		}
	}
	return out, ctx.Err()
}

// maxRead bounds the texts of one result together, in bytes; those after it are
// not read.
const maxRead = 64 << 20

// between reads both sides of each pair.
func (r *Repository) between(ctx context.Context, pairs []pair) ([]Change, error) {
	out := make([]Change, 0, len(pairs))
	total := 0
	for _, p := range pairs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if total > maxRead {
			out = append(out, Change{Path: p.path, AbsentBefore: p.from.hash.none(), AbsentAfter: p.to.hash.none(), Unread: errTooMany, Outside: p.from.outside || p.to.outside})
			continue
		}
		c := r.change(ctx, p)
		total += len(c.Before) + len(c.After)
		out = append(out, c)
	}
	return out, ctx.Err()
}

func (r *Repository) change(ctx context.Context, p pair) Change {
	c := Change{Path: filepath.ToSlash(p.path), AbsentBefore: p.from.hash.none(), AbsentAfter: p.to.hash.none()}
	before, err1 := r.blob(ctx, p.from)
	after, err2 := r.blob(ctx, p.to)
	c.Before, c.After = string(before.content), string(after.content)
	c.Unread = cmp.Or(err1, err2)
	c.Outside = p.from.outside || p.to.outside || before.outside || after.outside
	return c
}

// blob reads a text, which is empty where ref names none. Without it, only whose
// object it is comes with the error.
func (r *Repository) blob(ctx context.Context, ref blobRef) (object, error) {
	if ref.hash.none() {
		return object{}, nil
	}
	o, err := r.object(ctx, ref.hash, maxBlob)
	switch {
	case err != nil:
		return object{}, err
	case o.kind != blobKind || slices.Contains(o.content[:min(len(o.content), 8000)], 0):
		return object{outside: o.outside}, ErrBinary
	}
	return *o, nil
}

// A Commit is one step of the history and what it changed.
type Commit struct {
	Hash    string
	Subject string
	Time    time.Time
	Changes []Change
}

// Log returns the last n commits with one parent that changed text, newest
// first, following first parents.
func (r *Repository) Log(ctx context.Context, n int) ([]Commit, error) {
	hash, err := r.head(ctx)
	if err != nil {
		return nil, fmt.Errorf("this repository has no commit yet: %w", err)
	}
	c, err := r.commit(ctx, hash)
	if err != nil {
		return nil, err
	}
	var out []Commit
	for steps := 0; len(out) < n && len(c.parents) > 0 && steps < maxSteps; steps++ {
		parent, err := r.commit(ctx, c.parents[0])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			break // a shallow clone ends here
		}
		if len(c.parents) == 1 {
			changes, err := r.changed(ctx, parent, c)
			if err != nil {
				return nil, fmt.Errorf("compare %s with its parent: %w", hash, err)
			}
			changes = slices.DeleteFunc(changes, func(c Change) bool { return c.Unread != nil })
			out = append(out, Commit{Hash: hash.String(), Subject: c.subject, Changes: changes})
		}
		hash, c = c.parents[0], parent
	}
	return out, nil
}

// Subjects returns the first lines of the messages of the last n commits with at most
// one parent, newest first, following first parents. Where the history cannot be read
// any further it ends; what only another repository's store has is left out.
func (r *Repository) Subjects(ctx context.Context, n int) []string {
	hash, err := r.head(ctx)
	var out []string
	for steps := 0; err == nil && len(out) < n && steps < maxSteps; steps++ {
		var c *commit
		if c, err = r.commit(ctx, hash); err != nil {
			break
		}
		if len(c.parents) <= 1 && !c.outside && c.subject != "" {
			out = append(out, c.subject)
		}
		if len(c.parents) == 0 {
			break
		}
		hash = c.parents[0]
	}
	return out
}

// LastChange returns the newest commit, following first parents, by which a file has a text
// that it had not before; false where that is not found: the text is not committed, or the
// history ends before.
func (r *Repository) LastChange(ctx context.Context, name, text string) (Commit, bool) {
	hash, err := r.head(ctx)
	if err != nil {
		return Commit{}, false
	}
	c, err := r.commit(ctx, hash)
	if err != nil {
		return Commit{}, false
	}
	holds := func(ref blobRef) bool {
		o, err := r.blob(ctx, ref)
		return err == nil && !ref.outside && !o.outside && strings.Contains(string(o.content), text)
	}
	ref := r.fileOf(ctx, c, name)
	if text == "" || !holds(ref) {
		return Commit{}, false
	}
	for {
		before := &commit{}
		if len(c.parents) > 0 {
			if before, err = r.commit(ctx, c.parents[0]); err != nil {
				return Commit{}, false // a shallow clone ends here
			}
		}
		old := r.fileOf(ctx, before, name)
		if old.hash != ref.hash && !holds(old) {
			return Commit{Hash: hash.String(), Subject: c.subject, Time: c.when}, ctx.Err() == nil
		}
		hash, c, ref = c.parents[0], before, old
	}
}

// Committed returns the text of a file in the commit that is checked out, false if it has none.
func (r *Repository) Committed(ctx context.Context, name string) (string, bool) {
	hash, err := r.head(ctx)
	if err != nil {
		return "", false
	}
	c, err := r.commit(ctx, hash)
	if err != nil {
		return "", false
	}
	ref := r.fileOf(ctx, c, name)
	o, err := r.blob(ctx, ref)
	return string(o.content), err == nil && !ref.hash.none() && !ref.outside && !o.outside
}

// fileOf is a file of a commit; the zero value where it has none.
func (r *Repository) fileOf(ctx context.Context, c *commit, name string) blobRef {
	at := blobRef{c.tree, c.outside}
	for part := range strings.SplitSeq(name, "/") {
		if at.hash.none() {
			return blobRef{}
		}
		entries, err := r.tree(ctx, at.hash)
		i := slices.IndexFunc(entries, func(e entry) bool { return e.name == part })
		if err != nil || i < 0 {
			return blobRef{}
		}
		at = blobRef{entries[i].hash, at.outside || entries[i].outside}
	}
	return at
}
