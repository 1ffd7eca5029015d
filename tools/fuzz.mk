# Every fuzz target of every package, found in the source, one after the other.
# A failing input is kept in the package's testdata/fuzz and runs in make test
# from then on.

FUZZTIME ?= 20s

.PHONY: fuzz
fuzz: ## every fuzz target: FUZZTIME=20s each
	@git grep -h -l '^func Fuzz' -- '*_test.go' | while read -r file; do \
	  sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file | while read -r target; do \
	    echo "$$(dirname $$file) $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x ./$$(dirname $$file) || exit 1; \
	  done || exit 1; done

.PHONY: fuzz-session
fuzz-session: ## sessions of an editor from the fuzzer, and what it found printed at the end: FUZZTIME=30m
	$(GO) test -run '^$$' -fuzz '^FuzzSession$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 1x -timeout 0 ./lsp && echo "sessions: no failure in $(FUZZTIME): pass"

.PHONY: fuzz-keep
fuzz-keep: ## keep up to 25 inputs a target that make fuzz found interesting, as seeds
	@git grep -h -l '^func Fuzz' -- '*_test.go' | while read -r file; do \
	  sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file | while read -r target; do \
	    found=$$($(GO) env GOCACHE)/fuzz/tandem/$$(dirname $$file)/$$target; kept=$$(dirname $$file)/testdata/fuzz/$$target; \
	    test -d $$found || continue; mkdir -p $$kept; \
	    ls -S -r $$found | awk 'NR % 4 == 1' | head -n 25 | while read -r input; do cp $$found/$$input $$kept/; done; \
	  done; done
