// Package rank orders the definitions of a workspace by how likely the code at
// a place needs them: names used near the place, what similar files use, what
// the imports and the folder offer, then what is used most anywhere.
//
// Invariant: a Model never changes, and the same model and query give the same
// order. Ranking reads no file and does not depend on the meaning of tokens, on
// budgets or on what is shown of a definition; it uses numbers that were computed
// when files were indexed.
package rank
