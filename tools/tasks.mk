.PHONY: bench-tasks
bench-tasks: ## a deep task against its critical path, its prompt tokens, keystrokes beside four tasks, the first line of a plan
	$(GO) run ./tools/tasks -repo . bench

.PHONY: tasks-kill
tasks-kill: ## kill -9 at 200 random moments of a deep task: nothing lost, nothing applied twice
	$(GO) run ./tools/tasks -n 200 kill
