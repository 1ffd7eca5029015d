package names

import (
	"tandem/edits"
)

// Imports returns the edits on f.After that add the imports it lacks, where
// there is exactly one candidate for each.
func (n *Names) Imports(f edits.FileChange) []edits.Edit {
	return nil
}
