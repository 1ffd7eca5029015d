// Package similar finds the code of a workspace that resembles a place, or what somebody
// asks: Rank orders pieces of files by BM25, Search orders whole files.
//
// Invariant: a Corpus describes an index as it was built and never changes for
// those who ask it; the same corpus, index and query give the same order. It
// reads files only through the index. Deliberately absent:
// tokens, budgets, what else a window shows, what names mean, and anything fitted to
// a score of our own: windows chosen by 44 learned features showed more of the names that
// a place needed than BM25 and helped a real model less (docs/real-models.md).
package similar
