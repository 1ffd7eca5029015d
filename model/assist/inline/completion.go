package inline

import (
	"tandem/edits"
	"tandem/model/assist/core"
)

// A Completion is one suggestion for a place: Text replaces the bytes of Replace in the
// document at Version.
type Completion struct {
	ID      string // identifies the suggestion in shown, accepted and rejected reports
	URI     string
	Version int32
	Replace edits.Span
	Text    string
	Imports bool          // it also needs imports, which Accepted returns
	Verdict edits.Verdict // on the document with it
	From    edits.Provenance

	belief belief // of the model, in Text
}

// Request asks for what the user is about to type.
type Request struct {
	core.Place
	Invoked   bool      // explicitly requested: no pause, no quiet mode, several candidates
	N         int       // candidates wanted; 0 means one
	Gradually bool      // where each candidate costs a prompt, the further ones are asked for when the user asks again
	Selected  *Selected // what a completion menu has selected, which a suggestion must extend
	Follows   bool      // the caller asks again when a Ready event says that there is more, so it does not wait long

	have  int  // candidates that the model has made before
	ahead bool // of what follows a suggestion that was just accepted: not typing, so without a pause
}

// Selected is a completion menu's selected item: it will replace Span by Text.
type Selected struct {
	Span edits.Span
	Text string
}

// Completions answers a CompleteRequest. Reason is the message why Items is empty or
// why the built-in engine answered. Marked: there are some, which the user has not asked to
// see. Pending is true while the model still works; then a Ready event follows.
type Completions struct {
	Items   []Completion
	Marked  bool
	Reason  string
	Pending bool
}

// Ready notifies that a better completion for this version is in the cache.
type Ready struct {
	URI     string
	Version int32
}

// IsEvent makes it an Event.
func (Ready) IsEvent() {}
