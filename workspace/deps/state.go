package deps

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"tandem/workspace/disk"
	"tandem/workspace/lock"
)

// maxSaved is more than what is saved of any package, in bytes.
const maxSaved = 64 << 20

// Vocabularies and types are saved in the user's state folder, which no workspace writes.

func (r *Vocabularies) file(key string) string {
	if r.options.StateDir == "" {
		return ""
	}
	return filepath.Join(r.options.StateDir, "deps", key+".names")
}

func (r *Vocabularies) load(key string) *Vocabulary {
	file := r.file(key)
	if file == "" {
		return nil
	}
	data, err := disk.ReadFile(file, maxSaved)
	if err != nil || len(data)%8 != 0 || len(data) == 0 {
		return nil
	}
	v := &Vocabulary{hashes: make([]uint64, len(data)/8)}
	for i := range v.hashes {
		v.hashes[i] = binary.LittleEndian.Uint64(data[i*8:])
	}
	if !slices.IsSorted(v.hashes) {
		return nil
	}
	return v
}

// save writes a set for the next session. If the disk is full, the
// next session has to read the files again, and nothing else is lost.
func (r *Vocabularies) save(key string, v *Vocabulary) {
	file := r.file(key)
	if file == "" {
		return
	}
	data := make([]byte, 0, len(v.hashes)*8)
	for _, h := range v.hashes {
		data = binary.LittleEndian.AppendUint64(data, h)
	}
	writeFileAtomic(file, data)
}

// A TypesState keeps, in the user's state folder, what was read of the packages of one
// standard library, for the processes that come later.
type TypesState struct{ file func(dir string) string }

// TypesState keeps the types of the standard library that is installed, under a name of what
// they depend on beside it, such as the platform.
func (r *Go) TypesState(name string) TypesState {
	return TypesState{func(dir string) string {
		released := filepath.Join(r.goroot(), "VERSION") // a library that somebody works on has none
		if _, err := os.Stat(released); err != nil || r.options.StateDir == "" {
			return ""
		}
		return filepath.Join(r.options.StateDir, "deps", stampsOf([]string{released, dir})+hex.EncodeToString(sum([]byte(name+runtime.Version())))+".types")
	}}
}

// Load returns what was kept of the package in a folder, nil where nothing was.
func (s TypesState) Load(dir string) []byte {
	data, err := disk.ReadFile(s.file(dir), maxSaved)
	if err != nil || len(data) < 8 || !bytes.Equal(data[:8], sum(data[8:])) {
		return nil
	}
	return data[8:]
}

// Save keeps something of the package in a folder; nothing else is lost where it cannot.
func (s TypesState) Save(dir string, data []byte) {
	if file := s.file(dir); file != "" {
		writeFileAtomic(file, append(sum(data), data...))
	}
}

func sum(data []byte) []byte {
	h := fnv.New64a()
	_, _ = h.Write(data) // never fails
	return binary.BigEndian.AppendUint64(nil, h.Sum64())
}

// writeFileAtomic writes a file completely or not at all.
func writeFileAtomic(file string, data []byte) {
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = lock.Replace(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // the incomplete file would only take disk space
	}
}
