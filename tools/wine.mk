# Those that CI runs: what has most to do with the system, and is soon done.
WINE_SOON := ./edits ./workspace/disk ./workspace/watch ./workspace/state ./cmd/tandem/...
WINE ?= ./...

.PHONY: test-wine test-wine-soon
test-wine: .cache/tools/wine ## the tests of all packages, or of WINE="PACKAGE...", as windows/amd64 under Wine (Debian: wine wine64): passed, failed, skipped, and the share of those of Linux
	GOFLAGS=-trimpath .cache/tools/wine .cache/wine $(WINE)

test-wine-soon: ## make test-wine of what CI runs
	$(MAKE) test-wine WINE="$(WINE_SOON)"
