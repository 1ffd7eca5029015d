package complete

import (
	_ "embed"
	"fmt"
	"sync"

	"tandem/model/local/forest"
)

// Threshold is the lowest confidence at which a suggestion is shown. On lines
// held out of three projects, half of the suggestions shown at it are right.
const Threshold = 0.2

// featureCount is how many features a candidate has.
const featureCount = 42

// grownForest is written by `make fit-local`.
//
//go:embed forest.txt
var grownForest string

var ranking = sync.OnceValue(func() *forest.Forest {
	f, err := forest.Parse(grownForest, featureCount)
	if err != nil {
		panic(fmt.Sprintf("complete: forest.txt: %v", err)) // the tests parse it
	}
	return f
})

// confidence returns the probability that a candidate with these features is
// exactly right.
func confidence(features []float64) float64 { return ranking().Probability(features) }
