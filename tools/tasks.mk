.PHONY: tasks-kill
tasks-kill: ## kill -9 at 200 random moments of a deep task: nothing lost, nothing applied twice
	$(GO) test -C tools -count=1 -timeout 60m ./tasks -run '^TestKilledTasks$$' -v -args -kills 200
