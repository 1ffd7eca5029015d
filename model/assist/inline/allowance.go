package inline

import (
	"sync"
	"time"
)

// savedCharacters bounds what an allowance saves up: the tokens of so many typed
// characters.
const savedCharacters = 200

// An allowance bounds the prompt tokens that automatic completions may use for each
// character the user types. Requests are never refused: when little is left they wait
// for a longer pause, in which fewer of them are in vain.
type allowance struct {
	mu    sync.Mutex // guards all below
	began bool
	left  float64 // tokens; negative after a dear request
}

// typed adds what typing characters allows.
func (a *allowance) typed(characters, perKey int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	most := float64(savedCharacters * perKey)
	if !a.began {
		a.began, a.left = true, most
	}
	a.left = min(a.left+float64(characters*perKey), most)
}

// take records the tokens of a request that is sent.
func (a *allowance) take(tokens, perKey int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	most := float64(savedCharacters * perKey)
	if !a.began {
		a.began, a.left = true, most
	}
	a.left = max(a.left-float64(tokens), -most)
}

// pause returns how long a pause must be, of which the debounce is the least: more
// as the last half of the allowance is used.
func (a *allowance) pause(debounce time.Duration, perKey int) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.began || perKey <= 0 {
		return debounce
	}
	half := float64(savedCharacters*perKey) / 2
	scarcity := max(min((half-a.left)/half, 1), 0)
	return debounce + time.Duration(scarcity*float64(max(scarcePause-debounce, 0)))
}
