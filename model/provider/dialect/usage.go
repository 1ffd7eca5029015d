package dialect

import (
	"encoding/json"
	"math"
	"strconv"

	"tandem/model"
)

// A tokenCount is a number of tokens as a server wrote it. Numbers beyond every
// real one become maxCount, so that sums cannot overflow; what is no number
// becomes -1, which no bound admits.
type tokenCount int

const maxCount = 1 << 40

// UnmarshalJSON never fails: an answer is not lost because of its usage.
func (c *tokenCount) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseFloat(string(b), 64)
	switch {
	case string(b) == "null":
		*c = 0
	case math.IsNaN(n) || err != nil && !math.IsInf(n, 0):
		*c = -1
	default:
		*c = tokenCount(min(max(n, -maxCount), maxCount))
	}
	return nil
}

var _ json.Unmarshaler = (*tokenCount)(nil)

// usageOf is the usage that a server reported.
func usageOf(input, cached, written, output, reasoning tokenCount) model.Usage {
	return model.Usage{Input: int(input), Cached: int(cached), CacheWrite: int(written), Output: int(output), Reasoning: int(reasoning), Known: true}
}

// outputLimits are the names that the dialects give to the bound on an answer.
var outputLimits = []string{"max_output_tokens", "max_completion_tokens", "max_tokens", "n_predict", "num_predict"}

// OutputLimit is the bound on the answer that a request has, or 0.
func (f Fields) OutputLimit() int {
	for _, m := range f {
		switch v := m.Value.(type) {
		case int:
			for _, name := range outputLimits {
				if m.Name == name {
					return v
				}
			}
		case Fields:
			if n := v.OutputLimit(); n > 0 {
				return n
			}
		}
	}
	return 0
}
