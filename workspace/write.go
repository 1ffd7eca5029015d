package workspace

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/lock"
	"tandem/workspace/role"
)

// defaultMode is the mode of files and folders that a proposal creates, before
// the user's umask.
const (
	defaultMode   = 0o666
	defaultFolder = 0o777
)

// WriteProposal writes a proposal to the files below root, all of them or
// none. A file is written only if it still is, byte for byte, what the proposal
// was made for; it keeps its mode, or gets the one that the proposal
// says or that the file has which it is moved or copied from, and its name is moved to the new content in
// one step, so that a reader gets the old or the new content and a hard link
// elsewhere keeps the old.
//
// Paths are relative to root. A path that leaves root or passes through a
// symbolic link is refused, and so is what may not be written, as Snapshot.Writes answers; with nil, only
// what nothing reads by itself may. The error
// is, or wraps, an *edits.Error with CodeOutside, CodeProtected, CodeStale or
// CodeNotFound, except where the disk itself failed; a failure in the middle is
// rolled back. The verdict on the proposal is obeyed as the user's consent says: no other
// code writes to the disk what a model wrote.
func WriteProposal(root string, p *edits.Proposal, may func(name string) (edits.Code, string), consent edits.Consent) error {
	if err := checkPaths(p, may, consent); err != nil {
		return err
	}
	if err := p.Judged().Refusal(consent); err != nil {
		return err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("opening the workspace to write: %w", err)
	}
	w := &writer{root: dir, away: map[string]string{}}
	defer w.close()
	for _, f := range p.Files {
		if name := path.Clean(f.Path); f.Delete && !f.Done() {
			w.away[strings.ToLower(name)] = name
		}
	}
	for _, f := range p.Files {
		if f.Done() {
			continue
		}
		if err := w.stage(f); err != nil {
			return errors.Join(err, w.rollBack())
		}
	}
	return w.commit()
}

func refuseWrite(code edits.Code, path, format string, args ...any) error {
	return &edits.Error{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
}

// checkPaths refuses by name, before the disk is read.
func checkPaths(p *edits.Proposal, may func(name string) (edits.Code, string), consent edits.Consent) error {
	if may == nil {
		may = mayByName
	}
	seen := map[string]bool{}
	for _, f := range p.Files {
		name := path.Clean(f.Path)
		code, why := may(f.Path)
		switch {
		case edits.Outside(f.Path) || !fs.ValidPath(name):
			return refuseWrite(edits.CodeOutside, f.Path, "%q is not a path inside the workspace; nothing was written", f.Path)
		case code != "" && !f.Done() && (code != edits.CodeProtected || !consent.Confirmed):
			return refuseWrite(code, f.Path, "%q %s; nothing was written", f.Path, why)
		case seen[name]:
			return refuseWrite(edits.CodeOverlap, f.Path, "%q is in the proposal twice; nothing was written", f.Path)
		}
		seen[name] = true
	}
	return nil
}

// mayByName is what may be written where nobody says what was asked for.
func mayByName(name string) (edits.Code, string) {
	if !role.Of(name).Ordinary() {
		return edits.CodeProtected, whyRuns
	}
	return "", ""
}

// A writer holds what was done so far, to undo it.
type writer struct {
	root    *os.Root
	away    map[string]string // the files that are deleted, by their names in lower case
	targets []*target
	created []createdFolder // outermost first
	opened  []*os.Root
}

// A createdFolder is one that the writer created.
type createdFolder struct {
	parent *os.Root
	name   string
	opened *os.Root // nil if that failed
}

func (w *writer) close() {
	for _, dir := range w.opened {
		_ = dir.Close() // it was only read
	}
	_ = w.root.Close()
}

// commit puts all staged files in place, or none.
func (w *writer) commit() error {
	slices.SortStableFunc(w.targets, func(a, b *target) int { return cmp.Compare(rank(a), rank(b)) })
	for _, t := range w.targets {
		if err := t.commit(); err != nil {
			return errors.Join(err, w.rollBack())
		}
	}
	return nil
}

// rank puts deletions before what a file system may take for the same names.
func rank(t *target) int {
	if t.file.Delete {
		return 0
	}
	return 1
}

// rollBack undoes everything, latest first.
func (w *writer) rollBack() error {
	var failed []error
	for i := len(w.targets) - 1; i >= 0; i-- {
		if err := w.targets[i].rollBack(); err != nil {
			failed = append(failed, err)
		}
	}
	for i := len(w.created) - 1; i >= 0; i-- {
		if dir := w.created[i].opened; dir != nil {
			_ = dir.Close() // Windows keeps a folder that is open
		}
		_ = w.created[i].parent.Remove(w.created[i].name) // stays if another program put a file there
	}
	return errors.Join(failed...)
}

// stage checks one file and writes its new content to a temporary file in the same folder.
func (w *writer) stage(f edits.ProposedFile) error {
	after, err := f.After()
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	name := path.Clean(f.Path)
	dir, err := w.folder(path.Dir(name), f)
	if err != nil {
		return err
	}
	t := &target{file: f, dir: dir, name: path.Base(name), mode: defaultMode}
	w.targets = append(w.targets, t)
	again, err := w.otherCase(t, name)
	if err == nil && !again {
		err = t.verify()
	}
	if err != nil || f.Delete {
		return err
	}
	t.takeForm(w.formerMode(f))
	return t.writeTemporary(after)
}

// otherCase reports whether a file is created where only the case of a name differs from that of one which
// the proposal deletes, and the file system takes both for the same.
func (w *writer) otherCase(t *target, name string) (bool, error) {
	old := w.away[strings.ToLower(name)]
	if !t.file.Create || old == "" || old == name {
		return false, nil
	}
	there, missing := t.dir.Lstat(t.name)
	was, gone := w.root.Lstat(filepath.FromSlash(old))
	switch {
	case missing != nil || gone != nil || !os.SameFile(there, was):
		return false, nil
	case path.Base(old) == t.name:
		return false, refuseWrite(edits.CodeStale, t.file.Path, "%s and %s are one file here, where the case of a folder's name makes no difference; rename the folder yourself", t.file.Path, old)
	}
	return true, nil
}

// formerMode is the mode of the file that another is moved or copied from, 0 if there is none any more.
func (w *writer) formerMode(f edits.ProposedFile) fs.FileMode {
	from := f.Form.From
	if !f.Create || from == "" || edits.Outside(from) {
		return 0
	}
	info, err := w.root.Lstat(filepath.FromSlash(path.Clean(from)))
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Mode().Perm()
}

// folder opens the folder of a file, step by step from the root, and creates
// what is missing where the file is to be created. Every step is a real folder:
// what was opened is compared with what stood there without following links,
// so a link put in its place meanwhile is noticed, and later changes of the path
// have no effect.
func (w *writer) folder(name string, f edits.ProposedFile) (*os.Root, error) {
	dir := w.root
	if name == "." {
		return dir, nil
	}
	for _, part := range strings.Split(name, "/") {
		next, err := w.step(dir, part, f)
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

func (w *writer) step(dir *os.Root, part string, f edits.ProposedFile) (*os.Root, error) {
	seen, err := dir.Lstat(part)
	if errors.Is(err, fs.ErrNotExist) && f.Create {
		if err := dir.Mkdir(part, defaultFolder); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("creating the folder of %s: %w", f.Path, err)
		} else if err == nil {
			w.created = append(w.created, createdFolder{parent: dir, name: part})
		}
		seen, err = dir.Lstat(part)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refuseWrite(edits.CodeNotFound, f.Path, "%s does not exist any more; ask again", f.Path)
	case err != nil:
		return nil, fmt.Errorf("opening the folder of %s: %w", f.Path, err)
	case !seen.IsDir():
		return nil, linked(f.Path, part)
	}
	next, err := pin(dir, part, seen)
	if err != nil {
		return nil, linked(f.Path, part)
	}
	w.opened = append(w.opened, next)
	if last := len(w.created) - 1; last >= 0 && w.created[last].parent == dir && w.created[last].name == part {
		w.created[last].opened = next
	}
	return next, nil
}

// errSwapped means that a folder is not the one that was found before.
var errSwapped = errors.New("another folder stands there now")

// pin opens the folder part of dir if it is the one that was found there. Later
// operations stay in this folder, whatever its path points to by then.
func pin(dir *os.Root, part string, seen fs.FileInfo) (*os.Root, error) {
	next, err := dir.OpenRoot(part)
	if err != nil {
		return nil, err
	}
	if opened, err := next.Stat("."); err != nil || !os.SameFile(seen, opened) {
		return nil, errors.Join(errSwapped, err, next.Close())
	}
	return next, nil
}

func linked(name, part string) error {
	return refuseWrite(edits.CodeOutside, name, "%s is reached through %q, which is not a folder but may lead elsewhere; open the file where it really is", name, part)
}

// A target is one file that is being replaced.
type target struct {
	file      edits.ProposedFile
	dir       *os.Root    // its folder
	name      string      // in dir
	mode      fs.FileMode // that it gets
	exact     bool        // whatever the umask is
	former    fs.FileMode // that it had
	temporary string      // the new content, "" when there is none or it has moved
	held      *os.File    // temporary, open and locked, so that nobody takes it for a leftover
	done      bool
}

// verify checks that the file still is what the proposal was made for, and
// takes its mode.
func (t *target) verify() error {
	info, err := t.dir.Lstat(t.name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && t.file.Create:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return refuseWrite(edits.CodeNotFound, t.file.Path, "%s does not exist any more; ask again", t.file.Path)
	case err != nil:
		return fmt.Errorf("reading %s: %w", t.file.Path, err)
	case !info.Mode().IsRegular():
		return refuseWrite(edits.CodeOutside, t.file.Path, "%s is a link or no plain file; open the file where it really is", t.file.Path)
	case t.file.Create:
		return refuseWrite(edits.CodeStale, t.file.Path, "%s exists already, and a suggestion wanted to create it; ask again", t.file.Path)
	case info.Size() != int64(t.file.Base.Len()):
		return t.changed()
	}
	t.former = info.Mode().Perm() | info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky)
	if !t.exact {
		t.mode, t.exact = t.former, true
	}
	return t.compare(info)
}

// takeForm gives the target the mode of the file that it comes from, and what its form says. Who may read
// an executable file may run it, as with git.
func (t *target) takeForm(from fs.FileMode) {
	if from != 0 {
		t.mode, t.exact = from, true
	}
	switch t.file.Form.Mode {
	case edits.Executable:
		t.mode |= t.mode & 0o444 >> 2
	case edits.Plain:
		t.mode &^= 0o111
	}
}

func (t *target) changed() error {
	return refuseWrite(edits.CodeStale, t.file.Path, "%s changed since the model saw it, and nothing was written; ask again", t.file.Path)
}

// compare reads the file that info described and compares it with the base.
func (t *target) compare(info fs.FileInfo) error {
	f, err := t.dir.Open(t.name)
	if err != nil {
		return fmt.Errorf("reading %s: %w", t.file.Path, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return t.changed()
	}
	content, err := io.ReadAll(io.LimitReader(f, info.Size()+1))
	if err != nil {
		return fmt.Errorf("reading %s: %w", t.file.Path, err)
	}
	if HashOf(string(content)) != Hash(t.file.Base.Hash()) {
		return t.changed()
	}
	return nil
}

// writeTemporary writes a text to a temporary file in the same folder and syncs it to disk.
func (t *target) writeTemporary(text edits.Text) error {
	removeLeftovers(t.dir)
	if err := t.createTemporary(); err != nil {
		return fmt.Errorf("writing beside %s: %w", t.file.Path, err)
	}
	_, err := text.WriteTo(t.held)
	if t.exact { // the umask is for new files
		err = errors.Join(err, t.held.Chmod(t.mode))
	}
	if err = errors.Join(err, t.held.Sync()); err != nil {
		return fmt.Errorf("writing beside %s: %w", t.file.Path, err)
	}
	return nil
}

// createTemporary makes a temporary file and locks it. Another program may take it for a
// leftover, and remove it, until it is locked; then the next one is made.
func (t *target) createTemporary() error {
	for range 10 {
		name := temporaryPrefix + rand.Text() + temporarySuffix
		f, err := t.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, t.mode.Perm())
		if err != nil {
			return err
		}
		t.temporary, t.held = name, f
		held, err := lock.Try(f)
		if err != nil || held && lock.CurrentAt(f, t.dir.Lstat, name) { // where there are no locks, its age protects it
			return nil
		}
		_ = t.removeTemporary() // it is gone, or about to be
	}
	return errors.New("temporary files are removed while they are made")
}

// commit puts the new content in the file's place if it still is unchanged.
func (t *target) commit() error {
	if err := t.verify(); err != nil {
		return err
	}
	if err := t.swap(); err != nil {
		return fmt.Errorf("writing %s: %w", t.file.Path, err)
	}
	t.done = true
	t.syncFolder()
	return nil
}

func (t *target) swap() error {
	if t.file.Delete {
		return t.dir.Remove(t.name)
	}
	if t.file.Create { // a link fails where a rename would replace a file that was created meanwhile
		err := t.dir.Link(t.temporary, t.name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return errors.Join(err, t.removeTemporary())
		}
	}
	return t.moveTemporary()
}

// moveTemporary puts the temporary file in the file's place.
func (t *target) moveTemporary() error {
	if err := lock.ReplaceIn(t.dir, t.temporary, t.name); err != nil {
		return err
	}
	_ = t.held.Close() // all is written, and a lock that stays is only a leak
	t.temporary, t.held = "", nil
	return nil
}

func (t *target) removeTemporary() error {
	if t.temporary == "" {
		return nil
	}
	err := t.dir.Remove(t.temporary)
	_ = t.held.Close() // nobody reads it
	t.temporary, t.held = "", nil
	return err
}

// syncFolder makes the new name survive a power failure. Not every system can do
// this, and the file is complete in both cases.
func (t *target) syncFolder() {
	if d, err := t.dir.Open("."); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// rollBack puts the base back where commit had replaced it.
func (t *target) rollBack() error {
	err := t.removeTemporary()
	if !t.done {
		return err
	}
	t.done, t.mode, t.exact = false, t.former, true
	if t.file.Create {
		err = errors.Join(err, t.dir.Remove(t.name))
	} else if e := t.writeTemporary(t.file.Base); e != nil {
		err = errors.Join(err, e, t.removeTemporary())
	} else {
		err = errors.Join(err, t.moveTemporary())
	}
	if err != nil {
		return fmt.Errorf("%s could not be put back: %w", t.file.Path, err)
	}
	return nil
}
