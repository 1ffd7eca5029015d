// Package reliability holds the tests that run the built program against faults, hostile
// input and load. They are behind the build tag reliability; make reliability runs them.
//
// Invariant: the program under test is the one that users run, over its real protocols.
// There is deliberately no code here but tests.
package reliability
