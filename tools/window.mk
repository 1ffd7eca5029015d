# The context window. What it is worth to a model is measured by make real.

.PHONY: bench-window
bench-window: build .cache/tools/bench/windows ## what windows hold of the functions that a person names, and of those called where an edit is asked for: REPOS=DIR (a folder of git clones) WINDOW_SEED=1
	@test -n "$(REPOS)" || { echo "name a folder of git clones: make bench-window REPOS=DIR"; exit 2; }
	.cache/tools/bench/windows -repos "$(REPOS)" -seed $(or $(WINDOW_SEED),1)
