# What the code consists of: its size, what nothing reaches, and what the tests reach.

DEADCODE := golang.org/x/tools/cmd/deadcode@v0.52.0

.PHONY: lines deadcode
lines: .cache/tools/lines ## code lines by package: no blanks, comments, generated files and tools
	@.cache/tools/lines

deadcode: ## functions that neither a program nor a test reaches; none passes
	@out=$$($(GO) run $(DEADCODE) -tags reliability -test ./... && $(GO) run -C tools $(DEADCODE) -test ./...) || exit 1; test -z "$$out" || { echo "$$out"; echo "$$(echo "$$out" | wc -l) functions that nothing reaches, bar 0: miss"; exit 1; }; echo "0 functions that nothing reaches, bar 0: pass"

COVERAGE ?= ./edits/... ./workspace/... ./model/... ./lsp/... ./cmd/...
COVERAGE_LEAST ?= 80

.PHONY: coverage
coverage: ## statements that tests of the same layer reach, by package: COVERAGE="./model/local/... ./lsp"
	@dir=$$(mktemp -d); trap 'rm -rf $$dir' EXIT; for p in $(COVERAGE); do \
	  $(GO) test -short -coverpkg $$p -coverprofile $$dir/one $$p >$$dir/log 2>&1 || { cat $$dir/log; exit 1; }; cat $$dir/one >> $$dir/all; \
	done; awk -v least=$(COVERAGE_LEAST) -f tools/coverage.awk $$dir/all
