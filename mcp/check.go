package mcp

import "tandem/workspace"

// Checked is what an agent wants checked; without anything, what changed since the last
// commit.
type Checked struct {
	Patch string            `json:"patch,omitempty" jsonschema:"a unified diff or edit blocks, applied already or not"`
	Files []string          `json:"files,omitempty" jsonschema:"files or folders of the workspace to check whole, as they are on disk"`
	Texts map[string]string `json:"texts,omitempty" jsonschema:"by path, texts to check as if they were written"`
}

// Nothing reports whether nothing was named.
func (c Checked) Nothing() bool { return c.Patch == "" && len(c.Files)+len(c.Texts) == 0 }

func (s *server) check(c *call, in Checked) (string, error) {
	if _, err := s.ready(c, in.Files...); err != nil {
		return "", err
	}
	// Another snapshot reads again what it is asked for: the agent may just have written it.
	s.Session.Update(workspace.Diagnosed{})
	c.progress("checking")
	return s.Check(c, in)
}
