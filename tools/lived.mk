.PHONY: lived
LIVED_DAYS ?= 20
LIVED_SEED ?= 1
LIVED_BRANCH ?= 120
lived: build .cache/tools/lived ## a server that lived through branches, moves, links and ignore files against one that has just begun: TREES=DIR,DIR LIVED_DAYS=20 LIVED_SEED=1 LIVED_BRANCH=120 files a branch
	@.cache/tools/lived -tandem $(abspath bin/tandem) -trees $(or $(TREES),.) -days $(LIVED_DAYS) -seed $(LIVED_SEED) -branch $(LIVED_BRANCH)
