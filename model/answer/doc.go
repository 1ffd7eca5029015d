// Package answer is the one reader of models' answers that are edits: of any format, for
// an edit, a step of a task, apply and check.
//
// Invariant: an answer is unwrapped once, parsed, located and judged by one list of guards;
// what comes of it is what the model meant, or nothing. Deliberately absent: prompts,
// snapshots, checks of syntax and names.
package answer
