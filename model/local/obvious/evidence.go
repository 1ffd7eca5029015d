package obvious

import (
	"math"

	"tandem/model/local/forest"
)

// The features that the forest estimates a suggestion's confidence from.
const (
	featReturn      = iota // the line is a return after an error check
	featField              // a field of a literal
	featCase               // a case of a switch
	featKind               // how the suggestion was made
	featLearned            // confidence of the learned model in the same line
	featBestLearned        // and in its best line
	featTest               // the document holds tests
	featOptions            // how many suggestions there are

	// Fields and cases.
	featKnown        // the declaration is known
	featMissing      // how many are missing
	featAfter        // of these, how many come after the one above
	featUsed         // how many there are
	featRank         // which of those after the one above this is
	featPlain        // share of the values that are a name alone
	featFollows      // share of the other literals and switches where this follows the one above
	featFollowed     // how many of these there are
	featSiblings     // how many other literals have the field
	featSiblingShare // and share of these that have this value
	featSiblingCount //
	featSiblingLines // how far the nearest is
	featSound        // share of the value's names that are declared
	featRepeated     // another field has this value
	featData         // the value is a string or a number
	featName         // how much the names agree
	featType         // whether the types agree
	featClass        // the kind of the field's type
	featSameType     // how many variables or constants are of this type
	featUnused       // nothing else uses the variable
	featUses         // how often it is used
	featParam        // it is a parameter
	featVarOrder     // how many were declared after it
	featBase         // share of the other values that select from the same
	featMakes        // share of the other values that make something
	featUnusedVars   // how many variables nothing uses
	featOrdered      // the cases above are in the order of the declaration
	featMentioned    // how often the document mentions the name

	// Returns.
	featResults     // how many results the function has
	featLastError   // the last is an error
	featNamed       // the results have names
	featOwn         // how many other returns after error checks the function has
	featOwnShare    // share of these that are this line
	featOwnWorded   // share that add a message
	featFile        // how many other returns after error checks the document has
	featFileShare   // share of these with this last result
	featFileWorded  // share that add a message
	featFirst       // no statement comes before it
	featForeign     // the checked call is one of another package
	featMethod      // or of a variable
	featPlainError  // the last result is the error as it is
	featNearWorded  // the nearest return after an error check above adds a message
	featNumFeatures // how many features there are
)

// evidence is the value of each feature.
type evidence [featNumFeatures]float64

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// confidence is how likely a suggestion with this evidence is exactly right.
func (e *evidence) confidence() float64 {
	return forest.Probability(forestBias, forestNodes, e[:])
}

// unknown is how much confidence there is in what is not among the suggestions of a place.
const unknown = 0.05

// among is how likely one of several suggestions is right, of which at most one is: by the
// confidence in it alone and the sum of all. The numbers were fitted to the last fields and
// cases of ten modules that the forest was not grown on.
func among(alone, all float64) float64 {
	share := alone / (all + unknown)
	return 1 / (1 + math.Exp(-(0.55 + 0.37*logOdds(alone) + 1.01*logOdds(share))))
}

func logOdds(p float64) float64 {
	p = min(max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}
