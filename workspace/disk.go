package workspace

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"tandem/edits"
	"tandem/workspace/mapped"
	"tandem/workspace/redact"
)

// Limits of what is read as text.
const (
	binaryProbe = 8000            // a NUL in this many first bytes makes a file binary
	largeFile   = 5 << 20         // of a larger file nothing becomes context
	racyWindow  = 2 * time.Second // a file changed this shortly before it was read may change again with the same time stamp
)

// A Hash identifies content: the SHA-256 of a file's bytes.
type Hash [sha256.Size]byte

// String prints the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// HashOf is the hash of content.
func HashOf(content string) Hash {
	w := sha256.New()
	_, _ = io.WriteString(w, content)
	return Hash(w.Sum(nil))
}

// hashText hashes a text piece by piece, without a second copy of it.
func hashText(t edits.Text) Hash {
	const piece = 64 << 10
	w := sha256.New()
	for at := 0; at < t.Len(); at += piece {
		_, _ = io.WriteString(w, t.Slice(edits.Span{Start: at, End: min(at+piece, t.Len())}))
	}
	return Hash(w.Sum(nil))
}

// A diskFile is a file's bytes as they were read once, with what was made of them, each at
// its first use. It is immutable.
type diskFile struct {
	info    stamp
	content string // empty for large files
	id      string // of a large file: what distinguishes its states
	binary  bool
	large   bool
	hash    lazy[Hash]
	source  lazy[*redact.Source]
}

// hashed is the hash of the content; of a large file, of its id.
func (f *diskFile) hashed() Hash {
	return f.hash.get(func() Hash { return HashOf(cmp.Or(f.id, f.content)) })
}

// A stamp distinguishes two states of a file without reading it.
type stamp struct {
	size     int64
	modified time.Time
}

func stampOf(info os.FileInfo) stamp { return stamp{info.Size(), info.ModTime()} }

// reliable reports whether the stamp is old enough to be trusted: a file may be
// written twice within one tick of its file system's clock.
func (s stamp) reliable(now time.Time) bool { return now.Sub(s.modified) > racyWindow }

// readFrom reads an open file.
func readFrom(f *os.File, info os.FileInfo) (*diskFile, error) {
	if info.Size() > largeFile {
		return readLarge(f, info)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, largeFile+1)); err != nil {
		return nil, err
	}
	content := mapped.String(b.Bytes())
	return &diskFile{info: stampOf(info), content: content, binary: isBinary(content), large: len(content) > largeFile}, nil
}

// readLarge describes a file that is too large to be read: its hash is made of
// its size, its time and its first bytes.
func readLarge(f *os.File, info os.FileInfo) (*diskFile, error) {
	probe := make([]byte, binaryProbe)
	n, err := io.ReadFull(f, probe)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	id := fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), probe[:n])
	return &diskFile{info: stampOf(info), id: id, binary: isBinary(string(probe[:n])), large: true}, nil
}

func isBinary(content string) bool {
	return strings.IndexByte(content[:min(len(content), binaryProbe)], 0) >= 0
}

// A diskCache keeps the files read lately, bounded in bytes. An entry is valid
// only while the file's stamp is the one it was read at.
type diskCache struct {
	mu    sync.Mutex
	files map[string]*diskFile
	bytes int
}

const diskCacheBytes = 8 << 20

func newDiskCache() *diskCache { return &diskCache{files: map[string]*diskFile{}} }

func (c *diskCache) get(path string, now stamp) (*diskFile, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.files[path]
	return f, ok && f.info == now
}

// put keeps f, forgetting others when there are too many bytes. Which ones is
// left to the map's order: the cache only saves repeated reads.
func (c *diskCache) put(path string, f *diskFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(path)
	for other := range c.files {
		if c.bytes+len(f.content) <= diskCacheBytes {
			break
		}
		c.remove(other)
	}
	c.files[path] = f
	c.bytes += len(f.content)
}

func (c *diskCache) remove(path string) {
	if f, ok := c.files[path]; ok {
		c.bytes -= len(f.content)
		delete(c.files, path)
	}
}

// A FileHandle is any file at a snapshot's instant: an open document, or a
// file on disk.
type FileHandle struct {
	uri     string
	path    string // absolute; "" for a document that is no file
	overlay *Overlay
	disk    *diskFile
}

// URI is the file's URI, as the editor spelled it where it is open.
func (f FileHandle) URI() string { return f.uri }

// Open reports whether the text is the editor's.
func (f FileHandle) Open() bool { return f.overlay != nil }

// Version is the open document's version, 0 for a file on disk.
func (f FileHandle) Version() int32 {
	if f.overlay == nil {
		return 0
	}
	return f.overlay.Version
}

// Hash is the hash of the file's bytes; for a large file on disk it only
// distinguishes one state from the next.
func (f FileHandle) Hash() Hash {
	if f.overlay != nil {
		return f.overlay.Hash()
	}
	return f.disk.hashed()
}

// Binary reports whether the file has a NUL in its first 8,000 bytes.
func (f FileHandle) Binary() bool {
	if f.overlay == nil {
		return f.disk.binary
	}
	head := f.overlay.Text.Slice(edits.Span{End: min(f.overlay.Text.Len(), binaryProbe)})
	return strings.IndexByte(head, 0) >= 0
}

// Large reports whether the file has more than 5 MB: nothing of it becomes
// context.
func (f FileHandle) Large() bool {
	if f.overlay != nil {
		return f.overlay.Text.Len() > largeFile
	}
	return f.disk.large
}

// Raw is the file's text byte for byte; it is empty for a large file on disk.
func (f FileHandle) Raw() edits.Text {
	if f.overlay != nil {
		return f.overlay.Text
	}
	return edits.NewText(f.disk.content)
}

// Content is Raw as one string.
func (f FileHandle) Content() string {
	if f.overlay != nil {
		return f.overlay.Content()
	}
	return f.disk.content
}

// Text is the file's text as it is shown: each invalid byte becomes U+FFFD.
func (f FileHandle) Text() string {
	content := f.Content()
	if utf8.ValidString(content) {
		return content
	}
	return string([]rune(content))
}

// Source is Text with its lines and where its secrets are, found once.
func (f FileHandle) Source() *redact.Source {
	read := func() *redact.Source { return redact.FileSource(f.path, f.Text()) }
	if f.overlay != nil {
		return f.overlay.source.get(read)
	}
	return f.disk.source.get(read)
}
