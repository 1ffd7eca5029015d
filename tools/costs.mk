.PHONY: costs
COSTS_PARTS ?= rules,closed,typing,minute,hostile
costs: build .cache/tools/costs ## what a server that lives takes: ten changes of .gitignore in a tree of LINES=3000000 copied from REPOS=DIR or in TREE=REPOSITORY as it is with HIDES=FOLDER,FOLDER, 200 opens and closes, completions in files of 200 KB and 1 MB, a minute typed beside a proposal that breaks 78 files of 100,000 lines, 90 hostile trees drawn by COSTS_SEED=1: COSTS_PARTS=rules,closed,typing,minute,hostile
	@.cache/tools/costs -tandem $(abspath bin/tandem) -repos $(abspath $(or $(REPOS),.)) -lines $(or $(LINES),3000000) -seed $(or $(COSTS_SEED),1) -parts $(COSTS_PARTS) -tree "$(abspath $(TREE))" -hides "$(HIDES)"
