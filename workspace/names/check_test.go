package names

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace/language"
)

// filesOf are changes as a check takes them, looked at where something was inserted.
func filesOf(changes []edits.FileChange) (out []File) {
	for _, c := range changes {
		f := File{Path: c.Path, Text: c.After, Absent: c.AbsentAfter, Was: c.Before}
		switch {
		case c.AbsentAfter || CodeOnly(language.OfFile(filepath.Base(c.Path))):
		case c.Before == "":
			f.Changed = Whole(c.After)
		default:
			list, shift := c.Edits, 0
			if list == nil {
				list = edits.Diff(c.Before, c.After)
			}
			for _, e := range list {
				f.Changed = append(f.Changed, edits.Span{Start: e.Start + shift, End: e.Start + shift + len(e.New)})
				shift += e.Delta()
			}
		}
		f.Look = f.Changed
		out = append(out, f)
	}
	return out
}

// Judge is what is wrong in what changes insert.
func (n *Names) Judge(changes []edits.FileChange) Verdict { return n.at(Finished, changes) }

func (n *Names) at(stage Stage, changes []edits.FileChange) Verdict {
	files := filesOf(changes)
	v := n.Find(stage, files)
	v.Findings = slices.DeleteFunc(v.Findings, func(f edits.Finding) bool {
		i := slices.IndexFunc(files, func(one File) bool { return one.Path == f.Path })
		return !within(files[i].Changed, f.Span)
	})
	return v
}

// Check is Judge, with what could not be judged in sentences.
func (n *Names) Check(changes []edits.FileChange) ([]edits.Finding, []string) {
	v := n.Judge(changes)
	for _, f := range v.Failed {
		v.Unknown = append(v.Unknown, "the names in "+f.Path+" could not be checked: "+f.Err.Error())
	}
	return v.Findings, v.Unknown
}

func listed(list []edits.Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprint(f.Span, f.Kind, f.Message))
	}
	return strings.Join(out, "; ")
}
