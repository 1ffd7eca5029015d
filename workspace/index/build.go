package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"tandem/workspace/cut"
	"tandem/workspace/disk"
	"tandem/workspace/language"
	"tandem/workspace/mapped"
	"tandem/workspace/rel"
	"tandem/workspace/run"
)

const (
	// MaxFile is the size in bytes above which a file is left out as too large.
	MaxFile = 4 << 20
	// sniff is how much of a file is searched for a NUL byte, which makes it
	// binary.
	sniff = 8000
	// mostPacked is how much of files may be packed, in bytes: no offset of what is made of them is
	// beyond 32 bits, also when what changed later is added.
	mostPacked = math.MaxUint32 / 2
	// racy is the minimum age of a file for its modification time to be trusted: a
	// younger file could have been changed again within the clock's resolution.
	racy = 2 * time.Second
)

// A Matcher reports which files and folders are not indexed, and why. It is used concurrently.
type Matcher interface {
	Ignored(at rel.Path, isDir bool) (ignored bool, why string)
	Entered(dir rel.Path, entries []fs.DirEntry)
}

// Options configure what to index, and how.
type Options struct {
	Root     string                // the folder, absolute
	Keep     string                // file in which Save saved an index of this folder; "" reads none
	Have     *Index                // of this folder, in place of a saved one: what is made has its Base
	Matcher  Matcher               // nil: everything but .git
	Group    *run.Group            // runs the workers; nil: the caller's goroutine does it all
	Enough   context.Context       // ends reading before all is read: the index is of what was read by then; may be nil
	Progress func(done, total int) // called for every few files, from any goroutine; total is of those listed so far; may be nil

	room int // bytes of text whose parts are packed; 0: what the offsets of a segment reach
}

// Stats count the results of a Build.
type Stats struct {
	Files, Dirs, Lines, Definitions int
	Bytes                           int64
	Ignored, Binary, Large          int    // files and directories left out, and why
	Unlisted, Deep, Unread          int    // entries of directories that have too many, directories that lie too deep, and files and directories that could not be read
	Read                            int    // files read; the others were taken from the kept index
	Gap                             Gap    // what may declare a name and was not read
	Ended                           bool   // all was visited, and Options.Enough did not end it before
	Problem                         string // what was wrong with the saved index, so that it was rebuilt; "" if nothing
}

// A Gap is what an index lacks of the code of its folder; the zero Gap lacks nothing.
type Gap struct {
	files map[string]int // too large or unreadable, by the family of their language
	rest  cut.Cut        // of any language
}

// Cut is the gap for the languages of a family, or for all ("").
func (g Gap) Cut(family string) cut.Cut {
	n := g.files[family]
	for _, k := range g.files {
		if family == "" {
			n += k
		}
	}
	return cut.Join(g.rest, cut.Left(n, "file of code is too large, cannot be read or has no room in the index", "files of code are too large, cannot be read or have no room in the index"))
}

// Build reads a folder: unchanged files from its saved index, and the rest from
// the files themselves. A file that cannot be read is skipped. The error is
// ctx's, or the reason why the folder cannot be read.
func Build(ctx context.Context, o Options) (*Index, Stats, error) {
	root, err := disk.OpenRoot(o.Root)
	if err != nil {
		return nil, Stats{}, fmt.Errorf("%s cannot be indexed: it is not a folder that can be read", o.Root)
	}
	defer root.Close()
	b := &builder{o: o, now: time.Now()}
	b.load()
	defer runtime.KeepAlive(b) // the files of what it has are read in place
	n := max(1, runtime.GOMAXPROCS(0))
	for range n {
		b.workers = append(b.workers, &worker{packer: newPacker(), code: map[string]int{}, room: cmp.Or(o.room, mostPacked) / n})
	}
	b.seen = make([]atomic.Bool, b.have.state().ids)
	if b.have != nil {
		b.base = b.have.now.segs[0]
		b.revived = make([]atomic.Bool, b.base.numFiles())
	}
	walking, end := context.WithCancel(ctx)
	defer end()
	if o.Enough != nil {
		defer context.AfterFunc(o.Enough, end)()
		if o.Enough.Err() != nil {
			end()
		}
	}
	b.walker = &walker{ctx: walking, root: root, matcher: o.Matcher, visit: b.visit}
	b.walker.walk(o.Group, len(b.workers))
	if err := ctx.Err(); err != nil {
		return nil, Stats{}, fmt.Errorf("indexing %s was stopped: %w", o.Root, err)
	}
	ended := b.walker.ended()
	ix := b.index(ended)
	return ix, b.stats(ix, ended), nil
}

// A builder is the state of one Build.
type builder struct {
	o       Options
	have    *Index // as it is known, or from the last start; nil if there is none
	problem string
	now     time.Time
	knownAt time.Time     // what have says is of then
	base    *segment      // of have: what it said before files were removed from it
	revived []atomic.Bool // by row of base: the file was removed, and is there again as it was
	seen    []atomic.Bool // by FileID of have: the file is there and the same
	done    atomic.Int64
	walker  *walker
	workers []*worker
}

// A worker is the state of one goroutine of a Build.
type worker struct {
	packer        *packer
	buf           []byte
	read          int
	binary, large int
	unread        int            // files that could not be read
	code          map[string]int // files of code that were not read, by family
	room          int            // how much the packer may hold
}

func (b *builder) load() {
	if b.o.Have != nil || b.o.Keep == "" {
		b.have, b.knownAt = b.o.Have, b.now
		return
	}
	saved, at, err := load(b.o.Keep)
	switch {
	case err == nil && saved.numFiles() > 0:
		b.have, b.knownAt = of(b.o.Root, saved), at
	case err != nil && !os.IsNotExist(err):
		b.problem = err.Error()
	}
}

// visit handles one file of the folder.
func (b *builder) visit(worker int, folder *disk.Root, at rel.Path, entry fs.DirEntry) {
	w := b.workers[worker]
	if n := b.done.Add(1); b.o.Progress != nil && n%64 == 0 {
		b.o.Progress(int(n), b.walker.listed())
	}
	id, known := b.have.FileID(at.String())
	var was *fileRow
	if known {
		p, _ := b.have.state().at(id)
		was = &p.seg.files[p.row]
	}
	if known && b.same(was, b.knownAt, entry) {
		b.seen[id].Store(true)
		return
	}
	if !known && b.base != nil {
		if row, ok := b.base.fileAt(at.String()); ok && b.same(&b.base.files[row], b.base.made, entry) {
			b.revived[row].Store(true)
			return
		}
	}
	text, st, ok := w.load(folder, entry)
	if !ok {
		return
	}
	w.read++
	if known && was.hash == st.hash && was.size == st.size {
		b.seen[id].Store(true)
		return
	}
	if w.packer.size()+len(text) > w.room {
		w.unread++
		w.lacks(entry.Name())
		return
	}
	w.packer.add(at.String(), mapped.String(text), st)
}

// same reports whether a file has not been modified since it was known.
func (b *builder) same(f *fileRow, knownAt time.Time, entry fs.DirEntry) bool {
	info, err := entry.Info()
	if err != nil {
		return false
	}
	return uint64(info.Size()) == f.size && info.ModTime().UnixNano() == f.modTime && info.ModTime().Before(knownAt.Add(-racy))
}

// load reads a file into the worker's buffer, whose text is valid until the
// next load.
func (w *worker) load(folder *disk.Root, entry fs.DirEntry) (text []byte, st stamp, ok bool) {
	f, info, err := folder.OpenEntry(entry)
	if err == nil {
		defer f.Close()
		if info.Size() > MaxFile {
			w.large++
			w.lacks(entry.Name())
			return nil, st, false
		}
		text, err = w.readAll(f, int(info.Size()))
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.unread++
			w.lacks(entry.Name())
		}
		return nil, st, false
	}
	if bytes.IndexByte(text[:min(len(text), sniff)], 0) >= 0 {
		w.binary++
		return nil, st, false
	}
	return text, stamp{uint64(len(text)), info.ModTime().UnixNano(), hashOf(text)}, true
}

// lacks records that a file is not read.
func (w *worker) lacks(name string) {
	if language.Scans(name) {
		w.code[language.Family(language.OfFile(name))]++
	}
}

// readAll reads a file that is size bytes long, or a little longer by now.
func (w *worker) readAll(f io.Reader, size int) ([]byte, error) {
	if cap(w.buf) < size+512 {
		w.buf = make([]byte, size+size/4+512)
	}
	n := 0
	for w.buf = w.buf[:cap(w.buf)]; n < len(w.buf); {
		k, err := f.Read(w.buf[n:])
		n += k
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if n >= size && k == 0 {
			break
		}
	}
	return w.buf[:n], nil
}

// index combines the known and the newly read files. What was not visited, because reading ended
// before, is as it was.
func (b *builder) index(ended bool) *Index {
	var packers []*packer
	for _, w := range b.workers {
		packers = append(packers, w.packer)
	}
	ix := b.have
	if ix == nil {
		seg, _ := merge(packers...)
		return of(b.o.Root, seg)
	}
	var gone []string
	for id := range b.seen {
		if !ended {
			break
		}
		if path := ix.Path(FileID(id)); path != "" && !b.seen[id].Load() {
			gone = append(gone, path)
		}
	}
	var revived []FileID
	for row := range b.revived {
		if b.revived[row].Load() {
			revived = append(revived, b.base.ids[row])
		}
	}
	fresh, _ := merge(packers...)
	if fresh.numFiles() == 0 && len(gone) == 0 && len(revived) == 0 {
		return ix
	}
	return &Index{root: ix.root, base: ix.base, now: ix.now.revive(revived).next(fresh, nil, gone)}
}

func (b *builder) stats(ix *Index, ended bool) Stats {
	w := b.walker
	st := Stats{Files: ix.NumFiles(), Dirs: w.dirs, Definitions: ix.now.numDefs(), Ignored: w.ignored, Unlisted: w.left.beyond, Deep: w.left.deep, Ended: ended, Problem: b.problem}
	st.Gap.files, st.Gap.rest = map[string]int{}, w.left.cut()
	for _, w := range b.workers {
		st.Read += w.read
		st.Binary += w.binary
		st.Large += w.large
		st.Unread += w.unread
		for family, n := range w.code {
			st.Gap.files[family] += n
		}
	}
	st.Unread += w.left.unlisted
	if !ended {
		st.Gap.rest = cut.Because(fmt.Sprintf("%s of %s files are read", cut.Number(int(b.done.Load())), cut.Number(w.found)))
	}
	for id := range ix.now.ids {
		if p, ok := ix.now.at(FileID(id)); ok {
			_, lines, size := p.content()
			st.Lines, st.Bytes = st.Lines+lines, st.Bytes+int64(size)
		}
	}
	switch bounded := w.left.deep+w.left.beyond > 0; {
	case b.problem != "":
	case len(w.broken) > 0:
		st.Problem = w.broken[0].Error()
	case bounded:
		st.Problem = fmt.Sprintf("The index of %s is not whole: %s.", b.o.Root, w.left.cut())
	}
	return st
}
