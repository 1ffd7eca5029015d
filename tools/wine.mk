# Packages whose tests pass as Windows programs; others have tests that are not mended yet.
WINE ?= ./edits ./workspace/watch ./workspace/state ./workspace/mapped ./workspace/git ./workspace/index ./cmd/tandem/keys

.PHONY: test-wine
test-wine: .cache/tools/wine ## the tests of WINE="PACKAGE..." as windows/amd64 under Wine, which is Debian's package wine
	GOFLAGS=-trimpath .cache/tools/wine .cache/wine $(WINE)
