# tandem: `make help` lists the targets. Targets of one package or tool are in tools/*.mk.
.DEFAULT_GOAL := help
export CGO_ENABLED := 0

GO ?= go
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE := golang.org/x/tools/cmd/deadcode@v0.52.0
STAMP = -X main.commit=$(shell git describe --always --abbrev=12 --exclude '*' --dirty=-and-changes 2>/dev/null) -X main.date=$(shell git log -1 --format=%cs 2>/dev/null)
BUILD = $(GO) build -trimpath -ldflags '-s -w $(STAMP)'
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# What people use, in the order of use; make help-all lists the rest.
USED := build install demo test check guard vscode e2e oracle reliability bench release
ABOUT = grep -hE '^[a-z][a-z0-9-]*:.*\#\#' $(MAKEFILE_LIST) | awk -F':.*\#\# ' '{printf "  %-20s %s\n", $$1, $$2}'

.PHONY: help help-all
help:
	@for t in $(USED); do $(ABOUT) | grep "^  $$t "; done; echo "make help-all lists the rest."

help-all:
	@$(ABOUT) | sort | grep -vE '^  ($(shell echo $(USED) | tr ' ' '|')) '

.PHONY: build
build: ## bin/tandem and bin/scripted
	$(BUILD) -o bin/ ./cmd/tandem ./cmd/scripted

.PHONY: install
install: ## tandem into GOBIN
	$(GO) install -trimpath -ldflags '-s -w $(STAMP)' ./cmd/tandem

# What is compiled without a path of this machine is compiled once for all clones, and
# build, tests and tools share it.
test test-tools check vet platforms oracle reliability vscode e2e: export GOFLAGS := $(strip $(filter-out -trimpath,$(shell $(GO) env GOFLAGS)) -trimpath)

# Several tests read the standard library, and a program compiled so does not know its place.
test test-tools check oracle reliability: export GOROOT := $(shell $(GO) env GOROOT)

# Several tests wait more than they compute, hence twice as many packages at a time as there
# are processors. make check vets all of the code, so the tests need not, and no debugger
# reads them: without its tables each of fifty programs is linked in three fifths of the time.
TEST := $(GO) test -vet=off -ldflags=-w -p $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

# Compilers, linkers and tests end soon: less garbage is collected before they do, a tenth of
# the processor time.
test test-tools: export GOGC := 300

# The last line says how it went, however long the list is.
test: SHELL := bash
test: .SHELLFLAGS := -o pipefail -c
.PHONY: test
test: ## every test that needs Go alone
	@$(TEST) -count=1 ./... | awk '!/no test files/ { print } /^ok/ { ok++ } /^FAIL\t/ { bad = bad "\n  " $$2 } END { print bad ? "Failed:" bad : ok " packages passed." }' # every test runs: to find that nothing has changed takes longer

.PHONY: test-tools
test-tools: ## the tests of tools/, a module of its own
	cd tools && $(TEST) -count=1 ./...

.PHONY: check
check: format vet platforms own-code ## format, vet, every platform, staticcheck, unused code and dependencies, tandem's findings in its own code, tests with the race detector, architecture
	$(GO) mod tidy -diff && $(GO) mod tidy -C tools -diff
	$(GO) run $(STATICCHECK) ./... && $(GO) run -C tools $(STATICCHECK) ./...
	@out=$$($(GO) run $(DEADCODE) -tags reliability -test ./...) && test -z "$$out" || { echo "neither a program nor a test calls:"; echo "$$out"; exit 1; }
	CGO_ENABLED=1 $(TEST) -race -short -timeout 20m ./... && cd tools && CGO_ENABLED=1 $(TEST) -race -short ./... # -short: samples without concurrency are smaller, make test runs them whole

.PHONY: oracle
oracle: ## all oracles: comparison with npm tiktoken, git, ctags, openai-go, lsprotocol and pytest-lsp

.PHONY: format
format:
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not gofmt-ed:"; echo "$$out"; exit 1; }

.PHONY: vet
vet:
	$(GO) vet ./... && $(GO) vet -C tools ./...

# The tools run where tandem is worked on, and are not asked.
.PHONY: platforms
platforms: ## every platform builds, and go vet for those that this one is not
	@for p in $(PLATFORMS); do echo "$$p"; GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build ./cmd/tandem ./cmd/scripted || exit 1; done
	@for os in $(filter-out $(shell $(GO) env GOOS),linux darwin windows); do \
	  GOOS=$$os $(GO) vet ./... || exit 1; done

.PHONY: own-code
own-code: build ## tandem check on all of this repository: no finding
	XDG_STATE_HOME=$(abspath .cache/own-code) XDG_CONFIG_HOME=$(abspath .cache/own-code) bin/tandem --workspace . check cmd edits lsp model workspace

# The address of the repository, which the pages of a release name.
REPOSITORY ?=

.PHONY: release
release: export REPOSITORY := $(REPOSITORY)
release: editors/vscode/node_modules/.package-lock.json ## dist/release: archives and VS Code extensions of every platform, SBOM, provenance, checksums; the same bytes for the same commit; its pages name REPOSITORY=URL
	cd $(VSCODE) && npm run --silent check && npm run --silent bundle -- --log-level=warning
	tools/release.sh dist/release $(PLATFORMS)
	cp LICENSE THIRD_PARTY_NOTICES.txt dist/release/

.PHONY: release-bare
release-bare: editors/vscode/node_modules/.package-lock.json ## the release of this platform, as it is committed: equal bytes from two folders, then installed and used in a bare Debian without network; needs root, debootstrap
	tools/release-bare.sh

# A program of tools/, built there and run here: its arguments are paths below this folder.
.cache/tools/%: FORCE
	@$(GO) build -C tools -trimpath -buildvcs=false -o $(abspath $@) ./$*

.PHONY: FORCE
FORCE:

include $(wildcard tools/*.mk)
