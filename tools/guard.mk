.PHONY: guard
guard: build .cache/tools/guard .cache/tools/real ## whether this tree's tandem answers as that of another revision: windows, checks, applied answers, prompts of make real: GUARD_BASE=REV REPOS=DIR
	@.cache/tools/guard $(if $(GUARD_BASE),-base "$(GUARD_BASE)") $(if $(REPOS),-repos "$(abspath $(REPOS))")
