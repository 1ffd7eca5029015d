// Package rank orders the definitions of a workspace by how likely the code at
// a place needs them: names used near the place, what similar files use, what
// the imports and the folder offer, then what is used most anywhere.
//
// Invariant: a Model never changes, and the same model and query give the same
// order. Ranking reads no file and knows nothing of tokens' meaning, budgets or
// what is shown of a definition; it deals in numbers that were made when files
// were indexed.
package rank
