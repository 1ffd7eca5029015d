// Package similar ranks the code of a workspace by its resemblance to some words, by BM25: Rank
// ranks pieces of 30 lines, Files whole files.
//
// Invariant: its answers follow from the index and the texts that it is given, and it keeps
// nothing between two calls, so that a server that lived through changes answers as a new one.
// Deliberately absent: budgets, what names mean, and anything fitted to a score of our own:
// windows chosen by 44 learned features showed more of the names that a place needed than BM25
// and helped a real model less (docs/real-models.md).
package similar
