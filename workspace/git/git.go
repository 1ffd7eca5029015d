// Package git reads a repository: what is staged, what a revision held, what
// its history changed.
//
// Invariant: it only reads, and only git's own data: no git process is ever
// run and nothing that a repository's configuration names (filters, hooks,
// fsmonitor, external diffs) is ever used. There is deliberately no writing,
// fetching or checking out here.
package git

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/utils/merkletrie"
)

// maxBlob is the largest file whose text is read, in bytes: a larger diff is not
// useful to a model or a person.
const maxBlob = 1 << 20

// merged is the stage of an index entry without conflict. (The library's own
// constant of that name has the value of the first conflict stage.)
const merged = 0

// A Repository is one checkout, opened for reading.
type Repository struct {
	Root string // the work tree's folder
	repo *gogit.Repository
}

// A Change is one file before and after. A file that is absent on one side has
// that side's flag set; Binary means that the texts were not read.
type Change struct {
	Path                      string // below Root, with slashes
	Before, After             string
	AbsentBefore, AbsentAfter bool
	Binary                    bool
}

// ErrNone means that a folder is in no repository.
var ErrNone = errors.New("not in a git repository")

// Open opens the repository around a folder. Linked work trees are understood.
func Open(dir string) (*Repository, error) {
	repo, err := gogit.PlainOpenWithOptions(dir, &gogit.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if errors.Is(err, gogit.ErrRepositoryNotExists) {
		return nil, fmt.Errorf("%s is %w", dir, ErrNone)
	}
	if err != nil {
		return nil, fmt.Errorf("open the git repository around %s: %w", dir, err)
	}
	tree, err := repo.Worktree()
	if err != nil {
		return nil, fmt.Errorf("the git repository around %s has no work tree: %w", dir, err)
	}
	return &Repository{Root: tree.Filesystem.Root(), repo: repo}, nil
}

// Staged returns what the next commit would change, in the order of the paths.
func (r *Repository) Staged() ([]Change, error) {
	entries, err := r.repo.Storer.Index()
	if err != nil {
		return nil, fmt.Errorf("read the git index: %w", err)
	}
	before, err := r.headFiles()
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, e := range entries.Entries {
		old, known := before[e.Name]
		delete(before, e.Name)
		if e.Stage != merged || e.Mode == filemode.Submodule || known && old == e.Hash {
			continue
		}
		out = append(out, r.between(e.Name, old, e.Hash))
	}
	for name, old := range before {
		out = append(out, r.between(name, old, plumbing.ZeroHash))
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// headFiles maps the paths of the last commit to their blobs; a repository
// without a commit has none.
func (r *Repository) headFiles() (map[string]plumbing.Hash, error) {
	head, err := r.repo.Head()
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return map[string]plumbing.Hash{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	return r.files(head.Hash())
}

// files maps the paths of a commit to their blobs.
func (r *Repository) files(commit plumbing.Hash) (map[string]plumbing.Hash, error) {
	c, err := r.repo.CommitObject(commit)
	if err != nil {
		return nil, fmt.Errorf("read commit %s: %w", commit, err)
	}
	tree, err := c.Tree()
	if err != nil {
		return nil, fmt.Errorf("read the tree of %s: %w", commit, err)
	}
	out := map[string]plumbing.Hash{}
	walk := object.NewTreeWalker(tree, true, nil)
	defer walk.Close()
	for {
		name, entry, err := walk.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the tree of %s: %w", commit, err)
		}
		if entry.Mode.IsFile() && entry.Mode != filemode.Submodule {
			out[name] = entry.Hash
		}
	}
}

// Since returns the files whose text now, as read gives it, differs from
// revision rev. Now lists the work tree's files and how to read one.
func (r *Repository) Since(rev string, now []string, read func(path string) (string, error)) ([]Change, error) {
	hash, err := r.repo.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return nil, fmt.Errorf("there is no revision %q in this repository: %w", rev, err)
	}
	before, err := r.files(*hash)
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, name := range now {
		old, known := before[name]
		delete(before, name)
		text, err := read(name)
		if err != nil {
			continue // unreadable or not to be shown: its state is unknown
		}
		if known && plumbing.ComputeHash(plumbing.BlobObject, []byte(text)) == old {
			continue
		}
		c := r.between(name, old, plumbing.ZeroHash)
		c.After, c.AbsentAfter, c.AbsentBefore = text, false, !known
		if c.Before != c.After || c.AbsentBefore {
			out = append(out, c)
		}
	}
	return out, nil
}

// between reads both sides of a change; the zero hash is an absent side.
func (r *Repository) between(name string, before, after plumbing.Hash) Change {
	c := Change{Path: filepath.ToSlash(name), AbsentBefore: before.IsZero(), AbsentAfter: after.IsZero()}
	var ok1, ok2 bool
	c.Before, ok1 = r.blob(before)
	c.After, ok2 = r.blob(after)
	c.Binary = !ok1 || !ok2
	return c
}

// blob reads a text; it is false for what is binary, too large or unreadable.
func (r *Repository) blob(hash plumbing.Hash) (string, bool) {
	if hash.IsZero() {
		return "", true
	}
	b, err := r.repo.BlobObject(hash)
	if err != nil || b.Size > maxBlob {
		return "", false
	}
	reader, err := b.Reader()
	if err != nil {
		return "", false
	}
	defer reader.Close()
	content, err := io.ReadAll(reader)
	if err != nil || slices.Contains(content[:min(len(content), 8000)], 0) {
		return "", false
	}
	return string(content), true
}

// A Commit is one step of the history and what it changed.
type Commit struct {
	Hash    string
	Subject string
	Changes []Change
}

// Log returns the last n commits with one parent that changed text, newest
// first, following first parents.
func (r *Repository) Log(n int) ([]Commit, error) {
	head, err := r.repo.Head()
	if err != nil {
		return nil, fmt.Errorf("this repository has no commit yet: %w", err)
	}
	c, err := r.repo.CommitObject(head.Hash())
	if err != nil {
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	var out []Commit
	for len(out) < n && c.NumParents() > 0 {
		parent, err := c.Parent(0)
		if err != nil {
			break // a shallow clone ends here
		}
		if c.NumParents() == 1 {
			changes, err := r.diff(parent, c)
			if err != nil {
				return nil, err
			}
			subject, _, _ := strings.Cut(c.Message, "\n")
			out = append(out, Commit{Hash: c.Hash.String(), Subject: subject, Changes: changes})
		}
		c = parent
	}
	return out, nil
}

// diff returns what changed between two commits.
func (r *Repository) diff(from, to *object.Commit) ([]Change, error) {
	a, err := from.Tree()
	if err != nil {
		return nil, fmt.Errorf("read the tree of %s: %w", from.Hash, err)
	}
	b, err := to.Tree()
	if err != nil {
		return nil, fmt.Errorf("read the tree of %s: %w", to.Hash, err)
	}
	list, err := a.Diff(b)
	if err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", from.Hash, to.Hash, err)
	}
	var out []Change
	for _, d := range list {
		action, err := d.Action()
		if err != nil {
			continue
		}
		name := d.To.Name
		if action == merkletrie.Delete {
			name = d.From.Name
		}
		if c := r.between(name, d.From.TreeEntry.Hash, d.To.TreeEntry.Hash); !c.Binary {
			out = append(out, c)
		}
	}
	return out, nil
}
