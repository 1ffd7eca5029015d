// Package similar finds the code of a workspace that is worth showing to somebody
// who is about to write at a place: pieces of files, each with an estimate of how
// many of the names, and of the pairs of neighbouring words, that the place will
// need and does not have yet stand in it. Search ranks files by what somebody asks.
//
// Invariant: a Corpus describes an index as it was built and never changes for
// those who ask it; the same corpus, index and query give the same estimate. It
// reads files only through the function that it was given. Deliberately absent:
// tokens, budgets, what else a window shows, and what names mean.
package similar
