package names

import (
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/deps"
	"tandem/workspace/index"
)

// A proposal is the files of one family that are checked together. Those of a change do not
// vouch for one another: what only they use is judged as if one of them alone used it.
type proposal struct {
	files     map[string]*change // by absolute path
	whole     bool               // they are no change: see Options
	manifests []string           // the new texts of the files that declare what is required
}

func (n *Names) proposal(family, all []*change) proposal {
	p := proposal{files: map[string]*change{}, whole: n.c.options.Whole}
	for _, f := range family {
		p.files[f.abs] = f
	}
	for _, f := range all {
		if deps.IsManifest(f.Path) && !f.AbsentAfter {
			p.manifests = append(p.manifests, f.After)
		}
	}
	return p
}

// uses reports whether the code of another file has an identifier without the change.
func (p proposal) uses(ws Workspace, f *change, name string) bool {
	ix, root, rel := ws.Index(f.abs)
	outside := func(id index.FileID) bool { return ix.Path(id) != rel && !p.has(root, ix.Path(id)) }
	return slices.ContainsFunc(ix.Users(name), outside) || p.other(f, func(other *change) bool { return hasWord(p.vouching(other), name) })
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
	return !p.whole && p.files[filepath.Join(root, filepath.FromSlash(rel))] != nil
}

// vouching is the text of a file that shows what the workspace knows.
func (p proposal) vouching(f *change) string {
	if p.whole {
		return f.After
	}
	return f.Before
}

// declares reports whether the change itself declares that something is required: the disk
// may not have it yet.
func (p proposal) declares(requirement string) bool {
	return slices.ContainsFunc(p.manifests, func(text string) bool { return hasWord(text, requirement) })
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
