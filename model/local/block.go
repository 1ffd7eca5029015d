package local

// Block is the candidate's text, with the lines after it that surely follow.
func (c *Candidate) Block() string { return c.Text }
