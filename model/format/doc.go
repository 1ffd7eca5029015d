// Package format is the prompts and answers of the models that are made for next
// edits: each was trained on one text form, and a byte off costs accuracy.
//
// Invariant: a prompt holds the user's text verbatim, and a text that holds a
// marker of the format makes no prompt; an answer is the new text of the region
// that was shown, or none, whatever a model adds around it. There is deliberately
// no choice of code here, no network and no snapshot: the caller says what the
// slots hold.
package format
