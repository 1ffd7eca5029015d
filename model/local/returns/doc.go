// Package returns suggests the return from an error check in Go.
//
// Invariant: a suggested return has as many results as its function; its values are the
// zero values of their types, the function's named results, or what the function's other
// error checks return. Deliberately absent: messages, which nothing shows before they are
// written; other statements; and other languages.
package returns
