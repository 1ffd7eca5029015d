// Package conversation holds the record of one place of work: a question and its follow-ups, an
// edit with its steering and attempts, a step of a task with what was refused of it. Both models
// read it.
//
// Invariant: a Record is a value to which items are only added, so that the prompts made of it
// begin with each other. There is deliberately no workspace here: what a text has become since is
// handed in.
package conversation
