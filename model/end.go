package model

import (
	"fmt"
	"strings"
	"unicode"
)

// A Why is the reason for which an answer ended. The zero value is a reason that nobody knows.
type Why string

// The reasons for which answers end. WhyWhole alone is that of a whole one.
const (
	WhyUnknown Why = ""             // the server gave a word that nobody knows, or none
	WhyWhole   Why = "whole"        //
	WhyLength  Why = "length"       // the most tokens that the server writes
	WhyFilter  Why = "filter"       // a content filter
	WhyRefused Why = "refused"      // the model declined to continue
	WhyPaused  Why = "paused"       // the server wants to be asked again
	WhyServer  Why = "server_error" //
	WhyContext Why = "context_full" //
	WhyBroken  Why = "broken"       // the connection, or the stream
	WhyStopped Why = "stopped"      // the user
	WhyShown   Why = "shown"        // tandem, since what will be shown is complete
)

// An End is how an answer ended: whole, or cut with a reason. The zero value is cut.
type End struct {
	Why   Why
	word  string // the server's own; "" if it gave none
	cause *Error // the failure that cut it, or nil
}

// maxWord bounds a server's word for an end, in characters.
const maxWord = 64

// Ended returns the end for a reason and the server's own word for it.
func Ended(why Why, word string) End {
	n := 0
	word = strings.Map(func(r rune) rune {
		if n++; n > maxWord || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(word, ""))
	return End{Why: why, word: strings.TrimSpace(word)}
}

// EndBy returns the end of an answer that a failure cut.
func EndBy(failed *Error) End {
	why := WhyBroken
	switch failed.Code {
	case CodeCancelled:
		why = WhyStopped
	case CodeRefused:
		why = WhyRefused
	case CodeContextLength:
		why = WhyContext
	case CodeServer, CodeOverloaded, CodeRateLimit, CodeQuota:
		why = WhyServer
	}
	return End{Why: why, word: failed.Word, cause: failed}
}

// Whole reports whether the answer is whole.
func (e End) Whole() bool { return e.Why == WhyWhole }

// Word is the server's own word for the end, or "".
func (e End) Word() string { return e.word }

// NoReason is the word for the end of a stream that ended in order and without a reason.
const NoReason = "no reason"

// Unclear reports whether only an answer that is known can tell if its server ends whole answers
// so.
func (e End) Unclear() bool {
	return e.Why == WhyUnknown && e.word != "" || e.Why == WhyBroken && e.word == NoReason
}

// reasons are clauses for people: what cut an answer.
var reasons = map[Why]string{
	WhyLength:  "the server stopped at its limit of tokens",
	WhyFilter:  "a content filter of the server stopped it",
	WhyRefused: "the model declined to continue",
	WhyPaused:  "the server paused it",
	WhyServer:  "the server failed",
	WhyContext: "the model's context was full",
	WhyBroken:  "the answer broke off",
	WhyStopped: "it was stopped by you",
	WhyShown:   "tandem stopped it, since what is shown is complete",
}

// Reason says what cut the answer, as a clause; "" if it is whole.
func (e End) Reason() string {
	said := reasons[e.Why]
	switch {
	case e.Whole():
		return ""
	case said == "" && e.word == "":
		return "the server did not say how it ended"
	case said == "":
		return fmt.Sprintf("the server ended it with “%s”, which tandem does not know as the end of a whole answer", e.word)
	case e.Why == WhyServer && e.word != "":
		return fmt.Sprintf("%s (“%s”)", said, e.word)
	}
	return said
}

// remedies are what to do about a cut answer, as clauses.
var remedies = map[Why]string{
	WhyLength:  "raise max_output_tokens, or ask for less",
	WhyFilter:  "ask for it in other words",
	WhyRefused: "ask for it in other words",
	WhyContext: "ask for less, or choose a model with a larger context_window",
	WhyUnknown: "ask again, or run tandem doctor, which finds out whether whole answers of this server end so",
}

// Sentence says that the answer was cut, what cut it and what to do; "" if it is whole.
func (e End) Sentence() string {
	switch {
	case e.Whole():
		return ""
	case e.Why == WhyStopped:
		return "The answer was cut: it was stopped by you."
	case e.cause != nil:
		return "The answer was cut: " + e.cause.Error()
	}
	remedy := remedies[e.Why]
	if remedy == "" {
		remedy = "ask again"
	}
	return fmt.Sprintf("The answer was cut: %s; %s.", e.Reason(), remedy)
}

// Err is the cut as an error, or nil if the answer is whole.
func (e End) Err() *Error {
	if e.Whole() {
		return nil
	}
	out := &Error{Code: CodeInterrupted}
	if e.cause != nil {
		own := *e.cause
		out = &own
	}
	out.Message, out.Delivered = e.Sentence(), true
	return out
}
