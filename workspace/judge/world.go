package judge

import (
	"crypto/sha256"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/names"
)

// A world is the files that a change makes and those that use it, with the change and without.
type world struct {
	changes []edits.FileChange
	files   []names.File      // with the change: first the changed ones, then their users
	from    map[string]string // where a moved file was, by its path
	unread  []cut.Cut         // what the index lacks in the languages of what the change withdraws
}

// worldOf pairs what a change deletes with what it creates: a moved file is compared with itself.
func worldOf(changes []edits.FileChange) *world {
	w := &world{changes: slices.Clone(changes), from: map[string]string{}}
	for i, c := range w.changes {
		if c.AbsentBefore && !c.AbsentAfter {
			if old, ok := w.moved(c); ok {
				w.from[c.Path] = old.Path
				w.changes[i] = edits.FileChange{Path: c.Path, Before: old.Before, After: c.After}
			}
		}
	}
	for i, c := range w.changes {
		f := names.File{Path: c.Path, Text: c.After, Absent: c.AbsentAfter, Was: c.Before}
		switch {
		case c.AbsentAfter:
			f.Text = ""
		case c.Before == "":
			f.Changed = names.Whole(c.After)
		default:
			if c.Edits == nil && c.Before != c.After {
				w.changes[i].Edits = edits.Diff(c.Before, c.After)
			}
			f.Changed = inserted(w.changes[i].Edits)
		}
		w.files = append(w.files, f)
	}
	return w
}

// moved is the deleted file that a created one was, by most of its lines.
func (w *world) moved(created edits.FileChange) (best edits.FileChange, ok bool) {
	most := 0.5
	for _, c := range w.changes {
		taken := slices.ContainsFunc(w.changes, func(o edits.FileChange) bool { return w.from[o.Path] == c.Path })
		if !c.AbsentAfter || c.AbsentBefore || taken {
			continue
		}
		if same := alike(c.Before, created.After); same > most {
			best, most, ok = c, same, true
		}
	}
	return best, ok
}

// alike is the part of the lines of the longer of two texts that both have.
func alike(a, b string) float64 {
	count := map[string]int{}
	lines, others, same := 0, 0, 0
	for line := range strings.Lines(a) {
		count[line]++
		lines++
	}
	for line := range strings.Lines(b) {
		others++
		if count[line] > 0 {
			count[line]--
			same++
		}
	}
	return float64(same) / float64(max(lines, others, 1))
}

// inserted are the parts of a text that edits put there; a deletion is an empty one.
func inserted(list []edits.Edit) (out []edits.Span) {
	shift := 0
	for _, e := range list {
		start := e.Start + shift
		out = append(out, edits.Span{Start: start, End: start + len(e.New)})
		shift += e.Delta()
	}
	return out
}

// linesOf are the lines of a text that have some parts.
func linesOf(text string, parts []edits.Span) (out []edits.Span) {
	for _, p := range parts {
		start := strings.LastIndexByte(text[:p.Start], '\n') + 1
		end := len(text)
		if i := strings.IndexByte(text[p.End:], '\n'); i >= 0 {
			end = p.End + i
		}
		out = append(out, edits.Span{Start: start, End: end})
	}
	return out
}

// before is the world without the change, in which the places are looked at that may have one of
// some findings; empty if there are none.
func (w *world) before(found []edits.Finding) (out []names.File) {
	byPath := map[string][]edits.Finding{}
	for _, f := range found {
		byPath[f.Path] = append(byPath[f.Path], f)
	}
	looked := false
	for i, f := range w.files {
		if i >= len(w.changes) {
			for _, one := range byPath[f.Path] {
				f.Look, looked = append(f.Look, one.Span), true
			}
			out = append(out, f)
			continue
		}
		c := w.changes[i]
		f = names.File{Path: f.Path, Text: c.Before, Absent: c.AbsentBefore, Was: c.Before}
		if !c.AbsentBefore {
			f.Look = mentions(c.Before, byPath[f.Path])
			looked = looked || len(f.Look) > 0
		}
		old, moved := w.from[c.Path]
		if moved {
			out = append(out, names.File{Path: c.Path, Absent: true})
			f.Path = old
		}
		if moved || !slices.Contains(w.left(), f.Path) {
			out = append(out, f)
		}
	}
	if !looked {
		return nil
	}
	return out
}

// reads are the hashes of what is read beside the changed files: their users, and all documents
// that are open, in which somebody may have typed another one. A folder that was not indexed yet
// stands for its files.
func (w *world) reads(snap *workspace.Snapshot) map[string][sha256.Size]byte {
	out := map[string][sha256.Size]byte{}
	for _, f := range w.files[len(w.changes):] {
		out[f.Path] = workspace.HashOf(f.Text)
	}
	for _, o := range snap.Overlays() {
		out[snap.Name(o.URI)] = o.Hash()
	}
	for _, c := range w.changes {
		delete(out, c.Path)
	}
	for _, v := range snap.Views() {
		if len(w.unread) > 0 && !v.Ready() {
			out[v.Root] = [sha256.Size]byte{}
		}
	}
	return out
}

// Holds reports whether a verdict on changes is one of the texts as they are now: of all that
// were read, and of no other that somebody has typed in.
func Holds(snap *workspace.Snapshot, v edits.Verdict, changes []edits.FileChange) bool {
	for name, was := range v.Reads() {
		if f, err := snap.Unfiltered(name); err != nil || [sha256.Size]byte(f.Hash()) != was {
			return false
		}
	}
	return !slices.ContainsFunc(snap.Overlays(), func(o *workspace.Overlay) bool {
		name := snap.Name(o.URI)
		_, read := v.Reads()[name]
		return !o.Saved && !read && !slices.ContainsFunc(changes, func(c edits.FileChange) bool { return c.Path == name })
	})
}

// left are the paths that moved files have left.
func (w *world) left() (out []string) {
	for _, old := range w.from {
		out = append(out, old)
	}
	return out
}

// mentions are the places of a text that may have one of some findings. One that is about no name
// may be anywhere.
func mentions(text string, found []edits.Finding) (out []edits.Span) {
	seen := map[string]bool{}
	for _, f := range found {
		if f.Name == "" || !edits.IsWordByte(f.Name[len(f.Name)-1]) {
			return names.Whole(text)
		}
		if seen[f.Name] {
			continue
		}
		seen[f.Name] = true
		for from := 0; ; {
			at := strings.Index(text[from:], f.Name)
			if at < 0 {
				break
			}
			out = append(out, edits.Span{Start: from + at, End: from + at + len(f.Name)})
			from += at + len(f.Name)
		}
	}
	return out
}

// A key is what findings have in common that one change does not tell apart.
type key struct{ path, kind, name string }

// without are the findings of which there are more than without the change: of each kind and name
// those on changed lines before others. What is wrong in a file that the change leaves as it is
// is its doing.
func (w *world) without(found, before []edits.Finding) (out []edits.Finding) {
	had := map[key]int{}
	for _, f := range before {
		path := f.Path
		for now, old := range w.from {
			if old == path {
				path = now
			}
		}
		had[key{path, f.Kind, f.Name}]++
	}
	lines := map[string][]edits.Span{} // that changed
	for i, c := range w.changes {
		lines[c.Path] = linesOf(c.After, w.files[i].Changed)
	}
	unchanged := func(f edits.Finding) bool {
		return !slices.ContainsFunc(lines[f.Path], func(s edits.Span) bool { return f.Span.Start <= s.End && s.Start <= f.Span.End })
	}
	for _, f := range slices.Backward(found) { // those that were there go first, from the end
		if k := (key{f.Path, f.Kind, f.Name}); had[k] > 0 && unchanged(f) {
			had[k]--
			continue
		}
		out = append(out, f)
	}
	slices.Reverse(out)
	return slices.DeleteFunc(out, func(f edits.Finding) bool {
		k := key{f.Path, f.Kind, f.Name}
		had[k]--
		return had[k] >= 0
	})
}

// Callee is the kind of finding in a file that the change leaves as it is.
const Callee = "changed_callee"

// blamed are the findings as they are reported: those in files that the change leaves as they are, of
// which only errors count, say what they come of.
func (w *world) blamed(snap *workspace.Snapshot, found []edits.Finding) (out []edits.Finding) {
	for _, f := range found {
		user := !slices.ContainsFunc(w.changes, func(c edits.FileChange) bool { return c.Path == f.Path })
		if user && f.Severity != "error" {
			continue
		}
		if user {
			text := w.files[slices.IndexFunc(w.files, func(o names.File) bool { return o.Path == f.Path })].Text
			f = called(f, text)
			if ok, _ := snap.Allowed(f.Path); !ok {
				f.Public = &edits.Finding{Kind: Callee, Severity: f.Severity, Message: "A file that no model may see uses what the change removed or declares otherwise."}
			} else if f.Public != nil {
				public := called(*f.Public, text)
				f.Public = &public
			}
		}
		out = append(out, f)
	}
	return out
}

func called(f edits.Finding, text string) edits.Finding {
	f.Kind, f.Line, f.Message = Callee, 1+strings.Count(text[:f.Span.Start], "\n"), f.Message+"; the change removed it or declares it otherwise"
	return f
}
