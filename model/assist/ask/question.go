package ask

import (
	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
	"tandem/model/assist/edit"
)

// Request is a question about the codebase, from a place or from none.
type Request struct {
	core.Place
	Question    string       // the user's words
	Explain     edits.Span   // with Explains: the selection
	Explains    bool         // the question is what the code at the place does
	SendSecrets bool         // the user wants the secrets in the words to be sent
	Thread      string       // a question sees the earlier answers of its thread; "" is no thread
	Lane        model.Lane   // "" lets routing choose
	Piece       func(string) // called with each piece of the answer as it arrives; may be nil
}

// A Citation is a place in the workspace that an answer names; tandem has
// checked that it exists.
type Citation struct {
	Path string // relative to its folder
	URI  string
	Line int // 1-based
}

// An Answer is markdown as a model or the built-in engine wrote it, not yet
// made inert for display.
type Answer struct {
	Text      string
	End       model.End // zero with an error: nothing came
	Shown     string    // what the model was shown: the whole prompt; "" from the built-in engine
	Citations []Citation
	From      edits.Provenance
}

// A Symbol is what the index holds about a name at a place.
type Symbol struct {
	Name, Kind, Signature, Language string
	Doc                             string
	Defined                         []Citation
	Used, Tested                    Uses
	Implementations                 Uses
	Where                           string // module@version or "standard library" for a dependency's symbol
	Span                            edits.Span

	first, last int // lines of its first definition
}

// Uses are the places of a name in some files, by its letters alone.
type Uses struct {
	Places, Files int
	First         []Citation // the first place of the first few files
}

// ReviewRequest asks for findings on whole documents, or on what a diff added.
type ReviewRequest struct {
	URIs   []string
	Diff   string            // unified diff; only its added lines are judged
	Change *edits.FileChange // instead of Diff, of the one document
	Lane   model.Lane
	Watch  func(edit.Progress)
}

// Reviewed is what a review found. Its end is that of the first answer that was cut.
type Reviewed struct {
	Findings []ReviewFinding
	End      model.End
}

// A ReviewFinding is one remark, located.
type ReviewFinding struct {
	URI      string
	Path     string
	Span     edits.Span
	Severity string // error, warning, information, hint
	Code     string
	Message  string
	Fix      string // an instruction that would fix it, if the reviewer gave one
}
