// Package remainder estimates, from the text around the cursor alone, what the rest of
// the cursor's line will be: code of words that the document has, as opposed to prose, a
// comment, a new declaration or new names. Models are right there most often.
//
// Invariant: an estimate needs no outcome, no model and no workspace, reads a bounded
// part of the document and is the same each time. Deliberately absent: what it means for
// a user, which model/accept learns; and growing the forest, which `make fit-remainder`
// does from the lines that commits add.
package remainder

import "tandem/model/local/forest"

// NearBytes is how much of a document on each side of the cursor is looked at.
const NearBytes = 16 << 10

// Familiar returns the probability that the rest of the line at the cursor will be code
// of which most words are in the document. before ends at the cursor, after begins there;
// only what is near it is read.
func Familiar(before, after, language string) float64 {
	f := Features(before, after, language)
	return forest.Probability(forestBias, forestNodes, f[:])
}
