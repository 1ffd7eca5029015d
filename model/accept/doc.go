// Package accept estimates how likely a suggestion will be used, from numbers about
// its place and its text.
//
// Invariant: an Estimator never calls anything unlikely before it has seen enough
// suggestions that were used, and then at most a fixed small share of those. It is
// deliberately small (one weight for each number) and holds no text, no clock and no
// disk: its callers compute the numbers and keep what it learned from.
package accept
