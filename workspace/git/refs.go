package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// errNoCommit says that a reference names nothing yet.
var errNoCommit = errors.New("there is no commit yet")

const (
	maxRef        = 4 << 10  // bytes of a reference
	maxPackedRefs = 32 << 20 // bytes of all packed ones
	maxSymbolic   = 5        // references to references
)

// head is the last commit.
func (r *Repository) head(ctx context.Context) (oid, error) { return r.ref(ctx, "HEAD") }

// ref follows a reference to its object.
func (r *Repository) ref(ctx context.Context, name string) (oid, error) {
	for range maxSymbolic {
		if !safeRef(name) {
			return oid{}, fmt.Errorf("%q is no name of a reference", name)
		}
		text, ok := r.refText(ctx, name)
		if ctx.Err() != nil {
			return oid{}, ctx.Err()
		}
		if !ok {
			return oid{}, errNoCommit
		}
		next, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			id, ok := parseOID(text)
			if !ok {
				return oid{}, fmt.Errorf("the reference %s is damaged", name)
			}
			return id, nil
		}
		name = strings.TrimSpace(next)
	}
	return oid{}, errors.New("references lead in a circle")
}

// safeRef reports whether a name is that of a reference and not of another file.
func safeRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return false
	}
	return filepath.IsLocal(filepath.FromSlash(name)) && !strings.ContainsAny(name, "\\:\x00") && !strings.Contains(name, "..")
}

func (r *Repository) refText(ctx context.Context, name string) (string, bool) {
	for _, dir := range []string{r.at.GitDir, r.at.CommonDir} {
		text, err := r.files.ReadFile(ctx, filepath.Join(dir, filepath.FromSlash(name)), maxRef)
		if err == nil {
			return strings.TrimSpace(string(text)), true
		}
	}
	packed, err := r.files.ReadFile(ctx, filepath.Join(r.at.CommonDir, "packed-refs"), maxPackedRefs)
	if err != nil {
		return "", false
	}
	lines := bufio.NewScanner(bytes.NewReader(packed))
	for lines.Scan() {
		if hash, at, ok := strings.Cut(lines.Text(), " "); ok && at == name {
			return hash, true
		}
	}
	return "", false
}

var (
	hexPrefix = regexp.MustCompile(`^[0-9a-f]{4,40}$`)
	lastStep  = regexp.MustCompile(`^(.*?)(?:([~^])([0-9]*)|\^\{(?:commit)?\})$`)
)

// maxSteps bounds how far a revision is followed from its start.
const maxSteps = 100_000

// revision finds the commit that a revision names: a reference, a hash or the
// beginning of one, followed by any of ~N, ^N and ^{commit}.
func (r *Repository) revision(ctx context.Context, rev string) (oid, error) {
	if m := lastStep.FindStringSubmatch(rev); m != nil {
		hash, err := r.revision(ctx, m[1])
		if err != nil || m[2] == "" {
			return hash, err
		}
		n := 1
		if m[3] != "" {
			if n, err = strconv.Atoi(m[3]); err != nil || n > maxSteps {
				return hash, fmt.Errorf("%s leads too far", rev)
			}
		}
		if m[2] == "^" {
			return r.parent(ctx, hash, n)
		}
		for range n {
			if hash, err = r.parent(ctx, hash, 1); err != nil {
				return hash, err
			}
		}
		return hash, nil
	}
	if rev == "@" {
		rev = "HEAD"
	}
	for _, name := range []string{rev, "refs/" + rev, "refs/tags/" + rev, "refs/heads/" + rev, "refs/remotes/" + rev, "refs/remotes/" + rev + "/HEAD"} {
		if !safeRef(name) {
			continue
		}
		if hash, err := r.ref(ctx, name); err == nil {
			return r.peel(ctx, hash)
		}
	}
	if !hexPrefix.MatchString(rev) {
		return oid{}, errors.New("no branch, tag or commit has that name")
	}
	found := map[oid]bool{}
	for _, hash := range r.withPrefix(ctx, rev) {
		if commit, err := r.peel(ctx, hash); err == nil {
			found[commit] = true
		}
	}
	for hash := range found {
		if len(found) == 1 {
			return hash, nil
		}
	}
	if len(found) > 1 {
		return oid{}, errors.New("several commits begin with that")
	}
	return oid{}, errors.New("no branch, tag or commit has that name")
}

// parent is the nth parent of a commit; the 0th is the commit itself.
func (r *Repository) parent(ctx context.Context, hash oid, n int) (oid, error) {
	c, err := r.commit(ctx, hash)
	switch {
	case err != nil:
		return hash, err
	case n == 0:
		return hash, nil
	case n > len(c.parents):
		return hash, fmt.Errorf("commit %s has no parent %d", hash, n)
	}
	return c.parents[n-1], nil
}

// MergeBase is where the history of HEAD left that of the first of the branches which is there.
func (r *Repository) MergeBase(ctx context.Context, branches ...string) (string, error) {
	head, err := r.head(ctx)
	if err != nil {
		return "", err
	}
	for _, branch := range branches {
		other, err := r.revision(ctx, branch)
		if err != nil {
			continue
		}
		if base, err := r.mergeBase(ctx, other, head); err == nil {
			return base.String(), nil
		}
	}
	return "", errors.New("no branch is there that this one may have come from: " + strings.Join(branches, ", "))
}

// Head is the commit that is checked out.
func (r *Repository) Head(ctx context.Context) (string, error) {
	hash, err := r.head(ctx)
	return hash.String(), err
}

// peel follows a tag to its commit.
func (r *Repository) peel(ctx context.Context, hash oid) (oid, error) {
	for range maxSymbolic {
		o, err := r.object(ctx, hash, maxTree)
		if err != nil {
			return hash, err
		}
		switch o.kind {
		case commitKind:
			return hash, nil
		case tagKind:
			line, _, _ := bytes.Cut(o.content, []byte("\n"))
			target, ok := parseOID(strings.TrimPrefix(string(line), "object "))
			if !ok {
				return hash, errDamaged
			}
			hash = target
			continue
		}
		break
	}
	return hash, errors.New("it names no commit")
}
