package core

import "tandem/model"

// An Event is an asynchronous notification from the engine to its host: a Notice, a *Status,
// an InlineReady, a *Proposal or a *Task. The host may coalesce Status; the others must
// arrive.
type Event interface{ IsEvent() }

// A Notice is a sentence for the user, shown once.
type Notice string

// IsEvent makes it an Event.
func (Notice) IsEvent() {}

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

// Status is what works, what it works on, and why nothing is shown.
type Status struct {
	model.Status
	Busy     bool
	Files    int // in the index
	Indexing bool
	Reason   string // why the last request showed nothing
	Mistake  string // in the configuration; "" if it has none
	Paused   string // why nothing is suggested anywhere without being asked, and what ends that
	Others   string // which other providers suggest at the cursor, and what to do about it

	Unnoticed int // folders of the index in which changes made outside the editor are not noticed
}

// IsEvent makes it an Event.
func (*Status) IsEvent() {}
