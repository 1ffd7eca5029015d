// Package task is what a deep task is, apart from the models that do it: its plan as
// text, what is wrong with a plan, which steps may run at once, and what the results of
// its steps change in the files as they are now.
//
// Invariant: every function is pure. There is deliberately no model, file, clock or
// goroutine here; model/assist runs tasks and workspace/state keeps them.
package task
