package edits

// A Proposal is edits to one or more files together with the bases they were
// made against and what was checked. It is never applied without its base.
type Proposal struct {
	ID     string
	Title  string
	Files  []ProposedFile
	Checks []Check
	From   Provenance
}

// A ProposedFile is what a proposal does to one file: the edits turn Base into
// the file's new text. Create and Delete say that the file does not exist
// before or after.
type ProposedFile struct {
	Path    string // workspace-relative with slashes, or a document's URI
	Version int32  // the open document's version that Base is, or 0 for a file on disk
	Base    Text
	Edits   []Edit
	Create  bool
	Delete  bool
	Tier    string // how the edits were located: exact, trailing_space, indent, trim, unicode, escapes, fuzzy
}

// Provenance is who made a proposal and what it took.
type Provenance struct {
	Lane, Model, ServedModel string
	Reason                   string // why this lane, in words
	PromptTokens             int
	OutputTokens             int
	CachedTokens             int
	FirstTokenMs             float64
	TokensPerSecond          float64
	CostUSD                  float64
}
