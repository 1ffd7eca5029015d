package deps

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// Vocabularies are saved in the user's state folder, which no workspace writes.

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
	data, err := os.ReadFile(file)
	if err != nil || len(data)%8 != 0 || len(data) == 0 {
		return nil
	}
	v := &Vocabulary{make([]uint64, len(data)/8)}
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
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // the incomplete file would only take disk space
	}
}
