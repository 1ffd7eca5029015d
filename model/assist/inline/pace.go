package inline

import (
	"cmp"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"tandem/edits"
	"tandem/model"
	"tandem/model/assist/core"
)

// This file has every number that decides when a suggestion is asked for while the
// user types, and how long its caller waits.
//
//   - Pause (debounce). A request is sent when no key was typed for 45 ms + 0.5 × the
//     mean gap between two keys: 75 ms at 60 ms a key, 107 ms at 125, 145 at 200, and
//     never more than the upper bound, which is debounce_ms or 150 ms. It counts from the
//     key, not from the request: an editor that waits by itself does not wait twice.
//     Above 80 % of a quota it is twice as long. A server of the user's is asked sooner,
//     and again when it has begun to answer: what it reads it reads to the end anyway.
//   - Budget. Typing a character adds tokens_per_key tokens, a request takes the tokens
//     of its prompt. As the last half of what can be saved up is used, the pause grows
//     to 600 ms, which is a pause in which an answer is still seen: see allowance.
//   - Answer. After the pause a caller waits for the model's first complete, checked
//     line: at most 150 ms where the client follows (it is notified when the text is
//     there), else at most inline_timeout_ms (2,500 ms; a server of the user's 5,500). Nothing waits where the cache
//     or a nearly sure guess of the built-in engine answers.
//   - Rest. A server that is too slow for that is asked once no key was typed for a second, when it
//     works on nothing else; until then the built-in engine's guesses are shown, less sure ones too.
//   - Looking up. What a model below 3B writes is shown once no key was typed for 400 ms, which is
//     longer than between two keys at 40 words a minute; guesses are shown meanwhile, and what the
//     model is sure of (belief.go).
//   - Quiet after a key that accepts. For 150 ms no text on screen is replaced.
const (
	leastPause   = 45 * time.Millisecond
	gapShare     = 0.5
	unknownPause = 75 * time.Millisecond // while no gap is known
	longestPause = 150 * time.Millisecond

	ownPause = 45 * time.Millisecond // at a server of the user's, which waits for its turn

	scarcePause = 600 * time.Millisecond
	restPause   = time.Second            // at a server that is too slow to be asked while the user types
	readPause   = 400 * time.Millisecond // until a tiny model's text is shown

	firstLineWait = 150 * time.Millisecond
	leftWait      = 300 * time.Millisecond // in which a newer request may come for an answer that nobody awaits
	inlineTimeout = 2500 * time.Millisecond

	acceptQuiet = 150 * time.Millisecond

	keyGap = time.Second // a longer gap does not count for the pace
)

// A pace measures how fast the user types, the same for all documents of a session.
type pace struct {
	mu       sync.Mutex // guards all below
	last     time.Time
	interval time.Duration // moving average between keys; 0 while unknown
}

// key records that a key was typed at now.
func (p *pace) key(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	gap := now.Sub(p.last)
	p.last = now
	switch {
	case gap <= 0 || gap > keyGap:
	case p.interval == 0:
		p.interval = gap
	default:
		p.interval += (gap - p.interval) / 4
	}
}

// sinceKey is how long ago the last key was typed.
func (p *pace) sinceKey(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Sub(p.last)
}

// pause returns how long no key must be typed before a model is asked. most is the
// user's upper bound, 0 for none. backoff grows when most of a quota is used.
func (p *pace) pause(most time.Duration, backoff float64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := unknownPause
	if p.interval > 0 {
		wait = leastPause + time.Duration(gapShare*float64(p.interval))
	}
	wait = min(wait, cmp.Or(most, longestPause))
	return time.Duration(float64(wait) * max(backoff, 1))
}

// timeoutOf is how long a caller that does not follow waits for a model: as the user says,
// else until a server of the user's has read a new window.
func timeoutOf(p core.Preferences, can model.InTime) time.Duration {
	usual := inlineTimeout
	if can.Own {
		usual += model.ReadingTime
	}
	return cmp.Or(p.Timeout, usual)
}

// A timing decides when a model is asked while the user types.
type timing struct {
	pace      pace      // of the user's typing
	allowance allowance // of prompt tokens while typing
}

// tooSlow says why the model's server is asked only where the user rests.
func tooSlow(m model.ModelConfig) string {
	return fmt.Sprintf("The server of %s reads %.0f tokens a second, too few to suggest in time, so the built-in engine answers until you rest; load a smaller model, or raise editor.first_text_ms (tandem doctor says what would do).", m.Name, m.Rate.Evaluated)
}

// typed records the keys of one change of a document.
func (t *timing) typed(list []edits.Edit, tokensPerKey int) {
	t.pace.key(time.Now())
	characters := 0
	for _, e := range list {
		characters += min(utf8.RuneCountInString(e.New), 1) // pasted and accepted text is one key
	}
	t.allowance.typed(characters, tokensPerKey)
}

// wait returns how much longer no key must be typed before a model is asked.
func (t *timing) wait(prefers core.Preferences, backoff float64) time.Duration {
	wait := t.allowance.pause(t.pace.pause(prefers.Debounce, backoff), prefers.TokensPerKey)
	return wait - t.pace.sinceKey(time.Now())
}
