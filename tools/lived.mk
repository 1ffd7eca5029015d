.PHONY: lived
LIVED_DAYS ?= 20
LIVED_SEED ?= 1
LIVED_BRANCH ?= 120
LIVED_PLACES ?= 4
LIVED_SETTLE ?= 5s
lived: build .cache/tools/lived ## a server that lived through branches, moves, links and ignore files against one that has just begun: TREES=DIR,DIR LIVED_DAYS=20 LIVED_SEED=1 LIVED_BRANCH=120 files a branch, LIVED_PLACES=4 LIVED_SETTLE=5s after a day, WHOLE=1 for repositories as they are
	@.cache/tools/lived -tandem $(abspath bin/tandem) -trees $(or $(TREES),.) -days $(LIVED_DAYS) -seed $(LIVED_SEED) -branch $(LIVED_BRANCH) -places $(LIVED_PLACES) -settle $(LIVED_SETTLE) -whole=$(if $(WHOLE),true,false)
