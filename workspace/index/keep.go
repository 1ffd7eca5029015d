package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	"unsafe"
)

// The saved index is one file: a header, and the columns of one segment as they
// are in memory (little-endian, each aligned to 8 bytes). It is written to a
// temporary file in the same folder, synced and renamed, so that a crash keeps
// the old one or the new one; checksums detect data that the disk damaged. A
// file of another version, or of another byte order, is rebuilt.

const (
	keepMagic   = "tandem index\n\x00\x00\x00"
	keepVersion = 2
	headerSize  = 16 + 8 + 8 + 8 // magic, version and number of columns, time, checksum of header and table
	entrySize   = 24             // offset, length, checksum
)

// errDamaged is wrapped by the errors that load returns for a file it cannot
// use.
var errDamaged = errors.New("the kept index is damaged and is being made anew")

// column is one column as bytes, for writing, and as a destination for reading.
type column struct {
	bytes func(*columns) []byte
	set   func(*columns, []byte)
	size  int // of one value
}

func columnOf[T any](field func(*columns) *[]T) column {
	var zero T
	return column{
		bytes: func(c *columns) []byte { return bytesOf(*field(c)) },
		set:   func(c *columns, b []byte) { *field(c) = sliceOf[T](b) },
		size:  int(unsafe.Sizeof(zero)),
	}
}

// layout is the order of the columns in the file.
var layout = []column{
	columnOf(func(c *columns) *[]fileRow { return &c.files }),
	columnOf(func(c *columns) *[]defRow { return &c.defs }),
	columnOf(func(c *columns) *[]uint32 { return &c.params }),
	columnOf(func(c *columns) *[]importRow { return &c.imports }),
	columnOf(func(c *columns) *[]uint32 { return &c.nameAt }),
	columnOf(func(c *columns) *[]byte { return &c.nameBytes }),
	columnOf(func(c *columns) *[]uint32 { return &c.nameSlots }),
	columnOf(func(c *columns) *[]uint32 { return &c.textAt }),
	columnOf(func(c *columns) *[]byte { return &c.textBytes }),
	columnOf(func(c *columns) *[]uint32 { return &c.defAt }),
	columnOf(func(c *columns) *[]uint32 { return &c.byName }),
	columnOf(func(c *columns) *[]uint32 { return &c.memberAt }),
	columnOf(func(c *columns) *[]uint32 { return &c.byType }),
	columnOf(func(c *columns) *[]uint32 { return &c.useAt }),
	columnOf(func(c *columns) *[]uint32 { return &c.useFile }),
	columnOf(func(c *columns) *[]uint8 { return &c.useCount }),
	columnOf(func(c *columns) *[]byte { return &c.sigs }),
}

// Save writes the index to a file, from which the next Build starts, and
// returns an equal index whose data is in that file and not in the heap. Open
// buffers are not saved: the next Build reads their files.
func (ix *Index) Save(file string) (*Index, error) {
	seg := ix.whole()
	if err := write(file, &seg.columns); err != nil {
		var at *fs.PathError // names a temporary file
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("%s could not be written, so the next start will read every file: %w", file, err)
	}
	kept, _, err := load(file)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read back, so the next start will read every file: %w", file, err)
	}
	return of(ix.root, kept), nil
}

// whole is one segment with all current files but open buffers.
func (ix *Index) whole() *segment {
	first := ix.segs[0]
	if len(ix.segs) == 1 && ix.live == first.numFiles() && first.held == nil {
		return first
	}
	p := newPacker()
	for _, seg := range ix.segs {
		p.repack(seg, func(row int) bool {
			return ix.current(seg, uint32(row)) && seg.files[row].modTime != 0
		})
	}
	return merge([]*packer{p})
}

func write(file string, c *columns) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	head, err := writeColumns(f, c)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(head, 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	return syncDir(filepath.Dir(file))
}

// writeColumns writes all but the header, and returns the header.
func writeColumns(f *os.File, c *columns) ([]byte, error) {
	head := make([]byte, headerSize+entrySize*len(layout))
	copy(head, keepMagic)
	binary.LittleEndian.PutUint32(head[16:], keepVersion)
	binary.LittleEndian.PutUint32(head[20:], uint32(len(layout)))
	binary.LittleEndian.PutUint64(head[24:], uint64(time.Now().UnixNano()))
	at := int64(len(head)+7) &^ 7
	for i, col := range layout {
		b := col.bytes(c)
		if _, err := f.WriteAt(b, at); err != nil {
			return nil, err
		}
		entry := head[headerSize+entrySize*i:]
		binary.LittleEndian.PutUint64(entry, uint64(at))
		binary.LittleEndian.PutUint64(entry[8:], uint64(len(b)))
		binary.LittleEndian.PutUint32(entry[16:], crc32.Checksum(b, castagnoli))
		at = (at + int64(len(b)) + 7) &^ 7
	}
	binary.LittleEndian.PutUint32(head[32:], headSum(head))
	return head, nil
}

// headSum is the checksum of the header and the table, without the checksum
// itself.
func headSum(head []byte) uint32 {
	return crc32.Update(crc32.Checksum(head[:32], castagnoli), castagnoli, head[headerSize:])
}

// load reads a saved index, and the time when it was saved. The error is
// os.ErrNotExist when there is none.
func load(file string) (*segment, time.Time, error) {
	data, err := mapFile(file)
	if err != nil {
		return nil, time.Time{}, err
	}
	seg := &segment{}
	at, err := readColumns(data, &seg.columns)
	if err != nil {
		return nil, time.Time{}, err
	}
	seg.ids = make([]FileID, seg.numFiles())
	return seg, at, nil
}

func readColumns(data []byte, c *columns) (time.Time, error) {
	head := headerSize + entrySize*len(layout)
	if len(data) < head || string(data[:16]) != keepMagic {
		return time.Time{}, errDamaged
	}
	if binary.LittleEndian.Uint32(data[16:]) != keepVersion || binary.LittleEndian.Uint32(data[20:]) != uint32(len(layout)) || !littleEndian() {
		return time.Time{}, errors.New("the kept index is of another version of tandem and is being made anew")
	}
	if headSum(data[:head]) != binary.LittleEndian.Uint32(data[32:]) {
		return time.Time{}, errDamaged
	}
	for i, col := range layout {
		entry := data[headerSize+entrySize*i:]
		at, n := binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])
		if n == 0 {
			continue
		}
		if at > uint64(len(data)) || n > uint64(len(data))-at || n%uint64(col.size) != 0 || at%8 != 0 {
			return time.Time{}, errDamaged
		}
		b := data[at : at+n]
		if crc32.Checksum(b, castagnoli) != binary.LittleEndian.Uint32(entry[16:]) {
			return time.Time{}, errDamaged
		}
		col.set(c, b)
	}
	return time.Unix(0, int64(binary.LittleEndian.Uint64(data[24:]))), nil
}

func littleEndian() bool {
	var two [2]byte
	binary.NativeEndian.PutUint16(two[:], 1)
	return two[0] == 1
}

// syncDir makes a rename in a directory durable. Not every system can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	d.Sync()
	return nil
}
