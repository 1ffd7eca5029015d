// Package obvious suggests what the language itself makes plain at a place: in Go, the
// return after an error check, the constants that a switch lacks and the fields that a
// literal lacks.
//
// Invariant: it suggests only what the declarations in the document and the index allow
// there; where they leave a choice it follows the document's own lines, and says how sure
// that makes it. Deliberately absent: learning, the disk, and types that no declaration
// here states.
package obvious
