// Package obvious suggests what the language itself makes plain at a place: in Go, the
// return after an error check, the constants that a switch lacks and the fields that a
// literal lacks; there, in TypeScript and in Python the methods that a type lacks for what
// it is declared to be; and in these two the end of a function after a check for nothing
// and the cases, properties and arguments of declared types.
//
// Invariant: it suggests only what the declarations in the document, the index and the
// installed packages allow there; where they leave a choice, a forest that was grown on
// held-out lines says how sure each is. Deliberately absent: the disk, values that nothing
// around shows, and types that no declaration states.
package obvious
