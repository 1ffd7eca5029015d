package complete

import (
	_ "embed"
	"fmt"
	"sync"

	"tandem/model/local/forest"
)

// featureCount is how many features a candidate has.
const featureCount = 48

// grownForest was grown on typed commits of ten clones, once; nothing in the repository writes it.
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
