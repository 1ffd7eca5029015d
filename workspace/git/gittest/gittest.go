// Package gittest writes small git repositories for tests, without the git
// program.
//
// Invariant: only tests import it. It writes loose objects and an index of
// version 2, which is all that a repository needs. There is deliberately no
// reading here.
package gittest

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Repository is a repository that a test writes.
type Repository struct {
	tb  testing.TB
	Dir string // its work tree
	Git string // its data

	second int // of the last commit
}

// New makes an empty repository in a folder.
func New(tb testing.TB, dir string) *Repository {
	tb.Helper()
	r := &Repository{tb: tb, Dir: dir, Git: filepath.Join(dir, ".git")}
	for _, at := range []string{"objects/pack", "refs/heads"} {
		r.check(os.MkdirAll(filepath.Join(r.Git, filepath.FromSlash(at)), 0o755))
	}
	r.Write("HEAD", "ref: refs/heads/main\n")
	r.Write("config", "[core]\n\trepositoryformatversion = 0\n")
	return r
}

func (r *Repository) check(err error) {
	r.tb.Helper()
	if err != nil {
		r.tb.Fatal(err)
	}
}

// Write writes a file of the repository's data.
func (r *Repository) Write(name, text string) {
	r.tb.Helper()
	path := filepath.Join(r.Git, filepath.FromSlash(name))
	r.check(os.MkdirAll(filepath.Dir(path), 0o755))
	r.check(os.WriteFile(path, []byte(text), 0o644))
}

// Object writes an object and returns its hash.
func (r *Repository) Object(kind string, content []byte) string {
	r.tb.Helper()
	whole := append(fmt.Appendf(nil, "%s %d\x00", kind, len(content)), content...)
	sum := sha1.Sum(whole)
	hash := hex.EncodeToString(sum[:])
	r.Write("objects/"+hash[:2]+"/"+hash[2:], string(Deflate(whole)))
	return hash
}

// Deflate compresses as git does.
func Deflate(content []byte) []byte {
	var out bytes.Buffer
	z, _ := zlib.NewWriterLevel(&out, zlib.BestSpeed) // the level exists
	_, _ = z.Write(content)                           // a buffer never fails
	_ = z.Close()
	return out.Bytes()
}

// An Entry is a line of a tree.
type Entry struct{ Mode, Name, Hash string }

// Tree writes a tree and returns its hash.
func (r *Repository) Tree(entries ...Entry) string {
	r.tb.Helper()
	var out []byte
	for _, e := range entries {
		raw, err := hex.DecodeString(e.Hash)
		r.check(err)
		out = append(fmt.Appendf(out, "%s %s\x00", e.Mode, e.Name), raw...)
	}
	return r.Object("tree", out)
}

// Files writes a tree of files, with the folders in it, and returns its hash.
func (r *Repository) Files(files map[string]string) string {
	r.tb.Helper()
	folders := map[string]map[string]string{}
	var entries []Entry
	for name, text := range files {
		if dir, rest, ok := strings.Cut(name, "/"); ok {
			if folders[dir] == nil {
				folders[dir] = map[string]string{}
			}
			folders[dir][rest] = text
			continue
		}
		entries = append(entries, Entry{"100644", name, r.Object("blob", []byte(text))})
	}
	for dir, inner := range folders {
		entries = append(entries, Entry{"40000", dir, r.Files(inner)})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return r.Tree(entries...)
}

// Commit writes a commit of a tree, a second after the one before, and makes it the last one
// of the branch.
func (r *Repository) Commit(message, tree string, parents ...string) string {
	r.tb.Helper()
	text := "tree " + tree + "\n"
	for _, p := range parents {
		text += "parent " + p + "\n"
	}
	r.second++
	text += fmt.Sprintf("author t <t@example.com> %d +0000\ncommitter t <t@example.com> %[1]d +0000\n", r.second)
	hash := r.Object("commit", []byte(text+"\n"+message+"\n"))
	r.Write("refs/heads/main", hash+"\n")
	return hash
}

// Stage writes an index of files.
func (r *Repository) Stage(files map[string]string) {
	r.tb.Helper()
	out := binary.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x02"), uint32(len(files)))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		raw, err := hex.DecodeString(r.Object("blob", []byte(files[name])))
		r.check(err)
		entry := make([]byte, 40)
		binary.BigEndian.PutUint32(entry[24:], 0o100644)
		entry = binary.BigEndian.AppendUint16(append(entry, raw...), uint16(len(name)))
		entry = append(entry, name...)
		out = append(out, append(entry, make([]byte, 8-len(entry)%8)...)...)
	}
	sum := sha1.Sum(out)
	r.Write("index", string(append(out, sum[:]...)))
}
