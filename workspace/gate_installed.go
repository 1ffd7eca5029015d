package workspace

import (
	"tandem/workspace/disk"
	"tandem/workspace/ignore"
	"tandem/workspace/rel"
)

// Installed is the gate for files that are named by their real path: those of
// dependencies, wherever they are.
type Installed struct {
	views []*View
	deny  ignore.Globs
}

// Installed returns the gate for files of dependencies.
func (s *Snapshot) Installed() Installed { return Installed{s.views, s.deny} }

// Denies reports whether the administrator's policy denies a path, in a folder or
// outside of all.
func (g Installed) Denies(real string) bool {
	denied, _ := g.deny.Denies("", anywhere(real))
	return denied
}

// FolderOf returns the real path of the innermost folder that holds a real
// path, and the top of the repository around the folder; "" where no folder
// holds it.
func (g Installed) FolderOf(real string) (folder, top string) {
	for _, v := range g.views {
		if _, ok := disk.Below(v.folder.dir.Real(), real); ok {
			return v.folder.dir.Real(), v.rules.Top()
		}
	}
	return "", ""
}

// Folders returns, for each folder, its real path and the top of its repository.
func (g Installed) Folders() [][2]string {
	out := make([][2]string, 0, len(g.views))
	for _, v := range g.views {
		out = append(out, [2]string{v.folder.dir.Real(), v.rules.Top()})
	}
	return out
}

// ShowsOwn reports whether the file at a real path below a folder may be shown
// to a model.
func (g Installed) ShowsOwn(real string) bool {
	return g.shows(real, func(v *View, at rel.Path) bool { hidden, _ := v.rules.Ignored(at, false); return !hidden })
}

// ShowsInstalled is like Shows, for a file that a package manager installed: .gitignore
// and the built-in rules about installed code do not apply to it.
func (g Installed) ShowsInstalled(real string) bool {
	return g.shows(real, func(v *View, at rel.Path) bool { hidden, _ := v.rules.HidesInstalled(at); return !hidden })
}

func (g Installed) shows(real string, judge func(v *View, at rel.Path) bool) bool {
	for _, v := range g.views {
		if at, ok := v.folder.realRel(real); ok {
			return judge(v, at)
		}
	}
	return false
}
