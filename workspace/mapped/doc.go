// Package mapped keeps flat data in files that are read in place: columns of values
// without pointers, as they are in memory, which the system loads page by page when
// they are used and drops when it needs the memory.
//
// Invariant: a file is replaced as a whole or not at all; what Map returns is never written
// again, and unmapped when its Data is garbage, which takes back the memory and the space of a
// file that was replaced.
// Deliberately absent: what the columns mean, and byte orders other than little-endian.
package mapped
