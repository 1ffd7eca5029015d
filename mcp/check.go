package mcp

// Checked is what an agent wants checked; without anything, what changed since the last
// commit.
type Checked struct {
	Patch string            `json:"patch,omitempty" jsonschema:"a unified diff or edit blocks, applied already or not"`
	Files []string          `json:"files,omitempty" jsonschema:"files or folders of the workspace to check whole, as they are on disk"`
	Texts map[string]string `json:"texts,omitempty" jsonschema:"by path, texts to check as if they were written"`
}

func (s *server) check(c *call, in Checked) (string, error) {
	if _, err := s.ready(c, in.Files...); err != nil {
		return "", err
	}
	c.progress("checking")
	return s.Check(c, in)
}
