// Package task runs deep tasks: the deep model plans, the fast one writes the steps, and the
// result is one proposal.
//
// Invariant: a task outlives the request that began it, and what its steps have done is kept on
// disk before anybody is notified of it. Plans as text and which steps may run at once (plan.go,
// order.go) are pure functions. There is deliberately no file written here: steps change texts,
// and the proposal is accepted like any other.
//
// A task is a taskRun: the record that is stored, and the mailbox of what the user sends. The
// record changes in change and set alone. A worker leads it through its phases; a planner and a
// stepRunner do two of them; all ask models by an asker, and know of models and money by costs.
//
//	plan.go        plans as text
//	check.go       what is wrong with a plan
//	order.go       which steps may run at once
//	task.go        tasks as their users see them: begin, resume, steer, cancel, list
//	run.go         one running task: its record, and how it is stored
//	mailbox.go     what the user sends to a running task
//	work.go        the course of a task, from its plan to its result
//	planning.go    the deep model's plan
//	step.go        one step
//	level.go       the steps that run at once, judged together
//	ask.go         a conversation with a model that may call tools
//	tools.go       the tools
//	cost.go        which model does what, and what a task will cost
//	review.go      the review of a result
//	result.go      results, kept and carried over to changed files
package task
