package git

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tandem/workspace/disk"
)

// Bounds of objects, in bytes after inflation. An object's size is known and
// compared before it is inflated.
const (
	maxBlob   = 1 << 20  // a larger file's diff is no reading matter for a model or a person
	maxTree   = 16 << 20 // one folder
	maxCommit = 1 << 20
	maxBase   = 32 << 20  // what a delta is applied to, and a delta
	maxWork   = 512 << 20 // all that is made on the way to one object
	maxChain  = 4096      // deltas on the way to one object
)

var (
	errMissing = errors.New("the object is not in the repository")
	errBig     = errors.New("the object is larger than what is read")
	errDamaged = errors.New("the object is damaged")
)

// An object is one object's content. outside marks one that came from another
// repository's store (an alternate) that does not lie in this work tree.
type object struct {
	kind    kind
	content []byte
	outside bool
}

// A store is one folder of objects: loose ones and packs.
type store struct {
	dir     string
	files   *disk.Reader
	outside bool
	packs   []*pack
}

// Bounds of alternates.
const (
	maxStores     = 16
	maxAlternates = 64 << 10 // bytes of the list
	maxPacks      = 4096     // of one store
)

// openStores opens the repository's own store and those it names as alternates.
func (r *Repository) openStores(ctx context.Context) error {
	queue := []string{filepath.Join(r.at.CommonDir, "objects")}
	seen := map[string]bool{}
	for len(queue) > 0 && len(r.stores) < maxStores {
		dir := queue[0]
		queue = queue[1:]
		real := disk.Real(dir)
		if seen[real] {
			continue
		}
		seen[real] = true
		s := &store{dir: dir, files: r.files}
		if len(r.stores) > 0 {
			s.files = disk.NewReader(dir)
			_, inside := disk.Below(disk.Real(r.Root), real)
			_, own := disk.Below(disk.Real(r.at.CommonDir), real)
			s.outside = !inside && !own
		}
		if err := s.listPacks(ctx); err != nil {
			return err
		}
		r.stores = append(r.stores, s)
		list, _ := s.files.ReadFile(ctx, filepath.Join(dir, "info", "alternates"), maxAlternates) // most have none
		for line := range strings.Lines(string(list)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if !filepath.IsAbs(line) {
				line = filepath.Join(dir, filepath.FromSlash(line))
			}
			queue = append(queue, filepath.Clean(line))
		}
	}
	return nil
}

func (s *store) listPacks(ctx context.Context) error {
	dir := filepath.Join(s.dir, "pack")
	entries, err := s.files.ReadDir(ctx, dir)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && len(entries) == 0 {
		return nil // no packs, or a store that may not be read: its objects are missing
	}
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".idx"); ok && len(s.packs) < maxPacks {
			s.packs = append(s.packs, &pack{base: filepath.Join(dir, base), files: s.files, cache: map[int64]*object{}})
		}
	}
	return nil
}

// object reads an object of at most limit bytes.
func (r *Repository) object(ctx context.Context, hash oid, limit int64) (*object, error) {
	for _, s := range r.stores {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o, err := s.loose(ctx, hash, limit)
		if errors.Is(err, errMissing) {
			o, err = s.packed(ctx, hash, limit)
		}
		if errors.Is(err, errMissing) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", hash, err)
		}
		found := *o
		found.outside = s.outside
		return &found, nil
	}
	return nil, fmt.Errorf("object %s: %w", hash, errMissing)
}

// withPrefix returns the objects whose hash begins with a prefix of at least
// four hexadecimal digits.
func (r *Repository) withPrefix(ctx context.Context, prefix string) []oid {
	var out []oid
	for _, s := range r.stores {
		entries, _ := s.files.ReadDir(ctx, filepath.Join(s.dir, prefix[:2])) // there may be none
		for _, e := range entries {
			name := prefix[:2] + e.Name()
			if id, ok := parseOID(name); ok && strings.HasPrefix(name, prefix) {
				out = append(out, id)
			}
		}
		for _, p := range s.packs {
			out = append(out, p.withPrefix(prefix)...)
		}
	}
	return out
}

// loose reads an object from a file of its own.
func (s *store) loose(ctx context.Context, hash oid, limit int64) (*object, error) {
	name := hash.String()
	f, _, err := s.files.Open(filepath.Join(s.dir, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, disk.ErrOutside) {
		return nil, errMissing
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zlib.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, errDamaged
	}
	defer z.Close()
	in := bufio.NewReader(z)
	kind, size, err := looseHeader(in)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, errBig
	}
	content, err := inflated(ctx, in, size)
	return &object{kind: kind, content: content}, err
}

// looseHeader reads "blob 12\x00".
func looseHeader(in *bufio.Reader) (kind, int64, error) {
	var head []byte
	for len(head) < 32 {
		c, err := in.ReadByte()
		if err != nil {
			return 0, 0, errDamaged
		}
		if c != 0 {
			head = append(head, c)
			continue
		}
		name, digits, _ := strings.Cut(string(head), " ")
		kind, known := kindNames[name]
		size, err := strconv.ParseInt(digits, 10, 64)
		if !known || err != nil || size < 0 {
			break
		}
		return kind, size, nil
	}
	return 0, 0, errDamaged
}

// inflated reads exactly size bytes, piece by piece.
func inflated(ctx context.Context, in io.Reader, size int64) ([]byte, error) {
	w := &bounded{ctx: ctx, left: size}
	w.out.Grow(int(size))
	_, err := io.Copy(w, io.LimitReader(in, size+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || w.left != 0:
		return nil, errDamaged
	}
	return w.out.Bytes(), nil
}

// A bounded writer takes as many bytes as were announced, until its context
// ends. Its context is that of the one call that makes it.
type bounded struct {
	ctx  context.Context
	out  bytes.Buffer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, b.ctx.Err()
	}
	if int64(len(p)) > b.left {
		return 0, errDamaged
	}
	b.left -= int64(len(p))
	return b.out.Write(p)
}

// packed reads an object from the packs.
func (s *store) packed(ctx context.Context, hash oid, limit int64) (*object, error) {
	for _, p := range s.packs {
		offset, ok, err := p.offset(hash)
		if err != nil || !ok {
			continue // nothing in a pack can be read without its index
		}
		return p.object(ctx, offset, limit)
	}
	return nil, errMissing
}

// Close closes the packs that were opened.
func (r *Repository) Close() error {
	var errs []error
	for _, s := range r.stores {
		for _, p := range s.packs {
			for _, f := range []*os.File{p.idx, p.data} {
				if f != nil {
					errs = append(errs, f.Close())
				}
			}
		}
	}
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool { return err == nil })...)
}
