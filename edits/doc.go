// Package edits is text and what happens to it: the text store, spans and
// edits, parsing what a model wrote, locating it, diffing, rebasing, checking.
//
// Invariant: everything here is a pure function of its arguments or an
// immutable value. There is deliberately no I/O, clock, goroutine, JSON, wire
// position or reference to a workspace in this package: offsets are in bytes,
// and Text alone knows how lines, columns and UTF-16 units map to them. What
// it needs to know of a workspace it gets through Syntax and Names.
package edits
