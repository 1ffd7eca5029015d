package next

import (
	"tandem/edits"
	"tandem/workspace"
)

// An Offer is one edit that probably comes next, here or in another file.
type Offer struct {
	ID      string
	URI     string
	Version int32
	Base    workspace.Hash // of the text that Offer applies to
	Edit    edits.Edit
	Line    int // 0-based line to jump to, when the edit is in another file than was asked about
	Title   string
	From    edits.Provenance
	// Jump is why the user should go there, where nothing can be written for them: the
	// message of an error, or what they changed. Edit then changes nothing. "" is an edit.
	Jump string
	// Change identifies the user's change that this is a place of; "" none.
	Change string
	makes  string // what core.Makes says of it, or Jump
}
