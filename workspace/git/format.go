package git

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's names of objects
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// An oid names an object by its SHA-1; the zero oid names none.
type oid [sha1.Size]byte

func (id oid) String() string { return hex.EncodeToString(id[:]) }

func (id oid) none() bool { return id == oid{} }

// parseOID reads 40 hexadecimal digits.
func parseOID(text string) (id oid, ok bool) {
	if len(text) != hex.EncodedLen(len(id)) {
		return oid{}, false
	}
	_, err := hex.Decode(id[:], []byte(text))
	return id, err == nil
}

// blobOID is the name of the blob that a text would be.
func blobOID(text string) oid {
	return sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
}

// A kind is what an object is, by its number in a pack.
type kind byte

const (
	commitKind  kind = 1
	treeKind    kind = 2
	blobKind    kind = 3
	tagKind     kind = 4
	offsetDelta kind = 6 // of an entry before it in the pack
	objectDelta kind = 7 // of an object that it names
)

var kindNames = map[string]kind{"commit": commitKind, "tree": treeKind, "blob": blobKind, "tag": tagKind}

// A mode is a tree entry's or an index entry's.
type mode uint32

func parseMode(octal string) (mode, error) {
	m, err := strconv.ParseUint(octal, 8, 32)
	return mode(m), err
}

func (m mode) folder() bool { return m == 0o40000 }

// file reports whether it is a file or a symbolic link, and no folder or submodule.
func (m mode) file() bool { return m>>12 == 0o10 || m>>12 == 0o12 }

// A packEntry is the header of an entry of a pack.
type packEntry struct {
	kind   kind
	size   int64 // after inflation
	base   int64 // of an offsetDelta: where its base is
	baseID oid   // of an objectDelta
	data   int64 // where its zlib stream begins
}

// packHeader is how many bytes a pack has before its first entry.
const packHeader = 12

// readEntry reads the header of the entry at an offset.
func readEntry(pack io.ReaderAt, offset int64) (packEntry, error) {
	var head [40]byte // more than any header has
	n, err := pack.ReadAt(head[:], offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return packEntry{}, err
	}
	in := bytes.NewReader(head[:n])
	first, _ := in.ReadByte() // what is missing is damaged below
	e := packEntry{kind: kind(first >> 4 & 7), size: int64(first & 15)}
	if first&0x80 != 0 {
		more, err := binary.ReadUvarint(in)
		if err != nil || more >= 1<<58 {
			return e, errDamaged
		}
		e.size |= int64(more) << 4
	}
	switch e.kind {
	case commitKind, treeKind, blobKind, tagKind:
	case offsetDelta:
		back, err := offsetVarint(in)
		if e.base = offset - back; err != nil || back <= 0 || e.base < packHeader {
			return e, errDamaged
		}
	case objectDelta:
		if _, err := io.ReadFull(in, e.baseID[:]); err != nil {
			return e, errDamaged
		}
	default:
		return e, errDamaged
	}
	e.data = offset + in.Size() - int64(in.Len())
	return e, nil
}

// offsetVarint reads a number as git writes offsets.
func offsetVarint(in io.ByteReader) (int64, error) {
	c, err := in.ReadByte()
	n := int64(c & 0x7f)
	for err == nil && c&0x80 != 0 {
		if n > 1<<48 {
			return 0, errDamaged
		}
		if c, err = in.ReadByte(); err == nil {
			n = (n+1)<<7 | int64(c&0x7f)
		}
	}
	return n, err
}

// applyDelta returns what a delta, whose result has size bytes, makes of its base.
func applyDelta(base, delta []byte, size int64) ([]byte, error) {
	of, n := binary.Uvarint(delta)
	if n <= 0 || of != uint64(len(base)) {
		return nil, errDamaged
	}
	_, m := binary.Uvarint(delta[n:])
	in := bytes.NewReader(delta[n+max(m, 0):])
	out := make([]byte, 0, size)
	for in.Len() > 0 {
		op, _ := in.ReadByte()
		var piece []byte
		if op&0x80 == 0 { // the next bytes of the delta
			piece = make([]byte, op)
			if _, err := io.ReadFull(in, piece); err != nil || op == 0 {
				return nil, errDamaged
			}
		} else { // a part of the base
			var part [8]byte // its start and length, of which some bytes are written
			for i := range 7 {
				if op>>i&1 != 0 {
					c, err := in.ReadByte()
					if err != nil {
						return nil, errDamaged
					}
					part[i] = c
				}
			}
			start, length := int64(binary.LittleEndian.Uint32(part[:])), int64(binary.LittleEndian.Uint32(part[4:]))
			if length == 0 {
				length = 0x10000
			}
			if start+length > int64(len(base)) {
				return nil, errDamaged
			}
			piece = base[start : start+length]
		}
		if int64(len(out)+len(piece)) > size {
			return nil, errDamaged
		}
		out = append(out, piece...)
	}
	if int64(len(out)) != size {
		return nil, errDamaged
	}
	return out, nil
}
