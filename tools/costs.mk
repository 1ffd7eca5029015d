.PHONY: costs
COSTS_PARTS ?= rules,closed,typing
costs: build .cache/tools/costs ## what a server that lives takes: ten changes of .gitignore in a tree of LINES=3000000 copied from REPOS=DIR, 200 opens and closes, completions in files of 200 KB and 1 MB: COSTS_PARTS=rules,closed,typing
	@.cache/tools/costs -tandem $(abspath bin/tandem) -repos $(abspath $(or $(REPOS),.)) -lines $(or $(LINES),3000000) -parts $(COSTS_PARTS)
