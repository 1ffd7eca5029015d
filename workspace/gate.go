package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/rel"
)

// A RefusedError means that a file may not be shown to a model.
type RefusedError struct {
	Name string // as Snapshot.Name returns it
	Why  string // the rule, as text
}

// Error is one sentence.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is kept from models: %s", e.Name, e.Why)
}

// A verdict is the gate's answer about one document.
type verdict struct {
	ok    bool
	alone bool // it lies outside every folder: it is context for itself alone
	why   string
}

// Allowed is the gate in front of every source of context, open documents
// included: it reports whether the text of what name means (an absolute path,
// a URI of any scheme, or a path below a folder) may be shown to a model, and if
// not, the reason as text.
func (s *Snapshot) Allowed(name string) (bool, string) {
	v := s.verdict(s.Resolve(name))
	return v.ok, v.why
}

// AllowedFor reports whether the text, the path or the existence of what name means may
// be shown to a model that works on reader, another document or "" for none. What lies
// outside every folder is shown for itself alone.
func (s *Snapshot) AllowedFor(name, reader string) bool {
	key := s.Resolve(name)
	v := s.verdict(key)
	return v.ok && (!v.alone || reader != "" && key == s.Resolve(reader))
}

// verdict judges a document once a snapshot.
func (s *Snapshot) verdict(key string) verdict {
	s.read.mu.Lock()
	v, known := s.read.allow[key]
	s.read.mu.Unlock()
	if known {
		return v
	}
	v = s.judge(key)
	s.read.mu.Lock()
	s.read.allow[key] = v
	s.read.mu.Unlock()
	return v
}

func (s *Snapshot) judge(key string) verdict {
	path, isFile := PathOf(key)
	v := s.judgeOther(key)
	if isFile {
		v = s.judgePath(path)
	}
	if o := s.overlays[key]; o != nil && o.Name != "" && v.ok {
		v = s.judgeName(o.Name, v)
	}
	if !v.ok || !isFile {
		return v
	}
	real := disk.Real(path)
	if view := s.View(path); view != nil && real == strings.Replace(path, view.Root, view.folder.dir.Real(), 1) {
		return v
	}
	return s.judgeReal(path, real)
}

// judgeName judges the name by which an editor has a document open that may be shown by its own:
// what hides one of them hides it.
func (s *Snapshot) judgeName(name string, own verdict) verdict {
	v := own
	if path, isFile := PathOf(name); !isFile {
		v = s.judgeOther(name)
	} else if s.View(path) != nil {
		v = s.judgePath(path)
	}
	if !v.ok {
		return v
	}
	return own
}

// judgeOther judges a document that is no file of this machine. Its URI may
// still contain a file's path (a notebook's cell, the other side of a diff), and
// then that file's rules apply.
func (s *Snapshot) judgeOther(uri string) verdict {
	path := otherPath(uri)
	switch {
	case path == "":
		return verdict{ok: true, alone: true}
	case s.View(path) != nil:
		return s.judgePath(path)
	}
	return s.deniedAnywhere(path)
}

// otherPath is the path that the URI of a document has that is no file, or "".
func otherPath(uri string) string {
	if parsed, err := url.Parse(uri); err == nil && parsed.Path != "" {
		return nativePath(parsed.Path)
	}
	return ""
}

// judgePath judges a path by the rules of the folder that holds it.
func (s *Snapshot) judgePath(path string) verdict {
	view := s.View(path)
	if view == nil {
		if _, open := s.overlays[path]; !open {
			return verdict{why: "it lies outside the workspace folders"}
		}
		return s.deniedAnywhere(path)
	}
	at, _ := view.Rel(path)
	if at.IsRoot() {
		return verdict{why: "it is the workspace folder itself"}
	}
	if ignored, why := view.rules.Ignored(at, false); ignored {
		return verdict{why: why}
	}
	return verdict{ok: true}
}

// judgeReal judges the file that a path with symbolic links leads to.
func (s *Snapshot) judgeReal(path, real string) verdict {
	for _, v := range s.views {
		at, ok := v.folder.realRel(real)
		if !ok || at.IsRoot() {
			continue
		}
		if ignored, why := v.rules.Ignored(at, false); ignored {
			return verdict{why: "it is a link to " + at.String() + ": " + why}
		}
		return verdict{ok: true}
	}
	if _, open := s.overlays[path]; !open {
		return verdict{why: "it is a link that leads outside the workspace folders"}
	}
	return s.deniedAnywhere(real)
}

// deniedAnywhere applies the rules that apply outside the folders too: the
// administrator's and the built-in ones.
func (s *Snapshot) deniedAnywhere(path string) verdict {
	at := anywhere(path)
	if denied, why := s.deny.Denies("", at); denied {
		return verdict{why: why}
	}
	if denied, why := ignore.Denied(at); denied {
		return verdict{why: why}
	}
	return verdict{ok: true, alone: true}
}

// anywhere is an absolute path as one below the system's root.
func anywhere(path string) rel.Path {
	at, _ := rel.Of(strings.TrimPrefix(filepath.ToSlash(path), "/"))
	return at
}

// hides reports whether a file of the folder is kept out of the index: its own path or
// the file that it leads to is ignored, or it leads out of the folder.
func (v *View) hides(at rel.Path) bool {
	if ignored, _ := v.rules.Ignored(at, false); ignored {
		return true
	}
	target, below := v.folder.realRel(disk.Real(at.Abs(v.folder.dir.Real())))
	if !below || target == at {
		return !below
	}
	ignored, _ := v.rules.Ignored(target, false)
	return ignored
}

// AllowsHit reports whether a file that a search server found may be shown. The server
// may have indexed this workspace too, so every rule of its folders holds below every
// folder of the hit's path.
func (s *Snapshot) AllowsHit(path string) bool {
	at := anywhere(path)
	if at.IsRoot() || !s.deniedAnywhere(at.String()).ok {
		return false
	}
	for rest, more := at.String(), true; more; _, rest, more = strings.Cut(rest, "/") {
		at, _ := rel.Of(rest)
		for _, v := range s.views {
			if !at.IsRoot() && v.hides(at) {
				return false
			}
		}
	}
	return true
}

// File returns the file that name means (an absolute path, a URI of any
// scheme, or a path below a folder): the open document, else the file on disk.
// A file that may not be shown to a model is a *RefusedError; a missing one is
// fs.ErrNotExist.
func (s *Snapshot) File(name string) (FileHandle, error) {
	key := s.Resolve(name)
	if ok, why := s.Allowed(key); !ok {
		return FileHandle{}, &RefusedError{Name: s.Name(key), Why: why}
	}
	return s.Unfiltered(key)
}

// Unfiltered is File without the gate. It is for what the user does with their
// own files (applying an edit, showing a diff); none of its text may go to a
// model.
func (s *Snapshot) Unfiltered(name string) (FileHandle, error) {
	key := s.Resolve(name)
	path, isFile := PathOf(key)
	if o, open := s.overlays[key]; open {
		return FileHandle{uri: o.URI, path: path, overlay: o}, nil
	}
	if !isFile {
		return FileHandle{}, fmt.Errorf("%s is not open in the editor: %w", name, fs.ErrNotExist)
	}
	file, err := s.fromDisk(path)
	if err != nil {
		return FileHandle{}, readError(s.Name(path), err)
	}
	return FileHandle{uri: URIOf(path), path: path, disk: file}, nil
}

// fromDisk reads a file below a folder, once a snapshot.
func (s *Snapshot) fromDisk(path string) (*diskFile, error) {
	view := s.View(path)
	if view == nil {
		return nil, errOutside
	}
	at, _ := view.Rel(path)
	s.read.mu.Lock()
	file := s.read.files[path]
	s.read.mu.Unlock()
	if file != nil {
		return file, nil
	}
	file, err := view.folder.read(at, s.read.cache)
	if err != nil {
		file, err = s.throughLink(path, err)
	}
	if err != nil {
		return nil, err
	}
	return s.read.store(path, file), nil
}

// throughLink reads the target of a path that could not be read directly: an
// absolute link from one place of the folders to another. Any other failure is
// returned unchanged.
func (s *Snapshot) throughLink(path string, failure error) (*diskFile, error) {
	real := disk.Real(path)
	for _, v := range s.views {
		if at, ok := v.folder.realRel(real); ok && real != path {
			return v.folder.read(at, s.read.cache)
		}
	}
	return nil, failure
}

// store remembers what was read; the first reader of a snapshot wins.
func (r *reads) store(path string, file *diskFile) *diskFile {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first := r.files[path]; first != nil {
		return first
	}
	r.files[path] = file
	return file
}

var errOutside = errors.New("it lies outside the workspace folders")

func readError(name string, err error) error {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("cannot read %s: %w", name, err)
}
