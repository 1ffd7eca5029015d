// Package tokens counts text the way models do: an exact, fast o200k_base
// tokenizer (and cl100k_base), the rule by which counts of parts add up
// to the count of the whole, and a registry through which configuration names
// the tokenizer of a model.
//
// Invariant: a count is never too small. Count and Encode agree with the
// reference implementation on every input, whatever its size or shape, in
// n log n time; where a model's tokenizer is not here the count is an upper bound
// (Bytes) or becomes one by a margin that its user adds, and is marked so. Special tokens do not exist here: text that looks like
// one is plain text. No regular expressions, no I/O, no goroutines.
package tokens

//go:generate go run ./vocab/gen
