package names

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/language"
)

// A proposal is the files of one family that are checked together. Nothing vouches for itself:
// what they were without the change shows what is known.
type proposal struct {
	files     map[string]*change // by absolute path
	stage     Stage
	manifests []string // the new texts of the files that declare what is required
	words     func() map[string][]*change
}

func proposalOf(family, all []*change) proposal {
	p := proposal{files: map[string]*change{}, stage: family[0].stage}
	for _, f := range family {
		p.files[f.abs] = f
	}
	p.words = sync.OnceValue(func() map[string][]*change { return wordsOf(family) })
	for _, f := range all {
		if deps.IsManifest(f.Path) && !f.Absent {
			p.manifests = append(p.manifests, f.Text)
		}
	}
	return p
}

// uses reports whether the code of another file has an identifier without the change.
func (p proposal) uses(ws Workspace, f *change, name string) bool {
	_, root, rel := ws.Index(f.abs)
	own := filepath.Join(root, filepath.FromSlash(rel))
	for root, ix := range ws.Indexes() {
		for use := range ix.EachUse(name) {
			if abs := filepath.Join(root, filepath.FromSlash(ix.Path(use.File))); abs != own && !p.changes(abs) {
				return true
			}
		}
	}
	return p.other(f, name, func(other *change) bool { return hasWord(other.vouchingCode(), name) })
}

// other reports whether one of the other files that have a name, as words, is as is says. It reads
// no other file: of a tree, each name would have all of it read.
func (p proposal) other(f *change, name string, is func(*change) bool) bool {
	first := ""
	eachWord(name, func(word string) { first = cmp.Or(first, word) })
	return slices.ContainsFunc(p.words()[first], func(other *change) bool { return other.abs != f.abs && is(other) })
}

// wordsOf lists the files that have each word, with the change or without it; all of them have "".
func wordsOf(files []*change) map[string][]*change {
	out := map[string][]*change{"": files}
	for _, f := range files {
		add := func(word string) {
			if list := out[word]; len(list) == 0 || list[len(list)-1] != f {
				out[word] = append(list, f)
			}
		}
		if eachWord(f.Text, add); f.Was != f.Text {
			eachWord(f.Was, add)
		}
	}
	return out
}

// eachWord calls do for the words of a text, as edits.IndexWord finds them.
func eachWord(text string, do func(word string)) {
	start := -1
	for i := range len(text) {
		switch word := edits.IsWordByte(text[i]); {
		case word && start < 0:
			start = i
		case !word && start >= 0:
			do(text[start:i])
			start = -1
		}
	}
	if start >= 0 {
		do(text[start:])
	}
}

// has reports whether a file of a workspace folder is one of a change.
func (p proposal) has(root, rel string) bool {
	return p.changes(filepath.Join(root, filepath.FromSlash(rel)))
}

func (p proposal) changes(abs string) bool { return p.stage != Standing && p.files[abs] != nil }

// vouching is the text of a file that shows what is known.
func (f *change) vouching() string {
	if f.stage == Standing {
		return f.Text
	}
	return f.Was
}

// vouchingCode is vouching without comments and prose, in which no word shows what is known.
func (f *change) vouchingCode() string {
	if f.stage == Standing {
		return f.code()
	}
	return f.codeWas()
}

// codeOf is a text with blanks in place of its comments and of the strings that are prose. One
// without white space may be the name of an attribute that is set, one in which code may stand is kept.
func codeOf(lang, text string) string {
	out := []byte(text)
	for _, t := range language.Tokens(lang, text) {
		literal := text[t.Start:t.End]
		prose := t.Kind == language.String && strings.ContainsAny(literal, " \t\n") && !strings.ContainsAny(literal[:min(2, len(literal))], "fFtT`")
		for i := t.Start; i < t.End && (prose || t.Kind == language.Comment); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// declares reports whether the change itself declares that something is required: the disk
// may not have it yet.
func (p proposal) declares(requirement string) bool {
	return slices.ContainsFunc(p.manifests, func(text string) bool { return hasWord(text, requirement) })
}

// deletes reports whether the change deletes a file at one of some paths without their endings.
func (p proposal) deletes(paths []string, endings ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return slices.ContainsFunc(endings, func(ending string) bool {
			f := p.files[path+filepath.FromSlash(ending)]
			return f != nil && f.Absent
		})
	})
}

// states reports whether a text has a name otherwise than as a member that is read.
func states(text, name string) bool {
	return anyWord(text, name, func(before, after string) bool {
		return !strings.HasSuffix(before, ".") || isAssigned(strings.TrimLeft(after, " \t"))
	})
}
