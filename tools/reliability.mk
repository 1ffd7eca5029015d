# The reliability table needs both programs, built as they are released.

reliability: build
reliability soak: export TANDEM := $(abspath bin/tandem)
reliability soak: export SCRIPTED := $(abspath bin/scripted)

.PHONY: soak
soak: build ## row A11 of the reliability table whole: ten minutes of edits and streams
	$(GO) test -tags reliability -count 1 -v -timeout 20m ./lsp/reliability -run '^TestA11Soak$$' -soak 10m

.PHONY: ci-repeat
ci-repeat: ## .ci/run on fresh clones of this commit, until one fails: RUNS=10 AT_ONCE=2
	.ci/repeat $(or $(RUNS),10) $(or $(AT_ONCE),1)
