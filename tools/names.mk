# Names and syntax: false alarms on real code, and planted inventions found.

NAMES_SEED ?= 1
NAMES_ALARMS ?= 0
NAMES_PLANTS ?= 400
NAMES_GO ?= $(shell go env GOROOT)/src
NAMES_PYTHON ?= $(shell python3 -c 'import os; print(os.path.dirname(os.__file__))' 2>/dev/null)
NAMES_SCRIPT ?=
NAMES_CACHE := .cache/names

.PHONY: bench-names
bench-names: ## false alarms and planted inventions: NAMES_GO, NAMES_PYTHON, NAMES_SCRIPT name trees; NAMES_SEED, NAMES_ALARMS (0 all), NAMES_PLANTS
	@mkdir -p $(NAMES_CACHE)
	@test -n "$(NAMES_SCRIPT)" || test -d $(NAMES_CACHE)/package || (cd $(NAMES_CACHE) && npm pack --silent effect@latest >/dev/null && tar xzf effect-*.tgz)
	$(GO) build -o $(NAMES_CACHE)/bench ./tools/bench/names
	$(NAMES_CACHE)/bench -lang go -tree $(NAMES_GO) -alarms $(NAMES_ALARMS) -plants $(NAMES_PLANTS) -seed $(NAMES_SEED)
	$(NAMES_CACHE)/bench -lang python -tree $(NAMES_PYTHON) -alarms $(NAMES_ALARMS) -plants $(NAMES_PLANTS) -seed $(NAMES_SEED)
	$(NAMES_CACHE)/bench -lang script -tree $(or $(NAMES_SCRIPT),$(NAMES_CACHE)/package/src) -alarms $(NAMES_ALARMS) -plants $(NAMES_PLANTS) -seed $(NAMES_SEED)
	$(GO) test -run '^$$' -bench . ./workspace/names ./workspace/syntax

.PHONY: names-roads
names-roads: build ## answers that are right and answers with an invented name by edit, editor and task, each the first request of its process: LANGUAGE=go|python|script TREE=DIR with its dependencies installed; ANSWERS=30 NAMES_SEED
	@test -n "$(TREE)" || { echo "give TREE=DIR and LANGUAGE=go, python or script: a project with its dependencies installed"; exit 2; }
	@mkdir -p $(NAMES_CACHE)
	$(GO) build -o $(NAMES_CACHE)/bench ./tools/bench/names
	$(NAMES_CACHE)/bench -lang $(or $(LANGUAGE),go) -tree "$(abspath $(TREE))" -roads $(abspath bin/tandem) -plants $(or $(ANSWERS),30) -seed $(NAMES_SEED)

.PHONY: bench-check
bench-check: build ## what tandem check says of real commits, whole trees and agents' edits: REPOS names clones, CHECK_COMMITS, CHECK_PARTS
	@mkdir -p .cache/check
	$(GO) build -o .cache/check/bench ./tools/bench/check
	.cache/check/bench -program bin/tandem -commits $(or $(CHECK_COMMITS),50) -parts $(or $(CHECK_PARTS),commits,whole,hooks) $(REPOS)

.PHONY: names-globals
names-globals: ## write again which names browsers, JavaScript and Node.js declare
	npm install --no-audit --no-fund --no-save --loglevel=error --prefix $(NAMES_CACHE) typescript@5.9.3 @types/node@22
	node tools/oracle/globals.mjs $(abspath $(NAMES_CACHE)/node_modules) workspace/names/globals.txt workspace/names/members.txt
