package names

import (
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
)

// A proposal is the files of one family that are checked together. Nothing vouches for itself:
// what they were without the change shows what is known.
type proposal struct {
	files     map[string]*change // by absolute path
	stage     Stage
	manifests []string // the new texts of the files that declare what is required
}

func proposalOf(family, all []*change) proposal {
	p := proposal{files: map[string]*change{}, stage: family[0].stage}
	for _, f := range family {
		p.files[f.abs] = f
	}
	for _, f := range all {
		if deps.IsManifest(f.Path) && !f.Absent {
			p.manifests = append(p.manifests, f.Text)
		}
	}
	return p
}

// uses reports whether the code of another file has an identifier without the change.
func (p proposal) uses(ws Workspace, f *change, name string) bool {
	ix, root, rel := ws.Index(f.abs)
	outside := func(id index.FileID) bool { return ix.Path(id) != rel && !p.has(root, ix.Path(id)) }
	return slices.ContainsFunc(ix.Users(name), outside) || p.other(f, func(other *change) bool { return hasWord(other.vouching(), name) })
}

// other reports whether one of the other files is as is says.
func (p proposal) other(f *change, is func(*change) bool) bool {
	for abs, other := range p.files {
		if abs != f.abs && is(other) {
			return true
		}
	}
	return false
}

// has reports whether a file of a workspace folder is one of a change.
func (p proposal) has(root, rel string) bool {
	return p.stage != Standing && p.files[filepath.Join(root, filepath.FromSlash(rel))] != nil
}

// vouching is the text of a file that shows what is known.
func (f *change) vouching() string {
	if f.stage == Standing {
		return f.Text
	}
	return f.Was
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
	for at := edits.IndexWord(text, name, 0); at >= 0; at = edits.IndexWord(text, name, at+len(name)) {
		next := strings.TrimLeft(text[at+len(name):], " \t")
		if !strings.HasSuffix(text[:at], ".") || strings.HasPrefix(next, "=") && !strings.HasPrefix(next, "==") {
			return true
		}
	}
	return false
}
