// Package localtest is a workspace in memory, for tests of the built-in engine.
//
// Invariant: nothing but tests imports it.
package localtest
