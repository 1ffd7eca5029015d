package index

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
)

// A File is what the index knows of one file without looking at its text.
type File struct {
	ID       FileID
	Path     string // relative to the folder, with slashes
	Language string
	Package  string // package, module or namespace that the file says it belongs to
	Lines    int
	Size     int
	ModTime  time.Time // zero for an open buffer
}

// An Index is what one folder defined and used at one instant. It never
// changes; the zero value is the index of an empty folder.
type Index struct {
	files  []*stored // by FileID; nil when gone
	byPath map[string]FileID
	byName map[string][]DefID
	byType map[string][]DefID
	users  map[string][]FileID
}

type stored struct {
	File
	scan *FileScan
	text string
}

// New returns the index of the files given.
func New(changes ...Change) *Index { return (*Index)(nil).With(changes...) }

// With returns the next index, in which the files given have their new state.
func (ix *Index) With(changes ...Change) *Index {
	next := &Index{byPath: map[string]FileID{}, byName: map[string][]DefID{}, byType: map[string][]DefID{}, users: map[string][]FileID{}}
	if ix != nil {
		next.files = slices.Clone(ix.files)
		for p, id := range ix.byPath {
			next.byPath[p] = id
		}
	}
	for _, c := range changes {
		id, ok := next.byPath[c.Path]
		if !ok {
			id = FileID(len(next.files))
			next.byPath[c.Path] = id
			next.files = append(next.files, nil)
		}
		next.files[id] = store(id, c)
	}
	for id, f := range next.files {
		if f != nil {
			next.post(FileID(id), f)
		}
	}
	return next
}

func store(id FileID, c Change) *stored {
	if c.Removed {
		return nil
	}
	scan := Scan(c.Language, c.Path, c.Text)
	return &stored{File{id, c.Path, scan.Language, scan.Package, scan.Lines, len(c.Text), c.ModTime}, scan, c.Text}
}

func (ix *Index) post(id FileID, f *stored) {
	for i, d := range f.scan.Defs {
		ix.byName[d.Name] = append(ix.byName[d.Name], defID(id, i))
		if d.Container != "" {
			ix.byType[d.Owner()] = append(ix.byType[d.Owner()], defID(id, i))
		}
	}
	for _, u := range f.scan.Idents {
		ix.users[u.Name] = append(ix.users[u.Name], id)
	}
}

func (ix *Index) at(id FileID) *stored {
	if int(id) >= len(ix.files) {
		return nil
	}
	return ix.files[id]
}

// NumFiles is how many files the index holds.
func (ix *Index) NumFiles() int {
	n := 0
	for _, f := range ix.files {
		if f != nil {
			n++
		}
	}
	return n
}

// FileID finds a file by its path, relative to the folder, with slashes.
func (ix *Index) FileID(path string) (FileID, bool) {
	id, ok := ix.byPath[path]
	return id, ok && ix.at(id) != nil
}

// File is what is known of a file; ok is false when it is gone.
func (ix *Index) File(id FileID) (f File, ok bool) {
	if s := ix.at(id); s != nil {
		return s.File, true
	}
	return File{}, false
}

// Path is the path of a file, "" when it is gone.
func (ix *Index) Path(id FileID) string { f, _ := ix.File(id); return f.Path }

// Language is the language id of a file.
func (ix *Index) Language(id FileID) string { f, _ := ix.File(id); return f.Language }

// Files are all files, in the order of their paths.
func (ix *Index) Files() []FileID {
	var out []FileID
	for id, f := range ix.files {
		if f != nil {
			out = append(out, FileID(id))
		}
	}
	slices.SortFunc(out, func(a, b FileID) int { return cmp.Compare(ix.Path(a), ix.Path(b)) })
	return out
}

// Dir are the files directly in a directory ("." is the folder itself), in the
// order of their paths.
func (ix *Index) Dir(dir string) []FileID {
	var out []FileID
	for _, id := range ix.Files() {
		if path.Dir(ix.Path(id)) == dir {
			out = append(out, id)
		}
	}
	return out
}

// Def is one definition; its file is still there, or the zero Def is returned.
func (ix *Index) Def(id DefID) Def {
	s := ix.at(id.File())
	if s == nil || int(uint32(id)) >= len(s.scan.Defs) {
		return Def{}
	}
	d := s.scan.Defs[uint32(id)]
	d.ID, d.File = id, id.File()
	return d
}

// DefIDs are the definitions of a file in source order.
func (ix *Index) DefIDs(f FileID) []DefID {
	s := ix.at(f)
	if s == nil {
		return nil
	}
	out := make([]DefID, len(s.scan.Defs))
	for i := range out {
		out[i] = defID(f, i)
	}
	return out
}

func (ix *Index) defs(ids []DefID) []Def {
	var out []Def
	for _, id := range ids {
		if d := ix.Def(id); d.Name != "" {
			out = append(out, d)
		}
	}
	return out
}

// Defs are the definitions of a file in source order.
func (ix *Index) Defs(f FileID) []Def { return ix.defs(ix.DefIDs(f)) }

// LookupIDs appends the definitions of a name to buf, in the order of files.
func (ix *Index) LookupIDs(name string, buf []DefID) []DefID { return append(buf, ix.byName[name]...) }

// Lookup are the definitions of a name.
func (ix *Index) Lookup(name string) []Def { return ix.defs(ix.LookupIDs(name, nil)) }

// MemberIDs appends the members of the types and namespaces of that name
// (the innermost part of Def.Container) to buf.
func (ix *Index) MemberIDs(typ string, buf []DefID) []DefID { return append(buf, ix.byType[typ]...) }

// Members are the members of the types and namespaces of that name.
func (ix *Index) Members(typ string) []Def { return ix.defs(ix.MemberIDs(typ, nil)) }

// A Use says how often a file's code holds an identifier.
type Use struct {
	File  FileID
	Count int // at least; 255 stands for any more
}

// Uses are the files whose code holds an identifier, its own definitions
// included, strings and comments not.
func (ix *Index) Uses(name string) []Use {
	var out []Use
	for _, id := range ix.users[name] {
		for _, u := range ix.at(id).scan.Idents {
			if u.Name == name {
				out = append(out, Use{id, min(u.Count, 255)})
			}
		}
	}
	return out
}

// Users is Uses without the counts.
func (ix *Index) Users(name string) []FileID { return ix.users[name] }

// DocFreq is the number of files whose code holds an identifier. It may be off
// by the number of files that changed since the index was built.
func (ix *Index) DocFreq(name string) int { return len(ix.users[name]) }

// Imports are the imports of a file in source order.
func (ix *Index) Imports(f FileID) []Import {
	if s := ix.at(f); s != nil {
		return s.scan.Imports
	}
	return nil
}

// SigText is the text of a definition's signature, lines StartLine to
// SigEndLine with their line ends, as it was when the file was indexed. It
// reads no file.
func (ix *Index) SigText(id DefID) string {
	s := ix.at(id.File())
	if s == nil {
		return ""
	}
	d := ix.Def(id)
	return lines(s.text, d.StartLine, d.SigEndLine)
}

// lines is the text of whole lines, counted from 1.
func lines(text string, from, to int) string {
	start, line := 0, 1
	for ; line < from; line++ {
		start = min(lineEnd(text, start)+1, len(text))
	}
	end := start
	for ; line <= to; line++ {
		end = min(lineEnd(text, end)+1, len(text))
	}
	return text[start:end]
}

// Prefix are the names of definitions that begin with prefix, in order, at
// most limit.
func (ix *Index) Prefix(prefix string, limit int) []string {
	var out []string
	for name, ids := range ix.byName {
		if strings.HasPrefix(name, prefix) && len(ix.defs(ids)) > 0 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out[:min(limit, len(out))]
}

// Enclosing are the definitions whose lines hold the line given, the outermost
// first.
func (ix *Index) Enclosing(f FileID, line int) []Def {
	var out []Def
	for _, d := range ix.Defs(f) {
		if d.StartLine <= line && line <= d.EndLine {
			out = append(out, d)
		}
	}
	return out
}
