package mapped

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"tandem/workspace/lock"
)

// A file is a header, a table and the columns, little-endian, each aligned to 8 bytes.
// It is written to a temporary file in the same folder, synced and renamed, so that a
// crash keeps the old one or the new one; checksums detect data that the disk damaged.

const (
	kindSize   = 16
	headerSize = kindSize + 8 + 8 + 8 // kind, version and number of columns, time, checksum of header and table
	entrySize  = 24                   // offset, length, checksum
)

// temporary is in the name of a file that is being written.
const temporary = ".new-"

// The reasons why a file is not used; it is to be made anew.
var (
	ErrDamaged = errors.New("the file is damaged")
	ErrVersion = errors.New("the file is of another version of tandem")
)

// A Format is what a file holds. Data of another kind or version is not read.
type Format struct {
	Kind    string // at most 16 bytes
	Version uint32 // changes with the columns and with what they mean
}

// A Column is a slice of values that a file holds.
type Column struct {
	bytes func() []byte
	set   func([]byte)
	size  int // of one value
}

// Of returns the column that is written from a slice and read into it. T has no
// pointers.
func Of[T any](field *[]T) Column {
	return Column{
		bytes: func() []byte { return bytesOf(*field) },
		set:   func(b []byte) { *field = sliceOf[T](b) },
		size:  sizeOf[T](),
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Data is the memory that the columns of a file are in. It is given back when nothing refers
// to the Data any more: who uses the columns keeps it, and whatever outlives it is copied.
type Data struct{ bytes []byte }

// newData owns what was mapped. Slices of it do not keep it, so the owner has no other reference
// to it than its own.
func newData(bytes []byte) *Data {
	d := &Data{bytes}
	if len(bytes) > 0 {
		runtime.AddCleanup(d, unmap, bytes)
	}
	return d
}

// forever are data that are never given back.
var forever struct {
	mu   sync.Mutex
	data []*Data
}

// Forever keeps the memory until the program ends: for columns whose texts are passed on.
func (d *Data) Forever() {
	forever.mu.Lock()
	defer forever.mu.Unlock()
	forever.data = append(forever.data, d)
}

// Keep replaces a file by one with the columns written, makes its folder if there is none,
// and sets the columns kept, as many, to the data of that file. It is mapped before it has
// its name, because another process may replace what has the name at any time.
func (f Format) Keep(file string, written, kept []Column) (data *Data, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	out, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+temporary+"*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.Remove(out.Name())
		}
	}()
	head, err := f.writeColumns(out, written)
	if err == nil {
		_, err = out.WriteAt(head, 0)
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, err
	}
	if data, _, err = f.Map(out.Name(), kept...); err != nil {
		return nil, err
	}
	if err := lock.Replace(out.Name(), file); err != nil {
		return nil, err
	}
	syncDir(filepath.Dir(file))
	return data, nil
}

// writeColumns writes all but the header, and returns the header.
func (f Format) writeColumns(out *os.File, columns []Column) ([]byte, error) {
	head := make([]byte, headerSize+entrySize*len(columns))
	copy(head[:kindSize], f.Kind)
	binary.LittleEndian.PutUint32(head[16:], f.Version)
	binary.LittleEndian.PutUint32(head[20:], uint32(len(columns)))
	binary.LittleEndian.PutUint64(head[24:], uint64(time.Now().UnixNano()))
	at := int64(len(head)+7) &^ 7
	for i, col := range columns {
		b := col.bytes()
		if _, err := out.WriteAt(b, at); err != nil {
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

// Map sets the columns to the data of a file and returns the data and when it was written. The
// error is os.ErrNotExist if there is no such file, ErrDamaged or ErrVersion if it is not to
// be used; then the columns are not to be used either.
func (f Format) Map(file string, columns ...Column) (*Data, time.Time, error) {
	bytes, err := mapFile(file)
	if err != nil {
		return nil, time.Time{}, err
	}
	data := newData(bytes)
	at, err := f.read(bytes, columns)
	release(bytes) // the checksums have touched every page, and few are used soon
	runtime.KeepAlive(data)
	if err != nil {
		return nil, at, err
	}
	return data, at, nil
}

func (f Format) read(data []byte, columns []Column) (time.Time, error) {
	var kind [kindSize]byte
	copy(kind[:], f.Kind)
	head := headerSize + entrySize*len(columns)
	if len(data) < head || string(data[:kindSize]) != string(kind[:]) {
		return time.Time{}, ErrDamaged
	}
	if binary.LittleEndian.Uint32(data[16:]) != f.Version || binary.LittleEndian.Uint32(data[20:]) != uint32(len(columns)) || !littleEndian() {
		return time.Time{}, ErrVersion
	}
	if headSum(data[:head]) != binary.LittleEndian.Uint32(data[32:]) {
		return time.Time{}, ErrDamaged
	}
	for i, col := range columns {
		entry := data[headerSize+entrySize*i:]
		at, n := binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])
		if n == 0 {
			continue
		}
		if at > uint64(len(data)) || n > uint64(len(data))-at || n%uint64(col.size) != 0 || at%8 != 0 {
			return time.Time{}, ErrDamaged
		}
		b := data[at : at+n]
		if crc32.Checksum(b, castagnoli) != binary.LittleEndian.Uint32(entry[16:]) {
			return time.Time{}, ErrDamaged
		}
		col.set(b)
	}
	return time.Unix(0, int64(binary.LittleEndian.Uint64(data[24:]))), nil
}

func littleEndian() bool {
	var two [2]byte
	binary.NativeEndian.PutUint16(two[:], 1)
	return two[0] == 1
}

// Files lists the files of a folder whose name begins with a prefix, by name. Temporary
// files are not among them.
func Files(dir, prefix string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && !strings.Contains(e.Name(), temporary) && e.Type().IsRegular() {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// Remove removes a file. What was mapped of it stays readable.
func Remove(file string) error { return os.Remove(file) }

// syncDir makes a rename in a directory durable. Not every system can.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	d.Sync()
}
