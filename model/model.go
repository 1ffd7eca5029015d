// Package model goes from a window to a proposal: lanes and routing, limits
// and cost, prompts and streams.
//
// Invariant: prompts and providers see Windows and text, never files; only
// model/assist sees a Snapshot. There is deliberately no network, disk, JSON
// or protocol position in this package: model/provider owns the network.
package model

import (
	"context"
	"iter"
	"time"

	"tandem/model/tool"
	"tandem/workspace/redact"
)

// A Purpose is what a request is for; limits, budgets and prompts depend on it.
type Purpose string

// The purposes of a request.
const (
	Complete Purpose = "complete"
	NextEdit Purpose = "next_edit"
	Edit     Purpose = "edit"
	Ask      Purpose = "ask"
	Review   Purpose = "review"
	Task     Purpose = "task"
	Commit   Purpose = "commit"
)

// A Request is a request to a model in no provider's format. It holds no other text than
// redact.Text and the constants of tools, and fits the model's window.
type Request struct {
	ID      string // unique; the ledger and the record name it
	Model   string // configured model name (the key of [models.X])
	Purpose Purpose

	// Instructions are fixed text: they hold no path, date or id, so that a
	// provider's prompt cache stays valid from one request to the next.
	Instructions redact.Text
	// Input is the conversation after the instructions. Its stable part comes
	// first: a continued connection sends only what was not sent before.
	Input []Message

	// Fill, when set, asks for the text between a prefix and a suffix;
	// models that fill in the middle use it in place of Input.
	Fill *Infill

	// Tools are what the model may call before it answers, for models whose
	// ModelConfig.Tools is true.
	Tools []tool.Tool

	// N asks for so many answers to the one prompt, which is paid once. Only models whose
	// ModelConfig.Choices is true give more than one. 0 means one.
	N int

	// Ahead asks for no answer: the server reads the prompt, so that it has it in its cache
	// when the next one begins with it. Servers that always write are asked for one token.
	Ahead bool

	// Raw, when set, is the whole prompt, which must reach the model verbatim:
	// without a chat template and without Instructions and Input.
	Raw redact.Text

	MaxOutputTokens int
	Stop            []string
	Temperature     *float64    // nil: the model's default
	Prediction      redact.Text // what the answer will mostly repeat, for providers that use it
	CacheKey        redact.Text // stable per workspace and language
	Deadline        Deadlines
}

// A Message is one turn of the input. Messages can be compared.
type Message struct {
	Role string // user, assistant, developer; tool for the result of a call
	Text redact.Text
	// Call is set in an assistant's message without text, which calls a tool, and in the
	// message with the result. Each call of an assistant's turn needs one result, after
	// the last call of that turn.
	Call ToolCall
}

// A ToolCall is a call of one of Request.Tools, as a model wrote it.
type ToolCall struct {
	ID        string // unique in an answer
	Name      string
	Arguments redact.Text // what should be a JSON object; tool.Tool.Decode reads it
}

// Deadlines bound the phases of a stream; zero means the purpose's default.
type Deadlines struct {
	Connect, FirstByte time.Duration
	Stall              time.Duration // without an event of the answer
	Slack              time.Duration // that a slow server has besides; set by Lanes
}

// A Delta is one piece of an answer. Exactly one field group is set.
type Delta struct {
	Text   string // the next piece of the answer
	Choice int    // which of the answers Text belongs to, from 0; below Request.N
	// LogProb is the sum of the natural logarithms of how likely the model takes the tokens of
	// Text to be; 0 where the server does not say.
	LogProb   float64
	Reasoning string // the next piece of a reasoning summary; never part of the answer
	// Call is a call of a tool, complete. Calls come after all text, just before Final,
	// so a stream that breaks has none.
	Call *ToolCall

	// Served is set once, in the first delta that knows it: the model that
	// really answers, as the server named it.
	Served string
	// Final is set in the last delta of a stream whose server ended it.
	Final *Final
}

// Final is what is known when a server has ended a stream: it says how.
type Final struct {
	Usage   Usage
	Speed   Speed
	End     End
	Choices int // how many answers are whole, empty ones included: the first ones; 0 means one
}

// Usage is what a request cost in tokens. Known is false if the server did not report it.
type Usage struct {
	Input, Cached, CacheWrite, Output, Reasoning int
	Known                                        bool
}

// A Stream yields deltas until Final or an error, never both. A caller that stops
// ranging stops the request. Every error is an *Error.
type Stream = iter.Seq2[Delta, error]

// A Client sends requests to one configured model. Implementations are model/provider
// (the network) and model/local (the built-in engine).
type Client interface {
	// Stream starts the request when ranged over; ctx bounds it.
	Stream(ctx context.Context, req *Request) Stream
	// Warm prepares a connection, so that the next Stream does not have to. It may do nothing.
	Warm(ctx context.Context) error
	// Close releases connections.
	Close() error
}
