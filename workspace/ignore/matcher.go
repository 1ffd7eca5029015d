package ignore

// A Matcher answers for one folder. It never changes.
type Matcher struct{ root string }

// New returns the matcher of the folder at root.
func New(root string) *Matcher { return &Matcher{root: root} }

// Ignored reports whether the file or folder at a slash-separated path below
// the root is hidden, and by which rule, in words.
func (m *Matcher) Ignored(rel string, isDir bool) (bool, string) { return Denied(rel) }
