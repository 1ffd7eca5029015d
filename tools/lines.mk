# What the code consists of: its size, and what nothing reaches.

DEADCODE := golang.org/x/tools/cmd/deadcode@v0.52.0

.PHONY: lines deadcode
lines: ## code lines by package: no blanks, comments, generated files and tools
	@$(GO) run ./tools/lines

deadcode: ## functions that neither a program nor a test reaches; none passes
	@out=$$($(GO) run $(DEADCODE) -tags reliability -test ./...) || exit 1; test -z "$$out" || { echo "$$out"; echo "$$(echo "$$out" | wc -l) functions that nothing reaches, bar 0: miss"; exit 1; }; echo "0 functions that nothing reaches, bar 0: pass"
