# Names and syntax: planted inventions found, and what is said of code that people committed.

NAMES_SEED ?= 1
NAMES_PLANTS ?= 150
NAMES_CACHE := .cache/names
NAMES_COMPILER_go := go build -gcflags=-e ./...
NAMES_COMPILER_python := npx --yes pyright --pythonpath .venv/bin/python $(or $(UNDER),.)
NAMES_COMPILER_script := node_modules/.bin/tsc --noEmit --pretty false $(if $(PROJECT),-p $(PROJECT))

.PHONY: check-planted
check-planted: build .cache/tools/bench/names ## what tandem check finds of inventions that a compiler proves, a third of them in two files: LANGUAGE=go|python|script TREE=DIR, a clone without changes and with its dependencies installed (.venv, node_modules); UNDER=FOLDER PROJECT=tsconfig.json NAMES_PLANTS NAMES_SEED
	@test -n "$(TREE)" || { echo "give TREE=DIR and LANGUAGE=go, python or script: a clone of its own with its dependencies installed"; exit 2; }
	.cache/tools/bench/names -lang $(or $(LANGUAGE),go) -tree "$(abspath $(TREE))" -under "$(UNDER)" -check $(abspath bin/tandem) -compiler '$(NAMES_COMPILER_$(or $(LANGUAGE),go))' -plants $(NAMES_PLANTS) -seed $(NAMES_SEED) -v

.PHONY: bench-check
bench-check: build .cache/tools/bench/check ## what tandem check says of real commits, whole trees and agents' edits: REPOS names clones, CHECK_COMMITS, CHECK_PARTS=commits,whole,hooks,speed
	.cache/tools/bench/check -program bin/tandem -commits $(or $(CHECK_COMMITS),50) -parts $(or $(CHECK_PARTS),commits,whole,hooks) $(REPOS)

.PHONY: judge-roads
judge-roads: ## generated changes, most of which break a caller or their own file, over every road by which one reaches files: the same findings, what is wrong among them, and nothing written that breaks: CHANGES=100 SEED=1
	$(GO) test ./cmd/tandem -count=1 -run TestOneJudge -v -changes $(or $(CHANGES),100) -changes-seed $(or $(SEED),1)

.PHONY: judge-trees
judge-trees: ## who uses a usual name in a tree of LINES=2000000 lines, with the time of each verdict; and of CLONES=DIRS forty used imports and functions each, deleted
	$(GO) test ./workspace/judge -count=1 -timeout 30m -run 'TestUsualNames|TestDeletedAndUsed' -v -lines $(or $(LINES),2000000) -clones "$(abspath $(CLONES))"

.PHONY: judge-speed
judge-speed: ## how long the verdict on a renamed function takes that 78 files use, in 100,000 lines of Go
	$(GO) test ./workspace/judge -count=1 -run '^$$' -bench UsersOfARename -benchtime $(or $(TIMES),5)x

.PHONY: check-commit
check-commit: ## pre-commit from PyPI with the hook of .pre-commit-hooks.yaml, and the steps of action.yml, in clones
	python3 -m venv .cache/check/python && .cache/check/python/bin/pip install -q pre-commit==4.7.0
	tools/agents/commit.sh .cache/check/python/bin/python

STARTERS := $(CURDIR)/.cache/check/starters

.PHONY: check-starters
check-starters: build ## tandem check in the starters of frameworks as they are handed out, without dependencies: nothing may be found
	rm -rf $(STARTERS) && mkdir -p $(STARTERS)/made/django $(STARTERS)/state
	cd $(STARTERS) && npm pack --silent create-vite@9.3.0 create-next-app@16.4.3 cra-template@1.3.0 cra-template-typescript@1.3.0 create-t3-app@7.40.0 create-preact@0.5.3 >/dev/null
	cd $(STARTERS) && pip download -q --no-deps --no-binary :all: flask==3.1.3 fastapi==0.165.0 && pip install -q --target django django==5.2.19
	cd $(STARTERS) && for f in *gz; do mkdir $${f%.t*} && tar xzf $$f -C $${f%.t*}; done
	cd $(STARTERS) && for d in create-vite-*/package/template-* create-next-app-*/package/dist/templates/*/?s cra-*/package/template create-preact-*/package/templates/base create-t3-app-*/package/template/base \
		flask-*/flask-*/examples/tutorial fastapi-*/fastapi-*/docs_src/bigger_applications; do cp -r $$d made/$$(echo $$d | tr / _); done
	cd $(STARTERS)/made/django && export PYTHONPATH=$(STARTERS)/django && python3 -m django startproject mysite . && python3 -m django startapp polls
	cd $(STARTERS)/made && for d in *; do echo "$$d" && XDG_STATE_HOME=$(STARTERS)/state $(CURDIR)/bin/tandem --workspace $$d check --fail-on warning $$d || exit 1; done

SARIF_SCHEMA := $(CURDIR)/.cache/check/sarif

.PHONY: check-sarif
check-sarif: build ## the SARIF log of a folder with findings against its published schema (npm's @microsoft/jest-sarif has a copy)
	rm -rf $(SARIF_SCHEMA) && mkdir -p $(SARIF_SCHEMA)/code && printf 'package m\n\nfunc F() { none() }\n' >$(SARIF_SCHEMA)/code/a.go && printf 'import os\nos.none()\n' >$(SARIF_SCHEMA)/code/a.py
	npm install --no-audit --no-fund --no-save --loglevel=error --prefix $(SARIF_SCHEMA) @microsoft/jest-sarif ajv@6
	XDG_STATE_HOME=$(SARIF_SCHEMA) bin/tandem --workspace $(SARIF_SCHEMA)/code check --format sarif $(SARIF_SCHEMA)/code >$(SARIF_SCHEMA)/log.json || test $$? = 1
	cd $(SARIF_SCHEMA) && node -e 'const a = new (require("ajv"))({schemaId: "auto", unknownFormats: "ignore"}); a.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json")); const v = a.compile(require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json")); const log = require("./log.json"); if (!v(log) || !log.runs[0].results.length) { console.error(v.errors); process.exit(1) } console.log("valid:", log.runs[0].results.length, "results")'

.PHONY: names-globals
names-globals: ## write again which names browsers, JavaScript and Node.js declare
	npm install --no-audit --no-fund --no-save --loglevel=error --prefix $(NAMES_CACHE) typescript@5.9.3 @types/node@22
	node tools/oracle/globals.mjs $(abspath $(NAMES_CACHE)/node_modules) workspace/names/globals.txt workspace/names/members.txt

.PHONY: names-standard
names-standard: ## write again which names the modules of Python's standard library have whose sources do not say it, by mypy's copy of typeshed and the interpreters PYTHONS="FILE FILE"
	mkdir -p $(NAMES_CACHE) && cd $(NAMES_CACHE) && rm -rf mypy* && pip download -q --no-deps mypy==1.18.2 && python3 -m zipfile -e mypy-*.whl .
	python3 tools/oracle/standard.py $(NAMES_CACHE)/mypy/typeshed/stdlib workspace/deps/standard.txt $(PYTHONS)
