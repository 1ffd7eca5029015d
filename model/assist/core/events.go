package core

// An Event is an asynchronous notification from the engine to its host: a Notice, a Trouble,
// a Reason, StatusChanged, an inline.Ready, a *edit.Proposal or a *task.Task. The host may coalesce
// the status and its reasons; the others must arrive.
type Event interface{ IsEvent() }

// A Notice is a sentence for the user.
type Notice string

// IsEvent makes it an Event.
func (Notice) IsEvent() {}

// Once is a Notice that a session shows once, however often it comes: the host gets a Notice.
type Once string

// IsEvent makes it an Event.
func (Once) IsEvent() {}

// A Trouble is a Notice with what mends it, which an editor can offer as a button.
type Trouble struct {
	Text     string
	File     string // to correct, at Line
	Line     int
	Provider string // whose key is missing or was refused
	SetUp    bool   // another server or model is to be chosen
}

// IsEvent makes it an Event.
func (Trouble) IsEvent() {}

// A Reason says why the last request showed nothing.
type Reason string

// IsEvent makes it an Event.
func (Reason) IsEvent() {}

// StatusChanged says that the state of the models or of the work is another one now.
type StatusChanged struct{}

// IsEvent makes it an Event.
func (StatusChanged) IsEvent() {}
