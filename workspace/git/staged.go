package git

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"tandem/workspace/disk"
)

// maxIndex bounds git's index, in bytes: several hundred thousand files.
const maxIndex = 64 << 20

var errIndex = errors.New("git's index is damaged")

// staged reads git's index: the paths of the next commit and their blobs.
// Extensions, which follow the entries, are not needed. What has a conflict is
// left out.
func (r *Repository) staged(ctx context.Context) (map[string]oid, error) {
	out := map[string]oid{}
	f, info, err := r.files.Open(filepath.Join(r.at.GitDir, "index"))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > maxIndex {
		return nil, fmt.Errorf("git's index has more than %d MB", maxIndex>>20)
	}
	in := &indexReader{in: bufio.NewReader(io.LimitReader(f, maxIndex))}
	var head [12]byte
	if _, err := io.ReadFull(in.in, head[:]); err != nil || string(head[:4]) != "DIRC" {
		return nil, errIndex
	}
	in.version = binary.BigEndian.Uint32(head[4:])
	if in.version < 2 || in.version > 4 {
		return nil, fmt.Errorf("git's index is of version %d, which is not supported", in.version)
	}
	total := 0
	for range binary.BigEndian.Uint32(head[8:]) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e, err := in.entry()
		if err != nil {
			return nil, errIndex
		}
		if total += len(e.name); len(out) > maxFiles || total > maxPathBytes {
			return nil, errManyFiles
		}
		if e.stage == 0 && e.mode.file() {
			out[e.name] = e.hash
		}
	}
	return out, nil
}

// An indexEntry is what is needed of an entry of the index. Stage 0 is a file
// without conflict.
type indexEntry struct {
	name  string
	mode  mode
	hash  oid
	stage int
}

// An indexReader reads the entries of an index.
type indexReader struct {
	in      *bufio.Reader
	version uint32
	last    string
}

const maxPath = 16 << 10

func (r *indexReader) entry() (e indexEntry, err error) {
	var fixed [62]byte // times, device, mode, owner, size, hash, flags
	if _, err := io.ReadFull(r.in, fixed[:]); err != nil {
		return e, err
	}
	e.mode = mode(binary.BigEndian.Uint32(fixed[24:]))
	copy(e.hash[:], fixed[40:60])
	flags := binary.BigEndian.Uint16(fixed[60:])
	e.stage = int(flags>>12) & 3
	read := len(fixed)
	if flags&0x4000 != 0 { // more flags follow
		if _, err := r.in.Discard(2); err != nil {
			return e, err
		}
		read += 2
	}
	kept := ""
	if r.version == 4 {
		strip, err := offsetVarint(r.in)
		if err != nil || strip > int64(len(r.last)) {
			return e, errIndex
		}
		kept = r.last[:len(r.last)-int(strip)]
	}
	name, err := r.untilNUL(maxPath - len(kept))
	if err != nil {
		return e, err
	}
	e.name = kept + name
	r.last = e.name
	if r.version < 4 { // padded to a multiple of eight with at least one NUL, which was read
		length := read + len(name)
		_, err = r.in.Discard(8 - length%8 - 1)
	}
	return e, err
}

func (r *indexReader) untilNUL(most int) (string, error) {
	var out []byte
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return "", err
		}
		if c == 0 {
			return string(out), nil
		}
		if len(out) >= most {
			return "", errIndex
		}
		out = append(out, c)
	}
}

// Tracked returns the files that the repository around a folder tracks below it, in lower case and
// relative to the folder, with slashes.
func Tracked(ctx context.Context, dir string) (map[string]bool, error) {
	r, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	staged, err := r.staged(ctx)
	if err != nil {
		return nil, err
	}
	below, _ := disk.Below(disk.Real(r.Root), disk.Real(dir))
	prefix := strings.ToLower(strings.TrimPrefix(filepath.ToSlash(below)+"/", "./"))
	out := map[string]bool{}
	for name := range staged {
		if rest, ok := strings.CutPrefix(strings.ToLower(name), prefix); ok {
			out[rest] = true
		}
	}
	return out, nil
}
