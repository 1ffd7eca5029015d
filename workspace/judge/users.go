package judge

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/cut"
	"tandem/workspace/dynamic"
	"tandem/workspace/language"
	"tandem/workspace/names"
)

// mostUsers bounds the files that are read because they use what a change withdraws.
const mostUsers = 400

// A withdrawal is a name that a change takes away or declares otherwise; without one it is that
// of the module.
type withdrawal struct {
	name  string
	owner string // the type that the name is a member of
}

// addUsers adds to the world the files that use what the change withdraws, where these do, and
// returns in sentences which of them are left unread. judged reports whether the members of types
// are judged in a language.
func (w *world) addUsers(snap *workspace.Snapshot, judged func(lang string, member bool) bool) (unknown []string) {
	users := map[string][]string{} // the withdrawn names that a file uses, by its absolute path; nil: the module itself
	count := map[string]int{}      // of the users of a name
	t := &tree{views: snap.Views()}
	for _, c := range w.changes {
		before, after := c.Path, c.After
		if old, ok := w.from[c.Path]; ok {
			before, after = old, ""
		}
		abs, isFile := workspace.PathOf(snap.Resolve(before))
		m, known := t.module(snap, abs)
		if c.AbsentBefore || !isFile || !known {
			continue
		}
		gone := withdrawn(before, c.Before, after)
		if c.AbsentAfter || before != c.Path {
			gone[withdrawal{}] = true
		}
		for what := range gone {
			if !judged(m.lang, what.owner != "") {
				continue
			}
			w.unread = append(w.unread, snap.Cut(language.Family(m.lang)))
			for at := range m.users(what) {
				if list, seen := users[at]; what.name == "" {
					users[at] = nil
				} else if !seen || list != nil {
					users[at] = append(list, what.name)
				}
				count[what.name]++
			}
		}
	}
	for _, f := range w.files {
		if abs, ok := workspace.PathOf(snap.Resolve(f.Path)); ok {
			delete(users, abs)
		}
	}
	if left := cut.Join(w.unread...); !left.None() {
		unknown = append(unknown, "what uses the change is not all known: "+left.String())
	}
	left := 0
	for _, abs := range slices.Sorted(maps.Keys(users)) {
		file, err := snap.Unfiltered(abs)
		switch {
		case err != nil || file.Binary():
			continue
		case len(w.files)-len(w.changes) == mostUsers || file.Large():
			left++
			continue
		}
		text := file.Content()
		f := names.File{Path: snap.Name(abs), Text: text, Was: text, Look: names.Whole(text)}
		if list := users[abs]; list != nil {
			f.Look = words(text, list)
		}
		w.files = append(w.files, f)
	}
	if left > 0 {
		name := slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return count[a] - count[b] })
		unknown = append(unknown, unread(left, cmp.Or(name, "what is gone")))
	}
	return unknown
}

// words are the places of a text that have one of some names as a word.
func words(text string, list []string) (out []edits.Span) {
	for _, name := range list {
		for at := edits.IndexWord(text, name, 0); at >= 0; at = edits.IndexWord(text, name, at+len(name)) {
			out = append(out, edits.Span{Start: at, End: at + len(name)})
		}
	}
	return out
}

// withdrawn are the names that a file declares no more, or otherwise, and the module itself where what
// it passes on has no names here.
func withdrawn(file, before, after string) map[withdrawal]bool {
	is, out := declared(file, after), map[withdrawal]bool{}
	for key, what := range declared(file, before) {
		if _, ok := is[key]; !ok {
			out[what] = true
		}
	}
	return out
}

// declared are the names that other files may have from a file, by all that is declared of them.
func declared(file, text string) map[string]withdrawal {
	scan, out := language.Scan("", path.Base(file), text), map[string]withdrawal{}
	for _, d := range scan.Defs {
		if !d.Local {
			out[fmt.Sprint(d.Container, "\x00", d.Kind, d.Name, d.Exported, d.Params, d.MinParams, d.MaxParams, d.Type)] = withdrawal{d.Name, d.Owner()}
		}
	}
	passed := func(module, name, local string) {
		what := withdrawal{name: local}
		if local == "*" || local == "default" { // nobody has to write that
			what = withdrawal{}
		}
		out[fmt.Sprint(module, "\x00", name, "\x00", local)] = what
	}
	switch {
	case scan.Language == "python":
		for _, im := range scan.Imports {
			passed(im.Path, im.Name, cmp.Or(im.Alias, im.Name, path.Base(im.Path)))
		}
	case names.Script(scan.Language):
		t := dynamic.ReadScript(text)
		if exported, _ := t.Exports(false); exported["default"] {
			passed("", "", "default")
		}
		for _, im := range t.Imports() {
			if im.Export {
				passed(im.Module, im.Name, cmp.Or(im.Local, im.Name))
			}
		}
	}
	return out
}
