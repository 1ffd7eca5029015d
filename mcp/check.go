package mcp

import (
	"regexp"
	"slices"

	"tandem/workspace"
)

// Checked is what an agent wants checked; without anything, what changed since the last
// commit.
type Checked struct {
	Patch string            `json:"patch,omitempty" jsonschema:"a unified diff or edit blocks, applied already or not"`
	Files []string          `json:"files,omitempty" jsonschema:"files or folders of the workspace to check whole, as they are on disk"`
	Texts map[string]string `json:"texts,omitempty" jsonschema:"by path, texts to check as if they were written"`
}

// Nothing reports whether nothing was named.
func (c Checked) Nothing() bool { return c.Patch == "" && len(c.Files)+len(c.Texts) == 0 }

// divide gives each folder its own files and texts. Without any, each is checked, and a patch is
// checked where it fits.
func (c Checked) divide(all []*folder) ([]part[Checked], error) {
	var parts []part[Checked]
	for _, w := range all {
		own := Checked{Texts: map[string]string{}}
		for _, file := range c.Files {
			if holding(all, file) == w {
				own.Files = append(own.Files, file)
			}
		}
		for name, text := range c.Texts {
			if holding(all, name) == w {
				own.Texts[name] = text
			}
		}
		if !own.Nothing() || c.Nothing() {
			parts = append(parts, part[Checked]{w, own})
		}
	}
	switch {
	case c.Patch == "":
	case len(all) == 1:
		return []part[Checked]{{all[0], c}}, nil
	default:
		for _, file := range patched.FindAllStringSubmatch(c.Patch, -1) {
			if i := slices.IndexFunc(all, func(w *folder) bool { return w.has(file[1]) }); i >= 0 {
				parts = append(parts, part[Checked]{all[i], Checked{Patch: c.Patch}})
				return parts, nil
			}
		}
		parts = append(parts, part[Checked]{all[0], Checked{Patch: c.Patch}})
	}
	return parts, nil
}

// patched finds the names of files in a patch.
var patched = regexp.MustCompile(`(?m)^(?:\+\+\+ (?:b/)?|--- (?:a/)?|\*\*\* (?:Update|Delete) File: )([^\t\r\n]+)`)

func (s *folder) check(c *call, in Checked) (string, error) {
	if _, err := s.ready(c, in.Files...); err != nil {
		return "", err
	}
	// Another snapshot reads again what it is asked for: the agent may just have written it.
	s.Session.Update(workspace.Diagnosed{})
	c.progress("checking")
	return s.Check(c, in)
}
