.PHONY: guard
guard: build ## whether this tree's tandem answers as that of another revision: windows, checks, applied answers, prompts of make real: GUARD_BASE=REV REPOS=DIR
	@mkdir -p .cache/real .cache/guard && $(GO) build -buildvcs=false -o .cache/real/real ./tools/real && $(GO) build -buildvcs=false -o .cache/guard/guard ./tools/guard
	@.cache/guard/guard $(if $(GUARD_BASE),-base "$(GUARD_BASE)") $(if $(REPOS),-repos "$(abspath $(REPOS))")
