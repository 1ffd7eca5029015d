package edits

import "fmt"

// A Code is a one-word reason why an answer was refused.
type Code string

// The codes of a refusal, as the protocol and `tandem apply` print them.
const (
	CodeParse     Code = "parse"      // the answer is not in the format it should be in
	CodeTruncated Code = "truncated"  // the answer stops before its end
	CodeNotFound  Code = "not_found"  // a file or the text to replace is not there
	CodeAmbiguous Code = "ambiguous"  // the text to replace is there more than once
	CodeStale     Code = "stale"      // the text changed since the model saw it
	CodeOverlap   Code = "overlap"    // two blocks touch the same lines
	CodeProtected Code = "protected"  // a file that a model may not write
	CodeOutside   Code = "outside"    // a path outside the workspace
	CodeUnchanged Code = "unchanged"  // the answer changes nothing
	CodeUnsafe    Code = "unsafe"     // the result would lose or leak something
	CodeFailed    Code = "failed"     // the result failed its checks
	CodeNotJudged Code = "not_judged" // the result could not be checked, and the user wants it checked
)

// An Error is why an answer was refused: a code for programs and one sentence
// for a person, which names the block where there is one.
type Error struct {
	Code    Code
	Block   int    // 1-based number of the block in the answer, or 0
	Path    string // the file concerned, as the answer names it, or ""
	Message string
}

func (e *Error) Error() string { return e.Message }

// refuse makes an Error about the whole answer.
func refuse(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// refuse makes an Error about block b, named in the sentence by its number and file.
func (b *Block) refuse(code Code, format string, args ...any) *Error {
	where := fmt.Sprintf("block %d", b.Number)
	if b.Path != "" {
		where += " (" + b.Path + ")"
	}
	return &Error{Code: code, Block: b.Number, Path: b.Path, Message: where + ": " + fmt.Sprintf(format, args...)}
}
