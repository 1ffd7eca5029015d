// Package mapped keeps flat data in files that are read in place: columns of values
// without pointers, as they are in memory, which the system loads page by page when
// they are used and drops when it needs the memory.
//
// Invariant: a file is replaced as a whole or not at all, and data that Map returns is
// never written again and never unmapped, so that strings may point into it.
// Deliberately absent: what the columns mean, and byte orders other than little-endian.
package mapped
