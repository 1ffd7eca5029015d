package assist

import (
	"tandem/edits"
	"tandem/model"
	"tandem/workspace"
)

// A Place is a byte offset in a document, which may be unsaved, untitled or
// outside every folder.
type Place struct {
	URI    string
	Offset int
}

// A Completion is one suggestion for a place: Text replaces the bytes of Replace in the
// document at Version.
type Completion struct {
	ID      string // identifies the suggestion in shown, accepted and rejected reports
	URI     string
	Version int32
	Replace edits.Span
	Text    string
	Imports bool // it also needs imports, which Accepted returns
	Checks  []edits.Check
	From    edits.Provenance
}

// CompleteRequest asks for what the user is about to type.
type CompleteRequest struct {
	Place
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
// why the built-in engine answered. Pending is true while the model still works; then a
// Ready event follows.
type Completions struct {
	Items   []Completion
	Reason  string
	Pending bool
}

// A NextEdit is one edit that probably comes next, here or in another file.
type NextEdit struct {
	ID      string
	URI     string
	Version int32
	Base    workspace.Hash // of the text that Edit applies to
	Edit    edits.Edit
	Line    int // 0-based line to jump to, when the edit is in another file than was asked about
	Title   string
	From    edits.Provenance
	// Jump is why the user should go there, where nothing can be written for them: the
	// message of an error, or what they changed. Edit then changes nothing. "" is an edit.
	Jump string
	// Change identifies the user's change that this is a place of; "" none.
	Change string
}

// EditRequest asks for a change of a document by an instruction.
type EditRequest struct {
	URI          string
	Span         edits.Span // the selection; empty: around its start
	Instruction  string
	Title        string                 // "" uses the instruction
	Lane         model.Lane             // "" lets routing choose
	Alternatives int                    // further candidates, requested in parallel
	Kind         model.Kind             // KindEdit unless set: fix, debug, document, test
	Diagnostics  []workspace.Diagnostic // what to fix, if that is what was asked
	Draft        bool                   // the host shows the edit in its own document and applies it there: see Proposal
	Attempt      int                    // how often the same was asked before: the model is asked to vary
	After        string                 // the id of a proposal whose answer this one continues, as Steering says; "" is none
	Steering     string                 // what the user said about the answer of After
	Watch        func(Progress)         // called with every piece, in order within a proposal, from a goroutine per alternative; may be nil
}

// A State is the state of a proposal.
type State string

// The states of a proposal, as the protocol prints them.
const (
	Streaming State = "streaming"
	Checking  State = "checking"
	Ready     State = "ready"
	Stale     State = "stale"
	Failed    State = "failed"
	Accepted  State = "accepted"
	Rejected  State = "rejected"
)

// A Proposal is an edits.Proposal with its state. Values are snapshots; the engine
// holds the current one under its ID.
//
// Where its Request asks for a Draft, the file of the request stays at the version that
// it was made for: the host has it in the document already, and the user decides there.
// The engine applies only its other files, and learns the decision.
type Proposal struct {
	edits.Proposal
	Answer       string   // the answer of the model, once it has ended
	Documents    []string // the URI of each of Files, in the same order
	bases        []base   // of each of Files
	State        State
	Err          error
	Alternatives []string // ids of the other candidates
	Request      EditRequest

	// Of the result of a task: its id, what each of its steps changed, what does not fit the
	// files as they are now, and what a review found.
	Task      string
	Parts     []TaskPart
	Conflicts []edits.Conflict
	Review    string
}

// Progress is one step of a running request: the next piece of the model's
// text, or a change of state.
type Progress struct {
	ID     string
	State  State
	URI    string
	Append string
	Draft  *Draft // what the pieces up to this one make of the document; nil unless the request asks for it
	Done   bool   // no piece follows
	Lane   model.Lane
	Model  string
	Reason string
}

// AskRequest is a question about the codebase, from a place or from none.
type AskRequest struct {
	Place
	Question string
	Thread   string       // a question sees the earlier answers of its thread; "" is no thread
	Lane     model.Lane   // "" lets routing choose
	Piece    func(string) // called with each piece of the answer as it arrives; may be nil
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
	Text        string
	Shown       string // what the model was shown: the whole prompt; "" from the built-in engine
	Citations   []Citation
	Interrupted bool
	From        edits.Provenance
}

// A Symbol is what the index holds about a name at a place.
type Symbol struct {
	Name, Kind, Signature, Language string
	Doc                             string
	Defined                         []Citation
	Users                           []Citation // the first few
	UserCount                       int        // files that use the name
	Neighbours                      []string
	Where                           string // module@version or "standard library" for a dependency's symbol
	Span                            edits.Span
}

// ReviewRequest asks for findings on whole documents, or on what a diff added.
type ReviewRequest struct {
	URIs  []string
	Diff  string // unified diff; only its added lines are judged
	Lane  model.Lane
	Watch func(Progress)
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

// An Event is an asynchronous notification from the engine to its host. One field is
// set. The host may coalesce Status and Progress; the others must arrive.
type Event struct {
	Proposal *Proposal
	Task     *Task
	Ready    *InlineReady
	Status   *Status
	Notice   string // a sentence for the user, shown once
}

// InlineReady notifies that a better completion for this version is in the cache.
type InlineReady struct {
	URI     string
	Version int32
}

// Status is what works, what it works on, and why nothing is shown.
type Status struct {
	model.Status
	Busy     bool
	Files    int // in the index
	Indexing bool
	Reason   string // why the last request showed nothing
	Paused   string // why nothing is suggested anywhere without being asked, and what ends that
	Others   string // which other providers suggest at the cursor, and what to do about it
}
