package edit

import (
	"tandem/edits"
	"tandem/model"
	"tandem/model/conversation"
	"tandem/workspace"
)

// Request asks for a change of a document by an instruction.
type Request struct {
	URI          string
	Span         edits.Span             // the selection; empty: around its start
	Instruction  string                 // the user's words; a kind that says what to do needs none
	By           workspace.Asker        // whose words these are
	Found        bool                   // they stand in the document
	SendSecrets  bool                   // the user wants the secrets in these words to be sent
	Title        string                 // "" uses the instruction
	Lane         model.Lane             // "" lets routing choose
	Alternatives int                    // further candidates, requested in parallel
	Kind         model.Kind             // KindEdit unless set: fix, debug, document, test
	Diagnostics  []workspace.Diagnostic // what to fix, if that is what was asked
	Draft        bool                   // the host draws the edit, and writes in its document what is accepted: see Proposal
	Attempt      int                    // how often the same was asked before: the model is asked for another approach
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
// it was made for: the host moves it with what is typed, and writes what the user accepts.
// The engine applies only its other files, and learns the decision.
type Proposal struct {
	edits.Proposal
	Answer       string               // the answer of the model, once it has ended
	End          model.End            // of the answer; zero until it has ended
	Documents    []string             // the URI of each of Files, in the same order
	bases        []base               // of each of Files
	whole        []edits.ProposedFile // Files as they were when it was ready
	State        State
	Err          error
	Alternatives []string // ids of the other candidates
	Request      Request
	asked        base                // the text that the span of Request is in
	record       conversation.Record // what a model was shown and said for it
	Task         TaskResult          // what it comes from; its zero value where no task made it
}

// A TaskResult is what a proposal says of the task that made it.
type TaskResult struct {
	ID        string
	Parts     []TaskPart       // what each step changed
	Conflicts []edits.Conflict // what does not fit the files as they are now
	Running   bool             // more steps are to come
	Quiet     bool             // it is shown in the view of tasks alone
	Review    string           // what a review found
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

// A TaskPart is what one step of a task contributes to its proposal.
type TaskPart struct {
	Step    int // from 1
	Title   string
	Lane    string
	Files   []string
	Changes []edits.FileChange
}

// A Part selects what of a proposal is accepted. The zero value of each field selects all.
type Part struct {
	Hunk *int   // counted over all files from 0
	Step int    // of a task, from 1
	File string // its path or URI
}

// IsEvent makes it an Event.
func (*Proposal) IsEvent() {}
