package model

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// An Answer is what came of an answer: Whole or Part. Nothing else implements it, and its text
// is reached only by choosing one of them.
type Answer interface{ answered() }

// Whole is an answer that its model ended.
type Whole struct{ Text string }

// Part is what came of an answer that was cut.
type Part struct {
	Text string
	End  End
}

func (Whole) answered() {}
func (Part) answered()  {}

// Answered returns what came of an answer that ended so.
func Answered(text string, end End) Answer {
	if end.Whole() {
		return Whole{text}
	}
	return Part{text, end}
}

// Came returns the text of an answer as far as it came, and how it ended.
func Came(a Answer) (text string, end End) {
	switch a := a.(type) {
	case Whole:
		return a.Text, Ended(WhyWhole, "")
	case Part:
		return a.Text, a.End
	}
	return "", End{}
}

// maxAnswer bounds an answer in bytes: a model that never ends is stopped.
const maxAnswer = 512 << 10

// Collect reads a stream to its end and passes each piece on as it arrives. Calls of tools come
// with a whole answer only, whose text may be empty then. The error says why nothing came.
func Collect(stream Stream, piece func(string)) (Answer, []ToolCall, error) {
	var text strings.Builder
	var calls []ToolCall
	var end End
	for delta, err := range stream {
		switch {
		case err != nil && strings.TrimSpace(text.String()) == "":
			return nil, nil, err
		case err != nil:
			return Part{text.String(), EndBy(AsError(err))}, nil, nil
		case delta.Final != nil:
			end = delta.Final.End
		case delta.Call != nil:
			calls = append(calls, *delta.Call)
		}
		text.WriteString(delta.Text)
		if piece != nil && delta.Text != "" {
			piece(delta.Text)
		}
		if text.Len() > maxAnswer {
			endless := &Error{Code: CodeInterrupted, Message: fmt.Sprintf("ask for less, or choose another model: it did not end within %d KB.", maxAnswer>>10)}
			return Part{text.String(), EndBy(endless)}, nil, nil
		}
	}
	switch nothing := strings.TrimSpace(text.String()) == ""; {
	case nothing && !end.Whole():
		return nil, nil, end.Err()
	case nothing && len(calls) == 0:
		return nil, nil, &Error{Code: CodeEmpty, Message: "Ask again or in other words: the model answered nothing."}
	case !end.Whole():
		calls = nil
	}
	return Answered(text.String(), end), calls, nil
}

// Ends are words that nobody knows with which servers have ended whole answers, by the address of
// the server.
type Ends struct {
	// Load and Store keep the words for other processes and the next start; nil keeps none.
	Load  func() map[string][]string
	Store func(address, word string)

	mu        sync.Mutex // guards byAddress
	byAddress map[string][]string
}

// learn records that a server ended a whole answer with a word.
func (e *Ends) learn(address, word string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byAddress == nil {
		e.byAddress = map[string][]string{}
	}
	e.byAddress[address] = append(e.byAddress[address], word)
	if e.Store != nil {
		e.Store(address, word)
	}
}

// of returns an end as the words of a server have it. A word that is not known may have been
// learned by another process since.
func (e *Ends) of(address string, end End) End {
	if !end.Unclear() {
		return end
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	is := func(word string) bool { return strings.EqualFold(word, end.word) }
	if !slices.ContainsFunc(e.byAddress[address], is) && e.Load != nil {
		e.byAddress = e.Load()
	}
	if slices.ContainsFunc(e.byAddress[address], is) {
		end.Why = WhyWhole
	}
	return end
}
